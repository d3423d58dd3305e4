//! `provider.native`: where definitions may stand for a provider that loads tools.

use crate::common::{
    NATIVE, PLAIN, Story, body, broken, calls, found, found_of, loads, premises, search, user,
};
use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_contract::trace::Answered;
use tacit_contract::{Profile, ProviderKind};

const CLAUSE: &str = "provider.native";

/// A prompt whose search finds `acme_weather`; the request after it goes like this.
fn after_search(further: &[&str], conversation: Vec<Value>) -> Story {
    let mut story = Story::over(NATIVE);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    story.searched("call-1", &["acme_weather"]);
    let conversation = [vec![user(1)], conversation].concat();
    story.request(Api::OpenaiChat, &body(further, conversation), Answered::Text);
    story.end();
    story
}

/// The same, and a second prompt after the session was opened again.
fn reloaded(further: &[&str], rows: Vec<Value>) -> Story {
    let mut story = after_search(&[], found("call-1", &["acme_weather"]));
    story.reopen(NATIVE);
    second_prompt(&mut story, further, rows);
    story
}

fn second_prompt(story: &mut Story, further: &[&str], rows: Vec<Value>) {
    story.prompt();
    let conversation = [rows, vec![user(2)]].concat();
    story.request(Api::OpenaiChat, &body(further, conversation), Answered::Text);
    story.end();
}

fn rows(loaded: &[&str]) -> Vec<Value> {
    [vec![user(1)], found("call-1", loaded)].concat()
}

#[test]
fn a_definition_at_its_load_point_is_right_and_counted_as_there() {
    let judgement = after_search(&[], found("call-1", &["acme_weather"])).judged();
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    assert_eq!(premises(&judgement, CLAUSE), 1);
    assert_eq!(judgement.readings["native-place"]["at the load point"], 1);
}

#[test]
fn a_definition_in_the_ordinary_list_is_right_and_counted_as_there() {
    let judgement = after_search(&["acme_weather"], found("call-1", &[])).judged();
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    assert_eq!(judgement.readings["native-place"]["in the ordinary list"], 1);
}

#[test]
fn a_definition_in_the_list_and_at_a_load_point_is_wrong() {
    let judgement = after_search(&["acme_weather"], found("call-1", &["acme_weather"])).judged();
    assert_eq!(broken(&judgement), [CLAUSE]);
    assert_eq!(
        found_of(&judgement, CLAUSE),
        "acme_weather stands in the ordinary list and at a load point"
    );
}

#[test]
fn a_definition_that_one_load_point_has_twice_is_wrong() {
    let judgement = after_search(&[], found("call-1", &["acme_weather", "acme_weather"])).judged();
    assert!(broken(&judgement).contains(&CLAUSE));
    assert_eq!(found_of(&judgement, CLAUSE), "acme_weather stands twice at one load point");
}

#[test]
fn a_definition_that_stands_nowhere_is_missing_and_no_matter_of_places() {
    let judgement = after_search(&[], found("call-1", &[])).judged();
    assert_eq!(broken(&judgement), ["activation.next-request", "search.exact", "search.marker"]);
    assert_eq!(premises(&judgement, CLAUSE), 0);
}

#[test]
fn what_is_loaded_where_it_was_loaded_before_a_reload_is_right() {
    let judgement = reloaded(&[], rows(&["acme_weather"])).judged();
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    // After the search, restored in the second prompt, and at the same place there.
    assert_eq!(premises(&judgement, CLAUSE), 3);
}

#[test]
fn what_moves_to_the_ordinary_list_with_a_reload_is_wrong() {
    let judgement = reloaded(&["acme_weather"], rows(&[])).judged();
    assert_eq!(broken(&judgement), [CLAUSE]);
    assert_eq!(
        found_of(&judgement, CLAUSE),
        "acme_weather stood at a load point after the result of its call 1, of ToolSearch, and \
         stands in the ordinary list since the reload"
    );
}

#[test]
fn what_moves_to_the_head_of_the_conversation_with_a_reload_is_wrong() {
    let moved = [vec![loads(&["acme_weather"])], rows(&[])].concat();
    let judgement = reloaded(&[], moved).judged();
    assert_eq!(broken(&judgement), [CLAUSE]);
    assert!(found_of(&judgement, CLAUSE).contains("before any result"));
}

#[test]
fn what_moves_without_a_reload_is_free_to() {
    let mut story = after_search(&[], found("call-1", &["acme_weather"]));
    second_prompt(&mut story, &["acme_weather"], rows(&[]));
    assert_eq!(broken(&story.judged()), Vec::<&str>::new());
}

#[test]
fn what_moves_with_a_reload_after_a_compaction_is_free_to() {
    let mut story = after_search(&[], found("call-1", &["acme_weather"]));
    story.see(tacit_contract::Seen::Compacted);
    story.reopen(NATIVE);
    second_prompt(&mut story, &["acme_weather"], rows(&[]));
    assert!(!broken(&story.judged()).contains(&CLAUSE));
}

#[test]
fn what_moves_with_a_reload_that_lost_its_search_is_free_to() {
    let judgement = reloaded(&["acme_weather"], vec![user(1)]).judged();
    assert_eq!(found_of(&judgement, CLAUSE), "");
}

#[test]
fn with_a_provider_that_loads_nothing_the_list_is_where_a_definition_stands() {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    story.searched("call-1", &["acme_weather"]);
    let conversation = [vec![user(1)], found("call-1", &["acme_weather"])].concat();
    story.request(Api::OpenaiChat, &body(&["acme_weather"], conversation), Answered::Text);
    story.end();
    let judgement = story.judged();
    assert_eq!(broken(&judgement), ["provider.fallback", "provider.valid"]);
    assert_eq!(premises(&judgement, CLAUSE), 0);
}

/// A Messages request in which `acme_weather` is sent hidden, and loaded by a reference or not.
fn messages(loaded: bool) -> Value {
    let tool = |name: &str| {
        let function = crate::common::definition(name)["function"].clone();
        json!({
            "name": name,
            "description": function["description"],
            "input_schema": function["parameters"],
        })
    };
    let mut tools: Vec<Value> = crate::common::ALWAYS.iter().map(|name| tool(name)).collect();
    let mut hidden = tool("acme_weather");
    hidden["defer_loading"] = json!(true);
    tools.push(hidden);
    let content = if loaded {
        json!([{"type": "tool_reference", "tool_name": "acme_weather"}])
    } else {
        json!("done")
    };
    let base = body(&[], Vec::new())["messages"][0]["content"].clone();
    json!({"model": "scripted", "max_tokens": 100, "system": base, "tools": tools, "messages": [
        {"role": "user", "content": crate::common::asked(1)},
        {"role": "assistant", "content": [
            {"type": "tool_use", "id": "call-1", "name": "ToolSearch", "input": {}},
        ]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "call-1", "content": content},
        ]},
    ]})
}

fn over_messages(loaded: bool) -> Story {
    let mut story = Story::over(ProviderKind::native(Api::AnthropicMessages));
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    story.searched("call-1", &["acme_weather"]);
    story.request(Api::AnthropicMessages, &messages(loaded), Answered::Text);
    story.end();
    story
}

#[test]
fn a_definition_that_is_loaded_by_reference_stands_where_the_reference_is() {
    let judgement = over_messages(true).judged();
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    assert_eq!(judgement.readings["native-place"]["at the load point"], 1);
}

#[test]
fn a_definition_that_was_sent_and_never_loaded_is_wrong() {
    let judgement = over_messages(false).judged();
    assert!(broken(&judgement).contains(&CLAUSE));
    assert!(broken(&judgement).contains(&"activation.next-request"));
    assert_eq!(
        found_of(&judgement, CLAUSE),
        "acme_weather was sent hidden, and nothing in the request loads it"
    );
}

#[test]
fn what_is_sent_hidden_is_a_leak_unless_the_profile_says_that_it_is_sent_ahead() {
    let story = over_messages(false);
    assert!(broken(&story.judged()).contains(&"catalog.no-schema"));
    let profile = Profile { predeclares: true, ..crate::common::profile() };
    assert!(!broken(&story.judged_under(&profile)).contains(&"catalog.no-schema"));
}
