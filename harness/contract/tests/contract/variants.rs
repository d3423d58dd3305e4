//! Variants: what each rule makes of a session, and where it does not apply.

use tacit_contract::protocol::Api;
use tacit_contract::session::{Bulk, Moment, Past, SeedTurn};
use tacit_contract::{Mode, ProviderKind, Session, Standing, Step, Variant};

use crate::some::{deferred, in_mode, prompt, seeded, session, turn};

fn two_prompts() -> Session {
    session(vec![deferred("weather"), deferred("tickets")], vec![prompt("a"), prompt("b")])
}

#[test]
fn a_restart_comes_before_the_last_prompt() {
    let mut it = two_prompts();
    // One seed in four ends the process.
    for (seed, process) in [(1, false), (6, true), (7, false), (9, true)] {
        it.seed = seed;
        let restart = Step::Restart { process, from_rows: false };
        assert_eq!(Variant::Restarted.of(&it).unwrap().steps, [prompt("a"), restart, prompt("b")]);
    }
    let from_rows = Step::Restart { process: false, from_rows: true };
    assert_eq!(Variant::FromRows.of(&it).unwrap().steps, [prompt("a"), from_rows, prompt("b")]);
}

#[test]
fn before_a_first_prompt_that_nothing_stands_before_there_is_no_restart() {
    let alone = session(Vec::new(), vec![prompt("a")]);
    assert_eq!(Variant::Restarted.of(&alone), None);
    assert_eq!(Variant::FromRows.of(&session(Vec::new(), Vec::new())), None);
    let after_a_seed = session(Vec::new(), vec![seeded("s", &[]), prompt("a")]);
    assert_eq!(Variant::FromRows.of(&after_a_seed).unwrap().length(), 3);
}

#[test]
fn another_past_finds_a_tool_of_the_mode_and_is_taken_back() {
    let forbidden = in_mode("chatter", Mode::Chat, Standing::Deferred);
    let core = in_mode("always", Mode::Agent, Standing::Core);
    let steps = vec![seeded("s", &[]), prompt("a")];
    let it = session(vec![forbidden.clone(), core.clone(), deferred("weather")], steps);
    let other = Variant::OtherPast.of(&it).unwrap();
    assert_eq!(other.length(), 5);
    let text = serde_json::to_string(&other.steps[1..4]).unwrap();
    assert!(text.contains("\"text\":\"weather\""), "{text}");
    assert_eq!(other.steps[3], Step::Branch { prompts: 1 });
    assert_eq!(Variant::OtherPast.of(&session(vec![forbidden, core], vec![prompt("a")])), None);
}

#[test]
fn irrelevant_rows_stand_around_every_seed() {
    let it = session(
        vec![deferred("weather"), deferred("tickets")],
        vec![seeded("s", &["weather"]), prompt("a")],
    );
    let other = Variant::WithIrrelevantRows.of(&it).unwrap();
    assert_eq!(other.length(), 4);
    assert_eq!(&other.steps[1..2], &it.steps[..1]);
    let Step::Seed(SeedTurn { prompt, moments }) = &other.steps[0] else {
        panic!("no turn before the first")
    };
    assert_eq!(prompt, "I read that weather, tickets are all active");
    let proves = |moment: &Moment| {
        matches!(
            moment,
            Moment::Used { status: Past::Ok, .. } | Moment::Searched { status: Past::Ok, .. }
        )
    };
    assert!(moments.len() == 4 && !moments.iter().any(proves));
    assert_eq!(other.steps[2], other.steps[0]);
    assert_eq!(Variant::WithIrrelevantRows.of(&session(Vec::new(), Vec::new())), None);
}

#[test]
fn seeds_are_turned_round_by_less_than_a_whole_round() {
    let turns = |count: usize| (0..count).map(|n| seeded(&n.to_string(), &[]));
    let order = |seed, count| {
        let mut it = session(Vec::new(), turns(count).chain([prompt("a")]).collect());
        it.seed = seed;
        let other = Variant::Permuted.of(&it)?;
        assert_eq!(other.steps.last(), it.steps.last());
        Some(other.seeds().map(|turn| turn.prompt.parse::<usize>().unwrap()).collect::<Vec<_>>())
    };
    assert_eq!(order(1, 2), Some(vec![1, 0]));
    // By two places, by one, and by three of four.
    assert_eq!(order(1, 3), Some(vec![2, 0, 1]));
    assert_eq!(order(2, 3), Some(vec![1, 2, 0]));
    assert_eq!(order(1, 4), Some(vec![3, 0, 1, 2]));
    assert_eq!(order(1, 1), None);
    assert_eq!(order(1, 0), None);
}

#[test]
fn turns_before_and_after_a_summary_keep_their_order() {
    let summary = Moment::Summarised { summary: "so far".to_owned() };
    let steps = vec![seeded("s", &[]), turn("t", vec![summary])];
    assert_eq!(Variant::Permuted.of(&session(Vec::new(), steps)), None);
}

#[test]
fn more_evidence_is_a_search_for_the_last_tool_of_the_mode() {
    let forbidden = in_mode("chatter", Mode::Chat, Standing::Deferred);
    let core = in_mode("always", Mode::Agent, Standing::Core);
    let tools = vec![deferred("weather"), deferred("tickets"), core.clone(), forbidden.clone()];
    let it = session(tools, vec![seeded("s", &["weather"]), prompt("a")]);
    let other = Variant::WithMoreEvidence.of(&it).unwrap();
    let more = seeded("one more thing", &["tickets"]);
    assert_eq!(other.steps, [it.steps[0].clone(), more, prompt("a")]);
    assert_eq!(Variant::WithMoreEvidence.of(&session(vec![core, forbidden], Vec::new())), None);
}

#[test]
fn a_registry_is_turned_round_where_it_has_two_tools() {
    let other = Variant::Reordered.of(&two_prompts()).unwrap();
    let names: Vec<&str> = other.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["tickets", "weather"]);
    let one = session(vec![deferred("weather")], Vec::new());
    assert_eq!(Variant::Reordered.of(&one), None);
    let three = session(vec![deferred("a"), deferred("b"), deferred("c")], Vec::new());
    assert!(Variant::Reordered.of(&three).is_some());
}

#[test]
fn descriptions_are_others_where_there_are_any() {
    let other = Variant::Reworded.of(&two_prompts()).unwrap();
    assert!(other.tools.iter().all(|tool| tool.description == "something else altogether"));
    assert_eq!(Variant::Reworded.of(&session(Vec::new(), Vec::new())), None);
}

#[test]
fn another_provider_is_another() {
    let provider = ProviderKind::native(Api::OpenaiChat);
    let over = Variant::Over { provider };
    let other = over.of(&two_prompts()).unwrap();
    assert_eq!(other.provider, provider);
    assert_eq!(over.of(&other), None);
}

#[test]
fn a_larger_registry_is_the_bulk() {
    let it = two_prompts();
    let grown = Variant::Grown { tools: 10 }.of(&it).unwrap();
    assert_eq!(grown.bulk, Bulk { count: 10, description: 60 });
    let long = Variant::LongTexts { characters: 200 }.of(&it).unwrap();
    assert_eq!(long.bulk, Bulk { count: 20, description: 200 });
}

#[test]
fn every_variant_is_told_in_its_own_words() {
    let provider = ProviderKind::native(Api::OpenaiChat);
    let all = [
        Variant::Restarted,
        Variant::FromRows,
        Variant::OtherPast,
        Variant::WithIrrelevantRows,
        Variant::Permuted,
        Variant::WithMoreEvidence,
        Variant::Reordered,
        Variant::Reworded,
        Variant::Over { provider },
        Variant::Grown { tools: 10 },
        Variant::LongTexts { characters: 200 },
    ];
    let told: std::collections::BTreeSet<String> =
        all.iter().map(|variant| variant.describe()).collect();
    assert_eq!(told.len(), all.len());
    assert!(told.contains("over openai-chat with native deferral"));
}
