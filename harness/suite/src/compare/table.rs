//! The table: what each clause came to on each runtime, as data.

use serde::Serialize;
use tacit_contract::clause::clauses;
use tacit_contract::event::{ClauseResult, RunStarted};
use tacit_contract::protocol::Capabilities;
use tacit_contract::{ClauseId, Event, Level, Revision, Verdict};

use crate::exit::Exit;

/// Clauses by runtimes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// The columns, in the order in which the runtimes were named.
    pub runtimes: Vec<Column>,
    /// The rows: `must` clauses first, each level in the order of the contract.
    pub clauses: Vec<Row>,
}

/// One runtime.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Column {
    /// How it was asked for.
    pub spec: String,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What it can do; `None` where it did not start.
    pub capabilities: Option<Capabilities>,
    /// The profile that it was held to.
    pub profile: String,
    /// The revision of the profile.
    pub revision: Revision,
    /// Whether it was tested to the end: a user may stop before.
    pub tested: bool,
    /// Whether it kept every claimed `must` clause, and each was exercised.
    pub conforms: bool,
    /// How many `must` clauses came out how.
    pub totals: Totals,
    /// How it failed, each cause once.
    pub failures: Vec<String>,
    /// How many sessions were played, shrinking aside.
    pub sessions: u64,
    /// The exit code of a run of its own.
    pub exit_code: u8,
}

/// The `must` clauses of one runtime. Judged, not applicable and not claimed ones add up to all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Claimed and judged.
    pub judged: u32,
    /// Of these, those that were kept.
    pub kept: u32,
    /// Claimed, and the runtime lacks what it takes to judge them.
    pub not_applicable: u32,
    /// Not claimed.
    pub not_claimed: u32,
}

/// One clause on all runtimes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// Which.
    pub id: ClauseId,
    /// Its level.
    pub level: Level,
    /// Whether the verdicts differ.
    pub differs: bool,
    /// Whether other readings were seen on one runtime than on another.
    pub reads_otherwise: bool,
    /// What it came to on each runtime; `None` on one that was not tested.
    pub cells: Vec<Option<Cell>>,
}

/// One clause on one runtime.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Cell {
    /// The verdict.
    pub verdict: Verdict,
    /// How often its premise occurred.
    pub exercised: u64,
    /// Whether the profile claims it.
    pub claimed: bool,
    /// Why the verdict is what it is, where that needs saying.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The accepted readings that were seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// Paths of its counterexamples.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counterexamples: Vec<String>,
}

/// What one runtime's run said.
#[derive(Debug, Clone)]
pub struct Said {
    /// Its events.
    pub events: Vec<Event>,
    /// How it ended.
    pub exit: Exit,
}

impl Table {
    /// The table of some runs, in the order of their runtimes.
    #[must_use]
    pub fn of(runs: &[Said]) -> Self {
        let results: Vec<Vec<&ClauseResult>> = runs.iter().map(results).collect();
        let runtimes = runs.iter().zip(&results).filter_map(|(run, all)| column(run, all));
        let mut rows: Vec<Row> =
            clauses().iter().filter_map(|clause| row(&clause.id, clause.level, &results)).collect();
        rows.sort_by_key(|row| row.level);
        Self { runtimes: runtimes.collect(), clauses: rows }
    }
}

fn results(run: &Said) -> Vec<&ClauseResult> {
    run.events
        .iter()
        .filter_map(|event| match event {
            Event::ClauseJudged(result) => Some(result),
            _ => None,
        })
        .collect()
}

fn column(run: &Said, results: &[&ClauseResult]) -> Option<Column> {
    let started = run.events.iter().find_map(|event| match event {
        Event::RunStarted(started) => Some(started),
        _ => None,
    })?;
    let finished = run.events.iter().find_map(|event| match event {
        Event::RunFinished(finished) => Some(finished),
        _ => None,
    });
    let failures = run.events.iter().filter_map(|event| match event {
        Event::RuntimeFailed { cause, .. } => Some(cause.to_string()),
        _ => None,
    });
    let RunStarted { spec, name, version, capabilities, profile, revision, .. } = started.clone();
    Some(Column {
        spec,
        name,
        version,
        capabilities,
        profile,
        revision,
        tested: finished.is_some_and(|finished| !finished.interrupted),
        conforms: finished.is_some_and(|finished| finished.conforms),
        totals: Totals::of(results),
        failures: failures.collect(),
        sessions: finished.map_or(0, |finished| finished.sessions),
        exit_code: run.exit.code(),
    })
}

impl Totals {
    fn of(results: &[&ClauseResult]) -> Self {
        let mut totals = Self::default();
        for result in results.iter().filter(|result| result.level == Level::Must) {
            match (result.claimed, result.verdict) {
                (false, _) => totals.not_claimed += 1,
                (true, Verdict::NotApplicable) => totals.not_applicable += 1,
                (true, verdict) => {
                    totals.judged += 1;
                    let kept = matches!(verdict, Verdict::Pass | Verdict::ExpectedFailure);
                    totals.kept += u32::from(kept);
                }
            }
        }
        totals
    }
}

fn row(id: &ClauseId, level: Level, results: &[Vec<&ClauseResult>]) -> Option<Row> {
    let cells: Vec<Option<Cell>> = results
        .iter()
        .map(|results| results.iter().find(|result| result.id == *id).map(|result| cell(result)))
        .collect();
    let there: Vec<&Cell> = cells.iter().flatten().collect();
    let first = *there.first()?;
    let differs =
        there.iter().any(|cell| (cell.verdict, cell.claimed) != (first.verdict, first.claimed));
    let reads_otherwise = there.iter().any(|cell| readings(cell) != readings(first));
    Some(Row { id: id.clone(), level, differs, reads_otherwise, cells })
}

fn cell(result: &ClauseResult) -> Cell {
    Cell {
        verdict: result.verdict,
        exercised: result.exercised,
        claimed: result.claimed,
        reason: result.reason.clone(),
        reading: result.reading.clone(),
        counterexamples: result.counterexamples.clone(),
    }
}

/// The readings of a cell, without how often each was seen.
fn readings(cell: &Cell) -> Vec<&str> {
    let all = cell.reading.as_deref().unwrap_or_default();
    all.split("), ").map(|one| one.rsplit_once(" (").map_or(one, |(name, _)| name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(id: &str, verdict: Verdict, claimed: bool, reading: Option<&str>) -> Event {
        Event::ClauseJudged(ClauseResult {
            id: id.into(),
            level: Level::Must,
            verdict,
            exercised: 3,
            exercised_over: std::collections::BTreeMap::new(),
            claimed,
            reason: None,
            because: None,
            reading: reading.map(str::to_owned),
            reproduced: None,
            counterexamples: Vec::new(),
        })
    }

    fn said(events: Vec<Event>) -> Said {
        Said { events, exit: Exit::Conforms }
    }

    #[test]
    fn a_row_differs_where_the_verdicts_do_and_a_count_is_no_reading() {
        let pass = |reading| result("search.exact", Verdict::Pass, true, Some(reading));
        let fail = result("search.local", Verdict::Fail, true, None);
        let kept = result("search.local", Verdict::Pass, true, None);
        let one = said(vec![pass("alone (3), neighbours (2)"), kept]);
        let other = said(vec![pass("alone (7), neighbours (1)"), fail]);
        let table = Table::of(&[one.clone(), other]);
        let seen: Vec<_> =
            table.clauses.iter().map(|row| (row.differs, row.reads_otherwise)).collect();
        assert_eq!(seen, [(false, false), (true, false)]);
        let third = said(vec![pass("alone (7)")]);
        let table = Table::of(&[one, third]);
        assert!(table.clauses[0].reads_otherwise && !table.clauses[0].differs);
        assert_eq!(table.clauses[1].cells[1], None);
    }

    #[test]
    fn the_totals_add_up() {
        let results = [
            result("search.exact", Verdict::Pass, true, None),
            result("search.local", Verdict::Fail, true, None),
            result("search.row", Verdict::NotApplicable, true, None),
            result("search.marker", Verdict::NotApplicable, false, None),
        ];
        let run = said(results.to_vec());
        let totals = Totals::of(&super::results(&run));
        let expected = Totals { judged: 2, kept: 1, not_applicable: 1, not_claimed: 1 };
        assert_eq!(totals, expected);
    }
}
