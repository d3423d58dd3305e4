//! Every clause of the contract as a test of a Rust runtime, for `cargo test` and nextest.
//!
//! A runtime implements [`Runtime`], and says one line in a test target that has `harness = false`:
//!
//! ```no_run
//! # use tacit_contract::Revision;
//! # use tacit_reference::{ReferenceOptions, ReferenceRuntime};
//! # struct MyAgent;
//! # impl MyAgent {
//! #     fn new() -> ReferenceRuntime {
//! #         ReferenceRuntime::new(ReferenceOptions::faultless(Revision::R3))
//! #     }
//! # }
//! fn main() -> std::process::ExitCode {
//!     tacit_libtest::main("my-agent.toml", MyAgent::new)
//! }
//! ```
//!
//! The suite is run once for all clauses that the arguments select, and each clause then comes out
//! as a test of its own. Under nextest, which runs each test in a process of its own, it is
//! run for each clause, with no more than what tests it.

mod outcome;
mod profile;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Arguments, Conclusion, Trial};
use tacit_contract::clause::{Clause, clauses};
use tacit_contract::{Level, Profile};
use tacit_suite::{Config, Own, Subject};

pub use profile::NoProfile;
pub use tacit_contract as contract;
pub use tacit_contract::runtime::{Ports, Runtime, RuntimeError};

use outcome::Outcome;

/// How many sessions are generated for each property where nothing else is said: as many as a test
/// that is run often can bear. `tacit run` plays more.
pub const CASES: u32 = 16;

/// The seed where nothing else is said: a test that passed passes again.
pub const SEED: u64 = 1;

/// Tests the runtimes that a factory makes against a profile, as the arguments of the command line
/// say: the name of one that is built in, or a file, from the folder of the package on.
///
/// A fresh runtime is made for each session.
pub fn main<R: Runtime + 'static>(
    profile: &str,
    make: impl Fn() -> R + Send + Sync + 'static,
) -> ExitCode {
    match Conformance::new(profile, make) {
        Ok(conformance) => conformance.run(&Arguments::from_args()).exit_code(),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// A runtime under test, and how much it is tested.
#[derive(Debug, Clone)]
pub struct Conformance {
    config: Config,
}

impl Conformance {
    /// The runtimes that a factory makes, held to a profile: see [`main`].
    ///
    /// # Errors
    /// The profile cannot be used.
    pub fn new<R: Runtime + 'static>(
        profile: &str,
        make: impl Fn() -> R + Send + Sync + 'static,
    ) -> Result<Self, NoProfile> {
        let profile: Profile = profile::load(profile)?;
        let config = Config {
            cases: CASES,
            seed: SEED,
            jobs: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            corpus: PathBuf::from(".tacit/corpus"),
            ..Config::new(Subject::Own(Own::new(make)), "the runtime of these tests", profile)
        };
        Ok(Self { config })
    }

    /// With another number of generated sessions for each property.
    #[must_use]
    pub fn cases(self, cases: u32) -> Self {
        Self { config: Config { cases, ..self.config } }
    }

    /// With another seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { config: Config { seed, ..self.config } }
    }

    /// With another folder for counterexamples, which are tried first; `.tacit/corpus` is the usual.
    #[must_use]
    pub fn corpus(self, corpus: impl Into<PathBuf>) -> Self {
        Self { config: Config { corpus: corpus.into(), ..self.config } }
    }

    /// Runs the tests that the arguments select.
    pub fn run(&self, arguments: &Arguments) -> Conclusion {
        let judged = clauses().iter().filter(|clause| clause.level != Level::Info);
        // What a test does is not known before all are selected.
        let outcome = Arc::new(OnceLock::new());
        let named = |clause: &Clause| Trial::test(clause.id.as_str(), || Ok(()));
        let selected: Vec<&Clause> =
            judged.clone().filter(|clause| !arguments.is_filtered_out(&named(clause))).collect();
        let mut config = self.config.clone();
        if selected.len() < judged.clone().count() {
            config.clauses = selected.iter().map(|clause| clause.id.clone()).collect();
        }
        let config = Arc::new(config);
        let trials = judged.map(|clause| {
            let (outcome, config) = (Arc::clone(&outcome), Arc::clone(&config));
            let claimed = config.profile.claims(clause.id.as_str());
            let id = clause.id.clone();
            let test = move || {
                let outcome: &Outcome = outcome.get_or_init(|| Outcome::of(&config));
                outcome.of_clause(&id)
            };
            let kind = if clause.level == Level::Should { "should" } else { "" };
            Trial::ignorable_test(clause.id.as_str(), test)
                .with_kind(kind)
                .with_ignored_flag(!claimed)
        });
        libtest_mimic::run(arguments, trials.collect())
    }
}
