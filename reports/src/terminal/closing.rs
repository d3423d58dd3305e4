//! The last line: one line, whatever its length, for people and scripts.

use std::fmt::Write as _;

use super::Page;
use super::palette::Style;
use crate::tally::{Claims, Tally};
use crate::time;

/// The exit code of a run in which a clause failed, or warned where warnings fail.
const DOES_NOT_CONFORM: u8 = 1;

/// The exit code of a run whose runtime could not be used.
const UNUSABLE: u8 = 3;

/// The exit code of a run in which too little was tested.
const TOO_LITTLE: u8 = 4;

impl Page<'_> {
    /// The outcome of the run in a sentence.
    pub(super) fn closing(&self) -> String {
        let finished = &self.run.finished;
        let claims = Claims::of(&self.run.clauses);
        let tally = claims.tally();
        let (style, outcome) = if finished.interrupted {
            (Style::Doubtful, "interrupted:")
        } else if finished.exit_code == UNUSABLE {
            (Style::Bad, "the runtime could not be used:")
        } else if finished.conforms && finished.exit_code == DOES_NOT_CONFORM {
            (Style::Bad, "conforms, but with warnings, which --strict lets fail:")
        } else if finished.conforms {
            (Style::Good, "conforms to")
        } else if finished.exit_code == TOO_LITTLE {
            (Style::Doubtful, "too little was tested:")
        } else if finished.exit_code == 0 {
            // A run that was narrowed on purpose reaches only a part, and need not reach more.
            (Style::Good, "nothing failed:")
        } else {
            (Style::Bad, "does not conform:")
        };
        let mut line = format!(
            "{} {} of {} claimed clauses ({} not applicable, {} not claimed)",
            self.palette.paint(style, outcome),
            tally.pass,
            claims.claimed.len(),
            claims.not_applicable,
            claims.not_claimed,
        );
        for part in beside(&Tally::of(&self.run.clauses), &tally) {
            line.push_str(", ");
            line.push_str(&part);
        }
        let sessions = if finished.sessions > 0 {
            format!("{} in ", time::counted(finished.sessions, "session"))
        } else {
            String::new()
        };
        let _ = write!(line, " · {sessions}{}", time::duration(finished.duration_ms));
        if self.run.started.by_default {
            line.push_str(" · no runtime was named: this is the reference");
        }
        line
    }
}

/// What else the reader should know: of all clauses the warnings, of the claimed ones the rest.
fn beside(all: &Tally, claimed: &Tally) -> Vec<String> {
    let plural = |count: u32, what: &str| time::counted(u64::from(count), what);
    [
        (all.warn, plural(all.warn, "warning")),
        (claimed.error, plural(claimed.error, "error")),
        (claimed.not_exercised, format!("{} not exercised", claimed.not_exercised)),
        (claimed.expected_failure, plural(claimed.expected_failure, "expected failure")),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(_, text)| text)
    .collect()
}
