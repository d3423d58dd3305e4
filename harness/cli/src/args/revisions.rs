//! The arguments of `tacit revisions`.

use std::path::PathBuf;

use clap::Args;

use super::{AmountArgs, Format, ProgressArgs, SubjectArgs};

/// The arguments of `tacit revisions`.
#[derive(Debug, Clone, Args)]
pub struct RevisionsArgs {
    /// The runtime.
    #[command(flatten)]
    pub subject: SubjectArgs,

    /// How much.
    #[command(flatten)]
    pub amount: AmountArgs,

    /// Where counterexamples are kept, in a folder for each revision
    #[arg(long, value_name = "DIR", default_value = ".tacit/revisions", help_heading = "Output")]
    pub corpus: PathBuf,

    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    pub format: Format,

    /// How far it is.
    #[command(flatten)]
    pub progress: ProgressArgs,
}
