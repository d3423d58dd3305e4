//! The arguments of `tacit selftest`.

use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};

use super::{Format, When, values};

/// The arguments of `tacit selftest`.
#[derive(Debug, Clone, Args)]
pub struct SelftestArgs {
    /// How many sessions to generate for each property until a fault counts as not found
    #[arg(long, value_name = "N", default_value_t = 256, help_heading = "How much")]
    pub cases: u32,

    /// Generate the sessions of an earlier selftest again [default: fresh, always printed]
    #[arg(long, value_name = "HEX", value_parser = values::seed, help_heading = "How much")]
    pub seed: Option<u64>,

    /// How many faults to try side by side [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = values::jobs, help_heading = "How much")]
    pub jobs: Option<NonZeroUsize>,

    /// Try only these faults, or correct variants; repeat it for several
    #[arg(long, value_name = "KEY", num_args = 1.., help_heading = "Which part")]
    pub fault: Vec<String>,

    /// Play one kind of check alone
    #[arg(long, value_enum, value_name = "KIND", help_heading = "Which part")]
    pub only: Option<Kind>,

    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    pub format: Format,

    /// When to show on a terminal how far it is
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub progress: When,
}

/// A kind of check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// The scenarios
    Scenarios,
    /// The properties: random sessions
    Properties,
}
