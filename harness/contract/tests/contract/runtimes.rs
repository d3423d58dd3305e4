//! What a runtime does without saying so, and what its errors mean.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use serde_json::{Value, json};
use tacit_contract::protocol::{CoreTools, Description, Opening, PromptEnd, request};
use tacit_contract::runtime::{HostCall, Ports, Runtime, RuntimeError};
use tacit_contract::{Mode, SessionId};

use crate::some::runtime;

/// A runtime that has what it must have and nothing else.
struct Least(Description);

impl Runtime for Least {
    fn describe(&self) -> &Description {
        &self.0
    }

    async fn open(&self, _: Opening, _: Ports) -> Result<(), RuntimeError> {
        Err(RuntimeError::Busy)
    }

    async fn prompt(&self, _: &SessionId, _: &str) -> Result<PromptEnd, RuntimeError> {
        Err(RuntimeError::Busy)
    }

    async fn save(&self, _: &SessionId) -> Result<Value, RuntimeError> {
        Err(RuntimeError::Busy)
    }

    async fn close(&self, _: &SessionId) -> Result<(), RuntimeError> {
        Err(RuntimeError::Busy)
    }
}

fn lacking<T>(answer: impl Future<Output = Result<T, RuntimeError>>) -> String {
    let answer = pin!(answer);
    match answer.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(Err(RuntimeError::Unsupported { what })) => what,
        _ => "nothing".to_owned(),
    }
}

#[test]
fn an_operation_that_a_runtime_does_not_have_is_unsupported_under_its_name() {
    let (it, session) = (Least(runtime(CoreTools::Own)), SessionId::from("session-1"));
    assert_eq!(lacking(it.transcript(&session)), "transcript");
    assert_eq!(lacking(it.abort(&session)), "abort");
    assert_eq!(lacking(it.set_mode(&session, Mode::Chat)), "setMode");
    assert_eq!(lacking(it.set_tools(&session, Vec::new())), "setTools");
    assert_eq!(lacking(it.compact(&session)), "compact");
}

#[test]
fn a_runtime_that_is_gone_is_told_from_one_that_declines() {
    let crashed = |log: &str| RuntimeError::Crashed {
        during: "session/prompt".to_owned(),
        status: "exit status: 1".to_owned(),
        log: log.to_owned(),
    };
    assert!(crashed("").is_fatal());
    assert!(!RuntimeError::Busy.is_fatal());
    assert!(!RuntimeError::unsupported("compact").is_fatal());
    assert!(crashed("out of memory").to_string().ends_with("; its log ends: out of memory"));
    assert!(!crashed("").to_string().contains("its log ends"));
}

#[test]
fn a_failure_can_be_told_apart_from_the_log_that_explains_it() {
    let crashed = |log: &str| RuntimeError::Crashed {
        during: "session/prompt".to_owned(),
        status: "exit status: 1".to_owned(),
        log: log.to_owned(),
    };
    let plain = crashed("").to_string();
    assert_eq!(crashed("out of memory").cause_and_log(), (plain.clone(), "out of memory"));
    assert_eq!(crashed("").cause_and_log(), (plain, ""));
    let busy = RuntimeError::Busy;
    assert_eq!(busy.cause_and_log(), (busy.to_string(), ""));
}

#[test]
fn calls_of_the_tool_family_are_the_contract_s() {
    let call = |method: &str| HostCall {
        method: method.to_owned(),
        session_id: "session-1".into(),
        call_id: None,
        tool_name: None,
        arguments: None,
        timeout_ms: None,
        workspace: None,
    };
    assert!(call("tool.execute").is_tool_call());
    assert!(!call("session.memory").is_tool_call());
}

#[test]
fn a_request_line_is_json_rpc() {
    let line = request(3, "session/close", &json!({"sessionId": "session-1"}));
    let expected = json!({
        "jsonrpc": "2.0",
        "id": 3,
        "method": "session/close",
        "params": {"sessionId": "session-1"},
    });
    assert_eq!(line, expected);
}
