//! What no session may hold.

use std::collections::BTreeSet;

use tacit_contract::protocol::CoreTools;
use tacit_contract::session::Moment;
use tacit_contract::{Call, Mode, OriginKind, Query, Session, Standing, Step, canary};
use tacit_generators::{MIXES, Setting, runner};

const CASES: u64 = 600;

fn each(setting: &Setting, check: impl Fn(&str, &Session)) {
    for mix in MIXES {
        let strategy = mix.strategy(setting);
        for case in 0..CASES {
            match runner::sample(&strategy, runner::master(4, mix.id), case) {
                Ok(session) => check(mix.id, &session),
                Err(why) => panic!("{}: {why}", mix.id),
            }
        }
    }
}

fn calls(session: &Session) -> impl Iterator<Item = &Call> {
    session
        .steps
        .iter()
        .filter_map(|step| match step {
            Step::Answer { calls } => Some(calls),
            _ => None,
        })
        .flatten()
}

#[test]
fn no_scripted_call_reaches_a_tool_of_the_runtime() {
    let mut later = Setting::everything();
    later.search_tool = "tool_search".into();
    later.core_names =
        [(Mode::Agent, vec!["read".into(), "bash".into(), "frobnicate".into()])].into();
    for setting in [Setting::everything(), later] {
        each(&setting, |id, session| {
            for call in calls(session) {
                if let Call::Use { tool, .. } = call {
                    assert!(!setting.is_reserved(tool), "{id}: {tool} in {session:?}");
                }
            }
        });
    }
}

#[test]
fn no_text_of_a_session_holds_a_canary() {
    each(&Setting::everything(), |id, session| {
        let text = format!("{session:?}");
        assert_eq!(canary::found(&text).count(), 0, "{id}: {text}");
    });
}

#[test]
fn what_a_runtime_cannot_do_is_not_generated() {
    each(&Setting::bare(), |id, session| {
        assert_eq!(session.mode, Mode::Agent);
        for step in &session.steps {
            let fits = match step {
                Step::Seed(_)
                | Step::Abort
                | Step::Compact
                | Step::SetMode { .. }
                | Step::Unplug { .. }
                | Step::Plug { .. }
                | Step::Update { .. }
                | Step::RestartLate { .. }
                | Step::SwitchProvider { .. } => false,
                Step::Restart { from_rows, .. } => !from_rows,
                _ => true,
            };
            assert!(fits, "{id}: {step:?}");
        }
        for call in calls(session) {
            let limited = matches!(call, Call::Search { query: Query::Limited { .. } });
            assert!(!limited && *call != Call::NewContext, "{id}: {call:?}");
        }
    });
}

#[test]
fn every_mix_has_prompts_even_for_a_runtime_that_can_do_little() {
    let setting = Setting::bare();
    for mix in MIXES {
        let strategy = mix.strategy(&setting);
        let prompted = (0..200)
            .filter_map(|case| runner::sample(&strategy, 1, case).ok())
            .filter(|session| session.steps.iter().any(|step| matches!(step, Step::Prompt { .. })))
            .count();
        assert!(prompted > 180, "{}: {prompted} of 200", mix.id);
        assert_eq!(mix.lacks(&setting), mix.needs, "{}", mix.id);
        assert_eq!(mix.lacks(&Setting::everything()), None, "{}", mix.id);
    }
}

#[test]
fn only_a_runtime_that_is_given_its_core_tools_gets_a_tool_that_is_core_somewhere() {
    each(&Setting::everything(), |id, session| {
        let core = |standing: &Standing| *standing == Standing::Core;
        let any = session.tools.iter().any(|tool| tool.modes.values().any(core));
        assert!(!any, "{id}: {session:?}");
    });
    let mut given = Setting::everything();
    given.core_tools = CoreTools::Given;
    let strategy = MIXES[0].strategy(&given);
    let has = |session: &Session| session.tools.iter().any(|tool| tool.name == "gamma_ledger");
    let sessions = (0..200).filter_map(|case| runner::sample(&strategy, 1, case).ok());
    assert!(sessions.filter(has).count() > 80);
}

#[test]
fn a_registry_has_one_skill_tool_at_most_and_a_plugin_brings_a_name_once() {
    each(&Setting::everything(), |id, session| {
        let skills = session.tools.iter().filter(|tool| tool.origin.kind == OriginKind::Skill);
        assert!(skills.count() <= 1, "{id}: {session:?}");
        let distinct: BTreeSet<_> =
            session.tools.iter().map(|tool| (&tool.name, &tool.origin)).collect();
        assert_eq!(distinct.len(), session.tools.len(), "{id}: {session:?}");
    });
}

#[test]
fn seeds_stand_first_and_a_marker_names_a_tool_once() {
    each(&Setting::everything(), |id, session| {
        let seeds = session.seeds().count();
        let late = session.steps[seeds..].iter().any(|step| matches!(step, Step::Seed(_)));
        assert!(!late, "{id}: {session:?}");
        for moment in session.seeds().flat_map(|turn| &turn.moments) {
            if let Moment::Searched { marker, .. } | Moment::Forged { marker, .. } = moment {
                let distinct: BTreeSet<_> = marker.iter().collect();
                assert_eq!(distinct.len(), marker.len(), "{id}: {marker:?}");
                assert!(marker.len() <= 8, "{id}: {marker:?}");
            }
        }
    });
}

#[test]
fn the_turns_that_change_places_are_complete() {
    for mix in MIXES.iter().filter(|mix| ["order", "more-evidence"].contains(&mix.id)) {
        let strategy = mix.strategy(&Setting::everything());
        for case in 0..CASES {
            let Ok(session) = runner::sample(&strategy, 8, case) else { panic!("case {case}") };
            for moment in session.seeds().flat_map(|turn| &turn.moments) {
                let odd = matches!(moment, Moment::Orphaned { .. } | Moment::Summarised { .. });
                assert!(!odd, "{}: {session:?}", mix.id);
            }
        }
    }
}
