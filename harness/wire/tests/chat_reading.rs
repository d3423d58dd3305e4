//! What is read from requests over Chat Completions.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{bodies, kinds};
use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_wire::{Channel, Item, RequestView, WireError, read};

const CHAT: Api = Api::OpenaiChat;

fn view(body: &Value) -> RequestView {
    read(CHAT, body.to_string().as_bytes()).unwrap()
}

fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

#[test]
fn the_base_prompt_is_all_system_text_before_the_first_user_message() {
    assert_eq!(view(&bodies::chat()).base_prompt, "You help.\n\nIn this folder.");
}

#[test]
fn what_follows_the_base_prompt_is_read_in_order() {
    let view = view(&bodies::chat());
    assert_eq!(kinds(&view), ["user", "assistant", "result", "system", "assistant", "result"]);
    let Item::Assistant { text, calls } = &view.items[4] else { panic!("{:?}", view.items[4]) };
    assert_eq!(text, "Let me see.");
    assert_eq!(calls[0].wire_name, "weather");
    assert_eq!(calls[0].arguments, json!({"input": "Oslo"}));
    let Item::Result { call_id, text, is_error } = &view.items[5] else { panic!() };
    assert_eq!((call_id.as_str(), text.as_str(), *is_error), ("c2", "Mild.", None));
    assert!(view.stream);
}

#[test]
fn a_tool_of_a_system_message_is_visible_there() {
    let view = view(&bodies::chat());
    let shown: Vec<_> =
        view.visible().map(|tool| (tool.wire_name.as_str(), tool.channel)).collect();
    assert_eq!(
        shown,
        [
            ("read", Channel::Tools),
            ("ToolSearch", Channel::Tools),
            ("weather", Channel::SystemMessage)
        ]
    );
    assert_eq!(view.tools[2].schema["properties"]["input"]["type"], "string");
    let places: Vec<_> = view.tools.iter().map(|tool| tool.loaded_at).collect();
    assert_eq!(places, [None, None, Some(3)]);
}

#[test]
fn the_older_list_of_functions_is_visible_too() {
    let view = view(&json!({
        "model": "m",
        "messages": [{"role": "user", "content": "hello"}],
        "functions": [{"name": "old", "parameters": {"type": "object"}}],
    }));
    assert_eq!(view.tools[0].wire_name, "old");
}

#[test]
fn a_user_message_keeps_one_text_a_block() {
    let view = view(&json!({"messages": [{"role": "user", "content": [
        {"type": "text", "text": "one"},
        {"type": "image_url", "image_url": {"url": "data:,"}},
        {"type": "text", "text": "two"},
    ]}]}));
    assert_eq!(view.items, [Item::User { texts: vec!["one".into(), "two".into()] }]);
}

#[test]
fn arguments_that_are_no_json_stay_a_text() {
    let view = view(&json!({"messages": [
        {"role": "assistant", "tool_calls": [call("c", "t", "{\"a\":")]},
    ]}));
    let Item::Assistant { calls, .. } = &view.items[0] else { panic!() };
    assert_eq!(calls[0].arguments, json!("{\"a\":"));
}

#[test]
fn an_error_names_the_field_what_it_holds_and_what_it_should_hold() {
    let body = json!({"messages": [{"role": "user", "content": 7}]}).to_string();
    let error = read(CHAT, body.as_bytes()).unwrap_err();
    let WireError::Shape { path, problem, .. } = &error else { panic!("{error}") };
    assert_eq!(path, "messages[0].content");
    assert!(problem.contains("integer `7`"), "{problem}");
    assert!(problem.contains("a text or a list of blocks"), "{problem}");
}

#[test]
fn a_role_that_the_api_does_not_have_is_an_error() {
    let body = json!({"messages": [{"role": "narrator", "content": "once"}]}).to_string();
    let error = read(CHAT, body.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("messages[0].role") && error.contains("narrator"), "{error}");
}
