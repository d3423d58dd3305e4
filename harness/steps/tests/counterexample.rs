//! A case that is written as a feature is read back as the same case.

use tacit_contract::ProviderKind;
use tacit_contract::session::{Bulk, Failure, Moment, Outcome, Past, SeedTurn, Session};
use tacit_contract::{
    Call, Case, ClauseId, Mode, Origin, OtherProvider, Query, Standing, Step, ToolName, ToolSpec,
    Variant,
};
use tacit_generators::runner::{master, sample};
use tacit_generators::{MIXES, Setting};
use tacit_steps::case::read_case;
use tacit_steps::write::{Header, write};

fn header() -> Header {
    Header {
        found_by: "uses".to_owned(),
        tool: "tacit 0.1.0".to_owned(),
        runtime: "pydantic-ai 2.68.0".to_owned(),
        spec: Some("pydantic-ai".to_owned()),
        seed: 0x4f1c_09aa,
        steps_before: 19,
    }
}

fn there_and_back(case: &Case) -> String {
    let clause = ClauseId::from("restore.use-evidence");
    let text = write(case, &clause, &header());
    let replay = read_case("a.feature", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(replay.case, *case, "{text}");
    assert_eq!(replay.clauses, vec![clause]);
    assert_eq!(replay.spec.as_deref(), Some("pydantic-ai"));
    text
}

fn session(tools: Vec<ToolSpec>, steps: Vec<Step>) -> Case {
    let session = Session {
        seed: 1,
        mode: Mode::Agent,
        provider: ProviderKind::PLAINEST,
        tools,
        bulk: Bulk::default(),
        steps,
    };
    Case { session, variants: Vec::new() }
}

fn weather() -> ToolSpec {
    let weather = "does what acme_weather is named for";
    ToolSpec::deferred("acme_weather", weather, Origin::plugin("acme"), &Mode::ALL)
}

fn prompt(text: &str) -> Step {
    Step::Prompt { text: text.to_owned() }
}

fn uses(tool: &str) -> Call {
    Call::Use { tool: tool.into(), outcome: Outcome::Ok, says: None }
}

#[test]
fn a_common_counterexample_reads_like_a_scenario_of_the_suite() {
    let used = Moment::Used { tool: "acme_weather".into(), status: Past::Ok, says: None };
    let turn = SeedTurn { prompt: "what is it like in Oslo?".to_owned(), moments: vec![used] };
    let case = session(vec![weather()], vec![Step::Seed(turn), prompt("anything")]);
    let text = there_and_back(&case);
    assert_eq!(
        text,
        r#"# found by tacit 0.1.0: uses on pydantic-ai 2.68.0, seed 4f1c09aa; shrunk from 19 steps to 2
# runtime: pydantic-ai
@counterexample @clause:restore.use-evidence
Feature: restore.use-evidence is not kept
  A deferred tool that was used successfully in the effective context is restored.
  ADR 0048, Decision, paragraph 4.

  Scenario: An earlier use, a prompt
    Given an agent session with the plugin tool "acme_weather"
    And a transcript in which
      | the user asked | what is it like in Oslo? |
      | the model used | acme_weather             |
    When the user asks "anything"
    Then the runtime keeps "restore.use-evidence": a deferred tool that was used successfully in the effective context is restored
"#
    );
}

#[test]
fn every_kind_of_step_is_read_back() {
    let all = |call: Call| Step::Answer { calls: vec![call] };
    let steps = vec![
        all(uses("out of turn")),
        Step::Abort,
        prompt("something else"),
        prompt("a \"quoted\" \\ prompt\nof two | lines "),
        Step::Answer { calls: vec![uses("a"), Call::Read, Call::NewContext] },
        Step::Fail { failure: Failure::BreaksOff },
        all(Call::Search { query: Query::text("x") }),
        Step::Abort,
        Step::Restart { process: true, from_rows: true },
        Step::Restart { process: false, from_rows: true },
        Step::Fail { failure: Failure::Overloaded },
        Step::Restart { process: true, from_rows: false },
        Step::Restart { process: false, from_rows: false },
        Step::Branch { prompts: 0 },
        Step::Branch { prompts: 1 },
        Step::Branch { prompts: u32::MAX },
        Step::Compact,
        Step::SetMode { mode: Mode::Plan },
        Step::Unplug { plugin: "a \"plugin\"".into() },
        Step::Plug { plugin: "".into() },
        Step::Update { plugin: "acme".into() },
        Step::SwitchProvider { to: OtherProvider::OtherApi },
        Step::SwitchProvider { to: OtherProvider::Native },
        Step::SwitchProvider { to: OtherProvider::Plain },
        Step::Elsewhere,
        Step::ElsewhereAhead { plugin: "acme".into() },
        Step::RestartLate { plugin: "a \"plugin\"".into() },
        Step::Seed(SeedTurn { prompt: "too late".to_owned(), moments: Vec::new() }),
        prompt(""),
    ];
    let mut case = session(vec![weather(), weather()], steps);
    case.session.seed = u64::MAX;
    case.session.bulk = Bulk { count: 0, description: 7 };
    case.variants = vec![Variant::Restarted, Variant::Grown { tools: 10_000 }, Variant::Permuted];
    there_and_back(&case);
}

#[test]
fn hostile_names_and_texts_are_read_back() {
    for hostile in [
        "",
        " ",
        "\n",
        "a\u{202e}b",
        "# On-demand tools\n\n- Bash: run | anything \\",
        "<a>",
        "{U+0041}",
        "a, \"b\" and c",
        "\u{0}",
        "@tag",
        "Given x",
        "\"\"\"",
        "e\u{301}\u{a0}",
        "*",
    ] {
        let mut tool = weather();
        tool.name = ToolName::from(hostile);
        tool.description = hostile.to_owned();
        tool.origin = Origin::plugin(hostile);
        tool.modes.insert(Mode::Chat, Standing::Core);
        let call = Call::Use {
            tool: hostile.into(),
            outcome: Outcome::Error,
            says: Some(hostile.to_owned()),
        };
        let search = Call::Search { query: Query::text(hostile) };
        let odd = Call::Search { query: Query::Odd { value: hostile.into() } };
        let moments = vec![
            Moment::Searched { marker: vec![hostile.into(), "b".into()], status: Past::Error },
            Moment::Said { text: hostile.to_owned() },
            Moment::Forged { tool: hostile.into(), marker: vec![hostile.into()] },
        ];
        let steps = vec![
            Step::Seed(SeedTurn { prompt: hostile.to_owned(), moments }),
            prompt(hostile),
            Step::Answer { calls: vec![search, call, odd] },
            Step::Unplug { plugin: hostile.into() },
        ];
        there_and_back(&session(vec![tool], steps));
    }
}

#[test]
fn every_generated_session_is_read_back() {
    let setting = Setting::everything();
    let variants = tacit_steps::pattern::variants(1000);
    for mix in MIXES {
        let strategy = mix.strategy(&setting);
        for case in 0..60 {
            let session = sample(&strategy, master(7, mix.id), case).unwrap();
            let variant = variants[usize::try_from(case).unwrap() % variants.len()];
            there_and_back(&Case { session, variants: vec![variant] });
        }
    }
}

#[test]
fn a_step_that_would_mean_another_tool_under_another_profile_is_not_replayed() {
    let text = "Feature: a\n  Scenario: b\n    Given a plugin tool with the name of a core tool\n";
    let error = read_case("a.feature", text).unwrap_err().to_string();
    assert!(error.contains("a.feature:3:5"), "{error}");
    assert!(error.contains("names the tools that it is about"), "{error}");
}
