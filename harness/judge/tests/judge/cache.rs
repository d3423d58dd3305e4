//! `cache.*` and `cost.first-request`: what is measured.

use crate::common::{
    NATIVE, PLAIN, Story, body, broken, calls, found, found_of, premises, search, tools, user,
};
use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_contract::trace::Answered;
use tacit_contract::{ClauseId, Judgement, ProviderKind};

const ORDER: &str = "cache.order";
const BASE: &str = "cache.base-prompt";
const LOADER: &str = "cache.loader";
const COST: &str = "cost.first-request";

/// A prompt whose two searches each find a tool; the requests after them go like this.
fn two_searches(provider: ProviderKind, second: &Value, third: &Value) -> Story {
    let mut story = Story::over(provider);
    story.prompt();
    let first = body(&[], vec![user(1)]);
    let asks = |id, tool| calls(vec![search(id, tool)]);
    story.request(Api::OpenaiChat, &first, asks("call-1", "acme_weather"));
    story.searched("call-1", &["acme_weather"]);
    story.request(Api::OpenaiChat, second, asks("call-2", "acme_tickets"));
    story.searched("call-2", &["acme_tickets"]);
    story.request(Api::OpenaiChat, third, Answered::Text);
    story.end();
    story
}

fn rows(loads: [&[&str]; 2], count: usize) -> Vec<Value> {
    let [first, second] = loads;
    let all = [vec![user(1)], found("call-1", first), found("call-2", second)];
    all[..=count].concat()
}

fn second() -> Value {
    body(&["acme_weather"], rows([&[], &[]], 1))
}

fn third() -> Value {
    body(&["acme_weather", "acme_tickets"], rows([&[], &[]], 2))
}

fn readings(judgement: &Judgement, point: &str) -> Vec<(String, u64)> {
    let seen = judgement.readings.get(point).cloned().unwrap_or_default();
    seen.into_iter().collect()
}

fn seen(reading: &str, count: u64) -> Vec<(String, u64)> {
    vec![(reading.to_owned(), count)]
}

#[test]
fn tools_that_are_added_behind_the_others_move_none() {
    let judgement = two_searches(PLAIN, &second(), &third()).judged();
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    assert_eq!(readings(&judgement, ORDER), seen("kept", 2));
    assert_eq!(premises(&judgement, ORDER), 2);
}

#[test]
fn a_tool_that_is_added_before_others_moves_them() {
    let third = body(&["acme_tickets", "acme_weather"], rows([&[], &[]], 2));
    let judgement = two_searches(PLAIN, &second(), &third).judged();
    assert_eq!(broken(&judgement), [ORDER]);
    assert!(
        found_of(&judgement, ORDER)
            .starts_with("acme_weather does not stand as it stood before acme_tickets was added")
    );
    assert_eq!(readings(&judgement, ORDER).len(), 2);
}

#[test]
fn a_schema_whose_members_change_places_is_another_to_a_cache() {
    let mut third = third();
    let weather = third["tools"].as_array().unwrap().len() - 2;
    let schema = third["tools"][weather]["function"]["parameters"].as_object_mut().unwrap();
    let first = schema.shift_remove("type").unwrap();
    schema.insert("type".to_owned(), first);
    let judgement = two_searches(PLAIN, &second(), &third).judged();
    assert_eq!(broken(&judgement), [ORDER]);
}

#[test]
fn what_a_provider_loads_stands_behind_all_that_was_sent() {
    let second = body(&[], rows([&["acme_weather"], &[]], 1));
    let third = body(&[], rows([&["acme_weather"], &["acme_tickets"]], 2));
    let judgement = two_searches(NATIVE, &second, &third).judged();
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    assert_eq!(readings(&judgement, ORDER), seen("kept", 2));
}

#[test]
fn without_a_tool_more_there_is_nothing_to_measure() {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "nothing")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    story.searched("call-1", &[]);
    story.request(Api::OpenaiChat, &body(&[], rows([&[], &[]], 1)), Answered::Text);
    story.end();
    assert_eq!(premises(&story.judged(), ORDER), 0);
}

fn in_two_prompts(second: &Value) -> Judgement {
    let mut story = Story::over(PLAIN);
    for (number, body) in [(1, &body(&[], vec![user(1)])), (2, second)] {
        assert!(number > 0);
        story.prompt();
        story.request(Api::OpenaiChat, body, Answered::Text);
        story.end();
    }
    story.judged()
}

#[test]
fn a_base_prompt_that_stays_is_told_within_and_across_prompts() {
    let judgement = two_searches(PLAIN, &second(), &third()).judged();
    assert_eq!(readings(&judgement, BASE), seen("equal within a prompt", 2));
    let judgement = in_two_prompts(&body(&[], vec![user(2)]));
    assert_eq!(readings(&judgement, BASE), seen("equal across prompts", 1));
    assert_eq!((broken(&judgement), premises(&judgement, BASE)), (Vec::new(), 1));
}

#[test]
fn a_base_prompt_that_tells_the_time_changes() {
    let mut later = body(&[], vec![user(2)]);
    let text = later["messages"][0]["content"].as_str().unwrap().replace("agent", "agents");
    later["messages"][0]["content"] = json!(text);
    let judgement = in_two_prompts(&later);
    assert_eq!(broken(&judgement), [BASE]);
    assert_eq!(readings(&judgement, BASE), seen("changes across prompts", 1));
    assert!(found_of(&judgement, BASE).contains("16 stand as they stood"));
}

#[test]
fn a_search_tool_with_another_description_is_another() {
    let same = in_two_prompts(&body(&[], vec![user(2)]));
    assert_eq!(readings(&same, LOADER), seen("the same", 1));
    let mut later = body(&[], vec![user(2)]);
    let list = later["tools"].as_array_mut().unwrap();
    let search = list.iter_mut().find(|tool| tool["function"]["name"] == "ToolSearch").unwrap();
    search["function"]["description"] = json!("what there is now: acme");
    let judgement = in_two_prompts(&later);
    assert_eq!(broken(&judgement), [LOADER]);
    assert_eq!(readings(&judgement, LOADER), seen("changes", 1));
}

#[test]
fn the_first_request_is_measured_against_one_with_every_schema() {
    let first = body(&["acme_weather"], vec![user(1)]);
    let mut story = Story::over(PLAIN);
    story.prompt();
    story.request(Api::OpenaiChat, &first, Answered::Text);
    story.end();
    let measure = story.judged().measures[&ClauseId::from(COST)];
    let tickets = &tools()[1];
    let left_out = json!({
        "name": tickets.name,
        "description": tickets.description,
        "parameters": tickets.input_schema,
    });
    let part = first.to_string().len() as u64;
    assert_eq!((measure.part, measure.whole), (part, part + left_out.to_string().len() as u64));
    assert_eq!(measure.percent(), Some(measure.part * 100 / measure.whole));
}

#[test]
fn what_follows_a_request_that_nobody_can_read_tells_nothing_of_its_order() {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    story.change_last_body(|_| "{".to_owned());
    story.request(Api::OpenaiChat, &second(), Answered::Text);
    story.end();
    let judgement = story.judged();
    assert_eq!([ORDER, BASE].map(|clause| premises(&judgement, clause)), [0, 0]);
}
