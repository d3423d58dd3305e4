//! Which of the accepted readings of searches was seen.

use crate::common::world::{Searched, body, catalog, registry};
use crate::common::{Story, called, calls, result, search};
use tacit_contract::protocol::Api;
use tacit_contract::trace::Answered;
use tacit_contract::{Judgement, Query, Status, ToolName};

const TOOLS: [(&str, &str); 3] = [
    ("acme_weather", "Forecast rain."),
    ("acme_tickets", "List the defects."),
    ("acme_maps", "Draw a map."),
];

fn reading(judgement: &Judgement, point: &str) -> Vec<String> {
    judgement.readings.get(point).map(|seen| seen.keys().cloned().collect()).unwrap_or_default()
}

fn exact() -> Searched<'static> {
    Searched {
        tools: &TOOLS,
        query: Query::text("acme_maps"),
        marker: &["acme_maps"],
        after: &["acme_maps"],
        ..Searched::default()
    }
}

#[test]
fn a_miss_names_some_of_the_catalog_or_none() {
    let miss = |result| Searched { tools: &TOOLS, result, ..Searched::default() }.judged();
    assert_eq!(reading(&miss("Nothing matches."), "miss"), ["it names none"]);
    let some = miss("Nothing matches; there are acme_maps and others.");
    assert_eq!(reading(&some, "miss"), ["it names some of the catalog"]);
}

#[test]
fn a_marker_names_what_is_new_or_everything_that_matched() {
    let again = Searched { before: &["acme_maps"], marker: &[], ..exact() };
    assert_eq!(reading(&again.judged(), "marker"), ["what is new"]);
    let all = Searched { marker: &["acme_maps"], ..again };
    assert_eq!(reading(&all.judged(), "marker"), ["everything that matched"]);
    assert_eq!(reading(&exact().judged(), "marker"), Vec::<String>::new());
}

#[test]
fn an_exact_name_brings_that_tool_alone_or_neighbours_too() {
    assert_eq!(reading(&exact().judged(), "exact-name"), ["that tool alone"]);
    let after = &["acme_maps", "acme_tickets"];
    let neighbours = Searched { marker: after, after, ..exact() };
    assert_eq!(reading(&neighbours.judged(), "exact-name"), ["neighbours too"]);
    // Where there is no neighbour, nothing can be said.
    let lonely = Searched { tools: &[("acme_maps", "Draw.")], ..exact() };
    assert_eq!(reading(&lonely.judged(), "exact-name"), Vec::<String>::new());
}

const PAGES: [(&str, &str); 6] = [
    ("acme_1", "A page."),
    ("acme_2", "A page."),
    ("acme_3", "A page."),
    ("acme_4", "A page."),
    ("acme_5", "A page."),
    ("acme_map", "A map."),
];

#[test]
fn places_that_active_matches_use_up_are_seen_where_one_word_asks_for_more_than_there_are() {
    let seen = |after: &[&str]| {
        let searched = Searched {
            tools: &PAGES,
            query: Query::text("page"),
            before: &["acme_1"],
            marker: &after[1..],
            after,
            ..Searched::default()
        };
        reading(&searched.judged(), "active-matches")
    };
    let all = ["acme_1", "acme_2", "acme_3", "acme_4", "acme_5"];
    assert_eq!(seen(&all), ["active matches use up no places"]);
    assert_eq!(seen(&all[..4]), ["active matches use up places"]);
    assert_eq!(seen(&all[..2]), Vec::<String>::new());
}

/// Two searches in one batch, for a word that five tools hold and for another, and what they bring.
fn in_one_batch(second: &str, after: &[&str]) -> Vec<String> {
    let tools = registry(&PAGES);
    let mut story = Story::having(tools.clone());
    story.prompt();
    let base = catalog(&tools);
    let asks = calls(vec![search("call-1", "page"), search("call-2", second)]);
    story.request(Api::OpenaiChat, &body(&tools, &base, &[], Vec::new()), asks);
    let marker = after.iter().copied().map(ToolName::from).collect();
    story.recorded("call-1", "ToolSearch", Status::Ok, Some(marker));
    story.recorded("call-2", "ToolSearch", Status::Ok, None);
    let rest = ["call-1", "call-2"].map(|id| [called(id, "ToolSearch"), result(id)]).concat();
    story.request(Api::OpenaiChat, &body(&tools, &base, after, rest), Answered::Text);
    story.end();
    reading(&story.judged(), "batch")
}

#[test]
fn two_searches_of_a_batch_bring_four_each_or_four_together() {
    let four = ["acme_1", "acme_2", "acme_3", "acme_map"];
    assert_eq!(in_one_batch("acme_map", &four), ["four together"]);
    let five = ["acme_1", "acme_2", "acme_3", "acme_4", "acme_map"];
    assert_eq!(in_one_batch("acme_map", &five), ["four each"]);
    // One that the first would find as well tells nothing.
    assert_eq!(in_one_batch("acme_5", &four), Vec::<String>::new());
    assert_eq!(in_one_batch("quince", &four), Vec::<String>::new());
}
