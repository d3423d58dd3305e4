//! What is done between prompts, on the reference runtime in process: restarts, branches, earlier
//! turns, plugins, sessions elsewhere, modes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::*;
use tacit_contract::session::{Moment, Past, SeedTurn};
use tacit_contract::trace::{From, Seen};
use tacit_contract::{Mode, Row, Step, ToolName};

#[test]
fn a_restart_saves_closes_and_opens_again() {
    let one = [prompt("one"), answer([search("acme_mail")])];
    for (process, from_rows) in [(false, false), (true, false), (false, true), (true, true)] {
        let mut steps = one.to_vec();
        steps.extend([restart(process, from_rows), prompt("two")]);
        let trace = played(steps);
        let from: Vec<&From> = trace
            .log
            .iter()
            .filter_map(|entry| match &entry.seen {
                Seen::Opened { from, .. } => Some(from),
                _ => None,
            })
            .collect();
        let expected =
            if from_rows { From::ExportedRows { process } } else { From::State { process } };
        assert_eq!(from, [&From::Nothing, &expected]);
        let closed = kinds(&trace).iter().filter(|kind| *kind == "closed").count();
        assert_eq!(closed, if process { 1 } else { 2 });
        assert!(trace.cut_short.is_none());
        assert!(shown(requests(&trace).last().unwrap()).contains(&"acme_mail".to_owned()));
    }
}

#[test]
fn a_branch_takes_back_what_came_after() {
    let trace = played([
        prompt("one"),
        prompt("two"),
        answer([search("acme_mail")]),
        prompt("three"),
        Step::Branch { prompts: 2 },
        prompt("four"),
        Step::Branch { prompts: 9 },
        prompt("five"),
    ]);
    let last: Vec<String> =
        requests(&trace).iter().rev().take(2).map(|requested| requested.body.to_string()).collect();
    assert!(last[1].contains("four (") && last[1].contains("one ("));
    assert!(!last[1].contains("two (") && !last[1].contains("three ("));
    assert!(last[0].contains("five (") && !last[0].contains("one ("));
    let back: Vec<u32> = trace
        .log
        .iter()
        .filter_map(|entry| match &entry.seen {
            Seen::Opened { from: From::EarlierState { prompts }, .. } => Some(*prompts),
            _ => None,
        })
        .collect();
    assert_eq!(back, [2, 2]);
}

#[test]
fn a_branch_with_nothing_before_it_does_nothing() {
    let trace = played([Step::Branch { prompts: 1 }, prompt("one"), Step::Branch { prompts: 0 }]);
    let opened = kinds(&trace).iter().filter(|kind| *kind == "opened").count();
    assert_eq!(opened, 1);
}

#[test]
fn seeded_turns_are_rows_from_which_the_session_is_opened() {
    let turn = SeedTurn {
        prompt: "what was before".to_owned(),
        moments: vec![Moment::Searched { marker: vec!["acme_mail".into()], status: Past::Ok }],
    };
    let trace = played([Step::Seed(turn.clone()), prompt("go on"), Step::Seed(turn)]);
    let Seen::Opened { from: From::SeededRows { rows }, .. } = &trace.log[0].seen else {
        panic!("{:?}", trace.log[0])
    };
    assert!(matches!(&rows[0], Row::User { text } if text.starts_with("what was before (")));
    assert!(requests(&trace)[0].body.contains("what was before ("));
}

#[test]
fn a_plugin_is_removed_once_and_comes_back_once() {
    let trace = played([
        Step::Plug { plugin: "acme".into() },
        Step::Unplug { plugin: "nobody".into() },
        Step::Unplug { plugin: "acme".into() },
        Step::Unplug { plugin: "acme".into() },
        prompt("without"),
        Step::Plug { plugin: "acme".into() },
        prompt("with"),
    ]);
    let sets: Vec<(usize, usize, usize)> = trace
        .log
        .iter()
        .filter_map(|entry| match &entry.seen {
            Seen::ToolsSet { tools, removed, added, .. } => {
                Some((tools.len(), removed.len(), added.len()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(sets, [(1, 2, 0), (3, 0, 2)]);
}

#[test]
fn a_plugin_that_is_there_comes_in_a_new_version_with_one_tool_more() {
    let trace = played([
        Step::Update { plugin: "nobody".into() },
        Step::Update { plugin: "acme".into() },
        Step::Unplug { plugin: "acme".into() },
        Step::Update { plugin: "acme".into() },
        Step::Plug { plugin: "acme".into() },
        Step::Restart { process: false, from_rows: false },
        prompt("now"),
    ]);
    let mut registries = trace.log.iter().filter_map(|entry| match &entry.seen {
        Seen::Opened { tools, .. } => Some((tools, Vec::new())),
        Seen::ToolsSet { tools, updated, .. } => Some((tools, updated.clone())),
        _ => None,
    });
    let (first, _) = registries.next().unwrap();
    let (second, updated) = registries.next().unwrap();
    assert_eq!(updated, ["acme_weather", "acme_mail", "acme_v2"].map(ToolName::from));
    assert_eq!(second.len(), first.len() + 1);
    let (without, _) = registries.next().unwrap();
    assert_eq!(without.len(), first.len() - 2);
    // An update of what is not there is none; what comes back is what went.
    for (later, _) in registries {
        assert_eq!(later, second);
    }
}

#[test]
fn a_plugin_that_registers_late_is_missing_at_the_opening_alone() {
    let trace = played([
        Step::RestartLate { plugin: "nobody".into() },
        prompt("one"),
        Step::RestartLate { plugin: "acme".into() },
        prompt("two"),
    ]);
    let registries: Vec<(usize, usize)> = trace
        .log
        .iter()
        .filter_map(|entry| match &entry.seen {
            Seen::Opened { tools, .. } => Some((tools.len(), 0)),
            Seen::RegisteredLate { tools, late } => Some((tools.len(), late.len())),
            Seen::ToolsSet { .. } => panic!("nothing was removed and nothing came back"),
            _ => None,
        })
        .collect();
    assert_eq!(registries, [(3, 0), (1, 0), (3, 2)]);
}

#[test]
fn a_session_elsewhere_may_have_a_plugin_one_version_ahead() {
    let trace = played([
        Step::ElsewhereAhead { plugin: "acme".into() },
        Step::Update { plugin: "acme".into() },
        Step::ElsewhereAhead { plugin: "acme".into() },
        Step::ElsewhereAhead { plugin: "nobody".into() },
    ]);
    let registries = trace.log.iter().filter_map(|entry| match &entry.seen {
        Seen::Opened { tools, .. } | Seen::ToolsSet { tools, .. } => Some(tools),
        _ => None,
    });
    let [first, ahead, updated, further, like] = registries.collect::<Vec<_>>()[..] else {
        panic!("{:?}", trace.log)
    };
    assert_eq!([first, ahead, further].map(|tools| tools.len()), [3, 4, 5]);
    assert_eq!([ahead, like], [updated, updated]);
}

#[test]
fn a_session_elsewhere_is_played_beside_the_first() {
    let trace = played([
        prompt("one"),
        answer([search("acme_mail")]),
        Step::Elsewhere,
        prompt("two"),
        Step::Elsewhere,
    ]);
    let mut sessions: Vec<&str> = trace.log.iter().map(|entry| entry.session.as_str()).collect();
    sessions.dedup();
    assert_eq!(sessions.len(), 5, "{sessions:?}");
    assert!(sessions[1].ends_with("-1") && sessions[3].ends_with("-2"));
    assert_eq!(sessions[0], sessions[4]);
    let elsewhere: Vec<_> =
        trace.log.iter().filter(|entry| entry.session.as_str() == sessions[1]).collect();
    assert!(matches!(elsewhere[0].seen, Seen::Opened { from: From::Nothing, .. }));
    assert!(matches!(elsewhere.last().unwrap().seen, Seen::Closed));
}

#[test]
fn a_mode_change_is_recorded_and_kept_over_a_restart() {
    let trace = played([Step::SetMode { mode: Mode::Chat }, restart(false, false), prompt("chat")]);
    let modes: Vec<Mode> = trace
        .log
        .iter()
        .filter_map(|entry| match &entry.seen {
            Seen::Opened { mode, .. } | Seen::ModeSet { mode } => Some(*mode),
            _ => None,
        })
        .collect();
    assert_eq!(modes, [Mode::Agent, Mode::Chat, Mode::Chat]);
}
