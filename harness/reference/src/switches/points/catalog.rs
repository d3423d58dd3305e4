//! What the base prompt says.

use std::sync::Arc;

use tacit_contract::{OriginKind, Standing, Tool};

use super::lines;
use crate::activation::SEARCH;
use crate::activation::catalog::{Bounds, HEADING, instruction, remainder, render};
use crate::own::{SUBMIT_GOAL, SUBMIT_PLAN};
use crate::prompts;
use crate::session::{Session, State};
use crate::switches::{Switch, Switches};
use crate::variants::catalog as variants;

/// The base prompt of the next request, in place of the one that it ought to have.
pub(crate) fn base_prompt(session: &Session, state: &State) -> String {
    let faults = session.options.switches;
    let relics = &state.memory.relics;
    let cached = relics.first_catalog.iter().find(|(mode, _)| *mode == state.view.mode());
    let mut section = match cached.filter(|_| relics.reopened) {
        Some((_, catalog)) => Some(catalog.clone()),
        None => section(faults, state),
    };
    if faults.has(Switch::CatalogNeverRebuilt) {
        let mut first = state.memory.first_catalog.borrow_mut();
        let kept = first.get_or_insert_with(|| section.unwrap_or_default());
        section = (!kept.is_empty()).then(|| kept.clone());
    }
    if faults.has(Switch::CatalogTwice) {
        section = section.map(|section| format!("{section}\n\n{section}"));
    }
    let prompt = if faults.has(Switch::OtherTexts) {
        variants::reworded(state, section.as_deref())
    } else {
        prompts::base(section.as_deref())
    };
    if faults.has(Switch::BasePromptCounts) {
        return format!("{prompt}\n\nRequests so far: {}.", state.memory.requests);
    }
    match state.view.deferred().first() {
        Some(tool) if faults.has(Switch::GuidanceNamesDeferred) => {
            format!("Prefer {} where it fits the task.\n\n{prompt}", tool.name)
        }
        _ => prompt,
    }
}

fn section(faults: Switches, state: &State) -> Option<String> {
    if (faults.has(Switch::CatalogFirstPromptOnly) && state.memory.prompts > 1)
        || (faults.has(Switch::CompactionDropsLoader) && state.memory.compacted)
        || (faults.has(Switch::CatalogGoneOnceActive) && !state.active.is_empty())
        || (faults.has(Switch::ReloadEmptyCatalog) && state.memory.reloaded)
    {
        return None;
    }
    if state.view.deferred().is_empty() {
        let prints = faults.has(Switch::CatalogWhenEmpty);
        return prints.then(|| format!("{HEADING}\n{}", instruction()));
    }
    let tools = variants::listed(faults, state, listed(faults, state))?;
    if faults.has(Switch::CatalogCountOnly) {
        return Some(format!("{HEADING}\n{}\n{} tools can be loaded.", instruction(), tools.len()));
    }
    let mut section = match interpolated(faults, &tools) {
        Some(section) => section,
        None => render(&tools, &bounds(faults, &tools)),
    };
    if faults.has(Switch::RemainderMissing) {
        section = without(&section, |line| line.starts_with("- and "));
    }
    if faults.has(Switch::InstructionMissing) {
        section = without(&section, |line| line == instruction());
    }
    if faults.has(Switch::RemainderNamesAll) {
        let names = tools.iter().skip(64).map(|tool| tool.name.as_str());
        let names: Vec<_> = names.collect();
        if !names.is_empty() {
            section = format!("{section}: {}", names.join(", "));
        }
    }
    if faults.has(Switch::CatalogTooShort) {
        let kept = section.lines().take(5).collect::<Vec<_>>().join("\n");
        let left_out = tools.len().saturating_sub(3);
        section = if left_out > 0 { format!("{kept}\n- and {left_out} more") } else { kept };
    }
    Some(section)
}

/// The tools that the catalog is made of.
fn listed(faults: Switches, state: &State) -> Vec<Arc<Tool>> {
    let mut tools = Vec::new();
    if faults.has(Switch::CatalogListsCore) {
        tools.extend_from_slice(state.view.always());
    }
    if faults.has(Switch::ModeToolDeferred) {
        let handing_in = [SUBMIT_PLAN, SUBMIT_GOAL];
        let always = state.view.always().iter();
        let is_one = |tool: &&Arc<Tool>| handing_in.contains(&tool.name.as_str());
        tools.extend(always.filter(is_one).cloned());
    }
    if faults.has(Switch::LoaderDeferred) {
        tools.extend(state.view.registry().get(SEARCH).cloned());
    }
    if faults.has(Switch::CatalogBeforePolicy) {
        let mode = state.view.mode();
        let all = state.view.registry().tools().iter();
        tools.extend(all.filter(|tool| tool.standing(mode) != Some(Standing::Core)).cloned());
    } else {
        tools.extend_from_slice(state.view.deferred());
    }
    if faults.has(Switch::CatalogWithoutPlugins) {
        tools.retain(|tool| tool.origin.kind != OriginKind::Plugin);
    }
    tools
}

fn bounds(faults: Switches, tools: &[Arc<Tool>]) -> Bounds {
    let mut bounds = Bounds::default();
    if faults.has(Switch::CatalogUnbounded) {
        bounds.entries = usize::MAX;
        bounds.bytes = usize::MAX;
    }
    if faults.has(Switch::CatalogDescriptionUncut) {
        bounds.description = usize::MAX;
        bounds.bytes = usize::MAX;
    }
    if faults.has(Switch::CatalogSmaller) { variants::bounds(tools, bounds) } else { bounds }
}

/// A catalog whose lines are not made by the careful way, for the faults that are about that.
fn interpolated(faults: Switches, tools: &[Arc<Tool>]) -> Option<String> {
    let line: fn(&Tool) -> String = if faults.has(Switch::CatalogInjection) {
        |tool| format!("\n- {}: {}", tool.name, tool.description)
    } else if faults.has(Switch::HiddenCharactersPass) {
        |tool| {
            let words: Vec<_> = tool.description.split_whitespace().collect();
            let text: String = words.join(" ").chars().take(120).collect();
            format!("\n- {}: {text}", tool.name)
        }
    } else if faults.has(Switch::CatalogSchemas) {
        |tool| {
            let text: String = tool.description.split_whitespace().collect::<Vec<_>>().join(" ");
            let text: String = text.chars().take(40).collect();
            format!("\n- {}: {text} {}", tool.name, tool.input_schema)
        }
    } else {
        lines::careless(faults)?
    };
    let mut section = format!("{HEADING}\n{}", instruction());
    let in_tag = faults.has(Switch::EnvelopeEscape);
    if in_tag {
        section.push_str("\n<catalog>");
    }
    for tool in tools.iter().take(64) {
        section.push_str(&line(tool));
    }
    if tools.len() > 64 {
        section.push_str(&remainder(tools.len() - 64));
    }
    if in_tag {
        section.push_str("\n</catalog>");
    }
    Some(section)
}

fn without(section: &str, unwanted: impl Fn(&str) -> bool) -> String {
    section.lines().filter(|line| !unwanted(line)).collect::<Vec<_>>().join("\n")
}
