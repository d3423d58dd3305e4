//! Prompts that end in error, and what the runtime is not to blame for in them.

use crate::common::world::Searched;
use crate::common::{
    PLAIN, Story, body, broken, calls, found_of, premises, result, search, user, using,
};
use serde_json::Value;
use tacit_contract::protocol::{Api, Stop};
use tacit_contract::session::Failure;
use tacit_contract::trace::{Answered, Issued, RequestClass};
use tacit_contract::{Judgement, Query};
use tacit_judge::trouble;

const FAILS: Answered = Answered::Failure { failure: Failure::Overloaded };

fn plain() -> Value {
    body(&[], vec![user(1)])
}

fn unreadable(id: &str) -> Issued {
    let query = Query::NotJson { text: "{".to_owned() };
    Issued { id: id.into(), ..Searched { query, ..Searched::default() }.issued() }
}

fn without_query(id: &str) -> Issued {
    Issued { id: id.into(), ..Searched::default().issued() }
}

/// A prompt whose request got this answer, and which ended in error.
fn ended(story: &mut Story, answer: Answered) {
    story.prompt();
    story.request(Api::OpenaiChat, &plain(), answer);
    story.end_with(Stop::Error, Some("no more"));
}

#[test]
fn an_error_that_nothing_in_the_script_brought_about_is_trouble() {
    for answer in [Answered::Text, calls(vec![search("call-1", "acme_weather")])] {
        let mut story = Story::over(PLAIN);
        ended(&mut story, answer);
        assert_eq!(trouble(story.trace()).unwrap(), "a prompt ended in error: no more");
    }
}

#[test]
fn an_error_that_the_provider_brought_about_is_none_in_that_prompt_alone() {
    for answer in [FAILS, Answered::Refused, calls(vec![unreadable("call-1")])] {
        let mut story = Story::over(PLAIN);
        ended(&mut story, answer);
        assert_eq!(trouble(story.trace()), None);
        ended(&mut story, Answered::Text);
        assert!(trouble(story.trace()).is_some());
    }
}

#[test]
fn trouble_says_where_a_request_went_astray() {
    for (class, astray) in [(RequestClass::Stray, true), (RequestClass::Helper, false)] {
        let mut story = Story::over(PLAIN);
        story.prompt();
        story.request_of(class, Api::OpenaiChat, &plain(), Answered::Text);
        story.end_with(Stop::Error, Some("no more"));
        let told = trouble(story.trace()).unwrap();
        assert_eq!(told.contains("it asked at `/v1/chat/completions`"), astray, "{told}");
    }
}

/// A prompt that ended in error after these calls; a request beside it was refused, or not.
fn gave_up(asked: Vec<Issued>, refused: bool) -> Judgement {
    let mut story = Story::over(PLAIN);
    story.prompt();
    story.request(Api::OpenaiChat, &plain(), calls(asked));
    if refused {
        story.request_of(RequestClass::Helper, Api::OpenaiChat, &plain(), Answered::Refused);
    }
    story.end_with(Stop::Error, Some("no more"));
    story.judged()
}

#[test]
fn a_prompt_that_ends_over_a_call_or_a_search_is_to_blame_unless_the_provider_is() {
    let call = || using("call-1", "acme_weather");
    let search = || without_query("call-1");
    for (asked, clause) in
        [(call as fn() -> Issued, "activation.refused-until"), (search, "search.no-match")]
    {
        assert_eq!(broken(&gave_up(vec![asked()], false)), [clause]);
        assert_eq!(premises(&gave_up(vec![asked()], true), clause), 0);
        assert_eq!(premises(&gave_up(vec![asked(), unreadable("call-2")], false), clause), 0);
    }
}

#[test]
fn a_prompt_whose_requests_were_refused_may_end_without_one() {
    for (answer, broken) in [(Answered::Refused, 0), (Answered::Text, 1)] {
        let mut story = Story::over(PLAIN);
        story.prompt();
        story.request_of(RequestClass::Helper, Api::OpenaiChat, &plain(), answer);
        story.end();
        assert_eq!(premises(&story.judged(), "initial.core"), broken);
    }
}

/// A request that failed, and one that was sent again.
fn sent_again(again: &Value) -> Story {
    let mut story = Story::over(PLAIN);
    story.prompt();
    story.request(Api::OpenaiChat, &plain(), FAILS);
    story.request_of(RequestClass::Repeat, Api::OpenaiChat, again, Answered::Text);
    story.end();
    story
}

#[test]
fn what_a_request_that_is_sent_again_has_more_or_less_is_told() {
    let more = sent_again(&body(&["acme_weather"], vec![user(1)])).judged();
    assert_eq!(
        found_of(&more, "provider.retry"),
        "acme_weather is shown only in the request that is sent again"
    );
    let mut less = plain();
    less["tools"].as_array_mut().unwrap().remove(0);
    let less = sent_again(&less).judged();
    assert_eq!(
        found_of(&less, "provider.retry"),
        "Read is missing in the request that is sent again"
    );
}

#[test]
fn what_nobody_can_read_is_not_the_same_request_again() {
    let mut story = sent_again(&plain());
    assert_eq!(premises(&story.judged(), "provider.retry"), 1);
    story.change_last_body(|_| "{".to_owned());
    assert_eq!(premises(&story.judged(), "provider.retry"), 0);
}

#[test]
fn where_the_provider_fails_nothing_tells_what_came_of_arguments_that_are_no_json() {
    for (answer, told) in [(Answered::Text, 1), (FAILS, 0)] {
        let mut story = Story::over(PLAIN);
        story.prompt();
        story.request(Api::OpenaiChat, &plain(), calls(vec![unreadable("call-1")]));
        story.recorded("call-1", "ToolSearch", tacit_contract::Status::Error, None);
        let rows = vec![user(1), crate::common::called("call-1", "ToolSearch"), result("call-1")];
        story.request(Api::OpenaiChat, &body(&[], rows), answer);
        story.end();
        assert_eq!(premises(&story.judged(), "search.not-json"), told);
    }
}
