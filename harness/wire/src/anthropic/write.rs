//! Answers in the API's own form.

use serde_json::{Value, json};

use crate::reply::{EVENT_STREAM, JSON, Reply, Written};
use crate::stream::{broken_off, half, named_events, pieces};

/// What every answer says of itself: fixed, so that equal sessions give equal bytes.
const ID: &str = "msg_scripted";
const MODEL: &str = "scripted";

pub(crate) fn write(reply: &Reply, stream: bool) -> Written {
    if stream {
        let mut events = said(reply);
        events.push(json!({
            "type": "message_delta",
            "delta": {"stop_reason": stop_reason(reply), "stop_sequence": null},
            "usage": {"output_tokens": 1},
        }));
        events.push(json!({"type": "message_stop"}));
        Written { content_type: EVENT_STREAM, body: named_events(&events).into() }
    } else {
        Written { content_type: JSON, body: document(reply).to_string().into() }
    }
}

pub(crate) fn broken(reply: &Reply, stream: bool) -> Written {
    if stream {
        let body = broken_off(&said(reply), named_events);
        Written { content_type: EVENT_STREAM, body: body.into() }
    } else {
        Written { content_type: JSON, body: half(&document(reply).to_string()).into() }
    }
}

pub(crate) fn refusal(status: u16, message: &str) -> Value {
    let kind = match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    };
    json!({
        "type": "error",
        "error": {"type": kind, "message": message},
        "request_id": "req_scripted",
    })
}

fn document(reply: &Reply) -> Value {
    let text = reply.text.iter().map(|text| json!({"type": "text", "text": text}));
    let calls = reply.calls.iter().map(|call| {
        json!({
            "type": "tool_use",
            "id": call.id,
            "name": call.wire_name,
            "input": call.object(),
        })
    });
    message(&text.chain(calls).collect(), Some(stop_reason(reply)))
}

fn message(content: &Value, stop_reason: Option<&str>) -> Value {
    json!({
        "id": ID,
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": null,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    })
}

/// The events of what is said and called, without the end; at least two.
fn said(reply: &Reply) -> Vec<Value> {
    let mut events = vec![json!({"type": "message_start", "message": message(&json!([]), None)})];
    let mut index = 0;
    let mut block = |start: &Value, deltas: Vec<Value>| {
        events.push(json!({"type": "content_block_start", "index": index, "content_block": start}));
        for delta in deltas {
            events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        events.push(json!({"type": "content_block_stop", "index": index}));
        index += 1;
    };
    if let Some(text) = &reply.text {
        let delta = |piece| json!({"type": "text_delta", "text": piece});
        block(&json!({"type": "text", "text": ""}), pieces(text).into_iter().map(delta).collect());
    }
    for call in &reply.calls {
        let delta = |piece| json!({"type": "input_json_delta", "partial_json": piece});
        block(
            &json!({"type": "tool_use", "id": call.id, "name": call.wire_name, "input": {}}),
            pieces(&call.written()).into_iter().map(delta).collect(),
        );
    }
    if events.len() == 1 {
        events.push(json!({"type": "ping"}));
    }
    events
}

fn stop_reason(reply: &Reply) -> &'static str {
    if reply.calls.is_empty() { "end_turn" } else { "tool_use" }
}
