//! What comes back at the next prompt.

use serde_json::json;
use tacit_contract::runtime::Runtime;
use tacit_contract::{Mode, Revision, Row, Status, ToolCall};

use super::{Next, Play, core, core_and, search, using, wait};
use crate::ReferenceOptions;

/// A turn in which one tool was called.
pub(crate) fn turn(tool: &str, status: Option<Status>, marker: &[&str]) -> Vec<Row> {
    let call = ToolCall { id: tool.into(), name: tool.into(), arguments: json!({}) };
    let result = status.map(|status| Row::ToolResult {
        call_id: tool.into(),
        tool_name: tool.into(),
        status,
        text: "PluginPack".to_owned(),
        added_tool_names: (!marker.is_empty())
            .then(|| marker.iter().map(|name| (*name).into()).collect()),
    });
    [
        Row::User { text: "Skill".to_owned() },
        Row::Assistant { text: Some("PluginPack".to_owned()), tool_calls: vec![call] },
    ]
    .into_iter()
    .chain(result)
    .collect()
}

/// The tools beyond core in the first request after these rows.
pub(crate) fn restored_by(play: &mut Play, rows: Vec<Row>) -> Vec<String> {
    play.seed(rows);
    play.prompt("go on", vec![]);
    play.world.last_tools().split_off(core().len())
}

#[test]
fn evidence_brings_tools_back_and_nothing_else_does() {
    let ok = Some(Status::Ok);
    for (rows, expected) in [
        (turn("ToolSearch", ok, &["Skill", "acme_weather"]), vec!["Skill", "acme_weather"]),
        (turn("BrowserPreview", ok, &[]), vec!["BrowserPreview"]),
        (turn("ToolSearch", Some(Status::Error), &["Skill"]), vec![]),
        (turn("ToolSearch", Some(Status::Interrupted), &["Skill"]), vec![]),
        (turn("Skill", Some(Status::Error), &[]), vec![]),
        (turn("Skill", Some(Status::Interrupted), &[]), vec![]),
        (turn("Skill", None, &[]), vec![]),
        (turn("Read", ok, &["Skill"]), vec![]),
        (turn("BrowserPreview", ok, &["Skill"]), vec!["BrowserPreview"]),
        (turn("ToolSearch", ok, &["Read", "nobody", "Skill"]), vec!["Skill"]),
        (turn("Skill", ok, &[]).split_off(2), vec![]),
        (
            [turn("Skill", ok, &[]), vec![Row::Checkpoint { summary: "Skill".to_owned() }]]
                .concat(),
            vec![],
        ),
        ([turn("Skill", ok, &[]), turn("Skill", Some(Status::Error), &[])].concat(), vec!["Skill"]),
    ] {
        let mut play = Play::new();
        assert_eq!(restored_by(&mut play, rows.clone()), expected, "{rows:?}");
    }
}

#[test]
fn the_first_revision_restores_nothing() {
    let mut play = Play::of(ReferenceOptions::faultless(Revision::R1), Mode::Plan);
    play.seed(turn("ToolSearch", Some(Status::Ok), &["Skill"]));
    play.prompt("go on", vec![]);
    assert_eq!(play.world.last_tools().last().unwrap(), "ToolSearch");
}

#[test]
fn a_restart_restores_what_the_next_prompt_would_have() {
    let mut play = Play::new();
    play.prompt(
        "a",
        vec![
            Next::Calls(vec![search("c1", "Skill"), search("c2", "acme_weather")]),
            Next::Calls(vec![using("c3", "Skill")]),
        ],
    );
    for _ in 0..3 {
        play.restart(ReferenceOptions::faultless(Revision::R3));
        play.prompt("b", vec![]);
        assert_eq!(play.world.last_tools(), core_and(&["Skill", "acme_weather"]));
    }
    let rows = play.rows();
    play.seed(rows);
    play.prompt("c", vec![]);
    assert_eq!(play.world.last_tools(), core_and(&["Skill", "acme_weather"]));
}

#[test]
fn a_compaction_takes_the_evidence_with_it() {
    let play = Play::new();
    play.search("Skill");
    wait(play.runtime.compact(&"s".into())).unwrap();
    {
        let requests = play.world.requests.borrow();
        let helper = requests.last().unwrap();
        assert!(helper.get("tools").is_none());
        assert_ne!(helper["messages"][0], requests[0]["messages"][0]);
    }
    play.prompt("on", vec![]);
    assert_eq!(play.world.last_tools(), core());
    let requests = play.world.requests.borrow();
    let messages = requests.last().unwrap()["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 3);
    assert!(messages[1]["content"].as_str().unwrap().ends_with("summary"));
}

#[test]
fn a_new_context_goes_on_with_the_summary_and_the_prompt() {
    let mut play = Play::new();
    play.prompt(
        "first",
        vec![
            Next::Calls(vec![search("c1", "Skill")]),
            Next::Calls(vec![("c2", "new_context", json!({"summary": "short"}))]),
            Next::Says("done"),
        ],
    );
    {
        let requests = play.world.requests.borrow();
        let messages = requests[2]["messages"].as_array().unwrap();
        assert_eq!(messages.len(), 3);
        assert!(messages[1]["content"].as_str().unwrap().ends_with("short"));
        assert_eq!(messages[2]["content"], "first");
    }
    play.prompt("second", vec![]);
    assert_eq!(play.world.last_tools(), core());
    play.restart(ReferenceOptions::faultless(Revision::R3));
    play.prompt("third", vec![]);
    let requests = play.world.requests.borrow();
    let messages = |request: usize| requests[request]["messages"].as_array().unwrap().clone();
    assert_eq!(messages(4)[..messages(3).len()], messages(3)[..]);
}

#[test]
fn a_mode_change_and_a_removed_plugin_leave_only_what_is_still_deferred() {
    let mut play = Play::new();
    play.search("PluginPack acme_weather");
    wait(play.runtime.set_mode(&"s".into(), Mode::Plan)).unwrap();
    play.prompt("a", vec![]);
    assert_eq!(play.world.last_tools().last().unwrap(), "acme_weather");
    assert!(!play.world.last_tools().contains(&"PluginPack".to_owned()));
    play.opening.tools.retain(|tool| tool.origin.id.is_none());
    wait(play.runtime.set_tools(&"s".into(), play.opening.tools.clone())).unwrap();
    wait(play.runtime.set_mode(&"s".into(), Mode::Agent)).unwrap();
    play.prompt("b", vec![Next::Calls(vec![using("x", "acme_weather")])]);
    assert_eq!(play.world.last_tools(), core_and(&["PluginPack"]));
    assert!(play.world.host_calls.borrow().is_empty());
}
