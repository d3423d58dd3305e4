//! Connectors: where the runtimes come from that sessions are played on.

use std::time::Duration;

use tacit_contract::runtime::{Runtime, RuntimeError};

/// How a runtime reaches its provider and its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Through the port objects: no server is started.
    Ports,
    /// Over HTTP, at the addresses in the opening.
    Http,
}

/// Starts and ends the runtimes that sessions are played on.
#[allow(async_fn_in_trait, reason = "the harness plays each runtime on one thread")]
pub trait Connector {
    /// The runtime.
    type Runtime: Runtime;

    /// A runtime for the next session: one that is there already, or a new one.
    async fn acquire(&self) -> Result<Self::Runtime, RuntimeError>;

    /// Ends a runtime as its process would end, and starts the next.
    async fn restart(&self, runtime: Self::Runtime) -> Result<Self::Runtime, RuntimeError>;

    /// Takes a runtime back when a session is over; what cannot go on being used is ended.
    async fn release(&self, runtime: Self::Runtime);

    /// Ends whatever is kept for the next session, so that it gets a new runtime.
    async fn fresh(&self);

    /// How the runtimes reach outside.
    fn lane(&self) -> Lane;

    /// How long one operation may take.
    fn limit(&self) -> Duration;

    /// Whether the runtimes end an operation that takes too long by themselves; else the stage
    /// does.
    fn keeps_limit(&self) -> bool;

    /// Whether a session needs a workspace and a state folder that exist.
    fn needs_folders(&self) -> bool;
}

/// Runtimes in this process: a factory makes a fresh one for each session.
#[derive(Debug, Clone)]
pub struct InProcess<F> {
    make: F,
    lane: Lane,
    limit: Duration,
    folders: bool,
}

/// How long one operation may take where nothing else is said.
pub const STEP_LIMIT: Duration = Duration::from_secs(10);

impl<F> InProcess<F> {
    /// Runtimes that this factory makes, reached through the ports.
    pub fn new(make: F) -> Self {
        Self { make, lane: Lane::Ports, limit: STEP_LIMIT, folders: true }
    }

    /// The same, reached over HTTP.
    #[must_use]
    pub fn over_http(mut self) -> Self {
        self.lane = Lane::Http;
        self
    }

    /// The same, for runtimes that never look into their folders: the paths they are given are
    /// always the same and name nothing.
    #[must_use]
    pub fn without_folders(mut self) -> Self {
        self.folders = false;
        self
    }

    /// The same with another time limit for one operation.
    #[must_use]
    pub fn with_limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }
}

impl<R: Runtime, F: Fn() -> R> Connector for InProcess<F> {
    type Runtime = R;

    async fn acquire(&self) -> Result<R, RuntimeError> {
        Ok((self.make)())
    }

    async fn restart(&self, runtime: R) -> Result<R, RuntimeError> {
        drop(runtime);
        Ok((self.make)())
    }

    async fn release(&self, runtime: R) {
        drop(runtime);
    }

    async fn fresh(&self) {}

    fn lane(&self) -> Lane {
        self.lane
    }

    fn limit(&self) -> Duration {
        self.limit
    }

    fn keeps_limit(&self) -> bool {
        false
    }

    fn needs_folders(&self) -> bool {
        self.folders
    }
}
