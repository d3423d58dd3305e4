//! How much is generated, and how far it is.

use std::num::{NonZero, NonZeroUsize};

use clap::Args;

use super::values;

/// How many sessions, which ones, and how many at a time.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "How much")]
pub struct AmountArgs {
    /// How many sessions to generate for each property [default: 256; of `revisions`: 32]
    #[arg(long, value_name = "N", value_parser = values::cases)]
    pub cases: Option<u32>,

    /// Generate the sessions of an earlier call again [default: fresh, always printed]
    #[arg(long, value_name = "HEX", value_parser = values::seed)]
    pub seed: Option<u64>,

    /// How much to do side by side [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = values::jobs)]
    pub jobs: Option<NonZeroUsize>,
}

impl AmountArgs {
    /// How many sessions for each property.
    pub fn cases(&self) -> u32 {
        self.cases.unwrap_or(256)
    }

    /// How many workers.
    pub fn jobs(&self) -> NonZeroUsize {
        let processors = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        self.jobs.unwrap_or_else(processors)
    }
}

/// Whether it is shown how far a command is.
#[derive(Debug, Clone, Copy, Args)]
pub struct ProgressArgs {
    /// When to show on a terminal how far it is
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub progress: When,
}

/// When to show something that only a terminal can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum When {
    /// On a terminal
    Auto,
    /// Not at all
    Never,
}
