//! Answers in the API's own form.

use serde_json::{Value, json};

use crate::reply::{EVENT_STREAM, JSON, Reply, Written};
use crate::stream::{half, pieces};

/// What every answer says of itself: fixed, so that equal sessions give equal bytes.
const ID: &str = "chatcmpl-scripted";
const MODEL: &str = "scripted";
const CREATED: u64 = 1_750_000_000;

pub(crate) fn write(reply: &Reply, stream: bool) -> Written {
    if stream {
        let mut events = said(reply);
        events.push(chunk(&json!([choice(&json!({}), Some(finish(reply)))])));
        let mut usage = chunk(&json!([]));
        usage["usage"] = tokens();
        events.push(usage);
        Written { content_type: EVENT_STREAM, body: (sse(&events) + "data: [DONE]\n\n").into() }
    } else {
        Written { content_type: JSON, body: document(reply).to_string().into() }
    }
}

pub(crate) fn broken(reply: &Reply, stream: bool) -> Written {
    if stream {
        let events = said(reply);
        // What was said last breaks off, but never the first event: a client should have begun.
        let whole = sse(&events[..events.len() - 1]);
        let last = sse(&events[events.len() - 1..]);
        Written { content_type: EVENT_STREAM, body: (whole + half(&last)).into() }
    } else {
        Written { content_type: JSON, body: half(&document(reply).to_string()).into() }
    }
}

fn document(reply: &Reply) -> Value {
    let mut message = json!({"role": "assistant", "content": reply.text});
    if !reply.calls.is_empty() {
        let calls = reply.calls.iter().map(|call| {
            json!({
                "id": call.id,
                "type": "function",
                "function": {"name": call.wire_name, "arguments": call.arguments.to_string()},
            })
        });
        message["tool_calls"] = calls.collect();
    }
    json!({
        "id": ID,
        "object": "chat.completion",
        "created": CREATED,
        "model": MODEL,
        "choices": [{
            "index": 0,
            "message": message,
            "logprobs": null,
            "finish_reason": finish(reply),
        }],
        "usage": tokens(),
    })
}

/// The events of what is said and called, without the end; at least two.
fn said(reply: &Reply) -> Vec<Value> {
    let mut deltas = vec![json!({"role": "assistant", "content": ""})];
    for piece in pieces(reply.text.as_deref().unwrap_or_default()) {
        deltas.push(json!({"content": piece}));
    }
    for (index, call) in reply.calls.iter().enumerate() {
        deltas.push(json!({"tool_calls": [{
            "index": index,
            "id": call.id,
            "type": "function",
            "function": {"name": call.wire_name, "arguments": ""},
        }]}));
        for piece in pieces(&call.arguments.to_string()) {
            let called = json!({"index": index, "function": {"arguments": piece}});
            deltas.push(json!({"tool_calls": [called]}));
        }
    }
    if deltas.len() == 1 {
        deltas.push(json!({"content": ""}));
    }
    deltas.iter().map(|delta| chunk(&json!([choice(delta, None)]))).collect()
}

fn choice(delta: &Value, finish: Option<&str>) -> Value {
    json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish})
}

fn chunk(choices: &Value) -> Value {
    json!({
        "id": ID,
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": MODEL,
        "choices": choices,
    })
}

fn sse(events: &[Value]) -> String {
    let mut text = String::new();
    for event in events {
        text.push_str("data: ");
        text.push_str(&event.to_string());
        text.push_str("\n\n");
    }
    text
}

fn finish(reply: &Reply) -> &'static str {
    if reply.calls.is_empty() { "stop" } else { "tool_calls" }
}

fn tokens() -> Value {
    json!({"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2})
}
