//! Turn requests, repeats and helper requests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::{Value, json};
use tacit_contract::ProviderKind;
use tacit_contract::profile::{CatalogEnd, CatalogShape};
use tacit_contract::trace::RequestClass::{self, Helper, Repeat, Turn};
use tacit_wire::{Memory, outline, without_catalog};

const PROMPT: &str = "How warm is it? (abc)";

fn shape() -> CatalogShape {
    CatalogShape {
        heading: "# On-demand tools".to_owned(),
        entry: "- $NAME: $DESCRIPTION".to_owned(),
        overflow: None,
        ends: CatalogEnd::BlankLine,
        entries: 64,
        line: 120,
        bytes: 12_000,
    }
}

fn request(base: &str, with_tools: bool, messages: &[Value]) -> String {
    let mut all = vec![json!({"role": "system", "content": base})];
    all.extend_from_slice(messages);
    let mut body = json!({"model": "m", "messages": all});
    if with_tools {
        body["tools"] = json!([{"type": "function", "function": {"name": "Read"}}]);
    }
    body.to_string()
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn called(id: &str) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": id, "type": "function", "function": {"name": "Read", "arguments": "{}"}}]})
}

struct Session(Memory);

impl Session {
    fn new() -> Self {
        let mut memory = Memory::new(Some(shape()));
        memory.prompted(PROMPT);
        Self(memory)
    }

    fn sends(&mut self, body: &str) -> RequestClass {
        self.sends_and(body, false)
    }

    fn sends_and(&mut self, body: &str, fails: bool) -> RequestClass {
        let (view, _) = outline(ProviderKind::PLAINEST, body.as_bytes()).unwrap();
        let class = self.0.class_of(&view, body);
        self.0.saw(&view, body, class, fails);
        class
    }
}

#[test]
fn a_request_with_the_prompt_as_a_message_of_its_own_is_a_turn_request() {
    let mut session = Session::new();
    assert_eq!(session.sends(&request("base", true, &[user(PROMPT)])), Turn);
}

#[test]
fn a_prompt_that_stands_as_the_last_block_is_one_too() {
    let blocks = json!({"role": "user", "content": [
        {"type": "text", "text": "the time is noon"}, {"type": "text", "text": PROMPT}]});
    assert_eq!(Session::new().sends(&request("base", true, &[blocks])), Turn);
}

#[test]
fn a_request_that_only_quotes_the_prompt_is_a_helper_request() {
    let quoted = user(&format!("Summarise: [user] {PROMPT}"));
    assert_eq!(Session::new().sends(&request("base", true, &[quoted])), Helper);
}

#[test]
fn a_request_without_tools_and_with_another_base_prompt_is_a_helper_request() {
    let mut session = Session::new();
    assert_eq!(session.sends(&request("You name things.", false, &[user(PROMPT)])), Helper);
    assert_eq!(session.sends(&request("base", true, &[user(PROMPT)])), Turn);
    assert_eq!(session.sends(&request("You name things.", false, &[user(PROMPT)])), Helper);
}

#[test]
fn a_request_without_tools_but_with_the_base_prompt_of_the_others_is_a_turn_request() {
    let mut session = Session::new();
    let with_catalog = "base\n\n# On-demand tools\n- a: one\n- b: two\n\nand so on";
    session.sends(&request(with_catalog, true, &[user(PROMPT)]));
    let without = request("base\n\nand so on", false, &[user(PROMPT), user("more")]);
    assert_eq!(session.sends(&without), Turn);
}

#[test]
fn the_same_body_again_is_a_repeat() {
    let mut session = Session::new();
    let body = request("base", true, &[user(PROMPT)]);
    session.sends(&body);
    assert_eq!(session.sends(&body), Repeat);
}

#[test]
fn what_follows_a_failed_answer_is_a_repeat() {
    let mut session = Session::new();
    session.sends_and(&request("base", true, &[user(PROMPT)]), true);
    let other = request("base", true, &[user(PROMPT), user("once more")]);
    assert_eq!(session.sends(&other), Repeat);
    assert_eq!(session.sends(&request("base", true, &[user(PROMPT)])), Turn);
}

#[test]
fn a_request_that_holds_a_call_of_the_prompt_is_a_turn_request() {
    let mut session = Session::new();
    session.0.issued("c1_0_0".into());
    for id in ["c1_0_0", "c1_0_0|item_7"] {
        let body = request("base", true, &[user("a summary"), called(id)]);
        assert_eq!(session.sends(&body), Turn, "{id}");
    }
    let other = request("base", true, &[user("a summary"), called("c1_0_9")]);
    assert_eq!(session.sends(&other), Helper);
}

#[test]
fn what_comes_after_a_summary_in_the_middle_of_a_prompt_is_a_turn_request() {
    let mut session = Session::new();
    session.sends(&request("base", true, &[user(PROMPT)]));
    let summarised = request("base", true, &[user("what there was to keep")]);
    let mut unannounced = Session(session.0.clone());
    assert_eq!(unannounced.sends(&summarised), Helper);
    assert_eq!(session.sends(&request("You summarise.", false, &[user("all of it")])), Helper);
    assert_eq!(session.sends(&summarised), Turn);
}

#[test]
fn a_new_context_that_the_script_started_is_a_checkpoint() {
    let mut session = Session::new();
    session.sends(&request("base", true, &[user(PROMPT)]));
    session.0.checkpointed();
    assert_eq!(session.sends(&request("other", true, &[user("kept")])), Helper);
    assert_eq!(session.sends(&request("base", true, &[user("kept")])), Turn);
}

#[test]
fn what_comes_after_a_checkpoint_and_fails_is_repeated() {
    let mut session = Session::new();
    session.sends(&request("base", true, &[user(PROMPT)]));
    session.0.checkpointed();
    let summarised = request("base", true, &[user("kept")]);
    assert_eq!(session.sends_and(&summarised, true), Turn);
    assert_eq!(session.sends(&summarised), Repeat);
    assert_eq!(session.sends(&request("base", true, &[user("other")])), Helper);
}

#[test]
fn new_contexts_that_begin_alike_do_not_go_round_in_circles() {
    let mut session = Session::new();
    let body = request("base", true, &[user(PROMPT)]);
    let classes = [Turn, Repeat, Turn, Repeat, Turn].map(|_| {
        let class = session.sends(&body);
        session.0.checkpointed();
        class
    });
    assert_eq!(classes, [Turn, Repeat, Turn, Repeat, Turn]);
}

#[test]
fn between_prompts_every_request_is_a_helper_request() {
    let mut session = Session::new();
    session.0.prompt_ended();
    assert_eq!(session.sends(&request("base", true, &[user(PROMPT)])), Helper);
}

#[test]
fn a_catalog_is_left_out_up_to_the_blank_line_after_its_last_entry() {
    let shape = shape();
    let without = |text: &str| without_catalog(text, Some(&shape));
    let plain = without("one\n\ntwo\n\n# Three\nfour");
    for catalog in [
        "# On-demand tools\n- a: one\n- and 3 more",
        "# On-demand tools\n\nSearch for these:\n\n- a: one\n\n- b: two",
        "# On-demand tools",
    ] {
        assert_eq!(without(&format!("one\n\ntwo\n\n{catalog}\n\n# Three\nfour")), plain);
    }
    assert_eq!(without("one\n\n# On-demand tools\n- a: b\n\nmore\n"), "one\nmore");
}
