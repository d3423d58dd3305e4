//! Baselines: what is known to be broken does not fail a run, and what is new does.
//!
//! A breach that an entry expects is set aside where it is seen: it is neither hunted nor held
//! against the runtime. Whatever else fails, fails as it would without a baseline.

mod judge;
mod play;
mod read;
mod update;

use tacit_contract::Day;
use tacit_contract::baseline::{Expectation, Listed};

use crate::corpus::Kept;

pub use judge::{judged, standing};
pub use read::{BaselineError, read};
pub use update::{Update, UpdateError, Updated};

/// A baseline, as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Baseline {
    /// The file, as it is shown.
    pub file: String,
    /// The entries, in the order of the file, each with the session that shows it.
    pub entries: Vec<(Expectation, Kept)>,
}

impl Baseline {
    /// Its entries at the beginning of a run, at so many seconds since 1970-01-01 UTC.
    #[must_use]
    pub fn listed(&self, started_at: u64) -> Listed {
        Listed {
            file: self.file.clone(),
            today: Day::of(started_at),
            entries: self.entries.iter().map(|(entry, _)| entry.clone()).collect(),
            replays: vec![None; self.entries.len()],
        }
    }
}
