//! `search.decorated`, `search.several`, `search.any-script`, `search.words`: what a search finds
//! beside exact names and plain capabilities.

use std::collections::BTreeSet;

use tacit_contract::{Tool, ToolName};

use super::matching::{how_many_touch, latin, of_another_script, the_better_match, the_only_match};
use super::searches::{Search, searches};
use crate::account::{PromptAccount, RequestAccount, plainly_deferred};
use crate::hearing::{Findings, Hearing};

/// The searches for a text whose outcome is known, each with its text and the next request.
fn asked_for<'a>(
    hearing: &'a Hearing<'_>,
) -> impl Iterator<Item = (Search<'a>, &'a str, &'a RequestAccount<'a>)> {
    searches(hearing).filter_map(|search| {
        let next = search.next.filter(|_| search.answered(hearing).is_some())?;
        let text = search.issued.query()?;
        search.is_sure_of_its_place(hearing).then_some((search, text, next))
    })
}

/// Whether a tool has to be activated by a search that means it.
fn is_due(search: &Search<'_>, tool: &ToolName) -> bool {
    plainly_deferred(search.prompt, tool) && !search.asked.shows(tool)
}

fn hold(
    findings: &mut Findings,
    clause: &str,
    (search, next): (&Search<'_>, &RequestAccount<'_>),
    tool: &ToolName,
    why: &str,
) {
    findings.premise(clause);
    if !next.shows(tool) {
        let found = format!("{why}, yet it was not activated; shown: {}", next.shown.list());
        findings.breach(clause, &search.place, Some(tool), found);
    }
}

/// `search.decorated`
pub fn decorated(hearing: &Hearing<'_>, findings: &mut Findings) {
    for (search, text, next) in asked_for(hearing) {
        let Some(tool) = meant(search.prompt, text).filter(|tool| is_due(&search, tool)) else {
            continue;
        };
        let why = format!("`{text}` is the name of {tool}, decorated or cut short");
        hold(findings, "search.decorated", (&search, next), &tool, &why);
    }
}

/// The one tool whose name a text is, but for what stands around it, its letter case, or the
/// plugin's prefix that it lacks; one of these at a time, but for the case.
fn meant(prompt: &PromptAccount<'_>, text: &str) -> Option<ToolName> {
    let registry = &prompt.registry;
    if registry.tool(&text.into()).is_some()
        || registry.standing(&text.into(), prompt.mode).is_some()
    {
        return None;
    }
    let given = registry.given().iter();
    let known: BTreeSet<&ToolName> = given
        .map(|tool| &tool.name)
        .chain(registry.core(prompt.mode))
        .chain(registry.deferred(prompt.mode))
        .collect();
    let bare = bare(text);
    let mut alike = known.iter().filter(|name| name.as_str().eq_ignore_ascii_case(bare));
    match (alike.next(), alike.next()) {
        (Some(name), None) => Some((*name).clone()),
        (Some(_), Some(_)) => None,
        (None, _) => {
            let mut short =
                registry.given().iter().filter(|tool| without_prefix(tool) == Some(text));
            let tool = short.next()?;
            short.next().is_none().then(|| tool.name.clone())
        }
    }
}

/// A text without a full stop after it, or without quotes or backticks around it.
fn bare(text: &str) -> &str {
    let quoted = ['"', '\'', '`']
        .iter()
        .find_map(|mark| text.strip_prefix(*mark).and_then(|text| text.strip_suffix(*mark)));
    quoted.or_else(|| text.strip_suffix('.')).unwrap_or(text)
}

/// A plugin tool's name without its plugin's.
fn without_prefix(tool: &Tool) -> Option<&str> {
    let plugin = tool.origin.id.as_ref()?;
    let rest = tool.name.as_str().strip_prefix(plugin.as_str())?.strip_prefix(['_', '-'])?;
    (!rest.is_empty()).then_some(rest)
}

/// `search.several`
pub fn several(hearing: &Hearing<'_>, findings: &mut Findings) {
    let most = usize::try_from(hearing.account.profile.max_per_search).unwrap_or(4);
    for (search, text, next) in asked_for(hearing) {
        let names: BTreeSet<ToolName> = text
            .split(|letter: char| letter.is_whitespace() || letter == ',')
            .filter(|name| !name.is_empty())
            .map(ToolName::from)
            .collect();
        let all_deferred = names.iter().all(|name| plainly_deferred(search.prompt, name));
        if !(2..=most).contains(&names.len()) || !all_deferred {
            continue;
        }
        for tool in names.iter().filter(|tool| is_due(&search, tool)) {
            let why = format!("`{}` names {tool} among {}", text.escape_debug(), names.len());
            hold(findings, "search.several", (&search, next), tool, &why);
        }
    }
}

/// `search.any-script`
pub fn any_script(hearing: &Hearing<'_>, findings: &mut Findings) {
    let most = usize::try_from(hearing.account.profile.max_per_search).unwrap_or(4);
    for (search, text, next) in asked_for(hearing) {
        let Some(query) = of_another_script(text) else { continue };
        // In a script that sets no spaces a word may be found wherever its letters stand.
        if how_many_touch(hearing, search.prompt, &query) > most {
            continue;
        }
        let tool = the_only_match(hearing, search.prompt, &query);
        let Some(tool) = tool.filter(|tool| is_due(&search, tool)) else { continue };
        let why = format!("every word of `{text}` stands in the texts of {tool} alone");
        hold(findings, "search.any-script", (&search, next), &tool, &why);
    }
}

/// `search.words`
pub fn whole_words(hearing: &Hearing<'_>, findings: &mut Findings) {
    let most = usize::try_from(hearing.account.profile.max_per_search).unwrap_or(4);
    for (search, text, next) in asked_for(hearing) {
        let Some(query) = latin(text) else { continue };
        let tool = the_better_match(hearing, search.prompt, &query, most);
        let Some(tool) = tool.filter(|tool| is_due(&search, tool)) else { continue };
        let why = format!("no other tool holds as many whole words of `{text}` as {tool}");
        hold(findings, "search.words", (&search, next), &tool, &why);
    }
}
