//! How many clauses came out how.

use serde::{Deserialize, Serialize};
use tacit_contract::event::ClauseResult;
use tacit_contract::{Level, Verdict};

/// Clauses counted by verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// Kept.
    pub pass: u32,
    /// A `must` clause, broken.
    pub fail: u32,
    /// A `should` clause, broken.
    pub warn: u32,
    /// No case reached the premise.
    pub not_exercised: u32,
    /// The runtime lacks what it takes, or the profile does not claim it.
    pub not_applicable: u32,
    /// Broken, as a baseline expects.
    pub expected_failure: u32,
    /// The runtime failed before it could be judged.
    pub error: u32,
}

impl Tally {
    /// Counts clauses.
    pub fn of<'a>(clauses: impl IntoIterator<Item = &'a ClauseResult>) -> Self {
        let mut tally = Self::default();
        for clause in clauses {
            *tally.count(clause.verdict) += 1;
        }
        tally
    }

    /// How many came out so.
    #[must_use]
    pub fn of_verdict(mut self, verdict: Verdict) -> u32 {
        *self.count(verdict)
    }

    fn count(&mut self, verdict: Verdict) -> &mut u32 {
        match verdict {
            Verdict::Pass => &mut self.pass,
            Verdict::Fail => &mut self.fail,
            Verdict::Warn => &mut self.warn,
            Verdict::NotExercised => &mut self.not_exercised,
            Verdict::NotApplicable => &mut self.not_applicable,
            Verdict::ExpectedFailure => &mut self.expected_failure,
            Verdict::Error => &mut self.error,
        }
    }

    /// The counts with their words, in the order in which they are shown.
    #[must_use]
    pub fn shown(&self) -> [(Verdict, u32); 7] {
        [
            (Verdict::Pass, self.pass),
            (Verdict::Fail, self.fail),
            (Verdict::Error, self.error),
            (Verdict::Warn, self.warn),
            (Verdict::NotExercised, self.not_exercised),
            (Verdict::ExpectedFailure, self.expected_failure),
            (Verdict::NotApplicable, self.not_applicable),
        ]
    }
}

/// The judged clauses by family, both in the order of the contract; what is merely measured is none
/// of them.
pub(crate) fn families<'a>(
    clauses: impl IntoIterator<Item = &'a ClauseResult>,
) -> Vec<(&'a str, Vec<&'a ClauseResult>)> {
    let mut families: Vec<(&str, Vec<&ClauseResult>)> = Vec::new();
    for clause in clauses.into_iter().filter(|clause| clause.level != Level::Info) {
        let family = clause.id.family();
        match families.iter_mut().find(|(name, _)| *name == family) {
            Some((_, clauses)) => clauses.push(clause),
            None => families.push((family, vec![clause])),
        }
    }
    families
}

/// A verdict in the words of the contract.
#[must_use]
pub fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::Warn => "warn",
        Verdict::NotExercised => "not exercised",
        Verdict::NotApplicable => "not applicable",
        Verdict::ExpectedFailure => "expected failure",
        Verdict::Error => "error",
    }
}

/// The `must` clauses of a run: claimed ones, and the two kinds that are not judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Claims<'a> {
    /// Those that the profile claims and the runtime can be judged on.
    pub claimed: Vec<&'a ClauseResult>,
    /// How many the runtime lacks the means for.
    pub not_applicable: usize,
    /// How many the profile does not claim.
    pub not_claimed: usize,
}

impl<'a> Claims<'a> {
    /// Sorts the `must` clauses of a run; the three numbers add up to all of them.
    #[must_use]
    pub fn of(clauses: &'a [ClauseResult]) -> Self {
        let mut claims = Self { claimed: Vec::new(), not_applicable: 0, not_claimed: 0 };
        for clause in clauses.iter().filter(|clause| clause.level == Level::Must) {
            if clause.verdict != Verdict::NotApplicable {
                claims.claimed.push(clause);
            } else if clause.claimed {
                claims.not_applicable += 1;
            } else {
                claims.not_claimed += 1;
            }
        }
        claims
    }

    /// The counts of the claimed ones.
    #[must_use]
    pub fn tally(&self) -> Tally {
        Tally::of(self.claimed.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Run;
    use crate::samples;

    #[test]
    fn claimed_not_applicable_and_not_claimed_add_up_to_all_must_clauses() {
        for events in samples::all() {
            let run = Run::of(&events).unwrap();
            let claims = Claims::of(&run.clauses);
            let must = run.clauses.iter().filter(|clause| clause.level == Level::Must).count();
            assert_eq!(claims.claimed.len() + claims.not_applicable + claims.not_claimed, must);
        }
    }
}
