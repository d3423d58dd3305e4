//! Reads recorded traffic, and tells it as traces; never judges.
//!
//! [`read`] streams a file of any [`Kind`] and hands out what it holds, secrets taken out. Requests
//! go to [`Listener`], which tells conversations apart by the history that each request carries,
//! infers prompts and answers from it, and gives out [`Piece`]s: traces as the stage would have
//! recorded them, but for what a recording does not hold.

mod answers;
mod bounded;
mod conversation;
mod error;
mod har;
mod history;
mod kind;
mod listener;
mod outcomes;
mod read;
mod requests;
mod rows;
mod secrets;
mod telling;
mod writer;

pub use error::RecordingError;
pub use history::history;
pub use kind::Kind;
pub use listener::{Limits, Listener, Passed};
pub use read::{LONGEST, Recorded, read};
pub use telling::Setting;
pub use writer::Piece;

use std::sync::Arc;

use tacit_contract::protocol::Api;

/// One recorded request, secrets taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// Where it stands in its file, such as `line 7` or `entry 3`.
    pub place: String,
    /// The API that it went to; `None` where it is no request of a provider's API.
    pub api: Option<Api>,
    /// The path of its address, without a query.
    pub path: String,
    /// Its body.
    pub body: Arc<str>,
    /// The status that it was answered with, where the recording says so.
    pub status: Option<u16>,
}
