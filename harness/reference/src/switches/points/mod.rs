//! The points at which the runtime lets a switch have its way, a file for each part of it.
//!
//! Each takes what the runtime would do and gives what it does instead.

mod always;
mod calls;
mod catalog;
mod evidence;
mod lines;
mod registry;
mod request;
mod retry;
mod search;
mod wire;

pub(crate) use calls::{
    Reach, before_batch, is_runnable, is_shown, on_answer, on_refusal, ordered, reach, refusal,
    search_host_methods,
};
pub(crate) use catalog::base_prompt;
pub(crate) use evidence::{begin, on_compacted, on_end, restored_from};
pub(crate) use registry::{
    hide_searches, hides_searches, new_registry, on_open, on_save, on_set_mode,
};
pub(crate) use request::{before_request, helper_tools, messages, place, tools};
pub(crate) use retry::{reruns_silence, retries_otherwise};
pub(crate) use search::{search, selected};
pub(crate) use wire::on_body;
