//! `search.decorated`, `search.several`, `search.any-script`, `search.words`: what a search finds
//! beside exact names and plain capabilities.

use crate::common::world::{ID, Searched, answered, body, catalog, registry};
use crate::common::{Story, calls, found_of, premises};
use tacit_contract::protocol::Api;
use tacit_contract::trace::Answered;
use tacit_contract::{Query, Status};

const TWO: [(&str, &str); 2] =
    [("acme_weather", "Forecast rain."), ("acme_tickets", "List the defects.")];

/// What is found of a clause where a search brings these tools, and how often its premise held.
fn searched(clause: &str, tools: &[(&str, &str)], query: &str, found: &[&str]) -> (String, u64) {
    let query = Query::text(query);
    let searched = Searched { tools, query, marker: found, after: found, ..Searched::default() };
    let judgement = searched.judged();
    (found_of(&judgement, clause), premises(&judgement, clause))
}

#[test]
fn a_name_in_disguise_has_to_be_found() {
    let clause = "search.decorated";
    let disguises = [
        "\"acme_weather\"",
        "'acme_weather'",
        "`acme_weather`",
        "acme_weather.",
        "ACME_Weather",
        "weather",
    ];
    for query in disguises {
        let (found, premises) = searched(clause, &TWO, query, &["acme_weather"]);
        assert_eq!((found.as_str(), premises), ("", 1), "{query}");
        let (found, premises) = searched(clause, &TWO, query, &["acme_tickets"]);
        assert!(found.contains("acme_weather, decorated or cut short"), "{query}: {found}");
        assert_eq!(premises, 1, "{query}");
    }
}

#[test]
fn what_is_no_disguise_of_one_name_is_not_judged_as_one() {
    let clause = "search.decorated";
    for query in ["acme_weather", "acme weather", "acme_weather?", "acme", "\"acme_weather", ""] {
        assert_eq!(searched(clause, &TWO, query, &[]), (String::new(), 0), "{query}");
    }
}

#[test]
fn a_disguise_that_two_names_could_wear_is_not_judged() {
    let clause = "search.decorated";
    let alike = [("acme_weather", "One."), ("beta_weather", "Another.")];
    assert_eq!(searched(clause, &alike, "weather", &[]), (String::new(), 0));
    let cases = [("acme_weather", "One."), ("Acme_weather", "Another.")];
    assert_eq!(searched(clause, &cases, "ACME_WEATHER", &[]), (String::new(), 0));
    // A name that is spelt so comes before one that lacks its prefix.
    let whole = [("acme_weather", "One."), ("weather", "Another.")];
    assert_eq!(searched(clause, &whole, "weather", &["weather"]), (String::new(), 0));
}

#[test]
fn a_disguised_name_of_what_is_active_is_nothing_new() {
    let searched = Searched {
        tools: &TWO,
        query: Query::text("`acme_weather`"),
        before: &["acme_weather"],
        after: &["acme_weather"],
        ..Searched::default()
    };
    assert_eq!(premises(&searched.judged(), "search.decorated"), 0);
}

#[test]
fn each_of_several_names_has_to_be_found() {
    let clause = "search.several";
    for query in
        ["acme_weather acme_tickets", "acme_weather, acme_tickets", "acme_tickets\nacme_weather"]
    {
        let (found, premises) = searched(clause, &TWO, query, &["acme_weather", "acme_tickets"]);
        assert_eq!((found.as_str(), premises), ("", 2), "{query}");
        let (found, premises) = searched(clause, &TWO, query, &["acme_weather"]);
        assert!(found.contains("names acme_tickets among 2"), "{query}: {found}");
        assert_eq!(premises, 2, "{query}");
    }
}

#[test]
fn names_among_other_words_and_more_than_four_are_not_judged() {
    let clause = "search.several";
    let five =
        [("a_1", "One."), ("a_2", "Two."), ("a_3", "Three."), ("a_4", "Four."), ("a_5", "Five.")];
    assert_eq!(searched(clause, &five, "a_1 a_2 a_3 a_4 a_5", &[]), (String::new(), 0));
    assert_eq!(searched(clause, &five, "a_1 a_2 a_3 a_4", &["a_1"]).1, 4);
    assert_eq!(searched(clause, &five, "a_1 and a_2", &[]), (String::new(), 0));
    assert_eq!(searched(clause, &five, "a_1 Read", &[]), (String::new(), 0));
    assert_eq!(searched(clause, &five, "a_1 a_1", &[]), (String::new(), 0));
}

#[test]
fn words_of_any_script_have_to_be_found() {
    let clause = "search.any-script";
    let tools = [("acme_pogoda", "Прогноз погоды для города"), ("acme_tenki", "天気 予報")];
    for (query, tool) in [("прогноз погоды", "acme_pogoda"), ("天気 予報", "acme_tenki")]
    {
        assert_eq!(searched(clause, &tools, query, &[tool]), (String::new(), 1), "{query}");
        let (found, premises) = searched(clause, &tools, query, &[]);
        assert!(found.contains(&format!("in the texts of {tool} alone")), "{query}: {found}");
        assert_eq!(premises, 1);
    }
}

#[test]
fn words_of_another_script_that_two_tools_hold_or_none_does_are_not_judged() {
    let clause = "search.any-script";
    let tools = [("acme_pogoda", "Прогноз погоды"), ("acme_klimat", "Климат и погоды")];
    for query in ["прогноз погоды", "погоды", "зима", "прогноз weather", "Прогноз", "п"]
    {
        assert_eq!(searched(clause, &tools, query, &[]), (String::new(), 0), "{query}");
    }
    assert_eq!(searched(clause, &tools, "прогноз", &[]).1, 1);
}

#[test]
fn where_a_word_may_stand_inside_others_more_than_four_of_them_decide_nothing() {
    let clause = "search.any-script";
    let one = ("acme_0", "天気 予報");
    let inside =
        [("acme_1", "天気図"), ("acme_2", "天気図"), ("acme_3", "天気図"), ("acme_4", "天気図")];
    let four = [&[one][..], &inside[..3]].concat();
    assert_eq!(searched(clause, &four, "天気 予報", &[]).1, 1);
    let five = [&[one][..], &inside[..]].concat();
    assert_eq!(searched(clause, &five, "天気 予報", &[]).1, 0);
}

/// A tool that holds both words of `rate rest`, and four in whose words they stand.
const INSIDE: [(&str, &str); 5] = [
    ("zeta_forest", "Separate a forest."),
    ("zeta_crest", "Decorate a crest."),
    ("zeta_arrest", "Narrate an arrest."),
    ("zeta_interest", "Calibrate an interest."),
    ("zeta_nap", "Rate a rest."),
];

#[test]
fn words_inside_words_do_not_push_out_the_tool_that_holds_them_whole() {
    let clause = "search.words";
    assert_eq!(searched(clause, &INSIDE, "rate rest", &["zeta_nap"]), (String::new(), 1));
    let others = ["zeta_forest", "zeta_crest", "zeta_arrest", "zeta_interest"];
    let (found, premises) = searched(clause, &INSIDE, "rate rest", &others);
    assert!(found.contains("as many whole words of `rate rest` as zeta_nap"), "{found}");
    assert_eq!(premises, 1);
}

#[test]
fn what_few_tools_could_match_says_nothing_of_words_inside_words() {
    let clause = "search.words";
    assert_eq!(searched(clause, &INSIDE[1..], "rate rest", &[]), (String::new(), 0));
    // One word is no query to tell a better match by.
    assert_eq!(searched(clause, &INSIDE, "rest", &[]), (String::new(), 0));
}

#[test]
fn kindred_words_may_match_and_then_nothing_is_sure() {
    let clause = "search.words";
    let kindred = [
        ("zeta_a", "Ratings of a thing."),
        ("zeta_b", "Rated by others."),
        ("zeta_c", "Rating again."),
        ("zeta_d", "Resting."),
        ("zeta_nap", "Rate a rest with ever so many further words around it."),
    ];
    assert_eq!(searched(clause, &kindred, "rate rest", &[]), (String::new(), 0));
}

#[test]
fn small_words_that_the_tool_lacks_do_not_hide_it() {
    let clause = "search.words";
    let tools = [("zeta_music", "Tune a piano."), ("acme_tickets", "List the defects.")];
    let query = "please tune piano";
    assert_eq!(searched(clause, &tools, query, &["zeta_music"]), (String::new(), 1));
    assert!(searched(clause, &tools, query, &[]).0.contains("zeta_music"));
    assert_eq!(searched(clause, &tools, "tune piano", &[]), (String::new(), 0));
    assert_eq!(searched(clause, &tools, "please tune", &[]), (String::new(), 0));
    assert_eq!(searched(clause, &tools, "tune violin", &[]), (String::new(), 0));
}

/// A tool that holds both words of `sort shells`, and four that say one of them over and over.
const REPEATING: [(&str, &str); 5] = [
    ("zeta_beach", "Shells, shells, shells and more shells by the beach."),
    ("zeta_coast", "Shells, shells, shells and more shells by the coast."),
    ("zeta_cove", "Shells, shells, shells and more shells by the cove."),
    ("zeta_reef", "Shells, shells, shells and more shells by the reef."),
    ("zeta_sieve", "Sort shells."),
];

#[test]
fn one_word_said_over_and_over_does_not_outrank_all_words_said_once() {
    let clause = "search.words";
    assert_eq!(searched(clause, &REPEATING, "sort shells", &["zeta_sieve"]), (String::new(), 1));
    let others = ["zeta_beach", "zeta_coast", "zeta_cove", "zeta_reef"];
    assert!(searched(clause, &REPEATING, "sort shells", &others).0.contains("zeta_sieve"));
}

#[test]
fn what_a_ranking_may_well_put_first_is_not_judged() {
    let clause = "search.words";
    let change = |place: usize, tool: (&'static str, &'static str)| {
        let mut tools = REPEATING;
        tools[place] = tool;
        searched(clause, &tools, "sort shells", &[])
    };
    // A word in a name, a shorter text, a text that holds both, a best match that is long itself.
    assert_eq!(change(0, ("zeta_shells", "Shells and ever so many more of them.")).1, 0);
    assert_eq!(change(0, ("zeta_beach", "Shells.")).1, 0);
    assert_eq!(change(0, ("zeta_beach", "Shells, shells, and one more sort of shells.")).1, 0);
    assert_eq!(
        change(4, ("zeta_sieve", "Sort shells by colour, by size, by age and by weight.")).1,
        0
    );
    // With fewer of them there is room for all.
    assert_eq!(searched(clause, &REPEATING[1..], "sort shells", &[]).1, 0);
}

#[test]
fn a_kindred_word_takes_up_a_place_like_one_that_stands_inside_another() {
    let mut tools = INSIDE;
    tools[0] = ("zeta_a", "Ratings of a thing.");
    assert_eq!(searched("search.words", &tools, "rate rest", &["zeta_nap"]).1, 1);
}

#[test]
fn a_word_of_the_best_match_alone_is_its_own_whatever_other_tools_there_are() {
    let tools = [&REPEATING[..], &[("acme_tickets", "List the defects.")]].concat();
    assert_eq!(searched("search.words", &tools, "sort shells", &["zeta_sieve"]).1, 1);
}

#[test]
fn a_text_as_long_as_the_best_match_is_no_worse_for_its_length() {
    let mut tools = REPEATING;
    tools[0] = ("zeta_beach", "Shells anywhere.");
    assert_eq!(searched("search.words", &tools, "sort shells", &[]).1, 0);
}

#[test]
fn a_small_word_in_another_tool_s_text_hides_nothing() {
    let tools = [("zeta_music", "Tune a piano."), ("acme_tickets", "Please list the defects.")];
    assert_eq!(searched("search.words", &tools, "please tune piano", &["zeta_music"]).1, 1);
}

#[test]
fn words_of_two_letters_or_of_one_sign_are_too_short_to_be_judged() {
    assert_eq!(searched("search.capability", &[("acme_away", "Go away.")], "go", &[]).1, 0);
    assert_eq!(searched("search.capability", &[("acme_away", "Run away.")], "run", &[]).1, 1);
    assert_eq!(searched("search.any-script", &[("acme_ya", "я иду")], "я", &[]).1, 0);
    assert_eq!(searched("search.any-script", &[("acme_ya", "мы идём")], "мы", &[]).1, 1);
}

#[test]
fn the_name_of_a_tool_of_the_runtime_s_own_is_no_disguise() {
    let mut profile = crate::common::profile();
    let agent = profile.modes.get_mut(&tacit_contract::Mode::Agent).unwrap();
    agent.deferred.push("BrowserPreview".into());
    for (query, judged) in [("BrowserPreview", 0), ("browserpreview", 1)] {
        let searched = Searched { tools: &TWO, query: Query::text(query), ..Searched::default() };
        let judgement = searched.story().judged_under(&profile);
        assert_eq!(premises(&judgement, "search.decorated"), judged, "{query}");
    }
}

#[test]
fn a_query_that_holds_the_name_of_a_tool_is_no_query_of_words() {
    let tools =
        [&[("tune", "A tool of that name.")][..], &[("zeta_music", "Tune a piano.")]].concat();
    assert_eq!(searched("search.words", &tools, "please tune piano", &[]).1, 0);
}

#[test]
fn a_query_is_judged_beside_a_tool_of_the_runtime_s_own_once_it_is_known_what_that_says() {
    let mut profile = crate::common::profile();
    let agent = profile.modes.get_mut(&tacit_contract::Mode::Agent).unwrap();
    agent.deferred.push("BrowserPreview".into());
    let clause = "search.capability";
    let cases = [
        ("Look at a page.", &["BrowserPreview"][..], "weather city", 1),
        ("Look at a page.", &[], "weather city", 0),
        ("Look at a city.", &["BrowserPreview"], "weather city", 0),
        ("Look at cities.", &["BrowserPreview"], "weather", 1),
        ("Look at weathering.", &["BrowserPreview"], "weather", 0),
        ("Look at airweather.", &["BrowserPreview"], "weather", 0),
    ];
    for (says, shown, query, judged) in cases {
        let given = [("acme_weather", "Look up the weather of a city.")];
        let given_and_own = registry(&[&given[..], &[("BrowserPreview", says)]].concat());
        let query = Searched { query: Query::text(query), ..Searched::default() };
        let mut story = Story::having(registry(&given));
        story.prompt();
        let base = catalog(&given_and_own);
        let first = body(&given_and_own, &base, shown, Vec::new());
        story.request(Api::OpenaiChat, &first, calls(vec![query.issued()]));
        story.recorded(ID, "ToolSearch", Status::Ok, Some(Vec::new()));
        let second = body(&given_and_own, &base, shown, answered("ToolSearch", "nothing"));
        story.request(Api::OpenaiChat, &second, Answered::Text);
        story.end();
        let judgement = story.judged_under(&profile);
        assert_eq!(premises(&judgement, clause), judged, "{says} {shown:?}");
        assert_eq!(found_of(&judgement, clause).is_empty(), judged == 0, "{says} {shown:?}");
    }
}
