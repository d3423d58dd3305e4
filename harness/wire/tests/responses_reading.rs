//! What is read from requests over Responses.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::bodies::{flat, responses};
use common::kinds;
use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_wire::{Channel, Item, RequestView, ShownTool, Visibility, WireError, read};

const API: Api = Api::OpenaiResponses;

fn view(body: &Value) -> RequestView {
    read(API, body.to_string().as_bytes()).unwrap()
}

/// The view of a conversation with the ordinary tools `read` and `hidden`, this one deferred.
fn conversation(items: &[Value]) -> RequestView {
    let mut hidden = flat("hidden");
    hidden["defer_loading"] = json!(true);
    view(&json!({"model": "m", "input": items, "tools": [flat("read"), hidden]}))
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": [{"type": "input_text", "text": text}]})
}

fn call(id: &str, name: &str) -> Value {
    json!({"type": "function_call", "call_id": id, "name": name, "arguments": "{\"input\":1}"})
}

fn output(id: &str) -> Value {
    json!({"type": "function_call_output", "call_id": id, "output": "done"})
}

fn additional(names: &[&str]) -> Value {
    let tools: Vec<Value> = names.iter().map(|name| flat(name)).collect();
    json!({"type": "additional_tools", "role": "developer", "tools": tools})
}

fn found(names: &[&str]) -> [Value; 2] {
    let mut tools: Vec<Value> = names.iter().map(|name| flat(name)).collect();
    for tool in &mut tools {
        tool["defer_loading"] = json!(true);
    }
    let search = json!({"type": "tool_search_call", "call_id": "s", "execution": "client",
        "arguments": {"query": "x"}, "status": "completed"});
    let mut found = search.clone();
    found["type"] = json!("tool_search_output");
    found["tools"] = json!(tools);
    [search, found]
}

fn notice(text: &str) -> Value {
    json!({"role": "developer", "content": text})
}

/// Where each tool of a name stands, whether it can be read, and where it was loaded.
fn places(view: &RequestView, name: &str) -> Vec<(Channel, Visibility, Option<usize>)> {
    let place = |tool: &ShownTool| (tool.channel, tool.visibility, tool.loaded_at);
    view.tools.iter().filter(|tool| tool.wire_name == name).map(place).collect()
}

const LISTED: (Channel, Visibility, Option<usize>) = (Channel::Tools, Visibility::Visible, None);

#[test]
fn the_base_prompt_is_the_instructions_and_all_system_text_before_the_first_user_message() {
    assert_eq!(view(&responses()).base_prompt, "You help.\n\nIn this folder.");
    let later = conversation(&[notice("one"), user("hello"), notice("two")]);
    assert_eq!(later.base_prompt, "one");
    assert_eq!(later.items[1], Item::System { text: "two".to_owned() });
}

#[test]
fn an_input_that_is_a_text_is_a_user_message() {
    let view = view(&json!({"model": "m", "input": "hello"}));
    assert_eq!(view.items, [Item::User { texts: vec!["hello".to_owned()] }]);
}

#[test]
fn items_of_the_assistant_that_follow_one_another_are_one_message() {
    let view = view(&responses());
    assert_eq!(
        kinds(&view),
        ["user", "assistant", "result", "result", "assistant", "result", "user"]
    );
    let Item::Assistant { text, calls } = &view.items[1] else { panic!("{:?}", view.items[1]) };
    assert_eq!(text, "Let me see.");
    let called: Vec<_> =
        calls.iter().map(|call| (call.id.as_str(), call.wire_name.as_str())).collect();
    assert_eq!(called, [("c1", "ToolSearch"), ("c2", "shell")]);
    assert_eq!(calls[0].arguments, json!({"query": "weather"}));
    assert_eq!(calls[1].arguments, json!("date"));
}

#[test]
fn outputs_are_texts_or_blocks_and_bear_no_mark_of_error() {
    let view = view(&responses());
    let results: Vec<_> = view
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Result { call_id, text, is_error } => {
                Some((call_id.as_str(), text.as_str(), *is_error))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        results,
        [("c2", "noon", None), ("c1", "activated: weather", None), ("c3", "Mild.", None)]
    );
}

#[test]
fn a_deferred_entry_is_declared_and_its_name_and_description_are_read() {
    let view = conversation(&[user("hello")]);
    assert_eq!(places(&view, "read"), [LISTED]);
    assert_eq!(places(&view, "hidden"), [(Channel::Tools, Visibility::Declared, None)]);
    assert_eq!(view.tools[1].description, "what hidden is for");
}

#[test]
fn what_a_search_found_is_visible_from_there_on_whatever_its_flag_says() {
    let [search, tools] = found(&["weather", "mail"]);
    let view = conversation(&[user("hello"), call("c", "read"), output("c"), search, tools]);
    for name in ["weather", "mail"] {
        let place = (Channel::ToolSearchOutput, Visibility::Visible, Some(3));
        assert_eq!(places(&view, name), [place]);
    }
    assert_eq!(kinds(&view), ["user", "assistant", "result"]);
}

#[test]
fn what_a_search_of_the_provider_found_is_loaded_within_the_assistants_turn() {
    let search = json!({"type": "tool_search_call", "execution": "server", "arguments": {}});
    let tools = json!({"type": "tool_search_output", "execution": "server",
        "tools": [{"type": "namespace", "name": "far", "description": "d", "tools": [
            flat("inner")]}]});
    let view = conversation(&[user("hello"), search, tools, call("c", "inner"), output("c")]);
    let place = (Channel::ToolSearchOutput, Visibility::Visible, Some(1));
    assert_eq!(places(&view, "inner"), [place]);
    assert_eq!(kinds(&view), ["user", "assistant", "result"]);
}

#[test]
fn a_search_that_is_the_runtimes_own_tool_is_a_call_with_its_result() {
    let [search, tools] = found(&["weather"]);
    let own = json!({"type": "tool_search", "execution": "client", "description": "finds",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}}});
    let body = json!({"model": "m", "input": [user("hello"), search, tools], "tools": [own]});
    let view = view(&body);
    assert_eq!(kinds(&view), ["user", "assistant", "result"]);
    let Item::Assistant { calls, .. } = &view.items[1] else { panic!() };
    assert_eq!(
        (calls[0].wire_name.as_str(), &calls[0].arguments),
        ("tool_search", &json!({"query": "x"}))
    );
    let Item::Result { call_id, text, .. } = &view.items[2] else { panic!() };
    assert_eq!((call_id.as_str(), text.as_str()), ("s", "weather"));
    assert_eq!(places(&view, "tool_search"), [LISTED]);
    assert_eq!(view.tools[0].schema["properties"]["query"]["type"], "string");
    let place = (Channel::ToolSearchOutput, Visibility::Visible, Some(3));
    assert_eq!(places(&view, "weather"), [place]);
}

#[test]
fn additional_tools_are_visible_from_their_place_on() {
    let items = [additional(&["base"]), notice("You help."), user("hello"), additional(&["more"])];
    let view = conversation(&items);
    let place = |at| (Channel::AdditionalTools, Visibility::Visible, Some(at));
    assert_eq!(places(&view, "base"), [place(0)]);
    assert_eq!(places(&view, "more"), [place(1)]);
    assert_eq!(view.base_prompt, "You help.");
}

#[test]
fn the_members_of_a_namespace_are_tools_by_their_own_names() {
    let view = view(&responses());
    assert_eq!(places(&view, "inner"), [LISTED]);
    assert_eq!(places(&view, "far"), []);
    let mut body = responses();
    body["tools"][3]["tools"][0]["defer_loading"] = json!(true);
    let place = (Channel::Tools, Visibility::Declared, None);
    assert_eq!(places(&self::view(&body), "inner"), [place]);
}

#[test]
fn tools_that_the_provider_runs_are_no_definitions() {
    let names: Vec<String> =
        view(&responses()).tools.into_iter().map(|tool| tool.wire_name).collect();
    assert_eq!(names, ["ToolSearch", "shell", "hidden", "inner", "weather", "more"]);
}

const GONE: &str =
    "The following tools are no longer available. Do not call them:\n- more\n- other\n\nGo on.";

#[test]
fn what_is_taken_back_in_words_is_withdrawn_until_it_is_declared_again() {
    let place = |visibility, at| (Channel::AdditionalTools, visibility, Some(at));
    let mut items = vec![user("hello"), additional(&["more", "kept"]), user("go"), notice(GONE)];
    let view = conversation(&items);
    assert_eq!(places(&view, "more"), [place(Visibility::Withdrawn, 1)]);
    assert_eq!(places(&view, "kept"), [place(Visibility::Visible, 1)]);
    assert_eq!(places(&view, "read"), [LISTED]);
    items.push(additional(&["more"]));
    assert_eq!(
        places(&conversation(&items), "more"),
        [place(Visibility::Withdrawn, 1), place(Visibility::Visible, 3)]
    );
}

#[test]
fn only_a_system_message_takes_tools_back() {
    for role in ["user", "assistant"] {
        let said = json!({"role": role, "content": GONE});
        let view = conversation(&[additional(&["more"]), user("hello"), said]);
        assert_eq!(places(&view, "more")[0].1, Visibility::Visible, "{role}");
    }
}

#[test]
fn in_a_conversation_of_updates_a_definition_replaces_the_one_before() {
    let twice = [additional(&["more"]), user("hello"), additional(&["more"])];
    let both = places(&conversation(&twice), "more");
    assert_eq!(both.iter().filter(|place| place.1 == Visibility::Visible).count(), 2);
    let mut updated = twice.to_vec();
    updated.insert(2, notice("This is an incremental tools update. What is new comes next."));
    let one: Vec<_> = places(&conversation(&updated), "more");
    assert_eq!((one[0].1, one[1].1), (Visibility::Withdrawn, Visibility::Visible));
}

#[test]
fn a_request_that_goes_on_elsewhere_says_why_it_cannot_be_decided() {
    for (member, value) in [
        ("previous_response_id", json!("resp_1")),
        ("conversation", json!("conv_1")),
        ("conversation", json!({"id": "conv_1"})),
        ("prompt", json!({"id": "pmpt_1"})),
    ] {
        let mut body = responses();
        body[member] = value;
        let reason = view(&body).undecidable.unwrap();
        assert!(reason.contains(member), "{reason}");
    }
    for item in [
        json!({"type": "item_reference", "id": "msg_1"}),
        json!({"id": "msg_1"}),
        json!({"type": "compaction", "id": "cmp_1", "encrypted_content": "…"}),
    ] {
        let reason = conversation(&[user("hello"), item]).undecidable.unwrap();
        assert!(reason.contains("`input[1]`"), "{reason}");
    }
    assert_eq!(view(&responses()).undecidable, None);
}

#[test]
fn arguments_that_are_no_json_stay_a_text() {
    let mut broken = call("c", "read");
    broken["arguments"] = json!("{\"a\":");
    let view = conversation(&[user("hello"), broken]);
    let Item::Assistant { calls, .. } = &view.items[1] else { panic!() };
    assert_eq!(calls[0].arguments, json!("{\"a\":"));
}

#[test]
fn what_the_providers_own_tools_did_is_passed_over() {
    let computed = json!({"type": "computer_call_output", "call_id": "x", "output": {
        "type": "computer_screenshot", "image_url": "data:,"}});
    let shelled = json!({"type": "shell_call_output", "call_id": "y", "output": [
        {"stdout": "a", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}]});
    assert_eq!(kinds(&conversation(&[user("hello"), computed, shelled])), ["user"]);
}

#[test]
fn an_error_names_the_field_what_it_holds_and_what_it_should_hold() {
    let body = json!({"input": [{"role": "user", "content": 7}]}).to_string();
    let error = read(API, body.as_bytes()).unwrap_err();
    let WireError::Shape { path, problem, .. } = &error else { panic!("{error}") };
    assert_eq!(path, "input[0].content");
    assert!(problem.contains("integer `7`"), "{problem}");
    let body = json!({"input": 7}).to_string();
    let error = read(API, body.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("a text or a list of items"), "{error}");
}
