//! What the tests of the stage share.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(target_os = "linux")]
pub mod child;
pub mod over_http;
#[cfg(target_os = "linux")]
pub mod sidecar;

use serde_json::Value;
use tacit_contract::ProviderKind;
use tacit_contract::runtime::HostCall;
use tacit_contract::session::{Bulk, Outcome};
use tacit_contract::trace::{Answered, RequestClass, Requested, Seen};
use tacit_contract::{
    Call, Mode, Origin, OriginKind, Profile, Query, Revision, Session, Step, ToolSpec, Trace,
};
use tacit_reference::{ReferenceOptions, ReferenceRuntime};
use tacit_stage::{Connector, InProcess, Settings, Stage};

/// A runtime without faults.
pub fn faultless() -> ReferenceRuntime {
    ReferenceRuntime::new(ReferenceOptions::faultless(Revision::R3))
}

/// A stage in process, for the default profile.
pub fn in_process() -> Stage<impl Connector<Runtime = ReferenceRuntime>> {
    Stage::new(InProcess::new(faultless).without_folders(), settings())
}

pub fn settings() -> Settings {
    Settings::new(Profile::named("nib-r3").unwrap())
}

/// Runs on one thread, as the harness does.
pub fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// The trace of a session of these steps.
pub fn played(steps: impl Into<Vec<Step>>) -> Trace {
    run(in_process().play(&session(steps))).unwrap()
}

/// A session with a few deferred tools.
pub fn session(steps: impl Into<Vec<Step>>) -> Session {
    let all = &Mode::ALL;
    Session {
        seed: 7,
        mode: Mode::Agent,
        tools: vec![
            ToolSpec::deferred("acme_weather", "tells the weather", Origin::plugin("acme"), all),
            ToolSpec::deferred("acme_mail", "sends a letter", Origin::plugin("acme"), all),
            ToolSpec::deferred(
                "BrowserPreview",
                "shows a page",
                Origin::of(OriginKind::Builtin),
                &[Mode::Agent],
            ),
        ],
        provider: ProviderKind::PLAINEST,
        bulk: Bulk::default(),
        steps: steps.into(),
    }
}

pub fn prompt(text: &str) -> Step {
    Step::Prompt { text: text.to_owned() }
}

pub fn answer(calls: impl Into<Vec<Call>>) -> Step {
    Step::Answer { calls: calls.into() }
}

pub fn search(text: &str) -> Call {
    Call::Search { query: Query::text(text) }
}

pub fn use_of(tool: &str) -> Call {
    using(tool, Outcome::Ok)
}

pub fn using(tool: &str, outcome: Outcome) -> Call {
    Call::Use { tool: tool.into(), outcome, says: None }
}

pub fn restart(process: bool, from_rows: bool) -> Step {
    Step::Restart { process, from_rows }
}

/// The requests of a trace, in order.
pub fn requests(trace: &Trace) -> Vec<&Requested> {
    trace
        .log
        .iter()
        .filter_map(|entry| match &entry.seen {
            Seen::Requested(requested) => Some(requested),
            _ => None,
        })
        .collect()
}

pub fn classes(trace: &Trace) -> Vec<RequestClass> {
    requests(trace).iter().map(|requested| requested.class).collect()
}

pub fn host_calls(trace: &Trace) -> Vec<(&HostCall, &tacit_contract::runtime::HostAnswer)> {
    trace
        .log
        .iter()
        .filter_map(|entry| match &entry.seen {
            Seen::HostCalled { call, answer } => Some((call, answer)),
            _ => None,
        })
        .collect()
}

/// The kinds of what was seen, in order, without the noise of rows.
pub fn kinds(trace: &Trace) -> Vec<String> {
    trace
        .log
        .iter()
        .filter(|entry| !matches!(entry.seen, Seen::Transcript { .. }))
        .map(|entry| match &entry.seen {
            Seen::Requested(requested) => match &requested.answer {
                Answered::Calls { calls, .. } => {
                    let names: Vec<&str> = calls.iter().map(|call| call.tool.as_str()).collect();
                    format!("requested: {}", names.join("+"))
                }
                Answered::Text => "requested: text".to_owned(),
                Answered::Failure { .. } => "requested: failure".to_owned(),
                Answered::Refused => "requested: refused".to_owned(),
                Answered::Withheld => "requested: withheld".to_owned(),
                Answered::NotFound => "requested: not found".to_owned(),
            },
            Seen::HostCalled { call, .. } => call.method.clone(),
            seen => name(&serde_json::to_value(seen).unwrap()),
        })
        .collect()
}

fn name(seen: &Value) -> String {
    seen["seen"].as_str().unwrap_or_default().to_owned()
}

/// The names of the tools that a request shows.
pub fn shown(requested: &Requested) -> Vec<String> {
    let view = tacit_wire::read(requested.api.unwrap(), requested.body.as_bytes()).unwrap();
    view.visible().map(|tool| tool.wire_name.clone()).collect()
}

/// The trace as text: two that are equal are the same in every byte.
pub fn bytes(trace: &Trace) -> String {
    serde_json::to_string(trace).unwrap()
}
