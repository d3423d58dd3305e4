//! Responses.

mod body;
mod order;
mod read;
mod shown;
mod valid;
mod write;

pub(crate) use read::{examine, read};
pub(crate) use write::{broken, write};
