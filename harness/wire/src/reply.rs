//! What a provider answers, whatever the API it says it in.

use std::borrow::Cow;

use serde_json::{Value, json};
use tacit_contract::CallId;
use tacit_contract::protocol::Api;

use crate::{anthropic, chat, responses};

/// One answer of the model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    /// What it says.
    pub text: Option<String>,
    /// What it calls.
    pub calls: Vec<ReplyCall>,
}

impl Reply {
    /// An answer that only speaks.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), calls: Vec::new() }
    }

    /// An answer that only calls.
    #[must_use]
    pub fn calls(calls: Vec<ReplyCall>) -> Self {
        Self { text: None, calls }
    }
}

/// One call of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplyCall {
    /// Its id.
    pub id: CallId,
    /// The tool's name on the wire, prefix included.
    pub wire_name: String,
    /// The arguments. A text is written as it stands: it is what the model gave in place of JSON.
    pub arguments: Value,
}

impl ReplyCall {
    /// The arguments where an API has them as a text.
    pub(crate) fn written(&self) -> Cow<'_, str> {
        match &self.arguments {
            Value::String(text) => Cow::Borrowed(text),
            json => Cow::Owned(json.to_string()),
        }
    }

    /// The arguments where an API has room for an object alone.
    pub(crate) fn object(&self) -> Value {
        if self.arguments.is_string() { json!({}) } else { self.arguments.clone() }
    }
}

/// An answer as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The content type.
    pub content_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

/// The content type of one JSON document.
pub(crate) const JSON: &str = "application/json";

/// The content type of a streamed answer.
pub(crate) const EVENT_STREAM: &str = "text/event-stream";

/// Writes a whole answer, streamed or not. Equal answers give equal bytes.
#[must_use]
pub fn write(api: Api, reply: &Reply, stream: bool) -> Written {
    match api {
        Api::OpenaiChat => chat::write(reply, stream),
        Api::OpenaiResponses => responses::write(reply, stream),
        Api::AnthropicMessages => anthropic::write(reply, stream),
    }
}

/// Writes an answer that stops early: in the middle of an event and before the model has said
/// that it is done, or in the middle of the JSON document.
#[must_use]
pub fn broken(api: Api, reply: &Reply, stream: bool) -> Written {
    match api {
        Api::OpenaiChat => chat::broken(reply, stream),
        Api::OpenaiResponses => responses::broken(reply, stream),
        Api::AnthropicMessages => anthropic::broken(reply, stream),
    }
}

/// Writes the body of an answer with a status that is no success, in the API's own form.
#[must_use]
pub fn refusal(api: Api, status: u16, message: &str) -> Written {
    let body = match api {
        Api::OpenaiChat | Api::OpenaiResponses => openai(status, message),
        Api::AnthropicMessages => anthropic::refusal(status, message),
    };
    Written { content_type: JSON, body: body.to_string().into() }
}

/// The errors of both `OpenAI` APIs.
fn openai(status: u16, message: &str) -> Value {
    let (kind, code) = match status {
        400 | 404 => ("invalid_request_error", None),
        401 => ("invalid_request_error", Some("invalid_api_key")),
        429 => ("requests", Some("rate_limit_exceeded")),
        529 => ("server_error", Some("overloaded")),
        _ => ("server_error", None),
    };
    json!({"error": {"message": message, "type": kind, "param": null, "code": code}})
}
