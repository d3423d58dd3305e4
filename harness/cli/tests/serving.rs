//! `serve-reference`: the reference as any other program that speaks the adapter protocol.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use std::io::Write;
use std::process::Stdio;

use common::{Place, assert_fits};
use serde_json::{Value, json};

/// Sends lines to the reference, and gives what it answered.
fn answers(arguments: &[&str], lines: &[Value]) -> (Option<i32>, Vec<Value>) {
    let place = Place::new();
    let mut child =
        place.command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for line in lines {
        writeln!(input, "{line}").unwrap();
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (output.status.code(), answers)
}

#[test]
fn it_introduces_itself_and_shuts_down() {
    let protocol = Place::new().tacit(&["schema", "protocol"]);
    let protocol: Value = serde_json::from_str(&protocol.out).unwrap();
    let hello = json!({"protocolVersion": 1, "harness": {"name": "test", "version": "1"}});
    assert_fits(&protocol["methods"]["initialize"]["params"], &hello);
    let (code, answers) = answers(
        &["serve-reference", "--revision", "r2", "--fault", "no-cap"],
        &[
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}),
        ],
    );
    assert_eq!(code, Some(0));
    assert_eq!(answers[0]["id"], 1);
    assert_eq!(answers[0]["result"]["runtime"]["name"], "reference");
    assert_fits(&protocol["methods"]["initialize"]["result"], &answers[0]["result"]);
    assert_eq!(answers[1], json!({"jsonrpc": "2.0", "id": 2, "result": {}}));
}

#[test]
fn it_ends_with_its_input() {
    assert_eq!(answers(&["serve-reference"], &[]), (Some(0), Vec::new()));
}

#[test]
fn it_is_put_under_test_by_its_own_name_and_with_its_faults() {
    let place = Place::new();
    let done = place.tacit(&["smoke", "--runtime", "stdio:tacit serve-reference"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let base = place.with_a_counterexample();
    let file = format!("{base}.json");
    let faulty =
        place.tacit(&["replay", "--runtime", "stdio:tacit serve-reference --fault no-cap", &file]);
    assert_eq!(faulty.code, 1, "{}{}", faulty.out, faulty.err);
    let sound = place.tacit(&["replay", "--runtime", "stdio:tacit serve-reference", &file]);
    assert_eq!(sound.code, 0, "{}{}", sound.out, sound.err);
}
