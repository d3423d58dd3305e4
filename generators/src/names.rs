//! Names of tools: those that steps, queries and markers use.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::{SBoxedStrategy, Union};
use tacit_contract::ToolName;

use crate::setting::Setting;
use crate::universe::{PLUGINS, UNIVERSE};

/// Names that no registry has.
pub const UNKNOWN: [&str; 4] = ["acme_gone", "no_such_tool", "PluginX", "delta_sync"];

/// Names of bulk tools: inside the catalog's bound, at its edge, and far beyond it.
pub const BULK: [&str; 9] = [
    "bulk_0000",
    "bulk_0003",
    "bulk_0063",
    "bulk_0064",
    "bulk_0079",
    "bulk_0500",
    "bulk_0999",
    "bulk_5000",
    "bulk_9999",
];

/// A list of one strategy for each weight, without those of weight nought.
pub(crate) fn weighted<T: std::fmt::Debug + 'static>(
    options: Vec<(u32, SBoxedStrategy<T>)>,
) -> SBoxedStrategy<T> {
    Union::new_weighted(options.into_iter().filter(|(weight, _)| *weight > 0).collect()).sboxed()
}

/// One of some fixed names.
fn fixed(names: &[&'static str]) -> SBoxedStrategy<ToolName> {
    select(names.iter().copied().map(ToolName::from).collect::<Vec<_>>()).sboxed()
}

/// A tool of the universe; a few much more often than the rest, so that a session comes back to
/// a tool that it has named before.
pub fn known() -> SBoxedStrategy<ToolName> {
    let weighted: Vec<ToolName> = UNIVERSE
        .iter()
        .flat_map(|entry| std::iter::repeat_n(entry.tool_name(), entry.weight))
        .collect();
    select(weighted).sboxed()
}

/// A tool of the universe, all alike: for rows that say little if another row names the same.
pub fn evenly() -> SBoxedStrategy<ToolName> {
    fixed(&UNIVERSE.each_ref().map(|entry| entry.name))
}

/// A core tool of some mode.
pub fn core(setting: &Setting) -> SBoxedStrategy<ToolName> {
    let names = setting.all_core_names();
    if names.is_empty() { fixed(&["Read"]) } else { select(names).sboxed() }
}

/// A name that a scripted model may call: never one that could reach a real tool of the runtime.
pub fn callable() -> SBoxedStrategy<ToolName> {
    weighted(vec![(92, known()), (6, fixed(&UNKNOWN)), (2, fixed(&BULK))])
}

/// A name that may stand in a row that the harness writes: also that of a core tool, which
/// evidence must never restore as a deferred one.
pub fn recorded(setting: &Setting) -> SBoxedStrategy<ToolName> {
    weighted(vec![
        (30, known()),
        (60, evenly()),
        (4, fixed(&UNKNOWN)),
        (5, core(setting)),
        (1, fixed(&BULK)),
    ])
}

/// The id of a plugin: of the universe mostly, of the bulk or of hostile tools now and then.
pub fn plugin() -> SBoxedStrategy<&'static str> {
    weighted(vec![
        (9, select(PLUGINS.to_vec()).sboxed()),
        (1, select(vec!["bulk", "delta"]).sboxed()),
    ])
}
