//! `[run]` of `tacit.toml`: what a run does where no flag says otherwise.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::Place;

const SETTINGS: &str = r#"
[run]
runtime = "reference+case-sensitive-name"
cases = 1
jobs = 1
strict = true
corpus = "kept"
report = ["json=out/run.json"]
"#;

/// A short run in a folder below that of the settings.
fn run(place: &Place, more: &[&str]) -> common::Done {
    std::fs::create_dir_all(place.path("below")).unwrap();
    let arguments = ["run", "--seed", "7", "--clause", "search.decorated"];
    let mut command = place.command(&[&arguments[..], more].concat());
    let output = command.current_dir(place.path("below")).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    common::Done { code: output.status.code().unwrap(), out, err }
}

#[test]
fn what_the_settings_say_of_runs_holds_with_paths_from_their_folder() {
    let place = Place::new();
    place.write("tacit.toml", SETTINGS);
    let done = run(&place, &[]);
    assert_eq!(done.code, 1, "a warning counts: {}{}", done.out, done.err);
    let report = place.json("out/run.json");
    assert_eq!(report["runtime"]["spec"], "reference+case-sensitive-name");
    assert_eq!(report["run"]["cases"], 1);
    assert!(place.path("kept/search-decorated-1.json").exists(), "{}", done.out);
}

#[test]
fn flags_win_over_the_settings() {
    let place = Place::new();
    place.write("tacit.toml", SETTINGS);
    let done = run(&place, &["--strict=false", "--cases", "2", "--report", "json=own.json"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert_eq!(place.json("below/own.json")["run"]["cases"], 2);
    assert!(!place.path("out").exists());
    let done = run(&place, &["--runtime", "reference"]);
    assert!(done.out.starts_with("tacit 0.1.0 · runtime reference 0.1.0"), "{}", done.out);
}

#[test]
fn a_baseline_of_the_settings_is_gone_by_and_updated() {
    let place = Place::new();
    let failing = SETTINGS.replace("case-sensitive-name", "no-restore-on-prompt");
    place.write("tacit.toml", &format!("{failing}baseline = \"known.toml\"\n"));
    let clause = ["--clause", "restore.search-evidence"];
    let done = run(&place, &[&clause[..], &["--update-baseline"]].concat());
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(place.read("known.toml").contains("clause = \"restore.search-evidence\""));
    assert_eq!(run(&place, &clause).code, 0);
    place.write("tacit.toml", &failing);
    let done = run(&place, &["--update-baseline"]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.err.contains("say which with `--baseline FILE`"), "{}", done.err);
}
