//! `list` and `explain`: all that there is, for people and for programs.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::Place;
use serde_json::Value;

fn list(what: &str) -> (String, Vec<Value>) {
    let place = Place::new();
    let text = place.tacit(&["list", what]);
    let json = place.tacit(&["list", what, "--format", "json"]);
    assert_eq!((text.code, json.code), (0, 0), "{}{}", text.err, json.err);
    (text.out, serde_json::from_str(&json.out).unwrap())
}

fn explain(id: &str) -> (String, Value) {
    let place = Place::new();
    let text = place.tacit(&["explain", id]);
    let json = place.tacit(&["explain", id, "--format", "json"]);
    assert_eq!((text.code, json.code), (0, 0), "{id}: {}{}", text.err, json.err);
    (text.out, serde_json::from_str(&json.out).unwrap())
}

/// A text in which the line of a scenario, which moves with every scenario before it, is left
/// out.
fn without_lines(text: &str) -> String {
    let mut parts = text.split(".feature:");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(".feature:N");
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    out
}

#[test]
fn a_list_says_the_same_to_people_and_to_programs() {
    for (what, id) in [
        ("clauses", "id"),
        ("scenarios", "name"),
        ("properties", "id"),
        ("faults", "key"),
        ("variants", "key"),
        ("profiles", "id"),
    ] {
        let (text, rows) = list(what);
        assert!(!rows.is_empty(), "{what}");
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for row in &rows {
            let id = row[id].as_str().unwrap();
            assert!(flat.contains(&id.split_whitespace().collect::<Vec<_>>().join(" ")), "{id}");
        }
        let starts = text.lines().filter(|line| !line.starts_with(' ')).count();
        assert_eq!(starts, rows.len(), "{what}: {text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn a_profile_and_a_property_are_listed_with_what_they_are() {
    let (profiles, _) = list("profiles");
    insta::assert_snapshot!(profiles);
    let (_, properties) = list("properties");
    let restarts = properties.iter().find(|row| row["id"] == "restarts").unwrap();
    assert_eq!(
        restarts["heldAgainst"],
        serde_json::json!([
            "restarted before its last prompt",
            "opened from its rows before its last prompt"
        ])
    );
}

#[test]
fn an_explanation_of_each_kind_is_frozen() {
    for id in ["search.at-most-four", "restore.use-evidence", "compaction-drops-loader"] {
        insta::assert_snapshot!(id, without_lines(&explain(id).0));
    }
    insta::assert_snapshot!("restarts", without_lines(&explain("restarts").0));
    insta::assert_snapshot!("notExercised", explain("notExercised").0);
    insta::assert_snapshot!(explain("exhaustive").0, @"
    exhaustive · what `run --exhaustive DEPTH` plays

      Every session of up to some number of steps, over three deferred tools of two
      plugins.

      judged      every clause, on each of its sessions
      order       by length, so that what fails first is among the shortest
    ");
}

#[test]
fn every_clause_and_every_fault_is_explained_by_what_tests_it() {
    let (_, faults) = list("faults");
    let (_, clauses) = list("clauses");
    for clause in clauses.iter().filter(|clause| clause["unchecked"].is_null()) {
        let id = clause["id"].as_str().unwrap();
        let (text, value) = explain(id);
        assert_eq!(value["kind"], "clause");
        assert!(text.contains("source"), "{text}");
        let named = |fault: &&Value| fault["clauses"].as_array().unwrap().contains(&clause["id"]);
        let keys: Vec<&Value> = faults.iter().filter(named).map(|fault| &fault["key"]).collect();
        assert_eq!(value["faults"].as_array().unwrap().iter().collect::<Vec<_>>(), keys, "{id}");
    }
}

#[test]
fn a_scenario_is_explained_by_its_place_with_its_steps() {
    let (_, scenarios) = list("scenarios");
    let first = &scenarios[0];
    let feature = first["feature"].as_str().unwrap();
    let place = format!("{feature}:{}", first["line"]);
    let (text, value) = explain(&place);
    assert_eq!(value["name"], first["name"]);
    assert!(text.contains("    Given "), "{text}");
    assert!(text.contains("    Then "), "{text}");
    let (_, short) = explain(place.strip_prefix("features/").unwrap());
    assert_eq!(short, value);
}

#[test]
fn a_title_that_several_scenarios_share_asks_for_the_place() {
    let done = Place::new().tacit(&["explain", "the"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("name one by its place"), "{}", done.err);
    assert!(done.err.contains(".feature:"), "{}", done.err);
}
