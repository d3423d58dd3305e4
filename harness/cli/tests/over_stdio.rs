//! The reference behind the adapter protocol: what is found does not hang on what is in between.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::{Done, Place};
use serde_json::Value;

fn run(place: &Place, runtime: &str, more: &[&str]) -> (Done, Value) {
    let mut arguments = vec!["run", "--runtime", runtime, "--seed", "7", "--cases", "1"];
    arguments.extend(["--report", "json=run.json"]);
    arguments.extend(common::PATIENT);
    arguments.extend(more);
    let done = place.tacit_to_its_end(&arguments);
    let report = place.json("run.json");
    (done, report)
}

/// What every clause and every property came to; counts of steps are left out, for over stdio a
/// runtime is asked for things that it is not asked for in process.
fn verdicts(report: &Value) -> Vec<(String, String)> {
    let of = |list: &str| report[list].as_array().unwrap().clone();
    let told = |one: &Value| (one["id"].to_string(), one["verdict"].to_string());
    of("clauses").iter().chain(&of("properties")).map(told).collect()
}

#[test]
fn every_clause_comes_out_over_stdio_as_it_does_in_process() {
    for (reference, served, api) in [
        ("reference", "stdio:tacit serve-reference", "all"),
        ("reference@r2", "stdio:tacit serve-reference --revision r2", "anthropic-messages"),
    ] {
        let place = Place::new();
        let (within, report) = run(&place, reference, &["--api", api]);
        assert!(within.out.contains("(in process)"), "{}", within.out);
        let (beyond, other) = run(&place, served, &["--api", api]);
        assert!(beyond.out.contains("(stdio)"), "{}", beyond.out);
        assert_eq!(verdicts(&report), verdicts(&other), "{}{}", within.out, beyond.out);
        assert_eq!(within.code, beyond.code);
        assert_eq!(within.code == 0, reference == "reference", "{}", within.out);
    }
}

#[test]
fn a_fault_is_caught_over_stdio_with_a_session_that_fails_each_time() {
    let place = Place::new();
    let served = "stdio:tacit serve-reference --fault no-restore-on-prompt";
    let clause = "restore.search-evidence";
    let (done, report) = run(&place, served, &["--clause", clause]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let result = &report["clauses"][0];
    assert_eq!((&result["id"], &result["verdict"]), (&clause.into(), &"fail".into()));
    assert_eq!(result["reproduced"], 3, "{}", done.out);
    let kept = result["counterexamples"][0].as_str().unwrap();
    let replayed = place.tacit(&["replay", "--runtime", served, kept]);
    assert_eq!(replayed.code, 1, "{}{}", replayed.out, replayed.err);
    let sound = place.tacit(&["replay", "--runtime", "stdio:tacit serve-reference", kept]);
    assert_eq!(sound.code, 0, "{}{}", sound.out, sound.err);
}
