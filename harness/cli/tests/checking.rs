//! `tacit check`: what is printed, and how it ends.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::Place;
use serde_json::{Value, json};

/// A request of a runtime with the core tools of the default profile and some more.
fn request(prompt: &str, more: &[&str]) -> Value {
    let core = ["Read", "Bash", "Edit", "Write", "Glob", "Grep", "new_context", "ToolSearch"];
    let tools: Vec<Value> = core
        .iter()
        .chain(more)
        .map(|name| {
            let parameters = json!({"type": "object", "properties": {}});
            json!({"type": "function", "function":
                {"name": name, "description": name, "parameters": parameters}})
        })
        .collect();
    let base = "You help.\n\n# On-demand tools\nCall ToolSearch first.\n- acme_weather: a city\n";
    let messages =
        json!([{"role": "system", "content": base}, {"role": "user", "content": prompt}]);
    let body = json!({"model": "m", "messages": messages, "tools": tools});
    json!({"path": "/v1/chat/completions?key=s3cret", "body": body})
}

#[test]
fn what_was_kept_is_no_claim_to_conform_and_what_was_broken_has_its_place() {
    let place = Place::new();
    place.write("kept.ndjson", &request("hello", &[]).to_string());
    place.write("broken.ndjson", &request("hello", &["acme_weather"]).to_string());
    place.write("other.ndjson", "{\"url\": \"https://x/v1/models\", \"body\": null}");
    let kept = place.tacit(&["check", "kept.ndjson"]);
    let last = kept.out.lines().last().unwrap();
    assert!(kept.code == 0 && last.starts_with("nothing failed:"), "{}{}", kept.out, kept.err);
    let broken = place.tacit(&["check", "broken.ndjson", "--format", "json"]);
    let report: Value = serde_json::from_str(&broken.out).unwrap();
    let clauses = report["clauses"].as_array().unwrap();
    let minimal = clauses.iter().find(|clause| clause["id"] == "initial.minimal").unwrap();
    assert_eq!((broken.code, &minimal["verdict"]), (1, &json!("fail")));
    let reason = minimal["reason"].as_str().unwrap();
    assert!(reason.contains("(broken.ndjson, line 1, prompt 1, request 1)"), "{reason}");
    assert!(!broken.out.contains("s3cret"));
    let other = place.tacit(&["check", "other.ndjson"]);
    assert_eq!(other.code, 4, "{}", other.out);
}

#[test]
fn a_file_that_is_no_recording_is_an_error_and_no_verdict() {
    let place = Place::new();
    place.write("half.har", "{\"log\": {\"entries\": [{\"request\": {");
    place.write("tools.json", "{\"tools\": [{\"description\": \"x\"}]}");
    place.write("log.ndjson", &request("hello", &[]).to_string());
    let half = place.tacit(&["check", "half.har"]);
    assert!(half.code == 2 && half.out.is_empty(), "{}", half.out);
    assert!(half.err.contains("at `log.entries[0].request`, line 1"), "{}", half.err);
    let tools = place.tacit(&["check", "log.ndjson", "--registry", "tools.json"]);
    assert_eq!(tools.code, 2);
    assert!(tools.err.contains("tools[0]") && tools.err.contains("`name`"), "{}", tools.err);
    assert_eq!(place.tacit(&["check", "nowhere.har"]).code, 2);
}

#[test]
fn among_recordings_a_file_that_is_none_is_passed_over_and_alone_it_is_an_error() {
    let place = Place::new();
    place.write("SUMMARY.txt", "Two requests, both\nof one prompt");
    place.write("broken.ndjson", &request("hello", &["acme_weather"]).to_string());
    let both = place.tacit(&["check", "SUMMARY.txt", "broken.ndjson"]);
    assert_eq!(both.code, 1, "{}{}", both.out, both.err);
    let said = both.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let passed =
        "passed over: failed to tell what SUMMARY.txt is: it begins with no JSON object: expected";
    assert!(said.contains(passed) && said.contains("FAIL initial.minimal"), "{}", both.out);
    let alone = place.tacit(&["check", "SUMMARY.txt"]);
    assert!(alone.code == 2 && alone.out.is_empty(), "{}", alone.out);
    let as_one = place.tacit(&["check", "SUMMARY.txt", "broken.ndjson", "--kind", "requests"]);
    assert!(as_one.code == 2 && as_one.err.contains("line 1"), "{}", as_one.err);
}

/// A row of Nib's sidecar for a call of a tool, with what is said beside.
fn called(id: &str, tool: &str, beside: &Value) -> Value {
    let mut row = json!({"id": id, "role": "tool", "content": "", "status": "complete",
        "createdAt": "2026-09-01T00:00:03Z", "toolCallId": id, "toolName": tool, "toolArgs": {},
        "toolStatus": "success", "isError": false, "toolResult": {"content": []}});
    let members = row.as_object_mut().unwrap();
    members.extend(beside.as_object().unwrap().clone());
    members.retain(|_, value| !value.is_null());
    row
}

/// What the next prompt after these rows has to restore, each with the call that proves it.
fn restored(rows: &[Value]) -> Vec<(String, String)> {
    let place = Place::new();
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    place.write("rows.ndjson", &lines.join("\n"));
    let done = place.tacit(&["check", "rows.ndjson", "--format", "json"]);
    assert_eq!(done.code, 4, "{}{}", done.out, done.err);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["files"][0]["kind"], "nib-rows");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let restores = report["files"][0]["restores"].as_array().unwrap().iter();
    restores.map(|found| (text(&found["tool"]), text(&found["by"]))).collect()
}

#[test]
fn the_rows_of_nib_prove_what_its_sidecar_would_take_for_proven() {
    let user = |id| json!({"id": id, "role": "user", "content": "go", "status": "complete"});
    let added = json!({"toolResult": {"content": [], "addedToolNames": ["alpha", ""]}});
    let rows = [
        user("u1"),
        json!({"id": "a1", "role": "assistant", "content": "", "status": "complete"}),
        called("c1", "ToolSearch", &added),
        called("c2", "beta", &json!({})),
        called("c3", "denied", &json!({"toolStatus": "denied"})),
        called("c4", "failed", &json!({"isError": true})),
        called("c5", "running", &json!({"toolStatus": "running", "toolResult": null})),
        called("c6", "says_so", &json!({"toolResult": {"content": [], "isError": true}})),
        called("c7", "below", &json!({"parentToolCallId": "c2"})),
        called("c8", "nobodys", &json!({"toolCallId": null})),
        user("u2"),
    ];
    let by = |tool: &str, call: &str| (tool.to_owned(), call.to_owned());
    // What went wrong, the row marks; a mark inside its result counts for nothing.
    let proven = [by("alpha", "c1"), by("beta", "c2"), by("says_so", "c6")];
    assert_eq!(restored(&rows), proven);
    let through = json!({"id": "k1", "summary": "s", "throughMessageId": "c1", "tokensBefore": 9,
        "createdAt": "2026-09-01T00:00:09Z", "retainedTail": [], "details": {}});
    let compacted = [&rows[..], &[through, user("u3")]].concat();
    assert_eq!(restored(&compacted), proven[1..]);
}
