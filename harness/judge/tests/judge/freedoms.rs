//! What the contract leaves free is not blamed, and what is next to it is.

use std::sync::Arc;

use crate::common::{
    DEFERRED, PLAIN, Story, body, broken, calls, found, premises, profile, search, user,
};
use tacit_contract::protocol::{Api, Stop};
use tacit_contract::session::Failure;
use tacit_contract::trace::Answered;
use tacit_contract::{Judgement, Seen, ToolName, Variant};
use tacit_judge::Judge;

/// A prompt in which a tool is found, and what the rows kept of it.
fn found_once() -> Story {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    story.searched("call-1", &["acme_weather"]);
    let shown = body(&["acme_weather"], [vec![user(1)], found("call-1", &[])].concat());
    story.request(Api::OpenaiChat, &shown, Answered::Text);
    story.end();
    story
}

/// The plugin goes and comes back.
fn replug(story: &mut Story) {
    let names: Vec<ToolName> = DEFERRED.map(ToolName::from).into();
    let (removed, updated) = (names.clone(), Vec::new());
    story.see(Seen::ToolsSet { tools: Arc::default(), removed, added: Vec::new(), updated });
    let tools = Arc::new(crate::common::tools());
    let (removed, updated) = (Vec::new(), Vec::new());
    story.see(Seen::ToolsSet { tools, removed, added: names, updated });
}

fn prompt_again(story: &mut Story, further: &[&str]) {
    story.prompt();
    let rows = [vec![user(1)], found("call-1", &[]), vec![user(2)]].concat();
    story.request(Api::OpenaiChat, &body(further, rows), Answered::Text);
    story.end();
}

/// What is found where a session that forgets is opened from its rows, and restores.
fn from_rows(variant: Variant, replugged: bool) -> Judgement {
    with_plugs(variant, [replugged, replugged])
}

/// The same, where the plugin went and came back in the first session, or in the second.
fn with_plugs(variant: Variant, replugged: [bool; 2]) -> Judgement {
    let mut base = found_once();
    let mut other = found_once();
    for (story, replugged) in [&mut base, &mut other].into_iter().zip(replugged) {
        if replugged {
            replug(story);
        }
    }
    other.reopen(PLAIN);
    prompt_again(&mut base, &[]);
    prompt_again(&mut other, &["acme_weather"]);
    Judge::new(&profile()).judge_case(base.trace(), &[(variant, other.trace().clone())])
}

#[test]
fn rows_need_not_tell_that_a_plugin_was_gone() {
    let judgement = from_rows(Variant::FromRows, true);
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    assert_eq!(premises(&judgement, "restore.restart"), 1);
}

#[test]
fn what_either_session_leaves_open_may_differ() {
    for replugged in [[true, false], [false, true]] {
        let judgement = with_plugs(Variant::FromRows, replugged);
        assert!(!broken(&judgement).contains(&"restore.restart"), "{replugged:?}");
    }
}

#[test]
fn a_state_has_to_tell_it() {
    assert_eq!(broken(&from_rows(Variant::Restarted, true)), ["restore.restart"]);
}

#[test]
fn what_no_reading_leaves_open_is_the_same_from_rows() {
    let judgement = from_rows(Variant::FromRows, false);
    assert_eq!(broken(&judgement), ["restore.restart", "restore.search-evidence"]);
}

/// A prompt with a search of which no row is left at its end.
fn without_rows(stop: Stop, last: Answered) -> Judgement {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    let shown = body(&["acme_weather"], [vec![user(1)], found("call-1", &[])].concat());
    story.request(Api::OpenaiChat, &shown, last);
    let error = (stop == Stop::Error).then_some("the provider failed");
    story.end_with(stop, error);
    story.judged()
}

#[test]
fn a_prompt_that_failed_need_not_leave_its_searches_in_the_transcript() {
    let failure = Answered::Failure { failure: Failure::Unauthorized };
    let judgement = without_rows(Stop::Error, failure);
    assert_eq!(broken(&judgement), Vec::<&str>::new());
}

#[test]
fn a_prompt_that_ended_well_has_to() {
    assert_eq!(broken(&without_rows(Stop::End, Answered::Text)), ["search.row"]);
}
