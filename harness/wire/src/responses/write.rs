//! Answers in the API's own form.

use serde_json::{Value, json};

use crate::reply::{EVENT_STREAM, JSON, Reply, ReplyCall, Written};
use crate::stream::{broken_off, half, named_events, pieces};

/// What every answer says of itself: fixed, so that equal sessions give equal bytes.
const ID: &str = "resp_scripted";
const MESSAGE: &str = "msg_scripted";
const MODEL: &str = "scripted";
const CREATED: u64 = 1_750_000_000;

pub(crate) fn write(reply: &Reply, stream: bool) -> Written {
    let whole = response(reply, "completed");
    if stream {
        let mut events = said(reply);
        events.add("response.completed", json!({"response": whole}));
        Written { content_type: EVENT_STREAM, body: named_events(&events.0).into() }
    } else {
        Written { content_type: JSON, body: whole.to_string().into() }
    }
}

pub(crate) fn broken(reply: &Reply, stream: bool) -> Written {
    if stream {
        let body = broken_off(&said(reply).0, named_events);
        Written { content_type: EVENT_STREAM, body: body.into() }
    } else {
        let whole = response(reply, "completed").to_string();
        Written { content_type: JSON, body: half(&whole).into() }
    }
}

/// The events of what is said and called, without the end; at least two.
fn said(reply: &Reply) -> Events {
    let mut events = Events::default();
    let begun = response(&Reply::default(), "in_progress");
    events.add("response.created", json!({"response": begun}));
    events.add("response.in_progress", json!({"response": begun}));
    let mut index = 0;
    if let Some(text) = &reply.text {
        events.message(index, text);
        index += 1;
    }
    for (call, index) in reply.calls.iter().zip(index..) {
        events.call(index, call);
    }
    events
}

/// The events of a stream, numbered.
#[derive(Default)]
struct Events(Vec<Value>);

impl Events {
    fn add(&mut self, kind: &str, members: Value) {
        let mut event = json!({"type": kind, "sequence_number": self.0.len()});
        if let (Value::Object(event), Value::Object(members)) = (&mut event, members) {
            event.extend(members);
        }
        self.0.push(event);
    }

    fn message(&mut self, index: usize, text: &str) {
        let mut begun = message(text, "in_progress");
        begun["content"] = json!([]);
        self.add("response.output_item.added", json!({"output_index": index, "item": begun}));
        let at = |member: &str, value: Value| json!({"item_id": MESSAGE, "output_index": index, "content_index": 0, member: value});
        self.add("response.content_part.added", at("part", part("")));
        for piece in pieces(text) {
            let mut delta = at("delta", json!(piece));
            delta["logprobs"] = json!([]);
            self.add("response.output_text.delta", delta);
        }
        let mut done = at("text", json!(text));
        done["logprobs"] = json!([]);
        self.add("response.output_text.done", done);
        self.add("response.content_part.done", at("part", part(text)));
        let item = message(text, "completed");
        self.add("response.output_item.done", json!({"output_index": index, "item": item}));
    }

    fn call(&mut self, index: usize, call: &ReplyCall) {
        let mut begun = called(call, "in_progress");
        begun["arguments"] = json!("");
        self.add("response.output_item.added", json!({"output_index": index, "item": begun}));
        let at = |member: &str, value: &str| json!({"item_id": item_id(call), "output_index": index, member: value});
        let arguments = call.written();
        for piece in pieces(&arguments) {
            self.add("response.function_call_arguments.delta", at("delta", piece));
        }
        let mut done = at("arguments", &arguments);
        done["name"] = json!(call.wire_name);
        self.add("response.function_call_arguments.done", done);
        let item = called(call, "completed");
        self.add("response.output_item.done", json!({"output_index": index, "item": item}));
    }
}

fn response(reply: &Reply, status: &str) -> Value {
    let said = reply.text.iter().map(|text| message(text, "completed"));
    let output: Vec<Value> =
        said.chain(reply.calls.iter().map(|call| called(call, "completed"))).collect();
    json!({
        "id": ID,
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "error": null,
        "incomplete_details": null,
        "instructions": null,
        "max_output_tokens": null,
        "metadata": {},
        "model": MODEL,
        "output": output,
        "parallel_tool_calls": true,
        "previous_response_id": null,
        "reasoning": {"effort": null, "summary": null},
        "store": false,
        "temperature": 1.0,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": if status == "completed" { tokens() } else { Value::Null },
        "user": null,
    })
}

fn message(text: &str, status: &str) -> Value {
    json!({
        "id": MESSAGE,
        "type": "message",
        "status": status,
        "role": "assistant",
        "content": [part(text)],
    })
}

fn part(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []})
}

fn called(call: &ReplyCall, status: &str) -> Value {
    json!({
        "id": item_id(call),
        "type": "function_call",
        "status": status,
        "call_id": call.id,
        "name": call.wire_name,
        "arguments": call.written(),
    })
}

/// The id of the item, which is not that of the call.
fn item_id(call: &ReplyCall) -> String {
    format!("fc_{}", call.id.as_str())
}

fn tokens() -> Value {
    json!({
        "input_tokens": 1,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 2,
    })
}
