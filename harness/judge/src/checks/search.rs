//! `search.*`: how the model finds a tool.

use std::collections::BTreeSet;

use tacit_contract::protocol::Stop;
use tacit_contract::trace::Issued;
use tacit_contract::{Row, Standing, Status, ToolName};

use super::matching::{latin, the_only_match};
use super::searches::{Search, has_no_json, searches};
use crate::account::{RequestAccount, is_search, plainly_deferred, same_call};
use crate::hearing::{Findings, Hearing, Place};
use crate::known::{Ending, result_row};
use crate::rejected::is_hopeless;
use crate::words;

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
        } else if search.asked.calls().len() == 1 && could_match(hearing, &search) > 1 {
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
        let tool = latin(text).and_then(|query| the_only_match(hearing, search.prompt, &query));
        let Some(tool) = tool else { continue };
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

/// `search.at-most-four`
pub fn at_most_four(hearing: &Hearing<'_>, findings: &mut Findings) {
    let most = usize::try_from(hearing.account.profile.max_per_search).unwrap_or(4);
    for search in searches(hearing) {
        let Some(next) = search.answered(hearing) else { continue };
        active_matches(hearing, &search, next, most, findings);
        if could_match(hearing, &search) <= most {
            continue;
        }
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
        if let Some(sure) = sure_to_find(hearing, &search, most)
            && sure > most
            && grown.len() >= most
        {
            let each = grown.len() > most;
            findings.reading("batch", if each { "four each" } else { "four together" });
        }
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

/// How many tools the searches of a batch are sure to find if each has all places for itself: the
/// first a word that more tools hold than there are places, and others the exact names of tools
/// that do not hold it. `None` where this is not the first search of such a batch.
fn sure_to_find(hearing: &Hearing<'_>, search: &Search<'_>, most: usize) -> Option<usize> {
    let searches: Vec<_> =
        search.asked.calls().iter().filter(|call| is_search(call) && !has_no_json(call)).collect();
    let (first, others) = searches.split_first()?;
    if first.id != search.issued.id || others.is_empty() {
        return None;
    }
    let [word] = latin(search.text()?)?[..] else { return None };
    let prompt = search.prompt;
    let given = hearing.vocabulary.of(&prompt.registry);
    let holders: Vec<_> = given
        .tools
        .iter()
        .filter(|tool| tool.words.contains(word))
        .filter(|tool| plainly_deferred(prompt, &tool.name) && !search.asked.shows(&tool.name))
        .map(|tool| &tool.name)
        .collect();
    let exact: BTreeSet<ToolName> = others
        .iter()
        .filter_map(|call| call.query().map(ToolName::from))
        .filter(|tool| plainly_deferred(prompt, tool) && !search.asked.shows(tool))
        .filter(|tool| !holders.contains(&tool))
        .collect();
    (holders.len() >= most).then(|| most + exact.len())
}

/// Whether matches that are active use up places: seen where one word asks for more tools than
/// there are places, and one of them is active.
fn active_matches(
    hearing: &Hearing<'_>,
    search: &Search<'_>,
    next: &RequestAccount<'_>,
    most: usize,
    findings: &mut Findings,
) {
    let words = search.text().and_then(latin).unwrap_or_default();
    let [word] = words[..] else { return };
    let prompt = search.prompt;
    let given = hearing.vocabulary.of(&prompt.registry);
    let (active, inactive): (Vec<_>, Vec<_>) = given
        .tools
        .iter()
        .filter(|tool| tool.words.contains(word))
        .filter(|tool| prompt.registry.is_deferred(&tool.name, prompt.mode))
        .partition(|tool| search.asked.shows(&tool.name));
    if active.is_empty() || inactive.len() < most || !search.is_alone() {
        return;
    }
    let grown = search.growth(next).count();
    if grown >= most {
        findings.reading("active-matches", "active matches use up no places");
    } else if grown + active.len() >= most {
        findings.reading("active-matches", "active matches use up places");
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
        if fact.ending == Ending::Unknown || !hearing.account.has_transcript() {
            continue;
        }
        let grown: Vec<&ToolName> = search.growth(next).collect();
        marker_holds(&search, &fact.marker, findings);
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

/// Whether a marker names what is new, or everything that matched: seen where a tool is searched
/// for by its name that is active already.
fn marker_holds(search: &Search<'_>, marker: &[ToolName], findings: &mut Findings) {
    if marker.iter().any(|tool| search.asked.shows(tool)) {
        findings.reading("marker", "everything that matched");
    } else if let Some(tool) = search.text().map(ToolName::from)
        && plainly_deferred(search.prompt, &tool)
        && search.asked.shows(&tool)
    {
        findings.reading("marker", "what is new");
    }
}

/// `search.no-match`
pub fn no_match(hearing: &Hearing<'_>, findings: &mut Findings) {
    for search in searches(hearing) {
        if !is_hopeless(hearing, search.prompt, &search.issued.call) {
            continue;
        }
        let gave_up = search.prompt.end.filter(|end| {
            end.stop == Stop::Error
                && !hearing.session.was_refused_in(search.prompt)
                && !search.prompt.issued().any(|(_, issued)| has_no_json(issued))
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
        let names_some = words::names(text).any(|tool| plainly_deferred(search.prompt, &tool));
        let reading = if names_some { "it names some of the catalog" } else { "it names none" };
        findings.reading("miss", reading);
        if text.trim().is_empty() {
            let found = "the result of a search without a match is empty";
            findings.breach("search.no-match", &search.place, None, found);
        }
        // A core tool in the marker is for `search.marker` to name.
        let Search { prompt, issued, .. } = search;
        let is_core =
            |tool: &&ToolName| prompt.registry.standing(tool, prompt.mode) == Some(Standing::Core);
        let marker = hearing.known.get(&issued.id).map(|fact| &fact.marker);
        if hearing.account.has_transcript()
            && let Some(tool) = marker.and_then(|marker| marker.iter().find(|tool| !is_core(tool)))
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
