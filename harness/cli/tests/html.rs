//! The HTML report and the site, read in a browser as people do: see `browser`.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::Place;
use serde_json::{Value, json};

/// What is read: a run with failures, and what was tried beside it.
const RUN: [&str; 11] = [
    "run",
    "--runtime",
    "reference+no-restore-on-prompt",
    "--seed",
    "7",
    "--cases",
    "2",
    "--jobs",
    "2",
    "--report",
    "ndjson=run.ndjson",
];

/// How many rows a report may have at least without being slow to read.
const ROWS: usize = 5000;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn installed(what: &str) -> PathBuf {
    let path = project().join(".runtimes").join(what);
    assert!(path.exists(), "{} is not there: run scripts/setup", path.display());
    path
}

/// What a command prints to be read beside a run.
fn printed(place: &Place, name: &str, arguments: &[&str]) {
    let done = place.tacit(&[arguments, &["--format", "json"]].concat());
    assert!(done.code < 2, "{}{}", done.out, done.err);
    place.write(name, &done.out);
}

/// The record with each of its scenarios under many more features.
fn enlarged(record: &str) -> String {
    let mut lines = Vec::new();
    for line in record.lines() {
        lines.push(line.to_owned());
        let event: Value = serde_json::from_str(line).unwrap();
        if event["event"] == "scenarioFinished" {
            lines.extend((1..=ROWS / 200).map(|number| {
                let mut event = event.clone();
                let feature = event["feature"].as_str().unwrap();
                event["feature"] = json!(format!("x-{number}/{feature}"));
                event.to_string()
            }));
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn the_html_report_and_the_site_are_read_in_a_browser() {
    let place = Place::new();
    assert_eq!(place.tacit(&RUN).code, 1);
    let few = ["--seed", "7", "--cases", "4", "--jobs", "2"];
    let faults =
        ["selftest", "--fault", "no-restore-on-prompt", "loader-deferred", "--only", "properties"];
    printed(&place, "matrix.json", &[&faults[..], &few].concat());
    let runtimes = ["compare", "reference", "reference+no-restore-on-prompt"];
    let clauses = ["--clause", "restore.use-evidence", "reset.each-prompt", "catalog.heading"];
    printed(&place, "table.json", &[&runtimes[..], &clauses, &few].concat());
    let made = place.tacit(&[
        "report",
        "run.ndjson",
        "matrix.json",
        "table.json",
        "--to",
        "html=report.html",
    ]);
    assert_eq!(made.code, 0, "{}", made.err);
    place.write("large.ndjson", &enlarged(&place.read("run.ndjson")));
    let made = place.tacit(&["report", "large.ndjson", "--to", "html=large.html"]);
    assert_eq!(made.code, 0, "{}", made.err);

    let made =
        place.tacit(&["report", "run.ndjson", "matrix.json", "table.json", "--site", "site"]);
    assert_eq!(made.code, 0, "{}", made.err);

    // The pictures of docs/reports.md are made by UPDATE_DOCS=1.
    let pictures = match std::env::var_os("UPDATE_DOCS") {
        Some(_) => project().join("docs/images"),
        None => place.folder().to_owned(),
    };
    read("report.js", &[&place.path("report.html"), &place.path("large.html"), &pictures]);
    read("site.js", &[&place.path("site"), &pictures]);
}

/// Lets a script of `browser` read some files.
fn read(script: &str, files: &[&PathBuf]) {
    let output = Command::new(installed("node/node_modules/.bin/node"))
        .arg(project().join("harness/cli/tests/browser").join(script))
        .arg(installed("chromium"))
        .args(files)
        .output()
        .unwrap();
    let said =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{}", said.concat());
}
