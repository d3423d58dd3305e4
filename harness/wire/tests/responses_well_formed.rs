//! What a strict Responses endpoint refuses, each rule by one change to a request that it takes.

mod common;

use common::bodies::{flat, responses};
use common::{Broken, Taken};
use serde_json::{Value, json};
use tacit_contract::ProviderKind;
use tacit_contract::protocol::Api;
use tacit_wire::Rule;

fn good() -> Taken {
    Taken { kind: ProviderKind::native(Api::OpenaiResponses), body: responses() }
}

fn broken(pointer: &str, new: &Value) -> Vec<Broken> {
    good().changed(pointer, new)
}

fn removed(parent: &str, key: &str) -> Vec<Broken> {
    good().removed(parent, key)
}

fn with(parent: &str, key: &str, new: Value) -> Vec<Broken> {
    good().with(parent, key, new)
}

fn one(rule: Rule, place: &str) -> Vec<Broken> {
    vec![(rule, place.to_owned())]
}

#[test]
fn a_good_request_has_no_problem() {
    let good = good();
    assert_eq!(good.found(&good.body), []);
}

#[test]
fn a_member_that_the_api_does_not_have_is_refused() {
    for (parent, key, place) in [
        ("", "addedToolNames", "addedToolNames"),
        ("", "messages", "messages"),
        ("/input/1", "tool_calls", "input[1].tool_calls"),
        ("/input/1/content/0", "origin", "input[1].content[0].origin"),
        ("/input/7", "addedToolNames", "input[7].addedToolNames"),
        ("/input/7", "is_error", "input[7].is_error"),
        ("/input/9/tools/0", "modes", "input[9].tools[0].modes"),
        ("/tools/0", "function", "tools[0].function"),
        ("/tools/3/tools/0", "origin", "tools[3].tools[0].origin"),
    ] {
        assert_eq!(with(parent, key, json!(["x"])), one(Rule::UnknownKey, place));
    }
    assert_eq!(with("/tools/0/parameters", "anything", json!({"some": "thing"})), []);
}

#[test]
fn a_request_without_a_model_or_input_is_refused() {
    assert_eq!(removed("", "model"), one(Rule::Model, "model"));
    assert_eq!(broken("/input", &json!([])), one(Rule::NoMessages, "input"));
    let good = good();
    assert_eq!(good.found(&json!({"model": "m"})), one(Rule::NoMessages, "input"));
    assert_eq!(good.found(&json!({"model": "m", "previous_response_id": "resp_1"})), []);
    assert_eq!(good.found(&json!({"model": "m", "input": "hello"})), []);
}

#[test]
fn names_that_the_api_forbids_are_refused() {
    for name in ["", "a b", "a.b", "é", &"n".repeat(65)] {
        assert_eq!(broken("/tools/2/name", &json!(name)), one(Rule::Name, "tools[2].name"));
        assert_eq!(broken("/tools/3/name", &json!(name)), one(Rule::Name, "tools[3].name"));
        let place = "input[9].tools[0].name";
        assert_eq!(broken("/input/9/tools/0/name", &json!(name)), one(Rule::Name, place));
        assert_eq!(broken("/input/4/name", &json!(name)), one(Rule::Name, "input[4].name"));
    }
    assert_eq!(removed("/tools/2", "name"), one(Rule::Name, "tools[2].name"));
}

#[test]
fn two_tools_of_one_list_with_one_name_are_refused() {
    let place = "tools[2].name";
    assert_eq!(broken("/tools/2/name", &json!("ToolSearch")), one(Rule::DuplicateName, place));
    let twice = with("/tools/3/tools", "1", flat("inner"));
    assert_eq!(twice, one(Rule::DuplicateName, "tools[3].tools[1].name"));
    let twice = with("/input/9/tools", "1", flat("weather"));
    assert_eq!(twice, one(Rule::DuplicateName, "input[9].tools[1].name"));
}

#[test]
fn parameters_that_are_no_object_schema_are_refused() {
    for schema in [json!([]), json!({}), json!({"type": "string"})] {
        let place = "tools[0].parameters";
        assert_eq!(broken("/tools/0/parameters", &schema), one(Rule::Schema, place));
    }
    assert_eq!(broken("/tools/0/parameters", &Value::Null), []);
}

#[test]
fn types_that_the_api_does_not_have_are_refused() {
    assert_eq!(removed("/tools/0", "type"), one(Rule::Type, "tools[0].type"));
    assert_eq!(broken("/tools/0/type", &json!("tool")), one(Rule::Type, "tools[0].type"));
    assert_eq!(broken("/tools/5/type", &json!("web_search_2025_08_26")), []);
    let place = "input[1].content[0].type";
    assert_eq!(broken("/input/1/content/0/type", &json!("text")), one(Rule::Type, place));
    let place = "input[3].content[0].type";
    assert_eq!(broken("/input/3/content/0/type", &json!("input_text")), one(Rule::Type, place));
    let item = json!({"type": "tool_result", "call_id": "c1", "output": "x"});
    assert_eq!(with("/input", "2", item), one(Rule::Type, "input[2].type"));
}

#[test]
fn arguments_that_are_no_text_are_refused() {
    let place = "input[4].arguments";
    assert_eq!(broken("/input/4/arguments", &json!({})), one(Rule::Arguments, place));
    assert_eq!(removed("/input/4", "arguments"), one(Rule::Arguments, place));
    assert_eq!(broken("/input/5/input", &json!({})), one(Rule::Arguments, "input[5].input"));
}

#[test]
fn messages_and_outputs_without_content_are_refused() {
    assert_eq!(removed("/input/1", "content"), one(Rule::Content, "input[1].content"));
    assert_eq!(removed("/input/7", "output"), one(Rule::Content, "input[7].output"));
    assert_eq!(
        removed("/input/1/content/0", "text"),
        one(Rule::Content, "input[1].content[0].text")
    );
    assert_eq!(broken("/input/7/output", &json!({})), one(Rule::Shape, "input[7].output"));
}

#[test]
fn an_id_of_another_type_of_item_is_refused() {
    for (pointer, place) in [("/input/2/id", "input[2].id"), ("/input/4/id", "input[4].id")] {
        assert_eq!(broken(pointer, &json!("call_1")), one(Rule::ItemId, place));
    }
    assert_eq!(removed("/input/4", "id"), []);
}

#[test]
fn a_result_without_its_call_is_refused() {
    assert_eq!(
        broken("/input/6/call_id", &json!("c9")),
        [
            (Rule::ResultWithoutCall, "input[6].call_id".into()),
            (Rule::CallWithoutResult, "input[5]".into()),
        ]
    );
    let early = json!({"type": "function_call_output", "call_id": "c1", "output": "x"});
    let rules = with("/input", "4", early);
    assert_eq!(rules, one(Rule::ResultWithoutCall, "input[4].call_id"));
}

#[test]
fn a_call_without_its_result_is_refused_once_the_conversation_goes_on() {
    assert_eq!(removed("/input", "6"), one(Rule::CallWithoutResult, "input[5]"));
    let wait = json!({"role": "user", "content": "wait"});
    assert_eq!(
        with("/input", "7", wait),
        [
            (Rule::CallWithoutResult, "input[4]".into()),
            (Rule::ResultWithoutCall, "input[8].call_id".into()),
        ]
    );
}

#[test]
fn a_second_result_for_one_call_is_refused() {
    let again = json!({"type": "function_call_output", "call_id": "c1", "output": "x"});
    assert_eq!(with("/input", "8", again), one(Rule::AnsweredTwice, "input[8].call_id"));
}

#[test]
fn two_calls_of_one_batch_with_one_id_are_refused() {
    let rules = broken("/input/5/call_id", &json!("c1"));
    assert_eq!(rules[0], (Rule::DuplicateCallId, "input[5].call_id".into()));
}

#[test]
fn an_id_of_no_or_of_too_many_bytes_is_refused() {
    for id in [String::new(), "i".repeat(65)] {
        let rules = broken("/input/4/call_id", &json!(id));
        assert_eq!(rules[0], (Rule::CallId, "input[4].call_id".into()));
    }
}

#[test]
fn a_choice_that_asks_for_a_tool_needs_one() {
    let request = |choice: &str| json!({"model": "m", "input": "hello", "tool_choice": choice});
    let good = good();
    assert_eq!(good.found(&request("required")), one(Rule::ToolChoice, "tool_choice"));
    assert_eq!(good.found(&request("auto")), []);
}

#[test]
fn a_deferred_tool_without_the_search_of_the_api_is_refused() {
    assert_eq!(removed("/tools", "4"), one(Rule::DeferredWithoutLoader, "tools[2]"));
    let mut inner = flat("inner");
    inner["defer_loading"] = json!(true);
    let mut body = responses();
    body["tools"][3]["tools"] = json!([inner]);
    body["tools"][4] = flat("tool_search");
    assert_eq!(
        good().found(&body),
        [
            (Rule::DeferredWithoutLoader, "tools[2]".into()),
            (Rule::DeferredWithoutLoader, "tools[3]".into()),
        ]
    );
}

#[test]
fn a_list_in_which_every_tool_is_deferred_is_refused() {
    let mut hidden = flat("hidden");
    hidden["defer_loading"] = json!(true);
    let rules = good().found(&json!({"model": "m", "input": "hello", "tools": [hidden]}));
    assert!(rules.contains(&(Rule::AllDeferred, "tools".into())), "{rules:?}");
}

#[test]
fn a_search_without_its_output_is_refused() {
    assert_eq!(removed("/input", "9"), one(Rule::NativePair, "input[8]"));
}

#[test]
fn an_output_without_its_search_is_refused() {
    assert_eq!(removed("/input", "8"), one(Rule::NativePair, "input[8].call_id"));
    let mut body = responses();
    if let Some(Value::Array(items)) = body.get_mut("input") {
        items.swap(8, 9);
    }
    assert_eq!(
        good().found(&body),
        [(Rule::NativePair, "input[8].call_id".into()), (Rule::NativePair, "input[9]".into())]
    );
}

#[test]
fn a_pair_that_lost_its_identifiers_is_refused() {
    assert_eq!(
        removed("/input/9", "call_id"),
        [(Rule::NativePair, "input[9].call_id".into()), (Rule::NativePair, "input[8]".into())]
    );
    assert_eq!(removed("/input/9", "execution"), one(Rule::NativePair, "input[9].execution"));
}

#[test]
fn a_search_of_the_provider_is_followed_by_its_output() {
    let mut body = responses();
    body["input"][8]["execution"] = json!("server");
    body["input"][9]["execution"] = json!("server");
    assert_eq!(good().found(&body), []);
    if let Some(Value::Array(items)) = body.get_mut("input") {
        items.swap(9, 10);
    }
    let rules = good().found(&body);
    assert_eq!(rules[0], (Rule::NativePair, "input[8]".into()));
}

#[test]
fn a_batch_of_a_search_and_a_call_is_answered_in_any_order() {
    let mut body = responses();
    if let Some(Value::Array(items)) = body.get_mut("input") {
        items.swap(9, 10);
    }
    assert_eq!(good().found(&body), []);
}

#[test]
fn a_call_of_a_tool_in_a_namespace_that_does_not_name_it_is_refused() {
    assert_eq!(removed("/input/10", "namespace"), one(Rule::Namespace, "input[10].namespace"));
    let mut body = responses();
    body["input"][9]["tools"] = json!([flat("inner")]);
    body["input"][10]["namespace"] = Value::Null;
    assert_eq!(good().found(&body), []);
}

#[test]
fn native_forms_are_refused_where_nothing_is_loaded() {
    let places: Vec<Broken> =
        ["tools[2].defer_loading", "tools[4]", "input[8]", "input[9]", "input[12]"]
            .map(|place| (Rule::NativeWhereOff, place.to_owned()))
            .into();
    assert_eq!(good().found_where_plain(), places);
}

#[test]
fn what_an_output_answers_may_stand_with_the_provider() {
    let output = json!({"type": "function_call_output", "call_id": "c1", "output": "x"});
    let mut body = json!({"model": "m", "input": [output], "previous_response_id": "resp_1"});
    assert_eq!(good().found(&body), []);
    body["previous_response_id"] = Value::Null;
    assert_eq!(good().found(&body), one(Rule::ResultWithoutCall, "input[0].call_id"));
}
