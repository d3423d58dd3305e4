//! The arguments of `tacit selftest`.

use clap::{Args, ValueEnum};

use super::{AmountArgs, Format, ProgressArgs};

/// The arguments of `tacit selftest`.
#[derive(Debug, Clone, Args)]
pub struct SelftestArgs {
    /// How much.
    #[command(flatten)]
    pub amount: AmountArgs,

    /// Try only these faults, or correct variants; repeat it for several
    #[arg(long, value_name = "KEY", num_args = 1.., help_heading = "Which part")]
    pub fault: Vec<String>,

    /// Play one kind of check alone
    #[arg(long, value_enum, value_name = "KIND", help_heading = "Which part")]
    pub only: Option<Kind>,

    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    pub format: Format,

    /// How far it is.
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// A kind of check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// The scenarios
    Scenarios,
    /// The properties: random sessions
    Properties,
}
