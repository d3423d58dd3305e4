//! The effective context of a session as messages, whatever API they are sent over.

use std::borrow::Cow;
use std::sync::Arc;

use tacit_contract::{CallId, Row, Tool, ToolCall};

use crate::activation::evidence::effective;
use crate::activation::pairing::Pairing;

/// What stands on the wire for a call that no result was recorded for.
pub(crate) const NO_RESULT: &str = "No result was recorded for this call.";

/// What stands on the wire for a result without text.
const NO_OUTPUT: &str = "(no output)";

/// One message of a request.
#[derive(Debug, Clone)]
pub(crate) enum Message<'a> {
    /// What the user said, or what a checkpoint left.
    User(Cow<'a, str>),
    /// What the model said and called.
    Assistant {
        /// The text, if there was any.
        text: Option<&'a str>,
        /// The calls.
        calls: Vec<&'a ToolCall>,
    },
    /// What came of one call of the assistant message above.
    Result {
        /// The call.
        call: &'a CallId,
        /// What the model reads.
        text: &'a str,
    },
    /// Tools that are loaded at this point of the conversation.
    Loaded(Vec<Arc<Tool>>),
}

/// The messages of a transcript's effective context.
///
/// Each result stands right behind the message that called for it, in the order of the calls,
/// since every API asks for that. A call without a result gets a stand-in that exists on the wire
/// alone; a result that answers no call is left out.
pub(crate) fn messages(rows: &[Row]) -> Vec<Message<'_>> {
    let rows = effective(rows);
    let pairing = Pairing::of(rows);
    let mut messages = Vec::with_capacity(rows.len());
    for (place, row) in rows.iter().enumerate() {
        match row {
            Row::User { text } => messages.push(Message::User(Cow::Borrowed(text))),
            Row::Checkpoint { summary } => {
                messages.push(Message::User(Cow::Owned(carried_over(summary))));
            }
            Row::Assistant { text, tool_calls } => {
                let text = text.as_deref().filter(|text| !text.is_empty());
                if text.is_none() && tool_calls.is_empty() {
                    continue;
                }
                messages.push(Message::Assistant { text, calls: tool_calls.iter().collect() });
                for (nth, call) in tool_calls.iter().enumerate() {
                    let text = pairing.answer(place, nth).map_or(NO_RESULT, |row| said(&rows[row]));
                    messages.push(Message::Result { call: &call.id, text });
                }
            }
            Row::ToolResult { .. } => {}
        }
    }
    messages
}

/// The user message that a checkpoint leaves in place of all that stood before it.
fn carried_over(summary: &str) -> String {
    format!("What was done and said before, in short:\n\n{summary}")
}

/// What the model reads of a result.
fn said(row: &Row) -> &str {
    match row {
        Row::ToolResult { text, .. } if !text.is_empty() => text,
        _ => NO_OUTPUT,
    }
}

/// The effective context retold as plain text, for the request that asks for a summary.
pub(crate) fn retold(rows: &[Row]) -> String {
    let mut text = String::new();
    for message in messages(rows) {
        let (who, what) = match &message {
            Message::User(said) => ("User", said.as_ref()),
            Message::Assistant { text, .. } => ("Assistant", text.unwrap_or_default()),
            Message::Result { text, .. } => ("Tool", *text),
            Message::Loaded(_) => continue,
        };
        if !what.is_empty() {
            text.push_str(who);
            text.push_str(": ");
            text.push_str(what);
            text.push('\n');
        }
        if let Message::Assistant { calls, .. } = &message {
            for call in calls {
                text.push_str("Assistant calls ");
                text.push_str(call.name.as_str());
                text.push('\n');
            }
        }
    }
    text
}
