//! A whole run, folded from its events.

use serde::{Deserialize, Serialize};
use tacit_contract::clause::clauses;
use tacit_contract::event::{
    ClauseResult, Counterexample, PropertyResult, RunFinished, RunStarted, ScenarioResult,
};
use tacit_contract::runtime::RuntimeError;
use tacit_contract::{ClauseId, Event, Part, Verdict};
use thiserror::Error;

use crate::time;

/// A run that is over, in an order that does not depend on who was done first.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// What was run on what.
    pub started: RunStarted,
    /// The scenarios, by feature and line.
    pub scenarios: Vec<ScenarioResult>,
    /// The properties, as the run announced them.
    pub properties: Vec<PropertyResult>,
    /// The counterexamples, by clause.
    pub counterexamples: Vec<Counterexample>,
    /// How the runtime failed, each cause once.
    pub failures: Vec<Failure>,
    /// The clauses, in the order of the contract.
    pub clauses: Vec<ClauseResult>,
    /// What the others are put together with, where it is a shard of a run.
    pub part: Option<Box<Part>>,
    /// How it ended.
    pub finished: RunFinished,
}

/// One cause of failure of the runtime.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// The cause.
    pub cause: RuntimeError,
    /// How many cases ended with it; none where the runtime could not be used at all.
    pub cases: u32,
}

impl Failure {
    /// The cause in full, with what its log ended with, and how many cases ended with it.
    pub(crate) fn told(&self) -> String {
        match self.cases {
            0 => self.cause.to_string(),
            cases => format!("in {}: {}", time::counted(u64::from(cases), "case"), self.cause),
        }
    }
}

/// The stream of events is not that of a whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unfinished {
    /// There is no beginning.
    #[error("the events hold no `runStarted`: they are not those of a run from its beginning")]
    NoBeginning,
    /// There is no end.
    #[error("the events stop before `runFinished`: the run was cut off")]
    NoEnd,
}

/// A run while its events come in.
#[derive(Debug, Clone, Default)]
pub struct Fold {
    started: Option<RunStarted>,
    scenarios: Vec<ScenarioResult>,
    properties: Vec<PropertyResult>,
    counterexamples: Vec<Counterexample>,
    failures: Vec<Failure>,
    clauses: Vec<ClauseResult>,
    part: Option<Box<Part>>,
    finished: Option<RunFinished>,
}

impl Fold {
    /// Takes the next event.
    pub fn add(&mut self, event: &Event) {
        match event {
            Event::RunStarted(started) => self.started = Some(started.clone()),
            Event::ScenarioFinished(scenario) => self.scenarios.push(scenario.clone()),
            Event::PropertyFinished(property) => self.properties.push(property.clone()),
            Event::CounterexampleFound(found) => self.counterexamples.push(found.clone()),
            Event::RuntimeFailed { cause, cases } => self.failed(cause, *cases),
            Event::ClauseJudged(clause) => self.clauses.push(clause.clone()),
            Event::ShardPlayed(part) => self.part = Some(part.clone()),
            Event::RunFinished(finished) => self.finished = Some(finished.clone()),
            Event::PropertyStarted { .. } | Event::Progress { .. } | Event::Forecast { .. } => {}
        }
    }

    /// A cause that is reported again comes with a count that holds the earlier one.
    fn failed(&mut self, cause: &RuntimeError, cases: u32) {
        match self.failures.iter_mut().find(|failure| failure.cause == *cause) {
            Some(known) => known.cases = known.cases.max(cases),
            None => self.failures.push(Failure { cause: cause.clone(), cases }),
        }
    }

    /// The whole run.
    ///
    /// # Errors
    /// Its beginning or its end did not come.
    pub fn end(self) -> Result<Run, Unfinished> {
        let started = self.started.ok_or(Unfinished::NoBeginning)?;
        let finished = self.finished.ok_or(Unfinished::NoEnd)?;
        let mut run = Run {
            started,
            scenarios: self.scenarios,
            properties: self.properties,
            counterexamples: self.counterexamples,
            failures: self.failures,
            clauses: self.clauses,
            part: self.part,
            finished,
        };
        run.scenarios
            .sort_by(|a, b| (&a.feature, a.line, &a.name).cmp(&(&b.feature, b.line, &b.name)));
        let announced = &run.started.properties;
        run.properties.sort_by_key(|property| {
            let place = announced.iter().position(|id| *id == property.id);
            (place.unwrap_or(announced.len()), property.id.clone())
        });
        run.clauses.sort_by_cached_key(|clause| place(&clause.id));
        run.counterexamples.sort_by_cached_key(|found| (place(&found.clause), found.data.clone()));
        Ok(run)
    }
}

impl Run {
    /// The run of a whole stream of events.
    ///
    /// # Errors
    /// Its beginning or its end is not there.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Self, Unfinished> {
        let mut fold = Fold::default();
        for event in events {
            fold.add(event);
        }
        fold.end()
    }

    /// The clauses that came out in one way, in the order of the contract.
    #[must_use]
    pub fn with_verdict(&self, verdict: Verdict) -> Vec<&ClauseResult> {
        self.clauses.iter().filter(|clause| clause.verdict == verdict).collect()
    }

    /// The smallest counterexample of a clause.
    #[must_use]
    pub fn counterexample(&self, clause: &ClauseId) -> Option<&Counterexample> {
        self.counterexamples
            .iter()
            .filter(|found| found.clause == *clause)
            .min_by_key(|found| (found.is_flaky(), found.steps))
    }
}

/// Where a clause stands in the contract; one that is not in it comes last.
pub(crate) fn place(id: &ClauseId) -> (usize, ClauseId) {
    let all = clauses();
    (all.iter().position(|clause| clause.id == *id).unwrap_or(all.len()), id.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn the_order_in_which_workers_finish_does_not_show() {
        let events = samples::failing();
        let mut shuffled = events.clone();
        let last = shuffled.len() - 1;
        shuffled[1..last].reverse();
        assert_eq!(Run::of(&events), Run::of(&shuffled));
    }

    #[test]
    fn a_stream_that_was_cut_off_is_no_run() {
        let events = samples::passing();
        assert_eq!(Run::of(&events[1..]), Err(Unfinished::NoBeginning));
        assert_eq!(Run::of(&events[..events.len() - 1]), Err(Unfinished::NoEnd));
    }

    #[test]
    fn a_cause_that_is_reported_again_is_still_one_cause() {
        let mut events = samples::crashing();
        let Some(Event::RuntimeFailed { cause, .. }) =
            events.iter().find(|event| matches!(event, Event::RuntimeFailed { .. })).cloned()
        else {
            panic!("the sample holds a failure")
        };
        events.insert(1, Event::RuntimeFailed { cause, cases: 1 });
        assert_eq!(
            Run::of(&events).unwrap().failures,
            Run::of(&samples::crashing()).unwrap().failures
        );
    }
}
