//! The last line: one line, whatever its length, for people and scripts.

use super::Page;
use super::palette::Style;
use crate::outcome::{self, Outcome, Worth};

impl Page<'_> {
    /// The outcome of the run in a sentence.
    pub(super) fn closing(&self) -> String {
        let outcome = Outcome::of(&self.run.finished);
        let style = match outcome.worth() {
            Worth::Good => Style::Good,
            Worth::Doubtful => Style::Doubtful,
            Worth::Bad => Style::Bad,
        };
        format!("{} {}", self.palette.paint(style, &outcome.lead()), outcome::counts(self.run))
    }
}
