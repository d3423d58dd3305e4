//! `search.*`: how the model finds a tool.

use std::collections::BTreeSet;

use tacit_contract::protocol::Stop;
use tacit_contract::trace::Issued;
use tacit_contract::{Call, Row, Status, ToolName};

use crate::account::{PromptAccount, RequestAccount, is_search, plainly_deferred, same_call};
use crate::hearing::{Findings, Hearing, Place};
use crate::known::{Ending, result_row};
use crate::rejected::is_hopeless;
use crate::words;

/// A search of a prompt, with the request that it answers and the next one.
struct Search<'a> {
    prompt: &'a PromptAccount<'a>,
    asked: &'a RequestAccount<'a>,
    next: Option<&'a RequestAccount<'a>>,
    issued: &'a Issued,
    place: Place,
}

impl Search<'_> {
    fn text(&self) -> Option<&str> {
        match &self.issued.call {
            Call::Search { query } => query.as_text(),
            _ => None,
        }
    }

    /// The next request, where it holds the result, no checkpoint came in between, and what was
    /// shown before is known.
    fn answered(&self, hearing: &Hearing<'_>) -> Option<&RequestAccount<'_>> {
        self.next.filter(|next| {
            next.result(&self.issued.id).is_some()
                && self.asked.view.is_some()
                && hearing.sets(next).checkpointed == hearing.sets(self.asked).checkpointed
        })
    }

    /// How many searches the batch holds up to this one: where a batch shares one maximum, only
    /// the first is sure of its place.
    fn is_sure_of_its_place(&self, hearing: &Hearing<'_>) -> bool {
        !hearing.account.profile.batch_shares_maximum
            || self.asked.calls().iter().find(|call| is_search(call)).map(|call| &call.id)
                == Some(&self.issued.id)
    }

    fn growth<'a>(&'a self, next: &'a RequestAccount<'_>) -> impl Iterator<Item = &'a ToolName> {
        next.shown.names().filter(|tool| {
            !self.asked.shows(tool) && self.prompt.registry.is_deferred(tool, self.prompt.mode)
        })
    }
}

fn searches<'a>(hearing: &'a Hearing<'_>) -> impl Iterator<Item = Search<'a>> {
    hearing.session.prompts.iter().flat_map(move |prompt| {
        prompt.issued().filter(|(_, issued)| is_search(issued)).map(move |(asked, issued)| {
            let next = prompt.next(asked);
            let place = Place::request(hearing.session, prompt, next.unwrap_or(asked));
            Search { prompt, asked, next, issued, place }
        })
    })
}

/// `search.exact`
pub fn exact(hearing: &Hearing<'_>, findings: &mut Findings) {
    for search in searches(hearing) {
        let Some(tool) = search.text().map(ToolName::from) else { continue };
        let Some(next) = search.answered(hearing) else { continue };
        let due = plainly_deferred(search.prompt, &tool) && !search.asked.shows(&tool);
        if !due || !search.is_sure_of_its_place(hearing) {
            continue;
        }
        findings.premise("search.exact");
        if !next.shows(&tool) {
            let found = format!(
                "a search for exactly {tool} did not activate it; shown: {}",
                next.shown.list()
            );
            findings.breach("search.exact", &search.place, Some(&tool), found);
        } else if search.asked.calls().len() == 1 {
            let alone = search.growth(next).count() == 1;
            findings
                .reading("exact-name", if alone { "that tool alone" } else { "neighbours too" });
        }
    }
}

/// `search.capability`
pub fn capability(hearing: &Hearing<'_>, findings: &mut Findings) {
    for search in searches(hearing) {
        let Some(text) = search.text() else { continue };
        let Some(next) = search.answered(hearing) else { continue };
        if !search.is_sure_of_its_place(hearing) {
            continue;
        }
        let Some(tool) = the_only_match(hearing, search.prompt, text) else { continue };
        if search.asked.shows(&tool) {
            continue;
        }
        findings.premise("search.capability");
        if !next.shows(&tool) {
            let found = format!(
                "every word of `{text}` stands in the texts of {tool}, and in no other's, yet it \
                 was not activated; shown: {}",
                next.shown.list()
            );
            findings.breach("search.capability", &search.place, Some(&tool), found);
        }
    }
}

/// The one deferred tool that holds every word of a query, where no word stands in another's.
/// The words are plain ones, so that no runtime takes them for something else.
fn the_only_match(
    hearing: &Hearing<'_>,
    prompt: &PromptAccount<'_>,
    text: &str,
) -> Option<ToolName> {
    let query: Vec<&str> = text.split(' ').collect();
    let plain = |word: &&str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    if query.is_empty() || query.len() > 6 || !query.iter().all(plain) {
        return None;
    }
    let is_name = |word: &&str| prompt.registry.standing(&(*word).into(), prompt.mode).is_some();
    if query.iter().any(is_name) || prompt.registry.tool(&text.into()).is_some() {
        return None;
    }
    let mut only = None;
    for tool in &hearing.vocabulary.of(&prompt.registry).tools {
        if !prompt.registry.is_deferred(&tool.name, prompt.mode) {
            continue;
        }
        let holds = query.iter().filter(|word| tool.words.contains(**word)).count();
        if holds == query.len() && only.is_none() && plainly_deferred(prompt, &tool.name) {
            only = Some(tool.name.clone());
        } else if holds > 0 {
            return None;
        }
    }
    // What the runtime's own deferred tools say of themselves is not known.
    let mut deferred = prompt.registry.deferred(prompt.mode);
    only.filter(|_| deferred.all(|tool| prompt.registry.tool(tool).is_some()))
}

/// `search.at-most-four`
pub fn at_most_four(hearing: &Hearing<'_>, findings: &mut Findings) {
    let most = usize::try_from(hearing.account.profile.max_per_search).unwrap_or(4);
    for search in searches(hearing) {
        if could_match(hearing, &search) <= most {
            continue;
        }
        let Some(next) = search.answered(hearing) else { continue };
        findings.premise("search.at-most-four");
        if let Some(fact) = hearing.known.get(&search.issued.id)
            && hearing.account.has_transcript()
            && fact.marker.len() > most
        {
            let found = format!("one search names {} tools, {most} at the most", fact.marker.len());
            findings.breach("search.at-most-four", &search.place, None, found);
        }
        let in_batch = search.asked.calls().iter().filter(|call| is_search(call)).count();
        let room =
            if hearing.account.profile.batch_shares_maximum { most } else { most * in_batch };
        let grown: Vec<_> = search.growth(next).map(ToolName::as_str).collect();
        if grown.len() > room {
            let found = format!(
                "{} tools were activated, {room} at the most: {}",
                grown.len(),
                grown.join(", ")
            );
            findings.breach("search.at-most-four", &search.place, None, found);
        }
    }
}

/// How many tools that are not active share a word with a query, or are named in it; eight stand
/// for any number more.
fn could_match(hearing: &Hearing<'_>, search: &Search<'_>) -> usize {
    let Some(text) = search.text() else { return 0 };
    let query: BTreeSet<String> = words::words(text).collect();
    let prompt = search.prompt;
    let given = hearing.vocabulary.of(&prompt.registry);
    let matching = given.tools.iter().filter(|tool| {
        !tool.words.is_disjoint(&query)
            && prompt.registry.is_deferred(&tool.name, prompt.mode)
            && !search.asked.shows(&tool.name)
    });
    matching.take(8).count()
}

/// `search.marker`
pub fn marker(hearing: &Hearing<'_>, findings: &mut Findings) {
    for search in searches(hearing) {
        let Some(fact) = hearing.known.get(&search.issued.id) else { continue };
        let Some(next) = search.answered(hearing) else { continue };
        // A prompt that failed or was stopped need not have kept its rows.
        if fact.ending == Ending::Unknown {
            continue;
        }
        // A runtime that failed in this prompt exported no rows that could hold the marker.
        let mut rows = hearing.session.rows.iter();
        if !rows.any(|rows| !rows.seeded && rows.entry > search.asked.entry) {
            continue;
        }
        let grown: Vec<&ToolName> = search.growth(next).collect();
        if fact.marker.is_empty() && grown.is_empty() {
            continue;
        }
        findings.premise("search.marker");
        let mut once = BTreeSet::new();
        for tool in &fact.marker {
            if !once.insert(tool) {
                let found = format!("the marker names {tool} twice");
                findings.breach("search.marker", &search.place, Some(tool), found);
            }
            if !search.prompt.registry.is_deferred(tool, search.prompt.mode) {
                let found =
                    format!("the marker names {tool}, which is no deferred tool of the mode");
                findings.breach("search.marker", &search.place, Some(tool), found);
            } else if !next.shows(tool) && !search.prompt.registry.is_doubtful(tool) {
                let found =
                    format!("the marker names {tool}, which the next request does not show");
                findings.breach("search.marker", &search.place, Some(tool), found);
            }
            if search.asked.shows(tool) {
                findings.reading("marker", "everything that matched");
            }
        }
        let in_batch: BTreeSet<&ToolName> = search
            .asked
            .calls()
            .iter()
            .filter_map(|call| hearing.known.get(&call.id))
            .flat_map(|fact| fact.proves())
            .collect();
        for tool in grown.into_iter().filter(|tool| !in_batch.contains(*tool)) {
            let found = format!("{tool} was activated, but no marker names it");
            findings.breach("search.marker", &search.place, Some(tool), found);
        }
    }
}

/// `search.no-match`
pub fn no_match(hearing: &Hearing<'_>, findings: &mut Findings) {
    for search in searches(hearing) {
        if !is_hopeless(hearing, search.prompt, &search.issued.call) {
            continue;
        }
        let gave_up = search.prompt.end.filter(|end| {
            end.stop == Stop::Error && !hearing.session.was_refused_in(search.prompt)
        });
        if let Some(end) = gave_up.filter(|_| search.next.is_none()) {
            findings.premise("search.no-match");
            let found = format!(
                "the prompt ended in error: {}",
                end.error.as_deref().unwrap_or("none given")
            );
            findings.breach("search.no-match", &search.place, None, found);
        }
        let Some(next) = search.next.filter(|next| next.view.is_some()) else { continue };
        // Whether the result stands there at all is for `search.row` to say.
        let Some(text) = next.result(&search.issued.id) else { continue };
        findings.premise("search.no-match");
        if text.trim().is_empty() {
            let found = "the result of a search without a match is empty";
            findings.breach("search.no-match", &search.place, None, found);
        }
        let marker = hearing.known.get(&search.issued.id).map(|fact| &fact.marker);
        if hearing.account.has_transcript()
            && let Some(tool) = marker.and_then(|marker| marker.first())
        {
            let found = format!("a search that can match nothing has {tool} in its marker");
            findings.breach("search.no-match", &search.place, Some(tool), found);
        }
    }
}

/// `search.local`
pub fn local(hearing: &Hearing<'_>, findings: &mut Findings) {
    let tool = hearing.search_tool();
    for search in searches(hearing) {
        findings.premise("search.local");
        let call = search.prompt.host.iter().find(|at| {
            at.call.call_id.as_ref().is_some_and(|id| same_call(id, &search.issued.id))
                || at.call.tool_name.as_ref() == Some(&tool)
        });
        if let Some(at) = call {
            let place = Place::in_prompt(hearing.session, search.prompt, at.entry);
            let found = format!("the search made the host call `{}`", at.call.method);
            findings.breach("search.local", &place, Some(&tool), found);
        }
    }
}

/// `search.row`
pub fn row(hearing: &Hearing<'_>, findings: &mut Findings) {
    for search in searches(hearing) {
        if hearing.sets(search.next.unwrap_or(search.asked)).checkpointed {
            continue;
        }
        let Some(next) = search.next.filter(|next| next.view.is_some()) else { continue };
        findings.premise("search.row");
        if next.result(&search.issued.id).is_none() {
            let found = "the next request does not hold the search with its result";
            findings.breach("search.row", &search.place, None, found);
        }
        // What a prompt keeps that failed or was stopped is the runtime's own choice.
        let ended = search.prompt.end.is_some_and(|end| end.stop == Stop::End);
        let exported =
            hearing.session.rows.iter().find(|rows| !rows.seeded && rows.entry > next.entry);
        if let Some(rows) = exported
            && ended
            && !has_row(rows.rows, search.issued)
        {
            let place = Place::entry(hearing.session, search.prompt.number, rows.entry);
            let found = "the transcript does not hold the search with its result";
            findings.breach("search.row", &place, None, found);
        }
        let activity = search.prompt.end.and_then(|end| end.activity.as_ref());
        if let Some(activity) = activity
            && hearing.account.trace.runtime.capabilities.activity
            && !activity.iter().any(|row| same_call(&row.call_id, &search.issued.id))
        {
            let place = Place::in_prompt(hearing.session, search.prompt, search.prompt.end_entry);
            findings.breach("search.row", &place, None, "the user was not shown the search");
        }
    }
}

fn has_row(rows: &[Row], issued: &Issued) -> bool {
    let called = rows.iter().any(|row| match row {
        Row::Assistant { tool_calls, .. } => {
            tool_calls.iter().any(|call| same_call(&call.id, &issued.id))
        }
        _ => false,
    });
    let answered: Option<(Status, Vec<ToolName>)> = result_row(rows, &issued.id);
    called && answered.is_some()
}
