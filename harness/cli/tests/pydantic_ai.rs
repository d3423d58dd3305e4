//! A published runtime with lazy tools of its own, through the adapter that is kept here.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use std::path::{Path, PathBuf};

use common::{Done, Place};
use serde_json::Value;

/// The folder that the settings with the runtime stand in.
fn project() -> PathBuf {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let python = project.join(".runtimes/pydantic-ai/bin/python");
    assert!(python.exists(), "{} is not there: run scripts/setup", python.display());
    project
}

/// A run over one API, with settings that start the runtime in a way that marks its processes.
fn run(api: &str, more: &[&str]) -> (Place, Done, Value) {
    let project = project();
    let place = Place::new();
    let adapter = project.join("harness/adapters/pydantic-ai/adapter.py");
    let marker = place.folder().display().to_string();
    let command = [
        project.join(".runtimes/pydantic-ai/bin/python").display().to_string(),
        adapter.display().to_string(),
        marker.clone(),
    ];
    let settings =
        format!("[runtimes.pydantic-ai]\ncommand = {command:?}\nprofile = \"pydantic-ai\"\n");
    place.write("tacit.toml", &settings);
    let mut arguments = vec!["run", "--runtime", "pydantic-ai", "--seed", "7", "--jobs", "2"];
    arguments.extend(["--api", api, "--allow-unexercised", "--report", "json=run.json"]);
    arguments.extend(common::PATIENT);
    arguments.extend(more);
    let done = place.tacit_to_its_end(&arguments);
    common::assert_nothing_runs(&marker);
    assert!(!done.out.contains("ERROR"), "{}", done.out);
    let report = place.json("run.json");
    assert_eq!(report["runtime"]["name"], "pydantic-ai");
    (place, done, report)
}

fn verdict<'a>(report: &'a Value, id: &str) -> &'a str {
    let mut clauses = report["clauses"].as_array().unwrap().iter();
    clauses.find(|clause| clause["id"] == id).unwrap()["verdict"].as_str().unwrap()
}

#[test]
fn it_keeps_what_it_claims() {
    let (_place, done, report) = run("openai-chat", &["--cases", "1"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("(stdio)"), "{}", done.out);
    // Its search knows Latin letters and digits alone, and a name in capitals is to it the words
    // that it is made of, which others may hold more often; nothing else is found wanting.
    let clauses = report["clauses"].as_array().unwrap();
    let warned = clauses.iter().filter(|clause| clause["verdict"] == "warn");
    let warned: Vec<_> = warned.map(|clause| clause["id"].as_str().unwrap()).collect();
    assert_eq!(warned, ["search.decorated", "search.any-script"], "{}", done.out);
    // No verdict of a clause that matters here comes from a case that never was.
    for id in ["restore.search-evidence", "restore.ignores-failed", "activation.refused-until"] {
        assert_eq!(verdict(&report, id), "pass", "{}", done.out);
    }
}

#[test]
fn it_keeps_what_it_claims_over_the_other_apis_and_where_they_load_its_tools() {
    for api in ["openai-responses", "anthropic-messages"] {
        let part = ["--tags", "@family:provider or @family:activation", "--cases", "1"];
        let (_, done, report) = run(api, &part);
        assert_eq!(done.code, 0, "{api}: {}{}", done.out, done.err);
        for id in ["activation.next-request", "provider.fallback", "provider.native"] {
            assert_eq!(verdict(&report, id), "pass", "{api}: {}", done.out);
        }
    }
}

#[test]
fn under_the_contract_of_nib_it_lacks_what_is_known_to_be_missing() {
    let known = [
        // It has no catalog.
        ("catalog.heading", "fail"),
        ("catalog.names", "fail"),
        // It restores from the results of searches, and not from a use alone.
        ("restore.use-evidence", "fail"),
        ("restore.search-evidence", "pass"),
        // Words of a name that other names have too can push the name itself out.
        ("search.exact", "fail"),
        // Its host sets the bound, and no model raises it.
        ("search.at-most-four", "pass"),
        ("activation.refused-until", "pass"),
    ];
    let mut more = vec!["--profile", "nib-r3", "--cases", "1"];
    for (id, _) in known {
        more.extend(["--clause", id]);
    }
    let (_, done, report) = run("openai-chat", &more);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    for (id, wanted) in known {
        assert_eq!(verdict(&report, id), wanted, "{id}: {}", done.out);
    }
}

#[test]
fn the_settings_of_this_project_start_it() {
    let mut command = Place::new().command(&["smoke", "--runtime", "pydantic-ai"]);
    let output = command.current_dir(project()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("does all that over anthropic-messages with native"), "{text}");
}
