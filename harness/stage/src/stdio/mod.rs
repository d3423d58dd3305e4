//! Runtimes that speak the adapter protocol over their standard input and output.

mod runtime;

pub use runtime::StdioRuntime;

use crate::child::Processes;

/// Runtimes that speak the adapter protocol.
pub type Stdio = Processes<StdioRuntime>;
