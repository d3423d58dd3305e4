//! Transcripts: the session file of pi and the rows of Nib's sidecar, in the words of the contract.
//!
//! Texts are left out but for prompts: what is asked of a transcript is what its calls prove.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;
use tacit_contract::{CallId, Row, Status, ToolCall, ToolName};

use crate::error::RecordingError;
use crate::read::Source;

/// The rows of a transcript, as far as it has been read.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    entries: Vec<Entry>,
    by_id: HashMap<String, usize>,
}

#[derive(Debug)]
struct Entry {
    id: Option<String>,
    parent: Option<String>,
    rows: Vec<Row>,
    /// The first entry that a compaction leaves in the context.
    kept_from: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PiEntry {
    r#type: String,
    id: Option<String>,
    parent_id: Option<String>,
    message: Option<PiMessage>,
    first_kept_entry_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PiMessage {
    role: String,
    #[serde(default)]
    content: Value,
    tool_call_id: Option<CallId>,
    tool_name: Option<ToolName>,
    #[serde(default)]
    is_error: bool,
    added_tool_names: Option<Vec<ToolName>>,
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NibRow {
    id: Option<String>,
    role: Option<String>,
    #[serde(default)]
    content: Value,
    tool_call_id: Option<CallId>,
    /// The call of an agent below, whose rows are none of this conversation's.
    parent_tool_call_id: Option<CallId>,
    tool_name: Option<ToolName>,
    tool_args: Option<Value>,
    tool_status: Option<String>,
    tool_result: Option<Value>,
    is_error: Option<bool>,
    through_message_id: Option<String>,
}

impl Rows {
    fn push(&mut self, entry: Entry) {
        if let Some(id) = &entry.id {
            self.by_id.insert(id.clone(), self.entries.len());
        }
        self.entries.push(entry);
    }

    /// Takes in an entry of a session file of pi.
    pub(crate) fn pi(
        &mut self,
        source: &Source<'_>,
        place: &str,
        value: Value,
    ) -> Result<(), RecordingError> {
        let entry: PiEntry = source.typed(place, value)?;
        if entry.r#type == "session" {
            return Ok(());
        }
        let (id, parent) = (entry.id, entry.parent_id);
        let rows = entry.message.map(of_pi).unwrap_or_default();
        let kept_from = entry.first_kept_entry_id.filter(|_| entry.r#type == "compaction");
        self.push(Entry { id, parent, rows, kept_from });
        Ok(())
    }

    /// Takes in a row of Nib's sidecar, or a checkpoint.
    pub(crate) fn nib(
        &mut self,
        source: &Source<'_>,
        place: &str,
        value: Value,
    ) -> Result<(), RecordingError> {
        let row: NibRow = source.typed(place, value)?;
        let parent = self.entries.last().and_then(|entry| entry.id.clone());
        if let Some(through) = row.through_message_id {
            // What comes after the message stays.
            let at = self.by_id.get(&through).copied().unwrap_or(self.entries.len());
            let after = self.entries.get(at + 1).and_then(|entry| entry.id.clone());
            let id = Some(format!("checkpoint {}", self.entries.len()));
            self.push(Entry { id, parent, rows: Vec::new(), kept_from: after.or(Some(through)) });
            return Ok(());
        }
        let id = row.id.clone().or_else(|| Some(format!("row {}", self.entries.len())));
        let rows = of_nib(row);
        self.push(Entry { id, parent, rows, kept_from: None });
        Ok(())
    }

    /// The rows that a next prompt would find: those on the way to the last entry, less what a
    /// compaction has taken.
    pub(crate) fn in_effect(mut self) -> Vec<Row> {
        let mut way = Vec::new();
        let mut at = self.entries.len().checked_sub(1);
        while let Some(place) = at {
            way.push(place);
            let parent = self.entries[place].parent.as_ref();
            // An entry stands behind its parent, so that a circle has an end.
            at = parent.and_then(|id| self.by_id.get(id)).copied().filter(|at| *at < place);
        }
        way.reverse();
        let compaction = way.iter().rposition(|place| self.entries[*place].kept_from.is_some());
        let first = compaction.map_or(0, |compaction| {
            let kept = self.entries[way[compaction]].kept_from.as_ref();
            let kept = kept.and_then(|id| self.by_id.get(id));
            kept.and_then(|kept| way.iter().position(|place| place == kept)).unwrap_or(compaction)
        });
        way[first..]
            .iter()
            .flat_map(|place| std::mem::take(&mut self.entries[*place].rows))
            .collect()
    }
}

fn of_pi(message: PiMessage) -> Vec<Row> {
    match message.role.as_str() {
        "user" => vec![Row::User { text: String::new() }],
        // What broke off was never sent again.
        "assistant" if matches!(message.stop_reason.as_deref(), Some("error" | "aborted")) => {
            Vec::new()
        }
        "assistant" => {
            let blocks = message.content.as_array().into_iter().flatten();
            let calls = blocks.filter(|block| block["type"] == "toolCall").filter_map(|block| {
                Some(ToolCall {
                    id: block["id"].as_str()?.into(),
                    name: block["name"].as_str()?.into(),
                    arguments: block["arguments"].clone(),
                })
            });
            vec![Row::Assistant { text: None, tool_calls: calls.collect() }]
        }
        "toolResult" => {
            let (Some(call_id), Some(tool_name)) = (message.tool_call_id, message.tool_name) else {
                return Vec::new();
            };
            vec![Row::ToolResult {
                call_id,
                tool_name,
                status: if message.is_error { Status::Error } else { Status::Ok },
                text: String::new(),
                added_tool_names: message.added_tool_names,
            }]
        }
        _ => Vec::new(),
    }
}

/// A tool's row is a call and its result in one. The sidecar leaves out one that does not say whose
/// it is.
fn of_nib(row: NibRow) -> Vec<Row> {
    if row.parent_tool_call_id.is_some() {
        return Vec::new();
    }
    match (row.role.as_deref(), row.tool_call_id, row.tool_name) {
        (Some("user"), ..) => vec![Row::User { text: String::new() }],
        (Some("tool"), Some(id), Some(name)) => {
            let result = row.tool_result.unwrap_or_default();
            let running = row.tool_status.as_deref() == Some("running");
            let failed = row.is_error == Some(true)
                || matches!(row.tool_status.as_deref(), Some("error" | "denied"));
            let arguments = row.tool_args.unwrap_or_default();
            let call = ToolCall { id: id.clone(), name: name.clone(), arguments };
            let mut rows = vec![Row::Assistant { text: None, tool_calls: vec![call] }];
            if !(running && result.is_null()) {
                let added = result["addedToolNames"].as_array();
                let names = |names: &Vec<Value>| {
                    let names = names.iter().filter_map(Value::as_str);
                    names.filter(|name| !name.is_empty()).map(ToolName::from).collect()
                };
                rows.push(Row::ToolResult {
                    call_id: id,
                    tool_name: name,
                    status: match (failed, running) {
                        (true, _) => Status::Error,
                        (false, true) => Status::Interrupted,
                        (false, false) => Status::Ok,
                    },
                    text: String::new(),
                    added_tool_names: added.map(names),
                });
            }
            rows
        }
        (Some("assistant"), ..) if !row.content.is_null() => {
            vec![Row::Assistant { text: None, tool_calls: Vec::new() }]
        }
        _ => Vec::new(),
    }
}
