//! Provider APIs: how a request is written and its answer read, a file for each.

use std::sync::Arc;

use tacit_contract::protocol::{Api, ProviderConfig};
use tacit_contract::runtime::ProviderRequest;
use tacit_contract::{Tool, ToolCall};
use thiserror::Error;

use crate::context::Message;

mod anthropic_messages;
mod common;
mod openai_chat;
mod openai_responses;

/// What a request says, before any API has its way with it.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    /// The base prompt, catalog included.
    pub(crate) system: &'a str,
    /// The conversation.
    pub(crate) messages: &'a [Message<'a>],
    /// The tools of the ordinary list, in order; the messages hold what is loaded later.
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
    let ProviderConfig { api, base_url, api_key, model, .. } = provider;
    let (own_path, body) = match api {
        Api::OpenaiChat => ("/chat/completions", openai_chat::encode(model, draft)),
        Api::OpenaiResponses => ("/responses", openai_responses::encode(model, draft)),
        Api::AnthropicMessages => ("/v1/messages", anthropic_messages::encode(model, draft)),
    };
    let mut headers = vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        ("accept".to_owned(), accepted(draft.stream).to_owned()),
    ];
    match api {
        Api::OpenaiChat | Api::OpenaiResponses => {
            headers.push(("authorization".to_owned(), format!("Bearer {api_key}")));
        }
        Api::AnthropicMessages => {
            headers.push(("x-api-key".to_owned(), api_key.clone()));
            headers.push(("anthropic-version".to_owned(), "2023-06-01".to_owned()));
        }
    }
    ProviderRequest { path: path(base_url).to_owned() + own_path, headers, body }
}

/// Reads a successful answer.
pub(crate) fn decode(api: Api, body: &[u8]) -> Result<Answer, Unreadable> {
    // What the body is shows in its first letter; not every server names its content rightly.
    let stream = body.trim_ascii_start().first() != Some(&b'{');
    match (api, stream) {
        (Api::OpenaiChat, false) => openai_chat::decode(body),
        (Api::OpenaiChat, true) => openai_chat::decode_stream(body),
        (Api::OpenaiResponses, false) => openai_responses::decode(body),
        (Api::OpenaiResponses, true) => openai_responses::decode_stream(body),
        (Api::AnthropicMessages, false) => anthropic_messages::decode(body),
        (Api::AnthropicMessages, true) => anthropic_messages::decode_stream(body),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn request(api: Api, base_url: &str) -> ProviderRequest {
        let provider = ProviderConfig {
            api,
            base_url: base_url.to_owned(),
            api_key: "secret".to_owned(),
            model: "m".to_owned(),
            native: false,
        };
        encode(&provider, &Draft { system: "s", messages: &[], tools: &[], stream: true })
    }

    #[test]
    fn each_api_has_its_path_and_its_way_to_show_the_key() {
        for (api, base_url, path, header) in [
            (Api::OpenaiChat, "http://h/v1", "/v1/chat/completions", "authorization"),
            (Api::OpenaiResponses, "http://h:1/a/v1/", "/a/v1/responses", "authorization"),
            (Api::AnthropicMessages, "http://h", "/v1/messages", "x-api-key"),
        ] {
            let request = request(api, base_url);
            assert_eq!(request.path, path);
            let keys = request.headers.iter().filter(|(_, value)| value.ends_with("secret"));
            let keys: Vec<_> = keys.map(|(name, _)| name.as_str()).collect();
            assert_eq!(keys, [header]);
            let versioned = request.headers.iter().any(|(name, _)| name == "anthropic-version");
            assert_eq!(versioned, api == Api::AnthropicMessages);
        }
    }
}
