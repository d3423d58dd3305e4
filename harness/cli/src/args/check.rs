//! The arguments of `tacit check`.

use std::path::PathBuf;

use clap::Args;
use tacit_contract::Mode;
use tacit_recording::Kind;
use tacit_reports::Target;

use super::Format;

/// The arguments of `tacit check`.
#[derive(Debug, Clone, Args)]
pub struct CheckArgs {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// What the files are, where their content does not tell: har, requests, trace, pi-session or
    /// nib-rows
    #[arg(long, value_name = "KIND", help_heading = "What was recorded")]
    pub kind: Option<Kind>,

    /// The tools with their schemas, as JSON: a list, or an object that holds it under `tools`
    #[arg(long, value_name = "FILE", help_heading = "What was recorded")]
    pub registry: Option<PathBuf>,

    /// What the runtime claims and what it calls things: a built-in profile or a file
    #[arg(
        long,
        value_name = "NAME|FILE",
        default_value = crate::profile::DEFAULT,
        help_heading = "What was recorded"
    )]
    pub profile: String,

    /// The mode that the runtime was in: agent, chat, plan or goal
    #[arg(long, value_name = "MODE", default_value = "agent", help_heading = "What was recorded")]
    pub mode: Mode,

    /// Let warnings fail the check
    #[arg(long, help_heading = "Output")]
    pub strict: bool,

    /// Write a report: json, junit or ndjson; repeat it for several
    #[arg(long, value_name = "FORMAT=PATH", help_heading = "Output")]
    pub report: Vec<Target>,

    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    pub format: Format,

    /// Print every clause as well
    #[arg(short, long, help_heading = "Output")]
    pub verbose: bool,
}
