//! What a recording cannot show. It is no judgement: what is shown, the judge's checks decide.

use tacit_contract::{Mode, Standing, Tool, canary};

/// What two sessions are needed for.
const COMPARED: [&str; 2] = ["initial.cost", "restore.restart"];

const OTHER_SESSION: &str = "a second session to compare with";
const HOST: &str = "host calls, nor whether a call was run";
const ROWS: &str = "the rows that the runtime keeps";
const CHANGES: &str = "changes of the registry";
const CONTEXT: &str = "what has left the context";
const DEFERS: &str = "whether the provider defers";
const ANSWERS: &str = "which requests failed";
const REGISTRY: &str = "tools that no request names, nor texts and schemas in full: `--registry`";
const WORDS: &str = "which words are a schema's own: its schemas hold no canaries";

/// What traffic does not show, whatever is known beside it.
const NEVER: [(&str, &str); 20] = [
    ("search.local", HOST),
    ("activation.refused-until", HOST),
    ("activation.same-batch", HOST),
    ("host.same-path", HOST),
    ("host.no-grant", HOST),
    ("host.mode-forbids", CHANGES),
    ("search.marker", ROWS),
    ("search.row", ROWS),
    ("restore.marker-durable", ROWS),
    ("restore.ignores-interrupted", ROWS),
    ("restore.ignores-missing", ROWS),
    ("restore.ignores-failed", ROWS),
    ("restore.only-catalog", CHANGES),
    ("registry.removed", CHANGES),
    ("registry.fresh", CHANGES),
    ("registry.reserved", CHANGES),
    ("registry.collisions", CHANGES),
    ("restore.effective-context", CONTEXT),
    ("isolation.sessions", OTHER_SESSION),
    ("provider.same", OTHER_SESSION),
];

/// What needs the registry.
const BY_REGISTRY: [&str; 16] = [
    "initial.search-absent",
    "catalog.names",
    "catalog.only-deferred",
    "catalog.one-line",
    "catalog.remainder",
    "catalog.clean-text",
    "search.exact",
    "search.capability",
    "search.no-match",
    "search.decorated",
    "search.several",
    "search.any-script",
    "search.words",
    "search.truthful",
    "activation.next-request",
    "cost.first-request",
];

/// What traffic leaves open where it shows that a clause is broken.
pub(super) fn beside(id: &str) -> Option<&'static str> {
    (id == "restore.search-evidence")
        .then_some("or else the search's marker lacks it, which a recording does not show")
}

/// What files show.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is there or not by itself")]
pub(super) struct Shows {
    registry: bool,
    canaries: bool,
    /// Whether some request says how it was answered.
    pub(super) answers: bool,
    /// Whether there are traces of tacit's own.
    pub(super) own: bool,
}

impl Shows {
    pub(super) fn new(registry: Option<&[Tool]>, mode: Mode) -> Self {
        let mut deferred = registry
            .into_iter()
            .flatten()
            .filter(|tool| tool.standing(mode) == Some(Standing::Deferred));
        let marked = |tool: &Tool| canary::stands_in(&tool.input_schema);
        Self {
            registry: registry.is_some(),
            canaries: registry.is_some() && deferred.all(marked),
            answers: false,
            own: false,
        }
    }

    /// What the files lack that a clause needs, to be read after "does not show"; `None` where it
    /// can be judged.
    pub(super) fn lacks(&self, id: &str) -> Option<&'static str> {
        if self.own { compared(id) } else { self.lacks_of_traffic(id) }
    }

    /// The same of traffic alone.
    pub(super) fn lacks_of_traffic(&self, id: &str) -> Option<&'static str> {
        if let Some((_, why)) = NEVER.iter().find(|(never, _)| *never == id) {
            return Some(why);
        }
        match id {
            "provider.fallback" => Some(DEFERS),
            "provider.retry" if !self.answers => Some(ANSWERS),
            "catalog.no-schema" if !self.canaries => Some(WORDS),
            id if !self.registry && BY_REGISTRY.contains(&id) => Some(REGISTRY),
            id => compared(id),
        }
    }
}

fn compared(id: &str) -> Option<&'static str> {
    COMPARED.contains(&id).then_some(OTHER_SESSION)
}

#[cfg(test)]
mod tests {
    use tacit_contract::clause;

    use super::*;

    #[test]
    fn what_cannot_be_shown_are_clauses_of_the_contract() {
        let never = NEVER.iter().map(|(id, _)| *id);
        for id in never.chain(BY_REGISTRY).chain(COMPARED) {
            assert!(clause::clause(id).is_some(), "{id} is no clause");
        }
    }
}
