//! What a provider's cache is made to forget, and what a prompt begins with.

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
    info(
        Switch::BasePromptCounts,
        "base-prompt-counts",
        &[],
        &["cache.base-prompt"],
        Some(2),
        "The base prompt says how many requests there were.",
    ),
    info(
        Switch::LoaderNamesActive,
        "loader-names-active",
        &[],
        &["cache.loader"],
        Some(2),
        "The description of the search tool names what is active.",
    ),
    info(
        Switch::FirstRequestInFull,
        "first-request-in-full",
        &[],
        &["cost.first-request"],
        Some(1),
        "A prompt's first request carries every schema, the others what is active.",
    ),
];
