//! Registries: which tools a session has.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::strategy::SBoxedStrategy;
use tacit_contract::protocol::CoreTools;
use tacit_contract::session::Bulk;
use tacit_contract::{OriginKind, ToolSpec};

use crate::hostile::{LONG, plugin_tools};
use crate::names::weighted;
use crate::setting::Setting;
use crate::universe::{Entry, PLUGINS, UNIVERSE};

/// The registry of a session.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Registry {
    /// Its tools by name.
    pub tools: Vec<ToolSpec>,
    /// Its tools by number.
    pub bulk: Bulk,
    /// Whether the tools that the session's steps name are to be added: most sessions should
    /// say something about tools that are there.
    pub completed: bool,
}

/// What kind of registries a mix wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Of every kind, the usual ones most.
    Usual,
    /// Hostile names and descriptions, and large numbers of tools.
    Catalogs,
    /// Ten deferred tools or more, well-behaved and few in number, as a base to grow from.
    Growing,
    /// Well-behaved or hostile, without bulk: a base whose order and texts are changed.
    Texts,
}

/// The tools of the universe that a runtime can be given.
#[must_use]
pub fn universe(setting: &Setting) -> Vec<ToolSpec> {
    entries(setting).map(Entry::spec).collect()
}

fn entries(setting: &Setting) -> impl Iterator<Item = &'static Entry> {
    let given = setting.core_tools == CoreTools::Given;
    UNIVERSE.iter().filter(move |entry| given || !entry.needs_given_core())
}

/// A registry of the kind that is wanted.
pub fn registries(wanted: Wanted, setting: &Setting) -> SBoxedStrategy<Registry> {
    let (tools, bulk) = match wanted {
        Wanted::Usual => (usual(setting), bulk(85, 10, 4, 1, 0)),
        Wanted::Catalogs => (catalogs(setting), bulk(47, 30, 18, 3, 2)),
        Wanted::Growing => (whole(setting), Just(Bulk::default()).sboxed()),
        Wanted::Texts => (texts(setting), Just(Bulk::default()).sboxed()),
    };
    (tools, bulk)
        .prop_map(|((tools, completed), bulk)| Registry { tools: distinct(tools), bulk, completed })
        .sboxed()
}

/// A list of tools, and whether the steps may add to it.
type Tools = SBoxedStrategy<(Vec<ToolSpec>, bool)>;

fn usual(setting: &Setting) -> Tools {
    weighted(vec![
        (40, whole(setting)),
        (28, some(setting)),
        (6, one_plugin(setting)),
        (10, single(setting)),
        (6, none()),
        (4, shuffled(setting)),
        (6, hostile(setting)),
    ])
}

fn catalogs(setting: &Setting) -> Tools {
    weighted(vec![
        (70, hostile(setting)),
        (8, whole(setting)),
        (8, some(setting)),
        (8, single(setting)),
        (6, none()),
    ])
}

fn texts(setting: &Setting) -> Tools {
    weighted(vec![(50, whole(setting)), (20, shuffled(setting)), (30, hostile(setting))])
}

/// All of the universe.
fn whole(setting: &Setting) -> Tools {
    Just((universe(setting), true)).sboxed()
}

/// All of the universe in any order.
fn shuffled(setting: &Setting) -> Tools {
    Just(universe(setting)).prop_shuffle().prop_map(|tools| (tools, true)).sboxed()
}

/// Part of the universe: mostly with the tools that the steps name, sometimes without.
fn some(setting: &Setting) -> Tools {
    let all = universe(setting);
    let count = all.len();
    (subsequence(all, 1..=count), prop::bool::weighted(0.7)).sboxed()
}

/// The tools of one plugin.
fn one_plugin(setting: &Setting) -> Tools {
    let all = universe(setting);
    let of = |id: &&str| {
        let own = |tool: &&ToolSpec| tool.origin.id.as_ref().is_some_and(|own| own == id);
        all.iter().filter(own).cloned().collect()
    };
    let groups: Vec<Vec<ToolSpec>> = PLUGINS.iter().map(of).collect();
    select(groups).prop_map(|tools| (tools, false)).sboxed()
}

/// One tool alone: each kind of origin as often as the others.
fn single(setting: &Setting) -> Tools {
    let of = |kind: OriginKind| {
        let tools: Vec<ToolSpec> =
            universe(setting).into_iter().filter(|tool| tool.origin.kind == kind).collect();
        select(tools).prop_map(|tool| (vec![tool], false)).sboxed()
    };
    weighted(vec![
        (1, of(OriginKind::Builtin)),
        (1, of(OriginKind::Plugin)),
        (1, of(OriginKind::Skill)),
        (1, of(OriginKind::Devkit)),
    ])
}

/// No tool but the runtime's own.
fn none() -> Tools {
    Just((Vec::new(), false)).sboxed()
}

/// Part of the universe, and tools of plugins that mean no good.
fn hostile(setting: &Setting) -> Tools {
    let all = universe(setting);
    let count = all.len();
    (subsequence(all, 0..=count), plugin_tools(setting), any::<bool>())
        .prop_map(|(mut tools, hostile, first)| {
            if first {
                tools.splice(0..0, hostile);
            } else {
                tools.extend(hostile);
            }
            (tools, false)
        })
        .sboxed()
}

/// Bulk of each order of magnitude, with the given weights: none, up to 80, up to 1,000, up to
/// 10,000, and few tools with descriptions of the greatest length.
///
/// What costs much is rare: a case with 10,000 tools takes as long as hundreds without.
fn bulk(none: u32, tens: u32, hundreds: u32, thousands: u32, long: u32) -> SBoxedStrategy<Bulk> {
    let of = |count: std::ops::RangeInclusive<u32>, description: std::ops::RangeInclusive<u32>| {
        (count, description).prop_map(|(count, description)| Bulk { count, description }).sboxed()
    };
    let longest = u32::try_from(LONG).unwrap_or(u32::MAX);
    weighted(vec![
        (none, Just(Bulk::default()).sboxed()),
        (tens, of(1..=80, 10..=200)),
        (hundreds, of(81..=1000, 10..=140)),
        (thousands, of(1001..=10_000, 20..=60)),
        (long, of(1..=3, longest / 2..=longest)),
    ])
}

/// Two plugins may bring one name; one plugin does not bring it twice.
fn distinct(tools: Vec<ToolSpec>) -> Vec<ToolSpec> {
    let mut kept: Vec<ToolSpec> = Vec::with_capacity(tools.len());
    for tool in tools {
        if !kept.iter().any(|other| other.name == tool.name && other.origin == tool.origin) {
            kept.push(tool);
        }
    }
    kept
}
