//! The stage that a subject is played on, whatever stands behind it.

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use tacit_contract::protocol::Description;
use tacit_contract::runtime::{PortFuture, Runtime, RuntimeError};
use tacit_contract::{Session, Trace};
use tacit_reference::{ReferenceOptions, ReferenceRuntime};
use tacit_stage::{Connector, InProcess, Nib, Program, Settings, Stage, Stdio};
use tacit_steps::port::{OnStage, Play, Properties};

use crate::config::{Config, Protocol, Subject};

/// A stage with its runtimes.
pub trait Theatre {
    /// Plays a session from its beginning to its end; fails where the runtime could not be started.
    fn play<'a>(&'a self, session: &'a Session) -> PortFuture<'a, Result<Trace, RuntimeError>>;

    /// The port on which scenarios are played.
    fn port(&self, runtime: Description, properties: Rc<dyn Properties>) -> Rc<dyn Play>;

    /// Who the runtime is; fails where it could not be started.
    fn describe(&self) -> PortFuture<'_, Result<Description, RuntimeError>>;

    /// Makes sure that the next session is played on a new runtime.
    fn fresh(&self) -> PortFuture<'_, ()>;
}

impl<C: Connector + 'static> Theatre for Stage<C> {
    fn play<'a>(&'a self, session: &'a Session) -> PortFuture<'a, Result<Trace, RuntimeError>> {
        Box::pin(Stage::play(self, session))
    }

    fn port(&self, runtime: Description, properties: Rc<dyn Properties>) -> Rc<dyn Play> {
        Rc::new(OnStage::new(self.clone(), runtime, properties))
    }

    fn describe(&self) -> PortFuture<'_, Result<Description, RuntimeError>> {
        Box::pin(Stage::describe(self))
    }

    fn fresh(&self) -> PortFuture<'_, ()> {
        Box::pin(Stage::fresh(self))
    }
}

/// A runtime of the calling program: each worker makes its own, a fresh one for each session.
#[derive(Clone)]
pub struct Own(Arc<Open>);

/// Opens the stage of a run's settings.
type Open = dyn Fn(&Config, Settings) -> Box<dyn Theatre> + Send + Sync;

impl Own {
    /// The runtimes that a factory makes. They reach provider and host over HTTP, at the addresses of
    /// their opening, or through the ports that they are given.
    pub fn new<R: Runtime + 'static>(make: impl Fn() -> R + Send + Sync + 'static) -> Self {
        let make = Arc::new(make);
        Self::on(move |config, settings| {
            let make = Arc::clone(&make);
            let connector = InProcess::new(move || make()).over_http();
            Box::new(Stage::new(connector.with_limit(config.limits.step), settings))
        })
    }

    /// Runtimes on a stage of the calling program's own, opened for each worker.
    pub fn on(
        open: impl Fn(&Config, Settings) -> Box<dyn Theatre> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(open))
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Own")
    }
}

/// The stage of a run's subject.
#[must_use]
pub fn of(config: &Config) -> Box<dyn Theatre> {
    let settings = Settings { apis: config.apis.clone(), ..Settings::new(config.profile.clone()) };
    match &config.subject {
        Subject::Reference { revision, switches } => {
            let options = ReferenceOptions { revision: *revision, switches: *switches };
            let connector = InProcess::new(move || ReferenceRuntime::new(options))
                .with_limit(config.limits.step)
                .without_folders();
            Box::new(Stage::new(connector, settings))
        }
        Subject::Own(own) => (own.0)(config, settings),
        Subject::Stdio(command) => {
            let mut program = Program::new(&command.words);
            program.env.clone_from(&command.environment);
            program.directory.clone_from(&command.directory);
            program.start_limit = config.limits.start;
            program.step_limit = config.limits.step;
            program.memory_limit = config.limits.memory;
            match command.protocol {
                Protocol::Adapter => Box::new(Stage::new(Stdio::new(program), settings)),
                Protocol::Nib => Box::new(Stage::new(Nib::new(program), settings)),
            }
        }
    }
}
