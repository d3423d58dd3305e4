//! The answers over Responses, read back as a client would.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::reply;
use proptest::prelude::*;
use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_wire::{Reply, ReplyCall, broken, write};

const API: Api = Api::OpenaiResponses;

/// What a client makes of a streamed answer: the items that are done, put together from their
/// pieces and checked against what the events say at their ends.
#[derive(Debug, Default, PartialEq)]
struct Heard {
    items: Vec<Value>,
    open: Option<(Value, String)>,
    created: bool,
    completed: Option<Value>,
}

impl Heard {
    fn event(&mut self, event: &Value) {
        let kind = event["type"].as_str().unwrap();
        if kind.starts_with("response.output") || kind.starts_with("response.function") {
            assert_eq!(event["output_index"], json!(self.items.len()), "{event}");
        }
        match kind {
            "response.created" => self.created = true,
            "response.output_item.added" => {
                assert!(self.open.is_none());
                self.open = Some((event["item"].clone(), String::new()));
            }
            "response.output_text.delta" | "response.function_call_arguments.delta" => {
                let (item, heard) = self.open.as_mut().unwrap();
                assert_eq!(event["item_id"], item["id"]);
                heard.push_str(event["delta"].as_str().unwrap());
            }
            "response.output_text.done" => self.heard_is(&event["text"]),
            "response.content_part.done" => self.heard_is(&event["part"]["text"]),
            "response.function_call_arguments.done" => self.heard_is(&event["arguments"]),
            "response.output_item.done" => {
                let (begun, heard) = self.open.take().unwrap();
                let item = &event["item"];
                assert_eq!((&begun["id"], &begun["type"]), (&item["id"], &item["type"]));
                let whole = match item["type"].as_str().unwrap() {
                    "message" => &item["content"][0]["text"],
                    _ => &item["arguments"],
                };
                assert_eq!(*whole, json!(heard));
                self.items.push(item.clone());
            }
            "response.completed" => self.completed = Some(event["response"].clone()),
            "response.in_progress" | "response.content_part.added" => {}
            other => panic!("{other}"),
        }
    }

    fn heard_is(&self, whole: &Value) {
        assert_eq!(json!(self.open.as_ref().unwrap().1), *whole);
    }
}

fn heard(body: &[u8]) -> Heard {
    let text = std::str::from_utf8(body).unwrap();
    let mut heard = Heard::default();
    for (number, frame) in text.split("\n\n").filter(|frame| !frame.is_empty()).enumerate() {
        let (name, data) = frame.split_once('\n').unwrap_or((frame, ""));
        let data = data.strip_prefix("data: ").unwrap_or_default();
        let Ok(event) = serde_json::from_str::<Value>(data) else { continue };
        assert_eq!(name, format!("event: {}", event["type"].as_str().unwrap()));
        assert_eq!(event["sequence_number"], json!(number));
        heard.event(&event);
    }
    heard
}

#[test]
fn a_streamed_answer_comes_back_whole() {
    let written = write(API, &reply(), true);
    assert_eq!(written.content_type, "text/event-stream");
    let heard = heard(&written.body);
    assert_eq!(heard.items[0]["content"][0]["text"], "I look — at once.");
    assert_eq!(heard.items[1]["name"], "ToolSearch");
    assert_eq!(heard.items[1]["call_id"], "c1_0_0");
    assert_eq!(heard.items[1]["arguments"], json!({"query": "weather in Tromsø"}).to_string());
    assert_eq!(heard.items[2]["arguments"], "{}");
    let completed = heard.completed.unwrap();
    assert_eq!(completed["status"], "completed");
    assert_eq!(completed["output"], json!(heard.items));
    assert!(heard.created && completed["usage"]["total_tokens"].is_u64());
}

#[test]
fn the_ids_of_items_are_those_that_the_api_gives() {
    let heard = heard(&write(API, &reply(), true).body);
    let begins = |index: usize, with: &str| {
        assert!(heard.items[index]["id"].as_str().unwrap().starts_with(with));
    };
    begins(0, "msg_");
    begins(1, "fc_");
    assert_ne!(heard.items[1]["id"], heard.items[2]["id"]);
}

#[test]
fn arguments_are_split_over_several_events() {
    let written = write(API, &reply(), true);
    let text = String::from_utf8(written.body).unwrap();
    let pieces = text.matches("event: response.function_call_arguments.delta").count();
    assert!(pieces >= 4, "{pieces} in {text}");
}

#[test]
fn an_answer_that_is_not_streamed_is_one_document() {
    let written = write(API, &reply(), false);
    assert_eq!(written.content_type, "application/json");
    let document: Value = serde_json::from_slice(&written.body).unwrap();
    assert_eq!(document["object"], "response");
    assert_eq!(document["output"], json!(heard(&write(API, &reply(), true).body).items));
}

#[test]
fn an_empty_answer_has_no_output() {
    let heard = heard(&write(API, &Reply::default(), true).body);
    assert_eq!(heard.items, [] as [Value; 0]);
    assert_eq!(heard.completed.unwrap()["output"], json!([]));
    let document: Value =
        serde_json::from_slice(&write(API, &Reply::default(), false).body).unwrap();
    assert_eq!(document["output"], json!([]));
}

#[test]
fn a_broken_answer_never_says_that_it_is_done() {
    for reply in [reply(), Reply::text("a"), Reply::default()] {
        let body = broken(API, &reply, true).body;
        let text = String::from_utf8(body.clone()).unwrap();
        assert!(!text.ends_with("\n\n"), "cut in the middle of an event: {text}");
        let heard = heard(&body);
        assert!(heard.created && heard.completed.is_none());
        let body = broken(API, &reply, false).body;
        assert!(serde_json::from_slice::<Value>(&body).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_and_any_argument_comes_back(text in "\\PC{0,40}", input in "\\PC{0,40}") {
        let arguments = json!({"input": input});
        let call =
            ReplyCall { id: "c".into(), wire_name: "t".to_owned(), arguments: arguments.clone() };
        let reply = Reply { text: Some(text.clone()), calls: vec![call] };
        let heard = heard(&write(API, &reply, true).body);
        prop_assert_eq!(&heard.items[0]["content"][0]["text"], &json!(text));
        let said = heard.items[1]["arguments"].as_str().unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(said).unwrap(), arguments);
        let _ = broken(API, &reply, true);
    }
}
