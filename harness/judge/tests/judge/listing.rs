//! `catalog.remainder`, `catalog.instruction`, `catalog.clean-text`, `catalog.no-guidance`: what
//! the base prompt says beside the entries of the catalog.

use crate::common::world::{body, registry, with_base};
use crate::common::{Story, found_of, premises};
use tacit_contract::protocol::Api;
use tacit_contract::trace::{Answered, RequestClass};
use tacit_contract::{Judgement, Row};

const TOOLS: [(&str, &str); 4] = [
    ("acme_weather", "Forecast rain."),
    ("acme_tickets", "List the defects."),
    ("acme_maps", "Draw a map."),
    ("Skill", "Follow a recipe."),
];

fn listing(lines: &str, shown: &[&str]) -> Judgement {
    let base = format!("You are an agent.\n\n# On-demand tools\n{lines}\n\nBe brief.");
    with_base(&TOOLS, &base, shown)
}

fn of(clause: &str, lines: &str) -> (String, u64) {
    let judgement = listing(lines, &[]);
    (found_of(&judgement, clause), premises(&judgement, clause))
}

#[test]
fn a_catalog_that_leaves_tools_out_says_how_many() {
    let clause = "catalog.remainder";
    for told in
        ["- and 2 more", "2 further tools can be searched for.", "(4 tools in all, 2 not shown)"]
    {
        let lines = format!("- acme_weather: Forecast rain.\n- Skill: Follow a recipe.\n{told}");
        assert_eq!(of(clause, &lines), (String::new(), 1), "{told}");
    }
    for told in ["", "- and 3 more", "- and 1 more", "and others"] {
        let lines = format!("- acme_weather: Forecast rain.\n- Skill: Follow a recipe.\n{told}");
        let (found, premises) = of(clause, &lines);
        assert!(found.starts_with("2 deferred tools are not listed"), "{told}: {found}");
        assert_eq!(premises, 1);
    }
}

#[test]
fn a_number_in_an_entry_counts_nothing() {
    let lines = "- acme_weather: Forecast 2 days.\n- Skill: Follow a recipe.";
    assert!(!of("catalog.remainder", lines).0.is_empty());
}

#[test]
fn a_catalog_that_lists_all_leaves_nothing_to_count() {
    let lines = "- acme_weather: a\n- acme_tickets: b\n- acme_maps: c\n- Skill: d";
    assert_eq!(of("catalog.remainder", lines), (String::new(), 0));
}

#[test]
fn a_tool_that_is_active_may_be_counted_among_the_rest_or_not() {
    let clause = "catalog.remainder";
    for told in ["- and 1 more", "- and 2 more"] {
        let lines = format!("- acme_weather: a\n- Skill: d\n{told}");
        assert_eq!(found_of(&listing(&lines, &["acme_maps"]), clause), "", "{told}");
    }
    assert!(
        !found_of(&listing("- acme_weather: a\n- Skill: d", &["acme_maps"]), clause).is_empty()
    );
}

#[test]
fn the_catalog_names_the_search_tool() {
    let clause = "catalog.instruction";
    assert_eq!(of(clause, "Call ToolSearch first.\n- Skill: d"), (String::new(), 1));
    assert_eq!(of(clause, "- Skill: d\nToolSearch loads them."), (String::new(), 1));
    for lines in ["- Skill: d", "- Skill: see ToolSearch", "- Skill: d\n\nThere is ToolSearch."] {
        assert_eq!(
            of(clause, lines),
            ("the catalog lists tools and does not name ToolSearch".to_owned(), 1),
            "{lines}"
        );
    }
}

/// A catalog with the line of one tool, whose description is this.
fn clean(description: &str, line: &str) -> (String, u64) {
    let base = format!("# On-demand tools\nCall ToolSearch.\n{line}\n");
    let judgement = with_base(&[("acme_weather", description)], &base, &[]);
    let clause = "catalog.clean-text";
    (found_of(&judgement, clause), premises(&judgement, clause))
}

#[test]
fn hidden_characters_of_a_description_do_not_reach_the_catalog() {
    for symbol in
        ['\u{202e}', '\u{2066}', '\u{61c}', '\u{200b}', '\u{200d}', '\u{feff}', '\u{7}', '\u{7f}']
    {
        let text = format!("rain{symbol}bow");
        assert_eq!(clean(&text, "- acme_weather: rainbow"), (String::new(), 1), "{symbol:?}");
        let (found, premises) = clean(&text, &format!("- acme_weather: {text}"));
        let named = format!("U+{:04X} of acme_weather", u32::from(symbol));
        assert!(found.contains(&named), "{found}");
        assert_eq!(premises, 1);
    }
}

#[test]
fn what_is_seen_is_not_hidden() {
    for text in ["tab\tand e\u{301} and \u{fe0f}", "line\u{2028}break", "人工智能"] {
        assert_eq!(clean(text, &format!("- acme_weather: {text}")), (String::new(), 0), "{text}");
    }
}

#[test]
fn a_hidden_character_that_no_tool_brought_is_the_runtime_s_own() {
    let (found, premises) = clean("rain\u{202e}", "- acme_weather: rain \u{200b}");
    assert_eq!((found.as_str(), premises), ("", 1));
    // Beyond the cut it reaches no catalog.
    let late = format!("{}\u{202e}", "x".repeat(120));
    assert_eq!(clean(&late, "- acme_weather: x").1, 0);
}

#[test]
fn a_hidden_character_in_a_name_is_one_as_well() {
    let tools = [("acme\u{200b}_weather", "Rain.")];
    let base = "# On-demand tools\n- acme\u{200b}_weather: Rain.\n";
    let found = found_of(&with_base(&tools, base, &[]), "catalog.clean-text");
    assert!(found.contains("U+200B"), "{found}");
}

#[test]
fn half_of_a_character_does_not_reach_the_catalog() {
    let text = format!("{}\u{1f600}", "x".repeat(119));
    let cut = format!("- acme_weather: {}", "x".repeat(119));
    assert_eq!(clean(&text, &cut), (String::new(), 1));
    let (found, _) = clean(&text, &format!("{cut}\u{fffd}"));
    assert!(found.contains("U+FFFD"), "{found}");
    // One that the author wrote is no half of anything.
    assert_eq!(clean(&format!("{text}\u{fffd}"), &format!("{cut}\u{fffd}")).0, "");
}

#[test]
fn half_of_a_pair_shows_as_an_escape_in_a_body_that_nobody_can_read() {
    let text = format!("{}\u{1f600}", "x".repeat(119));
    let tools = registry(&[("acme_weather", &text)]);
    let mut story = Story::having(tools.clone());
    story.prompt();
    let base = "# On-demand tools\n- acme_weather: HERE\n";
    let body = body(&tools, base, &[], Vec::new());
    story.request_of(RequestClass::Helper, Api::OpenaiChat, &body, Answered::Refused);
    story.change_last_body(|body| body.replace("HERE", "x\\ud83d"));
    story.end();
    let found = found_of(&story.judged(), "catalog.clean-text");
    assert!(found.contains("`\\ud83d`"), "{found}");
}

/// A base prompt that says this beside the catalog.
fn beside(text: &str, shown: &[&str]) -> (String, u64) {
    let base =
        format!("{text}\n\n# On-demand tools\n- acme_weather: acme_maps is like it.\n\nBye.");
    let judgement = with_base(&TOOLS, &base, shown);
    let clause = "catalog.no-guidance";
    (found_of(&judgement, clause), premises(&judgement, clause))
}

#[test]
fn the_base_prompt_gives_no_advice_on_what_is_not_active() {
    assert_eq!(beside("You are an agent.", &[]), (String::new(), 1));
    let (found, premises) = beside("Prefer `acme_tickets` for defects.", &[]);
    assert_eq!(
        found,
        "the base prompt names acme_tickets, which is not active, beside the catalog"
    );
    assert_eq!(premises, 1);
    // What is active may be named, and so may a word that happens to be a name.
    assert_eq!(beside("Prefer acme_tickets.", &["acme_tickets"]).0, "");
    assert_eq!(beside("Skill is everything; acme_ticketsale is no name.", &[]).0, "");
}

#[test]
fn what_another_tool_s_text_or_a_summary_says_is_no_advice() {
    let tools = [("acme_weather", "Like acme_maps."), ("acme_maps", "Draw a map.")];
    let base = "See acme_maps.\n\n# On-demand tools\n- acme_weather: Like.\n";
    assert_eq!(found_of(&with_base(&tools, base, &[]), "catalog.no-guidance"), "");
    // Its own text, which stands in the catalog, excuses nothing.
    let tools = [("acme_weather", "Rain."), ("acme_maps", "What acme_maps is for.")];
    assert_ne!(found_of(&with_base(&tools, base, &[]), "catalog.no-guidance"), "");
    let tools = registry(&TOOLS);
    let told = |summary: &str| {
        let mut story = Story::having(tools.clone());
        story.write(Row::Checkpoint { summary: summary.to_owned() });
        story.prompt();
        let base = "So far: acme_maps was used.\n\n# On-demand tools\n- Skill: d\n";
        story.request(Api::OpenaiChat, &body(&tools, base, &[], Vec::new()), Answered::Text);
        story.end();
        found_of(&story.judged(), "catalog.no-guidance")
    };
    assert_eq!(told("acme_maps was used."), "");
    assert_ne!(told("something was used."), "");
}

#[test]
fn without_an_inactive_tool_of_a_telling_name_there_is_nothing_to_keep_quiet_of() {
    let judgement = with_base(&[("Skill", "A recipe.")], "Skill first.", &[]);
    assert_eq!(premises(&judgement, "catalog.no-guidance"), 0);
}
