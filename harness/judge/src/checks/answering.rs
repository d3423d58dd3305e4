//! `search.active-again`, `search.bounded`, `search.truthful`, `search.not-json`: what the model
//! reads when its search, or its call, comes back.

use std::collections::BTreeSet;

use tacit_contract::protocol::{Api, Stop};
use tacit_contract::{Call, Status, ToolName};

use super::searches::{Search, searches, without_json};
use crate::account::plainly_deferred;
use crate::hearing::{Findings, Hearing, Place};
use crate::known::Ending;
use crate::rejected::is_hopeless;

/// `search.active-again`
pub fn active_again(hearing: &Hearing<'_>, findings: &mut Findings) {
    const CLAUSE: &str = "search.active-again";
    for search in searches(hearing) {
        let Some(tool) = search.text().map(ToolName::from) else { continue };
        let Some(next) = search.answered(hearing) else { continue };
        let Some(text) = next.result(&search.issued.id) else { continue };
        let registry = &search.prompt.registry;
        // Where nothing is deferred, a search is a call of a tool that is not there.
        let there = search.asked.shows(&hearing.search_tool())
            && registry.standing(&tool, search.prompt.mode).is_some()
            && !registry.is_doubtful(&tool)
            && search.asked.shows(&tool);
        if !there {
            continue;
        }
        findings.premise(CLAUSE);
        let mut breach = |tool, found: String| {
            findings.breach(CLAUSE, &search.place, Some(tool), found);
        };
        if !search.names(next, text, &tool) {
            let found = format!("the result of a search for {tool}, which is there, names it not");
            breach(&tool, found);
        }
        let fact = hearing.known.get(&search.issued.id);
        let failed = fact.is_some_and(|fact| fact.ending == Ending::Result(Status::Error));
        if failed {
            breach(&tool, format!("a search for {tool}, which is there, is recorded as an error"));
        }
        let activated = search.activated(hearing, next).unwrap_or_default();
        if let Some(other) = activated.first() {
            breach(other, format!("a search for {tool}, which is there, activated {other}"));
        }
    }
}

/// `search.bounded`
pub fn bounded(hearing: &Hearing<'_>, findings: &mut Findings) {
    let Some(shape) = &hearing.account.profile.catalog else { return };
    let mut hold = |place: &Place, what: &str, tool: Option<&ToolName>, text: &str| {
        findings.premise("search.bounded");
        if text.len() > shape.bytes {
            let found = format!("{what} has {} bytes, {} at the most", text.len(), shape.bytes);
            findings.breach("search.bounded", place, tool, found);
        }
    };
    for search in searches(hearing) {
        let Some(next) = search.next else { continue };
        let Some(text) = next.result(&search.issued.id) else { continue };
        let in_vain = || {
            search.answered(hearing).is_some_and(|next| {
                search.activated(hearing, next).is_some_and(|activated| activated.is_empty())
            })
        };
        if is_hopeless(hearing, search.prompt, &search.issued.call) || in_vain() {
            hold(&search.place, "the result of a search in vain", None, text);
        }
    }
    for prompt in &hearing.session.prompts {
        for (asked, issued) in prompt.issued() {
            let Call::Use { tool, .. } = &issued.call else { continue };
            let refused = asked.view.is_some()
                && !asked.shows(tool)
                && !hearing.is_always_sent(prompt, tool)
                && prompt.host_calls(issued).all(|at| at.call.method != "tool.execute");
            let Some(next) = prompt.next(asked).filter(|_| refused) else { continue };
            if let Some(text) = next.result(&issued.id) {
                let place = Place::request(hearing.session, prompt, next);
                hold(&place, &format!("the refusal of a call of {tool}"), Some(tool), text);
            }
        }
    }
}

/// `search.truthful`
pub fn truthful(hearing: &Hearing<'_>, findings: &mut Findings) {
    const CLAUSE: &str = "search.truthful";
    for search in searches(hearing) {
        let Some(next) = search.answered(hearing) else { continue };
        let Some(text) = next.result(&search.issued.id) else { continue };
        let activated = search.activated(hearing, next).unwrap_or_default();
        if activated.is_empty() {
            continue;
        }
        findings.premise(CLAUSE);
        if let Some(tool) = activated.iter().find(|tool| !search.names(next, text, tool)) {
            let found = format!("the result does not name {tool}, which the search activated");
            findings.breach(CLAUSE, &search.place, Some(tool), found);
        }
        let inactive = |tool: &ToolName| plainly_deferred(search.prompt, tool) && !next.shows(tool);
        if let Some(tool) = passed_off(text, &activated, inactive) {
            let found = format!(
                "the result lists {tool} with what the search activated, though it is not active"
            );
            findings.breach(CLAUSE, &search.place, Some(&tool), found);
        }
    }
}

/// Words by which a text may set apart what it lists: where one of them stands, or a number,
/// nobody but a reader can tell what is said of which name.
const SET_APART: [&str; 22] = [
    "also",
    "best",
    "but",
    "except",
    "excluding",
    "first",
    "four",
    "further",
    "inactive",
    "last",
    "limit",
    "more",
    "most",
    "no",
    "not",
    "only",
    "other",
    "others",
    "rest",
    "three",
    "top",
    "without",
];

/// A tool that is not active and is named in one list with an activated one, in a text that sets
/// nothing apart.
fn passed_off(
    text: &str,
    activated: &[ToolName],
    inactive: impl Fn(&ToolName) -> bool,
) -> Option<ToolName> {
    let pieces = pieces(text);
    let sets_apart = |piece: &Piece<'_>| {
        SET_APART.iter().any(|word| piece.word.eq_ignore_ascii_case(word))
            || piece.word.bytes().all(|byte| byte.is_ascii_digit())
    };
    if pieces.iter().any(sets_apart) {
        return None;
    }
    let mut lists: Vec<Vec<ToolName>> = vec![Vec::new()];
    for piece in &pieces {
        let name = ToolName::from(piece.word);
        let is_name = activated.contains(&name) || inactive(&name);
        if !is_name || !piece.goes_on {
            lists.push(Vec::new());
        }
        if is_name && let Some(list) = lists.last_mut() {
            list.push(name);
        }
    }
    let is_active = |name: &ToolName| activated.contains(name);
    let told_apart: BTreeSet<&ToolName> =
        lists.iter().filter(|list| !list.iter().any(is_active)).flatten().collect();
    // A list of the activated alone tells them from the others, too.
    if lists.iter().any(|list| !list.is_empty() && list.iter().all(is_active)) {
        return None;
    }
    lists
        .iter()
        .filter(|list| list.iter().any(is_active))
        .flatten()
        .find(|name| !is_active(name) && !told_apart.contains(name))
        .cloned()
}

/// A word of a text that could be a name.
struct Piece<'a> {
    word: &'a str,
    /// Whether nothing but what joins the entries of a list stands before it.
    goes_on: bool,
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let joins = |letter: char| matches!(letter, ',' | ' ' | '\n' | '"' | '\'' | '`' | '*');
    let mut pieces = Vec::new();
    let mut before = 0;
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let from = text.len() - rest.len() + start;
        let length = rest[start..].find(|letter| !is_part(letter)).unwrap_or(rest.len() - start);
        let gap = &text[before..from];
        let word = &text[from..from + length];
        // A dash before a name, or after it, is a mark of the list.
        let word = word.trim_matches('-');
        before = from + length;
        rest = &text[before..];
        if !word.is_empty() {
            let goes_on = gap.chars().all(joins) && !gap.contains("\n\n");
            pieces.push(Piece { word, goes_on });
        }
    }
    pieces
}

/// `search.not-json`
pub fn not_json(hearing: &Hearing<'_>, findings: &mut Findings) {
    const CLAUSE: &str = "search.not-json";
    for search in without_json(hearing) {
        let Some(reading) = came_of_it(hearing, &search) else { continue };
        findings.premise(CLAUSE);
        findings.reading(CLAUSE, reading);
        if reading == ENDS {
            let error = search.prompt.end.and_then(|end| end.error.as_deref());
            let found = format!("the prompt ended in error: {}", error.unwrap_or("none given"));
            findings.breach(CLAUSE, &search.place, None, found);
        }
    }
}

const ENDS: &str = "the prompt ends in error";

/// What came of a search whose arguments are no JSON; `None` where something else may be to blame,
/// or where the API had no room for such arguments.
fn came_of_it(hearing: &Hearing<'_>, search: &Search<'_>) -> Option<&'static str> {
    let view = search.asked.view.as_ref()?;
    if view.api == Api::AnthropicMessages && !view.stream {
        return None;
    }
    let failed = super::answers_failed(hearing.session, search.prompt);
    if failed || !search.asked.shows(&hearing.search_tool()) {
        return None;
    }
    let Some(next) = search.next else {
        let end = search.prompt.end?;
        return match end.stop {
            Stop::Error => Some(ENDS),
            Stop::End => Some("the prompt ends"),
            Stop::Aborted => None,
        };
    };
    next.view.as_ref()?;
    if next.result(&search.issued.id).is_none() {
        return Some("it goes on without a result");
    }
    let ending = hearing.known.get(&search.issued.id).map(|fact| fact.ending);
    Some(match ending {
        _ if !hearing.account.has_transcript() => "it goes on with a result",
        Some(Ending::Result(Status::Error)) => "it goes on with an error result",
        Some(Ending::Result(_)) => "it goes on as after a search in vain",
        _ => "it goes on with a result",
    })
}
