//! Reads provider requests and writes provider answers; pure.
//!
//! Each API has a folder of its own; what is shared is the view of a request ([`RequestView`]),
//! the answer to be written ([`Reply`]) and the rule by which requests are told apart
//! ([`Memory`]).

mod anthropic;
mod body;
mod catalog;
mod chat;
mod classify;
mod content;
mod error;
mod place;
mod problem;
mod reply;
mod responses;
mod stream;
mod strict;
pub mod view;

use serde_json::Value;
use tacit_contract::ProviderKind;
use tacit_contract::protocol::Api;

use body::{Outlined, Schema};
pub use catalog::without_catalog;
pub use classify::Memory;
pub use error::WireError;
pub use problem::{Problem, Rule};
pub use reply::{Reply, ReplyCall, Written, broken, refusal, write};
pub use view::{Channel, Item, RequestView, ShownCall, ShownTool, Visibility};

/// The API that a path belongs to; `None` for a path that is no request for an answer.
#[must_use]
pub fn api_of(path: &str) -> Option<Api> {
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let ends = |suffix: &str| path.ends_with(suffix);
    if ends("/chat/completions") {
        Some(Api::OpenaiChat)
    } else if ends("/responses") {
        Some(Api::OpenaiResponses)
    } else if ends("/messages") {
        Some(Api::AnthropicMessages)
    } else {
        None
    }
}

/// What a client of an API puts behind its base address.
#[must_use]
pub fn path_of(api: Api) -> &'static str {
    match api {
        Api::OpenaiChat => "/chat/completions",
        Api::OpenaiResponses => "/responses",
        Api::AnthropicMessages => "/v1/messages",
    }
}

/// Reads a request, schemas included.
///
/// Forms that an API would refuse but that still say what the model sees are read; they are
/// named by [`well_formed`].
///
/// # Errors
/// The body is no JSON, or has a shape in which the conversation or its tools cannot be found.
pub fn read(api: Api, body: &[u8]) -> Result<RequestView, WireError> {
    match api {
        Api::OpenaiChat => body::read::<chat::Body<Value>>(body),
        Api::OpenaiResponses => body::read::<responses::Body<Value>>(body),
        Api::AnthropicMessages => body::read::<anthropic::Body<Value>>(body),
    }
}

/// Reads a request without its schemas, each `null` in the view, and says what a strict endpoint
/// would refuse in it: what it takes to answer it, at a fraction of the cost.
///
/// # Errors
/// As [`read`].
pub fn outline(
    provider: ProviderKind,
    body: &[u8],
) -> Result<(RequestView, Vec<Problem>), WireError> {
    look::<Outlined>(provider, body)
}

/// Reads a request and says what a strict endpoint would refuse in it, in one pass.
///
/// # Errors
/// As [`read`].
pub fn examine(
    provider: ProviderKind,
    body: &[u8],
) -> Result<(RequestView, Vec<Problem>), WireError> {
    look::<Value>(provider, body)
}

fn look<S: Schema>(
    provider: ProviderKind,
    body: &[u8],
) -> Result<(RequestView, Vec<Problem>), WireError> {
    match provider.api {
        Api::OpenaiChat => body::examine::<chat::Body<S>>(provider, body),
        Api::OpenaiResponses => body::examine::<responses::Body<S>>(provider, body),
        Api::AnthropicMessages => body::examine::<anthropic::Body<S>>(provider, body),
    }
}

/// What a strict endpoint would refuse in a request. A request that cannot be read has one
/// problem, which says why.
#[must_use]
pub fn well_formed(provider: ProviderKind, body: &[u8]) -> Vec<Problem> {
    match examine(provider, body) {
        Ok((_, problems)) => problems,
        Err(error) => vec![error.as_problem()],
    }
}
