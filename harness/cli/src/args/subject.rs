//! Which runtime is meant, and what it is held to.

use std::time::Duration;

use clap::Args;

use super::values::{self, Apis};

/// Which runtime is meant, and what it is held to.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Runtime")]
pub struct SubjectArgs {
    /// The runtime under test: `reference`, `reference@r2`, `reference+FAULT`,
    /// `stdio:COMMAND ARGS…`, `nib:COMMAND ARGS…`, or a name from tacit.toml
    #[arg(long, value_name = "SPEC")]
    pub runtime: Option<String>,

    /// What the runtime claims and what it calls things: a built-in profile or a file
    /// [default: nib-r3]
    #[arg(long, value_name = "NAME|FILE")]
    pub profile: Option<String>,

    /// The provider API to speak, or `all` that the runtime has
    #[arg(long, value_name = "NAME|all", default_value = "all", value_parser = values::apis)]
    pub api: Apis,

    /// How long one step of the runtime may take [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub timeout: Option<Duration>,

    /// How long the runtime may take to start [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub start_timeout: Option<Duration>,
}
