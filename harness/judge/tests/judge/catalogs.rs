//! `catalog.*`: what is listed, and within which numbers.

use crate::common::world::{based, with_base};
use crate::common::{found_of, premises, profile};
use tacit_contract::{Judgement, Mode, Profile, ToolName, canary};

const TWO: [(&str, &str); 2] = [("acme_weather", "Forecast."), ("acme_tickets", "List all.")];

/// What the judge allows a catalog for its heading and what it notes.
const FRAME: usize = 500;

/// A catalog of these lines, under a profile.
fn listed(profile: &Profile, tools: &[(&str, &str)], lines: &[&str]) -> Judgement {
    let base = format!("# On-demand tools\nCall ToolSearch.\n{}\n", lines.join("\n"));
    based(tools, &base, &[]).judged_under(profile)
}

fn bounded(entries: usize, line: usize, bytes: usize) -> Profile {
    let mut profile = profile();
    let shape = profile.catalog.as_mut().unwrap();
    (shape.entries, shape.line, shape.bytes) = (entries, line, bytes);
    profile
}

/// The most bytes that a tool's line may have, in the judge's own count.
fn length((name, description): &(&str, &str)) -> usize {
    "- $NAME: $DESCRIPTION".len() + name.len() + description.len()
}

#[test]
fn all_tools_are_listed_where_all_fit_to_the_byte() {
    let total: usize = TWO.iter().map(length).sum();
    let missing = |profile: &Profile| {
        let judgement = listed(profile, &TWO, &["- acme_tickets: List all."]);
        found_of(&judgement, "catalog.names")
    };
    let all_fit = "acme_weather is not listed, though all fit the bound";
    assert_eq!(missing(&bounded(2, 120, total + FRAME)), all_fit);
    assert_eq!(missing(&bounded(2, 120, total + FRAME - 1)), "");
    assert_eq!(missing(&bounded(1, 120, total + FRAME)), "");
}

#[test]
fn a_tool_of_the_runtime_s_own_may_take_four_bytes_for_each_character_of_its_line() {
    let own = "BrowserPreview";
    let total: usize =
        TWO.iter().map(length).sum::<usize>() + length(&(own, "x".repeat(40).as_str()));
    let missing = |bytes| {
        let mut profile = bounded(3, 10, bytes);
        profile.modes.get_mut(&Mode::Agent).unwrap().deferred.push(own.into());
        let lines = ["- acme_weather: Forecast.", "- BrowserPreview: It shows."];
        found_of(&listed(&profile, &TWO, &lines), "catalog.names")
    };
    assert_eq!(missing(total + FRAME), "acme_tickets is not listed, though all fit the bound");
    assert_eq!(missing(total + FRAME - 1), "");
}

#[test]
fn where_not_all_fit_as_many_are_listed_as_would_if_each_were_the_longest() {
    let tools = [("acme_1", "One."), ("acme_2", "Two."), ("acme_3", "Three.")];
    let longest = length(&tools[2]);
    let found = |bytes, lines: &[&str]| {
        found_of(&listed(&bounded(64, 120, bytes), &tools, lines), "catalog.names")
    };
    let (one, two) = (["- acme_1: One."], ["- acme_1: One.", "- acme_2: Two."]);
    let room = FRAME + 2 * longest;
    assert_eq!(
        found(room, &one),
        "1 tool is listed: expected 2 at the least, which would fit if each line were the longest"
    );
    assert_eq!(found(room, &two), "");
    assert_eq!(found(room - 1, &one), "");
}

#[test]
fn a_catalog_keeps_to_each_of_its_three_numbers() {
    let text = "# On-demand tools\nCall ToolSearch.\n- acme_weather: Forecast.\n- acme_tickets: \
                List all.\n";
    let found = |entries, line, bytes| {
        let lines = ["- acme_weather: Forecast.", "- acme_tickets: List all."];
        let judgement = listed(&bounded(entries, line, bytes), &TWO, &lines);
        assert_eq!(premises(&judgement, "catalog.bounded"), 1);
        found_of(&judgement, "catalog.bounded")
    };
    let bytes = text.len();
    assert_eq!(found(2, 9, bytes), "");
    assert_eq!(found(1, 9, bytes), "2 tools are listed, 1 at the most");
    assert_eq!(
        found(2, 8, bytes),
        "the description of acme_weather has 9 characters, 8 at the most; the description of \
         acme_tickets has 9 characters, 8 at the most"
    );
    for fewer in [bytes - 1, bytes - 20] {
        let told = format!("the catalog has {bytes} bytes, {fewer} at the most");
        assert_eq!(found(2, 9, fewer), told);
    }
}

const TWICE: &str = "# On-demand tools\n- acme_weather: a\n# On-demand tools\n- acme_maps: b\n";

#[test]
fn a_heading_that_a_name_or_a_description_smuggled_in_is_told_under_one_line() {
    let of = |tools: &[(&str, &str)], clause| found_of(&with_base(tools, TWICE, &[]), clause);
    let plain = [("acme_weather", "a"), ("acme_maps", "b")];
    assert!(of(&plain, "catalog.heading").ends_with("2 times"));
    assert_eq!(of(&plain, "catalog.one-line"), "");
    for broken in [("acme_maps", "b\n# On-demand tools\nc"), ("maps\n# On-demand tools", "b")] {
        let tools = [plain[0], broken];
        assert_eq!(of(&tools, "catalog.heading"), "", "{broken:?}");
        assert!(of(&tools, "catalog.one-line").contains("stands there 2 times"), "{broken:?}");
    }
}

#[test]
fn a_tool_with_two_lines_is_told_where_a_text_could_break_its_own() {
    let tools = [("acme_weather", "Forecast\nrain"), ("acme_maps", "Draw.")];
    let base = "# On-demand tools\n- acme_maps: Draw.\n- acme_maps: Draw.\n- acme_weather: x\n";
    assert_eq!(
        found_of(&with_base(&tools, base, &[]), "catalog.one-line"),
        "acme_maps has more than one line"
    );
}

#[test]
fn a_piece_of_a_text_is_told_where_it_stands_in_a_line_of_its_own() {
    let found = |(name, description): (&str, &str), line: &str| {
        let base = format!("# On-demand tools\n- acme_maps: Draw.\n{line}\n");
        let tools = [("acme_maps", "Draw."), (name, description)];
        found_of(&with_base(&tools, &base, &[]), "catalog.one-line")
    };
    let weather = |description| ("acme_weather", description);
    let long = "Whoever asks for rain has to be told of the wind";
    let longer = format!("a\n{long}");
    for (tool, line, piece) in [
        (weather("a\nalways"), "always", "always"),
        (weather("a\nalways"), "always…", "always"),
        (weather(&longer), "Whoever asks for rain has to be told of the w", long),
        (("acme\nweather", "a"), "weather: a", "weather"),
    ] {
        let told = found(tool, line);
        assert!(told.ends_with(&format!("made a line of its own: `{piece}`")), "{line}: {told}");
    }
    for (tool, line) in [
        (weather("a\n# On"), ""),
        (weather("a\n# On-demand tools"), ""),
        (weather("a\nalways"), "always on"),
        (weather("a\nalways"), "always: on"),
        (weather(&longer), "Whoever asks for rain has to be told so"),
        (("acme\nweather", "a"), "weather is told"),
    ] {
        assert_eq!(found(tool, line), "", "{tool:?}");
    }
}

#[test]
fn a_part_of_a_schema_is_told_by_the_tool_that_it_is_of() {
    for tool in ["acme_weather", "acme_tickets"] {
        for word in canary::words(1, &tool.into(), 1) {
            let base = format!("# On-demand tools\n- {tool}: {word}\n");
            let judgement = with_base(&TWO, &base, &[]);
            let mut leaks = judgement.breaches.iter().filter(|it| it.clause == "catalog.no-schema");
            let owner = leaks.next().and_then(|leak| leak.tool.as_ref());
            assert_eq!(owner.map(ToolName::as_str), Some(tool), "{word}");
        }
    }
}

#[test]
fn a_character_of_two_units_counts_where_it_may_be_cut() {
    let description = |before: usize| format!("{}\u{1f600}", "x".repeat(before));
    for (before, judged) in [(119, 1), (120, 1), (121, 0)] {
        let tools = [("acme_weather", &*description(before))];
        let judgement = with_base(&tools, "# On-demand tools\n- acme_weather: xx\n", &[]);
        assert_eq!(premises(&judgement, "catalog.clean-text"), judged, "{before}");
    }
}
