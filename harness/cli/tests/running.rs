//! `run`, `smoke` and `replay`, from the outside.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::Place;
use serde_json::Value;

const BRIEF: [&str; 6] = ["run", "--cases", "2", "--jobs", "1", "--seed"];

/// An exhaustive search with little beside it, up to a depth that follows.
const EXHAUSTIVE: [&str; 8] =
    ["run", "--runtime", "reference", "--cases", "0", "--scenario", "new context", "--exhaustive"];

#[test]
fn a_brief_run_on_the_reference_conforms_and_writes_every_report() {
    let place = Place::new();
    let mut arguments = BRIEF.to_vec();
    arguments.extend(["4f1c09aa", "--report", "json=out/run.json", "--report", "junit=run.xml"]);
    arguments.extend(["--report", "ndjson=run.ndjson"]);
    let done = place.tacit(&arguments);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.err.is_empty(), "{}", done.err);
    let lines: Vec<&str> = done.out.lines().collect();
    assert!(lines[0].contains("no runtime was named"), "{}", done.out);
    assert!(done.out.contains("seed 4f1c09aa"), "{}", done.out);
    assert!(lines.last().unwrap().contains("no runtime was named"), "{}", done.out);
    let report = place.json("out/run.json");
    assert_eq!(report["run"]["seed"], "4f1c09aa");
    assert_eq!(report["exitCode"], 0);
    assert_eq!(report["runtime"]["spec"], "reference");
    assert!(place.read("run.xml").starts_with("<?xml"));
    assert!(place.read("run.ndjson").lines().count() > 10);
    assert!(!place.path(".tacit").exists(), "nothing failed, so there is nothing to keep");
}

#[test]
fn one_seed_gives_one_report_however_many_work_on_it() {
    let place = Place::new();
    let report = |jobs: &str, name: &str| {
        let (corpus, target) = (format!("kept-{name}"), format!("json={name}.json"));
        let done = place.tacit(&[
            "run",
            "--runtime",
            "reference@r2",
            "--cases",
            "2",
            "--seed",
            "7",
            "--jobs",
            jobs,
            "--corpus",
            &corpus,
            "--report",
            &target,
        ]);
        assert_eq!(done.code, 1, "{}{}", done.out, done.err);
        let text = place.read(&format!("{name}.json")).replace(&corpus, "CORPUS");
        without_times(serde_json::from_str(&text).unwrap())
    };
    let (one, two) = (report("1", "alone"), report("2", "together"));
    assert_eq!(one, two);
    assert_eq!(one["conforms"], false);
}

#[test]
fn an_exhaustive_search_says_how_many_sessions_there_were() {
    let place = Place::new();
    let done = place.tacit(&[&EXHAUSTIVE[..], &["2", "--report", "json=r.json"]].concat());
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.err.is_empty(), "it takes no minute: {}", done.err);
    let report = place.json("r.json");
    let property = report["properties"].as_array().unwrap().last().unwrap();
    assert_eq!(property["id"], "exhaustive");
    assert_eq!(property["extent"], serde_json::json!({"depth": 2, "cases": property["cases"]}));
    let line = format!("exhaustive: {} sessions, all that there are", property["cases"]);
    assert!(done.out.contains(&line), "{}", done.out);
}

#[test]
fn an_exhaustive_search_that_a_budget_stops_says_how_far_it_got() {
    let bounded = ["4294967295", "--time-budget", "2s", "--progress", "never"];
    let done = Place::new().tacit(&[&EXHAUSTIVE[..], &bounded].concat());
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.err.contains("sessions of up to 4,294,967,295 steps, about"), "{}", done.err);
    assert!(done.out.contains(" of more than "), "{}", done.out);
}

/// A report without what tells when and how long.
fn without_times(mut report: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.retain(|key, _| key != "durationMs" && key != "startedAt");
                members.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut report);
    report
}

#[test]
fn under_ci_a_run_without_a_runtime_is_a_usage_error() {
    for command in ["run", "smoke"] {
        let done = Place::new().with_variable("CI", "true").tacit(&[command]);
        assert_eq!(done.code, 2, "{}", done.out);
        assert!(done.err.contains("--runtime"), "{}", done.err);
    }
    let named = ["smoke", "--runtime", "reference"];
    assert_eq!(Place::new().with_variable("CI", "true").tacit(&named).code, 0);
    for value in ["", "false"] {
        assert_eq!(Place::new().with_variable("CI", value).tacit(&["smoke"]).code, 0, "{value}");
    }
}

#[test]
fn smoke_says_first_and_last_that_nobody_named_a_runtime() {
    let done = Place::new().tacit(&["smoke"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let lines: Vec<&str> = done.out.lines().collect();
    assert_eq!(lines.first(), Some(&"no runtime was named: this is the reference"));
    assert_eq!(lines.last(), lines.first());
    let json = Place::new().tacit(&["smoke", "--runtime", "reference", "--format", "json"]);
    let value: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(value["works"], true);
    assert_eq!(value["runtime"]["runtime"]["name"], "reference");
}

#[test]
fn a_runtime_that_is_not_there_cannot_be_used_and_the_report_says_so() {
    let place = Place::new();
    let done =
        place.tacit(&["run", "--runtime", "stdio:no-such-program", "--report", "json=r.json"]);
    assert_eq!(done.code, 3, "{}{}", done.out, done.err);
    assert!(done.out.contains("no-such-program"), "{}", done.out);
    assert_eq!(place.json("r.json")["exitCode"], 3);
    let done = place.tacit(&["smoke", "--runtime", "stdio:no-such-program"]);
    assert_eq!(done.code, 3, "{}{}", done.out, done.err);
}

#[test]
fn a_runtime_of_the_file_that_is_not_installed_says_how_to_install_it() {
    let place = Place::new();
    place.write("tacit.toml", "[runtimes.mine]\ncommand = [\"bin/agent\"]\n");
    let done = place.tacit(&["smoke"]);
    assert_eq!(done.code, 3);
    assert!(done.err.contains("mine is not installed"), "{}", done.err);
    assert!(done.err.contains("correct its `command`"), "{}", done.err);
    place.write("scripts/setup", "");
    let done = place.tacit(&["smoke"]);
    assert!(done.err.contains("scripts/setup"), "{}", done.err);
}

#[test]
fn a_runtime_of_the_file_runs_in_the_folder_of_the_file() {
    let place = Place::new();
    place.write(
        "tacit.toml",
        "[runtimes.mine]\ncommand = [\"tacit\", \"serve-reference\", \"--revision\", \"r1\"]\n\
         profile = \"mine.toml\"\n",
    );
    let profile = tacit_contract::profile::built_in("nib-r1").unwrap();
    place.write("mine.toml", &profile.replace("id = \"nib-r1\"", "id = \"mine\""));
    std::fs::create_dir(place.path("below")).unwrap();
    let mut command = place.command(&["run", "--cases", "0", "--tags", "@clause:initial.core"]);
    let output = command.current_dir(place.path("below")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("profile mine"), "{text}");
}

#[test]
fn a_run_whose_clauses_the_runtime_cannot_be_judged_by_tests_too_little() {
    let place = Place::new();
    let run = ["run", "--runtime", "reference", "--api", "openai-chat", "--cases", "0"];
    let clause = ["--clause", "provider.same", "--report", "json=r.json"];
    let done = place.tacit(&[&run[..], &clause].concat());
    assert_eq!(done.code, 4, "{}{}", done.out, done.err);
    assert!(done.out.contains("too little was tested: 0 of 0 claimed"), "{}", done.out);
    assert_eq!(place.json("r.json")["conforms"], false);
    assert_eq!(place.json("r.json")["exitCode"], 4);
    let allowed = place.tacit(&[&run[..], &clause, &["--allow-unexercised"]].concat());
    assert_eq!(allowed.code, 0, "{}{}", allowed.out, allowed.err);
}

#[test]
fn a_counterexample_still_fails_on_the_fault_and_is_fixed_without_it_in_both_forms() {
    let place = Place::new();
    let base = place.with_a_counterexample();
    for ending in ["json", "feature"] {
        let file = format!("{base}.{ending}");
        let faulty = place.tacit(&["replay", "--runtime", "reference+no-cap", &file]);
        assert_eq!(faulty.code, 1, "{}{}", faulty.out, faulty.err);
        assert!(faulty.out.starts_with("still fails"), "{}", faulty.out);
        assert!(faulty.out.contains("✗"), "{}", faulty.out);
        let sound = place.tacit(&["replay", "--runtime", "reference", &file]);
        assert_eq!(sound.code, 0, "{}{}", sound.out, sound.err);
        assert!(sound.out.starts_with("fixed"), "{}", sound.out);
    }
    let json = format!("{base}.json");
    let done = place.tacit(&["replay", "--runtime", "reference+no-cap", "--format", "json", &json]);
    let value: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(value["replays"][0]["result"], "stillFails");
    assert_eq!(value["exitCode"], 1);
}

#[test]
fn a_saved_session_is_held_to_the_profile_that_it_was_found_under() {
    let place = Place::new();
    let file = format!("{}.json", place.with_a_counterexample());
    let saved = place.read(&file).replace("\"nib-r3\"", "\"nib-r1\"");
    place.write("old.json", &saved.replace("search.at-most-four", "restore.use-evidence"));
    let done = place.tacit(&["replay", "--runtime", "reference", "old.json"]);
    assert!(done.out.contains("not claimed"), "{}{}", done.out, done.err);
}

#[test]
fn a_counterexample_is_played_on_the_runtime_that_it_names() {
    let place = Place::new().with_variable("CI", "1");
    let base = place.with_a_counterexample();
    for ending in ["json", "feature"] {
        let done = place.tacit(&["replay", &format!("{base}.{ending}")]);
        assert_eq!(done.code, 1, "{}{}", done.out, done.err);
        let lines: Vec<&str> = done.out.lines().collect();
        assert_eq!(lines[0], "on reference+no-cap, which the file names:", "{}", done.out);
        assert!(lines[1].starts_with("still fails"), "{}", done.out);
    }
    let done = place.tacit(&["replay", "--format", "json", ".tacit/corpus"]);
    let value: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(value["replays"][0]["runtime"], "reference+no-cap");
    assert_eq!(value["replays"][0]["result"], "stillFails");
}

#[test]
fn a_name_of_the_settings_is_enough_for_a_counterexample_and_a_command_is_not() {
    let place = Place::new();
    let file = format!("{}.json", place.with_a_counterexample());
    let named = |spec: &str| {
        let text = place.read(&file);
        let text = text.replace("\"spec\": \"reference+no-cap\"", &format!("\"spec\": \"{spec}\""));
        place.write("kept.json", &text);
        place.tacit(&["replay", "kept.json"])
    };
    let done = named("mine");
    assert_eq!(done.code, 2, "{}{}", done.out, done.err);
    assert!(done.err.contains("kept.json: there is no runtime `mine`"), "{}", done.err);
    let serve = "command = [\"tacit\", \"serve-reference\", \"--fault\", \"no-cap\"]\n";
    place.write("tacit.toml", &format!("[runtimes.mine]\n{serve}\n[runtimes.other]\n{serve}"));
    let done = named("mine");
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(done.out.starts_with("on mine, which the file names:\nstill fails"), "{}", done.out);
    // What comes from somebody else's file is not run.
    let done = named("stdio:touch run");
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
    let flat = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("a file does not choose which command is run"), "{flat}");
    assert!(flat.contains("`tacit replay --runtime SPEC kept.json`"), "{flat}");
    assert!(!place.path("run").exists());
}

#[test]
fn a_counterexample_that_does_not_say_how_its_runtime_is_started_is_not_fixed() {
    let place = Place::new();
    let file = format!("{}.json", place.with_a_counterexample());
    let text = place.read(&file).replace("  \"spec\": \"reference+no-cap\",\n", "");
    place.write("kept.json", &text);
    let done = place.tacit(&["replay", "kept.json"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
    assert!(done.err.contains("kept.json was found on reference+no-cap 0.1.0"), "{}", done.err);
    let feature = place.read(&file.replace(".json", ".feature"));
    place.write("own.feature", &feature.replace("# runtime: reference+no-cap\n", ""));
    // A scenario that was written by hand was found nowhere.
    let done = place.tacit(&["replay", "own.feature"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.starts_with("no runtime was named: this is the reference"), "{}", done.out);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_reports_what_is_done() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let place = Place::new();
    let more = ["--jobs", "1", "--report", "json=r.json", "--report", "ndjson=r.ndjson"];
    let run = ["run", "--runtime", "reference", "--cases", "100000"];
    let mut command = place.command(&[&run[..], &more].concat());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let written = || {
        let files = std::fs::read_dir(place.folder()).unwrap().map(|file| file.unwrap().path());
        let mut records = files.filter(|path| path.to_string_lossy().contains("ndjson"));
        records.next().map(|path| std::fs::read_to_string(path).unwrap()).unwrap_or_default()
    };
    while !written().contains("scenarioFinished") {
        std::thread::sleep(Duration::from_millis(20));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stdout).contains("interrupted"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("what is done will be reported"));
    let report = place.json("r.json");
    assert_eq!(report["exitCode"], 130);
    assert!(report["scenarios"].as_array().is_some_and(|done| !done.is_empty()), "{report}");
    assert!(place.read("r.ndjson").ends_with("}\n"));
}
