//! Every known fault of the reference is caught by random sessions, on the clause meant, by one
//! that is hardly longer than the shortest known; kept as files it still fails, and is fixed
//! without the fault.

mod support;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use support::{config, reference};
use tacit_contract::case::SAVED_VERSION;
use tacit_contract::clause::clause;
use tacit_contract::matrix::Kill;
use tacit_contract::{Case, Revision, Saved};
use tacit_reference::faults::{Fault, all};
use tacit_suite::Exit;
use tacit_suite::corpus::{Paths, keep};
use tacit_suite::replay::{Replayed, replay};
use tacit_suite::selftest::{Checks, Only, Trial};

const CASES: u32 = 256;

const SEED: u64 = 7;

/// How many steps a counterexample may have more than the shortest session known.
const SLACK: u32 = 2;

/// Faults that bring about themselves what their clause is about: a request that nobody asked to
/// send again, a session that does not go on. Without them nothing is broken in the same session,
/// and nothing is shown.
const MAKE_THEIR_PREMISE: [&str; 2] = ["missing-result-ends-prompt", "silent-rerun-drops-set"];

/// The faults of one third of the table: test functions run side by side, and a third each is
/// what keeps both processors busy to the end.
fn caught(third: usize) {
    let checks = Checks::new(SEED, CASES).unwrap_or_else(|error| panic!("{error}"));
    let problems: Vec<String> = all()
        .filter(|fault| is_judged(fault))
        .enumerate()
        .filter(|(place, _)| place % 3 == third)
        .filter_map(|(_, fault)| Some((fault.key, caught_by(fault, &checks).err()?)))
        .map(|(key, problem)| format!("{key}: {problem}"))
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Whether there is a check for what it breaks.
fn is_judged(fault: &Fault) -> bool {
    fault.clauses.iter().any(|id| clause(id).is_some_and(|clause| clause.unchecked.is_none()))
}

fn caught_by(fault: &'static Fault, checks: &Checks) -> Result<(), String> {
    let trial = Trial::new(fault, checks, Only::Properties).map_err(|error| error.to_string())?;
    let found = trial.perform(&AtomicBool::new(false)).map_err(|error| error.to_string())?;
    let found = found.ok_or("it was not tried")?;
    if !found.row.killed {
        return Err(format!("not found in {} cases: {:?}", found.row.cases, found.row.killed_by));
    }
    for (kill, case) in found.row.killed_by.iter().zip(found.sessions) {
        if !kill.is_sound() {
            return Err(format!("what was found does not show it: {kill:?}"));
        }
        if let Some(shortest) = fault.shortest
            && kill.session_length > shortest + SLACK
        {
            let steps = kill.session_length;
            return Err(format!("{steps} steps, where {shortest} are known to do"));
        }
        replays(fault, kill, case)?;
    }
    Ok(())
}

/// What shows a fault shows it from its files as well, and shows no fault where there is none.
fn replays(fault: &Fault, kill: &Kill, case: Case) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let paths = kept(kill, case, folder.path())?;
    let files: Vec<PathBuf> = vec![paths.data, paths.feature];
    let again = |faults: &[&str]| {
        let config = config(reference(Revision::R3, faults), "nib-r3", CASES, folder.path());
        replay(config, &files).map_err(|error| error.to_string())
    };
    let (with, _) = again(&[fault.key])?;
    if let Some(other) = with.iter().find(|r| !matches!(r.result, Replayed::StillFails { .. })) {
        return Err(format!("{} no longer fails: {:?}", other.path.display(), other.result));
    }
    let (without, exit) = again(&[])?;
    let results: Vec<&Replayed> = without.iter().map(|replay| &replay.result).collect();
    let expected = if MAKE_THEIR_PREMISE.contains(&fault.key) {
        (Replayed::NotExercised, Exit::TooLittle)
    } else {
        (Replayed::Fixed, Exit::Conforms)
    };
    if exit != expected.1 || results.iter().any(|result| **result != expected.0) {
        return Err(format!("on the faultless reference: {results:?}"));
    }
    Ok(())
}

fn kept(kill: &Kill, case: Case, folder: &std::path::Path) -> Result<Paths, String> {
    let steps_before = case.session.length();
    let saved = Saved {
        schema_version: SAVED_VERSION,
        clause: kill.clause.clone(),
        profile: "nib-r3".to_owned(),
        runtime: "reference".to_owned(),
        spec: None,
        found_by: kill.check.clone(),
        found: "what a test has found".to_owned(),
        case,
    };
    keep(folder, &saved, SEED, steps_before).map_err(|error| error.to_string())
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
