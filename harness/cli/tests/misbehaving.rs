//! Runtimes that misbehave: the run ends, says why once, and leaves nothing behind.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::{Done, Place};
use serde_json::Value;

const RUNTIME: &str = include_str!("common/misbehaving.py");

/// The ways in which it keeps a run waiting until a time limit.
const HANGING: [&str; 3] = ["hangs", "sleeps", "reads no more"];

/// A run of the runtime that misbehaves in a way.
struct Run {
    place: Place,
    done: Done,
    report: Value,
    events: Vec<Value>,
}

fn run(way: &str, more: &[&str]) -> Run {
    let place = Place::new();
    place.write("runtime.py", RUNTIME);
    // The folder is no other test's: it marks the processes of this one.
    let script = place.path("runtime.py").display().to_string();
    let counter = place.path("counter").display().to_string();
    let spec = format!("stdio:python3 {script} '{way}' {counter}");
    let mut arguments = vec!["run", "--runtime", &spec, "--seed", "7", "--cases", "2"];
    if HANGING.contains(&way) {
        arguments.extend(["--timeout", "1s", "--start-timeout", "2s"]);
    } else {
        arguments.extend(common::PATIENT);
    }
    arguments.extend(["--report", "json=run.json", "--report", "ndjson=run.ndjson"]);
    arguments.extend(more);
    let done = place.tacit_to_its_end(&arguments);
    common::assert_nothing_runs(&script);
    let report = place.json("run.json");
    assert_eq!(report["exitCode"], done.code, "{}{}", done.out, done.err);
    let record = place.read("run.ndjson");
    let events = record.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    Run { place, done, report, events }
}

impl Run {
    /// The causes that the run names, of which the terminal shows each once.
    fn causes(&self) -> Vec<&Value> {
        let named = self.events.iter().filter(|event| event["event"] == "runtimeFailed");
        let causes: Vec<&Value> = named.collect();
        let shown = self.done.out.lines().filter(|line| line.starts_with("ERROR")).count();
        assert_eq!(shown, causes.len(), "{}", self.done.out);
        causes
    }

    /// Checks that the run names one cause and no other, and how it ends.
    fn names_one_cause(&self, kind: &str, words: &str, code: i32) {
        let causes = self.causes();
        assert_eq!(causes.len(), 1, "{}", self.done.out);
        assert_eq!(causes[0]["cause"]["kind"], kind, "{causes:?}");
        let flat = self.done.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(flat.matches(words).count(), 1, "{}", self.done.out);
        assert_eq!(self.done.code, code, "{}{}", self.done.out, self.done.err);
        assert!(self.done.err.is_empty(), "{}", self.done.err);
    }

    fn verdicts(&self, wanted: &str) -> usize {
        let clauses = self.report["clauses"].as_array().unwrap();
        clauses.iter().filter(|clause| clause["verdict"] == wanted).count()
    }
}

#[test]
fn a_runtime_that_crashes_at_every_third_prompt_is_judged_by_what_it_did_before() {
    let run = run("crashes", &["--clause", "initial.core"]);
    run.names_one_cause("crashed", "the runtime crashed during session/prompt: exit status: 1", 1);
    assert!(run.done.out.contains("the third prompt is one too many"), "{}", run.done.out);
    assert_eq!(run.verdicts("pass"), 1, "{}", run.done.out);
}

#[test]
fn a_runtime_that_never_answers_a_prompt_is_left_alone_after_a_few() {
    let run = run("hangs", &[]);
    run.names_one_cause("hung", "no answer to session/prompt within 1000 ms", 1);
    assert_eq!(run.verdicts("pass"), 0, "{}", run.done.out);
    assert!(run.verdicts("error") > 30, "{}", run.done.out);
    // Each costs a whole time limit.
    let sessions = run.events.last().unwrap()["sessions"].as_u64().unwrap();
    assert!(sessions < 20, "{sessions}");
}

#[test]
fn a_runtime_that_answers_nothing_cannot_be_used() {
    let run = run("sleeps", &[]);
    run.names_one_cause("hung", "no answer to initialize within 2000 ms", 3);
    assert!(!run.done.out.contains("0 cases"), "{}", run.done.out);
    assert_eq!(run.report["clauses"], serde_json::json!([]));
    let causes: Vec<&Value> = run.report["failures"].as_array().unwrap().iter().collect();
    assert_eq!(causes.len(), 1, "{causes:?}");
    assert_eq!(causes[0]["cause"]["kind"], "hung");
}

#[test]
fn a_runtime_that_is_killed_in_the_middle_of_a_prompt_is_named_with_its_signal() {
    let run = run("dies", &["--clause", "initial.core"]);
    let words = "the runtime crashed during session/prompt: signal: 9 (SIGKILL)";
    run.names_one_cause("crashed", words, 1);
    assert_eq!(run.verdicts("pass"), 1, "{}", run.done.out);
}

#[cfg(target_os = "linux")]
#[test]
fn a_runtime_that_wants_more_memory_than_it_may_have_does_not_get_it() {
    let run = run("swells", &["--clause", "initial.core"]);
    run.names_one_cause("crashed", "MemoryError", 1);
    assert_eq!(run.verdicts("pass"), 0, "{}", run.done.out);
}

#[test]
fn fifty_children_that_follow_no_signal_end_with_their_runtime() {
    let run = run("breeds", &["--clause", "initial.core"]);
    assert_eq!(run.causes().len(), 0, "{}", run.done.out);
    assert_eq!((run.verdicts("pass"), run.done.code), (1, 0), "{}", run.done.out);
}

#[test]
fn a_runtime_that_stays_when_it_is_asked_to_end_is_ended() {
    let run = run("stays", &["--clause", "initial.core"]);
    assert_eq!(run.causes().len(), 0, "{}", run.done.out);
    assert_eq!((run.verdicts("pass"), run.done.code), (1, 0), "{}", run.done.out);
}

#[test]
fn a_runtime_that_reads_no_more_has_hung() {
    // More than a pipe holds: what is sent waits as well.
    let run = run("reads no more", &["--clause", "initial.cost"]);
    run.names_one_cause("hung", "no answer to session/open within 1000 ms", 1);
    assert_eq!(run.verdicts("pass"), 0, "{}", run.done.out);
}

#[test]
fn a_line_without_an_end_is_over_the_limit_and_goes_no_further() {
    let run = run("floods", &["--clause", "initial.core", "--jobs", "1"]);
    run.names_one_cause("protocol", "a line on standard output is over the limit", 1);
    assert_eq!(run.verdicts("pass"), 1, "{}", run.done.out);
    for report in ["run.json", "run.ndjson"] {
        assert!(run.place.read(report).len() < 1_000_000, "{report}");
    }
}

#[test]
fn a_line_that_is_no_json_is_quoted() {
    let run = run("babbles", &["--clause", "initial.core"]);
    run.names_one_cause("protocol", "the line: I am thinking about it…", 1);
    assert_eq!(run.verdicts("pass"), 1, "{}", run.done.out);
}

#[test]
fn a_runtime_that_answers_each_prompt_with_an_error_does_not_conform() {
    let run = run("declines", &["--clause", "initial.core"]);
    run.names_one_cause("failed", "the runtime answered with error -32000: not today", 1);
}

/// Two secrets: one that the settings give to the runtime, one of the caller.
const SECRETS: [&str; 2] = ["mellon-mellon-mellon", "open-sesame-1234"];

#[test]
fn what_a_runtime_was_told_in_confidence_is_quoted_nowhere() {
    let place = Place::new().with_variable("A_TOKEN", SECRETS[1]);
    place.write("runtime.py", RUNTIME);
    let settings =
        "[runtimes.mine]\ncommand = [\"python3\", \"runtime.py\", \"tells\", \"counter\"]\n";
    place.write("tacit.toml", &format!("{settings}env = {{ GIVEN = \"{}\" }}\n", SECRETS[0]));
    let run = ["run", "--seed", "7", "--cases", "8", "--jobs", "1", "--verbose"];
    let reports = ["json=out/r.json", "junit=out/r.xml", "ndjson=out/r.ndjson"];
    let reports = reports.iter().flat_map(|report| ["--report", report]);
    let run: Vec<&str> = run.into_iter().chain(reports).collect();
    let mut texts = Vec::new();
    let compare = ["compare", "mine", "reference", "--cases", "0", "--jobs", "1"];
    for arguments in [&run[..], &["smoke"], &compare] {
        let done = place.tacit_to_its_end(arguments);
        texts.extend([done.out, done.err]);
    }
    for file in std::fs::read_dir(place.path("out")).unwrap() {
        texts.push(std::fs::read_to_string(file.unwrap().path()).unwrap());
    }
    let all = texts.concat();
    for way in ["the log tells", "the error tells", "the prompt tells", "the line tells"] {
        assert!(all.contains(&format!("{way} [GIVEN] and [A_TOKEN]")), "{way}: {all}");
    }
    assert!(SECRETS.iter().all(|secret| !all.contains(secret)), "{all}");
}

#[test]
fn a_runtime_that_does_something_else_each_time_is_flaky_and_not_shrunk() {
    let more = ["--clause", "initial.minimal", "--jobs", "1"];
    let run = run("changes", &more);
    assert_eq!(run.done.code, 1, "{}{}", run.done.out, run.done.err);
    assert!(run.causes().is_empty(), "{}", run.done.out);
    let found: Vec<&Value> =
        run.events.iter().filter(|event| event["event"] == "counterexampleFound").collect();
    let [found] = found[..] else { panic!("{}", run.done.out) };
    assert_eq!(found["clause"], "initial.minimal");
    assert!(found["reproduced"].as_u64().unwrap() < 3, "{found}");
    assert_eq!(found["steps"], found["stepsBefore"], "{found}");
    assert_eq!(run.done.out.matches("flaky: failed again in").count(), 1, "{}", run.done.out);
}
