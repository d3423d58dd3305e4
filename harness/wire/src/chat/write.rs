//! Answers in the API's own form.

use serde_json::{Value, json};

use crate::reply::{EVENT_STREAM, JSON, Reply, Written};
use crate::stream::{broken_off, events, half, pieces};

/// What every answer says of itself: fixed, so that equal sessions give equal bytes.
const ID: &str = "chatcmpl-scripted";
const MODEL: &str = "scripted";
const CREATED: u64 = 1_750_000_000;

pub(crate) fn write(reply: &Reply, stream: bool) -> Written {
    if stream {
        let mut told = said(reply);
        told.push(chunk(&json!([choice(&json!({}), Some(finish(reply)))])));
        let mut usage = chunk(&json!([]));
        usage["usage"] = tokens();
        told.push(usage);
        Written { content_type: EVENT_STREAM, body: (events(&told) + "data: [DONE]\n\n").into() }
    } else {
        Written { content_type: JSON, body: document(reply).to_string().into() }
    }
}

pub(crate) fn broken(reply: &Reply, stream: bool) -> Written {
    if stream {
        let body = broken_off(&said(reply), events);
        Written { content_type: EVENT_STREAM, body: body.into() }
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
                "function": {"name": call.wire_name, "arguments": call.written()},
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
        for piece in pieces(&call.written()) {
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

fn finish(reply: &Reply) -> &'static str {
    if reply.calls.is_empty() { "stop" } else { "tool_calls" }
}

fn tokens() -> Value {
    json!({"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2})
}
