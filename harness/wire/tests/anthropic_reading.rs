//! What is read from requests over Messages.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::{Value, json};
use tacit_contract::ProviderKind;
use tacit_contract::protocol::Api;
use tacit_contract::trace::RequestClass;
use tacit_wire::{Channel, Item, Memory, RequestView, Visibility, WireError, outline, read};

const API: Api = Api::AnthropicMessages;
const KIND: ProviderKind = ProviderKind::native(API);

fn view(body: &Value) -> RequestView {
    read(API, body.to_string().as_bytes()).unwrap()
}

fn tool(name: &str) -> Value {
    json!({
        "name": name,
        "description": format!("what {name} is for"),
        "input_schema": {"type": "object", "properties": {"input": {"type": "string"}}},
        "eager_input_streaming": true,
    })
}

fn deferred(name: &str) -> Value {
    let mut tool = tool(name);
    tool["defer_loading"] = json!(true);
    tool
}

fn call(id: &str, name: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": {"input": "x"}})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn reference(name: &str) -> Value {
    json!({"type": "tool_reference", "tool_name": name})
}

fn result(id: &str, content: &Value) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": false})
}

fn change(kind: &str, name: &str) -> Value {
    json!({"type": kind, "tool": {"type": "tool_reference", "name": name}})
}

fn addition(definition: &Value) -> Value {
    let tool = json!({"type": "tool_definition", "definition": definition});
    json!({"type": "tool_addition", "tool": tool})
}

fn message(role: &str, blocks: &[Value]) -> Value {
    json!({"role": role, "content": blocks})
}

/// A request with these tools and messages.
fn request(tools: &[Value], messages: &[Value]) -> Value {
    json!({
        "model": "some-model",
        "max_tokens": 100,
        "stream": true,
        "system": [text("You help."), text("In this folder.")],
        "tools": tools,
        "messages": messages,
    })
}

/// A conversation in which a search loaded a tool by a reference in its result.
fn loaded_by_a_result() -> Value {
    request(
        &[tool("read"), tool("ToolSearch"), deferred("weather"), deferred("mail")],
        &[
            message("user", &[text("How warm is it?")]),
            message(
                "assistant",
                &[
                    json!({"type": "thinking", "thinking": "hm", "signature": "s"}),
                    text("Let me see."),
                    call("c1", "ToolSearch"),
                    call("c2", "read"),
                ],
            ),
            message(
                "user",
                &[
                    result("c1", &json!([reference("weather")])),
                    result("c2", &json!("nothing")),
                    text("activated: weather"),
                ],
            ),
        ],
    )
}

/// The tools, each with where it stands, whether it can be read, and where it was loaded.
fn shown(view: &RequestView) -> Vec<(&str, Channel, Visibility, Option<usize>)> {
    let shown = view.tools.iter();
    shown.map(|t| (t.wire_name.as_str(), t.channel, t.visibility, t.loaded_at)).collect()
}

#[test]
fn the_base_prompt_is_the_system_member_and_what_system_messages_say_at_first() {
    let body = request(&[], &[message("system", &[text("Be brief.")]), message("user", &[])]);
    assert_eq!(view(&body).base_prompt, "You help.\n\nIn this folder.\n\nBe brief.");
    let plain = json!({"system": "You help.", "messages": []});
    assert_eq!(view(&plain).base_prompt, "You help.");
}

#[test]
fn results_are_items_of_their_own_with_their_marks_of_error() {
    let mut body = loaded_by_a_result();
    body["messages"][2]["content"][1]["is_error"] = json!(true);
    let items = view(&body).items;
    let [Item::User { .. }, Item::Assistant { text, calls }, first, second] = &items[..] else {
        panic!("{items:?}");
    };
    assert_eq!(text, "Let me see.");
    let names: Vec<&str> = calls.iter().map(|call| call.wire_name.as_str()).collect();
    assert_eq!(names, ["ToolSearch", "read"]);
    assert_eq!(calls[0].arguments, json!({"input": "x"}));
    let Item::Result { call_id, text, is_error } = second else { panic!("{second:?}") };
    assert_eq!((call_id.as_str(), text.as_str(), *is_error), ("c2", "nothing", Some(true)));
    let Item::Result { call_id, is_error, .. } = first else { panic!("{first:?}") };
    assert_eq!((call_id.as_str(), *is_error), ("c1", Some(false)));
}

#[test]
fn a_reference_in_a_result_loads_a_tool_behind_that_result() {
    use Visibility::{Declared, Visible};
    assert_eq!(
        shown(&view(&loaded_by_a_result())),
        [
            ("read", Channel::Tools, Visible, None),
            ("ToolSearch", Channel::Tools, Visible, None),
            ("weather", Channel::ToolReference, Visible, Some(3)),
            ("mail", Channel::Tools, Declared, None),
        ]
    );
}

#[test]
fn what_stands_behind_a_result_of_references_is_what_that_result_says() {
    let body = loaded_by_a_result();
    let Item::Result { text: said, .. } = &view(&body).items[2] else { panic!() };
    assert_eq!(said, "activated: weather");
    let mut longer = body;
    if let Some(Value::Array(blocks)) = longer["messages"][2].get_mut("content") {
        blocks.push(text("And now?"));
    }
    assert_eq!(view(&longer).items.last(), Some(&Item::User { texts: vec!["And now?".into()] }));
}

#[test]
fn what_stands_behind_other_results_is_said_by_the_user() {
    let body = request(
        &[],
        &[
            message("assistant", &[call("c1", "read")]),
            message("user", &[result("c1", &json!("one")), text("And now?")]),
        ],
    );
    assert_eq!(view(&body).items.last(), Some(&Item::User { texts: vec!["And now?".into()] }));
}

#[test]
fn a_prompt_behind_a_result_of_references_is_found() {
    let mut body = loaded_by_a_result();
    body["messages"][2]["content"][2]["text"] = json!("And now?");
    let body = body.to_string();
    let mut memory = Memory::new(None);
    memory.prompted("And now?");
    let (view, _) = outline(KIND, body.as_bytes()).unwrap();
    assert_eq!(memory.class_of(&view, &body), RequestClass::Turn);
}

#[test]
fn a_tool_of_the_list_that_is_referred_to_is_there_twice() {
    let mut body = loaded_by_a_result();
    body["messages"][2]["content"][0]["content"] = json!([reference("read"), reference("read")]);
    let view = view(&body);
    let twice: Vec<_> = view.visible().filter(|tool| tool.wire_name == "read").collect();
    assert_eq!(twice.len(), 2);
    assert_eq!((twice[0].channel, twice[1].channel), (Channel::Tools, Channel::ToolReference));
    assert_eq!(twice[0].schema, twice[1].schema);
}

#[test]
fn a_reference_to_nothing_that_was_sent_shows_nothing() {
    let mut body = loaded_by_a_result();
    body["messages"][2]["content"][0]["content"][0]["tool_name"] = json!("storm");
    assert_eq!(view(&body).visible().count(), 2);
}

#[test]
fn a_system_message_adds_a_declared_tool_by_its_name() {
    let body = request(
        &[tool("read"), deferred("weather")],
        &[
            message("user", &[text("hello")]),
            message("system", &[change("tool_addition", "weather"), text("More tools.")]),
        ],
    );
    let view = view(&body);
    assert_eq!(view.items[1], Item::System { text: "More tools.".into() });
    assert_eq!(shown(&view)[1], ("weather", Channel::ToolAddition, Visibility::Visible, Some(1)));
}

#[test]
fn a_tool_added_by_value_replaces_what_had_its_name() {
    let mut newer = tool("weather");
    newer["description"] = json!("newer");
    let body = request(
        &[tool("read"), deferred("placeholder")],
        &[
            message("user", &[text("hello")]),
            message("system", &[addition(&tool("weather"))]),
            message("user", &[text("hello again")]),
            message("system", &[addition(&newer)]),
        ],
    );
    let view = view(&body);
    assert_eq!(
        shown(&view)[1..],
        [
            ("placeholder", Channel::Tools, Visibility::Declared, None),
            ("weather", Channel::ToolAddition, Visibility::Visible, Some(3)),
        ]
    );
    assert_eq!(view.tools[2].description, "newer");
    assert_eq!(view.tools[2].schema["properties"]["input"]["type"], "string");
}

#[test]
fn a_removed_tool_is_visible_again_once_it_is_added_again() {
    let mut messages = vec![
        message("user", &[text("hello")]),
        message("system", &[change("tool_addition", "weather")]),
        message("user", &[text("no")]),
        message("system", &[change("tool_removal", "weather"), change("tool_removal", "read")]),
    ];
    let tools = [tool("read"), deferred("weather"), deferred("mail")];
    assert_eq!(
        shown(&view(&request(&tools, &messages))),
        [
            ("read", Channel::Tools, Visibility::Removed, None),
            ("weather", Channel::ToolAddition, Visibility::Removed, Some(1)),
            ("mail", Channel::Tools, Visibility::Declared, None),
        ]
    );
    messages.push(message("user", &[text("yes")]));
    messages.push(message("system", &[change("tool_addition", "weather")]));
    assert_eq!(
        shown(&view(&request(&tools, &messages)))[1],
        ("weather", Channel::ToolAddition, Visibility::Visible, Some(5))
    );
}

#[test]
fn the_providers_own_search_loads_what_it_found_and_is_no_call() {
    let search = json!({"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"});
    let searched = json!({"type": "server_tool_use", "id": "s1", "name": "tool_search_tool_bm25",
        "input": {"query": "weather"}});
    let found = json!({"type": "tool_search_tool_result", "tool_use_id": "s1", "content": {
        "type": "tool_search_tool_search_result", "tool_references": [reference("weather")]}});
    let body = request(
        &[search, deferred("weather"), deferred("mail")],
        &[
            message("user", &[text("How warm is it?")]),
            message("assistant", &[searched, found, call("c1", "weather")]),
        ],
    );
    let view = view(&body);
    assert_eq!(
        shown(&view),
        [
            ("weather", Channel::ToolReference, Visibility::Visible, Some(1)),
            ("mail", Channel::Tools, Visibility::Declared, None),
        ]
    );
    let Item::Assistant { calls, .. } = &view.items[1] else { panic!() };
    assert_eq!(calls.len(), 1);
}

#[test]
fn a_search_that_failed_loads_nothing() {
    let failed = json!({"type": "tool_search_tool_result", "tool_use_id": "s1", "content": {
        "type": "tool_search_tool_result_error", "error_code": "unavailable"}});
    let body = request(&[deferred("weather")], &[message("assistant", &[failed])]);
    assert_eq!(view(&body).visible().count(), 0);
}

#[test]
fn a_tool_that_the_api_defines_is_shown_without_a_schema() {
    let body = request(
        &[
            json!({"type": "bash_20250124", "name": "bash"}),
            json!({"type": "web_search_20250305", "name": "web_search"}),
        ],
        &[],
    );
    let view = view(&body);
    assert_eq!(shown(&view), [("bash", Channel::Tools, Visibility::Visible, None)]);
    assert_eq!(view.tools[0].schema, Value::Null);
}

#[test]
fn what_goes_on_by_reference_cannot_be_decided() {
    let mut body = loaded_by_a_result();
    assert_eq!(view(&body).undecidable, None);
    body["thread"] = json!({"type": "continue", "previous_message_id": "m1"});
    assert!(view(&body).undecidable.is_some_and(|why| why.contains("thread")));
    let compacted = json!({"type": "compaction", "content": "what was said"});
    let body = request(&[], &[message("assistant", &[compacted]), message("user", &[])]);
    assert!(view(&body).undecidable.is_some_and(|why| why.contains("compaction")));
}

#[test]
fn an_error_names_the_field_what_it_holds_and_what_it_should_hold() {
    let body = json!({"messages": [{"role": "user", "content": 7}]}).to_string();
    let error = read(API, body.as_bytes()).unwrap_err();
    let WireError::Shape { path, problem, .. } = &error else { panic!("{error}") };
    assert_eq!(path, "messages[0].content");
    assert!(problem.contains("integer `7`"), "{problem}");
    assert!(problem.contains("a text or a list of blocks"), "{problem}");
}
