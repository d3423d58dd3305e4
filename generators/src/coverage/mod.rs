//! What a session holds, as labels: what a run has covered can be printed, and a mix that no
//! longer reaches something shows.

mod registry;
mod steps;

use tacit_contract::session::Moment;
use tacit_contract::{Session, ToolName};

/// Every label, in the order in which they are printed.
pub const LABELS: [&str; 88] = [
    // The registry.
    "no deferred tool",
    "one deferred tool: builtin",
    "one deferred tool: plugin",
    "one deferred tool: skill",
    "one deferred tool: devkit",
    "tool that another mode forbids",
    "bulk",
    "bulk over 80",
    "bulk over 1000",
    "hostile name",
    "reserved name",
    "name of two plugins",
    "hostile description",
    "description of thousands",
    // The mode.
    "begins in another mode than agent",
    "mode change",
    "mode change and back",
    // The seeds.
    "seeded transcript",
    "seeded search evidence",
    "evidence by use alone",
    "failed search",
    "interrupted search",
    "failed use",
    "interrupted use",
    "unanswered call",
    "forged marker",
    "orphaned result",
    "seeded checkpoint",
    "five names in a marker",
    "core name in evidence",
    "unknown name in evidence",
    "forbidden name in evidence",
    // Prompts and what is said.
    "plain prompt",
    "prompt names a tool",
    "imitated evidence",
    "several prompts",
    // Searches.
    "exact search",
    "exact search for a missing tool",
    "search for a forbidden tool",
    "search for a core tool",
    "search beyond the catalog",
    "capability search",
    "five matches",
    "search without a match",
    "blank query",
    "odd query",
    "limited query",
    "decorated name",
    "several names in one query",
    "query in another script",
    "sure best match",
    "match behind forbidden ones",
    "arguments without JSON",
    "search again",
    "several searches in a batch",
    // Uses.
    "use after its search",
    "use without a search",
    "use in the batch of its search",
    "use in the next prompt",
    "denied use",
    "failing use",
    "failure after success",
    "read",
    // What happens.
    "overloaded",
    "rate limited",
    "server error",
    "broken stream",
    "cut connection",
    "empty answer",
    "bad request",
    "unauthorized",
    "provider switch",
    "provider switch after a search",
    "provider switch beside a restart",
    "provider switch and another",
    "abort",
    "new context",
    "restart",
    "restart ends process",
    "restart from rows",
    "plugin registers late",
    "branch",
    "compaction",
    "unplugged plugin",
    "plugin comes back",
    "updated plugin",
    "elsewhere",
    "elsewhere with a newer plugin",
];

/// The labels of a session, each once, in the order of [`LABELS`].
#[must_use]
pub fn labels(session: &Session) -> Vec<&'static str> {
    let mut found = Found::default();
    registry::look(session, &mut found);
    steps::look(session, &mut found);
    LABELS.into_iter().filter(|label| found.0.contains(label)).collect()
}

/// The labels that were found so far.
#[derive(Default)]
struct Found(std::collections::BTreeSet<&'static str>);

impl Found {
    fn add(&mut self, label: &'static str) {
        debug_assert!(LABELS.contains(&label), "`{label}` is not in the list of labels");
        self.0.insert(label);
    }

    fn add_if(&mut self, condition: bool, label: &'static str) {
        if condition {
            self.add(label);
        }
    }
}

/// Every tool that a moment names: in its marker and as the tool that was called.
pub fn names_of(moment: &Moment) -> impl Iterator<Item = &ToolName> {
    let (tool, marker): (Option<&ToolName>, &[ToolName]) = match moment {
        Moment::Searched { marker, .. } => (None, marker),
        Moment::Used { tool, .. } | Moment::Orphaned { tool } => (Some(tool), &[]),
        Moment::Forged { tool, marker } => (Some(tool), marker),
        Moment::Said { .. } | Moment::Summarised { .. } => (None, &[]),
    };
    tool.into_iter().chain(marker)
}
