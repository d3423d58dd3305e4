//! What is run, on what, and how much of it.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use tacit_contract::clause::clause;
use tacit_contract::part::Terms;
use tacit_contract::protocol::Api;
use tacit_contract::{ClauseId, Level, Profile, Revision, Shard};
use tacit_reference::Switches;

use crate::baseline::Baseline;
use crate::theatre::Own;

/// The runtime under test.
#[derive(Debug, Clone)]
pub enum Subject {
    /// The reference runtime, in process.
    Reference {
        /// The text of the contract that it keeps to.
        revision: Revision,
        /// What it does otherwise: faults, and correct variants.
        switches: Switches,
    },
    /// A runtime of the calling program, in process.
    Own(Own),
    /// A program that speaks over its standard input and output.
    Stdio(Command),
}

/// What a program speaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Protocol {
    /// The adapter protocol.
    #[default]
    Adapter,
    /// The protocol of Nib's sidecar.
    Nib,
}

/// A command that starts a runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// What the program speaks.
    pub protocol: Protocol,
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Environment variables that it gets beside the caller's.
    pub environment: Vec<(String, String)>,
    /// The folder that it is run in; the caller's own where there is none.
    pub directory: Option<PathBuf>,
}

/// How long a runtime may take, and how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For one step.
    pub step: Duration,
    /// To start.
    pub start: Duration,
    /// How much memory each of its processes may take for data, in bytes; kept on Linux alone.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            step: Duration::from_secs(10),
            start: Duration::from_mins(1),
            memory: tacit_stage::MEMORY_LIMIT,
        }
    }
}

/// The settings of a run.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Config {
    /// The runtime.
    pub subject: Subject,
    /// How it was asked for.
    pub spec: String,
    /// Whether nobody asked for it.
    pub by_default: bool,
    /// The profile that it is judged under.
    pub profile: Profile,
    /// The provider APIs that are used, as far as the runtime speaks them.
    pub apis: Vec<Api>,
    /// Cases per property.
    pub cases: u32,
    /// Up to how many steps every session is played; none is where there is no such number.
    pub exhaustive: Option<NonZeroU32>,
    /// The seed of the run.
    pub seed: u64,
    /// How long to go on generating; a verdict is never cut short.
    pub time_budget: Option<Duration>,
    /// How many workers.
    pub jobs: usize,
    /// Which scenarios, as a tag expression.
    pub tags: Option<String>,
    /// Which scenarios, by a part of their title.
    pub scenario: Option<String>,
    /// Which shard; the whole where there is none.
    pub shard: Option<Shard>,
    /// Which clauses; all where empty.
    pub clauses: Vec<ClauseId>,
    /// How long the runtime may take.
    pub limits: Limits,
    /// Whether the first broken clause ends the run.
    pub fail_fast: bool,
    /// Whether a claimed clause may go unexercised.
    pub allow_unexercised: bool,
    /// Whether a warning fails the run.
    pub strict: bool,
    /// Whether what is measured and never judged is hunted all the same, where it is of the worse
    /// kind: to see that faults are found.
    pub info: bool,
    /// What is known to be broken.
    pub baseline: Option<Baseline>,
    /// Where counterexamples are kept.
    pub corpus: PathBuf,
    /// When the run began, in seconds since 1970-01-01 UTC: for the report, and for the baseline,
    /// whose entries expire.
    pub started_at: u64,
}

impl Config {
    /// A runtime under a profile, over every API, with one worker and the usual limits: every
    /// scenario and no case, nothing left out and nothing kept.
    #[must_use]
    pub fn new(subject: Subject, spec: impl Into<String>, profile: Profile) -> Self {
        Self {
            subject,
            spec: spec.into(),
            by_default: false,
            profile,
            apis: Api::ALL.to_vec(),
            cases: 0,
            exhaustive: None,
            seed: 0,
            time_budget: None,
            jobs: 1,
            tags: None,
            scenario: None,
            shard: None,
            clauses: Vec::new(),
            limits: Limits::default(),
            fail_fast: false,
            allow_unexercised: false,
            strict: false,
            info: false,
            baseline: None,
            corpus: PathBuf::new(),
            started_at: 0,
        }
    }

    /// How to ask for the runtime once more, beside another profile too; of a command no more than
    /// what it speaks, since commands hold what is nobody else's business; nothing for a runtime
    /// that is part of the calling program.
    #[must_use]
    pub fn spec_of_its_own(&self) -> Option<String> {
        match &self.subject {
            Subject::Own(_) => None,
            // Without a revision, the reference follows the profile.
            Subject::Reference { revision, .. }
                if *revision != self.profile.revision && !self.spec.contains('@') =>
            {
                let rest = self.spec.strip_prefix("reference")?;
                Some(format!("reference@{revision}{rest}"))
            }
            Subject::Reference { .. } => Some(self.spec.clone()),
            Subject::Stdio(_) => self.spec.split(':').next().map(str::to_owned),
        }
    }

    /// Whether a breach of a clause counts: it is one of those that were asked for, and not merely
    /// measured. A filter by clause leaves out no property, for any session may show any clause.
    #[must_use]
    pub fn hunts(&self, id: &ClauseId) -> bool {
        let level = clause(id.as_str()).map(|clause| clause.level);
        (self.info || level != Some(Level::Info))
            && (self.clauses.is_empty() || self.clauses.contains(id))
    }

    /// Whether a check is played, by what [`Shard::takes`] it by.
    #[must_use]
    pub fn takes(&self, check: &str) -> bool {
        self.shard.is_none_or(|shard| shard.takes(check))
    }

    /// What the runtime is held to.
    #[must_use]
    pub fn terms(&self) -> Terms {
        Terms {
            profile: self.profile.clone(),
            clauses: self.clauses.clone(),
            allow_unexercised: self.allow_unexercised,
            strict: self.strict,
            narrowed: self.is_narrowed(),
        }
    }

    /// Whether a filter or a budget leaves something out, shards aside.
    #[must_use]
    pub fn is_narrowed(&self) -> bool {
        self.time_budget.is_some()
            || self.tags.is_some()
            || self.scenario.is_some()
            || !self.clauses.is_empty()
            || self.fail_fast
    }
}
