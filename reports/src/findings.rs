//! What did not come out as it should, for the formats that list findings, each with its place.

use std::fmt::Write as _;

use tacit_contract::clause::clause;
use tacit_contract::event::{ClauseResult, Counterexample, ScenarioResult};
use tacit_contract::{ClauseId, Level, Verdict};

use crate::run::Run;

/// A clause that did not come out as it should.
#[derive(Debug)]
pub(crate) struct Finding<'a> {
    /// The clause.
    pub clause: &'a ClauseResult,
    /// How much it weighs.
    pub weight: Weight,
    /// Where it can be read; none where nothing that was played speaks of it.
    pub place: Option<Place<'a>>,
    /// The smallest session that shows it.
    pub found: Option<&'a Counterexample>,
}

/// How much a finding weighs, heaviest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    /// A breach that fails the run, or a clause that could not be judged.
    Error,
    /// A breach that does not.
    Warning,
    /// No breach: a clause that is held against the run since it got no case.
    Note,
}

/// A line of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place<'a> {
    /// The file, as it is shown.
    pub file: &'a str,
    /// The line, from 1.
    pub line: usize,
}

/// The findings of a run, in the order of the contract; those that a baseline expects as well.
pub(crate) fn findings(run: &Run) -> Vec<Finding<'_>> {
    let finding = |clause| {
        let weight = weight(run, clause)?;
        let found = run.counterexample(&clause.id);
        Some(Finding { clause, weight, place: place(run, clause, found), found })
    };
    run.clauses.iter().filter_map(finding).collect()
}

fn weight(run: &Run, clause: &ClauseResult) -> Option<Weight> {
    match (clause.verdict, clause.level) {
        (Verdict::Fail | Verdict::Error, _) | (Verdict::ExpectedFailure, Level::Must) => {
            Some(Weight::Error)
        }
        (Verdict::Warn | Verdict::ExpectedFailure, _) => Some(Weight::Warning),
        (Verdict::NotExercised, _) if is_held_against(run, clause) => Some(Weight::Note),
        _ => None,
    }
}

/// Whether a clause without a case is held against the run, as its end says.
pub(crate) fn is_held_against(run: &Run, clause: &ClauseResult) -> bool {
    clause.verdict == Verdict::NotExercised
        && clause.level == Level::Must
        && clause.claimed
        && !run.finished.narrowed
        && !run.finished.conforms
}

/// A scenario that tests the clause, one that did not pass before one that did; without any, the
/// smallest session as a scenario.
fn place<'a>(
    run: &'a Run,
    clause: &ClauseResult,
    found: Option<&'a Counterexample>,
) -> Option<Place<'a>> {
    let tests = |one: &&ScenarioResult| {
        let mut ids = one.tags.iter().filter_map(|tag| tag.strip_prefix("clause:"));
        ids.any(|id| clause.id == *id) || one.breaches.iter().any(|one| one.clause == clause.id)
    };
    let scenario = run.scenarios.iter().filter(tests).min_by_key(|one| match one.verdict {
        Verdict::Fail | Verdict::Error => 0,
        _ => 1,
    });
    let of_scenario = scenario.map(|one| Place { file: &one.feature, line: one.line });
    of_scenario.or_else(|| found.map(|found| Place { file: &found.feature, line: 1 }))
}

/// The scenarios that did not pass, though no finding says why.
pub(crate) fn unexplained(run: &Run) -> impl Iterator<Item = &ScenarioResult> {
    run.scenarios.iter().filter(|scenario| match scenario.verdict {
        Verdict::Fail => !is_explained(run, scenario),
        Verdict::Error => run.failures.is_empty() && !is_explained(run, scenario),
        _ => false,
    })
}

/// Whether a clause says why, or the run was not asked about any that the scenario broke.
fn is_explained(run: &Run, scenario: &ScenarioResult) -> bool {
    let judged = |id: &ClauseId| run.clauses.iter().find(|result| result.id == *id);
    let explained =
        |id: &ClauseId| judged(id).is_some_and(|result| result.verdict != Verdict::Pass);
    let tagged =
        |kind: &'static str| scenario.tags.iter().filter_map(move |tag| tag.strip_prefix(kind));
    let by_property = |id: &str| {
        let mut properties = run.properties.iter();
        let property = properties.find(|property| property.id == *id);
        property.is_some_and(|property| property.counterexamples.keys().any(explained))
    };
    let breaches = &scenario.breaches;
    !breaches.is_empty() && breaches.iter().all(|breach| judged(&breach.clause).is_none())
        || breaches.iter().any(|breach| explained(&breach.clause))
        || tagged("clause:").any(|id| explained(&id.into()))
        || tagged("property:").any(by_property)
}

impl Finding<'_> {
    /// What was found, in a sentence.
    pub fn what(&self) -> &str {
        let sentence = || clause(self.clause.id.as_str()).map_or("", |one| one.sentence.as_str());
        match (&self.clause.reason, self.found) {
            (Some(reason), _) => reason,
            (None, Some(found)) => &found.breach.found,
            (None, None) if self.weight == Weight::Note => NO_CASE,
            (None, None) => sentence(),
        }
    }

    /// What was found, and below it the smallest session that shows it.
    pub fn told(&self) -> String {
        match self.found {
            Some(found) => format!("{}\n\n{}", self.what(), story(found)),
            None => self.what().to_owned(),
        }
    }
}

/// Why a clause was not exercised, where no other reason is known.
pub(crate) const NO_CASE: &str = "no case reached its premise";

/// A counterexample step by step, a line for each, and then where it is kept.
pub(crate) fn story(found: &Counterexample) -> String {
    let mut text = String::new();
    for (place, line) in found.story.iter().enumerate() {
        let wrong = line.wrong.as_ref().map_or_else(String::new, |wrong| format!("  ✗ {wrong}"));
        let _ = writeln!(text, "{}  {}{wrong}", place + 1, line.text);
        if let Some(asks) = &line.asks {
            let _ = writeln!(text, "   the clause: {asks}");
        }
    }
    let _ = write!(text, "{}", found.feature);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn a_finding_is_placed_at_the_scenario_that_failed() {
        let run = Run::of(&samples::failing()).unwrap();
        let findings = findings(&run);
        let broken = findings.iter().find(|one| one.clause.id == *"restore.use-evidence").unwrap();
        let place = Place { file: "features/restore.feature", line: 21 };
        assert_eq!((broken.place, broken.weight), (Some(place), Weight::Error));
    }

    #[test]
    fn a_finding_that_no_scenario_tests_is_placed_in_its_smallest_session() {
        let run = Run::of(&samples::flooded()).unwrap();
        let findings = findings(&run);
        let places: Vec<_> =
            findings.iter().map(|one| (one.clause.id.as_str(), one.place)).collect();
        let file = ".tacit/corpus/initial-minimal-1.feature";
        assert_eq!(places[0], ("initial.minimal", Some(Place { file, line: 1 })));
        assert_eq!(places[1], ("activation.not-before", None));
    }

    #[test]
    fn a_clause_without_a_case_is_a_note_unless_the_run_was_narrowed() {
        let mut run = Run::of(&samples::unexercised()).unwrap();
        let weights: Vec<_> = findings(&run).iter().map(|one| one.weight).collect();
        assert_eq!(weights, [Weight::Note, Weight::Note]);
        run.finished.narrowed = true;
        assert!(findings(&run).is_empty());
    }

    #[test]
    fn a_run_that_conforms_has_no_findings() {
        assert!(findings(&Run::of(&samples::passing()).unwrap()).is_empty());
    }
}
