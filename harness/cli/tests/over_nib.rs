//! The reference behind the protocol of Nib's sidecar: what is found does not hang on what is in
//! between.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use std::collections::BTreeSet;

use common::{Done, Place};
use serde_json::Value;
use tacit_contract::Revision;
use tacit_contract::clause::contract;

const SIDECAR: &str = "nib:tacit serve-reference --protocol nib --revision r1";

fn run(place: &Place, runtime: &str, profile: &str, more: &[&str]) -> (Done, Value) {
    let mut arguments = vec!["run", "--runtime", runtime, "--profile", profile, "--seed", "7"];
    arguments.extend(["--cases", "1", "--report", "json=run.json"]);
    arguments.extend(common::PATIENT);
    arguments.extend(more);
    let done = place.tacit_to_its_end(&arguments);
    let report = place.json("run.json");
    (done, report)
}

/// The clauses of a verdict.
fn with(report: &Value, verdict: &str) -> BTreeSet<String> {
    let clauses = report["clauses"].as_array().unwrap().iter();
    let of_it = clauses.filter(|clause| clause["verdict"] == verdict);
    of_it.map(|clause| clause["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_sidecar_of_the_first_revision_keeps_its_profile_over_every_api() {
    let place = Place::new();
    let (done, report) = run(&place, SIDECAR, "nib-r1", &[]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    for verdict in ["fail", "warn", "error", "notExercised"] {
        assert_eq!(with(&report, verdict), BTreeSet::new(), "{}", done.out);
    }
}

#[test]
fn under_another_revision_s_profile_it_breaks_what_it_must_and_nothing_that_it_may_not() {
    let place = Place::new();
    // What a revision asks for hangs on no API.
    let (done, report) = run(&place, SIDECAR, "nib-r3", &["--api", "openai-chat"]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let broken = with(&report, "fail");
    let across = contract()
        .across
        .iter()
        .find(|pair| (pair.runtime, pair.under) == (Revision::R1, Revision::R3))
        .unwrap();
    let must: BTreeSet<String> = across.must.iter().map(ToString::to_string).collect();
    let may: BTreeSet<String> = across.may.iter().map(ToString::to_string).collect();
    assert!(must.is_subset(&broken), "{broken:?} is not all of {must:?}");
    assert!(broken.is_subset(&(&must | &may)), "{broken:?} is more than {must:?} and {may:?}");
}

#[test]
fn a_sidecar_of_the_first_revision_is_found_to_be_one() {
    let place = Place::new();
    let mut arguments = vec!["revisions", "--runtime", SIDECAR, "--api", "openai-responses"];
    arguments.extend(["--cases", "1", "--seed", "7", "--format", "json"]);
    arguments.extend(common::PATIENT);
    let done = place.tacit_to_its_end(&arguments);
    let found: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(found["best"], "r1", "{}{}", done.out, done.err);
    let fits = found["revisions"].as_array().unwrap().iter();
    let first_broken: Vec<_> = fits.map(|fit| fit["breaks"][0]["clause"].as_str()).collect();
    assert_eq!(first_broken, [None, Some("restore.search-evidence"), Some("initial.core")]);
}

#[test]
fn a_sidecar_that_spells_its_tools_otherwise_keeps_a_profile_that_says_so() {
    let place = Place::new();
    let mut profile = tacit_contract::profile::built_in("nib-r1").unwrap().to_owned();
    for (capitals, lower) in [
        ("nib-r1", "lower"),
        ("ToolSearch", "tool_search"),
        ("Read", "read"),
        ("Bash", "bash"),
        ("Edit", "edit"),
        ("Write", "write"),
        ("Glob", "glob"),
        ("Grep", "grep"),
        ("SubmitPlan", "submit_plan"),
        ("SubmitGoal", "submit_goal"),
    ] {
        profile = profile.replace(&format!("\"{capitals}\""), &format!("\"{lower}\""));
    }
    place.write("lower.toml", &profile);
    let spelled = format!("{SIDECAR} --names lower-case");
    // A search by a name that is one in the other spelling finds the wrong one there.
    let tags = "@family:initial or @family:activation";
    let api = ["--api", "anthropic-messages", "--tags", tags, "--allow-unexercised"];
    let (done, report) = run(&place, &spelled, "lower.toml", &api);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert_eq!(with(&report, "warn"), BTreeSet::new(), "{}", done.out);
    assert!(with(&report, "pass").contains("activation.next-request"), "{}", done.out);
    let one = ["--clause", "initial.core", "--fail-fast", "--tags", "@family:initial"];
    let (done, _) = run(&place, SIDECAR, "lower.toml", &one);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
}
