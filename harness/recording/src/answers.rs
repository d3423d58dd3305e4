//! What a request was answered, as the next one of its conversation tells.

use serde_json::Value;
use tacit_contract::protocol::Dialect;
use tacit_contract::session::{Failure, Outcome};
use tacit_contract::trace::{Answered, Issued};
use tacit_contract::{Call, Query, ToolName};
use tacit_wire::{Item, ShownCall};

use crate::conversation::Heard;

/// What a request was answered.
pub(crate) fn answer(dialect: &Dialect, request: &Heard, next: Option<&Heard>) -> Answered {
    if let Some(status) = request.exchange.status.filter(|status| *status >= 400) {
        return Answered::Failure { failure: failure(status) };
    }
    let Some(next) = next else { return Answered::Text };
    if next.new_items().is_empty() {
        // What is asked again in the same words had no answer that could be used.
        return Answered::Failure { failure: Failure::BreaksOff };
    }
    let calls = next.new_items().iter().flat_map(|item| match item {
        Item::Assistant { calls, .. } => calls.as_slice(),
        _ => &[],
    });
    let calls: Vec<Issued> = calls.map(|call| issued(dialect, call)).collect();
    if calls.is_empty() { Answered::Text } else { Answered::Calls { step: 0, calls } }
}

fn issued(dialect: &Dialect, shown: &ShownCall) -> Issued {
    let tool = ToolName::from(dialect.unprefixed(&shown.wire_name));
    let starts_anew = dialect.new_context.as_ref().is_some_and(|new| new.name == tool);
    let call = if tool == dialect.search_tool() {
        Call::Search { query: query(dialect, &shown.arguments) }
    } else if starts_anew {
        Call::NewContext
    } else {
        Call::Use { tool: tool.clone(), outcome: Outcome::Ok, says: None }
    };
    Issued { id: shown.id.clone(), tool, arguments: shown.arguments.clone(), call }
}

/// What a search asks for: what stands where the dialect's template has the query.
fn query(dialect: &Dialect, arguments: &Value) -> Query {
    if let Value::String(text) = arguments {
        return Query::NotJson { text: text.clone() };
    }
    let template = dialect.search_arguments(&Value::String(HOLE.to_owned()));
    match at_hole(&template, arguments) {
        Some(Value::String(text)) => Query::Text { text: text.clone() },
        Some(value) => Query::Odd { value: value.clone() },
        None => Query::Missing,
    }
}

/// What stands for the query in a template.
const HOLE: &str = "\u{1}query";

/// What stands in a value where a template has its hole.
fn at_hole<'v>(template: &Value, value: &'v Value) -> Option<&'v Value> {
    match template {
        Value::String(text) if text == HOLE => Some(value),
        Value::Object(members) => {
            members.iter().find_map(|(key, inner)| at_hole(inner, value.get(key)?))
        }
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(at, inner)| at_hole(inner, value.get(at)?))
        }
        _ => None,
    }
}

fn failure(status: u16) -> Failure {
    match status {
        400 => Failure::BadRequest,
        401 | 403 => Failure::Unauthorized,
        429 => Failure::RateLimited,
        529 => Failure::Overloaded,
        _ => Failure::ServerError,
    }
}
