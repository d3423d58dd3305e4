//! What a provider answers, whatever the API it says it in.

use serde_json::Value;
use tacit_contract::CallId;
use tacit_contract::protocol::Api;

use crate::chat;
use crate::error::WireError;

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
    /// The arguments.
    pub arguments: Value,
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
///
/// # Errors
/// The API is none that this version speaks.
pub fn write(api: Api, reply: &Reply, stream: bool) -> Result<Written, WireError> {
    match api {
        Api::OpenaiChat => Ok(chat::write(reply, stream)),
        Api::OpenaiResponses | Api::AnthropicMessages => Err(WireError::ApiNotRead { api }),
    }
}

/// Writes an answer that stops early: in the middle of an event and before the model has said
/// that it is done, or in the middle of the JSON document.
///
/// # Errors
/// As [`write`].
pub fn broken(api: Api, reply: &Reply, stream: bool) -> Result<Written, WireError> {
    match api {
        Api::OpenaiChat => Ok(chat::broken(reply, stream)),
        Api::OpenaiResponses | Api::AnthropicMessages => Err(WireError::ApiNotRead { api }),
    }
}

/// Writes the body of status 529: the provider has too much to do.
///
/// # Errors
/// As [`write`].
pub fn overloaded(api: Api) -> Result<Written, WireError> {
    match api {
        Api::OpenaiChat => Ok(chat::overloaded()),
        Api::OpenaiResponses | Api::AnthropicMessages => Err(WireError::ApiNotRead { api }),
    }
}
