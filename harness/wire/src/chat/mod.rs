//! Chat Completions.

mod body;
mod read;
mod valid;
mod write;

pub(crate) use read::{examine, outline, read};
pub(crate) use write::{broken, overloaded, write};
