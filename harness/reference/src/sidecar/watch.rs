//! What a parent is told of a turn, and what it is asked: the ports of the runtime, which look at
//! its rows whenever it reaches out.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use serde_json::{Value, json};
use tacit_contract::runtime::{
    HostAnswer, HostCall, HostCore, HostStatus, PortError, PortFuture, Provider, ProviderRequest,
    ProviderResponse, Runtime,
};
use tacit_contract::{CallId, Row, SessionId, Status};

use super::Sidecar;

/// One session, watched for its parent.
pub(super) struct Watch {
    sidecar: Rc<Sidecar>,
    session: SessionId,
    provider: Rc<dyn Provider>,
    /// The turn that is on.
    turn: RefCell<Option<String>>,
    /// How many rows the parent knows of.
    told: Cell<usize>,
    /// The id of the last of them, as the parent has it.
    last: RefCell<Value>,
    /// What the model called, and which of it has begun.
    calls: RefCell<HashMap<CallId, Value>>,
    begun: RefCell<HashSet<CallId>>,
    messages: Cell<u32>,
    /// Whether the model is being asked.
    asking: Cell<bool>,
    /// Whether a checkpoint was made.
    checkpointed: Cell<bool>,
}

impl Watch {
    /// A session whose rows up to now came from the parent.
    pub(super) fn new(
        sidecar: Rc<Sidecar>,
        session: &str,
        provider: Rc<dyn Provider>,
        rows: usize,
        last: Value,
    ) -> Self {
        Self {
            sidecar,
            session: session.into(),
            provider,
            turn: RefCell::default(),
            told: Cell::new(rows),
            last: RefCell::new(last),
            calls: RefCell::default(),
            begun: RefCell::default(),
            messages: Cell::new(0),
            asking: Cell::new(false),
            checkpointed: Cell::new(false),
        }
    }

    /// A turn begins with a row that the parent wrote itself.
    pub(super) fn begin(&self, turn: &str, row: &Value) {
        *self.turn.borrow_mut() = Some(turn.to_owned());
        if !row.is_null() {
            *self.last.borrow_mut() = row.clone();
        }
        self.tell(json!({"type": "status", "status": "running"}));
        self.tell(json!({"type": "agent_start"}));
    }

    /// A turn ends; `error` is why it failed, if it did.
    pub(super) async fn end(&self, stopped: bool, error: Option<&str>) {
        let in_a_tool = !self.asking.get();
        self.catch_up().await;
        let error = error.map(|why| ("PROVIDER_ERROR", why));
        let stop = Some(("TURN_ABORTED", "the user stopped it")).filter(|_| stopped);
        if let Some((code, why)) = error.or(stop) {
            let error = json!({"code": code, "message": why, "retriable": false});
            if self.asking.get() {
                let status = if stopped { "aborted" } else { "error" };
                let mut message = self.message("", status);
                if !stopped {
                    message["error"] = error.clone();
                }
                self.tell(json!({"type": "message_end", "message": message}));
            }
            if !stopped || in_a_tool {
                self.tell(json!({"type": "error", "error": error}));
            }
        }
        self.asking.set(false);
        self.tell(json!({"type": "turn_end"}));
        self.tell(json!({"type": "agent_end", "messageIds": []}));
        *self.turn.borrow_mut() = None;
    }

    /// Tells the parent of every row that it does not know. Whether a checkpoint was among them.
    pub(super) async fn catch_up(&self) -> bool {
        self.checkpointed.set(false);
        let rows = self.sidecar.runtime.transcript(&self.session).await.unwrap_or_default();
        let known = self.told.replace(rows.len());
        for (place, row) in rows.iter().enumerate().skip(known) {
            match row {
                // The parent wrote the prompt down itself.
                Row::User { .. } => {}
                Row::Assistant { text, tool_calls } => {
                    let mut calls = self.calls.borrow_mut();
                    calls.extend(tool_calls.iter().map(|c| (c.id.clone(), c.arguments.clone())));
                    self.said(text.as_deref().unwrap_or_default());
                }
                Row::ToolResult { call_id, tool_name, .. } => {
                    self.starts(call_id, tool_name.as_str());
                    self.ended(row);
                }
                Row::Checkpoint { summary } => {
                    let kept = rows.get(place + 1);
                    self.checkpoint(summary, kept, place).await;
                }
            }
        }
        self.checkpointed.get()
    }

    fn tell(&self, event: Value) {
        if let Some(turn) = &*self.turn.borrow() {
            self.sidecar.parent.tell(self.session.as_str(), turn, event);
        }
    }

    fn message(&self, text: &str, status: &str) -> Value {
        let turn = self.turn.borrow().clone().unwrap_or_default();
        json!({
            "id": format!("{turn}-m{}", self.messages.get()),
            "role": "assistant",
            "content": text,
            "createdAt": "2026-01-01T00:00:00.000Z",
            "status": status,
        })
    }

    fn said(&self, text: &str) {
        let message = self.message(text, "complete");
        self.messages.set(self.messages.get() + 1);
        self.asking.set(false);
        *self.last.borrow_mut() = message["id"].clone();
        if !text.is_empty() {
            let sofar = self.message(text, "streaming");
            self.tell(json!({"type": "message_update", "message": sofar, "deltaText": text}));
        }
        self.tell(json!({"type": "message_end", "message": message}));
    }

    fn starts(&self, call: &CallId, tool: &str) {
        if self.begun.borrow_mut().insert(call.clone()) {
            let arguments = self.calls.borrow().get(call).cloned().unwrap_or_default();
            self.tell(json!({
                "type": "tool_start",
                "toolCallId": call,
                "toolName": self.sidecar.spelling.outside(tool),
                "args": arguments,
            }));
        }
    }

    fn ended(&self, row: &Row) {
        let Row::ToolResult { call_id, status, text, added_tool_names, .. } = row else { return };
        self.begun.borrow_mut().remove(call_id);
        *self.last.borrow_mut() = json!(call_id);
        let mut result = json!({"content": [{"type": "text", "text": text}], "details": {}});
        if let Some(names) = added_tool_names {
            let names: Vec<_> =
                names.iter().map(|name| self.sidecar.spelling.outside(name.as_str())).collect();
            result["addedToolNames"] = json!(names);
        }
        self.tell(json!({
            "type": "tool_end",
            "toolCallId": call_id,
            "result": result,
            "isError": *status != Status::Ok,
        }));
    }

    /// Has the parent keep a checkpoint; what the runtime says again behind it goes with it.
    async fn checkpoint(&self, summary: &str, kept: Option<&Row>, place: usize) {
        let tail: Vec<Value> = match kept {
            Some(Row::User { text }) => vec![json!({"role": "user", "content": text})],
            _ => Vec::new(),
        };
        let through = self.last.borrow().clone();
        let compaction = json!({
            "id": format!("k{place}"),
            "summary": summary,
            "firstKeptMessageId": null,
            "throughMessageId": through,
            "tokensBefore": 0,
            "createdAt": "2026-01-01T00:00:00.000Z",
            "retainedTail": tail,
            "details": {},
        });
        self.tell(json!({"type": "compaction_start", "reason": "manual"}));
        let params = json!({"sessionId": self.session, "compaction": compaction});
        let kept = self.sidecar.parent.ask("session.appendCompaction", params).await.is_ok();
        self.tell(json!({"type": "compaction_end", "reason": "manual", "ok": kept}));
        self.checkpointed.set(kept);
    }

    async fn execute(&self, call: HostCall) -> HostAnswer {
        let done = HostAnswer { status: HostStatus::Ok, text: String::new() };
        // The host of a sidecar asks and writes down by itself when it is told to execute.
        if matches!(call.method.as_str(), "tool.permission" | "tool.audit") {
            return done;
        }
        self.catch_up().await;
        let name = call.tool_name.as_ref().map_or("", |name| name.as_str());
        let mut params = json!({
            "sessionId": self.session,
            "turnId": *self.turn.borrow(),
            "toolCallId": call.call_id,
            "toolName": self.sidecar.spelling.outside(name),
            "args": call.arguments,
        });
        let asked = if call.method == "tool.execute" {
            if let Some(id) = &call.call_id {
                self.starts(id, name);
            }
            if name == "Bash" {
                params["timeoutMs"] = json!(call.timeout_ms);
            }
            self.sidecar.parent.ask("tools.execute", params).await
        } else {
            self.sidecar.parent.ask(&call.method, params).await
        };
        match asked {
            Ok(answer) => HostAnswer {
                status: match (answer["ok"].as_bool(), answer["denied"].as_bool()) {
                    (_, Some(true)) => HostStatus::Denied,
                    (Some(false), _) => HostStatus::Error,
                    _ => HostStatus::Ok,
                },
                text: match &answer["content"] {
                    Value::String(text) => text.clone(),
                    other => serde_json::to_string_pretty(other).unwrap_or_default(),
                },
            },
            Err(why) => HostAnswer { status: HostStatus::Error, text: why },
        }
    }
}

/// The ports of a session that is watched.
pub(super) struct Watched(pub(super) Rc<Watch>);

impl Provider for Watched {
    fn send(
        &self,
        mut request: ProviderRequest,
    ) -> PortFuture<'_, Result<ProviderResponse, PortError>> {
        Box::pin(async move {
            let Self(watch) = self;
            watch.catch_up().await;
            if !watch.asking.replace(true) {
                if watch.messages.get() > 0 {
                    watch.tell(json!({"type": "turn_end"}));
                }
                watch.tell(json!({"type": "turn_start"}));
                let message = watch.message("", "streaming");
                watch.tell(json!({"type": "message_start", "message": message}));
            }
            let spelling = watch.sidecar.spelling;
            request.body = spelling.request(request.body);
            let mut response = watch.provider.send(request).await?;
            response.body = spelling.answer(response.body);
            Ok(response)
        })
    }
}

impl HostCore for Watched {
    fn call(&self, call: HostCall) -> PortFuture<'_, Result<HostAnswer, PortError>> {
        Box::pin(async move { Ok(self.0.execute(call).await) })
    }
}
