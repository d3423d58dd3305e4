//! Every kind of provider: the same session over each, failures, and changes between them.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tacit_contract::protocol::{Api, Stop};
use tacit_contract::runtime::Runtime;
use tacit_contract::{ProviderKind, Revision, Row};

use super::model::Shown;
use super::{Next, Play, core, kinds, search, using, wait};
use crate::ReferenceOptions;

/// A conversation in which tools become active in every way.
fn converse(play: &mut Play) {
    play.prompt(
        "first",
        vec![
            Next::Calls(vec![search("c1", "Skill"), ("c2", "Read", json!({"path": "a"}))]),
            Next::Calls(vec![search("c3", "acme_weather"), using("c4", "Skill")]),
            Next::Calls(vec![using("c5", "acme_tickets"), ("c6", "no one!", json!("{oops"))]),
            Next::Says("done"),
        ],
    );
    play.restart(ReferenceOptions::faultless(Revision::R3));
    play.prompt("second", vec![Next::Calls(vec![search("c7", "acme_tickets BrowserPreview")])]);
    let rows = play.rows();
    play.seed(rows);
    play.prompt("third", vec![]);
    wait(play.runtime.compact(&"s".into())).unwrap();
    play.prompt("fourth", vec![Next::Calls(vec![search("c8", "acme_tickets")])]);
}

#[test]
fn a_session_shows_the_same_tools_over_every_kind_of_provider() {
    let told = |kind| {
        let mut play = Play::over(kind);
        converse(&mut play);
        let rows = play.rows();
        let shown = play.world.shown().into_iter().map(|shown| shown.definitions);
        (shown.collect::<Vec<_>>(), rows)
    };
    let (shown, rows) = told(ProviderKind::PLAINEST);
    let active = shown.iter().map(|shown| shown.len().saturating_sub(core().len()));
    assert_eq!(active.collect::<Vec<_>>(), [0, 1, 2, 2, 2, 4, 4, 0, 0, 1]);
    for kind in kinds() {
        assert_eq!(told(kind), (shown.clone(), rows.clone()), "{kind}");
    }
}

fn failing(kind: ProviderKind, failures: Vec<Next>) -> (Play, Stop) {
    let play = Play::over(kind);
    let script = [vec![Next::Calls(vec![search("c1", "Skill")])], failures].concat();
    let stop = play.prompt("hi", script).stop;
    (play, stop)
}

#[test]
fn a_request_that_fails_in_passing_is_sent_again_as_it_was() {
    for kind in kinds() {
        for failures in [
            vec![Next::Fails(529), Next::BreaksOff, Next::Fails(429)],
            vec![Next::Fails(500), Next::ErrorEvent, Next::Disconnects],
        ] {
            let (play, stop) = failing(kind, [failures, vec![Next::Says("done")]].concat());
            assert_eq!(stop, Stop::End);
            let requests = play.world.requests.borrow();
            assert_eq!(requests.len(), 5);
            assert!(requests[1..].iter().all(|request| *request == requests[1]), "{kind}");
        }
    }
}

#[test]
fn what_no_retry_can_mend_ends_the_prompt_and_the_next_one_works() {
    for kind in kinds() {
        for (failures, requests) in [
            (vec![Next::Fails(400)], 2),
            (vec![Next::Fails(401)], 2),
            (vec![Next::BreaksOff; 4], 5),
            (vec![Next::Disconnects; 4], 5),
        ] {
            let (play, stop) = failing(kind, failures);
            assert_eq!((stop, play.world.requests.borrow().len()), (Stop::Error, requests));
            assert_eq!(play.prompt("on", vec![]).stop, Stop::End);
            assert!(play.world.last_shown().names().contains("Skill"), "{kind}");
        }
    }
}

#[test]
fn an_answer_that_says_nothing_ends_the_prompt_and_leaves_no_row() {
    for kind in kinds() {
        let (play, stop) = failing(kind, vec![Next::SaysNothing]);
        assert_eq!(stop, Stop::End, "{kind}");
        assert!(matches!(play.rows().last(), Some(Row::ToolResult { .. })));
        assert_eq!(play.prompt("on", vec![]).stop, Stop::End);
        assert_eq!(play.world.requests.borrow().len(), 3);
    }
}

#[test]
fn a_change_of_provider_keeps_what_is_shown() {
    for from in kinds() {
        for to in kinds() {
            let mut play = Play::over(from);
            play.prompt("a", vec![Next::Calls(vec![search("c1", "Skill"), search("c2", "page")])]);
            play.switch(to);
            play.restart(ReferenceOptions::faultless(Revision::R3));
            play.prompt("b", vec![Next::Calls(vec![using("c3", "Skill")])]);
            let shown = play.world.shown();
            let names = |at: usize| -> BTreeSet<&str> { Shown::names(&shown[at]) };
            assert_eq!(names(1), names(2), "{from} to {to}");
            assert_eq!(names(1), names(3), "{from} to {to}");
            assert_eq!(shown[2].loaded.is_empty(), !to.native);
            assert_eq!(play.world.host_calls.borrow().len(), 3);
        }
    }
}

fn last(play: &Play) -> Value {
    play.world.requests.borrow().last().unwrap().clone()
}

#[test]
fn messages_of_anthropic_hold_the_results_of_a_batch_together() {
    let play = Play::over(ProviderKind::native(Api::AnthropicMessages));
    play.world.denies.set(true);
    play.prompt(
        "a",
        vec![Next::Calls(vec![search("c1", "Skill"), ("c2", "Read", json!({"path": "a"}))])],
    );
    let body = last(&play);
    let content = body["messages"][2]["content"].as_array().unwrap();
    let kinds: Vec<_> = content.iter().map(|block| block["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["tool_result", "tool_result", "text"]);
    let reference = json!([{"type": "tool_reference", "tool_name": "Skill"}]);
    assert_eq!(content[0]["content"], reference);
    assert_eq!((&content[0]["is_error"], &content[1]["is_error"]), (&json!(false), &json!(true)));
    assert!(content[2]["text"].as_str().unwrap().contains("Skill"));
    let tools = body["tools"].as_array().unwrap();
    let marked = |tool: &Value| tool.get("cache_control").is_some();
    assert_eq!(tools.iter().position(marked), Some(core().len() - 1));
    assert_eq!(tools.last().unwrap()["defer_loading"], true);
}

#[test]
fn a_prompt_is_the_last_text_of_its_message_over_every_kind() {
    for kind in kinds() {
        let (play, _) = failing(kind, vec![Next::Fails(400)]);
        play.prompt("again", vec![]);
        let body = last(&play);
        let items = body.get("messages").unwrap_or(&body["input"]).as_array().unwrap();
        let content = &items.last().unwrap()["content"];
        let text = content.as_array().map_or(content, |blocks| &blocks.last().unwrap()["text"]);
        assert_eq!(text, "again", "{kind}");
    }
}
