//! Scenarios: the built-in features, selected and played.

use tacit_contract::Judgement;
use tacit_contract::event::ScenarioResult;

use crate::config::Config;
use crate::pool::Pool;
use crate::run::RunError;
use crate::tally::{Counts, Trouble};

/// The scenarios that a run plays.
#[derive(Debug, Default)]
pub struct Selection {}

impl Selection {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        0
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What one scenario came to.
#[derive(Debug)]
pub struct Outcome {
    /// Its result.
    pub result: ScenarioResult,
    /// What the whole judge found in its traces.
    pub judgement: Judgement,
    /// What was played.
    pub counts: Counts,
    /// What went wrong that the script did not cause.
    pub trouble: Option<Trouble>,
}

/// The scenarios that a configuration asks for.
///
/// # Errors
/// A tag expression or a feature is not understood.
pub fn selected(_config: &Config) -> Result<Selection, RunError> {
    Ok(Selection::default())
}

/// Plays scenarios.
///
/// # Errors
/// A worker panicked.
pub fn play(_pool: &Pool, _selection: Selection) -> Result<Vec<Outcome>, RunError> {
    Ok(Vec::new())
}
