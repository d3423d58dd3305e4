//! Files of every kind, as they are and as they should not be.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_contract::{Mode, Profile, Row, Seen, Tool};
use tacit_recording::{Exchange, Kind, Limits, Listener, Passed, Piece, Recorded, Setting, read};
use tacit_wire::RequestView;

fn exchanges(text: &[u8]) -> Result<(Kind, Vec<Exchange>), String> {
    let mut all = Vec::new();
    let kind = reads(text, &mut |recorded| {
        if let Recorded::Exchange(exchange) = recorded {
            all.push(exchange);
        }
    })?;
    Ok((kind, all))
}

/// Reads a file of this content; an error without the name of its folder.
fn reads(text: &[u8], heard: &mut dyn FnMut(Recorded)) -> Result<Kind, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    std::fs::write(&path, text).unwrap();
    read(&path, None, heard)
        .map_err(|error| error.to_string().replace(&path.display().to_string(), "x"))
}

fn in_lines(values: &[Value]) -> String {
    values.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}

fn error(text: &[u8]) -> String {
    exchanges(text).unwrap_err()
}

fn chat(texts: &[&str]) -> Value {
    let messages: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let role = if at % 2 == 0 { "user" } else { "assistant" };
            json!({"role": role, "content": text})
        })
        .collect();
    let tool = json!({"type": "function", "function": {"name": "Read", "parameters": {}}});
    json!({"model": "m", "messages": messages, "tools": [tool]})
}

#[test]
fn a_log_holds_bodies_alone_or_beside_an_address() {
    let lines = [
        chat(&["a"]),
        json!({"path": "/v1/chat/completions?key=s3cret", "body": chat(&["b"])}),
        json!({"url": "https://me:s3cret@x/v1/messages", "request": {"messages": []}, "status": 429}),
        json!({"url": "https://x/v1/models", "body": null}),
        json!({"model": "m", "input": "c"}),
        json!({"messages": [], "system": "x", "metadata": {"api_key": "s3cret"}}),
    ];
    let text = in_lines(&lines);
    let (kind, all) = exchanges(text.as_bytes()).unwrap();
    assert_eq!(kind, Kind::Requests);
    let apis: Vec<_> = all.iter().map(|exchange| exchange.api).collect();
    let [chat, messages] = [Api::OpenaiChat, Api::AnthropicMessages].map(Some);
    assert_eq!(apis, [chat, chat, messages, None, Some(Api::OpenaiResponses), messages]);
    assert_eq!((all[2].status, all[2].place.as_str()), (Some(429), "line 3"));
    assert!(!format!("{all:?}").contains("s3cret"));
}

#[test]
fn a_har_file_is_read_entry_by_entry_without_its_headers() {
    let har = json!({"log": {"creator": {"name": "x"}, "entries": [
        {"request": {"method": "GET", "url": "https://x/"}},
        {"request": {
            "method": "POST",
            "url": "https://x/v1/chat/completions?api_key=s3cret",
            "headers": [{"name": "Cookie", "value": "s3cret"}],
            "cookies": [{"name": "s", "value": "s3cret"}],
            "postData": {"text": chat(&["say sk-s3cret0123456789abc"]).to_string()},
         }, "response": {"status": 500}},
    ]}});
    let (kind, all) = exchanges(har.to_string().as_bytes()).unwrap();
    assert_eq!((kind, all[0].api), (Kind::Har, None));
    assert_eq!((all[1].status, all[1].place.as_str()), (Some(500), "entry 2"));
    let kept = format!("{all:?}");
    assert!(!kept.contains("s3cret") && kept.contains("say [redacted]"), "{kept}");
}

#[test]
fn a_file_that_cannot_be_used_is_told_with_its_place() {
    assert!(error(b"").contains("it is empty"));
    for (text, found) in [("{\"hello\": 1}", "its first value"), ("Notes of a run", "it begins")] {
        let told = error(text.as_bytes());
        assert!(told.starts_with(&format!("tell what x is: {found}")), "{told}");
        assert!(told.contains(": expected a trace of tacit, a HAR file, "), "{told}");
    }
    let half = format!("{}\n{{\"messages\": [", chat(&["a"]));
    let cut = error(half.as_bytes());
    assert!(cut.contains("line 2, column") && cut.contains("breaks off in the middle"), "{cut}");
    let deep = format!("{{\"messages\": {}", "[".repeat(4000));
    assert!(error(deep.as_bytes()).contains("it is nested too deep"));
    let wrong = format!("{}\n{}", chat(&["a"]), "{\"model\": 1}");
    assert!(error(wrong.as_bytes()).contains("x: line 2: expected a request body"));
    let bytes = b"{\"messages\": \"\xff\"}";
    assert!(error(bytes).contains("it is no UTF-8 text"), "{}", error(bytes));
    let har = b"{\"log\": {\"entries\": [{\"request\": {\"url\": 7}}]}}";
    assert!(error(har).contains("at `log.entries[0].request.url`"), "{}", error(har));
    assert!(error(b"{\"log\": {}}").contains("expected `log` with `entries`"));
    let device = read(Path::new("/dev/null"), None, &mut |_| ()).unwrap_err().to_string();
    assert!(device.contains("it is no regular file"), "{device}");
}

#[test]
fn a_transcript_gives_the_rows_that_are_in_effect() {
    let call = |id: &str, parent: &str, tool: &str, added: Value, error: bool| {
        let calls = json!([{"type": "toolCall", "id": id, "name": tool, "arguments": {}}]);
        let result = format!("{id}-result");
        [
            json!({"type": "message", "id": id, "parentId": parent,
                "message": {"role": "assistant", "content": calls}}),
            json!({"type": "message", "id": result, "parentId": id, "message": {
                "role": "toolResult", "toolCallId": id, "toolName": tool, "isError": error,
                "addedToolNames": added}}),
        ]
    };
    let mut lines = vec![json!({"type": "session", "version": 3})];
    lines.extend(call("c1", "", "find", json!(["a"]), false));
    lines.extend(call("c2", "c1-result", "b", Value::Null, true));
    // A branch that was left: what counts is the way to the last entry.
    lines.extend(call("c3", "c1-result", "c", Value::Null, false));
    let text = in_lines(&lines);
    let mut rows = Vec::new();
    let kind = reads(text.as_bytes(), &mut |recorded| {
        if let Recorded::Rows(found) = recorded {
            rows = found;
        }
    });
    assert_eq!(kind.unwrap(), Kind::Pi);
    let answered = rows.iter().filter_map(|row| match row {
        Row::ToolResult { call_id, .. } => Some(call_id.as_str()),
        _ => None,
    });
    assert_eq!(answered.collect::<Vec<_>>(), ["c1", "c3"]);
}

/// Hears requests under small limits, and gives what came of them.
fn heard(path: &Path, limits: Limits) -> (Vec<Piece>, Passed, usize) {
    let profile = Profile::named("nib-r3").unwrap();
    let tools = |_: &[&RequestView]| Arc::<Vec<Tool>>::default();
    let setting = Setting { profile: &profile, mode: Mode::Agent, tools: &tools };
    let (mut pieces, mut largest) = (Vec::new(), 0);
    let mut given = |piece: Piece| {
        let bodies = piece.trace.log.iter().map(|entry| match &entry.seen {
            Seen::Requested(request) => request.body.len(),
            _ => 0,
        });
        largest = largest.max(bodies.sum());
        pieces.push(piece);
    };
    let mut listener = Listener::new(setting, limits, &mut given);
    read(path, None, &mut |recorded| {
        if let Recorded::Exchange(exchange) = recorded {
            listener.hear(exchange);
        }
    })
    .unwrap();
    let passed = listener.finish();
    (pieces, passed, largest)
}

#[test]
fn a_long_conversation_is_given_out_in_pieces_that_stay_small_and_miss_no_prompt() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let mut said: Vec<String> = Vec::new();
    let prompts = 60;
    for prompt in 0..prompts {
        said.push(format!("prompt {prompt} {}", "x".repeat(2000)));
        let texts: Vec<&str> = said.iter().map(String::as_str).collect();
        writeln!(file, "{}", chat(&texts)).unwrap();
        said.push("done".to_owned());
    }
    let size = usize::try_from(file.as_file().metadata().unwrap().len()).unwrap();
    let limits = Limits { window: 100_000, total: 300_000, conversations: 4 };
    let (pieces, passed, largest) = heard(file.path(), limits);
    let told = pieces.iter().flat_map(|piece| &piece.trace.log);
    let told = told.filter(|entry| matches!(entry.seen, Seen::Prompted { .. })).count();
    assert_eq!((told, passed), (prompts, Passed::default()));
    assert!(pieces.len() > 10 && largest < 300_000 && size > 10 * 300_000, "{largest} of {size}");
}

#[test]
fn conversations_that_run_side_by_side_are_told_apart() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let bodies = [
        chat(&["a"]),
        chat(&["b"]),
        chat(&["b", "2", "c"]),
        chat(&["a", "1", "d"]),
        chat(&["z", "1"]),
    ];
    for body in bodies {
        writeln!(file, "{body}").unwrap();
    }
    let (pieces, passed, _) = heard(file.path(), Limits::default());
    let places: Vec<Vec<&str>> =
        pieces.iter().map(|piece| piece.places.values().map(String::as_str).collect()).collect();
    // What may be a new context of the first is given out alone, and so is the last one, which
    // stands in the middle of a prompt.
    let told = [vec!["line 2"], vec!["line 5"], vec!["line 1", "line 4"], vec!["line 3"]];
    assert_eq!(places, told);
    assert_eq!(passed, Passed { midway: 1, ..Passed::default() });
}
