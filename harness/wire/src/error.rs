//! Why a request could not be read.

use tacit_contract::protocol::Api;
use thiserror::Error;

use crate::problem::{Problem, Rule};

/// Why a request could not be read; to be read after "failed to".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WireError {
    /// The body is no JSON.
    #[error("read the {} request: the body is no JSON: {problem}", api.as_str())]
    NotJson {
        /// The API.
        api: Api,
        /// What is wrong, with line and column.
        problem: String,
    },
    /// The body is JSON of another shape than the API's.
    #[error("read the {} request: at `{path}`: {problem}", api.as_str())]
    Shape {
        /// The API.
        api: Api,
        /// The path of the field.
        path: String,
        /// What was found there, and what was expected.
        problem: String,
    },
}

impl WireError {
    /// The same, as a reason for which an endpoint refuses the request.
    #[must_use]
    pub fn as_problem(&self) -> Problem {
        let (rule, place) = match self {
            Self::NotJson { .. } => (Rule::Json, "body"),
            Self::Shape { path, .. } => (Rule::Shape, path.as_str()),
        };
        let found = match self {
            Self::NotJson { problem, .. } | Self::Shape { problem, .. } => problem.clone(),
        };
        Problem { rule, place: place.to_owned(), found }
    }
}

/// The longest piece of a foreign text that an error quotes, in characters.
const QUOTED: usize = 80;

/// A foreign text, cut to what an error can hold.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
