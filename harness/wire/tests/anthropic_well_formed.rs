//! What a strict Messages endpoint refuses, each rule by one change to a request that it takes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{Broken, Taken};
use serde_json::{Value, json};
use tacit_contract::ProviderKind;
use tacit_contract::protocol::Api;
use tacit_wire::Rule;

const API: Api = Api::AnthropicMessages;

/// A request with every form in which tools are loaded, and all that belongs to it.
fn good() -> Taken {
    let schema = json!({"type": "object", "properties": {"input": {"type": "string"}}});
    let mark = json!({"type": "ephemeral"});
    let body = json!({
        "model": "m",
        "max_tokens": 100,
        "stream": true,
        "metadata": {"user_id": "u"},
        "thinking": {"type": "adaptive"},
        "system": [{"type": "text", "text": "You help.", "cache_control": mark}],
        "tools": [
            {"name": "a", "description": "A.", "input_schema": schema,
                "eager_input_streaming": true},
            {"name": "b", "type": "custom", "input_schema": schema, "cache_control": mark},
            {"name": "c", "input_schema": schema, "defer_loading": true},
            {"name": "d", "input_schema": schema, "defer_loading": true, "strict": true},
            {"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"},
        ],
        "tool_choice": {"type": "auto"},
        "messages": [
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "text", "text": "Let me see."},
                {"type": "tool_use", "id": "c1", "name": "a", "input": {"input": "x"}},
                {"type": "tool_use", "id": "c2", "name": "b", "input": {}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c2", "is_error": true,
                    "content": [{"type": "text", "text": "two"}]},
                {"type": "tool_result", "tool_use_id": "c1",
                    "content": [{"type": "tool_reference", "tool_name": "c"}]},
                {"type": "text", "text": "one"},
            ]},
            {"role": "system", "content": [
                {"type": "text", "text": "More tools."},
                {"type": "tool_addition", "tool": {"type": "tool_definition",
                    "definition": {"name": "e", "input_schema": schema}}},
                {"type": "tool_removal", "tool": {"type": "tool_reference", "name": "e"}},
                {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "e"}},
            ]},
            {"role": "assistant", "content": [
                {"type": "server_tool_use", "id": "s1", "name": "tool_search_tool_regex",
                    "input": {"query": "d"}},
                {"type": "tool_search_tool_result", "tool_use_id": "s1", "content": {
                    "type": "tool_search_tool_search_result",
                    "tool_references": [{"type": "tool_reference", "tool_name": "d"}]}},
                {"type": "text", "text": "done"},
            ]},
            {"role": "user", "content": [
                {"type": "text", "text": "thanks", "cache_control": mark},
            ]},
        ],
    });
    Taken { kind: ProviderKind::native(API), body }
}

/// What the request breaks once one place of it holds something else, or something more.
fn with(pointer: &str, new: &Value) -> Vec<Broken> {
    let good = good();
    if good.body.pointer(pointer).is_some() {
        return good.changed(pointer, new);
    }
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    good.with(parent, key, new.clone())
}

fn without(pointer: &str) -> Vec<Broken> {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    good().removed(parent, key)
}

fn found(body: &Value) -> Vec<Broken> {
    good().found(body)
}

fn one(rule: Rule, place: &str) -> Vec<Broken> {
    vec![(rule, place.to_owned())]
}

#[test]
fn a_good_request_has_no_problem() {
    assert_eq!(found(&good().body), []);
}

#[test]
fn members_of_a_runtimes_own_are_refused_wherever_they_stand() {
    for (pointer, place) in [
        ("/origin", "origin"),
        ("/tools/0/modes", "tools[0].modes"),
        ("/messages/1/rows", "messages[1].rows"),
        ("/messages/2/content/0/addedToolNames", "messages[2].content[0].addedToolNames"),
        (
            "/messages/3/content/1/tool/definition/origin",
            "messages[3].content[1].tool.definition.origin",
        ),
    ] {
        assert_eq!(with(pointer, &json!([])), one(Rule::UnknownKey, place));
    }
}

#[test]
fn what_every_request_needs_is_asked_for() {
    assert_eq!(without("/model"), one(Rule::Model, "model"));
    assert_eq!(without("/max_tokens"), one(Rule::Shape, "max_tokens"));
    assert_eq!(with("/messages", &json!([])), one(Rule::NoMessages, "messages"));
}

#[test]
fn a_conversation_begins_with_the_user() {
    assert_eq!(without("/messages/0"), one(Rule::Order, "messages[0]"));
    let compacted = json!([{"type": "compaction", "content": "what was said"}]);
    let first = json!({"role": "assistant", "content": compacted});
    assert_eq!(with("/messages/0", &first), []);
}

#[test]
fn a_system_message_stands_behind_what_the_user_said() {
    let mut body = good().body;
    if let Some(Value::Array(messages)) = body.get_mut("messages") {
        messages.insert(6, json!({"role": "assistant", "content": "and"}));
        messages.insert(7, json!({"role": "system", "content": "Be brief."}));
    }
    assert_eq!(found(&body), one(Rule::Order, "messages[7]"));
}

#[test]
fn what_says_nothing_is_refused() {
    for (pointer, new, rule, place) in [
        ("/messages/0/content", json!(""), Rule::Content, "messages[0].content"),
        ("/messages/0/content", json!([]), Rule::EmptyList, "messages[0].content"),
        ("/messages/0/content", Value::Null, Rule::Content, "messages[0].content"),
        ("/messages/1/content/1/text", json!(" \n"), Rule::Content, "messages[1].content[1].text"),
        ("/messages/2/content/2/text", json!(""), Rule::Content, "messages[2].content[2].text"),
        ("/system/0/text", json!(""), Rule::Content, "system[0].text"),
        ("/messages/4/content", json!([]), Rule::EmptyList, "messages[4].content"),
    ] {
        assert_eq!(with(pointer, &new), one(rule, place), "{pointer} {new}");
    }
    assert_eq!(with("/messages/2/content/0/content", &json!("")), []);
    assert_eq!(with("/messages/2/content/0/content/0/text", &json!("")), []);
    assert_eq!(with("/messages/5/content/1", &json!({"type": "text", "text": " "})), []);
    assert_eq!(with("/messages/6", &json!({"role": "assistant", "content": ""})), []);
}

#[test]
fn a_block_stands_in_a_message_that_takes_its_kind() {
    let call = json!({"type": "tool_use", "id": "c3", "name": "a", "input": {}});
    assert_eq!(with("/messages/5/content/1", &call)[0].0, Rule::Shape);
    let reference = json!({"type": "tool_reference", "tool_name": "c"});
    assert_eq!(
        with("/messages/5/content/1", &reference),
        one(Rule::Shape, "messages[5].content[1]")
    );
    assert_eq!(
        with("/messages/5/content/0/type", &json!("input_text")),
        one(Rule::Type, "messages[5].content[0].type")
    );
    assert_eq!(
        without("/messages/5/content/0/type"),
        one(Rule::Type, "messages[5].content[0].type")
    );
    assert_eq!(
        with("/messages/5/content", &json!({"type": "text", "text": "thanks"})),
        one(Rule::Shape, "messages[5].content")
    );
}

#[test]
fn a_role_that_the_api_does_not_have_is_refused() {
    assert_eq!(with("/messages/0/role", &json!("tool")), one(Rule::Shape, "messages[0].role"));
}

#[test]
fn a_definition_has_a_name_a_schema_and_a_type_that_the_api_knows() {
    for name in ["", "a b", "a.b", "é", &"n".repeat(129)] {
        assert_eq!(with("/tools/0/name", &json!(name)), one(Rule::Name, "tools[0].name"));
    }
    assert_eq!(with("/tools/0/name", &json!("n".repeat(128))), []);
    assert_eq!(with("/tools/1/name", &json!("a")), one(Rule::DuplicateName, "tools[1].name"));
    assert_eq!(without("/tools/0/input_schema"), one(Rule::Schema, "tools[0].input_schema"));
    assert_eq!(
        with("/tools/0/input_schema/type", &json!("string")),
        one(Rule::Schema, "tools[0].input_schema")
    );
    assert_eq!(
        with("/messages/3/content/1/tool/definition/input_schema/type", &json!("string")),
        one(Rule::Schema, "messages[3].content[1].tool.definition.input_schema")
    );
    assert_eq!(with("/tools/0/type", &json!("function")), one(Rule::Type, "tools[0].type"));
}

#[test]
fn a_choice_among_tools_needs_tools() {
    let body = json!({
        "model": "m",
        "max_tokens": 1,
        "tool_choice": {"type": "auto"},
        "messages": [{"role": "user", "content": "hello"}],
    });
    assert_eq!(found(&body), one(Rule::ToolChoice, "tool_choice"));
}

#[test]
fn a_call_has_an_id_a_name_and_an_object_of_arguments() {
    let at = |member: &str| format!("/messages/1/content/2/{member}");
    for id in ["", "call|item", "c 1", &"i".repeat(65)] {
        assert_eq!(
            with(&at("id"), &json!(id))[0],
            (Rule::CallId, "messages[1].content[2].id".into())
        );
    }
    assert_eq!(
        with(&at("id"), &json!("c2"))[0],
        (Rule::DuplicateCallId, "messages[1].content[3].id".into())
    );
    assert_eq!(with(&at("name"), &json!("a.b")), one(Rule::Name, "messages[1].content[2].name"));
    for input in [json!("{}"), json!([]), Value::Null] {
        assert_eq!(
            with(&at("input"), &input),
            one(Rule::Arguments, "messages[1].content[2].input")
        );
    }
}

#[test]
fn each_call_is_answered_once_in_the_next_turn() {
    let unanswered = (Rule::CallWithoutResult, "messages[1].content[2]".to_owned());
    let id = |id: &str| with("/messages/2/content/1/tool_use_id", &json!(id));
    let place = "messages[2].content[1].tool_use_id".to_owned();
    assert_eq!(id("c9"), [(Rule::ResultWithoutCall, place.clone()), unanswered.clone()]);
    assert_eq!(id("c2"), [(Rule::AnsweredTwice, place), unanswered.clone()]);
    assert_eq!(without("/messages/2/content/1"), [unanswered]);
}

#[test]
fn a_message_between_calls_and_results_is_refused() {
    let mut body = good().body;
    if let Some(Value::Array(messages)) = body.get_mut("messages") {
        messages.insert(2, json!({"role": "system", "content": "wait"}));
    }
    let rules: Vec<Rule> = found(&body).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(
        rules,
        [
            Rule::CallWithoutResult,
            Rule::CallWithoutResult,
            Rule::ResultWithoutCall,
            Rule::ResultWithoutCall,
            Rule::Order,
        ]
    );
}

#[test]
fn results_stand_before_what_else_is_said() {
    let mut body = good().body;
    if let Some(Value::Array(blocks)) = body.pointer_mut("/messages/2/content") {
        blocks.swap(1, 2);
    }
    assert_eq!(found(&body), one(Rule::ResultsFirst, "messages[2].content[2]"));
}

#[test]
fn results_may_be_spread_over_user_messages_that_follow_one_another() {
    let mut body = good().body;
    if let Some(Value::Array(messages)) = body.get_mut("messages") {
        let second = messages[2]["content"].as_array_mut().unwrap().split_off(1);
        messages.insert(3, json!({"role": "user", "content": second}));
    }
    assert_eq!(found(&body), []);
}

#[test]
fn a_reference_names_a_tool_that_was_sent() {
    for (pointer, place) in [
        ("/messages/2/content/1/content/0/tool_name", "messages[2].content[1]"),
        ("/messages/3/content/2/tool/name", "messages[3].content[2]"),
        ("/messages/3/content/3/tool/name", "messages[3].content[3]"),
        ("/messages/4/content/1/content/tool_references/0/tool_name", "messages[4].content[1]"),
    ] {
        assert_eq!(with(pointer, &json!("z")), one(Rule::UnknownReference, place));
    }
}

#[test]
fn a_reference_names_its_tool() {
    assert_eq!(
        with("/messages/2/content/1/content/0", &json!({"type": "tool_reference"})),
        one(Rule::Shape, "messages[2].content[1].content[0].tool_name")
    );
    assert_eq!(
        with("/messages/3/content/2/tool", &json!({"type": "tool_reference"})),
        one(Rule::Shape, "messages[3].content[2].tool.name")
    );
}

#[test]
fn references_stand_alone_in_their_result() {
    assert_eq!(
        with("/messages/2/content/1/content/1", &json!({"type": "text", "text": "one"})),
        one(Rule::MixedReferences, "messages[2].content[1].content")
    );
}

#[test]
fn at_least_one_tool_is_not_deferred() {
    let mut body = good().body;
    for tool in body["tools"].as_array_mut().unwrap() {
        tool["defer_loading"] = json!(true);
        tool.as_object_mut().unwrap().shift_remove("cache_control");
    }
    assert_eq!(found(&body), one(Rule::AllDeferred, "tools"));
}

#[test]
fn cache_marks_are_few_and_on_no_deferred_tool() {
    let mark = json!({"type": "ephemeral"});
    assert_eq!(
        with("/tools/2/cache_control", &mark),
        one(Rule::CacheMarkOnDeferred, "tools[2].cache_control")
    );
    assert_eq!(with("/messages/4/content/2/cache_control", &mark), []);
    let mut body = good().body;
    body["messages"][4]["content"][2]["cache_control"] = mark.clone();
    body["messages"][2]["content"][0]["content"][0]["cache_control"] = mark;
    assert_eq!(found(&body), one(Rule::CacheMarks, "messages"));
}

#[test]
fn a_search_of_the_providers_own_and_what_it_found_stand_together() {
    assert_eq!(
        with("/messages/4/content/1/tool_use_id", &json!("s9")),
        [
            (Rule::NativePair, "messages[4].content[1].tool_use_id".into()),
            (Rule::NativePair, "messages[4].content[0]".into()),
        ]
    );
    assert_eq!(
        without("/messages/4/content/0"),
        one(Rule::NativePair, "messages[4].content[0].tool_use_id")
    );
    assert_eq!(without("/messages/4/content/1"), one(Rule::NativePair, "messages[4].content[0]"));
    let mut paused = good().body;
    if let Some(Value::Array(messages)) = paused.get_mut("messages") {
        messages.truncate(5);
        messages[4]["content"].as_array_mut().unwrap().truncate(1);
    }
    assert_eq!(found(&paused), []);
}

#[test]
fn a_plain_provider_refuses_every_native_form() {
    let refused = good().found_where_plain();
    assert!(refused.iter().all(|(rule, _)| *rule == Rule::NativeWhereOff), "{refused:?}");
    let places: Vec<&str> = refused.iter().map(|(_, place)| place.as_str()).collect();
    assert_eq!(
        places,
        [
            "tools[2].defer_loading",
            "tools[3].defer_loading",
            "tools[4]",
            "messages[2].content[1].content",
            "messages[3].content[1]",
            "messages[3].content[2]",
            "messages[3].content[3]",
            "messages[4].content[0]",
            "messages[4].content[1]",
        ]
    );
}

#[test]
fn a_thread_that_goes_on_may_answer_what_is_not_in_the_request() {
    let body = json!({
        "model": "m",
        "max_tokens": 1,
        "thread": {"type": "continue", "previous_message_id": "m1"},
        "messages": [{"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "c1", "content": "one"}]}],
    });
    assert_eq!(found(&body), []);
}
