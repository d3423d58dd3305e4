//! The arguments of `tacit report`.

use std::path::PathBuf;

use clap::Args;
use tacit_reports::Target;

/// The arguments of `tacit report`.
#[derive(Debug, Clone, Args)]
pub struct ReportArgs {
    /// What `tacit run --report json=FILE` or `--report ndjson=FILE` wrote; of a run in shards,
    /// the files of all. Beside it, for `html`, what `tacit selftest --format json` and `tacit
    /// compare --format json` printed
    #[arg(required_unless_present = "site", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Write a report: json, ndjson, junit, markdown, sarif, tap, badge or html, to a path, or to
    /// `-`, the standard output; repeat it for several. Without it the end of the run is printed
    #[arg(long, value_name = "FORMAT=PATH")]
    pub to: Vec<Target>,

    /// Write the contract as a folder of pages: each clause and each feature with what the run came
    /// to; without a run, the documentation alone
    #[arg(long, value_name = "DIR")]
    pub site: Option<PathBuf>,
}
