//! `catalog.remainder`, `catalog.instruction`, `catalog.clean-text`, `catalog.no-guidance`: what
//! the base prompt says beside the entries of the catalog.

use std::collections::BTreeSet;

use tacit_contract::{Row, ToolName};

use crate::account::{PromptAccount, RequestAccount, plainly_deferred};
use crate::hearing::{Findings, Hearing, Place};
use crate::words;

/// The turn requests that hold a catalog.
fn catalogs<'a>(
    hearing: &'a Hearing<'_>,
) -> impl Iterator<Item = (&'a PromptAccount<'a>, &'a RequestAccount<'a>, Place)> {
    let promised = hearing.account.profile.catalog.is_some();
    hearing
        .session
        .turns()
        .filter(move |(_, request)| promised && request.catalog.headings > 0)
        .map(|(prompt, request)| {
            (prompt, request, Place::request(hearing.session, prompt, request))
        })
}

/// `catalog.remainder`
pub fn remainder(hearing: &Hearing<'_>, findings: &mut Findings) {
    for (prompt, request, place) in catalogs(hearing) {
        let catalog = &request.catalog;
        let listed: BTreeSet<&str> =
            catalog.entries.iter().map(|entry| entry.name.as_str()).collect();
        let unlisted = |tool: &&ToolName| !listed.contains(tool.as_str());
        let deferred = prompt.registry.deferred(prompt.mode).filter(unlisted);
        let least = deferred.filter(|tool| !request.shows(tool)).count();
        if least == 0 {
            continue;
        }
        findings.premise("catalog.remainder");
        // A tool that is active, or whose name is doubtful, may be counted or not.
        let given = prompt.registry.given().iter().map(|tool| &tool.name);
        let own = prompt.registry.deferred(prompt.mode);
        let own = own.filter(|tool| prompt.registry.tool(tool).is_none());
        let most = given
            .chain(own)
            .filter(|tool| prompt.registry.is_deferred(tool, prompt.mode))
            .filter(unlisted)
            .count();
        let told = catalog.notes.iter().flat_map(|line| numbers(line));
        if !told.into_iter().any(|count| (least..=most).contains(&count)) {
            let found = format!(
                "{least} deferred {} not listed, and the catalog does not say so: it notes `{}`",
                words::tools_are(least),
                catalog.notes.last().map_or("", |note| note.trim())
            );
            findings.breach("catalog.remainder", &place, None, found);
        }
    }
}

/// The numbers in a text; digits may be grouped by commas.
fn numbers(text: &str) -> Vec<usize> {
    text.split(|symbol: char| !symbol.is_ascii_digit() && symbol != ',')
        .filter_map(|run| run.replace(',', "").parse().ok())
        .collect()
}

/// `catalog.instruction`
pub fn instruction(hearing: &Hearing<'_>, findings: &mut Findings) {
    let search = hearing.search_tool();
    for (_, request, place) in catalogs(hearing) {
        if request.catalog.entries.is_empty() || !request.shows(&search) {
            continue;
        }
        findings.premise("catalog.instruction");
        if !request.catalog.notes.iter().any(|line| line.contains(search.as_str())) {
            let found = format!("the catalog lists tools and does not name {search}");
            findings.breach("catalog.instruction", &place, Some(&search), found);
        }
    }
}

/// `catalog.clean-text`. That a text makes no line of its own and keeps to the bound is for
/// `catalog.one-line` and `catalog.bounded` to say, of names as of descriptions.
pub fn clean_text(hearing: &Hearing<'_>, findings: &mut Findings) {
    for (prompt, request, place) in catalogs(hearing) {
        let Some(shape) = &hearing.account.profile.catalog else { continue };
        let texts = hearing.texts.of(&prompt.registry, prompt.mode, shape);
        let catalog = &request.catalog;
        if catalog.entries.is_empty() || texts.hidden.is_empty() && texts.astral.is_empty() {
            continue;
        }
        findings.premise(CLEAN);
        let passed = texts.hidden.iter().find(|(symbol, _)| catalog.text.contains(**symbol));
        if let Some((symbol, tool)) = passed {
            let found = format!(
                "the hidden character U+{:04X} of {} stands in the catalog",
                u32::from(*symbol),
                tool.as_str().escape_debug()
            );
            findings.breach(CLEAN, &place, Some(tool), found);
        }
        if !texts.holds_replacement && catalog.text.contains(char::REPLACEMENT_CHARACTER) {
            let found = "half of a character stands in the catalog: U+FFFD took its place";
            findings.breach(CLEAN, &place, texts.astral.first(), found);
        }
    }
    halves(hearing, findings);
}

const CLEAN: &str = "catalog.clean-text";

/// A body that holds half of a surrogate pair is no JSON, and passes for a helper request.
fn halves(hearing: &Hearing<'_>, findings: &mut Findings) {
    let Some(shape) = &hearing.account.profile.catalog else { return };
    for helper in &hearing.session.helpers {
        let Some(half) = half_of_a_pair(&helper.raw.body) else { continue };
        let prompt = helper.prompt.checked_sub(1).and_then(|place| usize::try_from(place).ok());
        let Some(prompt) = prompt.and_then(|place| hearing.session.prompts.get(place)) else {
            continue;
        };
        let texts = hearing.texts.of(&prompt.registry, prompt.mode, shape);
        if let Some(tool) = texts.astral.first() {
            findings.premise(CLEAN);
            let place = Place::entry(hearing.session, helper.prompt, helper.entry);
            let found = format!("half of a surrogate pair stands in the request: `{half}`");
            findings.breach(CLEAN, &place, Some(tool), found);
        }
    }
}

/// An escape in a JSON text that is half of a surrogate pair without the other half.
fn half_of_a_pair(json: &str) -> Option<&str> {
    let mut at = 0;
    while let Some(found) = json[at..].find('\\') {
        let start = at + found;
        let Some(unit) = unit(&json[start..]) else {
            // Two bytes for any other escape: what is escaped may be a backslash itself.
            let escaped = json[start + 1..].chars().next()?;
            at = start + 1 + escaped.len_utf8();
            continue;
        };
        at = start + ESCAPE;
        match unit {
            0xd800..=0xdbff => match self::unit(&json[at..]) {
                Some(0xdc00..=0xdfff) => at += ESCAPE,
                _ => return json.get(start..at),
            },
            0xdc00..=0xdfff => return json.get(start..at),
            _ => {}
        }
    }
    None
}

/// The bytes of an escape such as `\u00e9`.
const ESCAPE: usize = 6;

/// The unit that an escape at the beginning of a text stands for.
fn unit(json: &str) -> Option<u16> {
    let digits = json.get(..ESCAPE)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

/// `catalog.no-guidance`
pub fn no_guidance(hearing: &Hearing<'_>, findings: &mut Findings) {
    const CLAUSE: &str = "catalog.no-guidance";
    for (prompt, request) in hearing.session.turns().filter(|(_, at)| at.view.is_some()) {
        let named: BTreeSet<ToolName> = words::names(&request.catalog.outside).collect();
        let is_due = |tool: &ToolName| {
            is_distinctive(tool.as_str())
                && plainly_deferred(prompt, tool)
                && prompt.registry.tool(tool).is_some()
                && !request.shows(tool)
        };
        if prompt.registry.deferred(prompt.mode).any(is_due) {
            findings.premise(CLAUSE);
        }
        let advised = named.iter().find(|tool| is_due(tool) && !is_told(hearing, prompt, tool));
        if let Some(tool) = advised {
            let place = Place::request(hearing.session, prompt, request);
            let found =
                format!("the base prompt names {tool}, which is not active, beside the catalog");
            findings.breach(CLAUSE, &place, Some(tool), found);
        }
    }
}

/// Whether a name could not be taken for a word of a sentence.
fn is_distinctive(name: &str) -> bool {
    name.bytes().any(|byte| byte == b'_' || byte.is_ascii_digit())
        || name.bytes().skip(1).any(|byte| byte.is_ascii_uppercase())
}

/// Whether the runtime may have the name from somebody else: another tool's text, or a summary of
/// what was said before, which may stand in the base prompt.
fn is_told(hearing: &Hearing<'_>, prompt: &PromptAccount<'_>, tool: &ToolName) -> bool {
    let name = tool.as_str();
    let mut rows = hearing.session.rows.iter().flat_map(|rows| rows.rows);
    let summarised = rows.any(|row| match row {
        Row::Checkpoint { summary } => summary.contains(name),
        _ => false,
    });
    let mut others = prompt.registry.given().iter().filter(|other| other.name != *tool);
    summarised || others.any(|other| other.description.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_pair_is_found_and_a_whole_one_is_not() {
        assert_eq!(half_of_a_pair(r#""a \ud83d b""#), Some(r"\ud83d"));
        assert_eq!(half_of_a_pair(r#""\ud83d\u0041""#), Some(r"\ud83d"));
        assert_eq!(half_of_a_pair(r#""\ude00""#), Some(r"\ude00"));
        assert_eq!(half_of_a_pair(r#""\ud83d\ude00 \u00e9 \n""#), None);
        assert_eq!(half_of_a_pair(r#""a path: \\ud83d""#), None);
        assert_eq!(half_of_a_pair("\"\\é\" \\"), None);
    }

    #[test]
    fn a_name_that_could_be_a_word_is_not_distinctive() {
        assert!(["acme_weather", "BrowserPreview", "tool7"].into_iter().all(is_distinctive));
        assert!(["Skill", "null", "hostile-minded", ""].into_iter().all(|n| !is_distinctive(n)));
    }
}
