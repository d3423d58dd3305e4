//! A published runtime whose traffic a proxy records on the way: what `check` says of the recording
//! is what `run` said of the runtime.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use common::Place;
use serde_json::Value;

/// What the provider takes for a key: it goes with every request, in a header.
const KEY: &str = "no-key-is-needed";

/// A program of an environment that `scripts/setup` makes.
fn installed(program: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.runtimes").join(program);
    assert!(path.exists(), "{} is not there: run scripts/setup", path.display());
    path
}

/// A recording proxy.
struct Proxy {
    process: Child,
    address: String,
}

impl Proxy {
    /// Starts one that leaves a HAR file, and waits until it says where it listens.
    fn start(place: &Place, har: &str) -> Self {
        let mut process = Command::new(installed("mitmproxy/bin/mitmdump"))
            .args(["--listen-host", "127.0.0.1", "--listen-port", "0", "--set", "flow_detail=0"])
            .args(["--set", &format!("hardump={}", place.path(har).display())])
            .args(["--set", &format!("confdir={}", place.path("proxy").display())])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let listens = lines.find_map(|line| {
            let line = line.unwrap();
            Some(line.split_once("listening at ")?.1.trim_end_matches('.').to_owned())
        });
        let address = listens.unwrap();
        // What it says from here on is read, so that it never waits for a reader.
        std::thread::spawn(move || lines.count());
        Self { process, address }
    }

    /// Ends it, as a user would; it writes its recording then.
    fn finish(mut self) {
        self.stop();
        assert!(self.process.wait().unwrap().success());
    }

    fn stop(&self) {
        let id = self.process.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().unwrap();
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        if let Ok(None) = self.process.try_wait() {
            self.stop();
        }
    }
}

/// The profile of the runtime, which leaves out what it does not claim.
const PROFILE: &str = include_str!("../../contract/profiles/pydantic-ai.toml");

/// The catalog that Nib has, and the runtime lacks.
const CATALOG: &str = r##"
[catalog]
heading = "# On-demand tools"
entry = "- $NAME: $DESCRIPTION"
overflow = "- and $COUNT more"
ends = "blank line"
entries = 64
line = 120
bytes = 12000
"##;

/// What is played: a tool is found and used, and the next prompt restores it.
const SESSION: &str = r#"
@counterexample @clause:catalog.heading
Feature: A conversation to be recorded

  Scenario: A tool is found, used, and there again
    Given an agent session with the tools
      | tool         | what it is for          | deferred in |
      | acme_weather | the weather of a city   | agent       |
      | beta_tickets | the tickets of a team   | agent       |
    And a provider of "anthropic-messages"
    And the model searched for "acme_weather" and used it in an earlier prompt
    When the user asks "go on"
    Then the runtime keeps "catalog.heading": the catalog is there
"#;

/// What `check` says of each clause in a file: its verdict, and why.
fn checked(place: &Place, file: &str) -> BTreeMap<String, (String, String)> {
    let reports = ["json=check.json", "junit=check.xml", "ndjson=check.ndjson"];
    let mut arguments = vec!["check", file, "--profile", "mine.toml", "--verbose"];
    arguments.extend(["--registry", "tools.json"]);
    arguments.extend(reports.iter().flat_map(|report| ["--report", report]));
    let done = place.tacit(&arguments);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let kept = ["check.json", "check.xml", "check.ndjson"].map(|name| place.read(name)).concat();
    assert!(![done.out, done.err, kept].iter().any(|text| text.contains(KEY)));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let report = place.json("check.json");
    let clauses = report["clauses"].as_array().unwrap().iter();
    clauses
        .map(|clause| (text(&clause["id"]), (text(&clause["verdict"]), text(&clause["reason"]))))
        .collect()
}

#[test]
fn what_a_proxy_recorded_is_judged_as_what_was_played() {
    let place = Place::new();
    let proxy = Proxy::start(&place, "traffic.har");
    let adapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters/pydantic-ai/adapter.py");
    let command = [installed("pydantic-ai/bin/python"), adapter];
    // A runtime is kept from every proxy but one that its settings name.
    let settings = format!(
        "[runtimes.recorded]\ncommand = {command:?}\n\
         env = {{ HTTP_PROXY = \"http://{}\", NO_PROXY = \"\", no_proxy = \"\" }}\n",
        proxy.address
    );
    place.write("tacit.toml", &settings);
    place.write("session.feature", SESSION);
    let (names, _) = PROFILE.split_once("[not-claimed]").unwrap();
    place.write("mine.toml", &[names, CATALOG].concat());
    let played = ["replay", "session.feature", "--profile", "mine.toml", "--traces", "trace.json"];
    let played = [&played[..], &common::PATIENT].concat();
    let played = place.tacit_to_its_end(&played);
    proxy.finish();
    assert_eq!(played.code, 1, "{}{}", played.out, played.err);
    // The recording holds the key, which shows that nothing else does by itself.
    assert!(place.read("traffic.har").contains(KEY));
    let tools = place.json("trace.json")["log"][0]["seen"]["tools"].clone();
    place.write("tools.json", &tools.to_string());

    let (live, recorded) = (checked(&place, "trace.json"), checked(&place, "traffic.har"));
    for (id, (verdict, reason)) in &recorded {
        let (played, why) = &live[id];
        let agrees = verdict == played || reason.starts_with("a recording does not show");
        assert!(agrees, "{id}: {verdict} {reason}, and when it was played {played} {why}");
    }
    let kept = ["search.exact", "activation.next-request", "restore.search-evidence"];
    for (id, wanted) in kept.map(|id| (id, "pass")).into_iter().chain([("catalog.names", "fail")]) {
        assert_eq!(recorded[id].0, wanted, "{id}: {}", recorded[id].1);
    }
}
