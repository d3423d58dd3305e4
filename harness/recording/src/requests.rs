//! Requests as people log them: a body alone, or one beside its address.

use serde_json::Value;
use tacit_contract::protocol::Api;

use crate::error::RecordingError;
use crate::read::Source;
use crate::{Exchange, secrets};

/// The names under which a log has the body, its address and the status of its answer.
const BODY: [&str; 3] = ["body", "request", "requestBody"];
const ADDRESS: [&str; 2] = ["path", "url"];
const STATUS: [&str; 2] = ["status", "statusCode"];

/// One value of a log.
pub(crate) fn exchange(
    source: &Source<'_>,
    place: String,
    mut value: Value,
) -> Result<Exchange, RecordingError> {
    let is_body = |value: &Value| value.get("messages").is_some() || value.get("input").is_some();
    if is_body(&value) {
        let api = api_of_body(&value);
        let path = tacit_wire::path_of(api).to_owned();
        return Ok(Exchange { place, api: Some(api), path, body: text(value), status: None });
    }
    let name = BODY.into_iter().find(|name| value.get(name).is_some());
    let Some(name) = name else {
        return Err(source.form(
            &place,
            "expected a request body with `messages` or `input`, or an object with `body` or \
             `request`",
        ));
    };
    let address = ADDRESS.into_iter().find_map(|name| value.get(name)?.as_str());
    let path = address.map(secrets::path_of);
    let status = STATUS.into_iter().find_map(|name| value.get(name)?.as_u64());
    let body = value.get_mut(name).map(Value::take).unwrap_or_default();
    let api = match &path {
        Some(path) => tacit_wire::api_of(path),
        None if is_body(&body) => Some(api_of_body(&body)),
        None => {
            let found = format!(
                "at `{name}`: expected a request body with `messages` or `input`, or a `path` or \
                 `url` beside it"
            );
            return Err(source.form(&place, found));
        }
    };
    let path = path.or(api.map(|api| tacit_wire::path_of(api).to_owned())).unwrap_or_default();
    let status = status.and_then(|status| u16::try_from(status).ok());
    Ok(Exchange { place, api, path, body: text(body), status })
}

/// A body as it was sent, but for its secrets.
fn text(body: Value) -> std::sync::Arc<str> {
    match body {
        Value::String(text) => text.into(),
        other => other.to_string().into(),
    }
}

/// The API that a body is written for, where no address tells.
fn api_of_body(body: &Value) -> Api {
    if body.get("input").is_some() {
        return Api::OpenaiResponses;
    }
    let items = |name: &str| body.get(name).and_then(Value::as_array).into_iter().flatten();
    let tools = items("tools").any(|tool| tool.get("input_schema").is_some());
    let blocks = items("messages")
        .filter_map(|message| message.get("content")?.as_array())
        .flatten()
        .any(|block| {
            matches!(block.get("type").and_then(Value::as_str), Some("tool_use" | "tool_result"))
        });
    if tools || blocks || body.get("system").is_some() {
        Api::AnthropicMessages
    } else {
        Api::OpenaiChat
    }
}
