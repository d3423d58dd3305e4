//! Runtimes in a process of their own, spoken to over their standard input and output.

mod client;
mod environment;
mod lines;
mod link;
mod process;
mod ring;
mod runtime;

use std::cell::{OnceCell, RefCell};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use tacit_contract::runtime::RuntimeError;
use tempfile::TempDir;

pub use process::kill_all;
pub use runtime::StdioRuntime;

use crate::connector::{Connector, Lane, STEP_LIMIT};

/// How long a process may take to start where nothing else is said.
pub const START_LIMIT: Duration = Duration::from_mins(1);

/// What is run, and for how long at most.
#[derive(Debug, Clone)]
pub struct Program {
    /// The program and its arguments; run without a shell.
    pub command: Vec<String>,
    /// Variables that are set beside the caller's own.
    pub env: Vec<(String, String)>,
    /// The folder that it is run in; the caller's own if there is none.
    pub directory: Option<PathBuf>,
    /// How long it may take to start.
    pub start_limit: Duration,
    /// How long one operation may take.
    pub step_limit: Duration,
}

impl Program {
    /// A command with the usual limits.
    pub fn new(command: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            command: command.into_iter().map(Into::into).collect(),
            env: Vec::new(),
            directory: None,
            start_limit: START_LIMIT,
            step_limit: STEP_LIMIT,
        }
    }
}

/// Runtimes that speak the adapter protocol: one process, used for session after session until
/// it fails or a new one is asked for.
#[derive(Debug)]
pub struct Stdio {
    program: Program,
    idle: RefCell<Option<StdioRuntime>>,
    /// The home and the temporary folder of its processes.
    home: OnceCell<TempDir>,
}

impl Stdio {
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

    async fn start(&self) -> Result<StdioRuntime, RuntimeError> {
        let home = self.home().map_err(|error| RuntimeError::NotStarted {
            problem: format!("a home folder could not be made for it: {error}"),
        })?;
        StdioRuntime::start(&self.program, &home).await
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

impl Connector for Stdio {
    type Runtime = StdioRuntime;

    async fn acquire(&self) -> Result<StdioRuntime, RuntimeError> {
        let idle = self.idle.borrow_mut().take();
        match idle {
            Some(runtime) if runtime.is_alive() => Ok(runtime),
            _ => self.start().await,
        }
    }

    async fn restart(&self, runtime: StdioRuntime) -> Result<StdioRuntime, RuntimeError> {
        runtime.shut_down().await;
        self.start().await
    }

    async fn release(&self, runtime: StdioRuntime) {
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
