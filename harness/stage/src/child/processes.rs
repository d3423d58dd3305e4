//! The connector to a program: one process, used for session after session.

use std::cell::{OnceCell, RefCell};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tacit_contract::runtime::{Runtime, RuntimeError};
use tempfile::TempDir;

use super::Program;
use crate::connector::{Connector, Lane};

/// A runtime in a process of its own.
#[allow(async_fn_in_trait, reason = "the harness plays each runtime on one thread")]
pub trait Spoken: Runtime + Sized {
    /// Starts a process of a program, with a folder that is its home, and finds out whether
    /// somebody is there who speaks the protocol.
    async fn start(program: &Program, home: &Path) -> Result<Self, RuntimeError>;

    /// Whether it can be used for another session.
    fn is_alive(&self) -> bool;

    /// Asks the process to end, and makes it end if it does not.
    async fn shut_down(self);
}

/// The runtimes of a program: one process, used for session after session until it fails or a
/// new one is asked for.
#[derive(Debug)]
pub struct Processes<R> {
    program: Program,
    idle: RefCell<Option<R>>,
    /// The home and the temporary folder of its processes.
    home: OnceCell<TempDir>,
}

impl<R: Spoken> Processes<R> {
    /// The runtimes of a program.
    #[must_use]
    pub fn new(program: Program) -> Self {
        Self { program, idle: RefCell::new(None), home: OnceCell::new() }
    }

    fn home(&self) -> io::Result<PathBuf> {
        if self.home.get().is_none() {
            let made = tempfile::Builder::new().prefix("tacit-home-").tempdir()?;
            self.home.get_or_init(|| made);
        }
        Ok(self.home.get().map(|home| home.path().to_owned()).unwrap_or_default())
    }

    async fn start(&self) -> Result<R, RuntimeError> {
        let home = self.home().map_err(|error| RuntimeError::NotStarted {
            problem: format!("a home folder could not be made for it: {error}"),
        })?;
        R::start(&self.program, &home).await
    }

    /// Ends the process that waits for the next session, if there is one: it is asked to shut
    /// down, and made to if it does not.
    pub async fn end(&self) {
        let idle = self.idle.borrow_mut().take();
        if let Some(runtime) = idle {
            runtime.shut_down().await;
        }
    }
}

impl<R: Spoken> Connector for Processes<R> {
    type Runtime = R;

    async fn acquire(&self) -> Result<R, RuntimeError> {
        let idle = self.idle.borrow_mut().take();
        match idle {
            Some(runtime) if runtime.is_alive() => Ok(runtime),
            _ => self.start().await,
        }
    }

    async fn restart(&self, runtime: R) -> Result<R, RuntimeError> {
        runtime.shut_down().await;
        self.start().await
    }

    async fn release(&self, runtime: R) {
        if runtime.is_alive() && self.idle.borrow().is_none() {
            *self.idle.borrow_mut() = Some(runtime);
        } else {
            runtime.shut_down().await;
        }
    }

    async fn fresh(&self) {
        self.end().await;
    }

    fn lane(&self) -> Lane {
        Lane::Http
    }

    fn limit(&self) -> Duration {
        self.program.step_limit
    }

    fn keeps_limit(&self) -> bool {
        true
    }

    fn needs_folders(&self) -> bool {
        true
    }
}
