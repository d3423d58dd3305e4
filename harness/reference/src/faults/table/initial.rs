//! What the first request of a prompt holds.

use super::must;
use crate::faults::Fault;
use crate::switches::Switch;

pub(super) const ROWS: &[Fault] = &[
    must(
        Switch::CoreLostAfterPlan,
        "core-lost-after-plan",
        &["earendil-works/pi #3109", "ilovepixelart/pi-code PR #278"],
        &["initial.core"],
        Some(2),
        "After a change from plan to agent mode, plan's read-only core stays: Bash, Edit and Write are missing.",
    ),
    must(
        Switch::SchemaFlood,
        "schema-flood",
        &["bytedance/deer-flow PR #3342"],
        &["initial.minimal"],
        Some(1),
        "An empty active set is taken for a missing one, and every deferred schema is sent.",
    ),
    must(
        Switch::LateInjection,
        "late-injection",
        &["NousResearch/hermes-agent #46171"],
        &["initial.minimal"],
        Some(1),
        "Plugin-development helpers are added to the tool list after it was cut down to the active ones.",
    ),
    must(
        Switch::CompactionDropsLoader,
        "compaction-drops-loader",
        &["openai/codex #34719"],
        &["initial.search-present"],
        Some(4),
        "After a compaction requests hold core tools alone: the search tool and the catalog are gone.",
    ),
    must(
        Switch::LoaderDeferred,
        "loader-deferred",
        &["headroomlabs-ai/headroom #2646"],
        &["initial.search-present"],
        Some(1),
        "The search tool is itself deferred: it stands in the catalog and not in the tool list.",
    ),
    must(
        Switch::KindNotCovered,
        "kind-not-covered",
        &["openai/openai-agents-python PR #5047"],
        &["initial.search-present"],
        Some(1),
        "Skills are forgotten when it is decided whether anything is deferred: with nothing else there, the search tool is missing.",
    ),
    must(
        Switch::SearchPresentWhenEmpty,
        "search-present-when-empty",
        &[],
        &["initial.search-absent"],
        None,
        "The search tool is sent even where nothing is deferred.",
    ),
    must(
        Switch::CatalogWhenEmpty,
        "catalog-when-empty",
        &[],
        &["initial.search-absent"],
        None,
        "An empty catalog is printed where nothing is deferred.",
    ),
    must(
        Switch::NewContextMissing,
        "new-context-missing",
        &[],
        &["initial.new-context"],
        None,
        "Only agent mode has new_context.",
    ),
    must(
        Switch::SearchListsEveryName,
        "search-lists-every-name",
        &[],
        &["initial.cost"],
        None,
        "The search tool's own description lists every deferred tool, without a bound.",
    ),
];
