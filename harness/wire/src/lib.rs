//! Reads provider requests and writes provider answers; pure.
//!
//! Each API has a folder of its own; what is shared is the view of a request ([`RequestView`]),
//! the answer to be written ([`Reply`]) and the rule by which requests are told apart
//! ([`Memory`]).

mod catalog;
mod chat;
mod classify;
mod error;
mod problem;
mod reply;
pub mod view;

use tacit_contract::protocol::Api;

pub use catalog::without_catalog;
pub use classify::Memory;
pub use error::WireError;
pub use problem::{Problem, Rule};
pub use reply::{Reply, ReplyCall, Written, broken, overloaded, write};
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

/// Reads a request, schemas included.
///
/// Forms that an API would refuse but that still say what the model sees are read; they are
/// named by [`well_formed`].
///
/// # Errors
/// The body is no JSON, or has a shape in which the conversation or its tools cannot be found.
pub fn read(api: Api, body: &[u8]) -> Result<RequestView, WireError> {
    match api {
        Api::OpenaiChat => chat::read(body),
        Api::OpenaiResponses | Api::AnthropicMessages => Err(WireError::ApiNotRead { api }),
    }
}

/// Reads a request without its schemas, each `null` in the view: what it takes to answer it, at
/// a fraction of the cost.
///
/// # Errors
/// As [`read`].
pub fn outline(api: Api, body: &[u8]) -> Result<RequestView, WireError> {
    match api {
        Api::OpenaiChat => chat::outline(body),
        Api::OpenaiResponses | Api::AnthropicMessages => Err(WireError::ApiNotRead { api }),
    }
}

/// Reads a request and says what a strict endpoint would refuse in it, in one pass.
///
/// # Errors
/// As [`read`].
pub fn examine(api: Api, body: &[u8]) -> Result<(RequestView, Vec<Problem>), WireError> {
    match api {
        Api::OpenaiChat => chat::examine(body),
        Api::OpenaiResponses | Api::AnthropicMessages => Err(WireError::ApiNotRead { api }),
    }
}

/// What a strict endpoint would refuse in a request. A request that cannot be read has one
/// problem, which says why; of an API that is not read, nothing is said.
#[must_use]
pub fn well_formed(api: Api, body: &[u8]) -> Vec<Problem> {
    match examine(api, body) {
        Ok((_, problems)) => problems,
        Err(WireError::ApiNotRead { .. }) => Vec::new(),
        Err(error) => vec![error.as_problem()],
    }
}
