//! What scenarios ask of a session: every expectation at every point of some recorded sessions.

use std::fmt::Write;

use tacit_contract::{Mode, ToolName};
use tacit_judge::Account;
use tacit_judge::expect::{At, Expectation, WhichPrompt, WhichRequest, same_at_last_prompt};

use super::played::{Recorded, family};

const PROMPTS: [WhichPrompt; 4] =
    [WhichPrompt::First, WhichPrompt::Previous, WhichPrompt::Last, WhichPrompt::Every];
const REQUESTS: [WhichRequest; 4] =
    [WhichRequest::First, WhichRequest::AfterSearch, WhichRequest::Last, WhichRequest::Every];

/// Expectations of one tool at one point.
fn of_tool(at: At, tool: &ToolName) -> Vec<Expectation> {
    let tools = vec![tool.clone()];
    vec![
        Expectation::Shows(at, tools.clone()),
        Expectation::DoesNotShow(at, tools.clone()),
        Expectation::ShowsNoDeferredBut(at, tools.clone()),
        Expectation::Lists(at, tools.clone()),
        Expectation::DoesNotList(at, tools),
    ]
}

/// Expectations of one point, whatever the tools.
fn of_point(at: At) -> Vec<Expectation> {
    let mut all = vec![
        Expectation::ShowsSearch(at),
        Expectation::ShowsNoSearch(at),
        Expectation::ShowsNewContext(at),
        Expectation::ShowsNoDeferredBut(at, Vec::new()),
        Expectation::NoCatalog(at),
    ];
    all.extend(Mode::ALL.into_iter().map(|mode| Expectation::ShowsCore(at, mode)));
    all
}

/// Expectations of what was called.
fn of_calls(tool: &ToolName) -> Vec<Expectation> {
    vec![
        Expectation::Activates(vec![tool.clone()]),
        Expectation::Refused(tool.clone()),
        Expectation::Runs(tool.clone()),
        Expectation::Denied(tool.clone()),
    ]
}

fn expected(case: &Recorded) -> String {
    let profile = case.profile();
    let account = Account::new(&profile, &case.trace);
    let mut tools: Vec<ToolName> =
        case.trace.session.registry().into_iter().map(|tool| tool.name).take(4).collect();
    tools.push("Read".into());
    let mut all = vec![
        Expectation::ActivatesAtMost(0),
        Expectation::ActivatesAtMost(1),
        Expectation::ActivatesAtMost(4),
        Expectation::HostNotAskedForSearch,
        Expectation::GoesOn,
        Expectation::SentAgain,
    ];
    all.extend(tools.iter().flat_map(of_calls));
    for prompt in PROMPTS {
        for request in REQUESTS {
            let at = At { prompt, request };
            all.extend(of_point(at));
            all.extend(tools.iter().flat_map(|tool| of_tool(at, tool)));
        }
    }
    let mut text = String::new();
    for expectation in all {
        let met = match expectation.met(&account) {
            Ok(()) => "met".to_owned(),
            Err(unmet) => unmet.to_string(),
        };
        writeln!(text, "  {}: {met}", said(&expectation)).unwrap();
    }
    for (variant, trace) in &case.variants {
        let other = Account::new(&profile, trace);
        writeln!(text, "  {variant:?}: {:?}", same_at_last_prompt(&account, &other)).unwrap();
    }
    text
}

/// An expectation as its type has it, on one short line.
fn said(expectation: &Expectation) -> String {
    format!("{expectation:?}")
        .replace("At { prompt: ", "")
        .replace(", request: ", "/")
        .replace(" }", "")
}

/// The first case of a family, with every expectation.
macro_rules! families {
    ($($test:ident: $family:literal,)*) => {
        $(#[test]
        fn $test() {
            let name = concat!("expected-", $family);
            insta::assert_snapshot!(name, expected(&family($family)[0]));
        })*
    };
}

families! {
    what_is_expected_of_searches_is_held_against_the_account: "searches",
    what_is_expected_of_uses_is_held_against_the_account: "uses",
    what_is_expected_of_a_new_context_is_held_against_the_account: "context",
    what_is_expected_of_failing_providers_is_held_against_the_account: "providers",
}
