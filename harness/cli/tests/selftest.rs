//! `selftest`: faults are found, and what is not found is said.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::{Place, assert_fits};
use serde_json::{Value, json};

/// Faults of different families; none of them takes long.
const FAULTS: [&str; 3] = ["no-cap", "inactive-tool-executes", "no-restore-on-prompt"];

fn selftest(arguments: &[&str]) -> (i32, Value) {
    let all = [&["selftest", "--format", "json", "--seed", "7"], arguments].concat();
    let done = Place::new().tacit(&all);
    (done.code, serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{}", done.err)))
}

fn schema() -> Value {
    serde_json::from_str(&Place::new().tacit(&["schema", "selftest"]).out).unwrap()
}

/// Leaves out how long things took.
fn without_times(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !name.ends_with("Ms"));
            members.values_mut().for_each(without_times);
        }
        Value::Array(elements) => elements.iter_mut().for_each(without_times),
        _ => {}
    }
}

#[test]
fn a_fault_is_found_by_a_scenario_and_by_a_property_whatever_the_number_of_workers() {
    let (code, mut matrix) = selftest(&[&["--jobs", "1", "--fault"], &FAULTS[..]].concat());
    assert_eq!(code, 0, "{matrix:#}");
    assert_fits(&schema(), &matrix);
    assert_eq!((&matrix["unproven"], &matrix["interrupted"]), (&json!([]), &json!(false)));
    for (fault, key) in matrix["faults"].as_array().unwrap().iter().zip(FAULTS) {
        assert_eq!((fault["key"].as_str(), fault["killed"].as_bool()), (Some(key), Some(true)));
        let kills = fault["killedBy"].as_array().unwrap();
        let by: Vec<&str> = kills.iter().map(|kill| kill["by"].as_str().unwrap()).collect();
        assert_eq!(by, ["scenario", "property"], "{key}");
        for kill in kills {
            assert_eq!(kill["clause"], fault["clauses"][0], "{key}");
            assert_eq!((&kill["reproduced"], &kill["withoutFault"]), (&json!(3), &json!("keeps")));
        }
        let (steps, known) = (fault["sessionLength"].as_u64(), fault["shortestKnown"].as_u64());
        assert!(known.is_none() || steps <= known, "{key}: {steps:?} steps, {known:?} known");
    }
    let (_, mut other) = selftest(&[&["--jobs", "3", "--fault"], &FAULTS[..]].concat());
    without_times(&mut matrix);
    without_times(&mut other);
    assert_eq!(matrix, other);
}

#[test]
fn a_fault_that_no_check_finds_survives_and_leaves_its_clause_unproven() {
    let nothing = ["--only", "properties", "--cases", "0", "--fault", "no-cap"];
    let (code, matrix) = selftest(&nothing);
    assert_eq!(code, 1);
    assert_fits(&schema(), &matrix);
    let fault = &matrix["faults"][0];
    assert_eq!((&fault["killed"], &fault["killedBy"]), (&json!(false), &json!([])));
    assert_eq!((&fault["timeToKillMs"], &fault["sessionLength"]), (&Value::Null, &Value::Null));
    assert_eq!(matrix["unproven"], json!(["search.at-most-four"]));
    let done = Place::new().tacit(&[&["selftest", "--seed", "7"], &nothing[..]].concat());
    assert_eq!(done.code, 1);
    assert!(done.out.contains("\nSURVIVES  no-cap: "), "{}", done.out);
    assert!(done.out.contains("\nUNPROVEN  search.at-most-four: "), "{}", done.out);
    assert!(done.out.lines().all(|line| line.chars().count() <= 80), "{}", done.out);
}

#[test]
fn a_fault_that_there_is_not_gets_the_nearest_one() {
    let done = Place::new().tacit(&["selftest", "--fault", "no-cup"]);
    assert_eq!(done.code, 2);
    let flat = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("did you mean `no-cap`?"), "{flat}");
}
