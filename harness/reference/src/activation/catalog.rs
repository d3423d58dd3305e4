//! The bounded catalog: what the base prompt says of deferred tools.

use std::sync::Arc;

use tacit_contract::Tool;

use super::SEARCH;
use super::clean::one_line;

/// The line that the section begins with; it ends before the next blank line.
pub const HEADING: &str = "# On-demand tools";

/// The longest name that is printed; legal names are no longer.
const LONGEST_NAME: usize = 64;

/// How large the section may become, whatever the registry holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// The most tools that are listed.
    pub entries: usize,
    /// The most Unicode scalar values of one description.
    pub description: usize,
    /// The most bytes of the whole section.
    pub bytes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { entries: 64, description: 120, bytes: 12_000 }
    }
}

/// The section for these tools: heading, how to load one, a line for each, and how many are left
/// out.
///
/// Registry order decides who is listed, so the text is stable, and work stops at the bound, so
/// ten thousand tools cost what sixty-four do.
#[must_use]
pub fn render(tools: &[Arc<Tool>], bounds: &Bounds) -> String {
    let mut section = format!("{HEADING}\n{}", instruction());
    let room_for_rest = remainder(tools.len()).len();
    let mut listed = 0;
    for tool in tools.iter().take(bounds.entries) {
        let line = entry(tool, bounds.description);
        let rest = if listed + 1 == tools.len() { 0 } else { room_for_rest };
        if section.len() + line.len() + rest > bounds.bytes {
            break;
        }
        section.push_str(&line);
        listed += 1;
    }
    if listed < tools.len() {
        section.push_str(&remainder(tools.len() - listed));
    }
    section
}

/// The line that says how to get at the listed tools.
#[must_use]
pub fn instruction() -> String {
    format!(
        "Call {SEARCH} with an exact name or a few words on what you need: it loads the tools \
         that match, and you can call them from your next step on."
    )
}

/// One tool's line, with the break before it.
pub(crate) fn entry(tool: &Tool, longest: usize) -> String {
    let name = one_line(tool.name.as_str(), LONGEST_NAME);
    let description = one_line(&tool.description, longest);
    let description = if description.is_empty() { "(no description)" } else { &description };
    format!("\n- {name}: {description}")
}

/// The line that stands for the tools that are left out, with the break before it.
#[must_use]
pub fn remainder(count: usize) -> String {
    format!("\n- and {count} more")
}
