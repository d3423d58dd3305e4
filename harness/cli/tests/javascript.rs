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

/// Under the contract of Nib, in one part of the suite, these clauses fail and no other does.
fn stands_under_nib(runtime: &str, part: &str, failing: &[&str], kept: &[&str]) {
    let (done, report) = run(runtime, &["--profile", "nib-r3", "--tags", part]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let found = verdicts(&report);
    let failed: Vec<_> = found.iter().filter(|(_, verdict)| *verdict == "fail").collect();
    let failed: Vec<_> = failed.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(failed, failing, "{}", done.out);
    for id in kept {
        assert_eq!(found[*id], "pass", "{id}: {}", done.out);
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
    let part = "@family:activation or @family:e2e";
    let kept = ["activation.next-request", "catalog.heading", "restore.search-evidence"];
    keeps_what_it_claims("mastra", part, &kept);
}

#[test]
fn mastra_in_memory_keeps_what_it_claims() {
    let part = "@clause:activation.union or @clause:activation.lasts";
    keeps_what_it_claims("mastra-in-memory", part, &["activation.union", "activation.lasts"]);
}

#[test]
fn under_the_contract_of_nib_the_ai_sdk_forgets_what_was_found() {
    let part = "@clause:initial.search-absent or @clause:catalog.heading or \
                @clause:restore.ignores-missing or @clause:provider.fallback";
    let failing = [
        "catalog.heading",
        "catalog.names",
        "initial.new-context",
        "initial.search-absent",
        "restore.ignores-failed",
        "restore.ignores-missing",
        "restore.search-evidence",
    ];
    stands_under_nib("ai-sdk", part, &failing, &["activation.next-request"]);
}

#[test]
fn under_the_contract_of_nib_mastra_has_another_catalog_and_no_proof_by_use() {
    let part = "@clause:initial.search-absent or @clause:catalog.heading or \
                @clause:restore.use-evidence";
    let failing = [
        "catalog.heading",
        "catalog.names",
        "initial.new-context",
        "initial.search-absent",
        "restore.ignores-failed",
        "restore.use-evidence",
    ];
    stands_under_nib("mastra", part, &failing, &["restore.search-evidence"]);
}
