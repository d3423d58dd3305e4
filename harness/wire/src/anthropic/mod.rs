//! Messages.

mod blocks;
mod body;
mod order;
mod read;
mod tools;
mod valid;
mod write;

pub(crate) use read::{examine, read};
pub(crate) use write::{broken, refusal, write};
