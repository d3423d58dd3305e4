//! Sessions: a registry, a mode, seeds and scenes, put together.

use std::ops::RangeInclusive;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::SBoxedStrategy;
use tacit_contract::protocol::CoreTools;
use tacit_contract::{Call, Mode, ProviderKind, Session, Step, ToolName, ToolSpec};

use crate::coverage::names_of;
use crate::names::weighted;
use crate::occasions;
use crate::registries::{Registry, Wanted, registries};
use crate::scenes::{Scene, answer, prompt, scene, search, use_ok};
use crate::setting::Setting;
use crate::shrink::Shrinking;
use crate::texts::PLAIN_PROMPT;
use crate::transcripts::{Turns, turns};
use crate::universe::find;

/// The most steps that a generated session has.
pub const MAX_STEPS: usize = 40;

/// What a mix is made of.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// Its scenes, with their weights.
    pub scenes: &'static [(Scene, u32)],
    /// How many scenes a session has.
    pub count: RangeInclusive<usize>,
    /// How often, in percent, a session begins with seeded turns.
    pub seeded: u32,
    /// How many seeded turns it then has.
    pub turns: RangeInclusive<usize>,
    /// What kind of turns.
    pub kind: Turns,
    /// What kind of registries.
    pub registry: Wanted,
    /// How often, in percent, the registry's last tool, and the last of its bulk, is searched
    /// for and used: the ones that a catalog's bound leaves out, and the hostile ones.
    pub spotlight: u32,
}

/// The sessions of a recipe.
pub fn sessions(recipe: &Recipe, setting: &Setting) -> SBoxedStrategy<Session> {
    let scenes: Vec<_> = recipe
        .scenes
        .iter()
        .filter_map(|(kind, weight)| scene(*kind, setting).map(|steps| (*weight, steps)))
        .collect();
    let scenes = if scenes.is_empty() {
        Just(vec![vec![prompt(PLAIN_PROMPT)]]).sboxed()
    } else {
        vec(weighted(scenes), recipe.count.clone()).sboxed()
    };
    let reserved = setting.clone();
    let parts = (
        registries(recipe.registry, setting),
        modes(setting),
        seeds(recipe, setting),
        scenes,
        0..=u32::MAX,
        (prop::bool::weighted(percent(recipe.spotlight)), prop::bool::weighted(0.9)),
    );
    let assembled = parts.prop_map(move |(registry, mode, seeds, scenes, seed, (lit, closed))| {
        let mut steps = seeds;
        steps.extend(scenes.into_iter().flatten());
        if lit {
            steps.extend(last_tools(&registry).flat_map(|name| spotlight(&name, &reserved)));
        }
        steps.truncate(MAX_STEPS - 1);
        if closed && !steps.last().is_some_and(is_of_a_prompt) {
            steps.push(prompt(PLAIN_PROMPT));
        }
        let mut tools = registry.tools;
        if registry.completed {
            complete(&mut tools, &steps, &reserved);
        }
        Session {
            seed: u64::from(seed),
            mode,
            // Whoever plays a session says over which kind.
            provider: ProviderKind::PLAINEST,
            tools,
            bulk: registry.bulk,
            steps,
        }
    });
    Shrinking::new(assembled, setting.plainest_mode()).sboxed()
}

fn percent(share: u32) -> f64 {
    f64::from(share.min(100)) / 100.0
}

/// Agent mode most of the time, where the runtime has it: most tools are deferred there.
fn modes(setting: &Setting) -> SBoxedStrategy<Mode> {
    if setting.modes.is_empty() {
        return Just(Mode::Agent).sboxed();
    }
    let of = |mode: Mode| (if mode == Mode::Agent { 12 } else { 1 }, Just(mode).sboxed());
    weighted(setting.modes.iter().copied().map(of).collect())
}

fn seeds(recipe: &Recipe, setting: &Setting) -> SBoxedStrategy<Vec<Step>> {
    let seeded = if setting.transcript { recipe.seeded.min(100) } else { 0 };
    let turns = vec(turns(recipe.kind, setting).prop_map(Step::Seed), recipe.turns.clone());
    weighted(vec![(100 - seeded, Just(Vec::new()).sboxed()), (seeded, turns.sboxed())])
}

/// Whether a step is part of a prompt, so that what came before it shows in a request.
fn is_of_a_prompt(step: &Step) -> bool {
    matches!(step, Step::Prompt { .. } | Step::Answer { .. } | Step::Fail { .. })
}

/// The last tool of the bulk, and the last by name: one that is not of the universe, where there
/// is one.
fn last_tools(registry: &Registry) -> impl Iterator<Item = ToolName> {
    let bulk = registry.bulk.count.checked_sub(1).map(|last| format!("bulk_{last:04}").into());
    let foreign = |tool: &&ToolSpec| find(tool.name.as_str()).is_none();
    let named = registry.tools.iter().rfind(foreign).or(registry.tools.last());
    named.map(|tool| tool.name.clone()).into_iter().chain(bulk)
}

/// A tool is searched for, and used if its name is safe to call.
fn spotlight(name: &ToolName, setting: &Setting) -> Vec<Step> {
    let mut steps = vec![prompt(PLAIN_PROMPT), answer(vec![search(name.as_str())])];
    if !setting.is_reserved(name) {
        steps.push(answer(vec![use_ok(name)]));
    }
    steps
}

/// The texts that the calls of a step search for.
fn queries(step: &Step) -> impl Iterator<Item = &str> {
    let calls = match step {
        Step::Answer { calls } => calls.as_slice(),
        _ => &[],
    };
    calls.iter().filter_map(|call| match call {
        Call::Search { query } => query.as_text(),
        _ => None,
    })
}

/// Adds the tools of the universe that the steps call or search for by their exact name, and those
/// beside which a query says something.
fn complete(tools: &mut Vec<ToolSpec>, steps: &[Step], setting: &Setting) {
    for query in steps.iter().flat_map(queries) {
        for tool in occasions::tools_of(query) {
            if !tools.iter().any(|other| other.name == tool.name) {
                tools.push(tool);
            }
        }
    }
    let mut add = |name: &str| {
        let Some(entry) = find(name) else { return };
        let given = setting.core_tools == CoreTools::Given;
        if (given || !entry.needs_given_core()) && !tools.iter().any(|tool| tool.name == name) {
            tools.push(entry.spec());
        }
    };
    for step in steps {
        match step {
            Step::Answer { calls } => {
                for call in calls {
                    match call {
                        Call::Use { tool, .. } => add(tool.as_str()),
                        Call::Search { query } => add(query.as_text().unwrap_or_default()),
                        Call::Read | Call::NewContext => {}
                    }
                }
            }
            Step::Seed(turn) => {
                for name in turn.moments.iter().flat_map(names_of) {
                    add(name.as_str());
                }
            }
            _ => {}
        }
    }
}
