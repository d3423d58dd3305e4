//! The parent's desk: what the sidecar says by itself is dealt with while somebody waits for it.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::Future;
use std::pin::pin;

use futures::future::LocalBoxFuture;
use futures::stream::{FuturesUnordered, StreamExt};
use serde_json::{Value, json};
use tacit_contract::SessionId;
use tacit_contract::protocol::{ErrorAnswer, code};
use tacit_contract::runtime::{HostAnswer, HostCall, HostStatus, PortError, Ports};
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedReceiver;

use super::session::Session;
use super::words::{self, FAILED, host, says};
use crate::child::{Client, Incoming};

/// The method under which the contract knows the execution of a tool.
const EXECUTE: &str = "tool.execute";

/// What is known of each session, and what comes in for them.
pub(super) struct Desk {
    sessions: RefCell<HashMap<SessionId, Session>>,
    /// Taken by the one who deals with it.
    incoming: RefCell<Option<UnboundedReceiver<Incoming>>>,
    /// Whether nothing more can come in.
    deaf: Cell<bool>,
    /// Rings when something has come in.
    bell: Notify,
}

/// The place at the desk, which is free again once this goes.
struct Seat<'a> {
    desk: &'a Desk,
    incoming: Option<UnboundedReceiver<Incoming>>,
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        *self.desk.incoming.borrow_mut() = self.incoming.take();
    }
}

impl Seat<'_> {
    async fn next(&mut self) -> Option<Incoming> {
        match &mut self.incoming {
            Some(incoming) => incoming.recv().await,
            None => None,
        }
    }
}

impl Desk {
    pub(super) fn new(incoming: UnboundedReceiver<Incoming>) -> Self {
        Self {
            sessions: RefCell::default(),
            incoming: RefCell::new(Some(incoming)),
            deaf: Cell::new(false),
            bell: Notify::new(),
        }
    }

    /// Takes a session in, in place of one of the same id.
    pub(super) fn put(&self, session: Session) {
        self.sessions.borrow_mut().insert(session.id.clone(), session);
    }

    /// Lets a session go.
    pub(super) fn remove(&self, id: &SessionId) {
        self.sessions.borrow_mut().remove(id);
    }

    /// Does something with a session; `None` where there is none of that id.
    pub(super) fn with<T>(&self, id: &SessionId, f: impl FnOnce(&mut Session) -> T) -> Option<T> {
        self.sessions.borrow_mut().get_mut(id).map(f)
    }

    /// Waits until something has come in; whether anything more can.
    pub(super) async fn news(&self) -> bool {
        if self.deaf.get() {
            return false;
        }
        self.bell.notified().await;
        true
    }

    /// Does what is to be done, and deals meanwhile with what comes in, unless another does so
    /// already. What has come in is dealt with first: it was said before.
    pub(super) async fn attended<T>(&self, client: &Client, work: impl Future<Output = T>) -> T {
        let incoming = self.incoming.borrow_mut().take();
        if incoming.is_none() {
            return work.await;
        }
        let mut seat = Seat { desk: self, incoming };
        let mut work = pin!(work);
        let mut waiting = FuturesUnordered::new();
        loop {
            tokio::select! {
                biased;
                incoming = seat.next(), if !self.deaf.get() => {
                    match incoming {
                        Some(incoming) => waiting.extend(self.hear(client, incoming)),
                        None => self.deaf.set(true),
                    }
                    self.bell.notify_one();
                }
                Some(()) = waiting.next() => {}
                done = &mut work => return done,
            }
        }
    }

    /// Deals with what came in; what cannot be done at once comes back.
    fn hear<'a>(&self, client: &'a Client, incoming: Incoming) -> Option<LocalBoxFuture<'a, ()>> {
        let Incoming { id, method, params } = incoming;
        match (id, method.as_str()) {
            (Some(id), says::HOST) => self.asked(client, id, params),
            (None, says::EVENT) => {
                self.told(&params);
                None
            }
            (Some(id), method) => {
                client.answer(&id, Err(unknown(method)));
                None
            }
            // What else it tells nobody has asked for.
            (None, _) => None,
        }
    }

    fn told(&self, params: &Value) {
        let session = session_id(&params["sessionId"]);
        self.with(&session, |session| session.happened(&params["turnId"], &params["event"]));
    }

    fn asked<'a>(
        &self,
        client: &'a Client,
        id: Value,
        mut asked: Value,
    ) -> Option<LocalBoxFuture<'a, ()>> {
        let method = asked["method"].as_str().unwrap_or_default().to_owned();
        let params = asked["params"].take();
        let whose = if method == host::GET { &params["id"] } else { &params["sessionId"] };
        let session = session_id(whose);
        let Some(ports) = self.with(&session, |session| session.ports.clone()) else {
            client.answer(&id, Err(failed(&format!("there is no session `{session}`"))));
            return None;
        };
        match method.as_str() {
            host::GET => {
                let got = self.with(&session, |session| session.history.session());
                client.answer(&id, Ok(got.unwrap_or_default()));
                None
            }
            host::APPEND_COMPACTION => {
                let compaction = params["compaction"].clone();
                self.with(&session, |session| session.history.checkpoint(compaction));
                client.answer(&id, Ok(json!({"ok": true})));
                None
            }
            host::EXECUTE => {
                let call = host_call(session, EXECUTE.to_owned(), &params);
                Some(Box::pin(async move {
                    client.answer(&id, outcome(ports.host.call(call).await));
                }))
            }
            _ => {
                let answer = words::housekeeping(&method);
                client.answer(&id, answer.ok_or_else(|| unknown(&method)));
                Some(note(ports, host_call(session, method, &params)))
            }
        }
    }
}

/// Has the host see a call that it has no say in.
fn note(ports: Ports, call: HostCall) -> LocalBoxFuture<'static, ()> {
    Box::pin(async move {
        // It was answered already.
        let _ = ports.host.call(call).await;
    })
}

fn host_call(session_id: SessionId, method: String, params: &Value) -> HostCall {
    let text = |name: &str| params[name].as_str();
    HostCall {
        session_id,
        method,
        call_id: text("toolCallId").map(Into::into),
        tool_name: text("toolName").map(Into::into),
        arguments: params.get("args").cloned(),
        timeout_ms: params["timeoutMs"].as_u64(),
        workspace: None,
    }
}

/// The host's answer in the words of the sidecar.
fn outcome(answer: Result<HostAnswer, PortError>) -> Result<Value, ErrorAnswer> {
    let HostAnswer { status, text } = answer.map_err(|error| failed(&error.to_string()))?;
    Ok(match status {
        HostStatus::Ok => json!({"ok": true, "content": text}),
        HostStatus::Error => json!({"ok": false, "content": text, "errorCode": "TOOL_FAILED"}),
        HostStatus::Denied => json!({"ok": false, "denied": true, "content": text}),
    })
}

fn session_id(value: &Value) -> SessionId {
    SessionId::from(value.as_str().unwrap_or_default())
}

fn unknown(method: &str) -> ErrorAnswer {
    ErrorAnswer {
        code: code::UNKNOWN_METHOD,
        message: format!("this parent has no method `{method}`"),
        data: None,
    }
}

fn failed(message: &str) -> ErrorAnswer {
    let data = Some(json!({"errorCode": "INTERNAL"}));
    ErrorAnswer { code: FAILED, message: message.to_owned(), data }
}
