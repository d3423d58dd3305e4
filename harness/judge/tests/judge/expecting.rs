//! What scenarios expect of calls, and what is told where it is not met.

use crate::common::{
    PLAIN, Story, body, called, calls, found, host_call, profile, result, search, user, using,
};
use tacit_contract::Status;
use tacit_contract::protocol::Api;
use tacit_contract::runtime::{HostCall, HostStatus};
use tacit_contract::session::Failure;
use tacit_contract::trace::{Answered, RequestClass};
use tacit_judge::Account;
use tacit_judge::expect::Expectation;

fn told(story: &Story, expectation: &Expectation) -> String {
    let profile = profile();
    match expectation.met(&Account::new(&profile, story.trace())) {
        Ok(()) => "met".to_owned(),
        Err(unmet) => unmet.to_string(),
    }
}

/// What the host is asked, and what it answers.
type Asked = (&'static str, HostStatus);

/// Calls of two tools, of which the host is asked these things about the first, `acme_weather`.
fn called_with(asked: &[Asked], answered: bool) -> Story {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![using("call-1", "acme_weather"), using("call-2", "acme_tickets")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    for (method, status) in asked {
        story.host(host_call(method, Some("call-1"), "acme_weather"), *status);
    }
    story.recorded("call-1", "acme_weather", Status::Error, None);
    let mut rows = vec![user(1), called("call-1", "acme_weather")];
    if answered {
        rows.push(result("call-1"));
    }
    story.request(Api::OpenaiChat, &body(&[], rows), Answered::Text);
    story.end();
    story
}

#[test]
fn a_call_is_refused_runs_or_is_denied() {
    let (no, yes) = (HostStatus::Denied, HostStatus::Ok);
    let cases: [(&[Asked], [&str; 3]); 5] = [
        (&[], ["met", "acme_weather was not run", "the host was not asked about the call"]),
        (
            &[("tool.execute", yes)],
            [
                "acme_weather was run, expected a refusal",
                "met",
                "the host was asked about the call",
            ],
        ),
        (&[("tool.execute", no)], ["met", "acme_weather was not run", "met"]),
        (&[("tool.permission", no)], ["met", "acme_weather was not run", "met"]),
        (
            &[("log.write", yes)],
            ["met", "acme_weather was not run", "the host was not asked about the call"],
        ),
    ];
    for (asked, expected) in cases {
        let story = called_with(asked, true);
        let tool = || "acme_weather".into();
        let all =
            [Expectation::Refused(tool()), Expectation::Runs(tool()), Expectation::Denied(tool())];
        for (expectation, expected) in all.iter().zip(expected) {
            let told = told(&story, expectation);
            assert!(told.starts_with(expected), "{asked:?}: {told}");
        }
    }
}

#[test]
fn a_refusal_is_a_result_that_the_model_gets() {
    let refused = Expectation::Refused("acme_weather".into());
    assert_eq!(
        told(&called_with(&[], false), &refused),
        "the model got no result for its call of acme_weather"
    );
    let nobody = Expectation::Refused("acme_maps".into());
    assert!(told(&called_with(&[], true), &nobody).contains("no call of that tool"));
    // A search of that name is no call of it.
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    story.end();
    assert!(told(&story, &Expectation::Refused("ToolSearch".into())).contains("no call of that"));
}

/// A search after which these are shown, over two requests of which the second holds its result.
fn searched(before: &[&str], shown: [&[&str]; 2]) -> Story {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(before, vec![user(1)]), asks);
    story.searched("call-1", shown[1]);
    story.request(Api::OpenaiChat, &body(shown[0], vec![user(1)]), Answered::Text);
    let rows = [vec![user(1)], found("call-1", &[])].concat();
    story.request(Api::OpenaiChat, &body(shown[1], rows), Answered::Text);
    story.end();
    story
}

#[test]
fn what_a_search_activated_is_what_was_not_there_before_it() {
    let story = searched(&["acme_tickets"], [&[], &["acme_weather", "acme_tickets"]]);
    assert_eq!(told(&story, &Expectation::ActivatesAtMost(1)), "met");
    assert_eq!(
        told(&story, &Expectation::ActivatesAtMost(0)),
        "the search activated 1 tool, expected 0 at the most: acme_weather"
    );
    assert_eq!(told(&story, &Expectation::Activates(vec!["acme_weather".into()])), "met");
    // Core tools and what is none of the session's are not counted.
    let story = searched(&[], [&[], &["stranger"]]);
    assert_eq!(told(&story, &Expectation::ActivatesAtMost(0)), "met");
}

#[test]
fn where_no_request_holds_the_result_the_next_one_is_looked_at() {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    let next = body(&["acme_weather"], vec![user(1)]);
    story.request(Api::OpenaiChat, &next, Answered::Text);
    story.end();
    assert_eq!(told(&story, &Expectation::Activates(vec!["acme_weather".into()])), "met");
}

#[test]
fn a_search_is_nothing_to_ask_the_host_about() {
    let asked = |call: Option<HostCall>| {
        let mut story = searched(&[], [&[], &["acme_weather"]]);
        if let Some(call) = call {
            story.host(call, HostStatus::Ok);
        }
        told(&story, &Expectation::HostNotAskedForSearch)
    };
    let by_id = HostCall { tool_name: None, ..host_call("log.write", Some("call-1"), "") };
    let by_name = host_call("log.write", None, "ToolSearch");
    for call in [by_id, by_name] {
        assert_eq!(asked(Some(call)), "the search made the host call `log.write`");
    }
    assert_eq!(asked(Some(host_call("tool.execute", Some("call-2"), "Read"))), "met");
    assert_eq!(asked(None), "met");
}

#[test]
fn a_request_that_failed_is_sent_again_with_the_same_tools() {
    let told = |answer: Answered, again: &[&str]| {
        let mut story = Story::over(PLAIN);
        story.prompt();
        story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), answer);
        let again = body(again, vec![user(1)]);
        story.request_of(RequestClass::Repeat, Api::OpenaiChat, &again, Answered::Text);
        story.end();
        told(&story, &Expectation::SentAgain)
    };
    let fails = || Answered::Failure { failure: Failure::Overloaded };
    assert_eq!(told(fails(), &[]), "met");
    assert!(told(fails(), &["acme_weather"]).starts_with("the request that failed showed Read"));
    assert_eq!(told(Answered::Text, &[]), "there was no second request after one that failed");
}
