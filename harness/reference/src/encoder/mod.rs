//! Provider APIs: how a request is written and its answer read, a file for each.

use std::sync::Arc;

use tacit_contract::protocol::{Api, ProviderConfig};
use tacit_contract::runtime::{ProviderRequest, ProviderResponse};
use tacit_contract::{Tool, ToolCall};
use thiserror::Error;

use crate::context::Message;

mod openai_chat;

/// The APIs that there is an encoder for.
pub(crate) const APIS: [Api; 1] = [Api::OpenaiChat];

/// What a request says, before any API has its way with it.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    /// The base prompt, catalog included.
    pub(crate) system: &'a str,
    /// The conversation.
    pub(crate) messages: &'a [Message<'a>],
    /// The tools whose schemas are sent, in order.
    pub(crate) tools: &'a [Arc<Tool>],
    /// Whether the answer shall come as a stream of events.
    pub(crate) stream: bool,
}

/// What the model answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Answer {
    /// The text, if there was any.
    pub(crate) text: Option<String>,
    /// The batch of calls.
    pub(crate) calls: Vec<ToolCall>,
}

/// Why an answer could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Unreadable {
    /// It stopped before the model was done; asking again may help.
    #[error("the answer broke off")]
    BrokeOff,
    /// It is no answer of this API.
    #[error("the answer makes no sense: {0}")]
    Senseless(String),
}

/// Writes the request for a provider's API.
pub(crate) fn encode(provider: &ProviderConfig, draft: &Draft<'_>) -> ProviderRequest {
    match provider.api {
        // `open` takes no other API yet.
        Api::OpenaiChat | Api::OpenaiResponses | Api::AnthropicMessages => ProviderRequest {
            path: format!("{}/chat/completions", path(&provider.base_url)),
            headers: vec![
                ("content-type".to_owned(), "application/json".to_owned()),
                ("accept".to_owned(), accepted(draft.stream).to_owned()),
                ("authorization".to_owned(), format!("Bearer {}", provider.api_key)),
            ],
            body: openai_chat::encode(&provider.model, draft),
        },
    }
}

/// Reads a successful answer.
pub(crate) fn decode(response: &ProviderResponse) -> Result<Answer, Unreadable> {
    // What the body is shows in its first letter; not every server names its content rightly.
    if response.body.trim_ascii_start().first() == Some(&b'{') {
        openai_chat::decode(&response.body)
    } else {
        openai_chat::decode_stream(&response.body)
    }
}

fn accepted(stream: bool) -> &'static str {
    if stream { "text/event-stream" } else { "application/json" }
}

/// The path of an address, without a slash at its end.
pub(crate) fn path(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("", |start| &rest[start..]).trim_end_matches('/')
}
