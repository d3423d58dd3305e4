//! `order.stable`: the same tools in the same order.

use crate::common::{
    PLAIN, Story, body, broken, calls, found, found_of, premises, profile, search, user,
};
use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_contract::trace::Answered;
use tacit_contract::{Judgement, Variant};
use tacit_judge::Judge;

const CLAUSE: &str = "order.stable";

/// A prompt of one request.
fn asked(story: &mut Story, body: &Value) {
    story.prompt();
    story.request(Api::OpenaiChat, body, Answered::Text);
    story.end();
}

fn plain(prompt: usize) -> Value {
    body(&[], vec![user(prompt)])
}

fn swapped(mut body: Value) -> Value {
    body["tools"].as_array_mut().unwrap().swap(0, 1);
    body
}

/// The same with its two catalog lines the other way round.
fn listed_backwards(mut body: Value) -> Value {
    let text = body["messages"][0]["content"].as_str().unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|line| line.starts_with("- ")).unwrap();
    lines.swap(first, first + 1);
    body["messages"][0]["content"] = json!(lines.join("\n"));
    body
}

fn two_prompts(second: &Value) -> Judgement {
    let mut story = Story::over(PLAIN);
    asked(&mut story, &plain(1));
    asked(&mut story, second);
    story.judged()
}

#[test]
fn the_same_tools_in_another_order_are_told_with_what_changed_places() {
    let judgement = two_prompts(&swapped(plain(2)));
    assert_eq!(broken(&judgement), [CLAUSE]);
    assert!(
        found_of(&judgement, CLAUSE).starts_with(
            "Bash is shown before Read, and in request 1 of prompt 1 after it, over the same calls"
        ),
        "{}",
        found_of(&judgement, CLAUSE)
    );
}

#[test]
fn the_same_order_is_right_and_counted() {
    let judgement = two_prompts(&plain(2));
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    assert_eq!(premises(&judgement, CLAUSE), 1);
}

#[test]
fn a_catalog_in_another_order_breaks_it_too() {
    let judgement = two_prompts(&listed_backwards(plain(2)));
    assert_eq!(broken(&judgement), ["cache.base-prompt", CLAUSE]);
    assert!(found_of(&judgement, CLAUSE).starts_with("acme_tickets is listed before acme_weather"));
}

#[test]
fn what_one_of_two_requests_lacks_changes_no_order() {
    let mut fewer = plain(2);
    fewer["tools"].as_array_mut().unwrap().remove(0);
    let judgement = two_prompts(&fewer);
    assert!(!broken(&judgement).contains(&CLAUSE));
    assert_eq!(premises(&judgement, CLAUSE), 1);
}

#[test]
fn over_other_calls_the_order_is_free() {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &plain(1), asks);
    story.searched("call-1", &["acme_weather"]);
    let conversation = [vec![user(1)], found("call-1", &[])].concat();
    let after = swapped(body(&["acme_weather"], conversation));
    story.request(Api::OpenaiChat, &after, Answered::Text);
    story.end();
    let judgement = story.judged();
    // What moved for a tool that was added is measured, and no more.
    assert_eq!((broken(&judgement), premises(&judgement, CLAUSE)), (vec!["cache.order"], 0));
}

#[test]
fn a_repeat_is_held_to_the_order_of_what_it_repeats() {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let failure = tacit_contract::session::Failure::Overloaded;
    story.request(Api::OpenaiChat, &plain(1), Answered::Failure { failure });
    let class = tacit_contract::trace::RequestClass::Repeat;
    story.request_of(class, Api::OpenaiChat, &swapped(plain(1)), Answered::Text);
    story.end();
    assert_eq!(broken(&story.judged()), [CLAUSE]);
}

/// A session of one prompt, held against a variant of it that shows its tools in another order.
fn held_against(variant: Variant) -> Judgement {
    let (mut base, mut other) = (Story::over(PLAIN), Story::over(PLAIN));
    asked(&mut base, &plain(1));
    asked(&mut other, &swapped(plain(1)));
    Judge::new(&profile()).judge_case(base.trace(), &[(variant, other.trace().clone())])
}

#[test]
fn what_was_before_changes_no_order() {
    for variant in [Variant::Restarted, Variant::FromRows, Variant::OtherPast] {
        assert_eq!(broken(&held_against(variant)), [CLAUSE], "{variant:?}");
    }
}

#[test]
fn a_registry_in_another_order_is_another_registry() {
    assert!(broken(&held_against(Variant::Reordered)).is_empty());
}
