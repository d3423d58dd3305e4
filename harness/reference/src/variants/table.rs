//! The table of correct variants, in the order of the contract.

use super::CorrectVariant;
use crate::switches::Switch;

pub(super) const ROWS: &[CorrectVariant] = &[
    variant(
        Switch::ActiveUsesPlaces,
        "active-uses-places",
        "Matches that are active already use up places of a search's four.",
        "Accepted readings: four, when some matches are active already.",
    ),
    variant(
        Switch::ExactNameWithNeighbours,
        "exact-name-with-neighbours",
        "A search for an exact name activates tools of alike names beside it, up to four.",
        "Accepted readings: an exact name.",
    ),
    variant(
        Switch::OneMatchAlone,
        "one-match-alone",
        "A search by words activates the best match and no other.",
        "search.capability: the number of others, up to four, is free.",
    ),
    variant(
        Switch::OtherRanking,
        "other-ranking",
        "Matches are ranked by how many of the query's words they hold, then by name.",
        "search.capability: the ranking is the runtime's own.",
    ),
    variant(
        Switch::LimitIgnored,
        "limit-ignored",
        "A model that asks for fewer tools gets as many as ever.",
        "search.at-most-four: four are the most, whatever number is asked for.",
    ),
    CorrectVariant {
        profile: Some("batch-shares-maximum = true"),
        ..variant(
            Switch::BatchSharesFour,
            "batch-shares-four",
            "All searches of one batch share four places.",
            "Accepted readings: two searches in one batch.",
        )
    },
    variant(
        Switch::MarkerNamesMatches,
        "marker-names-matches",
        "The marker names what matched and was active already as well, up to four names.",
        "Accepted readings: the marker.",
    ),
    variant(
        Switch::MarkerEmpty,
        "marker-empty",
        "A search that activates nothing carries an empty marker.",
        "search.no-match: no marker, or an empty one.",
    ),
    variant(
        Switch::MissNamesSome,
        "miss-names-some",
        "A search that finds nothing names the first tools of the catalog.",
        "Accepted readings: a miss.",
    ),
    variant(
        Switch::MissIsError,
        "miss-is-error",
        "A search that finds nothing is answered with an error.",
        "search.no-match: any result that the model can read will do.",
    ),
    variant(
        Switch::OtherTexts,
        "other-texts",
        "The base prompt, the catalog's instruction, the search tool's description and all results are worded otherwise, and the mode is named.",
        "Texts are the runtime's own.",
    ),
    variant(
        Switch::CatalogLeavesActiveOut,
        "catalog-leaves-active-out",
        "The catalog lists only what is not active; there is none when all are.",
        "Accepted readings: the catalog after an activation.",
    ),
    variant(
        Switch::CatalogStaysEmpty,
        "catalog-stays-empty",
        "The catalog lists only what is not active, and keeps its heading when all are.",
        "catalog.heading: when all are active, with or without it.",
    ),
    variant(
        Switch::CatalogSmaller,
        "catalog-smaller",
        "A catalog that cannot list all lists no more than would fit if each line were the longest.",
        "catalog.names: at least so many.",
    ),
    variant(
        Switch::CatalogByName,
        "catalog-by-name",
        "The catalog is sorted by name.",
        "The order of the catalog is the runtime's own.",
    ),
    variant(
        Switch::ToolsByName,
        "tools-by-name",
        "The tools of the ordinary list are sorted by name.",
        "order.stable: any order that is always the same.",
    ),
    variant(
        Switch::SchemasClosed,
        "schemas-closed",
        "Schemas are sent closed to further properties.",
        "activation.next-request: properties and what is required must arrive, the rest is free.",
    ),
    variant(
        Switch::NativeInList,
        "native-in-list",
        "Active tools stand in the ordinary list where the provider could load them as well.",
        "provider.native: at the load point or in the ordinary list.",
    ),
    variant(
        Switch::HousekeepingCalls,
        "housekeeping-calls",
        "Prompts, requests and searches are told to the host by calls of its own kind.",
        "search.local: host calls that are not `tool.*` and carry neither the search's id nor its name.",
    ),
    variant(
        Switch::AskedNoPermission,
        "asked-no-permission",
        "No call of any tool asks for permission first: the host denies when it is to run.",
        "host.same-path: the same way for every tool.",
    ),
    variant(
        Switch::TitleAfterPrompt,
        "title-after-prompt",
        "After the first prompt the provider is asked for a title of the session.",
        "Helper requests are the runtime's own.",
    ),
    variant(
        Switch::TitleBeforePrompt,
        "title-before-prompt",
        "Before each prompt's first request the provider is asked for a title, which quotes the prompt.",
        "Helper requests are the runtime's own, whatever they quote.",
    ),
    variant(
        Switch::AsksTwice,
        "asks-twice",
        "Each request is sent once more after a good answer, and the second answer taken.",
        "A request with the body of the one before is a repeat of it.",
    ),
    variant(
        Switch::NeverRetries,
        "never-retries",
        "A request that fails ends the prompt.",
        "provider.retry: what holds where a request is sent again.",
    ),
    variant(
        Switch::StatelessSet,
        "stateless-set",
        "The active set is read from the rows before each request, so that a checkpoint in a prompt empties it.",
        "activation.lasts: once a checkpoint takes the evidence, both ways are accepted.",
    ),
    variant(
        Switch::CheckpointWithoutPrompt,
        "checkpoint-without-prompt",
        "After `new_context` the prompt goes on from the summary alone.",
        "What a checkpoint keeps is the runtime's own; a request right after one is a turn request.",
    ),
    variant(
        Switch::CompactionKeepsTail,
        "compaction-keeps-tail",
        "A compaction keeps the last turn behind its summary.",
        "What a checkpoint keeps is the runtime's own.",
    ),
    variant(
        Switch::FailedPromptDropped,
        "failed-prompt-dropped",
        "A prompt that ends in error leaves no rows.",
        "What a failed turn keeps is the runtime's own.",
    ),
    variant(
        Switch::AbortedPromptDropped,
        "aborted-prompt-dropped",
        "A prompt that the user stops leaves no rows.",
        "What an abort keeps is the runtime's own.",
    ),
    variant(
        Switch::AbortLeavesCallsOpen,
        "abort-leaves-calls-open",
        "A call that the user cuts off gets no result row.",
        "What an abort keeps is the runtime's own.",
    ),
    variant(
        Switch::CameBackForgotten,
        "came-back-forgotten",
        "Evidence older than the removal of a tool that is back counts no more.",
        "Accepted readings: evidence older than the removal of a tool that is back.",
    ),
    variant(
        Switch::WasCoreForgotten,
        "was-core-forgotten",
        "A success of a tool that was core then counts for nothing where it is deferred now.",
        "Accepted readings: a tool that was core when it succeeded and is deferred now.",
    ),
    variant(
        Switch::OrphanRestored,
        "orphan-restored",
        "A successful result that answers no call counts as evidence.",
        "Accepted readings: a result row with no call.",
    ),
    variant(
        Switch::LongMarkerRestored,
        "long-marker-restored",
        "Every name of a marker counts, however many there are.",
        "Accepted readings: more than four names in one persisted marker.",
    ),
    variant(
        Switch::LongMarkerIgnored,
        "long-marker-ignored",
        "A marker with more than four names counts for nothing.",
        "Accepted readings: more than four names in one persisted marker.",
    ),
];

const fn variant(
    switch: Switch,
    key: &'static str,
    behaviour: &'static str,
    freedom: &'static str,
) -> CorrectVariant {
    CorrectVariant { key, behaviour, freedom, profile: None, switch }
}
