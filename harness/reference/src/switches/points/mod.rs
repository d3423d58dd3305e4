//! The points at which the runtime lets a fault have its way, a file for each part of it.
//!
//! Each takes what the runtime would do and gives what it does instead.

mod calls;
mod catalog;
mod evidence;
mod registry;
mod request;
mod search;
mod wire;

pub(crate) use calls::{
    Reach, before_batch, is_runnable, on_answer, on_refusal, reach, search_host_methods,
};
pub(crate) use catalog::base_prompt;
pub(crate) use evidence::begin;
pub(crate) use registry::{hide_searches, new_registry, on_open, on_save, on_set_mode};
pub(crate) use request::{helper_tools, messages, place, retries_otherwise, tools};
pub(crate) use search::{search, selected};
pub(crate) use wire::on_body;
