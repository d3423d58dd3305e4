//! The command line: what can be asked for.

mod run;
mod subject;
pub mod values;

use clap::{Parser, Subcommand, ValueEnum};

pub use run::RunArgs;
pub use subject::SubjectArgs;

/// Tests whether an agent runtime keeps the contract of lazy tool activation
#[derive(Debug, Parser)]
#[command(name = "tacit", version, max_term_width = 80)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Test a runtime: play the scenarios and the properties, judge every clause
    Run(Box<RunArgs>),
}

/// Whether to show something that only a terminal can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal.
    Auto,
    /// Not at all.
    Never,
}
