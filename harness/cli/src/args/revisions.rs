//! The arguments of `tacit revisions`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::{Format, SubjectArgs, values};

/// The arguments of `tacit revisions`.
#[derive(Debug, Clone, Args)]
pub struct RevisionsArgs {
    /// The runtime.
    #[command(flatten)]
    pub subject: SubjectArgs,

    /// How many sessions to generate for each property, under each revision
    #[arg(long, value_name = "N", default_value_t = 32, help_heading = "How much")]
    pub cases: u32,

    /// Generate the sessions of an earlier call again [default: fresh, always printed]
    #[arg(long, value_name = "HEX", value_parser = values::seed, help_heading = "How much")]
    pub seed: Option<u64>,

    /// How many sessions to play side by side [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = values::jobs, help_heading = "How much")]
    pub jobs: Option<NonZeroUsize>,

    /// Where counterexamples are kept, in a folder for each revision
    #[arg(long, value_name = "DIR", default_value = ".tacit/revisions", help_heading = "Output")]
    pub corpus: PathBuf,

    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    pub format: Format,
}
