//! What the faults of the provider's side do, as their sentences say.

use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_contract::{Mode, ProviderKind, Revision};

use super::model::{self, Shown};
use super::{Next, Play, core, core_and, search, using};
use crate::ReferenceOptions;
use crate::switches::Switches;

fn with(fault: &str) -> ReferenceOptions {
    let switches = Switches::parse([fault]).unwrap();
    ReferenceOptions { revision: Revision::R3, switches }
}

fn play(fault: &str, kind: ProviderKind) -> Play {
    Play::of(with(fault), Mode::Agent).with(kind)
}

/// The last request of a session in which a search stood beside another call.
fn body(fault: &str, kind: ProviderKind) -> Value {
    let play = play(fault, kind);
    let calls = vec![search("c1", "Skill"), ("c2", "Read", json!({"path": "a"}))];
    play.prompt("a", vec![Next::Calls(calls)]);
    play.world.requests.borrow().last().unwrap().clone()
}

fn shown(fault: &str, api: Api) -> Shown {
    model::shown(&body(fault, ProviderKind::native(api)))
}

/// The types of what stands in a list.
fn types(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item["type"].as_str().unwrap_or("")).collect()
}

#[test]
fn a_strict_provider_takes_the_same_session_without_faults() {
    for api in Api::ALL {
        let play = Play::over(ProviderKind::native(api));
        let calls = vec![search("c1", "Skill"), ("c2", "Read", json!({"path": "a"}))];
        play.prompt("a", vec![Next::Calls(calls)]);
        assert_eq!(play.world.last_shown().loaded.len(), 1);
    }
}

#[test]
fn native_in_both() {
    for api in Api::ALL {
        let shown = shown("native-in-both", api);
        assert_eq!(shown.listed, core_and(&["Skill"]));
        assert_eq!(shown.loaded.len(), 1);
    }
}

#[test]
fn native_in_neither() {
    for api in Api::ALL {
        let body = body("native-in-neither", ProviderKind::native(api));
        let shown = model::shown(&body);
        assert!(shown.loaded.is_empty());
        assert_eq!(shown.declared.contains("Skill"), api != Api::OpenaiChat);
        let loads = types(&body["tools"]).contains(&"tool_search");
        assert_eq!(loads, api == Api::OpenaiResponses);
    }
}

#[test]
fn load_points_move() {
    for api in Api::ALL {
        let mut play = play("load-points-move", ProviderKind::native(api));
        play.prompt(
            "a",
            vec![Next::Calls(vec![search("c1", "Skill")]), Next::Calls(vec![using("c2", "Skill")])],
        );
        let point = |play: &Play| play.world.last_shown().loaded[0].0.clone();
        assert_eq!(point(&play), "c1");
        play.restart(with("load-points-move"));
        for _ in 0..2 {
            play.prompt("b", vec![Next::Calls(vec![search("c3", "acme_weather")])]);
            assert_eq!(point(&play), "c2");
        }
        assert_eq!(play.world.last_shown().loaded[1].0, "c3");
    }
}

#[test]
fn native_pair_broken() {
    let [chat, responses, messages] =
        Api::ALL.map(|api| body("native-pair-broken", ProviderKind::native(api)));
    for body in [&chat, &responses] {
        assert_eq!(body["tools"].as_array().unwrap().last().unwrap()["defer_loading"], true);
        assert!(model::shown(body).loaded.is_empty());
    }
    assert!(!types(&responses["tools"]).contains(&"tool_search"));
    let shown = model::shown(&messages);
    assert_eq!((shown.loaded.len(), shown.definitions.get("Skill")), (1, None));
}

#[test]
fn cache_breakpoint_on_deferred() {
    let body = body("cache-breakpoint-on-deferred", ProviderKind::native(Api::AnthropicMessages));
    let tools = body["tools"].as_array().unwrap();
    let marked: Vec<_> = tools.iter().filter(|tool| tool.get("cache_control").is_some()).collect();
    assert_eq!(marked.len(), 1);
    assert_eq!((&marked[0]["name"], &marked[0]["defer_loading"]), (&json!("Skill"), &json!(true)));
}

#[test]
fn replay_loses_namespace() {
    let fault = "replay-loses-namespace";
    let responses = body(fault, ProviderKind::native(Api::OpenaiResponses));
    let output = responses["input"].as_array().unwrap().last().unwrap();
    assert_eq!(output["type"], "tool_search_output");
    assert!(output.get("call_id").is_none() && output.get("execution").is_none());
    let messages = body(fault, ProviderKind::native(Api::AnthropicMessages));
    let result = &messages["messages"][2]["content"][0];
    assert_eq!(result["content"], json!([{"type": "tool_reference"}]));
}

#[test]
fn mixed_batch_pairing() {
    let [chat, responses, messages] =
        Api::ALL.map(|api| body("mixed-batch-pairing", ProviderKind::native(api)));
    let roles: Vec<_> = chat["messages"].as_array().unwrap().iter().map(|m| &m["role"]).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "system", "tool"]);
    let last = types(&responses["input"]).split_off(3);
    let outputs = ["function_call_output", "function_call_output"];
    assert_eq!(last, [&outputs[..], &["tool_search_output", "tool_search_call"]].concat());
    let blocks = types(&messages["messages"][2]["content"]);
    assert_eq!(blocks, ["tool_result", "text", "tool_result"]);
}

#[test]
fn own_member_leaks() {
    for kind in super::kinds() {
        let text = body("own-member-leaks", kind).to_string();
        assert_eq!(text.matches("\"addedToolNames\":[\"Skill\"]").count(), 1, "{kind}");
    }
}

/// What is shown after a change of provider.
fn after_switch(fault: &str, from: ProviderKind, to: ProviderKind) -> (Value, Shown) {
    let mut play = play(fault, from);
    play.prompt("a", vec![Next::Calls(vec![search("c1", "Skill")])]);
    play.switch(to);
    play.restart(with(fault));
    play.prompt("b", vec![]);
    let body = play.world.requests.borrow().last().unwrap().clone();
    let shown = model::shown(&body);
    (body, shown)
}

#[test]
fn provider_switch_drops() {
    for from in super::kinds() {
        for to in super::kinds() {
            let names = after_switch("provider-switch-drops", from, to).1;
            assert_eq!(names.names().contains("Skill"), from == to, "{from} to {to}");
        }
    }
}

#[test]
fn fallback_carries_native_loader() {
    let fault = "fallback-carries-native-loader";
    for from in super::kinds() {
        for api in Api::ALL {
            let (body, shown) = after_switch(fault, from, ProviderKind::plain(api));
            let carried = match api {
                Api::OpenaiChat => !shown.loaded.is_empty(),
                Api::OpenaiResponses => types(&body["tools"]).contains(&"tool_search"),
                Api::AnthropicMessages => {
                    types(&body["tools"]).contains(&"tool_search_tool_bm25_20251119")
                }
            };
            assert_eq!(carried, from.native, "{from} to {}", api.as_str());
            assert!(shown.names().contains("Skill") && shown.names().contains("ToolSearch"));
        }
    }
}

#[test]
fn one_api_leaves_active_out() {
    for kind in super::kinds() {
        let names = model::shown(&body("one-api-leaves-active-out", kind));
        assert_eq!(names.names().contains("Skill"), kind.api != Api::OpenaiResponses, "{kind}");
    }
}

#[test]
fn native_retry_loads_nothing_and_retry_drops_activation() {
    for (fault, plain) in [("native-retry-loads-nothing", true), ("retry-drops-activation", false)]
    {
        for kind in super::kinds() {
            let play = play(fault, kind);
            play.prompt("a", vec![Next::Calls(vec![search("c1", "Skill")]), Next::Fails(500)]);
            let kept = play.world.last_shown().names().contains("Skill");
            assert_eq!(kept, plain && !kind.native, "{fault} over {kind}");
            assert!(play.world.shown()[1].names().contains("Skill"));
        }
    }
}

#[test]
fn native_when_off() {
    for api in Api::ALL {
        let shown = model::shown(&body("native-when-off", ProviderKind::plain(api)));
        assert_eq!((shown.listed, shown.loaded.len()), (core(), 1));
    }
}
