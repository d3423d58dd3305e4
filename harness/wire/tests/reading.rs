//! What is read from requests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use serde_json::{Value, json};
use tacit_contract::ProviderKind;
use tacit_contract::protocol::Api;
use tacit_wire::{Channel, Item, RequestView, WireError, api_of, examine, outline, read};

const CHAT: Api = Api::OpenaiChat;
const KIND: ProviderKind = ProviderKind::native(CHAT);

fn view(body: &Value) -> RequestView {
    read(CHAT, body.to_string().as_bytes()).unwrap()
}

fn tool(name: &str) -> Value {
    json!({"type": "function", "function": {
        "name": name,
        "description": format!("what {name} is for"),
        "parameters": {"type": "object", "properties": {"input": {"type": "string"}}},
        "strict": false,
    }})
}

fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

/// A conversation in which a tool was loaded natively, in the form that was seen in the field.
fn natively_loaded() -> Value {
    json!({
        "model": "some-model",
        "messages": [
            {"role": "system", "content": "You help."},
            {"role": "developer", "content": [{"type": "text", "text": "In this folder."}]},
            {"role": "user", "content": [{"type": "text", "text": "How warm is it?"}]},
            {"role": "assistant", "content": null, "tool_calls": [
                call("c1", "ToolSearch", "{\"query\":\"weather\"}")]},
            {"role": "tool", "content": "activated: weather", "tool_call_id": "c1"},
            {"role": "system", "tools": [tool("weather")]},
            {"role": "assistant", "content": "Let me see.", "tool_calls": [
                call("c2", "weather", "{\"input\":\"Oslo\"}")]},
            {"role": "tool", "content": [{"type": "text", "text": "Mild."}], "tool_call_id": "c2"},
        ],
        "stream": true,
        "stream_options": {"include_usage": true},
        "store": false,
        "tools": [tool("read"), tool("ToolSearch")],
    })
}

#[test]
fn the_api_follows_from_the_end_of_the_path() {
    assert_eq!(api_of("/s/abc/v1/chat/completions?x=1"), Some(Api::OpenaiChat));
    assert_eq!(api_of("/v1/responses"), Some(Api::OpenaiResponses));
    assert_eq!(api_of("/v1/messages/"), Some(Api::AnthropicMessages));
    assert_eq!(api_of("/v1/messages/count_tokens"), None);
    assert_eq!(api_of("/v1/models"), None);
}

#[test]
fn the_base_prompt_is_all_system_text_before_the_first_user_message() {
    assert_eq!(view(&natively_loaded()).base_prompt, "You help.\n\nIn this folder.");
}

#[test]
fn what_follows_the_base_prompt_is_read_in_order() {
    let view = view(&natively_loaded());
    let kinds: Vec<&str> = view
        .items
        .iter()
        .map(|item| match item {
            Item::System { .. } => "system",
            Item::User { .. } => "user",
            Item::Assistant { .. } => "assistant",
            Item::Result { .. } => "result",
        })
        .collect();
    assert_eq!(kinds, ["user", "assistant", "result", "system", "assistant", "result"]);
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
    let view = view(&natively_loaded());
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
fn an_outline_is_the_view_without_its_schemas() {
    let body = natively_loaded().to_string();
    let mut whole = read(CHAT, body.as_bytes()).unwrap();
    for tool in &mut whole.tools {
        tool.schema = Value::Null;
    }
    assert_eq!(outline(KIND, body.as_bytes()).unwrap().0, whole);
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

#[test]
fn half_of_a_surrogate_pair_is_no_json() {
    let body = br#"{"messages": [{"role": "user", "content": "\ud800"}]}"#;
    assert!(matches!(read(CHAT, body), Err(WireError::NotJson { .. })));
}

#[test]
fn nesting_without_end_is_an_error_and_no_overflow() {
    let deep = "[".repeat(200_000);
    for body in [deep.clone(), format!("{{\"messages\":{deep}"), format!("{{\"other\":{deep}")] {
        assert!(read(CHAT, body.as_bytes()).is_err());
        assert!(outline(KIND, body.as_bytes()).is_err());
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        prop::sample::select(vec!["", "user", "system", "tool", "c1", "{}", "function"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let key = prop::sample::select(vec![
            "role",
            "content",
            "tools",
            "tool_calls",
            "id",
            "function",
            "name",
            "arguments",
            "parameters",
            "text",
            "type",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..4).prop_map(|members| members
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect()),
        ]
    })
}

/// Puts a value in a place of a document, the places counted in order.
fn put(document: &mut Value, place: &mut usize, new: &mut Option<Value>) {
    match document {
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                put(item, place, new);
            }
        }
        Value::Object(members) if !members.is_empty() => {
            for member in members.values_mut() {
                put(member, place, new);
            }
        }
        leaf if *place == 0 => *leaf = new.take().unwrap_or_else(|| leaf.take()),
        _ => {}
    }
    *place = place.wrapping_sub(1);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_body_with_anything_anywhere_is_read_or_refused(place in 0_usize..60, new in any_json()) {
        let mut body = natively_loaded();
        put(&mut body, &mut { place }, &mut Some(new));
        let _ = examine(KIND, body.to_string().as_bytes());
    }

    #[test]
    fn bytes_that_are_cut_or_changed_are_read_or_refused(
        at in 0_usize..1200,
        byte in any::<u8>(),
        keep in 0_usize..1200,
    ) {
        let mut body = natively_loaded().to_string().into_bytes();
        let length = body.len();
        body[at % length] = byte;
        let _ = examine(KIND, &body);
        body.truncate(keep);
        let _ = outline(KIND, &body);
    }

    #[test]
    fn any_json_at_all_is_read_or_refused(body in any_json()) {
        let _ = examine(KIND, body.to_string().as_bytes());
        let _ = examine(KIND, json!({"messages": body}).to_string().as_bytes());
    }
}
