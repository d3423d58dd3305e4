//! The arguments of `tacit run`.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tacit_contract::Shard;
use tacit_reports::Target;

use super::{AmountArgs, ProgressArgs, SubjectArgs, values};

/// The arguments of `tacit run`.
#[derive(Debug, Clone, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct RunArgs {
    /// The runtime.
    #[command(flatten)]
    pub subject: SubjectArgs,

    /// How much.
    #[command(flatten)]
    pub amount: AmountArgs,

    /// Play every session of up to DEPTH steps over a small registry as well
    #[arg(long, value_name = "DEPTH", value_parser = values::depth, help_heading = "How much")]
    pub exhaustive: Option<NonZeroU32>,

    /// Stop generating after this time; no verdict is cut short
    #[arg(long, value_name = "TIME", value_parser = values::duration, help_heading = "How much")]
    pub time_budget: Option<Duration>,

    /// Play only the scenarios whose tags fit, such as `@family:restore and not @law`, and no
    /// properties
    #[arg(long, value_name = "EXPR", help_heading = "Which part")]
    pub tags: Option<String>,

    /// Judge only these clauses; repeat it for several
    #[arg(long, value_name = "ID", num_args = 1.., help_heading = "Which part")]
    pub clause: Vec<String>,

    /// Play only the scenarios whose title holds this text, and the properties that these run
    #[arg(long, value_name = "NAME", help_heading = "Which part")]
    pub scenario: Option<String>,

    /// Play one of N parts of the checks; `tacit report` puts the reports of all together
    #[arg(long, value_name = "K/N", help_heading = "Which part")]
    pub shard: Option<Shard>,

    /// Stop at the first broken clause
    #[arg(long, help_heading = "Which part")]
    pub fail_fast: bool,

    /// Expect what this file lists to fail; fail on what is new, and on entries that are over
    #[arg(long, value_name = "FILE", help_heading = "Which part")]
    pub baseline: Option<PathBuf>,

    /// Add what failed to the baseline and remove what is stale, or begin a baseline
    #[arg(long, conflicts_with = "shard", help_heading = "Which part")]
    pub update_baseline: bool,

    /// Let warnings fail the run
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_name = "true|false", help_heading = "Which part")]
    pub strict: Option<bool>,

    /// Let a claimed clause go without a test
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_name = "true|false", help_heading = "Which part")]
    pub allow_unexercised: Option<bool>,

    /// Where counterexamples are kept; those that are there are tried first [default:
    /// .tacit/corpus]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub corpus: Option<PathBuf>,

    /// Write a report: json, ndjson, junit, markdown, sarif, tap, badge or html; repeat it for
    /// several
    #[arg(long, value_name = "FORMAT=PATH", help_heading = "Output")]
    pub report: Vec<Target>,

    /// Leave out the job summary and the annotations that are written under GitHub Actions
    #[arg(long, help_heading = "Output")]
    pub no_ci: bool,

    /// Print what failed and the last line, no more
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,

    /// Print every scenario, property and clause as well
    #[arg(short, long, help_heading = "Output")]
    pub verbose: bool,

    /// How far it is.
    #[command(flatten)]
    pub progress: ProgressArgs,
}
