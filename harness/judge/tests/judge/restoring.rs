//! The readings of restoration that the contract accepts: which one was seen.

use std::sync::Arc;

use crate::common::{PLAIN, Story, body, broken, called, result, user};
use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_contract::trace::{Answered, From};
use tacit_contract::{
    Judgement, Mode, Origin, OriginKind, Row, Seen, Standing, Status, Tool, ToolCall, ToolName,
    ToolSpec,
};

/// A session that is opened from rows with these tools.
fn opened(mode: Mode, tools: Vec<Tool>, rows: Vec<Row>) -> Story {
    let mut story = Story::over(PLAIN);
    let from = From::SeededRows { rows };
    let (tools, api, native) = (Arc::new(tools), Api::OpenaiChat, false);
    story.see(Seen::Opened { mode, tools, api, native, from });
    story
}

/// The next prompt, its conversation, and what it shows beside what is always sent.
fn asked(story: &mut Story, prompt: usize, conversation: Vec<Value>, shown: &[Tool]) {
    story.prompt();
    let mut request = body(&[], [conversation, vec![user(prompt)]].concat());
    let further = shown.iter().map(|tool| {
        json!({"type": "function", "function": {
            "name": tool.name, "description": tool.description, "parameters": tool.input_schema,
        }})
    });
    request["tools"].as_array_mut().unwrap().extend(further);
    story.request(Api::OpenaiChat, &request, Answered::Text);
    story.end();
}

fn tool(name: &str, kind: OriginKind) -> Tool {
    ToolSpec::deferred(name, "what it is for", Origin::of(kind), &Mode::ALL).tool(1)
}

fn many() -> Vec<Tool> {
    (1..=6).map(|number| tool(&format!("tool_{number}"), OriginKind::Builtin)).collect()
}

fn call(id: &str, name: &str) -> Row {
    let call = ToolCall { id: id.into(), name: name.into(), arguments: json!({}) };
    Row::Assistant { text: None, tool_calls: vec![call] }
}

fn answered(id: &str, name: &str, marker: Option<Vec<ToolName>>) -> Row {
    Row::ToolResult {
        call_id: id.into(),
        tool_name: name.into(),
        status: Status::Ok,
        text: "done".to_owned(),
        added_tool_names: marker,
    }
}

fn seen(judgement: &Judgement, point: &str) -> Vec<String> {
    judgement.readings.get(point).map(|seen| seen.keys().cloned().collect()).unwrap_or_default()
}

/// A marker of five names, and a prompt that shows so many of them.
fn long_marker(shown: &[usize]) -> Judgement {
    marker_of(5, shown)
}

fn marker_of(names: usize, shown: &[usize]) -> Judgement {
    let tools = many();
    let marker = tools[..names].iter().map(|tool| tool.name.clone()).collect();
    let rows = vec![call("c1", "ToolSearch"), answered("c1", "ToolSearch", Some(marker))];
    let mut story = opened(Mode::Agent, tools.clone(), rows);
    let shown: Vec<Tool> = shown.iter().map(|place| tools[*place].clone()).collect();
    asked(&mut story, 1, vec![called("c1", "ToolSearch"), result("c1")], &shown);
    story.judged()
}

#[test]
fn of_a_marker_with_five_names_all_four_or_none_may_come_back() {
    let cases: [(&[usize], &str); 5] = [
        (&[0, 1, 2, 3, 4], "all restored"),
        (&[0, 1, 2, 3], "the first ones restored"),
        (&[], "none restored"),
        (&[1, 4], "some restored"),
        (&[1], "some restored"),
    ];
    for (shown, reading) in cases {
        let judgement = long_marker(shown);
        assert_eq!(seen(&judgement, "long-marker"), [reading]);
        let restored = |clause: &&str| clause.starts_with("restore.");
        assert_eq!(broken(&judgement).iter().filter(|clause| restored(clause)).count(), 0);
    }
}

#[test]
fn a_marker_with_four_names_is_not_too_long() {
    let judgement = marker_of(4, &[]);
    assert_eq!(seen(&judgement, "long-marker"), Vec::<String>::new());
    assert!(broken(&judgement).contains(&"restore.search-evidence"));
}

#[test]
fn a_result_row_that_names_another_tool_than_its_call_is_none_of_the_call_s() {
    let tools = many();
    let rows = vec![call("c1", "tool_1"), answered("c1", "tool_2", None)];
    let mut story = opened(Mode::Agent, tools.clone(), rows);
    asked(&mut story, 1, vec![called("c1", "tool_1"), result("c1")], &tools[1..2]);
    let judgement = story.judged();
    assert_eq!(seen(&judgement, "orphan"), ["restored"]);
    assert!(!broken(&judgement).contains(&"restore.use-evidence"));
}

#[test]
fn a_result_row_with_no_call_may_restore_its_tool_or_not() {
    for (shown, reading) in [(1, "restored"), (0, "not restored")] {
        let tools = many();
        let rows = vec![answered("c1", "tool_1", None)];
        let mut story = opened(Mode::Agent, tools.clone(), rows);
        asked(&mut story, 1, Vec::new(), &tools[..shown]);
        assert_eq!(seen(&story.judged(), "orphan"), [reading]);
    }
}

#[test]
fn a_tool_that_was_core_when_it_succeeded_may_be_restored_or_not() {
    for (shown, reading) in [(1, "restored"), (0, "not restored")] {
        let mut tools = many();
        tools[0].modes.insert(Mode::Chat, Standing::Core);
        let mut story = opened(Mode::Chat, tools.clone(), Vec::new());
        let rows = vec![called("c1", "tool_1"), result("c1")];
        story.prompt();
        let used = tacit_contract::trace::Issued {
            id: "c1".into(),
            tool: "tool_1".into(),
            arguments: json!({}),
            call: tacit_contract::Call::Use {
                tool: "tool_1".into(),
                outcome: tacit_contract::session::Outcome::Ok,
                says: None,
            },
        };
        let first = body(&[], vec![user(1)]);
        story.request(Api::OpenaiChat, &first, crate::common::calls(vec![used]));
        story.used("c1", "tool_1");
        let after = body(&[], [vec![user(1)], rows.clone()].concat());
        story.request(Api::OpenaiChat, &after, Answered::Text);
        story.end();
        story.see(Seen::ModeSet { mode: Mode::Agent });
        asked(&mut story, 2, [vec![user(1)], rows].concat(), &tools[..shown]);
        assert_eq!(seen(&story.judged(), "was-core"), [reading]);
    }
}

#[test]
fn evidence_from_before_a_removal_may_count_or_not() {
    for (shown, reading) in [(1, "restored"), (0, "a fresh search is needed")] {
        let tools = many();
        let marker = Some(vec!["tool_1".into()]);
        let rows = vec![call("c1", "ToolSearch"), answered("c1", "ToolSearch", marker)];
        let mut story = opened(Mode::Agent, tools.clone(), rows);
        let name = || vec![ToolName::from("tool_1")];
        let set = |tools: &[Tool], removed, added| Seen::ToolsSet {
            tools: Arc::new(tools.to_vec()),
            removed,
            added,
            updated: Vec::new(),
        };
        story.see(set(&tools[1..], name(), Vec::new()));
        story.see(set(&tools, Vec::new(), name()));
        asked(&mut story, 1, vec![called("c1", "ToolSearch"), result("c1")], &tools[..shown]);
        assert_eq!(seen(&story.judged(), "came-back"), [reading]);
    }
}

/// Two prompts of a session with a skill tool, which show it or not.
fn skill(shown: [bool; 2]) -> Judgement {
    let tools = vec![tool("Skill", OriginKind::Skill), tool("tool_1", OriginKind::Builtin)];
    let mut story = opened(Mode::Agent, tools.clone(), Vec::new());
    for (number, shown) in shown.into_iter().enumerate() {
        asked(&mut story, number + 1, Vec::new(), &tools[..usize::from(shown)]);
    }
    story.judged()
}

#[test]
fn the_skill_tool_may_be_core_where_every_request_shows_it() {
    let core = skill([true, true]);
    assert_eq!(seen(&core, "skill"), ["core"]);
    assert!(!broken(&core).contains(&"activation.not-before"));
    assert!(!broken(&core).contains(&"initial.minimal"));
    let deferred = skill([false, false]);
    assert_eq!(seen(&deferred, "skill"), ["deferred"]);
}

#[test]
fn a_skill_tool_that_is_shown_now_and_then_is_not_core() {
    assert!(broken(&skill([false, true])).contains(&"activation.not-before"));
}
