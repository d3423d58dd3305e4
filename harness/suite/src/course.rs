//! The course of a property: its cases come in, and what they came to is told at its end.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use tacit_contract::event::{Extent, PropertyResult};
use tacit_contract::tally::{Failing, Trouble};
use tacit_contract::{Breach, ClauseId, Event, PropertyId, Verdict};
use tacit_steps::port::PropertyOutcome;

use crate::closing::millis;
use crate::error::RunError;
use crate::generate::Handful;
use crate::run::Run;
use crate::verdict;

/// What the cases of a property came to so far.
pub(crate) struct Course {
    id: PropertyId,
    begun: Instant,
    /// The clauses that were broken before it.
    known: BTreeSet<ClauseId>,
    exercised: BTreeSet<ClauseId>,
    /// The clauses that it broke, each with what was found first.
    broken: BTreeMap<ClauseId, String>,
    /// Those that it broke as the baseline expects, likewise.
    expected: BTreeMap<ClauseId, String>,
    troubled: bool,
    cases: u32,
}

impl Run<'_> {
    /// A property of so many cases begins.
    pub(crate) fn begin(&mut self, id: PropertyId, cases: u32) -> Course {
        (self.sink)(Event::PropertyStarted { id: id.clone(), cases });
        Course {
            id,
            begun: Instant::now(),
            known: self.tally.failing.keys().cloned().collect(),
            exercised: BTreeSet::new(),
            broken: BTreeMap::new(),
            expected: BTreeMap::new(),
            troubled: false,
            cases: 0,
        }
    }

    /// Takes what the next cases of a property came to, in the order of their numbers.
    pub(crate) fn take(&mut self, course: &mut Course, outcomes: Handful) {
        for outcome in outcomes {
            course.cases = course.cases.saturating_add(1);
            let mut outcome = match outcome {
                Ok(outcome) => outcome,
                Err(error) => {
                    self.tally.trouble(Some(Trouble::Fatal(error)));
                    continue;
                }
            };
            outcome.judgement.breaches.retain(|breach| self.config.hunts(&breach.clause));
            course.exercised.extend(outcome.judgement.exercised.keys().cloned());
            let (expected, broken): (Vec<Breach>, Vec<Breach>) = outcome
                .judgement
                .breaches
                .drain(..)
                .partition(|breach| self.expects(&breach.clause, outcome.api));
            note(&mut course.broken, &broken);
            note(&mut course.expected, &expected);
            outcome.judgement.breaches = broken;
            for breach in expected {
                self.tally.expects(breach.clause, outcome.api);
            }
            course.troubled |= matches!(outcome.trouble, Some(Trouble::Fatal(_)));
            self.breaker.played(outcome.trouble.as_ref());
            self.tally.add(&course.id, outcome);
        }
        (self.sink)(Event::Progress { id: course.id.clone(), done: course.cases });
    }

    /// Hunts what a property broke, and tells how it came out.
    pub(crate) fn finish(
        &mut self,
        course: Course,
        sentence: String,
        extent: Option<Extent>,
    ) -> Result<(), RunError> {
        let Course { id, begun, known, exercised, broken, expected, troubled, cases } = course;
        let new: Vec<(ClauseId, Failing)> = self
            .tally
            .failing
            .iter()
            .filter(|(clause, _)| !known.contains(*clause))
            .map(|(clause, failing)| (clause.clone(), failing.clone()))
            .collect();
        let shrinks = self.hunt(new, None)?;
        let verdict = match (broken.is_empty(), troubled, cases) {
            (false, ..) => verdict::of_broken(broken.keys()),
            (true, true, _) => Verdict::Error,
            (true, false, _) if !expected.is_empty() => Verdict::ExpectedFailure,
            (true, false, 0) => Verdict::NotExercised,
            (true, false, _) => Verdict::Pass,
        };
        let told = if broken.is_empty() { &expected } else { &broken };
        let outcome = match verdict {
            Verdict::Fail | Verdict::Warn | Verdict::ExpectedFailure => PropertyOutcome::Broken {
                clauses: told.keys().cloned().collect(),
                found: found(told),
            },
            Verdict::Error => PropertyOutcome::Error {
                cause: self.tally.main_cause().map(ToString::to_string).unwrap_or_default(),
            },
            Verdict::NotExercised => PropertyOutcome::NotExercised,
            _ => PropertyOutcome::Held { cases },
        };
        self.results.insert(id.clone(), outcome);
        if verdict == Verdict::ExpectedFailure {
            self.all_expected.insert(id.clone());
        }
        let counterexamples = broken
            .keys()
            .filter_map(|clause| {
                Some((clause.clone(), self.counterexamples.get(clause)?.path.clone()))
            })
            .collect();
        (self.sink)(Event::PropertyFinished(PropertyResult {
            id,
            sentence,
            clauses: exercised.into_iter().collect(),
            cases,
            verdict,
            shrinks,
            counterexamples,
            duration_ms: millis(begun),
            extent,
        }));
        Ok(())
    }
}

/// Puts down what was found first of each clause.
fn note(known: &mut BTreeMap<ClauseId, String>, breaches: &[Breach]) {
    for breach in breaches {
        known.entry(breach.clause.clone()).or_insert_with(|| breach.found.clone());
    }
}

/// What broke the clauses of a property, the first of each.
fn found(broken: &BTreeMap<ClauseId, String>) -> String {
    let found = broken.iter().map(|(clause, found)| format!("{clause}: {found}"));
    found.collect::<Vec<_>>().join("; ")
}
