//! `OpenAI` Responses.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tacit_contract::{CallId, Tool, ToolCall};

use super::common::{as_text, bytes, events, legal_name, read_arguments, some, whole};
use super::{Answer, Draft, Unreadable};
use crate::context::{CallResult, Message};

/// What the id of a search that the model never made begins with.
const LOAD: &str = "load_";

/// The most bytes of an id.
const LONGEST_ID: usize = 40;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    instructions: &'a str,
    input: Vec<Item<'a>>,
    stream: bool,
    /// The transcript is ours to keep.
    store: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Function<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item<'a> {
    Message {
        role: &'static str,
        content: &'a str,
    },
    FunctionCall {
        call_id: &'a str,
        name: Cow<'a, str>,
        #[serde(serialize_with = "as_text")]
        arguments: &'a Value,
    },
    FunctionCallOutput {
        call_id: &'a str,
        output: &'a str,
    },
    ToolSearchCall {
        call_id: String,
        execution: &'static str,
        status: &'static str,
        arguments: &'a Value,
    },
    ToolSearchOutput {
        call_id: String,
        execution: &'static str,
        status: &'static str,
        tools: Vec<Function<'a>>,
    },
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "function")]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
    /// The API would else take a schema for one of its stricter kind.
    strict: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    defer_loading: bool,
}

/// Writes the body of a request.
pub(super) fn encode(model: &str, draft: &Draft<'_>) -> Vec<u8> {
    let mut input = Vec::with_capacity(draft.messages.len());
    for message in draft.messages {
        add(&mut input, message);
    }
    bytes(&Body {
        model,
        instructions: draft.system,
        input,
        stream: draft.stream,
        store: false,
        tools: draft.tools.iter().map(|tool| function(tool, false)).collect(),
    })
}

fn add<'a>(items: &mut Vec<Item<'a>>, message: &'a Message<'a>) {
    match message {
        Message::User(text) => items.push(Item::Message { role: "user", content: text }),
        Message::Assistant { text, calls } => {
            items.extend(text.map(|content| Item::Message { role: "assistant", content }));
            items.extend(calls.iter().map(|call| Item::FunctionCall {
                call_id: call.id.as_str(),
                name: legal_name(call.name.as_str()),
                arguments: &call.arguments,
            }));
        }
        Message::Results(results) => {
            items.extend(results.iter().map(|result| Item::FunctionCallOutput {
                call_id: result.id.as_str(),
                output: result.text,
            }));
            let loading = results.iter().filter(|result| !result.loads.is_empty());
            items.extend(loading.flat_map(load));
        }
    }
}

/// A search that the provider would have made, and what it found: that is how tools are loaded.
fn load<'a>(result: &CallResult<'a>) -> [Item<'a>; 2] {
    let (execution, status) = ("client", "completed");
    let (call_id, arguments) = (load_id(result.id), result.arguments);
    let tools = result.loads.iter().map(|tool| function(tool, true)).collect();
    [
        Item::ToolSearchCall { call_id: call_id.clone(), execution, status, arguments },
        Item::ToolSearchOutput { call_id, execution, status, tools },
    ]
}

/// An id that follows from that of the search that the model made.
fn load_id(search: &CallId) -> String {
    let own = search.as_str();
    let too_long = own.len().saturating_sub(LONGEST_ID - LOAD.len());
    let start = (too_long..=own.len()).find(|start| own.is_char_boundary(*start));
    LOAD.to_owned() + &own[start.unwrap_or_default()..]
}

fn function(tool: &Tool, defer_loading: bool) -> Function<'_> {
    Function {
        name: tool.name.as_str(),
        description: &tool.description,
        parameters: &tool.input_schema,
        strict: false,
        defer_loading,
    }
}

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    output: Vec<Output>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Output {
    Message {
        #[serde(default)]
        content: Vec<Part>,
    },
    FunctionCall {
        #[serde(default)]
        call_id: String,
        name: String,
        #[serde(default)]
        arguments: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Part {
    #[serde(alias = "refusal", default)]
    text: String,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Event {
    #[serde(rename = "response.output_item.done")]
    Item {
        #[serde(default)]
        output_index: usize,
        item: Output,
    },
    #[serde(
        rename = "response.completed",
        alias = "response.incomplete",
        alias = "response.failed"
    )]
    End { response: Response },
    #[serde(rename = "error")]
    Error,
    #[serde(other)]
    Other,
}

impl Response {
    fn answer(self) -> Result<Answer, Unreadable> {
        // One that was cut at its longest is all that there will be.
        if !matches!(self.status.as_deref(), None | Some("completed" | "incomplete")) {
            return Err(Unreadable::BrokeOff);
        }
        let mut text = String::new();
        let mut calls = Vec::new();
        for item in self.output {
            match item {
                Output::Message { content } => {
                    text.extend(content.into_iter().map(|part| part.text));
                }
                Output::FunctionCall { call_id, name, arguments } => calls.push(ToolCall {
                    id: call_id.into(),
                    name: name.into(),
                    arguments: read_arguments(&arguments),
                }),
                Output::Other => {}
            }
        }
        Ok(Answer { text: some(text), calls })
    }
}

/// Reads an answer that came in one piece.
pub(super) fn decode(body: &[u8]) -> Result<Answer, Unreadable> {
    whole::<Response>(body)?.answer()
}

/// Reads an answer that came as a stream of events: the items that were done, once the last
/// event has come. What ends it earlier, an error among the events included, has broken it off.
pub(super) fn decode_stream(body: &[u8]) -> Result<Answer, Unreadable> {
    let mut items: Vec<(usize, Output)> = Vec::new();
    for event in events::<Event>(body) {
        match event {
            Event::Item { output_index, item } => items.push((output_index, item)),
            Event::End { mut response } => {
                if !items.is_empty() {
                    items.sort_by_key(|(index, _)| *index);
                    response.output = items.into_iter().map(|(_, item)| item).collect();
                }
                return response.answer();
            }
            Event::Error => break,
            Event::Other => {}
        }
    }
    Err(Unreadable::BrokeOff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn stream(events: &[Value]) -> Vec<u8> {
        events.iter().flat_map(|event| format!("data: {event}\n\n").into_bytes()).collect()
    }

    fn call(index: usize, id: &str) -> Value {
        json!({"type": "response.output_item.done", "output_index": index, "item": {
            "type": "function_call", "id": "fc_1", "call_id": id, "name": "Read",
            "arguments": "{\"path\":\"a\"}", "status": "completed",
        }})
    }

    fn end(kind: &str, status: &str) -> Value {
        json!({"type": kind, "response": {"id": "r", "status": status, "output": []}})
    }

    #[test]
    fn items_that_are_done_make_the_answer_in_their_order() {
        let body = stream(&[
            json!({"type": "response.created", "response": {"status": "in_progress"}}),
            json!({"type": "response.function_call_arguments.delta", "delta": "{"}),
            call(2, "c2"),
            call(1, "c1"),
            json!({"type": "response.output_item.done", "output_index": 0, "item": {
                "type": "message", "content": [{"type": "output_text", "text": "hi"}],
            }}),
            end("response.completed", "completed"),
        ]);
        let answer = decode_stream(&body).unwrap_or_default();
        assert_eq!(answer.text.as_deref(), Some("hi"));
        let calls: Vec<_> = answer.calls.iter().map(|call| call.id.as_str()).collect();
        assert_eq!(calls, ["c1", "c2"]);
        assert_eq!(answer.calls[0].arguments, json!({"path": "a"}));
    }

    #[test]
    fn a_stream_without_its_last_event_or_with_an_error_has_broken_off() {
        for last in [
            vec![],
            vec![json!({"type": "error", "code": "server_error", "message": "oops"})],
            vec![end("response.failed", "failed")],
        ] {
            let body = stream(&[vec![call(0, "c1")], last].concat());
            assert_eq!(decode_stream(&body), Err(Unreadable::BrokeOff));
        }
        assert_eq!(decode_stream(b""), Err(Unreadable::BrokeOff));
    }

    #[test]
    fn an_answer_in_one_piece_is_read_as_well() {
        let body = json!({"status": "incomplete", "output": [
            {"type": "reasoning", "summary": [], "content": null},
            {"type": "message", "content": [
                {"type": "output_text", "text": "a"}, {"type": "refusal", "refusal": "b"},
            ]},
        ]});
        let answer = decode(body.to_string().as_bytes());
        assert_eq!(answer, Ok(Answer { text: Some("ab".into()), calls: Vec::new() }));
        assert_eq!(decode(b"{\"status\":\"comp"), Err(Unreadable::BrokeOff));
        assert_eq!(decode(b"{\"status\":\"failed\"}"), Err(Unreadable::BrokeOff));
    }

    #[test]
    fn the_id_of_a_load_follows_from_the_search_and_keeps_the_limit() {
        assert_eq!(load_id(&"c1".into()), "load_c1");
        let long = load_id(&"é".repeat(30).as_str().into());
        assert!(long.len() <= LONGEST_ID && long.starts_with("load_é"), "{long}");
    }
}
