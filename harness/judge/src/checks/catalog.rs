//! `catalog.*`: how the tools that are not active are listed.

use std::collections::BTreeSet;

use tacit_contract::profile::CatalogShape;
use tacit_contract::{ToolName, canary};
use tacit_wire::{RequestView, Visibility};

use crate::account::{PromptAccount, RequestAccount};
use crate::catalog::{LINE_BREAKS, lines};
use crate::hearing::{Findings, Hearing, Place};
use crate::shown::Shown;
use crate::words;

fn requests<'a>(
    hearing: &'a Hearing<'_>,
) -> impl Iterator<Item = (&'a PromptAccount<'a>, &'a RequestAccount<'a>, Place, &'a CatalogShape)>
{
    let shape = hearing.account.profile.catalog.as_ref();
    shape.into_iter().flat_map(move |shape| {
        hearing.session.turns().filter(|(_, request)| request.view.is_some()).map(
            move |(prompt, request)| {
                (prompt, request, Place::request(hearing.session, prompt, request), shape)
            },
        )
    })
}

fn inactive<'a>(
    prompt: &'a PromptAccount<'_>,
    request: &'a RequestAccount<'_>,
) -> impl Iterator<Item = &'a ToolName> {
    prompt.registry.deferred(prompt.mode).filter(|tool| !request.shows(tool))
}

/// `catalog.heading`
pub fn heading(hearing: &Hearing<'_>, findings: &mut Findings) {
    for (prompt, request, place, shape) in requests(hearing) {
        if inactive(prompt, request).next().is_none() {
            continue;
        }
        findings.premise("catalog.heading");
        // A heading that a tool's own text smuggled in is for `catalog.one-line` to name.
        let smuggled = || {
            prompt.registry.given().iter().any(|tool| {
                tool.description.contains(shape.heading.trim())
                    || tool.name.as_str().contains(shape.heading.trim())
            })
        };
        let headings = request.catalog.headings;
        if headings == 0 || headings > 1 && !smuggled() {
            let found =
                format!("`{}` is a line of the base prompt {headings} times", shape.heading);
            findings.breach("catalog.heading", &place, None, found);
        }
    }
}

/// `catalog.names`
pub fn names(hearing: &Hearing<'_>, findings: &mut Findings) {
    for (prompt, request, place, shape) in requests(hearing) {
        let texts = hearing.texts.of(&prompt.registry, prompt.mode, shape);
        let due: Vec<&(ToolName, usize)> = texts
            .lines
            .iter()
            .filter(|(tool, _)| !request.shows(tool) && !prompt.registry.is_doubtful(tool))
            .collect();
        if due.is_empty() {
            continue;
        }
        findings.premise("catalog.names");
        // Tools that are active, and those of a doubtful name, may be listed and take up room.
        let total: usize = texts.lines.iter().map(|(_, length)| length).sum();
        if texts.lines.len() <= shape.entries && total + FRAME <= shape.bytes {
            for (tool, _) in due {
                if !request.catalog.lists(tool.as_str()) {
                    let found = format!("{tool} is not listed, though all fit the bound");
                    findings.breach("catalog.names", &place, Some(tool), found);
                }
            }
            continue;
        }
        let longest = due.iter().map(|(_, length)| *length).max().unwrap_or(1).max(1);
        let room = shape.bytes.saturating_sub(FRAME) / longest;
        let least = room.min(shape.entries).min(due.len());
        if request.catalog.entries.len() < least {
            let listed = request.catalog.entries.len();
            let found = format!(
                "{listed} {} listed: expected {least} at the least, which would fit if each line \
                 were the longest",
                words::tools_are(listed)
            );
            findings.breach("catalog.names", &place, None, found);
        }
    }
    readings(hearing, findings);
}

/// Bytes that the heading, an instruction and the count of the rest may take of the bound.
pub(super) const FRAME: usize = 500;

fn readings(hearing: &Hearing<'_>, findings: &mut Findings) {
    for (prompt, request, ..) in requests(hearing) {
        for tool in prompt.registry.deferred(prompt.mode).filter(|tool| request.shows(tool)) {
            let listed = request.catalog.lists(tool.as_str());
            let reading =
                if listed { "still lists active tools" } else { "leaves active tools out" };
            findings.reading("catalog-after-activation", reading);
        }
    }
}

/// `catalog.only-deferred`
pub fn only_deferred(hearing: &Hearing<'_>, findings: &mut Findings) {
    for (prompt, request, place, _) in requests(hearing) {
        if request.catalog.entries.is_empty() {
            continue;
        }
        findings.premise("catalog.only-deferred");
        let unsure = prompt.registry.has_doubtful(prompt.mode);
        for entry in &request.catalog.entries {
            let tool = ToolName::from(entry.name.as_str());
            if prompt.registry.is_deferred(&tool, prompt.mode) {
                continue;
            }
            let known = prompt.registry.tool(&tool).is_some()
                || prompt.gone.contains(&tool)
                || hearing.is_always_sent(prompt, &tool);
            if known || !unsure {
                let found =
                    format!("{tool} is listed, which is no deferred tool of {} mode", prompt.mode);
                findings.breach("catalog.only-deferred", &place, Some(&tool), found);
            }
        }
    }
}

/// One request as the words of its body are looked at: turn or helper request.
struct Body<'a> {
    entry: usize,
    place: Place,
    text: &'a str,
    /// What a turn request shows; a helper request has no tools of its own to show.
    shown: Option<&'a Shown>,
    view: Option<&'a RequestView>,
    prompt: &'a PromptAccount<'a>,
}

fn bodies<'a>(hearing: &'a Hearing<'_>) -> Vec<Body<'a>> {
    let session = hearing.session;
    let turns = session.prompts.iter().flat_map(|prompt| {
        prompt.requests.iter().map(move |request| Body {
            entry: request.entry,
            place: Place::request(session, prompt, request),
            text: &request.raw.body,
            shown: Some(&request.shown),
            view: request.view.as_ref(),
            prompt,
        })
    });
    let helpers = session.helpers.iter().filter_map(|helper| {
        Some(Body {
            entry: helper.entry,
            place: Place::entry(session, helper.prompt, helper.entry),
            text: &helper.raw.body,
            shown: None,
            view: None,
            prompt: session.prompts.get(helper.prompt.max(1) as usize - 1)?,
        })
    });
    let decidable = |body: &Body<'_>| !session.undecidable.contains_key(&body.entry);
    let mut bodies: Vec<Body<'_>> = turns.chain(helpers).filter(decidable).collect();
    bodies.sort_by_key(|body| body.entry);
    bodies
}

/// `catalog.no-schema`
pub fn no_schema(hearing: &Hearing<'_>, findings: &mut Findings) {
    let mut lawful: BTreeSet<String> = BTreeSet::new();
    let mut told: BTreeSet<String> = BTreeSet::new();
    for body in bodies(hearing) {
        for (_, definition) in body.shown.into_iter().flat_map(Shown::iter) {
            lawful.extend(definition.words.iter().cloned());
        }
        if hearing.account.profile.predeclares {
            lawful.extend(body.view.into_iter().flat_map(declared_words));
        }
        let registry = &body.prompt.registry;
        if registry.given().iter().any(|tool| body.shown.is_none_or(|s| !s.contains(&tool.name))) {
            findings.premise("catalog.no-schema");
        }
        let leaked = canary::found(body.text)
            .find(|word| !lawful.contains(*word) && !told.contains(*word))
            .map(str::to_owned);
        let Some(word) = leaked else { continue };
        told.extend(canary::found(body.text).map(str::to_owned));
        let owner = registry
            .given()
            .iter()
            .find(|tool| canary::found(&tool.input_schema.to_string()).any(|own| own == word));
        let inactive = owner.filter(|tool| !hearing.is_always_sent(body.prompt, &tool.name));
        if let Some(owner) = inactive {
            let found = format!(
                "a part of the schema of {}, which is not active, stands in the request",
                owner.name
            );
            findings.breach("catalog.no-schema", &body.place, Some(&owner.name), found);
        }
    }
}

/// The words of what is sent ahead, in a form that the provider hides from the model.
fn declared_words(view: &RequestView) -> impl Iterator<Item = String> {
    view.tools.iter().filter(|tool| tool.visibility == Visibility::Declared).flat_map(|tool| {
        let schema = tool.schema.to_string();
        canary::found(&schema).map(str::to_owned).collect::<Vec<_>>()
    })
}

/// `catalog.bounded`
pub fn bounded(hearing: &Hearing<'_>, findings: &mut Findings) {
    for (_, request, place, shape) in requests(hearing) {
        let catalog = &request.catalog;
        if catalog.entries.is_empty() {
            continue;
        }
        findings.premise("catalog.bounded");
        if catalog.entries.len() > shape.entries {
            let (listed, most) = (catalog.entries.len(), shape.entries);
            let found = format!("{listed} {} listed, {most} at the most", words::tools_are(listed));
            findings.breach("catalog.bounded", &place, None, found);
        }
        if catalog.text.len() > shape.bytes {
            let found = format!(
                "the catalog has {} bytes, {} at the most",
                catalog.text.len(),
                shape.bytes
            );
            findings.breach("catalog.bounded", &place, None, found);
        }
        for entry in &catalog.entries {
            let length = entry.description.chars().count();
            if length > shape.line {
                let tool = ToolName::from(entry.name.as_str());
                let found = format!(
                    "the description of {tool} has {length} characters, {} at the most",
                    shape.line
                );
                findings.breach("catalog.bounded", &place, Some(&tool), found);
            }
        }
    }
}

/// `catalog.one-line`
pub fn one_line(hearing: &Hearing<'_>, findings: &mut Findings) {
    for (prompt, request, place, shape) in requests(hearing) {
        let Some(view) = &request.view else { continue };
        let catalog = &request.catalog;
        if catalog.entries.is_empty() {
            continue;
        }
        let texts = hearing.texts.of(&prompt.registry, prompt.mode, shape);
        if texts.broken.is_empty() {
            continue;
        }
        findings.premise("catalog.one-line");
        if catalog.headings > 1 {
            let found = format!("`{}` stands there {} times", shape.heading, catalog.headings);
            findings.breach("catalog.one-line", &place, None, found);
        }
        let mut once = BTreeSet::new();
        for entry in &catalog.entries {
            let tool = ToolName::from(entry.name.as_str());
            if !once.insert(&entry.name) && !prompt.registry.is_doubtful(&tool) {
                let found = format!("{tool} has more than one line");
                findings.breach("catalog.one-line", &place, Some(&tool), found);
            }
        }
        let lines: BTreeSet<&str> = lines(&view.base_prompt).map(str::trim).collect();
        let broken = texts.broken.iter().filter_map(|tool| prompt.registry.tool(tool));
        for tool in broken {
            let stands = |line: &&str, after: &str| stands_alone(&lines, line, after);
            let own_line = further_lines(&tool.description)
                .filter(|line| line.trim() != shape.heading.trim())
                .find(|line| stands(line, ""))
                .or_else(|| {
                    let mut of_name = further_lines(tool.name.as_str());
                    of_name.find(|line| stands(line, after_name(shape)))
                });
            if let Some(line) = own_line {
                let found =
                    format!("a text of {} made a line of its own: `{}`", tool.name, line.trim());
                findings.breach("catalog.one-line", &place, Some(&tool.name), found);
            }
        }
    }
}

/// What of a text stands after a line break, and is long enough to be told from anything else.
fn further_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(LINE_BREAKS).skip(1).filter(|line| line.trim().chars().count() >= 4)
}

/// From how many characters on the beginning of a text is enough: the runtime may have cut it.
const BEGINNING: usize = 40;

/// Whether a piece of a text stands in a line of its own. A line that begins with a short piece and
/// goes on in other words is someone else's, unless they come after what follows a name.
fn stands_alone(lines: &BTreeSet<&str>, piece: &str, after_name: &str) -> bool {
    let piece = piece.trim();
    let beginning = piece.char_indices().nth(BEGINNING).map(|(end, _)| &piece[..end]);
    let start = beginning.unwrap_or(piece);
    lines.range(start..).map_while(|line| line.strip_prefix(start)).any(|rest| {
        beginning.is_some()
            || !rest.contains(char::is_alphanumeric)
            || (!after_name.is_empty() && rest.starts_with(after_name))
    })
}

/// What stands between a tool's name and its description.
fn after_name(shape: &CatalogShape) -> &str {
    let rest = shape.entry.split_once("$NAME").map_or("", |(_, rest)| rest);
    rest.split("$DESCRIPTION").next().unwrap_or_default().trim()
}
