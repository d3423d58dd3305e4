//! Evidence that proves nothing: what a faulty runtime may have taken for proof.
//!
//! Each kind has the clause that a tool breaks which is shown because of it.

use std::collections::{BTreeMap, BTreeSet};

use tacit_contract::{Call, Mode, Query, Revision, Status, ToolName};
use tacit_wire::Item;

use crate::account::{Account, PromptAccount, RequestAccount, SessionAccount, is_search};
use crate::hearing::Hearing;
use crate::known::{Ending, Fact, Known};
use crate::words;

/// A kind of evidence that proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rejected {
    /// A failed, denied or timed out result of an earlier prompt.
    Failed,
    /// An interrupted result.
    Interrupted,
    /// A call without a result.
    Missing,
    /// Prose of earlier turns, or a summary.
    Prose,
    /// Evidence that has left the effective context.
    OutOfContext,
    /// A marker on another tool's result.
    ForeignMarker,
    /// Something that happened in another session.
    OtherSession,
    /// A call of this prompt that had to be refused.
    RefusedCall,
    /// The prompt's own text, or what a tool answered in it.
    Text,
    /// A search of this prompt that could find nothing.
    EmptySearch,
}

impl Rejected {
    /// The clause that a tool breaks which is shown because of this.
    #[must_use]
    pub fn clause(self) -> &'static str {
        match self {
            Self::Failed => "restore.ignores-failed",
            Self::Interrupted => "restore.ignores-interrupted",
            Self::Missing => "restore.ignores-missing",
            Self::Prose => "restore.ignores-prose",
            Self::OutOfContext => "restore.effective-context",
            Self::ForeignMarker => "restore.search-evidence",
            Self::OtherSession => "isolation.sessions",
            Self::RefusedCall => "activation.refused-until",
            Self::Text => "activation.not-by-text",
            Self::EmptySearch => "search.no-match",
        }
    }

    /// What it is, to be read after "shown, though".
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Failed => "its only evidence failed",
            Self::Interrupted => "its only evidence was interrupted",
            Self::Missing => "its only call has no result",
            Self::Prose => "only prose speaks of it",
            Self::OutOfContext => "its evidence has left the context",
            Self::ForeignMarker => "the marker that names it is not on a search",
            Self::OtherSession => "it was activated in another session alone",
            Self::RefusedCall => "its only call had to be refused",
            Self::Text => "only the text of this prompt speaks of it",
            Self::EmptySearch => "the search could find nothing",
        }
    }
}

/// The rejected evidence of a request, by tool.
pub type Rejections = BTreeMap<ToolName, BTreeSet<Rejected>>;

/// Gathers what a request holds that proves nothing.
#[must_use]
pub fn rejections(
    hearing: &Hearing<'_>,
    prompt: &PromptAccount<'_>,
    request: &RequestAccount<'_>,
) -> Rejections {
    let Hearing { account, session, known, .. } = hearing;
    let mut found = Rejections::new();
    let restores = account.profile.revision != Revision::R1;
    for (id, fact) in known.iter().filter(|(_, fact)| fact.since < request.entry) {
        let held = request.held.iter().find(|held| held.id == *id);
        let mut add = |tool: &ToolName, kind| {
            found.entry(tool.clone()).or_default().insert(kind);
        };
        let now = fact.prompt == prompt.number;
        if held.is_none() {
            if restores {
                fact.proves().into_iter().for_each(|tool| add(tool, Rejected::OutOfContext));
            }
            continue;
        }
        match fact.ending {
            Ending::Result(Status::Ok) if !fact.search => {
                fact.marker.iter().for_each(|tool| add(tool, Rejected::ForeignMarker));
            }
            Ending::Result(Status::Error) => {
                let kind =
                    if now && !fact.search { Rejected::RefusedCall } else { Rejected::Failed };
                fact.speaks_of().into_iter().for_each(|tool| add(tool, kind));
            }
            Ending::Result(Status::Interrupted) => {
                fact.speaks_of().into_iter().for_each(|tool| add(tool, Rejected::Interrupted));
            }
            Ending::Missing => {
                fact.speaks_of().into_iter().for_each(|tool| add(tool, Rejected::Missing));
            }
            Ending::Result(Status::Ok) | Ending::Unknown => {}
        }
    }
    add_searches(hearing, prompt, request, &mut found);
    add_texts(known, prompt, request, &mut found);
    add_other_sessions(account, session, prompt.mode, request.entry, &mut found);
    found
}

/// A search of this prompt without a usable query speaks of every tool that the request shows
/// and the one that it answers did not.
fn add_searches(
    hearing: &Hearing<'_>,
    prompt: &PromptAccount<'_>,
    request: &RequestAccount<'_>,
    found: &mut Rejections,
) {
    let fresh = prompt.issued().filter(|(asked, issued)| {
        is_search(issued) && prompt.next(asked).is_some_and(|next| next.entry == request.entry)
    });
    let mut searches = fresh.peekable();
    let Some(asked) = searches.peek().map(|(asked, _)| *asked) else { return };
    if asked.view.is_none() {
        return;
    }
    if searches.all(|(_, issued)| is_hopeless(hearing, prompt, &issued.call)) {
        for tool in request.shown.names().filter(|tool| !asked.shows(tool)) {
            found.entry(tool.clone()).or_default().insert(Rejected::EmptySearch);
        }
    }
}

/// Whether a search can match nothing: no query, or one that shares no part of a word with any
/// deferred tool.
#[must_use]
pub fn is_hopeless(hearing: &Hearing<'_>, prompt: &PromptAccount<'_>, call: &Call) -> bool {
    let Call::Search { query } = call else { return false };
    // What a runtime makes of arguments that are no JSON is its own; some mend them.
    let Some(text) = query.as_text() else { return !matches!(query, Query::NotJson { .. }) };
    let asked: Vec<String> = words::words(text).collect();
    if asked.is_empty() {
        // What is no word to us might be one to the runtime, unless there is nothing at all.
        return text.trim().is_empty();
    }
    let touches = |text: &str, own: &BTreeSet<String>| {
        asked.iter().any(|word| {
            text.contains(word.as_str()) || own.iter().any(|own| word.contains(own.as_str()))
        })
    };
    let given = hearing.vocabulary.of(&prompt.registry);
    let own =
        prompt.registry.deferred(prompt.mode).filter(|tool| prompt.registry.tool(tool).is_none());
    !given.tools.iter().any(|tool| touches(&tool.text, &tool.words))
        && !own
            .into_iter()
            .any(|tool| touches(&tool.as_str().to_lowercase(), &words::of_tool(tool, "")))
}

fn add_texts(
    known: &Known,
    prompt: &PromptAccount<'_>,
    request: &RequestAccount<'_>,
    found: &mut Rejections,
) {
    let Some(view) = &request.view else { return };
    let mut add = |text: &str, kind, about: Option<&Fact>| {
        for tool in words::names(text) {
            let Some(standing) = prompt.registry.standing(&tool, prompt.mode) else { continue };
            let own = about.is_some_and(|fact| fact.tool == tool || fact.marker.contains(&tool));
            if standing == tacit_contract::Standing::Deferred && !own {
                found.entry(tool).or_default().insert(kind);
            }
        }
    };
    for item in &view.items {
        match item {
            Item::User { texts } => {
                for text in texts {
                    let own = text.contains(prompt.text);
                    add(text, if own { Rejected::Text } else { Rejected::Prose }, None);
                }
            }
            Item::Assistant { text, .. } | Item::System { text } => {
                add(text, Rejected::Prose, None);
            }
            Item::Result { call_id, text, .. } => {
                let fact = known.get(call_id);
                let now = fact.is_some_and(|fact| fact.prompt == prompt.number);
                // What a search or a refusal of this prompt says is the runtime's own text.
                let own_text = fact.is_some_and(|fact| {
                    now && (fact.search || fact.ending != Ending::Result(Status::Ok))
                });
                if !own_text {
                    add(text, if now { Rejected::Text } else { Rejected::Prose }, fact);
                }
            }
        }
    }
}

fn add_other_sessions(
    account: &Account<'_>,
    session: &SessionAccount<'_>,
    mode: Mode,
    before: usize,
    found: &mut Rejections,
) {
    for other in account.sessions.iter().filter(|other| other.id != session.id) {
        for (prompt, request) in other.turns().filter(|(_, request)| request.entry < before) {
            let active = request
                .shown
                .names()
                .filter(|tool| prompt.mode == mode && prompt.registry.is_deferred(tool, mode));
            for tool in active {
                found.entry(tool.clone()).or_default().insert(Rejected::OtherSession);
            }
        }
    }
}
