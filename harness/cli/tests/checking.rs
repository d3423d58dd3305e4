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
