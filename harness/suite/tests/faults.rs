//! Every known fault of the reference is caught, on the clause meant, by a session that is hardly
//! longer than the shortest known.

mod support;

use std::path::PathBuf;

use support::{config, ran, reference};
use tacit_contract::clause::clause;
use tacit_contract::{Level, Revision, Verdict};
use tacit_reference::faults::{Fault, all};
use tacit_suite::Exit;
use tacit_suite::replay::{Replayed, replay};

const CASES: u32 = 256;

/// How many steps a counterexample may have more than the shortest session known.
const SLACK: u32 = 2;

/// The faults of one third of the table: test functions run side by side, and a third each is
/// what keeps both processors busy to the end.
fn caught(third: usize) {
    let faults: Vec<&Fault> = all().filter(|fault| fault.level == Level::Must).collect();
    let problems: Vec<String> = faults
        .into_iter()
        .enumerate()
        .filter(|(place, _)| place % 3 == third)
        .filter_map(|(_, fault)| problem(fault).map(|problem| format!("{}: {problem}", fault.key)))
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn problem(fault: &Fault) -> Option<String> {
    let corpus = tempfile::tempdir().ok()?;
    let subject = reference(Revision::R3, &[fault.key]);
    let mut config = config(subject, "nib-r3", CASES, corpus.path());
    config.jobs = 1;
    // The first property that breaks the clause will do: a run that is asked for one clause and
    // for no more costs a fraction of a whole one.
    config.fail_fast = true;
    config.clauses = fault.clauses.iter().map(|id| (*id).into()).collect();
    let ran = ran(config.clone());
    if ran.exit != Exit::DoesNotConform {
        return Some(format!("the run ends with {:?}\n{}", ran.exit, ran.failures()));
    }
    let broken = ran.with(Verdict::Fail);
    let Some(found) = fault.clauses.iter().find_map(|id| ran.counterexample(id)) else {
        return Some(format!("no counterexample of {:?}; broken: {broken:?}", fault.clauses));
    };
    if let Some(shortest) = fault.shortest
        && found.steps > shortest + SLACK
    {
        return Some(format!("{} steps, where {shortest} are known to do", found.steps));
    }
    if found.is_flaky() {
        return Some(format!("it failed again in {} of 3 repetitions", found.reproduced));
    }
    let files = [PathBuf::from(&found.data), PathBuf::from(&found.feature)];
    let (again, _) = replay(config.clone(), &files).ok()?;
    if let Some(other) = again.iter().find(|r| !matches!(r.result, Replayed::StillFails { .. })) {
        return Some(format!("{} no longer fails: {:?}", other.path.display(), other.result));
    }
    config.subject = reference(Revision::R3, &[]);
    let (kept, exit) = replay(config, &files).ok()?;
    let fixed = kept.iter().all(|replay| replay.result == Replayed::Fixed);
    (!fixed || exit != Exit::Conforms).then(|| {
        format!(
            "on the faultless reference: {:?}",
            kept.iter().map(|r| &r.result).collect::<Vec<_>>()
        )
    })
}

#[test]
fn every_known_fault_of_the_first_third_is_caught_by_a_short_session_that_replays() {
    caught(0);
}

#[test]
fn every_known_fault_of_the_second_third_is_caught_by_a_short_session_that_replays() {
    caught(1);
}

#[test]
fn every_known_fault_of_the_last_third_is_caught_by_a_short_session_that_replays() {
    caught(2);
}

#[test]
fn every_fault_names_clauses_of_its_level() {
    for fault in all() {
        for id in fault.clauses {
            let clause = clause(id).unwrap_or_else(|| panic!("{}: {id} is no clause", fault.key));
            assert_eq!(clause.level, fault.level, "{}: {id}", fault.key);
        }
    }
}
