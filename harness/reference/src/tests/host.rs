//! The way to the host, and stopping on it.

use serde_json::json;
use tacit_contract::protocol::Stop;
use tacit_contract::runtime::Runtime;
use tacit_contract::{Row, Status};

use super::{Next, Play, core_and, search, using, wait};

#[test]
fn every_tool_goes_the_same_way_to_the_host_and_a_search_never_goes() {
    let play = Play::new();
    play.prompt(
        "a",
        vec![
            Next::Calls(vec![("c1", "Read", json!({"path": "a"})), search("c2", "Skill")]),
            Next::Calls(vec![using("c3", "Skill")]),
        ],
    );
    let calls = play.world.host_calls.borrow();
    let way = |tool: &str| {
        let mine = calls.iter().filter(|call| *call.tool_name.as_ref().unwrap() == *tool);
        mine.map(|call| (call.method.clone(), call.timeout_ms, call.workspace.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(way("Read"), way("Skill"));
    let methods: Vec<_> = way("Skill").into_iter().map(|step| step.0).collect();
    assert_eq!(methods, ["tool.permission", "tool.execute", "tool.audit"]);
    assert!(way("ToolSearch").is_empty());
}

#[test]
fn what_the_host_denies_is_not_run_and_is_no_evidence() {
    let play = Play::new();
    play.world.denies.set(true);
    let end = play.prompt(
        "a",
        vec![Next::Calls(vec![search("c1", "Skill")]), Next::Calls(vec![using("c2", "Skill")])],
    );
    assert_eq!(end.activity.unwrap()[1].status, "error");
    let calls = play.world.host_calls.borrow();
    assert!(calls.iter().all(|call| call.method != "tool.execute"));
    assert_eq!(calls.last().unwrap().method, "tool.audit");
}

#[test]
fn arguments_that_lack_something_never_reach_the_host() {
    let play = Play::new();
    let calls = vec![("c1", "Read", json!({})), ("c2", "Read", json!([1]))];
    let end = play.prompt("a", vec![Next::Calls(calls)]);
    assert!(end.activity.unwrap().iter().all(|row| row.status == "error"));
    assert!(play.world.host_calls.borrow().is_empty());
}

#[test]
fn stopping_a_prompt_leaves_a_whole_transcript() {
    let play = Play::new();
    play.world.host_hangs.set(true);
    play.script(vec![
        Next::Calls(vec![search("c1", "acme_weather")]),
        Next::Calls(vec![
            search("c2", "acme_tickets"),
            using("c3", "acme_weather"),
            search("c4", "Skill"),
        ]),
    ]);
    let end = wait(async {
        let id = "s".into();
        let (end, ()) = tokio::join!(play.runtime.prompt(&id, "a"), async {
            while play.world.host_calls.borrow().is_empty() {
                tokio::task::yield_now().await;
            }
            play.runtime.abort(&"s".into()).await.unwrap();
        });
        end.unwrap()
    });
    assert_eq!(end.stop, Stop::Aborted);
    let statuses: Vec<_> = play
        .rows()
        .into_iter()
        .filter_map(|row| match row {
            Row::ToolResult { status, .. } => Some(status),
            _ => None,
        })
        .collect();
    assert_eq!(statuses, [Status::Ok, Status::Ok, Status::Interrupted, Status::Interrupted]);
    play.prompt("b", vec![]);
    assert_eq!(play.world.last_tools(), core_and(&["acme_weather", "acme_tickets"]));
}

#[test]
fn stopping_a_prompt_that_waits_for_the_provider_ends_it() {
    let play = Play::new();
    play.script(vec![Next::Hangs]);
    let end = wait(async {
        let id = "s".into();
        let (end, ()) = tokio::join!(play.runtime.prompt(&id, "a"), async {
            let busy = play.runtime.save(&"s".into()).await;
            assert_eq!(busy, Err(tacit_contract::runtime::RuntimeError::Busy));
            play.runtime.abort(&"s".into()).await.unwrap();
        });
        end.unwrap()
    });
    assert_eq!(end.stop, Stop::Aborted);
    assert_eq!(play.prompt("b", vec![]).stop, Stop::End);
}
