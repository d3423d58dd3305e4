//! `tacit diff`.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::{Place, assert_fits};
use serde_json::Value;

/// A short run of a runtime, kept as `NAME.json` and `NAME.ndjson`.
fn played(place: &Place, runtime: &str, name: &str) {
    let arguments =
        ["run", "--runtime", runtime, "--clause", "search.at-most-four", "--cases", "2"];
    let (json, record) = (format!("json={name}.json"), format!("ndjson={name}.ndjson"));
    let more = ["--seed", "1", "--corpus", name, "--report", &json, "--report", &record];
    let done = place.tacit(&[&arguments[..], &more].concat());
    assert!(done.code < 2, "{}{}", done.out, done.err);
}

#[test]
fn a_clause_that_fails_now_is_worse_and_the_way_back_is_fixed() {
    let place = Place::new();
    played(&place, "reference", "old");
    played(&place, "reference+no-cap", "new");
    for ending in ["json", "ndjson"] {
        let [old, new] = ["old", "new"].map(|name| format!("{name}.{ending}"));
        let worse = place.tacit(&["diff", &old, &new]);
        assert_eq!((worse.code, worse.err.as_str()), (1, ""), "{}", worse.out);
        assert!(worse.out.contains("\nnew failure\n  search.at-most-four"), "{}", worse.out);
        assert!(worse.out.contains("new/search-at-most-four-1."), "{}", worse.out);
        assert_eq!(worse.out.lines().last(), Some("worse: 1 new failure"));
        let back = place.tacit(&["diff", &new, &old]);
        assert_eq!((back.code, back.out.lines().last()), (0, Some("changed: 1 fixed")));
        let same = place.tacit(&["diff", &new, &new]);
        assert_eq!((same.code, same.out.lines().last()), (0, Some("no difference in any clause")));
    }
}

#[test]
fn as_json_a_difference_fits_its_schema() {
    let place = Place::new();
    played(&place, "reference", "old");
    played(&place, "reference+no-cap", "new");
    let schema: Value = serde_json::from_str(&place.tacit(&["schema", "diff"]).out).unwrap();
    for (old, new, code) in [("old", "new", 1), ("new", "old", 0), ("old", "old", 0)] {
        let [old, new] = [old, new].map(|name| format!("{name}.json"));
        let done = place.tacit(&["diff", &old, &new, "--format", "json"]);
        assert_eq!(done.code, code, "{}", done.err);
        let diff: Value = serde_json::from_str(&done.out).unwrap();
        assert_fits(&schema, &diff);
        assert_eq!(diff["worse"], code == 1);
    }
}

#[test]
fn what_is_no_run_is_a_usage_error_that_names_the_file() {
    let place = Place::new();
    played(&place, "reference", "old");
    place.write("none.json", "[]");
    for (old, new, expected) in [
        ("none.json", "old.json", "none.json: failed to read the run"),
        ("old.json", "missing.json", "cannot read missing.json"),
    ] {
        let done = place.tacit(&["diff", old, new]);
        assert_eq!((done.code, done.out.as_str()), (2, ""));
        assert!(done.err.contains(expected), "{}", done.err);
    }
}

#[test]
fn as_markdown_a_difference_begins_with_what_it_is_worth() {
    let place = Place::new();
    played(&place, "reference", "old");
    played(&place, "reference+no-cap", "new");
    let done = place.tacit(&["diff", "old.json", "new.json", "--format", "markdown"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.out.starts_with("## ❌ tacit: worse: 1 new failure\n"), "{}", done.out);
    assert!(done.out.contains("\n| new failure | `search.at-most-four` | must | pass | fail |"));
}
