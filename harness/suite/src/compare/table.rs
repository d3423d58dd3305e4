//! The table of some runs: what each clause came to on each runtime.

use tacit_contract::clause::clauses;
use tacit_contract::event::{ClauseResult, RunStarted};
use tacit_contract::table::{Cell, Column, Row, Table, Totals};
use tacit_contract::{ClauseId, Event, Level, Verdict};

use crate::exit::Exit;

/// What one runtime's run said.
#[derive(Debug, Clone)]
pub struct Said {
    /// Its events.
    pub events: Vec<Event>,
    /// How it ended.
    pub exit: Exit,
}

/// The table of some runs, in the order of their runtimes.
#[must_use]
pub fn of(runs: &[Said]) -> Table {
    let results: Vec<Vec<&ClauseResult>> = runs.iter().map(results).collect();
    let runtimes = runs.iter().zip(&results).filter_map(|(run, all)| column(run, all));
    let mut rows: Vec<Row> =
        clauses().iter().filter_map(|clause| row(&clause.id, clause.level, &results)).collect();
    rows.sort_by_key(|row| row.level);
    Table { runtimes: runtimes.collect(), clauses: rows }
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
        totals: totals(results),
        failures: failures.collect(),
        sessions: finished.map_or(0, |finished| finished.sessions),
        exit_code: run.exit.code(),
    })
}

fn totals(results: &[&ClauseResult]) -> Totals {
    let mut totals = Totals::default();
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
        let table = of(&[one.clone(), other]);
        let seen: Vec<_> =
            table.clauses.iter().map(|row| (row.differs, row.reads_otherwise)).collect();
        assert_eq!(seen, [(false, false), (true, false)]);
        let third = said(vec![pass("alone (7)")]);
        let table = of(&[one, third]);
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
        let found = totals(&super::results(&run));
        let expected = Totals { judged: 2, kept: 1, not_applicable: 1, not_claimed: 1 };
        assert_eq!(found, expected);
    }
}
