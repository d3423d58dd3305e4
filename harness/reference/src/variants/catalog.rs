//! How the catalog and the base prompt may look otherwise.

use std::sync::Arc;

use tacit_contract::Tool;

use crate::activation::SEARCH;
use crate::activation::catalog::{Bounds, HEADING, entry, instruction, remainder};
use crate::session::State;
use crate::switches::{Switch, Switches};

/// The tools that the catalog is made of; `None` for no catalog at all.
pub(crate) fn listed(
    switches: Switches,
    state: &State,
    mut tools: Vec<Arc<Tool>>,
) -> Option<Vec<Arc<Tool>>> {
    let leaves_out = switches.has(Switch::CatalogLeavesActiveOut);
    if leaves_out || switches.has(Switch::CatalogStaysEmpty) {
        tools.retain(|tool| !state.active.contains(tool.name.as_str()));
    }
    if switches.has(Switch::CatalogByName) {
        tools.sort_by(|a, b| a.name.cmp(&b.name));
    }
    (!leaves_out || !tools.is_empty()).then_some(tools)
}

/// The bounds of a catalog that lists no more than it must.
pub(crate) fn bounds(tools: &[Arc<Tool>], usual: Bounds) -> Bounds {
    let lengths = || tools.iter().map(|tool| entry(tool, usual.description).len());
    let frame = HEADING.len() + 1 + instruction().len() + remainder(tools.len()).len();
    let fits = tools.len() <= usual.entries && lengths().sum::<usize>() + frame <= usual.bytes;
    if fits {
        return usual;
    }
    let longest = lengths().max().unwrap_or(1).max(1);
    let entries = (usual.bytes.saturating_sub(frame) / longest).min(usual.entries);
    Bounds { entries, ..usual }
}

/// The base prompt in other words, which name the mode.
pub(crate) fn reworded(state: &State, section: Option<&str>) -> String {
    let begins = format!("You are in {} mode, and the user's hands are yours.", state.view.mode());
    let section = section.map(|section| section.replace(&instruction(), &other_instruction()));
    let parts = [Some(begins), section, Some("Say what you did.".to_owned())];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

fn other_instruction() -> String {
    format!("{SEARCH} loads what is listed here: by name, or by what it is good for.")
}
