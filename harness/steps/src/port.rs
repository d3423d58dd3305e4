//! The port: what a scenario is played on, and who runs its property.

use std::rc::Rc;

use tacit_contract::protocol::Description;
use tacit_contract::runtime::{PortFuture, RuntimeError};
use tacit_contract::{ClauseId, Profile, PropertyId, Session, Step, Trace};
use tacit_stage::{Connector, Performance, Stage};

/// What scenarios are played on.
pub trait Play {
    /// The profile that the runtime is held to.
    fn profile(&self) -> &Profile;

    /// Who the runtime is and what it can do.
    fn runtime(&self) -> &Description;

    /// Opens a session with its seeded turns, to be played step by step. Where the states are
    /// kept, a branch can go back to them.
    fn open<'a>(
        &'a self,
        session: &'a Session,
        keep_states: bool,
    ) -> PortFuture<'a, Result<Box<dyn Playing>, RuntimeError>>;

    /// Plays a whole session.
    fn play<'a>(&'a self, session: &'a Session) -> PortFuture<'a, Result<Trace, RuntimeError>>;

    /// Plays a property over generated sessions, or says how it came out if it was played.
    fn property<'a>(&'a self, id: &'a PropertyId) -> PortFuture<'a, PropertyOutcome>;
}

/// A session on its way.
pub trait Playing {
    /// Plays further steps; a prompt comes with its whole script.
    fn perform<'a>(&'a mut self, steps: &'a [Step]) -> PortFuture<'a, ()>;

    /// What was seen so far.
    fn trace(&self) -> Trace;

    /// Closes the session.
    fn finish(self: Box<Self>) -> PortFuture<'static, Trace>;
}

/// How a property came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PropertyOutcome {
    /// It held in so many cases.
    Held {
        /// How many.
        cases: u32,
    },
    /// It was broken.
    Broken {
        /// The clauses.
        clauses: Vec<ClauseId>,
        /// What was found, and where the counterexamples are.
        found: String,
    },
    /// It cannot be played on this runtime, or was left out of this run.
    NotApplicable {
        /// Why.
        reason: String,
    },
    /// None of its cases reached what it is about.
    NotExercised,
    /// The runtime failed before it could be judged.
    Error {
        /// The cause.
        cause: String,
    },
}

/// Runs properties by their id.
pub trait Properties {
    /// How the property comes out.
    fn run<'a>(&'a self, id: &'a PropertyId) -> PortFuture<'a, PropertyOutcome>;
}

/// No properties: scenarios that need one are not applicable.
#[derive(Debug, Clone, Copy)]
pub struct NoProperties;

impl Properties for NoProperties {
    fn run<'a>(&'a self, id: &'a PropertyId) -> PortFuture<'a, PropertyOutcome> {
        let reason = format!("property {id} is not part of this run");
        Box::pin(async move { PropertyOutcome::NotApplicable { reason } })
    }
}

/// The port on a stage.
pub struct OnStage<C> {
    stage: Stage<C>,
    runtime: Description,
    properties: Rc<dyn Properties>,
}

impl<C: Connector> OnStage<C> {
    /// Scenarios are played on this stage, whose runtime describes itself so.
    #[must_use]
    pub fn new(stage: Stage<C>, runtime: Description, properties: Rc<dyn Properties>) -> Self {
        Self { stage, runtime, properties }
    }
}

impl<C: Connector + 'static> Play for OnStage<C>
where
    C::Runtime: 'static,
{
    fn profile(&self) -> &Profile {
        &self.stage.settings().profile
    }

    fn runtime(&self) -> &Description {
        &self.runtime
    }

    fn open<'a>(
        &'a self,
        session: &'a Session,
        keep_states: bool,
    ) -> PortFuture<'a, Result<Box<dyn Playing>, RuntimeError>> {
        Box::pin(async move {
            let mut performance = self.stage.open(session).await?;
            if keep_states {
                performance.keep_states();
            }
            Ok(Box::new(performance) as Box<dyn Playing>)
        })
    }

    fn play<'a>(&'a self, session: &'a Session) -> PortFuture<'a, Result<Trace, RuntimeError>> {
        Box::pin(self.stage.play(session))
    }

    fn property<'a>(&'a self, id: &'a PropertyId) -> PortFuture<'a, PropertyOutcome> {
        self.properties.run(id)
    }
}

impl<C: Connector + 'static> Playing for Performance<C>
where
    C::Runtime: 'static,
{
    fn perform<'a>(&'a mut self, steps: &'a [Step]) -> PortFuture<'a, ()> {
        Box::pin(Performance::perform(self, steps))
    }

    fn trace(&self) -> Trace {
        Performance::trace(self)
    }

    fn finish(self: Box<Self>) -> PortFuture<'static, Trace> {
        Box::pin(Performance::finish(*self))
    }
}
