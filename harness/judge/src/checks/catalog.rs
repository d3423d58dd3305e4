//! `catalog.*`: how the tools that are not active are listed.

use std::collections::BTreeSet;

use tacit_contract::profile::CatalogShape;
use tacit_contract::{ToolName, canary};

use crate::account::{PromptAccount, RequestAccount};
use crate::catalog::LINE_BREAKS;
use crate::hearing::{Findings, Hearing, Place};
use crate::shown::Shown;

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
        if request.catalog.headings == 0 {
            let found = format!("no line of the base prompt is `{}`", shape.heading);
            findings.breach("catalog.heading", &place, None, found);
        }
    }
}

/// `catalog.names`
pub fn names(hearing: &Hearing<'_>, findings: &mut Findings) {
    for (prompt, request, place, shape) in requests(hearing) {
        let tools: Vec<&ToolName> = inactive(prompt, request).collect();
        if tools.is_empty() {
            continue;
        }
        findings.premise("catalog.names");
        let (lengths, all_fit) = lengths(prompt, &tools, shape);
        if all_fit {
            for tool in tools {
                if !request.catalog.lists(tool.as_str()) {
                    let found = format!("{tool} is not listed, though all fit the bound");
                    findings.breach("catalog.names", &place, Some(tool), found);
                }
            }
            continue;
        }
        let longest = lengths.into_iter().max().unwrap_or(1).max(1);
        let room = shape.bytes.saturating_sub(FRAME) / longest;
        let due = room.min(shape.entries).min(tools.len());
        if request.catalog.entries.len() < due {
            let found = format!(
                "{} tools are listed: expected {due} at the least, which would fit if each line \
                 were the longest",
                request.catalog.entries.len()
            );
            findings.breach("catalog.names", &place, None, found);
        }
    }
    readings(hearing, findings);
}

/// Bytes that the heading, an instruction and the count of the rest may take of the bound.
const FRAME: usize = 500;

fn lengths(
    prompt: &PromptAccount<'_>,
    tools: &[&ToolName],
    shape: &CatalogShape,
) -> (Vec<usize>, bool) {
    let frame = shape.entry.len();
    let lengths: Vec<usize> = tools
        .iter()
        .map(|tool| {
            let described = prompt.registry.tool(tool).map_or(shape.line * 4, |tool| {
                tool.description.chars().take(shape.line).map(char::len_utf8).sum()
            });
            frame + tool.as_str().len() + described
        })
        .collect();
    // A tool that is active may still be listed, and then takes up room.
    let listed = prompt.registry.deferred(prompt.mode).take(shape.entries + 1).count();
    let total: usize = lengths.iter().sum();
    let fits = listed <= shape.entries && total + FRAME <= shape.bytes;
    (lengths, fits)
}

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

/// `catalog.no-schema`
pub fn no_schema(hearing: &Hearing<'_>, findings: &mut Findings) {
    let mut lawful: BTreeSet<String> = BTreeSet::new();
    let mut told: BTreeSet<String> = BTreeSet::new();
    let mut all: Vec<(usize, Place, &str, &Shown, &PromptAccount<'_>)> = Vec::new();
    for (prompt, request) in
        hearing.session.prompts.iter().flat_map(|p| p.requests.iter().map(move |r| (p, r)))
    {
        let place = Place::request(hearing.session, prompt, request);
        all.push((request.entry, place, &request.raw.body, &request.shown, prompt));
    }
    for helper in &hearing.session.helpers {
        let Some(prompt) = hearing.session.prompts.get(helper.prompt.max(1) as usize - 1) else {
            continue;
        };
        let place = Place::entry(hearing.session, helper.prompt, helper.entry);
        all.push((helper.entry, place, &helper.raw.body, &helper.shown, prompt));
    }
    all.sort_by_key(|(entry, ..)| *entry);
    for (_, place, body, shown, prompt) in all {
        for (_, definition) in shown.iter() {
            lawful.extend(canary::found(&definition.schema.to_string()).map(str::to_owned));
        }
        if inactive_given(prompt, shown) {
            findings.premise("catalog.no-schema");
        }
        let leaked =
            canary::found(body).find(|word| !lawful.contains(*word) && !told.contains(*word));
        if let Some(word) = leaked.map(str::to_owned) {
            let owner =
                prompt.registry.given().iter().find(|tool| {
                    canary::found(&tool.input_schema.to_string()).any(|own| own == word)
                });
            told.extend(canary::found(body).map(str::to_owned));
            if let Some(owner) = owner {
                let found = format!(
                    "a part of the schema of {}, which is not active, stands in the request",
                    owner.name
                );
                findings.breach("catalog.no-schema", &place, Some(&owner.name), found);
            }
        }
    }
}

fn inactive_given(prompt: &PromptAccount<'_>, shown: &Shown) -> bool {
    prompt.registry.given().iter().any(|tool| !shown.contains(&tool.name))
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
            let found = format!(
                "{} tools are listed, {} at the most",
                catalog.entries.len(),
                shape.entries
            );
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
        let broken: Vec<_> = prompt
            .registry
            .given()
            .iter()
            .filter(|tool| prompt.registry.is_deferred(&tool.name, prompt.mode))
            .filter(|tool| breaks_lines(&tool.description) || breaks_lines(tool.name.as_str()))
            .collect();
        if broken.is_empty() {
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
        let lines: BTreeSet<&str> = view.base_prompt.split(LINE_BREAKS).map(str::trim).collect();
        for tool in broken {
            let own_line = further_lines(&tool.description)
                .chain(further_lines(tool.name.as_str()))
                .filter(|line| line.trim() != shape.heading.trim())
                .find(|line| {
                    // The runtime may have cut the text: its beginning is enough.
                    let line = line.trim();
                    let end = line.char_indices().nth(40).map_or(line.len(), |(end, _)| end);
                    let start = &line[..end];
                    lines.range(start..).next().is_some_and(|found| found.starts_with(start))
                });
            if let Some(line) = own_line {
                let found =
                    format!("a text of {} made a line of its own: `{}`", tool.name, line.trim());
                findings.breach("catalog.one-line", &place, Some(&tool.name), found);
            }
        }
    }
}

fn breaks_lines(text: &str) -> bool {
    text.contains(LINE_BREAKS)
}

/// What of a text stands after a line break, and is long enough to be told from anything else.
fn further_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(LINE_BREAKS).skip(1).filter(|line| line.trim().chars().count() >= 4)
}
