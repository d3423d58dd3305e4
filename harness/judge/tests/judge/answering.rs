//! `search.active-again`, `search.bounded`, `search.truthful`, `search.not-json`: what the model
//! reads when its search, or its call, comes back.

use crate::common::world::{ID, Searched, answered, body, catalog, registry};
use crate::common::{Story, broken, calls, found_of, host_call, premises, profile};
use serde_json::json;
use tacit_contract::protocol::{Api, Stop};
use tacit_contract::runtime::HostStatus;
use tacit_contract::session::Outcome;
use tacit_contract::trace::{Answered, Issued};
use tacit_contract::{Call, Judgement, Query, Status};

const TOOLS: [(&str, &str); 3] = [
    ("acme_weather", "Forecast rain."),
    ("acme_tickets", "List the defects."),
    ("acme_maps", "Draw a map."),
];

fn again() -> Searched<'static> {
    Searched {
        tools: &TOOLS,
        query: Query::text("acme_weather"),
        before: &["acme_weather"],
        result: "acme_weather can be called already.",
        after: &["acme_weather"],
        ..Searched::default()
    }
}

fn of(clause: &str, searched: &Searched<'_>) -> (String, u64) {
    let judgement = searched.judged();
    (found_of(&judgement, clause), premises(&judgement, clause))
}

#[test]
fn a_search_for_what_is_active_names_it() {
    let clause = "search.active-again";
    assert_eq!(of(clause, &again()), (String::new(), 1));
    let silent = Searched { result: "No tool matches. There is acme_maps.", ..again() };
    let (found, premises) = of(clause, &silent);
    assert_eq!(
        (found.as_str(), premises),
        ("the result of a search for acme_weather, which is there, names it not", 1)
    );
}

#[test]
fn a_search_for_what_is_active_is_no_error() {
    let failed = Searched { status: Status::Error, ..again() };
    assert!(of("search.active-again", &failed).0.contains("recorded as an error"));
}

#[test]
fn a_search_for_what_is_active_activates_nothing_else() {
    let clause = "search.active-again";
    let more =
        Searched { marker: &["acme_maps"], after: &["acme_weather", "acme_maps"], ..again() };
    assert!(of(clause, &more).0.contains("activated acme_maps"));
    // A marker may hold all that matched, what was active before included.
    let all = Searched { marker: &["acme_weather"], ..again() };
    assert_eq!(of(clause, &all), (String::new(), 1));
}

#[test]
fn a_core_tool_is_searched_for_like_an_active_one() {
    let clause = "search.active-again";
    let core = Searched {
        tools: &TOOLS,
        query: Query::text("Read"),
        result: "Read is there.",
        ..Searched::default()
    };
    assert_eq!(of(clause, &core), (String::new(), 1));
    let miss = Searched { result: "Nothing matches.", ..core };
    assert!(of(clause, &miss).0.contains("a search for Read, which is there, names it not"));
}

#[test]
fn a_search_for_what_is_not_there_is_no_search_again() {
    let clause = "search.active-again";
    let inactive = Searched { before: &[], after: &[], result: "nothing", ..again() };
    assert_eq!(of(clause, &inactive), (String::new(), 0));
    let unknown = Searched { query: Query::text("acme_gone"), ..inactive };
    assert_eq!(of(clause, &unknown), (String::new(), 0));
}

fn long(bytes: usize) -> String {
    "x".repeat(bytes)
}

#[test]
fn the_result_of_a_search_in_vain_keeps_to_the_catalog_s_bound() {
    let clause = "search.bounded";
    for (query, before) in [("quince", &[][..]), ("", &[]), ("acme_weather", &["acme_weather"])] {
        let bound = long(12_000);
        let query = Query::text(query);
        let searched =
            Searched { tools: &TOOLS, query, before, after: before, ..Searched::default() };
        assert_eq!(
            of(clause, &Searched { result: &bound, ..searched.clone() }),
            (String::new(), 1)
        );
        let beyond = long(12_001);
        assert_eq!(
            of(clause, &Searched { result: &beyond, ..searched }).0,
            "the result of a search in vain has 12001 bytes, 12000 at the most"
        );
    }
}

#[test]
fn a_search_that_finds_something_may_say_what_it_likes_of_it() {
    let text = long(20_000);
    let found = Searched {
        tools: &TOOLS,
        query: Query::text("acme_weather"),
        marker: &["acme_weather"],
        result: &text,
        after: &["acme_weather"],
        ..Searched::default()
    };
    assert_eq!(of("search.bounded", &found), (String::new(), 0));
}

#[test]
fn a_refusal_keeps_to_the_catalog_s_bound() {
    let clause = "search.bounded";
    for tool in ["acme_weather", "acme_gone"] {
        assert_eq!(found_of(&called(tool, &[], &long(12_000)), clause), "");
        assert_eq!(
            found_of(&called(tool, &[], &long(12_001)), clause),
            format!("the refusal of a call of {tool} has 12001 bytes, 12000 at the most")
        );
    }
    // What a tool says that may run is its own.
    assert_eq!(premises(&called("acme_weather", &["acme_weather"], &long(12_001)), clause), 0);
    assert_eq!(premises(&run("acme_weather", &[], &long(12_001), true), clause), 0);
}

/// A tool is called where these are active, and this comes back.
fn called(tool: &str, active: &[&str], result: &str) -> Judgement {
    run(tool, active, result, false)
}

/// The same, where the host ran the tool, or was not asked to.
fn run(tool: &str, active: &[&str], result: &str, ran: bool) -> Judgement {
    let tools = registry(&TOOLS);
    let mut story = Story::having(tools.clone());
    story.prompt();
    let issued = Issued {
        id: ID.into(),
        tool: tool.into(),
        arguments: json!({}),
        call: Call::Use { tool: tool.into(), outcome: Outcome::Ok, says: None },
    };
    let base = catalog(&tools);
    story.request(Api::OpenaiChat, &body(&tools, &base, active, Vec::new()), calls(vec![issued]));
    if ran {
        story.host(host_call("tool.execute", Some(ID), tool), HostStatus::Ok);
    }
    story.recorded(ID, tool, Status::Error, None);
    let next = body(&tools, &base, active, answered(tool, result));
    story.request(Api::OpenaiChat, &next, Answered::Text);
    story.end();
    story.judged()
}

#[test]
fn without_a_catalog_there_is_no_bound_for_a_miss() {
    let mut profile = profile();
    profile.catalog = None;
    let text = long(20_000);
    let miss =
        Searched { tools: &TOOLS, query: Query::Missing, result: &text, ..Searched::default() };
    let judgement = miss.story().judged_under(&profile);
    assert_eq!(premises(&judgement, "search.bounded"), 0);
}

fn found_two() -> Searched<'static> {
    Searched {
        tools: &TOOLS,
        query: Query::text("acme"),
        marker: &["acme_weather", "acme_tickets"],
        result: "Activated: acme_weather, acme_tickets.",
        after: &["acme_weather", "acme_tickets"],
        ..Searched::default()
    }
}

#[test]
fn a_result_names_what_the_search_activated() {
    let clause = "search.truthful";
    assert_eq!(of(clause, &found_two()), (String::new(), 1));
    let (found, premises) = of(clause, &Searched { result: "Found acme_weather.", ..found_two() });
    assert_eq!(found, "the result does not name acme_tickets, which the search activated");
    assert_eq!(premises, 1);
}

#[test]
fn a_result_does_not_list_what_stayed_inactive_with_what_it_activated() {
    let clause = "search.truthful";
    let lies = [
        "Activated: acme_weather, acme_tickets, acme_maps.",
        "Activated:\n- acme_maps\n- acme_weather\n- acme_tickets\n",
        "{\"found\": [\"acme_weather\", \"acme_tickets\", \"acme_maps\"]}",
    ];
    for result in lies {
        let (found, _) = of(clause, &Searched { result, ..found_two() });
        assert!(
            found.contains("lists acme_maps with what the search activated"),
            "{result}: {found}"
        );
    }
}

#[test]
fn a_result_that_tells_active_and_inactive_apart_is_true() {
    let clause = "search.truthful";
    let truths = [
        "Activated: acme_weather, acme_tickets. Matching: acme_maps.",
        "Matching: acme_weather, acme_tickets, acme_maps. Only the first two can be called.",
        "acme_weather, acme_tickets, acme_maps; activated: acme_weather, acme_tickets",
        "{\"found\": [\"acme_weather\", \"acme_tickets\", \"acme_maps\"], \
          \"addedToolNames\": [\"acme_weather\", \"acme_tickets\"]}",
        "Activated: acme_weather, acme_tickets.\n\nacme_maps",
        "Activated: acme_weather, acme_tickets\n\nacme_maps",
        "Of 3 tools: acme_weather, acme_tickets, acme_maps",
        "acme_weather, acme_tickets, acme_gone",
    ];
    for result in truths {
        assert_eq!(of(clause, &Searched { result, ..found_two() }), (String::new(), 1), "{result}");
    }
}

#[test]
fn a_search_that_activated_nothing_has_nothing_to_name() {
    let nothing = Searched { marker: &[], after: &[], result: "nothing", ..found_two() };
    assert_eq!(of("search.truthful", &nothing), (String::new(), 0));
}

const NOT_JSON: &str = "search.not-json";

fn unreadable() -> Searched<'static> {
    let query = Query::NotJson { text: "{\"query\": \"acme_weather".to_owned() };
    Searched { tools: &TOOLS, query, ..Searched::default() }
}

fn reading(judgement: &Judgement, point: &str) -> Vec<String> {
    judgement.readings.get(point).map(|seen| seen.keys().cloned().collect()).unwrap_or_default()
}

#[test]
fn what_comes_of_arguments_that_are_no_json_is_a_reading() {
    let judgement = Searched { status: Status::Error, ..unreadable() }.judged();
    assert_eq!(reading(&judgement, NOT_JSON), ["it goes on with an error result"]);
    let judgement = unreadable().judged();
    assert_eq!(reading(&judgement, NOT_JSON), ["it goes on as after a search in vain"]);
    assert_eq!(
        (premises(&judgement, NOT_JSON), found_of(&judgement, NOT_JSON)),
        (1, String::new())
    );
}

#[test]
fn whoever_mends_arguments_that_are_no_json_breaks_nothing() {
    let mended = Searched {
        marker: &["acme_weather"],
        result: "acme_weather",
        after: &["acme_weather"],
        ..unreadable()
    };
    assert_eq!(broken(&mended.judged()), Vec::<&str>::new());
}

/// A prompt that ends in error after a search with these arguments.
fn ended(query: Query) -> Judgement {
    let tools = registry(&TOOLS);
    let mut story = Story::having(tools.clone());
    story.prompt();
    let issued = Searched { tools: &TOOLS, query, ..Searched::default() }.issued();
    let first = body(&tools, &catalog(&tools), &[], Vec::new());
    story.request(Api::OpenaiChat, &first, calls(vec![issued]));
    story.end_with(Stop::Error, Some("senseless arguments"));
    story.judged()
}

#[test]
fn a_prompt_that_ends_over_arguments_that_are_no_json_is_told_and_breaks_no_must() {
    let judgement = ended(unreadable().query);
    assert_eq!(reading(&judgement, NOT_JSON), ["the prompt ends in error"]);
    assert_eq!(broken(&judgement), [NOT_JSON]);
    // Where they are JSON of the wrong shape, it is broken.
    assert_eq!(broken(&ended(Query::Missing)), ["search.no-match"]);
}

#[test]
fn a_whole_answer_of_messages_has_no_room_for_what_is_no_json() {
    for (stream, told) in [(true, 1), (false, 0)] {
        let mut story = Story::having(registry(&TOOLS));
        story.prompt();
        let body = json!({
            "model": "scripted", "max_tokens": 100, "stream": stream, "system": "",
            "messages": [{"role": "user", "content": crate::common::asked(1)}],
            "tools": [{"name": "ToolSearch", "input_schema": {"type": "object"}}],
        });
        story.request(Api::AnthropicMessages, &body, calls(vec![unreadable().issued()]));
        story.end();
        assert_eq!(premises(&story.judged(), NOT_JSON), told, "{stream}");
    }
}
