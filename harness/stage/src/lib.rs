//! Plays a session on a runtime and records the trace; never judges.
//!
//! A [`Stage`] is one worker's place to play on. It takes its runtimes from a [`Connector`],
//! stands behind each open session as its model provider and its host-core, and writes down
//! whatever the runtime asks of them in one order. Both are one state machine without I/O,
//! reached through the ports of the contract or over HTTP.

mod actions;
mod actor;
mod backstage;
mod child;
mod connector;
mod folders;
mod host;
mod nib;
mod performance;
mod ports;
mod scene;
mod script;
mod server;
mod stage;
mod stdio;

pub use child::{MEMORY_LIMIT, Processes, Program, START_LIMIT, Spoken, kill_all};
pub use connector::{Connector, InProcess, Lane, STEP_LIMIT};
pub use nib::{Nib, NibRuntime};
pub use performance::Performance;
pub use stage::{Settings, Stage};
pub use stdio::{Stdio, StdioRuntime};
