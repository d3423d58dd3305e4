//! Runtimes in processes of their own, whatever protocol they speak: the process, its pipes and its
//! end.

mod client;
mod environment;
mod lines;
mod link;
mod process;
mod processes;
mod ring;
mod secrets;
mod strays;

use std::path::PathBuf;
use std::time::Duration;

pub(crate) use client::{Client, Farewell};
pub(crate) use link::Incoming;
pub use process::kill_all;
pub use processes::{Processes, Spoken};

use crate::connector::STEP_LIMIT;

/// How long a process may take to start where nothing else is said.
pub const START_LIMIT: Duration = Duration::from_mins(1);

/// How much memory each process of a runtime may take where nothing else is said, in bytes: more
/// than an agent needs, and less than a machine has that runs several.
pub const MEMORY_LIMIT: u64 = 4 << 30;

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
    /// How much memory each of its processes may take for data, in bytes; kept on Linux alone.
    pub memory_limit: u64,
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
            memory_limit: MEMORY_LIMIT,
        }
    }
}
