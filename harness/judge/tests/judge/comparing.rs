//! A session held against its variants: what is compared, and what is left alone.

use crate::common::{PLAIN, Story, body, calls, found, found_of, premises, profile, search, user};
use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_contract::trace::Answered;
use tacit_contract::{Judgement, Mode, Profile, Variant};
use tacit_judge::Judge;
use tacit_judge::compare::{compare, compare_sizes};

const OVER: Variant = Variant::Over { provider: PLAIN };

/// One prompt with one request.
fn asked_once(body: &Value) -> Story {
    let mut story = Story::over(PLAIN);
    story.prompt();
    story.request(Api::OpenaiChat, body, Answered::Text);
    story.end();
    story
}

/// A search in a first prompt, and a second prompt with this request.
fn asked_again(body: &Value) -> Story {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &plain(&[]), asks);
    story.searched("call-1", &["acme_weather"]);
    let after = crate::common::body(&["acme_weather"], rows());
    story.request(Api::OpenaiChat, &after, Answered::Text);
    story.end();
    story.prompt();
    story.request(Api::OpenaiChat, body, Answered::Text);
    story.end();
    story
}

fn rows() -> Vec<Value> {
    [vec![user(1)], found("call-1", &[])].concat()
}

fn plain(further: &[&str]) -> Value {
    body(further, vec![user(1)])
}

fn unreadable() -> Story {
    let mut story = asked_once(&plain(&["acme_weather"]));
    story.change_last_body(|_| "{".to_owned());
    story
}

fn compared(variant: Variant, base: &Story, other: &Story) -> Judgement {
    compare(&profile(), base.trace(), variant, other.trace())
}

#[test]
fn what_nobody_can_read_is_held_against_nothing() {
    let all = [
        Variant::Restarted,
        Variant::FromRows,
        Variant::OtherPast,
        OVER,
        Variant::Permuted,
        Variant::WithIrrelevantRows,
        Variant::WithMoreEvidence,
        Variant::Reordered,
        Variant::Reworded,
        Variant::Grown { tools: 10 },
        Variant::LongTexts { characters: 200 },
    ];
    let readable = asked_once(&plain(&["acme_weather"]));
    for variant in all {
        for (base, other) in [(&readable, &unreadable()), (&unreadable(), &readable)] {
            let judgement = compared(variant, base, other);
            assert_eq!(
                (judgement.exercised.len(), judgement.breaches.len()),
                (0, 0),
                "{variant:?}"
            );
        }
    }
}

#[test]
fn over_other_rows_other_tools_and_another_order_are_no_difference() {
    let base = asked_again(&body(&[], [vec![user(1)], vec![user(2)]].concat()));
    let mut other = body(&["acme_weather"], [rows(), vec![user(2)]].concat());
    other["tools"].as_array_mut().unwrap().swap(0, 1);
    let other = asked_again(&other);
    for variant in [Variant::Restarted, Variant::FromRows, Variant::OtherPast, OVER] {
        let judgement = compared(variant, &base, &other);
        assert_eq!(judgement.breaches.len(), 0, "{variant:?}");
        // The two requests of the first prompts are alike.
        let alike = if variant == OVER { 2 } else { 0 };
        assert_eq!(judgement.exercised.values().sum::<u64>(), alike, "{variant:?}");
    }
}

#[test]
fn over_the_same_rows_other_tools_are_a_difference() {
    let conversation = || [rows(), vec![user(2)]].concat();
    let base = asked_again(&body(&[], conversation()));
    let other = asked_again(&body(&["acme_weather"], conversation()));
    for (variant, clause) in [(Variant::Restarted, "restore.restart"), (OVER, "provider.same")] {
        let judgement = compared(variant, &base, &other);
        assert!(found_of(&judgement, clause).contains("acme_weather"), "{variant:?}");
    }
}

#[test]
fn with_more_evidence_nothing_goes_away() {
    let conversation = || [rows(), vec![user(2)]].concat();
    let base = asked_again(&body(&["acme_weather"], conversation()));
    let fewer = asked_again(&body(&[], conversation()));
    let judgement = compared(Variant::WithMoreEvidence, &base, &fewer);
    let missing = "with more evidence acme_weather is missing";
    assert!(found_of(&judgement, "restore.search-evidence").starts_with(missing));
    let judgement = compared(Variant::WithMoreEvidence, &fewer, &base);
    let premises = premises(&judgement, "restore.search-evidence");
    assert_eq!((judgement.breaches.len(), premises), (0, 1));
}

#[test]
fn a_search_that_finds_less_because_more_was_active_is_other_evidence() {
    let base = asked_again(&body(&["acme_weather"], [rows(), vec![user(2)]].concat()));
    let mut found_less = rows();
    found_less.last_mut().unwrap()["content"] = json!("active already");
    let other = asked_again(&body(&[], [found_less, vec![user(2)]].concat()));
    let judgement = compared(Variant::WithMoreEvidence, &base, &other);
    assert_eq!((judgement.breaches.len(), judgement.exercised.len()), (0, 0));
}

/// A prompt over Responses that begins with `acme_weather`, and says these words.
fn says_over_responses(words: &str) -> Story {
    let flat = |tools: &Value| -> Vec<Value> {
        let tools = tools.as_array().unwrap().iter();
        tools
            .map(|tool| {
                let mut flat = tool["function"].clone();
                flat["type"] = json!("function");
                flat
            })
            .collect()
    };
    let (chat, loaded) = (plain(&[]), crate::common::definitions(&["acme_weather"]));
    let body = json!({"model": "scripted", "tools": flat(&chat["tools"]), "input": [
        {"role": "system", "content": chat["messages"][0]["content"]},
        {"type": "additional_tools", "role": "developer", "tools": flat(&json!(loaded))},
        {"role": "developer", "content": words},
        {"role": "user", "content": [{"type": "input_text", "text": crate::common::asked(1)}]},
    ]});
    let mut story = Story::over(PLAIN);
    story.prompt();
    story.request(Api::OpenaiResponses, &body, Answered::Text);
    story.end();
    story
}

#[test]
fn a_definition_that_is_taken_back_in_words_alone_is_neither_there_nor_not() {
    let gone = "The following tools are no longer available. Do not call them:\n- acme_weather";
    let withdrawn = says_over_responses(gone);
    let (with, without) = (asked_once(&plain(&["acme_weather"])), asked_once(&plain(&[])));
    for chat in [&with, &without] {
        for (base, other) in [(chat, &withdrawn), (&withdrawn, chat)] {
            let judgement = compared(OVER, base, other);
            let premises = premises(&judgement, "provider.same");
            assert_eq!((found_of(&judgement, "provider.same").as_str(), premises), ("", 1));
        }
    }
    let kept = compared(OVER, &says_over_responses("Go on."), &without);
    assert!(found_of(&kept, "provider.same").contains("acme_weather"));
}

/// What is found where one of two APIs has a tool that is none of the session's.
fn beside(profile: &Profile) -> Judgement {
    let (base, other) = (asked_once(&plain(&[])), asked_once(&plain(&["asktool_2"])));
    compare(profile, base.trace(), OVER, other.trace())
}

#[test]
fn what_is_sent_beside_may_differ_by_api_only_where_the_profile_leaves_it_open() {
    assert!(found_of(&beside(&profile()), "provider.same").contains("asktool_2"));
    let mut open = profile();
    open.modes.get_mut(&Mode::Agent).unwrap().also.push("*".into());
    let judgement = beside(&open);
    let (found, premises) =
        (found_of(&judgement, "provider.same"), premises(&judgement, "provider.same"));
    assert_eq!((found.as_str(), premises), ("", 1));
}

fn sized(small: (Variant, &Value), large: (Variant, &Value)) -> Judgement {
    let stories = [(small.0, asked_once(small.1)), (large.0, asked_once(large.1))];
    let traces: Vec<_> = stories.iter().map(|(variant, story)| (*variant, story.trace())).collect();
    compare_sizes(&profile(), &traces)
}

fn grown(tools: u32) -> Variant {
    Variant::Grown { tools }
}

/// What is found of the cost where a request of ten tools lacks something that one of more has.
fn costs(more: &Value) -> String {
    let (mut small, mut large) = (plain(&[]), plain(&[]));
    small["metadata"] = json!([]);
    large["metadata"] = json!([more]);
    found_of(&sized((grown(10), &small), (grown(30), &large)), "initial.cost")
}

#[test]
fn a_first_request_may_grow_by_the_catalog_s_bound_wherever_its_text_stands() {
    let at_most = |bytes: usize| [json!("x".repeat(bytes)), json!({"x".repeat(bytes - 1): true})];
    for more in at_most(12_000) {
        assert_eq!(costs(&more), "");
    }
    for more in at_most(12_001) {
        assert!(costs(&more).ends_with("12000 more at the most"), "{}", costs(&more));
    }
}

#[test]
fn cost_is_counted_from_ten_tools_on_and_towards_more_of_them() {
    let cost = |small, large| {
        let body = plain(&[]);
        premises(&sized((grown(small), &body), (grown(large), &body)), "initial.cost")
    };
    assert_eq!(
        [cost(10, 11), cost(9, 10), cost(11, 30), cost(10, 10), cost(10, 9)],
        [1, 0, 0, 0, 0]
    );
}

#[test]
fn sizes_are_held_against_each_other_when_a_case_is_judged() {
    let story = asked_once(&plain(&[]));
    let trace = || story.trace().clone();
    let variants = [(grown(10), trace()), (Variant::Restarted, trace()), (grown(30), trace())];
    let judgement = Judge::new(&profile()).judge_case(story.trace(), &variants);
    assert_eq!(premises(&judgement, "initial.cost"), 1);
}

/// A request whose catalog has one entry, with this description.
fn listing(description: &str) -> Value {
    let mut body = plain(&[]);
    let base = format!("# On-demand tools\n- acme_weather: {description}\n");
    body["messages"][0]["content"] = json!(base);
    body
}

fn growth(small: (Variant, &Value), large: (Variant, &Value)) -> (String, u64) {
    let judgement = sized(small, large);
    (found_of(&judgement, "catalog.bounded"), premises(&judgement, "catalog.bounded"))
}

#[test]
fn a_catalog_does_not_grow_with_the_registry_or_its_texts_but_for_digits() {
    let long = |characters| Variant::LongTexts { characters };
    for (small, large) in [(grown(1000), grown(10_000)), (long(200), long(100_000))] {
        let held = |there: &str| growth((small, &listing("7 kinds")), (large, &listing(there)));
        for there in ["7 kinds", "1234 kinds", "7 kind"] {
            assert_eq!(held(there), (String::new(), 1), "{large:?}: {there}");
        }
        let (found, premises) = held("7 kindss");
        assert_eq!(
            (found.as_str(), premises),
            ("the catalog grew from 41 bytes to 42, digits aside", 1)
        );
        // Nothing grows that was not there, and nothing is held against a smaller one.
        assert_eq!(growth((small, &plain_without_catalog()), (large, &listing("a"))).1, 0);
        assert_eq!(growth((large, &listing("a")), (small, &listing("ab"))).1, 0);
        assert_eq!(growth((small, &listing("a")), (small, &listing("ab"))).1, 0);
    }
    assert_eq!(growth((grown(999), &listing("a")), (grown(1000), &listing("ab"))).1, 0);
    assert_eq!(growth((grown(1000), &listing("a")), (long(200), &listing("ab"))).1, 0);
}

fn plain_without_catalog() -> Value {
    let mut body = plain(&[]);
    body["messages"][0]["content"] = json!("You are an agent.");
    body
}
