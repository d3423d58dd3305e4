//! The arguments of `tacit compare`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::values::{self, Apis};
use super::{AmountArgs, DocumentFormat, ProgressArgs, SubjectArgs};

/// The arguments of `tacit compare`.
#[derive(Debug, Clone, Args)]
pub struct CompareArgs {
    /// The runtimes, two or more, as `tacit run --runtime` takes them
    #[arg(required = true, num_args = 2.., value_name = "SPEC")]
    pub specs: Vec<String>,

    /// What every runtime is held to, whatever tacit.toml says of it [default: nib-r3]
    #[arg(long, value_name = "NAME|FILE", help_heading = "Runtimes")]
    pub profile: Option<String>,

    /// The provider API to speak, or `all` that a runtime has
    #[arg(long, value_name = "NAME|all", default_value = "all", value_parser = values::apis)]
    #[arg(help_heading = "Runtimes")]
    pub api: Apis,

    /// How long one step of a runtime may take [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = values::duration, help_heading = "Runtimes")]
    pub timeout: Option<Duration>,

    /// How long a runtime may take to start [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = values::duration, help_heading = "Runtimes")]
    pub start_timeout: Option<Duration>,

    /// How much.
    #[command(flatten)]
    pub amount: AmountArgs,

    /// Judge only these clauses; repeat it for several
    #[arg(long, value_name = "ID", num_args = 1.., help_heading = "How much")]
    pub clause: Vec<String>,

    /// Where counterexamples are kept, and what two runtimes differ on; what is there is tried
    /// first
    #[arg(long, value_name = "DIR", default_value = ".tacit/corpus", help_heading = "Output")]
    pub corpus: PathBuf,

    /// How to print it
    #[arg(long, value_enum, default_value_t = DocumentFormat::Text, help_heading = "Output")]
    pub format: DocumentFormat,

    /// How far it is.
    #[command(flatten)]
    pub progress: ProgressArgs,
}

impl CompareArgs {
    /// What is asked for of one of the runtimes.
    pub fn subject(&self, spec: &str) -> SubjectArgs {
        SubjectArgs {
            runtime: Some(spec.to_owned()),
            profile: self.profile.clone(),
            api: self.api,
            timeout: self.timeout,
            start_timeout: self.start_timeout,
        }
    }
}
