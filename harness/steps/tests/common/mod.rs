//! What the tests that play scenarios share.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::rc::Rc;

use tacit_contract::protocol::{Api, Capabilities, Description, Opening, PromptEnd};
use tacit_contract::runtime::{Ports, Runtime, RuntimeError};
use tacit_contract::{Mode, Profile, ProviderKind, Revision, SessionId};
use tacit_reference::{ReferenceOptions, ReferenceRuntime};
use tacit_stage::{InProcess, Settings, Stage};
use tacit_steps::catalogue::{Selection, built_in};
use tacit_steps::port::{NoProperties, OnStage, Play, Properties};
use tacit_steps::run::{Config, run};
use tacit_steps::source::{Source, parse};
use tacit_steps::world::Outcome;

/// The reference under a profile.
pub fn reference(options: ReferenceOptions, profile: &str) -> Rc<dyn Play> {
    on(move || ReferenceRuntime::new(options), profile, Rc::new(NoProperties))
}

/// The reference without faults, in the newest revision.
pub fn faultless() -> Rc<dyn Play> {
    reference(ReferenceOptions::faultless(Revision::R3), "nib-r3")
}

/// Any runtime under a profile.
pub fn on<R: Runtime + 'static>(
    make: impl Fn() -> R + 'static,
    profile: &str,
    properties: Rc<dyn Properties>,
) -> Rc<dyn Play> {
    let description = make().describe().clone();
    let settings = Settings::new(Profile::named(profile).unwrap());
    let stage = Stage::new(InProcess::new(make).without_folders(), settings);
    Rc::new(OnStage::new(stage, description, properties))
}

/// Plays scenarios, one after the other.
pub fn play(sources: &[Source], selection: &Selection, port: Rc<dyn Play>) -> Vec<Outcome> {
    play_at_once(sources, selection, Config::new(port))
}

/// Plays scenarios as a configuration says.
pub fn play_at_once(sources: &[Source], selection: &Selection, config: Config) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(run(sources, selection, config, |outcome| outcomes.push(outcome)));
    outcomes
}

/// The kinds of provider that the reference speaks with.
pub fn kinds() -> Vec<ProviderKind> {
    let reference = ReferenceRuntime::new(ReferenceOptions::faultless(Revision::R3));
    ProviderKind::all(&reference.describe().capabilities, &Api::ALL)
}

/// Plays the built-in scenarios with a kind of provider.
pub fn play_built_in_over(provider: ProviderKind, port: Rc<dyn Play>) -> Vec<Outcome> {
    play_at_once(&built_in().unwrap(), &Selection::all(), Config::new(port).over(provider))
}

/// Plays the built-in scenarios.
pub fn play_built_in(port: Rc<dyn Play>) -> Vec<Outcome> {
    play(&built_in().unwrap(), &Selection::all(), port)
}

/// Plays a feature of one scenario.
pub fn play_text(text: &str, port: Rc<dyn Play>) -> Outcome {
    let source = parse("own.feature", text).unwrap_or_else(|error| panic!("{error}"));
    play(&[source], &Selection::all(), port).remove(0)
}

/// An outcome in a line, for a failing test.
pub fn told(outcome: &Outcome) -> String {
    let result = &outcome.result;
    format!(
        "{}:{} {:?} `{}` at `{}`: {}",
        result.feature,
        result.line,
        result.verdict,
        result.name,
        result.step.as_deref().unwrap_or("the end"),
        result.message.as_deref().unwrap_or("no message")
    )
}

/// The reference with no more than the four operations that every runtime has.
pub struct Bare {
    inner: ReferenceRuntime,
    description: Description,
    crashes: bool,
}

impl Bare {
    /// One that works.
    pub fn new() -> Self {
        let inner = ReferenceRuntime::new(ReferenceOptions::faultless(Revision::R3));
        let mut description = inner.describe().clone();
        description.capabilities = Capabilities {
            modes: vec![Mode::Agent],
            concurrent: false,
            activity: false,
            transcript: false,
            abort: false,
            set_mode: false,
            set_tools: false,
            compact: false,
            ..description.capabilities
        };
        description.dialect.limit_argument = None;
        Self { inner, description, crashes: false }
    }

    /// One that ends in its first prompt.
    pub fn that_crashes() -> Self {
        Self { crashes: true, ..Self::new() }
    }
}

impl Runtime for Bare {
    fn describe(&self) -> &Description {
        &self.description
    }

    async fn open(&self, opening: Opening, ports: Ports) -> Result<(), RuntimeError> {
        self.inner.open(opening, ports).await
    }

    async fn prompt(&self, session: &SessionId, text: &str) -> Result<PromptEnd, RuntimeError> {
        if self.crashes {
            return Err(RuntimeError::Crashed {
                during: "session/prompt".to_owned(),
                status: "exit status 3".to_owned(),
                log: "out of coffee".to_owned(),
            });
        }
        self.inner.prompt(session, text).await
    }

    async fn save(&self, session: &SessionId) -> Result<serde_json::Value, RuntimeError> {
        self.inner.save(session).await
    }

    async fn close(&self, session: &SessionId) -> Result<(), RuntimeError> {
        self.inner.close(session).await
    }
}
