//! The arguments of `tacit diff`.

use std::path::PathBuf;

use clap::Args;

use super::DocumentFormat;

/// The arguments of `tacit diff`.
#[derive(Debug, Clone, Args)]
pub struct DiffArgs {
    /// The report or the record of the earlier run
    pub old: PathBuf,

    /// The report or the record of the later run
    pub new: PathBuf,

    /// Let a new warning count as worse
    #[arg(long)]
    pub strict: bool,

    /// How to print it
    #[arg(long, value_enum, default_value_t = DocumentFormat::Text)]
    pub format: DocumentFormat,
}
