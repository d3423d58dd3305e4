//! Published runtimes in JavaScript, through the adapters that are kept here.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use common::{Done, Place};
use serde_json::Value;

/// The folder of the settings that name the runtimes.
fn project() -> PathBuf {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let node = project.join(".runtimes/node/node_modules/.bin/node");
    assert!(node.exists(), "{} is not there: run scripts/setup", node.display());
    project
}

/// A run of a runtime of the settings; what it leaves behind goes into a folder of its own.
fn run(runtime: &str, more: &[&str]) -> (Done, Value) {
    let project = project();
    let place = Place::new();
    let mut arguments = vec!["run", "--runtime", runtime, "--seed", "7", "--jobs", "2"];
    let corpus = place.path("corpus").display().to_string();
    let report = format!("json={}", place.path("run.json").display());
    arguments.extend(["--cases", "1", "--allow-unexercised", "--corpus", &corpus]);
    arguments.extend(["--report", &report]);
    arguments.extend(more);
    let output = place.command(&arguments).current_dir(project).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().unwrap();
    let done = Done { code, out: text(&output.stdout), err: text(&output.stderr) };
    assert!(place.path("run.json").exists(), "{}{}", done.out, done.err);
    (done, place.json("run.json"))
}

fn verdicts(report: &Value) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let clauses = report["clauses"].as_array().unwrap().iter();
    clauses.map(|clause| (text(&clause["id"]), text(&clause["verdict"]))).collect()
}

/// What a runtime claims is kept in one part of the suite, and twice the same.
fn keeps_what_it_claims(runtime: &str, part: &str, kept: &[&str]) {
    let (done, report) = run(runtime, &["--tags", part]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let found = verdicts(&report);
    for id in kept {
        assert_eq!(found[*id], "pass", "{id}: {}", done.out);
    }
    let (again, report) = run(runtime, &["--tags", part]);
    assert_eq!(verdicts(&report), found, "{}{}", done.out, again.out);
}

/// Under the contract of Nib these clauses have these verdicts.
fn stands_under_nib(runtime: &str, known: &[(&str, &str)]) {
    let mut more = vec!["--profile", "nib-r3"];
    for (id, _) in known {
        more.extend(["--clause", id]);
    }
    let (done, report) = run(runtime, &more);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let found = verdicts(&report);
    for (id, wanted) in known {
        assert_eq!(found[*id], *wanted, "{id}: {}", done.out);
    }
}

#[test]
fn the_ai_sdk_keeps_what_it_claims() {
    let part = "@family:activation or @family:reset";
    let kept = ["activation.next-request", "activation.refused-until", "reset.each-prompt"];
    keeps_what_it_claims("ai-sdk", part, &kept);
}

#[test]
fn mastra_keeps_what_it_claims() {
    let part = "@family:e2e or @clause:restore.search-evidence";
    keeps_what_it_claims("mastra", part, &["restore.search-evidence", "catalog.heading"]);
}

#[test]
fn mastra_in_memory_keeps_what_it_claims() {
    let part = "@clause:activation.union or @clause:activation.lasts";
    keeps_what_it_claims("mastra-in-memory", part, &["activation.union", "activation.lasts"]);
}

#[test]
fn under_the_contract_of_nib_the_ai_sdk_forgets_what_was_found() {
    let known = [
        ("initial.search-absent", "fail"),
        ("catalog.heading", "fail"),
        ("restore.search-evidence", "fail"),
        ("restore.ignores-missing", "fail"),
        ("search.at-most-four", "pass"),
    ];
    stands_under_nib("ai-sdk", &known);
}

#[test]
fn under_the_contract_of_nib_mastra_has_another_catalog_and_no_proof_by_use() {
    let known = [
        ("initial.search-absent", "fail"),
        ("catalog.heading", "fail"),
        ("restore.use-evidence", "fail"),
        ("restore.search-evidence", "pass"),
    ];
    stands_under_nib("mastra", &known);
}
