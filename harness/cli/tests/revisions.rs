//! `tacit revisions`, from the command line.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::{Done, Place, assert_fits};
use serde_json::Value;

fn revisions(place: &Place, runtime: &str, arguments: &[&str]) -> Done {
    let usual = ["revisions", "--seed", "7", "--cases", "4", "--api", "openai-chat"];
    let patient = [&common::PATIENT[..], &["--runtime", runtime]].concat();
    place.tacit_to_its_end(&[&usual[..], &patient[..], arguments].concat())
}

#[test]
fn the_first_clause_that_differs_is_told_with_a_session_that_shows_it() {
    let place = Place::new();
    let done = revisions(&place, "reference@r1", &[]);
    assert!(done.out.lines().all(|line| line.chars().count() <= 80), "{}", done.out);
    insta::assert_snapshot!(done.out);
    assert_eq!((done.out.lines().last(), done.code), (Some("implements r1"), 0));
    let file = done.out.lines().map(str::trim).find(|line| line.ends_with(".feature")).unwrap();
    assert_eq!(place.tacit(&["replay", file]).code, 1, "{file}");
}

#[test]
fn what_no_revision_allows_leaves_the_best_fit_and_the_exit_code_of_a_failure() {
    let place = Place::new();
    let done = revisions(&place, "reference@r2+no-cap", &[]);
    let last = done.out.lines().last().unwrap();
    assert_eq!((last, done.code), ("implements r2, all but 1 clause of it", 1), "{done:?}");
}

#[test]
fn what_is_printed_as_json_fits_its_schema_and_names_the_newest_revision_that_fits() {
    let place = Place::new();
    let schema = place.tacit(&["schema", "revisions"]);
    let schema: Value = serde_json::from_str(&schema.out).unwrap();
    let done = revisions(&place, "reference", &["--format", "json"]);
    let found: Value = serde_json::from_str(&done.out).unwrap();
    assert_fits(&schema, &found);
    assert_eq!((&found["best"], &found["exitCode"]), (&"r3".into(), &0.into()), "{found}");
    assert_eq!(found["revisions"].as_array().unwrap().len(), 3);
}

#[test]
fn a_runtime_that_does_not_start_has_no_revision() {
    let place = Place::new();
    let done = revisions(&place, "stdio:no-such-program", &[]);
    assert_eq!(done.code, 3, "{done:?}");
    assert!(done.out.contains("the runtime could not be used under every revision"), "{done:?}");
}
