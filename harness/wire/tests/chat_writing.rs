//! The answers over Chat Completions, read back as a client would.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::reply;
use proptest::prelude::*;
use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_wire::{Reply, ReplyCall, broken, write};

const CHAT: Api = Api::OpenaiChat;

/// What a client makes of a streamed answer: text, calls, the reason of the end.
#[derive(Debug, Default, PartialEq)]
struct Heard {
    text: String,
    calls: Vec<(String, String, String)>,
    finish: Option<String>,
    usage: bool,
    done: bool,
}

fn heard(body: &[u8]) -> Heard {
    let text = std::str::from_utf8(body).unwrap();
    let mut heard = Heard::default();
    for event in text.split("\n\n") {
        let Some(data) = event.strip_prefix("data: ") else { continue };
        if data == "[DONE]" {
            heard.done = true;
            continue;
        }
        let Ok(chunk) = serde_json::from_str::<Value>(data) else { continue };
        assert_eq!(chunk["object"], "chat.completion.chunk");
        heard.usage |= chunk["usage"].is_object();
        for choice in chunk["choices"].as_array().unwrap() {
            if let Some(finish) = choice["finish_reason"].as_str() {
                heard.finish = Some(finish.to_owned());
            }
            heard.text += choice["delta"]["content"].as_str().unwrap_or_default();
            for call in choice["delta"]["tool_calls"].as_array().into_iter().flatten() {
                let index = usize::try_from(call["index"].as_u64().unwrap()).unwrap();
                if index == heard.calls.len() {
                    let id = call["id"].as_str().unwrap().to_owned();
                    let name = call["function"]["name"].as_str().unwrap().to_owned();
                    heard.calls.push((id, name, String::new()));
                }
                heard.calls[index].2 += call["function"]["arguments"].as_str().unwrap();
            }
        }
    }
    heard
}

#[test]
fn a_streamed_answer_comes_back_whole() {
    let written = write(CHAT, &reply(), true);
    assert_eq!(written.content_type, "text/event-stream");
    let heard = heard(&written.body);
    assert_eq!(heard.text, "I look — at once.");
    assert_eq!(heard.calls[0].1, "ToolSearch");
    assert_eq!(heard.calls[0].2, json!({"query": "weather in Tromsø"}).to_string());
    assert_eq!(heard.calls[1], ("c1_0_1".into(), "Read".into(), "{}".into()));
    assert_eq!(heard.finish.as_deref(), Some("tool_calls"));
    assert!(heard.usage && heard.done);
}

#[test]
fn arguments_are_split_over_several_events() {
    let written = write(CHAT, &reply(), true);
    let text = String::from_utf8(written.body).unwrap();
    let pieces = text.matches("\"function\":{\"arguments\":").count();
    assert!(pieces >= 4, "{pieces} in {text}");
}

#[test]
fn an_answer_of_text_alone_stops() {
    let written = write(CHAT, &Reply::text("done"), true);
    let heard = heard(&written.body);
    assert_eq!((heard.text.as_str(), heard.finish.as_deref()), ("done", Some("stop")));
    assert_eq!(heard.calls, []);
}

#[test]
fn an_answer_that_is_not_streamed_is_one_document() {
    let written = write(CHAT, &reply(), false);
    assert_eq!(written.content_type, "application/json");
    let document: Value = serde_json::from_slice(&written.body).unwrap();
    let message = &document["choices"][0]["message"];
    assert_eq!(message["content"], "I look — at once.");
    assert_eq!(message["tool_calls"][1]["id"], "c1_0_1");
    assert_eq!(document["choices"][0]["finish_reason"], "tool_calls");
}

#[test]
fn a_broken_answer_never_says_that_it_is_done() {
    for reply in [reply(), Reply::text("a"), Reply::default()] {
        let body = broken(CHAT, &reply, true).body;
        let text = String::from_utf8(body.clone()).unwrap();
        assert!(!text.ends_with("\n\n"), "cut in the middle of an event: {text}");
        let heard = heard(&body);
        assert_eq!((heard.finish, heard.done), (None, false));
        let body = broken(CHAT, &reply, false).body;
        assert!(serde_json::from_slice::<Value>(&body).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_and_any_argument_comes_back(text in "\\PC{0,40}", input in "\\PC{0,40}") {
        let reply = Reply {
            text: Some(text.clone()),
            calls: vec![ReplyCall {
                id: "c".into(),
                wire_name: "t".to_owned(),
                arguments: json!({"input": input}),
            }],
        };
        let heard = heard(&write(CHAT, &reply, true).body);
        prop_assert_eq!(heard.text, text);
        prop_assert_eq!(
            serde_json::from_str::<Value>(&heard.calls[0].2).unwrap(),
            json!({"input": input})
        );
        let _ = broken(CHAT, &reply, true);
    }
}
