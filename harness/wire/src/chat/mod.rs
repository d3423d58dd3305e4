//! Chat Completions.

mod body;
mod read;
mod valid;
mod write;

pub(crate) use read::{examine, read};
pub(crate) use write::{broken, write};
