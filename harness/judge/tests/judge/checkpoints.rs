//! What a checkpoint in the middle of a prompt takes, and what may stay active after it.

use crate::common::{
    PLAIN, Story, body, broken, called, calls, found, found_of, premises, result, search,
    searched_once, user, using,
};
use serde_json::Value;
use tacit_contract::Call;
use tacit_contract::protocol::Api;
use tacit_contract::trace::{Answered, Issued};

fn ask(story: &mut Story, further: &[&str], conversation: Vec<Value>, answer: Answered) {
    story.request(Api::OpenaiChat, &body(further, conversation), answer);
}

fn new_context(id: &str) -> Issued {
    Issued { call: Call::NewContext, ..using(id, "new_context") }
}

/// A search and a new context in one batch, and the request that begins anew.
fn begun_anew(shown: &[&str], answer: Answered) -> Story {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather"), new_context("call-2")]);
    ask(&mut story, &[], vec![user(1)], asks);
    story.searched("call-1", &["acme_weather"]);
    story.used("call-2", "new_context");
    ask(&mut story, shown, vec![user(1)], answer);
    story
}

#[test]
fn what_a_new_context_took_at_once_may_stay_active_until_the_prompt_ends() {
    for shown in [&["acme_weather"][..], &[]] {
        let mut story = begun_anew(shown, Answered::Text);
        story.end();
        assert_eq!(broken(&story.judged()), Vec::<&str>::new(), "{shown:?}");
    }
}

#[test]
fn what_is_searched_for_after_a_new_context_is_active_after_the_search_and_not_before() {
    let asks = || calls(vec![search("call-3", "acme_tickets")]);
    let early = begun_anew(&["acme_tickets"], asks()).judged();
    assert!(found_of(&early, "activation.not-before").contains("acme_tickets"));
    // Nothing that came after the checkpoint is left open by it.
    let mut story = begun_anew(&[], asks());
    let rows = [vec![user(1)], found("call-3", &[])].concat();
    story.searched("call-3", &["acme_tickets"]);
    let asks = calls(vec![search("call-4", "acme_weather")]);
    ask(&mut story, &["acme_tickets"], rows.clone(), asks);
    story.searched("call-4", &["acme_weather"]);
    let rows = [rows, found("call-4", &[])].concat();
    ask(&mut story, &["acme_tickets", "acme_weather"], rows.clone(), Answered::Text);
    story.end();
    story.prompt();
    ask(&mut story, &[], [rows, vec![user(2)]].concat(), Answered::Text);
    story.end();
    let lost = found_of(&story.judged(), "restore.search-evidence");
    assert!(lost.contains("acme_tickets is missing") && lost.contains("acme_weather is missing"));
}

#[test]
fn what_stayed_active_over_a_new_context_keeps_its_place_until_the_prompt_ends() {
    let mut story = begun_anew(&["acme_weather"], calls(vec![search("call-3", "acme_tickets")]));
    story.searched("call-3", &["acme_tickets"]);
    let rows = [vec![user(1)], found("call-3", &[])].concat();
    let asks = calls(vec![using("call-4", "acme_weather")]);
    ask(&mut story, &["acme_weather", "acme_tickets"], rows.clone(), asks);
    story.used("call-4", "acme_weather");
    let rows = [rows, vec![called("call-4", "acme_weather"), result("call-4")]].concat();
    ask(&mut story, &["acme_weather", "acme_tickets"], rows.clone(), Answered::Text);
    story.end();
    // From here on it stands where its use proves it, after the tool that was searched for.
    story.prompt();
    let rows = [rows, vec![user(2)]].concat();
    ask(&mut story, &["acme_tickets", "acme_weather"], rows, Answered::Text);
    story.end();
    assert_eq!(broken(&story.judged()), Vec::<&str>::new());
}

#[test]
fn what_stood_before_a_checkpoint_may_be_restored_from_what_it_kept_or_not() {
    let (mut story, rows) = searched_once();
    let asks = calls(vec![using("call-2", "acme_weather")]);
    ask(&mut story, &["acme_weather"], rows.clone(), asks);
    story.used("call-2", "acme_weather");
    let used = vec![called("call-2", "acme_weather"), result("call-2")];
    let asks = calls(vec![using("call-3", "acme_weather")]);
    ask(&mut story, &["acme_weather"], [rows.clone(), used].concat(), asks);
    story.used("call-3", "acme_weather");
    // The uses are gone, the search is not.
    ask(&mut story, &["acme_weather"], rows.clone(), Answered::Text);
    story.end();
    story.prompt();
    ask(&mut story, &[], [rows, vec![user(2)]].concat(), Answered::Text);
    story.end();
    let judgement = story.judged();
    assert_eq!(found_of(&judgement, "restore.search-evidence"), "");
    assert_eq!(premises(&judgement, "restore.search-evidence"), 0);
}

#[test]
fn what_was_active_before_a_new_context_may_stay_so_or_not() {
    for shown in [&["acme_weather"][..], &[]] {
        let (mut story, rows) = searched_once();
        ask(&mut story, &["acme_weather"], rows, calls(vec![new_context("call-2")]));
        story.used("call-2", "new_context");
        ask(&mut story, shown, vec![user(1)], Answered::Text);
        story.end();
        assert_eq!(found_of(&story.judged(), "activation.lasts"), "", "{shown:?}");
    }
}
