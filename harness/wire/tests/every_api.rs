//! What holds over every API.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{bodies, kinds, reply};
use proptest::prelude::*;
use serde_json::{Value, json};
use tacit_contract::ProviderKind;
use tacit_contract::protocol::Api;
use tacit_contract::trace::RequestClass;
use tacit_wire::{
    Item, Memory, Reply, ReplyCall, WireError, api_of, examine, outline, read, refusal,
    well_formed, write,
};

/// An endpoint, and a request that it takes.
type Taken = (ProviderKind, Value);

#[test]
fn the_api_follows_from_the_end_of_the_path() {
    assert_eq!(api_of("/s/abc/v1/chat/completions?x=1"), Some(Api::OpenaiChat));
    assert_eq!(api_of("/v1/responses"), Some(Api::OpenaiResponses));
    assert_eq!(api_of("/v1/messages/"), Some(Api::AnthropicMessages));
    assert_eq!(api_of("/v1/messages/count_tokens"), None);
    assert_eq!(api_of("/v1/models"), None);
}

#[test]
fn equal_answers_give_equal_bytes() {
    for api in Api::ALL {
        assert_eq!(write(api, &reply(), true), write(api, &reply(), true), "{api:?}");
    }
}

#[test]
fn arguments_that_are_no_json_are_written_as_they_stand_where_there_is_room_for_them() {
    // A stream brings them in pieces, of which one holds the end.
    let call = ReplyCall {
        id: "c".into(),
        wire_name: "ToolSearch".to_owned(),
        arguments: json!("{ here is an oops"),
    };
    let reply = Reply::calls(vec![call]);
    let written = |api, stream| String::from_utf8(write(api, &reply, stream).body).unwrap();
    for api in Api::ALL {
        assert!(written(api, true).contains("oops"), "{api:?}");
        assert_eq!(
            written(api, false).contains("{ here is an oops"),
            api != Api::AnthropicMessages,
            "{api:?}"
        );
    }
    let whole: Value = serde_json::from_str(&written(Api::AnthropicMessages, false)).unwrap();
    assert_eq!(whole["content"][0]["input"], json!({}));
}

#[test]
fn a_refusal_is_an_error_object() {
    for api in Api::ALL {
        for status in [400, 401, 429, 500, 529] {
            let body = refusal(api, status, "no").body;
            let body: Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(body["error"]["message"], "no", "{api:?}");
            assert!(body["error"]["type"].is_string(), "{api:?}");
        }
    }
}

#[test]
fn what_a_strict_endpoint_takes_has_no_problem() {
    for (kind, body) in bodies::all() {
        assert_eq!(well_formed(kind, body.to_string().as_bytes()), [], "{kind}");
    }
}

#[test]
fn each_native_form_is_refused_where_nothing_is_loaded() {
    for (kind, body) in bodies::all() {
        let problems = well_formed(ProviderKind::plain(kind.api), body.to_string().as_bytes());
        assert!(!problems.is_empty(), "{kind}");
    }
}

#[test]
fn the_same_conversation_is_read_from_each() {
    for (kind, body) in bodies::all() {
        let view = read(kind.api, body.to_string().as_bytes()).unwrap();
        assert!(view.base_prompt.starts_with("You help."), "{kind}");
        assert_eq!(kinds(&view)[..3], ["user", "assistant", "result"], "{kind}");
        let prompt = Item::User { texts: vec!["How warm is it?".to_owned()] };
        assert_eq!(view.items[0], prompt, "{kind}");
        assert!(view.stream && view.undecidable.is_none(), "{kind}");
    }
}

#[test]
fn a_prompt_and_its_repeat_are_told_over_each() {
    for (kind, body) in bodies::all() {
        let body = body.to_string();
        let view = read(kind.api, body.as_bytes()).unwrap();
        let mut memory = Memory::new(None);
        memory.prompted("How warm is it?");
        let first = memory.class_of(&view, &body);
        memory.saw(&view, &body, first, false);
        let told = [first, memory.class_of(&view, &body)];
        assert_eq!(told, [RequestClass::Turn, RequestClass::Repeat], "{kind}");
    }
}

#[test]
fn half_of_a_surrogate_pair_is_no_json() {
    for (kind, body) in bodies::all() {
        let body = body.to_string().replacen("warm", "\\ud800", 1);
        let error = read(kind.api, body.as_bytes()).unwrap_err();
        assert!(matches!(error, WireError::NotJson { .. }), "{error}");
    }
}

#[test]
fn nesting_without_end_is_an_error_and_no_overflow() {
    let deep = "[".repeat(200_000);
    for kind in Api::ALL.map(ProviderKind::native) {
        for start in ["", "{\"messages\":", "{\"input\":", "{\"tools\":", "{\"other\":"] {
            let body = format!("{start}{deep}");
            assert!(read(kind.api, body.as_bytes()).is_err());
            assert!(examine(kind, body.as_bytes()).is_err());
            assert!(outline(kind, body.as_bytes()).is_err());
        }
    }
}

/// What may stand anywhere: small, of every type, in words that mean something to one API or
/// another.
fn any_json() -> impl Strategy<Value = Value> {
    let words = [
        "",
        "user",
        "system",
        "assistant",
        "tool",
        "c1",
        "s1",
        "{}",
        "function",
        "text",
        "weather",
        "tool_result",
        "tool_use",
        "tool_reference",
        "tool_addition",
        "function_call",
        "tool_search_call",
        "tool_search_output",
        "additional_tools",
        "message",
        "namespace",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        prop::sample::select(words.to_vec()).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let keys = [
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
            "input",
            "output",
            "call_id",
            "tool",
            "tool_name",
            "definition",
            "input_schema",
            "tool_use_id",
            "defer_loading",
            "execution",
        ];
        let members =
            prop::collection::vec((prop::sample::select(keys.to_vec()), inner.clone()), 0..4);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            members.prop_map(|members| members
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect()),
        ]
    })
}

fn any_taken() -> impl Strategy<Value = Taken> {
    prop::sample::select(bodies::all())
}

/// How many values a document holds, itself included.
fn values(document: &Value) -> usize {
    1 + match document {
        Value::Array(items) => items.iter().map(values).sum(),
        Value::Object(members) => members.values().map(values).sum(),
        _ => 0,
    }
}

/// One value of a document, by its number in reading order.
fn value_at<'a>(document: &'a mut Value, number: &mut usize) -> Option<&'a mut Value> {
    if *number == 0 {
        return Some(document);
    }
    *number -= 1;
    match document {
        Value::Array(items) => items.iter_mut().find_map(|item| value_at(item, number)),
        Value::Object(members) => members.values_mut().find_map(|item| value_at(item, number)),
        _ => None,
    }
}

/// However a body is looked at, it is read or it is not, and the same is read.
fn looked_at(kind: ProviderKind, body: &[u8]) -> Result<(), TestCaseError> {
    let whole = read(kind.api, body);
    let strict = examine(kind, body);
    let outlined = outline(kind, body);
    let plain = examine(ProviderKind::plain(kind.api), body);
    if let Err(error) = &whole {
        prop_assert!(!error.to_string().is_empty());
        prop_assert!(strict.as_ref().is_err_and(|strict| strict == error));
        prop_assert!(outlined.is_err());
        prop_assert_eq!(well_formed(kind, body).len(), 1);
        return Ok(());
    }
    let mut whole = whole.unwrap();
    prop_assert_eq!(&strict.unwrap().0, &whole);
    prop_assert_eq!(&plain.unwrap().0, &whole);
    for tool in &mut whole.tools {
        tool.schema = Value::Null;
    }
    prop_assert_eq!(outlined.unwrap().0, whole);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_body_with_anything_anywhere_is_read_or_refused(
        (kind, mut body) in any_taken(),
        number in any::<prop::sample::Index>(),
        new in any_json(),
    ) {
        let mut number = number.index(values(&body));
        *value_at(&mut body, &mut number).unwrap() = new;
        looked_at(kind, body.to_string().as_bytes())?;
    }

    #[test]
    fn a_body_with_one_more_member_is_read_or_refused(
        (kind, mut body) in any_taken(),
        number in any::<prop::sample::Index>(),
        key in "[a-z_]{1,12}",
        new in any_json(),
    ) {
        let mut number = number.index(values(&body));
        if let Some(Value::Object(members)) = value_at(&mut body, &mut number) {
            members.entry(key).or_insert(new);
        }
        looked_at(kind, body.to_string().as_bytes())?;
    }

    #[test]
    fn bytes_that_are_cut_or_changed_are_read_or_refused(
        (kind, body) in any_taken(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        keep in any::<prop::sample::Index>(),
    ) {
        let mut body = body.to_string().into_bytes();
        let length = body.len();
        body[at.index(length)] = byte;
        looked_at(kind, &body)?;
        body.truncate(keep.index(length));
        looked_at(kind, &body)?;
    }

    #[test]
    fn any_json_at_all_is_read_or_refused(body in any_json()) {
        for kind in Api::ALL.map(ProviderKind::native) {
            looked_at(kind, body.to_string().as_bytes())?;
            for member in ["messages", "input", "tools", "system"] {
                let mut holder = json!({"messages": [], "input": []});
                holder[member] = body.clone();
                looked_at(kind, holder.to_string().as_bytes())?;
            }
        }
    }
}
