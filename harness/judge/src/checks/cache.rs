//! `cache.*`: how much of a request a provider can have kept from the one before.
//!
//! Measured, not judged: a reading says what was seen. The worse of two readings is a breach as
//! well, so that a fault which brings it about can be hunted.

use tacit_wire::{Channel, ShownTool};

use crate::account::{PromptAccount, RequestAccount};
use crate::hearing::{Findings, Hearing, Place};

/// Each two turn requests of a prompt that follow each other, where both can be read.
fn pairs<'a>(
    prompt: &'a PromptAccount<'a>,
) -> impl Iterator<Item = (&'a RequestAccount<'a>, &'a RequestAccount<'a>)> {
    prompt
        .turns()
        .zip(prompt.turns().skip(1))
        .filter(|(earlier, later)| earlier.view.is_some() && later.view.is_some())
}

/// Each two prompts that follow each other with the same registry, mode and provider, with the
/// last request of the one and the first of the other.
fn neighbours<'a>(
    hearing: &'a Hearing<'_>,
) -> impl Iterator<Item = (&'a RequestAccount<'a>, &'a PromptAccount<'a>, &'a RequestAccount<'a>)> {
    let prompts = &hearing.session.prompts;
    prompts.iter().zip(prompts.iter().skip(1)).filter_map(|(before, prompt)| {
        let last = before.turns().last().filter(|last| last.view.is_some())?;
        let first = prompt.first().filter(|first| first.view.is_some())?;
        before.is_like(prompt).then_some((last, prompt, first))
    })
}

/// Whether all that a request shows is shown in a later one too.
fn keeps_all(earlier: &RequestAccount<'_>, later: &RequestAccount<'_>) -> bool {
    earlier.shown.names().all(|tool| later.shows(tool))
}

/// The entries of the ordinary list. What is loaded stands behind it, and moves none of them.
fn listed<'a>(request: &'a RequestAccount<'_>) -> impl Iterator<Item = &'a ShownTool> {
    let tools = request.view.iter().flat_map(|view| &view.tools);
    tools.filter(|tool| tool.channel == Channel::Tools && tool.loaded_at.is_none())
}

/// The first entry of the ordinary list that does not stand where it stood, to the letter.
fn moved<'a>(
    earlier: &'a RequestAccount<'_>,
    later: &'a RequestAccount<'_>,
) -> Option<&'a ShownTool> {
    let written = |tool: &ShownTool| {
        (tool.wire_name.clone(), tool.description.clone(), tool.schema.to_string())
    };
    let mut now = listed(later);
    listed(earlier).find(|tool| now.next().map(written) != Some(written(tool)))
}

/// `cache.order`
pub fn order(hearing: &Hearing<'_>, findings: &mut Findings) {
    const CLAUSE: &str = "cache.order";
    for prompt in &hearing.session.prompts {
        for (earlier, later) in pairs(prompt) {
            let added = later.shown.names().find(|tool| !earlier.shows(tool));
            let Some(added) = added.filter(|_| keeps_all(earlier, later)) else { continue };
            findings.premise(CLAUSE);
            let Some(moved) = moved(earlier, later) else {
                findings.reading(CLAUSE, "kept");
                continue;
            };
            findings.reading(CLAUSE, "moved");
            let place = Place::request(hearing.session, prompt, later);
            let found = format!(
                "{} does not stand as it stood before {added} was added; shown: {}",
                moved.wire_name,
                later.shown.list()
            );
            findings.breach(CLAUSE, &place, Some(added), found);
        }
    }
    for (last, _, first) in neighbours(hearing).filter(|(last, _, first)| keeps_all(last, first)) {
        let kept = moved(last, first).is_none();
        let reading = if kept { "kept at the next prompt" } else { "moved at the next prompt" };
        findings.reading(CLAUSE, reading);
    }
}

/// `cache.base-prompt`
pub fn base_prompt(hearing: &Hearing<'_>, findings: &mut Findings) {
    for prompt in &hearing.session.prompts {
        for (earlier, later) in pairs(prompt) {
            same_base_prompt(hearing, prompt, [earlier, later], "within a prompt", findings);
        }
    }
    for (last, prompt, first) in neighbours(hearing) {
        same_base_prompt(hearing, prompt, [last, first], "across prompts", findings);
    }
}

fn same_base_prompt(
    hearing: &Hearing<'_>,
    prompt: &PromptAccount<'_>,
    [earlier, later]: [&RequestAccount<'_>; 2],
    how: &str,
    findings: &mut Findings,
) {
    const CLAUSE: &str = "cache.base-prompt";
    let (Some(before), Some(now)) = (&earlier.view, &later.view) else { return };
    findings.premise(CLAUSE);
    if before.base_prompt == now.base_prompt {
        findings.reading(CLAUSE, &format!("equal {how}"));
        return;
    }
    findings.reading(CLAUSE, &format!("changes {how}"));
    let place = Place::request(hearing.session, prompt, later);
    let (before, now) = (&before.base_prompt, &now.base_prompt);
    let same = before.bytes().zip(now.bytes()).take_while(|(a, b)| a == b).count();
    let found = format!(
        "of {} bytes of the base prompt {same} stand as they stood in the request before",
        now.len()
    );
    findings.breach(CLAUSE, &place, None, found);
}

/// `cache.loader`
pub fn loader(hearing: &Hearing<'_>, findings: &mut Findings) {
    const CLAUSE: &str = "cache.loader";
    let search = hearing.search_tool();
    let written = |request: &RequestAccount<'_>| {
        let definition = request.shown.get(&search)?;
        Some((definition.description.clone(), definition.schema.to_string()))
    };
    let mut last: Option<(&PromptAccount<'_>, (String, String))> = None;
    for prompt in &hearing.session.prompts {
        for request in prompt.turns() {
            let Some(now) = written(request) else { continue };
            if let Some((_, before)) = last.as_ref().filter(|(last, _)| last.is_like(prompt)) {
                findings.premise(CLAUSE);
                let same = *before == now;
                findings.reading(CLAUSE, if same { "the same" } else { "changes" });
                if !same {
                    let place = Place::request(hearing.session, prompt, request);
                    let found = format!("{search} has another definition than before");
                    findings.breach(CLAUSE, &place, Some(&search), found);
                }
            }
            last = Some((prompt, now));
        }
    }
}
