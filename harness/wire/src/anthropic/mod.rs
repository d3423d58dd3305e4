//! Messages.

mod read;
mod write;

pub(crate) use read::{examine, read};
pub(crate) use write::{broken, refusal, write};
