//! Load points: where a provider that loads tools is sent them.

use tacit_contract::protocol::Api;
use tacit_contract::runtime::Runtime;
use tacit_contract::{Mode, ProviderKind, Revision, Row, Status};

use super::restoration::turn;
use super::{Next, Play, core, core_and, search, using, wait};
use crate::ReferenceOptions;

fn native() -> [ProviderKind; 3] {
    Api::ALL.map(ProviderKind::native)
}

/// What was loaded in the last request, as `call tool`.
fn loaded(play: &Play) -> Vec<String> {
    let loaded = play.world.last_shown().loaded;
    loaded.into_iter().map(|(call, name)| format!("{call} {name}")).collect()
}

#[test]
fn what_a_search_finds_is_loaded_behind_its_result_and_stays_there() {
    for kind in native() {
        let mut play = Play::over(kind);
        play.prompt(
            "a",
            vec![
                Next::Calls(vec![search("c1", "Skill")]),
                Next::Calls(vec![using("c2", "Skill")]),
                Next::Calls(vec![search("c3", "acme_weather")]),
            ],
        );
        let shown = play.world.shown();
        assert!(shown[0].loaded.is_empty());
        assert!(shown.iter().all(|shown| shown.listed == core()), "{kind}");
        assert_eq!(loaded(&play), ["c1 Skill", "c3 acme_weather"]);
        play.prompt("b", vec![]);
        assert_eq!(loaded(&play), ["c1 Skill", "c3 acme_weather"]);
        let before = play.world.requests.borrow().last().unwrap().clone();
        play.restart(ReferenceOptions::faultless(Revision::R3));
        play.prompt("c", vec![]);
        let rows = play.rows();
        play.seed(rows);
        play.prompt("d", vec![]);
        for request in play.world.requests.borrow().iter().rev().take(2) {
            let said = if kind.api == Api::OpenaiResponses { "input" } else { "messages" };
            let before = before[said].as_array().unwrap();
            assert_eq!(request[said].as_array().unwrap()[..before.len()], before[..], "{kind}");
            assert_eq!(request["tools"], play.world.requests.borrow()[3]["tools"]);
        }
    }
}

#[test]
fn what_two_searches_of_a_batch_find_is_loaded_behind_all_its_results() {
    for kind in native() {
        let play = Play::over(kind);
        let calls = vec![search("c1", "Skill"), search("c2", "acme_weather"), using("c3", "Skill")];
        play.prompt("a", vec![Next::Calls(calls)]);
        let expected = match kind.api {
            Api::OpenaiChat => ["c3 Skill", "c3 acme_weather"],
            Api::OpenaiResponses | Api::AnthropicMessages => ["c1 Skill", "c2 acme_weather"],
        };
        assert_eq!(loaded(&play), expected, "{kind}");
    }
}

#[test]
fn what_is_active_by_its_use_alone_stands_in_the_list() {
    let ok = Some(Status::Ok);
    for kind in native() {
        let mut play = Play::over(kind);
        play.seed(turn("acme_weather", ok, &[]));
        play.prompt("go on", vec![Next::Calls(vec![search("c1", "Skill")])]);
        assert_eq!(play.world.last_shown().listed, core_and(&["acme_weather"]));
        assert_eq!(loaded(&play), ["c1 Skill"]);
    }
}

#[test]
fn the_first_marker_that_stands_counts() {
    let named = |id: &str, status, marker: &[&str]| -> Vec<Row> {
        let mut rows = turn("ToolSearch", Some(status), marker);
        for row in &mut rows {
            match row {
                Row::Assistant { tool_calls, .. } => tool_calls[0].id = id.into(),
                Row::ToolResult { call_id, .. } => *call_id = id.into(),
                Row::User { .. } | Row::Checkpoint { .. } => {}
            }
        }
        rows
    };
    let rows = [
        named("c1", Status::Error, &["Skill"]),
        named("c2", Status::Ok, &["Read", "Skill", "nobody"]),
        turn("Skill", Some(Status::Ok), &["acme_tickets"]),
        named("c3", Status::Ok, &["Skill", "acme_weather"]),
    ]
    .concat();
    for kind in native() {
        let mut play = Play::over(kind);
        play.seed(rows.clone());
        play.prompt("go on", vec![]);
        assert_eq!(loaded(&play), ["c2 Skill", "c3 acme_weather"], "{kind}");
        assert_eq!(play.world.last_shown().listed, core());
    }
}

#[test]
fn what_outlives_its_marker_in_a_new_context_goes_to_the_list() {
    for kind in native() {
        let play = Play::over(kind);
        let summary = serde_json::json!({"summary": "short"});
        play.prompt(
            "a",
            vec![
                Next::Calls(vec![search("c1", "Skill")]),
                Next::Calls(vec![("c2", "new_context", summary)]),
            ],
        );
        assert_eq!(play.world.last_shown().listed, core_and(&["Skill"]), "{kind}");
        assert!(loaded(&play).is_empty());
    }
}

#[test]
fn what_a_mode_forbids_is_loaded_no_more_until_the_mode_allows_it() {
    for kind in native() {
        let play = Play::over(kind);
        play.prompt("a", vec![Next::Calls(vec![search("c1", "PluginPack")])]);
        for (mode, expected) in [(Mode::Chat, vec![]), (Mode::Agent, vec!["c1 PluginPack"])] {
            wait(play.runtime.set_mode(&"s".into(), mode)).unwrap();
            play.prompt("b", vec![]);
            assert_eq!(loaded(&play), expected, "{kind}");
        }
    }
}

#[test]
fn the_first_revision_loads_behind_the_search_of_the_running_prompt() {
    for kind in native() {
        let play = Play::of(ReferenceOptions::faultless(Revision::R1), Mode::Agent).with(kind);
        play.prompt("a", vec![Next::Calls(vec![search("c1", "Skill")])]);
        play.prompt("b", vec![Next::Calls(vec![search("c2", "Skill")])]);
        let shown = play.world.shown();
        assert!(shown[2].loaded.is_empty());
        assert_eq!(loaded(&play), ["c2 Skill"], "{kind}");
    }
}
