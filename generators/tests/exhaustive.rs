//! The exhaustive search holds what a plain enumeration of all steps holds, less what says nothing
//! where it stands, and each session once.

use std::collections::BTreeSet;

use tacit_contract::protocol::Api;
use tacit_contract::session::{Failure, Moment, Outcome, Past, SeedTurn};
use tacit_contract::{Call, Mode, OtherProvider, ProviderKind, Query, Session, Step, ToolName};
use tacit_generators::Setting;
use tacit_generators::exhaustive::{Exhaustive, World};

const TOOLS: [&str; 3] = ["acme_weather", "acme_tickets", "beta_notes"];

const KINDS: [ProviderKind; 4] = [
    ProviderKind::plain(Api::OpenaiChat),
    ProviderKind::plain(Api::AnthropicMessages),
    ProviderKind::native(Api::OpenaiResponses),
    ProviderKind::native(Api::AnthropicMessages),
];

/// Agent and plan mode read files in this world, the others do not.
const READS: [Mode; 2] = [Mode::Agent, Mode::Plan];

fn answer(calls: &[Call]) -> Step {
    Step::Answer { calls: calls.to_vec() }
}

fn search(text: &str) -> Call {
    Call::Search { query: Query::text(text) }
}

fn using(tool: &str, outcome: Outcome) -> Call {
    Call::Use { tool: tool.into(), outcome, says: None }
}

fn seed(prompt: &str, moment: Moment) -> Step {
    Step::Seed(SeedTurn { prompt: prompt.to_owned(), moments: vec![moment] })
}

fn seeds_of(tool: &str) -> Vec<Step> {
    let name = ToolName::from(tool);
    let marker = vec![name.clone()];
    let mut steps = Vec::new();
    for status in [Past::Ok, Past::Error, Past::Interrupted, Past::Unanswered] {
        steps.push(seed("go on", Moment::Searched { marker: marker.clone(), status }));
        steps.push(seed("go on", Moment::Used { tool: name.clone(), status, says: None }));
    }
    steps.push(seed("go on", Moment::Forged { tool: "Read".into(), marker }));
    let text = format!("addedToolNames: [\"{tool}\"]");
    steps.push(seed(&format!("please use {tool} now"), Moment::Said { text }));
    steps
}

/// Every step, whether it says something or not.
fn every_step() -> Vec<Step> {
    let mut steps = vec![
        Step::Prompt { text: "go on".to_owned() },
        answer(&[search("team")]),
        answer(&[search("quantum trombone")]),
        answer(&[Call::Read]),
        answer(&[Call::NewContext]),
        Step::Fail { failure: Failure::Overloaded },
        Step::Fail { failure: Failure::BadRequest },
        Step::Abort,
        Step::Restart { process: false, from_rows: false },
        Step::Restart { process: true, from_rows: false },
        Step::Restart { process: false, from_rows: true },
        Step::Branch { prompts: 1 },
        Step::Compact,
        Step::Elsewhere,
        Step::SwitchProvider { to: OtherProvider::OtherApi },
        Step::SwitchProvider { to: OtherProvider::Native },
        Step::SwitchProvider { to: OtherProvider::Plain },
    ];
    steps.extend(Mode::ALL.map(|mode| Step::SetMode { mode }));
    for plugin in ["acme", "beta"] {
        steps.push(Step::Unplug { plugin: plugin.into() });
        steps.push(Step::Plug { plugin: plugin.into() });
    }
    for tool in TOOLS {
        steps.push(answer(&[search(tool)]));
        steps.push(answer(&[using(tool, Outcome::Ok)]));
        steps.push(answer(&[using(tool, Outcome::Error)]));
        steps.push(answer(&[search(tool), using(tool, Outcome::Ok)]));
        steps.extend(seeds_of(tool));
    }
    steps
}

/// Whether the step does nothing after these, as the stage plays them.
fn is_idle(mode: Mode, before: &[Step], step: &Step, setting: &Setting) -> bool {
    let mut mode = mode;
    let mut provider = KINDS[0];
    let mut prompts = 0_u32;
    for step in before {
        match step {
            Step::SetMode { mode: to } => mode = *to,
            Step::Prompt { .. } => prompts += 1,
            Step::Branch { .. } => prompts -= 1,
            Step::SwitchProvider { to } => provider = to.than(provider, &KINDS).unwrap_or(provider),
            _ => {}
        }
    }
    let script = |step: &Step| matches!(step, Step::Answer { .. } | Step::Fail { .. });
    let asked = before.iter().rposition(|step| !script(step));
    let in_prompt = asked.is_some_and(|at| matches!(before[at], Step::Prompt { .. }));
    let is_there = |plugin: &_| {
        let mut latest = before.iter().rev();
        !latest
            .find_map(|step| match step {
                Step::Unplug { plugin: other } if other == plugin => Some(true),
                Step::Plug { plugin: other } if other == plugin => Some(false),
                _ => None,
            })
            .unwrap_or(false)
    };
    match step {
        Step::Prompt { .. } | Step::Elsewhere | Step::ElsewhereAhead { .. } => false,
        Step::Seed(_) => {
            !setting.transcript || !before.iter().all(|step| matches!(step, Step::Seed(_)))
        }
        Step::Answer { calls } => {
            !in_prompt
                || *calls == [Call::Read] && !READS.contains(&mode)
                || *calls == [Call::NewContext] && !setting.new_context
        }
        Step::Fail { .. } => !in_prompt,
        Step::Abort => !in_prompt || !setting.abort,
        Step::Restart { from_rows, .. } => *from_rows && !setting.transcript,
        Step::Branch { .. } => prompts == 0,
        Step::Compact => !setting.compact,
        Step::SetMode { mode: to } => !setting.set_mode || *to == mode,
        Step::Unplug { plugin } | Step::Update { plugin } | Step::RestartLate { plugin } => {
            !setting.set_tools || !is_there(plugin)
        }
        Step::Plug { plugin } => !setting.set_tools || is_there(plugin),
        Step::SwitchProvider { to } => to.than(provider, &KINDS).is_none(),
    }
}

fn is_hidden_at_the_end(step: &Step) -> bool {
    !matches!(
        step,
        Step::Prompt { .. }
            | Step::Answer { .. }
            | Step::Fail { .. }
            | Step::Abort
            | Step::Elsewhere
            | Step::ElsewhereAhead { .. }
            | Step::Compact
    )
}

/// Whether of the two tools that are alike the second is told before the first.
fn is_renamed(steps: &[Step]) -> bool {
    let told = format!("{steps:?}");
    let first = told.find(TOOLS[0]).unwrap_or(usize::MAX);
    told.find(TOOLS[1]).is_some_and(|second| second < first)
}

/// Every session of exactly so many steps in which each step does something.
fn busy(mode: Mode, length: usize, setting: &Setting) -> Vec<Vec<Step>> {
    let mut sessions = vec![Vec::new()];
    for _ in 0..length {
        let mut longer = Vec::new();
        for session in sessions {
            for step in every_step() {
                if !is_idle(mode, &session, &step, setting) {
                    longer.push([session.clone(), vec![step]].concat());
                }
            }
        }
        sessions = longer;
    }
    sessions
}

fn settings() -> [Setting; 3] {
    let everything = Setting::everything();
    let fixed = Setting { set_mode: false, transcript: false, ..everything.clone() };
    [everything, fixed, Setting::bare()]
}

fn all(setting: &Setting, depth: u32) -> Exhaustive {
    Exhaustive::new(World::new(setting.clone(), KINDS.to_vec(), READS.to_vec()), depth)
}

fn sessions(all: &Exhaustive) -> impl Iterator<Item = Session> {
    (0..all.count()).map_while(|number| all.session(number, number))
}

#[test]
fn what_is_enumerated_is_what_a_plain_enumeration_leaves() {
    for setting in settings() {
        let all = all(&setting, 3);
        let modes = if setting.set_mode { &setting.modes[..1] } else { &setting.modes[..] };
        let mut expected = BTreeSet::new();
        for (length, count) in (1..).zip(all.lengths()) {
            let before = expected.len();
            for mode in modes {
                for steps in busy(*mode, length, &setting) {
                    if !steps.last().is_none_or(is_hidden_at_the_end) && !is_renamed(&steps) {
                        expected.insert(format!("{mode} {steps:?}"));
                    }
                }
            }
            assert_eq!(u64::try_from(expected.len() - before), Ok(*count), "{length} steps");
        }
        let told = |session: Session| format!("{} {:?}", session.mode, session.steps);
        let enumerated: Vec<String> = sessions(&all).map(told).collect();
        assert_eq!(enumerated.len(), expected.len(), "each comes once");
        assert_eq!(enumerated.into_iter().collect::<BTreeSet<_>>(), expected);
    }
}

#[test]
fn shorter_sessions_come_first_and_the_same_number_is_always_the_same_session() {
    let setting = Setting::everything();
    let (few, many) = (all(&setting, 2), all(&setting, 4));
    let lengths: Vec<usize> = sessions(&many).take(5_000).map(|s| s.length()).collect();
    assert!(lengths.is_sorted());
    for number in 0..few.count() {
        assert_eq!(few.session(number, 3), many.session(number, 3));
    }
    assert_eq!(few.session(few.count(), 3), None);
    assert!(many.session(many.count() - 1, 3).is_some_and(|session| session.length() == 4));
}

#[test]
fn two_tools_have_a_mode_alike_and_one_mode_has_none() {
    let session = all(&Setting::everything(), 1).session(0, 0).unwrap_or_else(|| panic!("none"));
    let [first, second, other] = session.tools.as_slice() else { panic!("three tools") };
    assert_eq!((&first.modes, &first.origin), (&second.modes, &second.origin));
    assert_ne!(first.modes, other.modes);
    assert!(session.tools.iter().all(|tool| !tool.modes.contains_key(&Mode::Goal)));
    assert!(session.tools.iter().all(|tool| tool.description.contains("team")));
}

#[test]
fn a_depth_without_end_is_counted_as_far_as_numbers_go() {
    for setting in settings() {
        let all = all(&setting, u32::MAX);
        assert_eq!(all.count(), u64::MAX);
        assert!(all.lengths().len() < 64, "{}", all.lengths().len());
        assert!(all.session(u64::MAX / 2, 0).is_some_and(|session| session.length() > 8));
    }
}
