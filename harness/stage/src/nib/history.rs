//! The durable transcript of a session as a parent keeps it: rows in the sidecar's own form, and
//! the checkpoints among them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The rows of a session, oldest first, and what a checkpoint put in place of the older ones.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct History {
    /// Each has an `id` of its own.
    pub(super) rows: Vec<Value>,
    /// Each says by `throughMessageId` up to which row it reaches; the last one counts.
    pub(super) checkpoints: Vec<Value>,
}

impl History {
    /// Writes down what the user says; the id of the row.
    pub(super) fn user(&mut self, text: &str) -> String {
        let id = self.fresh_id("u");
        self.push(&id, "user", text);
        id
    }

    /// Writes down a row that is complete.
    pub(super) fn push(&mut self, id: &str, role: &str, text: &str) -> &mut Value {
        let row = json!({
            "id": id,
            "role": role,
            "content": text,
            "createdAt": self.time(),
            "status": "complete",
        });
        self.rows.push_mut(row)
    }

    /// Writes down what the model said, as the sidecar told it.
    pub(super) fn assistant(&mut self, message: &Value) {
        if message["role"] == "assistant" {
            self.rows.push(message.clone());
        }
    }

    /// Writes down what came of a call, as the sidecar told it.
    pub(super) fn tool(&mut self, call: &Call, event: &Value) {
        let failed = event["isError"] == true;
        let row = self.call(&call.id, &call.name, &call.arguments, status(failed), failed);
        row["toolResult"] = event["result"].clone();
    }

    /// Writes down a call without what came of it.
    pub(super) fn call(
        &mut self,
        id: &str,
        name: &str,
        arguments: &Value,
        status: &str,
        failed: bool,
    ) -> &mut Value {
        let row = self.push(id, "tool", "");
        row["toolCallId"] = id.into();
        row["toolName"] = name.into();
        row["toolArgs"] = arguments.clone();
        row["toolStatus"] = status.into();
        row["isError"] = failed.into();
        row
    }

    /// Writes down a checkpoint, as the sidecar gave it.
    pub(super) fn checkpoint(&mut self, compaction: Value) {
        self.checkpoints.push(compaction);
    }

    /// What the sidecar gets when it rebuilds the session.
    pub(super) fn session(&self) -> Value {
        if self.rows.is_empty() {
            return json!({"session": null});
        }
        let mut session = json!({"messages": self.rows});
        if let Some(checkpoint) = self.checkpoints.last() {
            session["compaction"] = checkpoint.clone();
        }
        json!({"session": session})
    }

    /// An id that no row has.
    pub(super) fn fresh_id(&self, kind: &str) -> String {
        format!("{kind}{}", self.rows.len() + self.checkpoints.len())
    }

    /// When the next row was written, as far as anybody can tell: rows have an order, and no
    /// clock has a part in it.
    pub(super) fn time(&self) -> String {
        let second = self.rows.len();
        let (hours, minutes) = (second / 3600 % 24, second / 60 % 60);
        format!("2026-01-01T{hours:02}:{minutes:02}:{:02}.000Z", second % 60)
    }
}

/// The word for how a call ended.
pub(super) fn status(failed: bool) -> &'static str {
    if failed { "error" } else { "success" }
}

/// A call that the sidecar said it begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: Value,
}
