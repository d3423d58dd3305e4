//! The clauses on providers that fail, refuse, change, and do not say all.

use crate::common::{
    NATIVE, PLAIN, Story, body, broken, calls, found, found_of, premises, search, user,
};
use serde_json::{Value, json};
use tacit_contract::protocol::{Api, Stop};
use tacit_contract::session::Failure;
use tacit_contract::trace::{Answered, RequestClass};
use tacit_contract::{ProviderKind, Seen};

/// A prompt whose search finds `acme_weather`, over a provider.
fn searched(provider: ProviderKind) -> Story {
    let mut story = Story::over(provider);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    story.searched("call-1", &["acme_weather"]);
    story.request(Api::OpenaiChat, &shown(provider), Answered::Text);
    story.end();
    story
}

fn shown(provider: ProviderKind) -> Value {
    let (further, loaded): (&[&str], &[&str]) =
        if provider.native { (&[], &["acme_weather"]) } else { (&["acme_weather"], &[]) };
    body(further, [vec![user(1)], found("call-1", loaded)].concat())
}

/// The same, and a prompt at whose beginning the tool is restored.
fn restored() -> Story {
    let mut story = searched(PLAIN);
    second_prompt(&mut story, &["acme_weather"]);
    story
}

fn second_prompt(story: &mut Story, further: &[&str]) {
    next_prompt(story, 2, further);
}

fn next_prompt(story: &mut Story, prompt: usize, further: &[&str]) {
    story.prompt();
    let later = (2..=prompt).map(user).collect();
    let conversation = [vec![user(1)], found("call-1", &[]), later].concat();
    story.request(Api::OpenaiChat, &body(further, conversation), Answered::Text);
    story.end();
}

#[test]
fn the_same_tools_in_the_list_and_at_load_points_are_the_same() {
    let judgement = searched(PLAIN).judged_beside(NATIVE, &searched(NATIVE));
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    assert_eq!(premises(&judgement, "provider.same"), 2);
}

#[test]
fn a_call_is_known_by_an_id_that_holds_its_own() {
    for id in ["call-1|fc_7", "call-1_fc_7"] {
        let mut story = searched(PLAIN);
        story.prompt();
        let conversation = [vec![user(1)], found(id, &[]), vec![user(2)]].concat();
        story.request(Api::OpenaiChat, &body(&["acme_weather"], conversation), Answered::Text);
        story.end();
        assert_eq!(broken(&story.judged()), Vec::<&str>::new(), "{id}");
    }
}

#[test]
fn a_session_of_which_a_request_was_refused_is_compared_with_no_other() {
    let mut other = Story::over(NATIVE);
    other.prompt();
    other.request(Api::OpenaiChat, &body(&[], vec![user(1)]), Answered::Refused);
    other.end_with(Stop::Error, Some("400"));
    other.prompt();
    other.request(Api::OpenaiChat, &body(&[], vec![user(1), user(2)]), Answered::Text);
    other.end();
    let judgement = restored().judged_beside(NATIVE, &other);
    assert_eq!(broken(&judgement), ["provider.valid"]);
}

#[test]
fn a_tool_that_one_provider_is_not_told_of_is_a_difference() {
    let mut other = Story::over(NATIVE);
    other.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    other.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    other.searched("call-1", &["acme_weather"]);
    let nothing = [vec![user(1)], found("call-1", &[])].concat();
    other.request(Api::OpenaiChat, &body(&[], nothing), Answered::Text);
    other.end();
    let judgement = searched(PLAIN).judged_beside(NATIVE, &other);
    assert!(broken(&judgement).contains(&"provider.same"));
    let found = found_of(&judgement, "provider.same");
    assert!(
        found.starts_with("over openai-chat with native deferral the request shows"),
        "{found}"
    );
}

#[test]
fn a_property_that_is_lost_over_one_provider_is_a_difference_and_a_keyword_around_it_is_none() {
    let lacking = |key: &str| {
        let mut story = searched(PLAIN);
        let mut body = shown(PLAIN);
        let tools = body["tools"].as_array_mut().unwrap();
        let parameters = &mut tools.last_mut().unwrap()["function"]["parameters"];
        if key == "note" {
            parameters["properties"].as_object_mut().unwrap().remove("note").unwrap();
        } else {
            parameters["additionalProperties"] = json!(false);
        }
        // The second request is the one that shows the tool.
        story.replace_last_request(&body);
        story
    };
    let judgement = searched(PLAIN).judged_beside(NATIVE, &lacking("note"));
    assert!(found_of(&judgement, "provider.same").ends_with("acme_weather with other parameters"));
    let judgement = searched(PLAIN).judged_beside(NATIVE, &lacking("additionalProperties"));
    assert_eq!(broken(&judgement), Vec::<&str>::new());
}

#[test]
fn evidence_holds_over_another_provider_as_well() {
    let mut story = restored();
    story.reopen(NATIVE);
    next_prompt(&mut story, 3, &["acme_weather"]);
    let judgement = story.judged();
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    assert_eq!(premises(&judgement, "provider.same"), 1);
}

#[test]
fn evidence_that_another_provider_is_not_given_is_a_difference() {
    let mut story = restored();
    story.reopen(NATIVE);
    next_prompt(&mut story, 3, &[]);
    assert_eq!(broken(&story.judged()), ["provider.same", "restore.search-evidence"]);
}

#[test]
fn a_runtime_that_restores_nothing_anyway_is_not_blamed_for_the_change() {
    let mut story = searched(PLAIN);
    second_prompt(&mut story, &[]);
    story.reopen(NATIVE);
    next_prompt(&mut story, 3, &[]);
    let judgement = story.judged();
    assert_eq!(broken(&judgement), ["restore.search-evidence"]);
    assert_eq!(premises(&judgement, "provider.same"), 0);
}

#[test]
fn a_change_that_is_taken_back_at_once_is_a_change() {
    let mut story = restored();
    story.reopen(NATIVE);
    story.reopen(PLAIN);
    next_prompt(&mut story, 3, &["acme_weather"]);
    assert_eq!(premises(&story.judged(), "provider.same"), 1);
}

#[test]
fn a_restart_with_the_same_provider_is_no_change() {
    let mut story = restored();
    story.reopen(PLAIN);
    next_prompt(&mut story, 3, &["acme_weather"]);
    assert_eq!(premises(&story.judged(), "provider.same"), 0);
}

#[test]
fn every_failure_that_is_followed_by_a_request_is_followed_by_the_same_tools() {
    for failure in Failure::ALL {
        for (further, broke) in [(&["acme_weather"][..], false), (&[][..], true)] {
            let mut story = searched(PLAIN);
            story.prompt();
            let rows = [vec![user(1)], found("call-1", &[]), vec![user(2)]].concat();
            let asked = body(&["acme_weather"], rows.clone());
            story.request(Api::OpenaiChat, &asked, Answered::Failure { failure });
            let again = body(further, rows);
            story.request_of(RequestClass::Repeat, Api::OpenaiChat, &again, Answered::Text);
            story.end();
            let judgement = story.judged();
            assert_eq!(premises(&judgement, "provider.retry"), 1, "{failure:?}");
            let expected: &[&str] = if broke { &["provider.retry"] } else { &[] };
            assert_eq!(broken(&judgement), expected, "{failure:?}");
        }
    }
}

#[test]
fn a_failure_that_ends_the_prompt_is_nobodys_breach() {
    for failure in Failure::ALL {
        let mut story = searched(PLAIN);
        story.prompt();
        let rows = [vec![user(1)], found("call-1", &[]), vec![user(2)]].concat();
        let asked = body(&["acme_weather"], rows);
        story.request(Api::OpenaiChat, &asked, Answered::Failure { failure });
        story.end_with(Stop::Error, Some("the provider failed"));
        let judgement = story.judged();
        assert_eq!(broken(&judgement), Vec::<&str>::new(), "{failure:?}");
        assert_eq!(premises(&judgement, "provider.retry"), 0, "{failure:?}");
        assert_eq!(tacit_judge::trouble(story.trace()), None);
    }
}

#[test]
fn a_request_that_is_refused_breaks_the_clause_on_its_form_and_no_other() {
    // A search that can find nothing, a missing result in the seeds, a removed plugin: each has a
    // clause by which the prompt has to go on.
    let unreadable = json!({"model": "scripted", "messages": "none"});
    let illegal = {
        // The catalog is right: `acme_tickets` is gone from it.
        let body = body(&[], vec![user(2)]).to_string();
        let mut body: Value =
            serde_json::from_str(&body.replace("- acme_tickets: what it is for", "")).unwrap();
        let first = body["tools"][0].clone();
        body["tools"].as_array_mut().unwrap().push(first);
        body
    };
    for (class, refused) in [(RequestClass::Helper, unreadable), (RequestClass::Turn, illegal)] {
        let mut story = searched(PLAIN);
        let left = crate::common::tools().into_iter().filter(|tool| tool.name != "acme_tickets");
        story.see(Seen::ToolsSet {
            updated: Vec::new(),
            tools: std::sync::Arc::new(left.collect()),
            removed: vec!["acme_tickets".into()],
            added: Vec::new(),
        });
        story.prompt();
        story.request_of(class, Api::OpenaiChat, &refused, Answered::Refused);
        story.end_with(Stop::Error, Some("400"));
        let judgement = story.judged();
        assert_eq!(broken(&judgement), ["provider.valid"], "{class:?}");
        assert_eq!(premises(&judgement, "provider.retry"), 0, "{class:?}");
        assert_eq!(tacit_judge::trouble(story.trace()), None, "{class:?}");
    }
}

#[test]
fn calls_that_nobody_issued_come_and_go_without_being_lost_evidence() {
    let mut story = searched(PLAIN);
    story.prompt();
    let synthetic = |id: &str| found(id, &[]);
    for (number, answer) in
        [(1, calls(vec![search("call-2", "acme_tickets")])), (2, Answered::Text)]
    {
        let mut rows = [vec![user(1)], found("call-1", &[])].concat();
        rows.extend(synthetic(&format!("loaded-{number}")));
        rows.push(user(2));
        let mut further = vec!["acme_weather"];
        if number == 2 {
            rows.extend(found("call-2", &[]));
            further.push("acme_tickets");
        }
        story.request(Api::OpenaiChat, &body(&further, rows), answer);
        if number == 1 {
            story.searched("call-2", &["acme_tickets"]);
        }
    }
    story.end();
    let judgement = story.judged();
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    // Were a call lost, what was shown before would be open, and nothing would have to last.
    assert_eq!(premises(&judgement, "activation.lasts"), 1);
}

/// A Messages request that goes on from a message of which it says the id alone.
fn continued(prompt: usize) -> Value {
    json!({
        "model": "scripted",
        "max_tokens": 100,
        "thread": {"type": "continue", "previous_message_id": "msg_1"},
        "messages": [{"role": "user", "content": crate::common::asked(prompt)}],
    })
}

#[test]
fn on_a_request_that_goes_on_by_reference_nothing_is_judged_but_its_form() {
    let mut story = Story::over(ProviderKind::native(Api::AnthropicMessages));
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::AnthropicMessages, &continued(1), asks);
    story.searched("call-1", &["acme_weather"]);
    story.request(Api::AnthropicMessages, &continued(1), Answered::Text);
    story.end();
    let judgement = story.judged();
    assert!(premises(&judgement, "provider.valid") > 0);
    for clause in ["initial.core", "initial.minimal", "search.exact", "provider.native"] {
        assert_eq!(premises(&judgement, clause), 0, "{clause}");
        let why = judgement.undecided.get(clause).unwrap();
        assert!(why.contains("goes on by reference"), "{clause}: {why}");
    }
    assert!(!judgement.undecided.contains_key("provider.valid"));
    let others: Vec<&str> =
        broken(&judgement).into_iter().filter(|clause| *clause != "provider.valid").collect();
    assert_eq!(others, Vec::<&str>::new());
}

#[test]
fn requests_after_one_that_goes_on_by_reference_are_judged_by_what_they_hold() {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::AnthropicMessages, &continued(1), asks);
    story.searched("call-1", &["acme_weather"]);
    story.request(Api::OpenaiChat, &shown(PLAIN), Answered::Text);
    story.end();
    second_prompt(&mut story, &["acme_weather"]);
    let judgement = story.judged();
    let others: Vec<&str> =
        broken(&judgement).into_iter().filter(|clause| *clause != "provider.valid").collect();
    assert_eq!(others, Vec::<&str>::new());
    assert_eq!(premises(&judgement, "restore.search-evidence"), 1);
    // What grew since a request that shows nothing cannot be said.
    assert_eq!(premises(&judgement, "search.exact"), 0);
    assert_eq!(premises(&judgement, "initial.minimal"), 1);
}

#[test]
fn an_expectation_of_a_request_that_goes_on_by_reference_does_not_apply() {
    use tacit_judge::expect::{At, Expectation, Unmet, WhichPrompt, WhichRequest};
    let mut story = Story::over(PLAIN);
    story.prompt();
    story.request(Api::AnthropicMessages, &continued(1), Answered::Text);
    story.end();
    let profile = crate::common::profile();
    let account = tacit_judge::Account::new(&profile, story.trace());
    let at = At { prompt: WhichPrompt::Last, request: WhichRequest::First };
    let met = Expectation::ShowsSearch(at).met(&account);
    assert!(
        matches!(&met, Err(Unmet::NotApplicable(why)) if why.contains("by reference")),
        "{met:?}"
    );
}
