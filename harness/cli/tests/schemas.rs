//! The schemas, each held against what it describes.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::{Place, assert_fits};
use serde_json::{Value, json};

fn schema(name: &str) -> Value {
    let done = Place::new().tacit(&["schema", name]);
    assert_eq!(done.code, 0, "{}", done.err);
    serde_json::from_str(&done.out).unwrap()
}

#[test]
fn the_reports_of_a_run_fit_their_schemas() {
    let place = Place::new();
    let done = place.tacit(&[
        "run",
        "--runtime",
        "reference+no-cap",
        "--clause",
        "search.at-most-four",
        "--fail-fast",
        "--cases",
        "32",
        "--jobs",
        "1",
        "--report",
        "json=run.json",
        "--report",
        "ndjson=run.ndjson",
    ]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert_fits(&schema("report"), &place.json("run.json"));
    let event = schema("event");
    let record = place.read("run.ndjson");
    for line in record.lines() {
        assert_fits(&event, &serde_json::from_str(line).unwrap());
    }
    let session = schema("session");
    let kept = place.json(".tacit/corpus/search-at-most-four-1.json");
    assert_fits(&session, &kept);
    let mut odd = kept;
    odd["case"]["session"]["steps"][0] = json!({"step": "guess"});
    assert!(!jsonschema::validator_for(&session).unwrap().is_valid(&odd));
}

#[test]
fn every_message_of_the_protocol_has_a_schema_of_its_own() {
    let protocol = schema("protocol");
    let methods = protocol["methods"].as_object().unwrap();
    assert_eq!(methods.len(), 11);
    for (method, messages) in methods {
        for part in ["params", "result"] {
            assert!(jsonschema::validator_for(&messages[part]).is_ok(), "{method}: {part}");
        }
    }
    let open = jsonschema::validator_for(&methods["session/open"]["params"]).unwrap();
    assert!(!open.is_valid(&json!({"sessionId": "s1"})));
    assert_fits(&protocol["error"], &json!({"code": 2, "message": "no", "data": {"reason": "x"}}));
    let call = json!({"sessionId": "s1", "method": "tool.execute", "callId": "c1"});
    assert_fits(&protocol["host"]["call"], &call);
    assert_fits(&protocol["host"]["answer"], &json!({"status": "denied", "text": "no"}));
}

#[test]
fn a_thin_answer_fits_what_may_be_left_out() {
    let protocol = schema("protocol");
    let thin = json!({
        "protocolVersion": 1,
        "runtime": {"name": "mine", "version": "1"},
        "capabilities": {"providerApis": ["openai-chat"], "modes": ["agent"], "coreTools": "given"},
    });
    assert_fits(&protocol["methods"]["initialize"]["result"], &thin);
    assert_fits(&protocol["methods"]["session/prompt"]["result"], &json!({"stop": "end"}));
}

#[test]
fn the_trace_of_a_replay_fits_its_schema_and_check_finds_in_it_what_the_replay_found() {
    let place = Place::new();
    let kept = format!("{}.json", place.with_a_counterexample());
    let played = place.tacit(&["replay", &kept, "--traces", "seen/traces.ndjson"]);
    assert_eq!(played.code, 1, "{}{}", played.out, played.err);
    let traces = place.read("seen/traces.ndjson");
    let schema = schema("trace");
    assert!(!traces.is_empty());
    for line in traces.lines() {
        assert_fits(&schema, &serde_json::from_str(line).unwrap());
    }
    let checked = place.tacit(&["check", "seen/traces.ndjson"]);
    assert_eq!(checked.code, 1, "{}{}", checked.out, checked.err);
    let failing = |out: &str| out.lines().filter(|line| line.starts_with("FAIL")).count();
    assert_eq!(failing(&checked.out), 1, "{}", checked.out);
    assert!(checked.out.contains("FAIL  search.at-most-four"), "{}", checked.out);
}
