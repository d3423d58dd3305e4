//! What a request is answered with, in words.

use tacit_contract::session::{Failure, Outcome};
use tacit_contract::trace::{Answered, Issued};
use tacit_contract::{Call, Query, ToolName};

pub(super) fn answer(answered: &Answered) -> String {
    match answered {
        Answered::Calls { calls, .. } => {
            let calls: Vec<String> = calls.iter().map(issued).collect();
            format!("; the model {}", calls.join(", and at once "))
        }
        Answered::Refused => "; the provider refuses it as not well formed".to_owned(),
        Answered::Failure { failure } => format!("; {}", failed(*failure)),
        Answered::Withheld => "; the user stops it".to_owned(),
        Answered::Text | Answered::NotFound => String::new(),
    }
}

fn issued(issued: &Issued) -> String {
    call(&issued.call, &issued.tool)
}

fn call(call: &Call, tool: &ToolName) -> String {
    match call {
        Call::Search { query } => match query {
            Query::Text { text } => format!("searches for {text:?}"),
            Query::Limited { text, limit } => format!("searches for {text:?}, up to {limit}"),
            Query::Missing => "searches without a query".to_owned(),
            Query::Odd { value } => format!("searches with {value} for a query"),
            Query::NotJson { text } => format!("searches with {text:?}, which is no JSON"),
        },
        Call::Use { outcome, .. } => match outcome {
            Outcome::Ok => format!("calls {tool}"),
            Outcome::Error => format!("calls {tool}, which fails"),
            Outcome::Denied => format!("calls {tool}, which is denied"),
        },
        Call::Read => "reads a file".to_owned(),
        Call::NewContext => "starts a new context".to_owned(),
    }
}

fn failed(failure: Failure) -> &'static str {
    match failure {
        Failure::BadRequest => "the provider refuses the request",
        Failure::Unauthorized => "the provider refuses the key",
        Failure::RateLimited => "the provider asks for patience",
        Failure::ServerError => "the provider fails inside",
        Failure::Empty => "the answer is empty",
        Failure::Disconnects => "the connection is cut",
        Failure::Overloaded => "the provider is overloaded",
        Failure::BreaksOff => "the answer breaks off",
    }
}
