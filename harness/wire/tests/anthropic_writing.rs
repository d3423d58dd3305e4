//! The answers over Messages, read back as a client would.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::reply;
use proptest::prelude::*;
use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_wire::{Reply, ReplyCall, broken, refusal, write};

const API: Api = Api::AnthropicMessages;

/// What a client has put together: the blocks, why it stopped, whether that was the end.
#[derive(Debug, Default, PartialEq)]
struct Heard {
    blocks: Vec<Value>,
    open: Option<(Value, String)>,
    stop_reason: Option<String>,
    started: bool,
    ended: bool,
}

impl Heard {
    fn event(&mut self, data: &Value) {
        let kind = data["type"].as_str().unwrap();
        let is_next = data["index"] == json!(self.blocks.len());
        match kind {
            "ping" => {}
            "message_start" => {
                let message = &data["message"];
                assert_eq!(
                    (&message["role"], &message["content"]),
                    (&json!("assistant"), &json!([]))
                );
                assert!(message["usage"].is_object() && message["stop_reason"].is_null());
                self.started = true;
            }
            "content_block_start" => {
                assert!(is_next && self.open.is_none());
                self.open = Some((data["content_block"].clone(), String::new()));
            }
            "content_block_delta" => {
                let (block, heard) = self.open.as_mut().unwrap();
                let delta = &data["delta"];
                let (piece, of) = match delta["type"].as_str().unwrap() {
                    "text_delta" => (&delta["text"], "text"),
                    "input_json_delta" => (&delta["partial_json"], "tool_use"),
                    other => panic!("{other}"),
                };
                assert!(is_next && block["type"] == of);
                *heard += piece.as_str().unwrap();
            }
            "content_block_stop" => {
                let (mut block, heard) = self.open.take().unwrap();
                assert!(is_next);
                if block["type"] == "text" {
                    block["text"] = json!(heard);
                } else {
                    block["input"] = serde_json::from_str(&heard).unwrap();
                }
                self.blocks.push(block);
            }
            "message_delta" => {
                assert!(self.open.is_none() && data["usage"].is_object());
                self.stop_reason = data["delta"]["stop_reason"].as_str().map(str::to_owned);
            }
            "message_stop" => self.ended = true,
            other => panic!("{other}"),
        }
    }
}

/// What a client makes of a streamed answer; what is left of an event that broke off is nothing.
fn heard(body: &[u8]) -> Heard {
    let mut heard = Heard::default();
    for event in std::str::from_utf8(body).unwrap().split("\n\n") {
        let Some((name, data)) = event.split_once("\ndata: ") else { continue };
        let Ok(data) = serde_json::from_str::<Value>(data) else { continue };
        assert_eq!(name.strip_prefix("event: "), data["type"].as_str());
        heard.event(&data);
    }
    heard
}

#[test]
fn a_streamed_answer_comes_back_whole() {
    let written = write(API, &reply(), true);
    assert_eq!(written.content_type, "text/event-stream");
    let heard = heard(&written.body);
    assert_eq!(
        heard.blocks,
        [
            json!({"type": "text", "text": "I look — at once."}),
            json!({"type": "tool_use", "id": "c1_0_0", "name": "ToolSearch",
                "input": {"query": "weather in Tromsø"}}),
            json!({"type": "tool_use", "id": "c1_0_1", "name": "Read", "input": {}}),
        ]
    );
    assert_eq!(heard.stop_reason.as_deref(), Some("tool_use"));
    assert!(heard.started && heard.ended);
}

#[test]
fn streamed_or_not_an_answer_is_the_same() {
    for reply in [reply(), Reply::text("done"), Reply::calls(reply().calls), Reply::default()] {
        let written = write(API, &reply, false);
        assert_eq!(written.content_type, "application/json");
        let document: Value = serde_json::from_slice(&written.body).unwrap();
        let heard = heard(&write(API, &reply, true).body);
        assert_eq!(document["content"], json!(heard.blocks));
        assert_eq!(document["stop_reason"].as_str(), heard.stop_reason.as_deref());
        assert_eq!(document["role"], "assistant");
        assert!(document["usage"].is_object());
    }
}

#[test]
fn arguments_are_split_over_several_events() {
    let text = String::from_utf8(write(API, &reply(), true).body).unwrap();
    let pieces = text.matches("\"partial_json\":").count();
    assert!(pieces >= 4, "{pieces} in {text}");
}

#[test]
fn an_answer_of_text_alone_ends_the_turn() {
    let heard = heard(&write(API, &Reply::text("done"), true).body);
    assert_eq!(heard.stop_reason.as_deref(), Some("end_turn"));
    assert_eq!(heard.blocks, [json!({"type": "text", "text": "done"})]);
}

#[test]
fn an_empty_answer_has_no_blocks_and_ends_all_the_same() {
    let heard = heard(&write(API, &Reply::default(), true).body);
    assert_eq!(heard.blocks, Vec::<Value>::new());
    assert!(heard.ended);
}

#[test]
fn a_broken_answer_never_says_that_it_is_done() {
    for reply in [reply(), Reply::text("a"), Reply::default()] {
        let body = broken(API, &reply, true).body;
        assert!(!body.ends_with(b"\n\n"), "cut in the middle of an event");
        let heard = heard(&body);
        assert!(heard.started, "cut before it began");
        assert_eq!((heard.stop_reason, heard.ended), (None, false));
        let body = broken(API, &reply, false).body;
        assert!(serde_json::from_slice::<Value>(&body).is_err());
    }
}

#[test]
fn a_refusal_has_the_type_of_its_status() {
    for (status, kind) in [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (429, "rate_limit_error"),
        (500, "api_error"),
        (529, "overloaded_error"),
    ] {
        let body: Value = serde_json::from_slice(&refusal(API, status, "no").body).unwrap();
        assert_eq!(body["type"], "error");
        assert_eq!(body["error"], json!({"type": kind, "message": "no"}));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_and_any_argument_comes_back(text in "\\PC{0,40}", input in "\\PC{0,40}") {
        let call = ReplyCall {
            id: "c".into(),
            wire_name: "t".to_owned(),
            arguments: json!({"input": input}),
        };
        let reply = Reply { text: Some(text.clone()), calls: vec![call] };
        let heard = heard(&write(API, &reply, true).body);
        prop_assert_eq!(&heard.blocks[0]["text"], &json!(text));
        prop_assert_eq!(&heard.blocks[1]["input"], &json!({"input": input}));
        prop_assert!(!self::heard(&broken(API, &reply, true).body).ended);
    }
}
