//! Which of the accepted readings of searches was seen.

use crate::common::world::{Searched, body, catalog, registry};
use crate::common::{Story, called, calls, found_of, premises, profile, result, search, using};
use tacit_contract::protocol::Api;
use tacit_contract::trace::{Answered, Issued};
use tacit_contract::{Judgement, Profile, Query, Status, ToolName};

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
    // Where there are fewer than four beside, there is room for each.
    let few = Searched {
        tools: &PAGES[1..],
        query: Query::text("page"),
        before: &["acme_2"],
        marker: &["acme_3", "acme_4", "acme_5"],
        after: &["acme_2", "acme_3", "acme_4", "acme_5"],
        ..Searched::default()
    };
    assert_eq!(reading(&few.judged(), "active-matches"), Vec::<String>::new());
}

/// A batch of calls of which the first search finds what is in `after`.
fn batch(tools: &[(&str, &str)], asked: Vec<Issued>, after: &[&str]) -> Story {
    let tools = registry(tools);
    let mut story = Story::having(tools.clone());
    story.prompt();
    let base = catalog(&tools);
    let mut rest = Vec::new();
    let mut marker = Some(after.iter().copied().map(ToolName::from).collect());
    let named: Vec<_> = asked.iter().map(|call| (call.id.clone(), call.tool.clone())).collect();
    story.request(Api::OpenaiChat, &body(&tools, &base, &[], Vec::new()), calls(asked));
    for (id, tool) in named {
        let marker = if tool == "ToolSearch" { marker.take() } else { None };
        story.recorded(id.as_str(), tool.as_str(), Status::Ok, marker);
        rest.extend([called(id.as_str(), tool.as_str()), result(id.as_str())]);
    }
    story.request(Api::OpenaiChat, &body(&tools, &base, after, rest), Answered::Text);
    story.end();
    story
}

/// Two searches in one batch, for a word that five tools hold and for another, and what they bring.
fn in_one_batch(second: &str, after: &[&str]) -> Vec<String> {
    let asked = vec![search("call-1", "page"), search("call-2", second)];
    reading(&batch(&PAGES, asked, after).judged(), "batch")
}

const FOUR: [&str; 4] = ["acme_1", "acme_2", "acme_3", "acme_map"];
const FIVE: [&str; 5] = ["acme_1", "acme_2", "acme_3", "acme_4", "acme_map"];

#[test]
fn two_searches_of_a_batch_bring_four_each_or_four_together() {
    assert_eq!(in_one_batch("acme_map", &FOUR), ["four together"]);
    assert_eq!(in_one_batch("acme_map", &FIVE), ["four each"]);
    // One that the first would find as well tells nothing.
    assert_eq!(in_one_batch("acme_5", &FOUR), Vec::<String>::new());
    assert_eq!(in_one_batch("quince", &FOUR), Vec::<String>::new());
}

#[test]
fn what_a_batch_brings_is_told_of_its_first_search_alone_whatever_else_it_calls() {
    let asked = |first| vec![first, search("call-1", "page"), search("call-2", "acme_map")];
    let used = batch(&PAGES, asked(using("call-0", "Read")), &FOUR);
    assert_eq!(reading(&used.judged(), "batch"), ["four together"]);
    let searched = batch(&PAGES, asked(search("call-0", "quince")), &FOUR);
    assert_eq!(reading(&searched.judged(), "batch"), Vec::<String>::new());
}

#[test]
fn tools_of_a_doubtful_name_are_not_sure_to_be_found() {
    let mut tools = PAGES;
    tools[0].0 = "acme 1";
    tools[1].0 = "acme 2";
    let asked = vec![search("call-1", "page"), search("call-2", "acme_map")];
    let after = ["acme_3", "acme_4", "acme_5", "acme_map"];
    assert_eq!(reading(&batch(&tools, asked, &after).judged(), "batch"), Vec::<String>::new());
}

#[test]
fn each_search_of_a_batch_has_its_own_four_unless_the_profile_says_otherwise() {
    let asked = || vec![search("call-1", "page"), search("call-2", "acme_map")];
    let story = batch(&PAGES, asked(), &FIVE);
    // That one search cannot have named five is another matter.
    assert!(!found_of(&story.judged(), "search.at-most-four").contains("were activated"));
    let mut shared = profile();
    shared.batch_shares_maximum = true;
    let found = found_of(&story.judged_under(&shared), "search.at-most-four");
    assert!(found.contains("5 tools were activated, 4 at the most"), "{found}");
}

#[test]
fn where_a_batch_shares_its_places_its_first_search_alone_is_sure_of_one() {
    let mut shared = profile();
    shared.batch_shares_maximum = true;
    let found = |after: &[&str], profile: &Profile| {
        let asked = vec![search("call-1", "acme_1"), search("call-2", "acme_map")];
        let judgement = batch(&PAGES, asked, after).judged_under(profile);
        (found_of(&judgement, "search.exact"), premises(&judgement, "search.exact"))
    };
    assert_eq!(found(&["acme_1"], &shared), (String::new(), 1));
    assert!(found(&["acme_map"], &shared).0.contains("exactly acme_1"));
    assert_eq!(found(&["acme_1", "acme_map"], &profile()), (String::new(), 2));
}
