//! A transcript without requests, told as a trace: its rows, and a request that would hold them.

use std::sync::Arc;

use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_contract::trace::{Answered, From, RequestClass};
use tacit_contract::{ProviderKind, Row, Seen};

use crate::Exchange;
use crate::telling::Setting;
use crate::writer::{Piece, Writer};

/// What the user would ask next.
const NEXT: &str = "the next prompt";

/// Tells the rows of a transcript, and a next prompt whose first request holds all of them.
///
/// No runtime sent that request: what it shows is nobody's doing. What it would have to show is
/// what the rows prove.
#[must_use]
pub fn history(setting: &Setting<'_>, rows: &[Row]) -> Piece {
    let provider = ProviderKind::plain(Api::OpenaiChat);
    let mut messages: Vec<Value> = rows.iter().filter_map(message).collect();
    messages.push(json!({"role": "user", "content": NEXT}));
    let body = json!({"model": "none", "messages": messages}).to_string();
    let exchange = Exchange {
        place: NEXT.to_owned(),
        api: Some(provider.api),
        path: tacit_wire::path_of(provider.api).to_owned(),
        body: body.into(),
        status: None,
    };
    let from = From::SeededRows { rows: rows.to_vec() };
    let mut writer = Writer::new(setting, provider, Arc::clone(&(setting.tools)(&[])), from);
    writer.see(Seen::Prompted { step: 0, text: NEXT.to_owned() });
    writer.request(&exchange, RequestClass::Turn, Answered::Text);
    writer.finish()
}

fn message(row: &Row) -> Option<Value> {
    Some(match row {
        Row::User { text } => json!({"role": "user", "content": text}),
        Row::Assistant { tool_calls, .. } if tool_calls.is_empty() => return None,
        Row::Assistant { tool_calls, .. } => {
            let calls: Vec<Value> = tool_calls
                .iter()
                .map(|call| {
                    json!({"id": call.id, "type": "function", "function": {
                        "name": call.name,
                        "arguments": call.arguments.to_string(),
                    }})
                })
                .collect();
            json!({"role": "assistant", "content": null, "tool_calls": calls})
        }
        Row::ToolResult { call_id, text, .. } => {
            json!({"role": "tool", "tool_call_id": call_id, "content": text})
        }
        Row::Checkpoint { .. } => return None,
    })
}
