//! The effective context of a session as messages, whatever API they are sent over.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use tacit_contract::{CallId, Row, Status, Tool, ToolCall};

use crate::activation::evidence::effective;
use crate::activation::pairing::Pairing;

/// What stands on the wire for a call that no result was recorded for.
pub(crate) const NO_RESULT: &str = "No result was recorded for this call.";

/// What stands on the wire for a result without text.
const NO_OUTPUT: &str = "(no output)";

/// What stands on the wire for a user message without text.
const NOTHING_SAID: &str = "(no text)";

/// One message of a request.
#[derive(Debug, Clone)]
pub(crate) enum Message<'a> {
    /// What the user said, or what a checkpoint left; never blank.
    User(Cow<'a, str>),
    /// What the model said and called; not nothing.
    Assistant {
        /// The text, if there was any.
        text: Option<&'a str>,
        /// The calls.
        calls: Vec<&'a ToolCall>,
    },
    /// What came of the calls of the assistant message above, in their order.
    Results(Vec<CallResult<'a>>),
}

/// What came of one call.
#[derive(Debug, Clone)]
pub(crate) struct CallResult<'a> {
    /// The call.
    pub(crate) id: &'a CallId,
    /// Its arguments.
    pub(crate) arguments: &'a Value,
    /// What the model reads; never blank.
    pub(crate) text: &'a str,
    /// Whether it was no success.
    pub(crate) failed: bool,
    /// The tools that are loaded at this point of the conversation.
    pub(crate) loads: &'a [Arc<Tool>],
}

/// The messages of a transcript's effective context, with what is loaded behind which row.
///
/// The results stand right behind the message that called for them, in the order of the calls,
/// since every API asks for that. A call without a result gets a stand-in that exists on the wire
/// alone; a result that answers no call is left out.
pub(crate) fn messages<'a>(
    rows: &'a [Row],
    loaded: &'a BTreeMap<usize, Vec<Arc<Tool>>>,
) -> Vec<Message<'a>> {
    let pairing = Pairing::of(rows);
    let mut messages = Vec::with_capacity(rows.len());
    for (place, row) in rows.iter().enumerate() {
        match row {
            Row::User { text } => {
                messages.push(Message::User(Cow::Borrowed(or(text, NOTHING_SAID))));
            }
            Row::Checkpoint { summary } => {
                messages.push(Message::User(Cow::Owned(carried_over(summary))));
            }
            Row::Assistant { text, tool_calls } => {
                let text = text.as_deref().filter(|text| !text.trim().is_empty());
                if text.is_none() && tool_calls.is_empty() {
                    continue;
                }
                messages.push(Message::Assistant { text, calls: tool_calls.iter().collect() });
                if tool_calls.is_empty() {
                    continue;
                }
                let results = tool_calls.iter().enumerate().map(|(nth, call)| {
                    let answer = pairing.answer(place, nth);
                    let (text, failed) = answer.map_or((NO_RESULT, true), |row| said(&rows[row]));
                    let loads =
                        answer.and_then(|row| loaded.get(&row)).map_or(&[][..], Vec::as_slice);
                    CallResult { id: &call.id, arguments: &call.arguments, text, failed, loads }
                });
                messages.push(Message::Results(results.collect()));
            }
            Row::ToolResult { .. } => {}
        }
    }
    messages
}

/// A text, or what stands for it where it is blank: not every API takes a blank one.
fn or<'a>(text: &'a str, stand_in: &'static str) -> &'a str {
    if text.trim().is_empty() { stand_in } else { text }
}

/// The user message that a checkpoint leaves in place of all that stood before it.
fn carried_over(summary: &str) -> String {
    format!("What was done and said before, in short:\n\n{summary}")
}

/// What the model reads of a result, and whether that is no success.
fn said(row: &Row) -> (&str, bool) {
    match row {
        Row::ToolResult { text, status, .. } => (or(text, NO_OUTPUT), *status != Status::Ok),
        _ => (NO_OUTPUT, false),
    }
}

/// The effective context retold as plain text, for the request that asks for a summary.
pub(crate) fn retold(rows: &[Row]) -> String {
    let mut text = String::new();
    let mut tell = |who: &str, what: &str| {
        text.push_str(who);
        text.push_str(what);
        text.push('\n');
    };
    for message in messages(effective(rows), &BTreeMap::new()) {
        match message {
            Message::User(said) => tell("User: ", &said),
            Message::Assistant { text, calls } => {
                if let Some(said) = text {
                    tell("Assistant: ", said);
                }
                for call in calls {
                    tell("Assistant calls ", call.name.as_str());
                }
            }
            Message::Results(results) => {
                for result in results {
                    tell("Tool: ", result.text);
                }
            }
        }
    }
    text
}
