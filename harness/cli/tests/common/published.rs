//! Runs of published runtimes, through the adapters that are kept here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Done, Place};

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
    arguments.extend(super::PATIENT);
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
pub fn keeps_what_it_claims(runtime: &str, part: &str, kept: &[&str]) {
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
pub fn fails_under_nib(runtime: &str, part: &str, failing: &[&str], kept: &[&str]) {
    stands_under_nib(runtime, &["--tags", part], failing, kept);
}

/// The same where these clauses alone are judged, and over one API.
pub fn fails_under_nib_in_these(runtime: &str, part: &str, failing: &[&str], kept: &[&str]) {
    let mut more = vec!["--tags", part, "--api", "openai-chat"];
    for id in failing.iter().chain(kept) {
        more.extend(["--clause", id]);
    }
    stands_under_nib(runtime, &more, failing, kept);
}

fn stands_under_nib(runtime: &str, more: &[&str], failing: &[&str], kept: &[&str]) {
    let (done, report) = run(runtime, &[&["--profile", "nib-r3"], more].concat());
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let found = verdicts(&report);
    let failed = found.iter().filter(|(_, verdict)| *verdict == "fail");
    let failed: Vec<_> = failed.map(|(id, _)| id.as_str()).collect();
    assert_eq!(failed, failing, "{}", done.out);
    for id in kept {
        assert_eq!(found[*id], "pass", "{id}: {}", done.out);
    }
}
