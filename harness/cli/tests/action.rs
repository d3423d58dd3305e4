//! The GitHub action, `scripts/action`: what it runs, as a runner would.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use std::path::Path;
use std::process::Command;

use common::Place;

/// The exit code of the action, and what it said.
fn act(place: &Place, inputs: &[(&str, &str)]) -> (Option<i32>, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/action/run");
    let tacit = Path::new(env!("CARGO_BIN_EXE_tacit")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(tacit.to_owned()).chain(std::env::split_paths(&path));
    let mut command = Command::new(script);
    command.current_dir(place.folder()).env("PATH", std::env::join_paths(folders).unwrap());
    for (name, value) in [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_OUTPUT", "output"),
        ("GITHUB_STEP_SUMMARY", "summary.md"),
        ("CI", "true"),
    ] {
        command.env(name, value);
    }
    let output = command.envs(inputs.iter().copied()).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

const ONE_CLAUSE: &str = "--clause\nsearch.at-most-four\n--cases\n2\n--seed\n1\n";

#[test]
fn a_runtime_that_does_not_conform_fails_the_step_and_leaves_its_reports() {
    let place = Place::new();
    let inputs = [("TACIT_RUNTIME", "reference+no-cap"), ("TACIT_ARGUMENTS", ONE_CLAUSE)];
    let (code, said) = act(&place, &inputs);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("::error file="), "{said}");
    assert_eq!(place.read("output"), "exit-code=1\n");
    assert!(place.read("summary.md").contains("does not conform"));
    for file in ["tacit.json", "tacit.ndjson", "tacit.xml", "tacit.sarif"] {
        assert!(place.path(&format!("tacit-reports/{file}")).is_file(), "{file}");
    }
    assert!(place.path("tacit-reports/corpus/search-at-most-four-1.feature").is_file());
}

#[test]
fn a_shard_of_a_runtime_that_conforms_passes_into_the_folder_that_was_named() {
    let place = Place::new();
    place.write("known.toml", "");
    let (code, said) = act(
        &place,
        &[
            ("TACIT_RUNTIME", "reference"),
            ("TACIT_PROFILE", "nib-r3"),
            ("TACIT_ARGUMENTS", ONE_CLAUSE),
            ("TACIT_BASELINE", "known.toml"),
            ("TACIT_SHARD", "1/2"),
            ("TACIT_REPORTS", "one of two"),
        ],
    );
    assert_eq!((code, place.read("output").as_str()), (Some(0), "exit-code=0\n"), "{said}");
    let report = place.json("one of two/tacit.json");
    assert_eq!(report["run"]["shard"], "1/2");
    assert_eq!(report["baseline"]["file"], "known.toml");
}

#[test]
fn an_adapter_that_does_not_start_is_told_before_anything_is_judged() {
    let place = Place::new();
    let (code, said) = act(&place, &[("TACIT_RUNTIME", "stdio:no-such-program")]);
    assert_eq!(code, Some(3), "{said}");
    assert!(!place.path("tacit-reports").exists());
}
