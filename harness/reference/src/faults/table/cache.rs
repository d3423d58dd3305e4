//! What a provider's cache is made to forget.

use super::info;
use crate::faults::Fault;
use crate::switches::Switch;

pub(super) const ROWS: &[Fault] = &[
    info(
        Switch::InsertNotAppend,
        "insert-not-append",
        &["Yeachan-Heo/gajae-code #2344", "QwenLM/qwen-code #6721"],
        &["cache.order"],
        Some(2),
        "The tools of a request stand in the order of their names, so that a new one moves others.",
    ),
    info(
        Switch::SchemaKeyShuffle,
        "schema-key-shuffle",
        &["Lakr233/FlowDown #273"],
        &["cache.order"],
        Some(3),
        "The members of an active tool's parameters stand in another order in each request.",
    ),
];
