//! Anthropic Messages.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tacit_contract::{Tool, ToolCall};

use super::common::{bytes, events, legal_name, read_arguments, some, whole};
use super::{Answer, Draft, Unreadable};
use crate::context::{CallResult, Message};

/// The most tokens of an answer; the API wants to be told.
const MOST_TOKENS: u32 = 8192;

/// What the user is taken to have said where the conversation begins with the model: the API
/// wants the user to begin.
const BEGINNING: &str = "(What was said before is left out.)";

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    system: &'a str,
    messages: Vec<Entry<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Definition<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    role: &'static str,
    content: Vec<Block<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'a> {
    Text { text: &'a str },
    ToolUse { id: &'a str, name: Cow<'a, str>, input: Cow<'a, Value> },
    ToolResult { tool_use_id: &'a str, content: Vec<Block<'a>>, is_error: bool },
    ToolReference { tool_name: &'a str },
}

#[derive(Serialize)]
struct Definition<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    defer_loading: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheMark>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "ephemeral")]
struct CacheMark {}

/// Writes the body of a request.
pub(super) fn encode(model: &str, draft: &Draft<'_>) -> Vec<u8> {
    let mut messages = Vec::with_capacity(draft.messages.len() + 1);
    if !matches!(draft.messages.first(), Some(Message::User(_))) {
        messages.push(Entry { role: "user", content: vec![Block::Text { text: BEGINNING }] });
    }
    messages.extend(draft.messages.iter().map(entry).filter(|entry| !entry.content.is_empty()));
    bytes(&Body {
        model,
        max_tokens: MOST_TOKENS,
        system: draft.system,
        messages,
        stream: draft.stream,
        tools: definitions(draft),
    })
}

/// The ordinary list, marked at its end as worth keeping, and behind it what results load.
fn definitions<'a>(draft: &'a Draft<'_>) -> Vec<Definition<'a>> {
    let mut definitions: Vec<_> = draft.tools.iter().map(|tool| definition(tool, false)).collect();
    if let Some(last) = definitions.last_mut() {
        last.cache_control = Some(CacheMark {});
    }
    let loaded = draft.messages.iter().flat_map(|message| match message {
        Message::Results(results) => &results[..],
        Message::User(_) | Message::Assistant { .. } => &[],
    });
    for tool in loaded.flat_map(|result| result.loads) {
        // One that is listed can be referred to as it stands.
        if !draft.tools.iter().any(|listed| listed.name == tool.name) {
            definitions.push(definition(tool, true));
        }
    }
    definitions
}

fn definition(tool: &Tool, defer_loading: bool) -> Definition<'_> {
    Definition {
        name: tool.name.as_str(),
        description: &tool.description,
        input_schema: &tool.input_schema,
        defer_loading,
        cache_control: None,
    }
}

fn entry<'a>(message: &'a Message<'a>) -> Entry<'a> {
    match message {
        Message::User(text) => Entry { role: "user", content: vec![Block::Text { text }] },
        Message::Assistant { text, calls } => {
            let said = text.map(|text| Block::Text { text });
            let called = calls.iter().map(|call| Block::ToolUse {
                id: call.id.as_str(),
                name: legal_name(call.name.as_str()),
                input: input(&call.arguments),
            });
            Entry { role: "assistant", content: said.into_iter().chain(called).collect() }
        }
        Message::Results(results) => {
            // References stand alone in their result, and no text may come before a result.
            let moved = results.iter().filter(|result| !result.loads.is_empty());
            let moved = moved.map(|result| Block::Text { text: result.text });
            Entry { role: "user", content: results.iter().map(returned).chain(moved).collect() }
        }
    }
}

fn returned<'a>(result: &CallResult<'a>) -> Block<'a> {
    let content = if result.loads.is_empty() {
        vec![Block::Text { text: result.text }]
    } else {
        let names = result.loads.iter().map(|tool| tool.name.as_str());
        names.map(|tool_name| Block::ToolReference { tool_name }).collect()
    };
    Block::ToolResult { tool_use_id: result.id.as_str(), content, is_error: result.failed }
}

/// The arguments of a call: the API takes an object, whatever the model wrote.
fn input(arguments: &Value) -> Cow<'_, Value> {
    if arguments.is_object() {
        Cow::Borrowed(arguments)
    } else {
        Cow::Owned(json!({"arguments": arguments}))
    }
}

#[derive(Deserialize)]
struct Whole {
    content: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part {
    Text {
        text: String,
    },
    ToolUse {
        #[serde(default)]
        id: String,
        name: String,
        #[serde(default)]
        input: Value,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    ContentBlockStart {
        index: usize,
        content_block: Part,
    },
    ContentBlockDelta {
        index: usize,
        delta: Delta,
    },
    MessageStop,
    Error,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "input_json_delta")]
    Input { partial_json: String },
    #[serde(other)]
    Other,
}

/// Reads an answer that came in one piece.
pub(super) fn decode(body: &[u8]) -> Result<Answer, Unreadable> {
    Ok(answer(whole::<Whole>(body)?.content))
}

/// Reads an answer that came as a stream of events, up to the one that ends it. What ends it
/// earlier, an error among the events included, has broken it off.
pub(super) fn decode_stream(body: &[u8]) -> Result<Answer, Unreadable> {
    // A block, and the text of its input so far.
    let mut blocks: Vec<(usize, Part, String)> = Vec::new();
    for event in events::<Event>(body) {
        match event {
            Event::ContentBlockStart { index, content_block } => {
                blocks.push((index, content_block, String::new()));
            }
            Event::ContentBlockDelta { index, delta } => {
                let block = blocks.iter_mut().find(|block| block.0 == index);
                match (block, delta) {
                    (Some((_, Part::Text { text }, _)), Delta::Text { text: more }) => {
                        text.push_str(&more);
                    }
                    (Some((_, _, written)), Delta::Input { partial_json }) => {
                        written.push_str(&partial_json);
                    }
                    _ => {}
                }
            }
            Event::MessageStop => {
                blocks.sort_by_key(|block| block.0);
                return Ok(answer(blocks.into_iter().map(|(_, part, written)| match part {
                    Part::ToolUse { id, name, .. } if !written.is_empty() => {
                        Part::ToolUse { id, name, input: read_arguments(&written) }
                    }
                    other => other,
                })));
            }
            Event::Error => break,
            Event::Other => {}
        }
    }
    Err(Unreadable::BrokeOff)
}

fn answer(parts: impl IntoIterator<Item = Part>) -> Answer {
    let mut said = String::new();
    let mut calls = Vec::new();
    for part in parts {
        match part {
            Part::Text { text } => said.push_str(&text),
            Part::ToolUse { id, name, input } => {
                calls.push(ToolCall { id: id.into(), name: name.into(), arguments: input });
            }
            Part::Other => {}
        }
    }
    Answer { text: some(said), calls }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(events: &[Value]) -> Vec<u8> {
        let line = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"]);
        events.iter().flat_map(|event| line(event).into_bytes()).collect()
    }

    fn start(index: usize, block: &Value) -> Value {
        json!({"type": "content_block_start", "index": index, "content_block": block})
    }

    fn delta(index: usize, delta: &Value) -> Value {
        json!({"type": "content_block_delta", "index": index, "delta": delta})
    }

    fn written(text: &str) -> Value {
        json!({"type": "input_json_delta", "partial_json": text})
    }

    #[test]
    fn blocks_that_come_in_pieces_are_put_together() {
        let body = stream(&[
            json!({"type": "message_start", "message": {"content": []}}),
            start(0, &json!({"type": "thinking", "thinking": ""})),
            delta(0, &json!({"type": "thinking_delta", "thinking": "hm"})),
            start(1, &json!({"type": "text", "text": ""})),
            delta(1, &json!({"type": "text_delta", "text": "h"})),
            delta(1, &json!({"type": "text_delta", "text": "i"})),
            start(2, &json!({"type": "tool_use", "id": "c1", "name": "Read", "input": {}})),
            start(3, &json!({"type": "tool_use", "id": "c2", "name": "Bash", "input": {}})),
            delta(2, &written("{\"pa")),
            json!({"type": "ping"}),
            delta(2, &written("th\":\"a\"}")),
            json!({"type": "content_block_stop", "index": 2}),
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
            json!({"type": "message_stop"}),
        ]);
        let call = |id: &str, name: &str, arguments| ToolCall {
            id: id.into(),
            name: name.into(),
            arguments,
        };
        let calls = vec![call("c1", "Read", json!({"path": "a"})), call("c2", "Bash", json!({}))];
        assert_eq!(decode_stream(&body), Ok(Answer { text: Some("hi".into()), calls }));
    }

    #[test]
    fn a_stream_without_its_last_event_or_with_an_error_has_broken_off() {
        let begun = start(0, &json!({"type": "text", "text": "half"}));
        let error = json!({"type": "error", "error": {"type": "overloaded_error"}});
        let over = json!({"type": "message_stop"});
        for events in [vec![begun.clone()], vec![begun, error, over]] {
            assert_eq!(decode_stream(&stream(&events)), Err(Unreadable::BrokeOff));
        }
        assert_eq!(decode_stream(b""), Err(Unreadable::BrokeOff));
    }

    #[test]
    fn an_answer_in_one_piece_is_read_as_well() {
        let body = json!({"stop_reason": "tool_use", "content": [
            {"type": "text", "text": "hi"},
            {"type": "tool_use", "id": "c", "name": "Read", "input": {"path": "a"}},
        ]});
        let answer = decode(body.to_string().as_bytes()).unwrap_or_default();
        assert_eq!(answer.text.as_deref(), Some("hi"));
        assert_eq!(answer.calls[0].arguments, json!({"path": "a"}));
        assert_eq!(decode(b"{\"content\":[{"), Err(Unreadable::BrokeOff));
    }

    #[test]
    fn a_conversation_begins_with_the_user_and_a_call_holds_an_object() {
        let odd = ToolCall { id: "c".into(), name: "Read".into(), arguments: json!("{oops") };
        let messages = [Message::Assistant { text: None, calls: vec![&odd] }];
        let draft = Draft { system: "s", messages: &messages, tools: &[], stream: true };
        let body: Value = serde_json::from_slice(&encode("m", &draft)).unwrap_or_default();
        assert_eq!(body["messages"][0]["role"], "user");
        assert_eq!(body["messages"][1]["content"][0]["input"], json!({"arguments": "{oops"}));
    }
}
