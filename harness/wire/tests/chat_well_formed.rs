//! What a strict Chat Completions endpoint refuses, each rule by one change to a request that it
//! takes.

mod common;

use common::{Broken, Taken};
use serde_json::{Value, json};
use tacit_contract::ProviderKind;
use tacit_contract::protocol::Api;
use tacit_wire::{Rule, well_formed};

const KIND: ProviderKind = ProviderKind::native(Api::OpenaiChat);

fn good() -> Taken {
    let body = json!({
        "model": "m",
        "messages": [
            {"role": "system", "content": "You help."},
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "a", "arguments": "{}"}},
                {"id": "c2", "type": "function", "function": {"name": "b", "arguments": "{}"}},
            ]},
            {"role": "tool", "tool_call_id": "c2", "content": "two"},
            {"role": "tool", "tool_call_id": "c1", "content": "one"},
            {"role": "system", "tools": [
                {"type": "function", "function": {"name": "c", "parameters": {"type": "object"}}},
            ]},
            {"role": "assistant", "content": "done"},
            {"role": "user", "content": [{"type": "text", "text": "thanks"}]},
        ],
        "tools": [
            {"type": "function", "function": {"name": "a", "parameters": {"type": "object"}}},
            {"type": "function", "function": {"name": "b"}},
        ],
        "tool_choice": "auto",
    });
    Taken { kind: KIND, body }
}

fn broken(pointer: &str, new: &Value) -> Vec<Broken> {
    good().changed(pointer, new)
}

fn removed(parent: &str, key: &str) -> Vec<Broken> {
    good().removed(parent, key)
}

#[test]
fn a_good_request_has_no_problem() {
    let good = good();
    assert_eq!(good.found(&good.body), []);
}

#[test]
fn two_tools_of_one_name_are_refused() {
    assert_eq!(
        broken("/tools/1/function/name", &json!("a")),
        [(Rule::DuplicateName, "tools[1].function.name".into())]
    );
}

#[test]
fn a_name_that_the_api_forbids_is_refused() {
    for name in ["", "a b", "a.b", "é", &"n".repeat(65)] {
        assert_eq!(
            broken("/tools/1/function/name", &json!(name)),
            [(Rule::Name, "tools[1].function.name".into())]
        );
        assert_eq!(
            broken("/messages/2/tool_calls/0/function/name", &json!(name)),
            [(Rule::Name, "messages[2].tool_calls[0].function.name".into())]
        );
    }
    assert_eq!(broken("/tools/1/function/name", &json!("n".repeat(64))), []);
}

#[test]
fn a_result_without_its_call_is_refused() {
    assert_eq!(
        broken("/messages/3/tool_call_id", &json!("c9")),
        [
            (Rule::ResultWithoutCall, "messages[3].tool_call_id".into()),
            (Rule::CallWithoutResult, "messages[2].tool_calls[1]".into()),
        ]
    );
}

#[test]
fn a_call_without_its_result_is_refused() {
    assert_eq!(
        removed("/messages", "4"),
        [(Rule::CallWithoutResult, "messages[2].tool_calls[0]".into())]
    );
}

#[test]
fn a_message_between_call_and_result_is_refused() {
    assert_eq!(
        good().with("/messages", "4", json!({"role": "user", "content": "wait"})),
        [
            (Rule::CallWithoutResult, "messages[2].tool_calls[0]".into()),
            (Rule::ResultWithoutCall, "messages[5].tool_call_id".into()),
        ]
    );
}

#[test]
fn a_second_result_for_one_call_is_refused() {
    assert_eq!(
        broken("/messages/4/tool_call_id", &json!("c2")),
        [
            (Rule::AnsweredTwice, "messages[4].tool_call_id".into()),
            (Rule::CallWithoutResult, "messages[2].tool_calls[0]".into()),
        ]
    );
}

#[test]
fn two_calls_of_one_id_are_refused() {
    let rules = broken("/messages/2/tool_calls/1/id", &json!("c1"));
    assert_eq!(rules[0], (Rule::DuplicateCallId, "messages[2].tool_calls[1].id".into()));
}

#[test]
fn an_id_of_no_or_of_too_many_bytes_is_refused() {
    for id in [String::new(), "i".repeat(41)] {
        let rules = broken("/messages/2/tool_calls/1/id", &json!(id));
        assert_eq!(rules[0], (Rule::CallId, "messages[2].tool_calls[1].id".into()));
    }
}

#[test]
fn an_id_may_come_back_in_a_later_message() {
    let good = good();
    let mut body = good.body.clone();
    if let Some(Value::Array(messages)) = body.get_mut("messages") {
        let again = [messages[2].clone(), messages[3].clone(), messages[4].clone()];
        messages.extend(again);
    }
    assert_eq!(good.found(&body), []);
}

#[test]
fn arguments_that_are_no_text_are_refused() {
    assert_eq!(
        broken("/messages/2/tool_calls/0/function/arguments", &json!({})),
        [(Rule::Arguments, "messages[2].tool_calls[0].function.arguments".into())]
    );
}

#[test]
fn a_message_without_content_is_refused() {
    assert_eq!(
        broken("/messages/1/content", &Value::Null),
        [(Rule::Content, "messages[1].content".into())]
    );
    assert_eq!(removed("/messages/6", "content"), [(Rule::Content, "messages[6].content".into())]);
}

#[test]
fn empty_lists_are_refused() {
    assert_eq!(
        broken("/messages/5/tools", &json!([])),
        [(Rule::EmptyList, "messages[5].tools".into())]
    );
    assert_eq!(broken("/messages", &json!([])), [(Rule::NoMessages, "messages".into())]);
    assert_eq!(
        broken("/tools", &json!([])),
        [(Rule::EmptyList, "tools".into()), (Rule::ToolChoice, "tool_choice".into())]
    );
}

#[test]
fn parameters_that_are_no_object_schema_are_refused() {
    for schema in [json!(null), json!([]), json!({}), json!({"type": "string"})] {
        let rules = broken("/tools/0/function/parameters", &schema);
        let expected = if schema.is_null() {
            vec![]
        } else {
            vec![(Rule::Schema, "tools[0].function.parameters".to_owned())]
        };
        assert_eq!(rules, expected, "{schema}");
    }
}

#[test]
fn an_entry_without_a_type_is_refused() {
    assert_eq!(removed("/tools/0", "type"), [(Rule::Type, "tools[0].type".into())]);
    assert_eq!(
        removed("/messages/2/tool_calls/0", "type"),
        [(Rule::Type, "messages[2].tool_calls[0].type".into())]
    );
}

#[test]
fn a_request_without_a_model_is_refused() {
    assert_eq!(removed("", "model"), [(Rule::Model, "model".into())]);
}

#[test]
fn what_cannot_be_read_has_one_problem_that_says_why() {
    let rules: Vec<Rule> =
        well_formed(KIND, b"nothing").into_iter().map(|problem| problem.rule).collect();
    assert_eq!(rules, [Rule::Json]);
    assert_eq!(broken("/messages/0/role", &json!("x")), [(Rule::Shape, "messages[0].role".into())]);
}

#[test]
fn a_member_that_the_api_does_not_have_is_refused() {
    for (parent, key, place) in [
        ("", "addedToolNames", "addedToolNames"),
        ("", "input_schema", "input_schema"),
        ("/messages/3", "addedToolNames", "messages[3].addedToolNames"),
        ("/messages/3", "is_error", "messages[3].is_error"),
        ("/messages/7/content/0", "origin", "messages[7].content[0].origin"),
        ("/messages/2/tool_calls/0", "origin", "messages[2].tool_calls[0].origin"),
        ("/tools/0", "defer_loading", "tools[0].defer_loading"),
        ("/tools/0/function", "modes", "tools[0].function.modes"),
        ("/tools/0/function", "defer_loading", "tools[0].function.defer_loading"),
    ] {
        let rules = good().with(parent, key, json!(["x"]));
        assert_eq!(rules, [(Rule::UnknownKey, place.to_owned())]);
    }
}

#[test]
fn what_endpoints_of_the_api_take_beside_it_is_taken() {
    for (parent, key) in [
        ("", "reasoning_effort"),
        ("", "top_k"),
        ("", "thinking"),
        ("/messages/2", "reasoning_content"),
        ("/messages/7/content/0", "cache_control"),
        ("/tools/0/function", "strict"),
        ("/tools/0/function/parameters", "anything"),
    ] {
        assert_eq!(good().with(parent, key, json!({"some": "thing"})), [], "{key}");
    }
}

#[test]
fn tools_of_a_message_are_refused_where_nothing_is_loaded() {
    assert_eq!(good().found_where_plain(), [(Rule::NativeWhereOff, "messages[5].tools".into())]);
}
