//! Scenes in which something happens between prompts, or cuts one short.
//!
//! Each ends with a prompt as a rule, since what an action did shows in the next request.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::SBoxedStrategy;
use tacit_contract::{Call, OtherProvider, PluginId, Step, update};

use crate::names::{known, plugin, weighted};
use crate::scenes::{Scene, answer, prompt, search, use_ok};
use crate::setting::Setting;
use crate::texts::{PLAIN_PROMPT, prompts};
use crate::universe::{From, UNIVERSE};

type Steps = SBoxedStrategy<Vec<Step>>;

/// The steps of a scene about one action; `None` where the runtime cannot take it, or where it
/// is no action.
pub(crate) fn action(kind: Scene, setting: &Setting) -> Option<Steps> {
    match kind {
        Scene::Restart => Some(then_prompt(setting, restart(setting))),
        Scene::Branch => {
            let branch = (1_u32..=3).prop_map(|prompts| Step::Branch { prompts });
            Some(then_prompt(setting, branch.sboxed()))
        }
        Scene::Compact => {
            setting.compact.then(|| then_prompt(setting, Just(Step::Compact).sboxed()))
        }
        Scene::Switch => switch(setting),
        Scene::Elsewhere => Some(then_prompt(setting, Just(Step::Elsewhere).sboxed())),
        Scene::Mode => setting.set_mode.then(|| mode(setting)),
        Scene::Unplug => setting.set_tools.then(|| then_prompt(setting, unplug())),
        Scene::Abort => setting.abort.then(|| abort(setting)),
        Scene::NewContext => setting.new_context.then(|| new_context(setting)),
        _ => None,
    }
}

/// An action, and mostly a prompt after it.
fn then_prompt(setting: &Setting, action: SBoxedStrategy<Step>) -> Steps {
    (action, prop::option::weighted(0.8, prompts(setting)))
        .prop_map(|(action, text)| std::iter::once(action).chain(text.map(prompt)).collect())
        .sboxed()
}

fn restart(setting: &Setting) -> SBoxedStrategy<Step> {
    let from_rows = if setting.transcript { 0.3 } else { 0.0 };
    (prop::bool::weighted(0.25), prop::bool::weighted(from_rows))
        .prop_map(|(process, from_rows)| Step::Restart { process, from_rows })
        .sboxed()
}

/// Evidence by a search, by a use as well, or by what came before, and mostly a prompt that it is
/// restored in; then another provider, alone or beside a restart; and sometimes the way back.
fn switch(setting: &Setting) -> Option<Steps> {
    let api = if setting.several_apis { 3 } else { 0 };
    let loading = if setting.native { 2 } else { 0 };
    if !setting.several_providers() {
        return None;
    }
    let to = weighted(vec![
        (api, Just(OtherProvider::OtherApi).sboxed()),
        (loading, Just(OtherProvider::Native).sboxed()),
        (loading, Just(OtherProvider::Plain).sboxed()),
    ]);
    let found = (prop::bool::weighted(0.75), prop::bool::weighted(0.5), prop::bool::weighted(0.6));
    let restarts = prop::option::weighted(0.35, (restart(setting), any::<bool>()));
    let steps = (prompts(setting), known(), found, to, restarts, prop::bool::weighted(0.35))
        .prop_map(|(text, tool, (searched, used, restored), to, restart, back)| {
            let mut steps = vec![prompt(text)];
            if searched {
                steps.push(answer(vec![search(tool.as_str())]));
                if used {
                    steps.push(answer(vec![use_ok(&tool)]));
                }
            }
            steps.extend(restored.then(|| prompt(PLAIN_PROMPT)));
            let at = steps.len();
            steps.push(Step::SwitchProvider { to });
            if let Some((restart, before)) = restart {
                steps.insert(if before { at } else { at + 1 }, restart);
            }
            steps.push(prompt(PLAIN_PROMPT));
            if back {
                let to = match to {
                    OtherProvider::OtherApi => OtherProvider::OtherApi,
                    OtherProvider::Native => OtherProvider::Plain,
                    OtherProvider::Plain => OtherProvider::Native,
                };
                steps.extend([Step::SwitchProvider { to }, prompt(PLAIN_PROMPT)]);
            }
            steps
        });
    Some(steps.sboxed())
}

fn unplug() -> SBoxedStrategy<Step> {
    plugin().prop_map(|id| Step::Unplug { plugin: id.into() }).sboxed()
}

fn mode(setting: &Setting) -> Steps {
    let modes = select(setting.modes.clone());
    // There and back again as often as there alone: a mode must not leave a trace in another.
    (modes.clone(), prop::option::of(modes), prompts(setting), any::<bool>())
        .prop_map(|(there, back, text, last)| {
            let mut steps = vec![Step::SetMode { mode: there }];
            if let Some(mode) = back {
                steps.push(prompt(text));
                steps.push(Step::SetMode { mode });
            }
            if last {
                steps.push(prompt(PLAIN_PROMPT));
            }
            steps
        })
        .sboxed()
}

fn abort(setting: &Setting) -> Steps {
    (prompts(setting), known(), any::<bool>(), any::<bool>())
        .prop_map(|(text, tool, searched, used)| {
            let mut steps = vec![prompt(text)];
            if searched {
                steps.push(answer(vec![search(tool.as_str())]));
            }
            if used {
                steps.push(answer(vec![use_ok(&tool)]));
            }
            steps.extend([Step::Abort, prompt(PLAIN_PROMPT)]);
            steps
        })
        .sboxed()
}

fn new_context(setting: &Setting) -> Steps {
    (prompts(setting), known(), any::<bool>(), any::<bool>(), any::<bool>())
        .prop_map(|(text, tool, before, used, after)| {
            let mut steps = vec![prompt(text)];
            if before {
                steps.push(answer(vec![search(tool.as_str())]));
            }
            steps.push(answer(vec![Call::NewContext]));
            if used {
                steps.push(answer(vec![use_ok(&tool)]));
            }
            if after {
                steps.push(answer(vec![search(tool.as_str())]));
            }
            steps.push(prompt(PLAIN_PROMPT));
            steps
        })
        .sboxed()
}

/// A plugin's tool is found and used, the plugin goes, a prompt follows, and sometimes the
/// plugin comes back.
pub(crate) fn plugged(setting: &Setting) -> Option<Steps> {
    setting.set_tools.then(|| {
        let between =
            weighted(vec![(2, Just(None).sboxed()), (1, restart(setting).prop_map(Some).sboxed())]);
        let flags = (any::<bool>(), any::<bool>(), any::<bool>());
        (owned(), prompts(setting), between, flags)
            .prop_map(|((id, name), text, between, (used, asked, back))| {
                let plugin = PluginId::from(id);
                let mut steps = vec![prompt(text), answer(vec![search(name)])];
                if used {
                    steps.push(answer(vec![use_ok(&name.into())]));
                }
                steps.push(Step::Unplug { plugin: plugin.clone() });
                steps.extend(between);
                steps.push(prompt(PLAIN_PROMPT));
                if asked {
                    steps.push(answer(vec![search(name)]));
                    steps.push(answer(vec![use_ok(&name.into())]));
                }
                if back {
                    steps.extend([Step::Plug { plugin }, prompt(PLAIN_PROMPT)]);
                }
                steps
            })
            .sboxed()
    })
}

/// A plugin of the universe with one of its tools.
fn owned() -> SBoxedStrategy<(&'static str, &'static str)> {
    let owned: Vec<(&'static str, &'static str)> = UNIVERSE
        .iter()
        .filter_map(|entry| match entry.from {
            From::Plugin(id) => Some(std::iter::repeat_n((id, entry.name), entry.weight)),
            _ => None,
        })
        .flatten()
        .collect();
    select(owned).sboxed()
}

/// A plugin's tool is found, as a rule; the plugin is updated, once or twice; in the prompt after
/// that the tool is restored or searched for, or the one that the new version adds.
pub(crate) fn updated(setting: &Setting) -> Option<Steps> {
    setting.set_tools.then(|| {
        let between = prop::option::weighted(0.35, (restart(setting), any::<bool>()));
        let before = (prop::bool::weighted(0.7), prop::bool::weighted(0.5));
        let after = (prop::bool::weighted(0.3), prop::bool::weighted(0.3));
        (owned(), prompts(setting), before, between, prop::bool::weighted(0.2), after)
            .prop_map(|((id, name), text, (searched, used), between, twice, (again, added))| {
                let update = Step::Update { plugin: id.into() };
                let mut steps = vec![prompt(text)];
                if searched {
                    steps.push(answer(vec![search(name)]));
                    if used {
                        steps.push(answer(vec![use_ok(&name.into())]));
                    }
                }
                let at = steps.len();
                steps.push(update.clone());
                if let Some((restart, first)) = between {
                    steps.insert(if first { at } else { at + 1 }, restart);
                }
                if twice {
                    steps.extend([prompt(PLAIN_PROMPT), update]);
                }
                steps.push(prompt(PLAIN_PROMPT));
                if again {
                    steps.push(answer(vec![search(name)]));
                }
                if added {
                    let name = update::added_name(&id.into(), update::FIRST + 1);
                    steps.push(answer(vec![search(name.as_str())]));
                }
                steps
            })
            .sboxed()
    })
}

/// A plugin's tool is found or used, and the session is opened again before the plugin has
/// registered: by the next prompt it has.
pub(crate) fn late(setting: &Setting) -> Option<Steps> {
    setting.set_tools.then(|| {
        let proof = (prop::bool::weighted(0.8), prop::bool::weighted(0.4));
        (owned(), prompts(setting), proof, prop::bool::weighted(0.25))
            .prop_map(|((id, name), text, (searched, used), asked)| {
                let mut steps = vec![prompt(text)];
                steps.extend(searched.then(|| answer(vec![search(name)])));
                steps.extend(used.then(|| answer(vec![use_ok(&name.into())])));
                steps.extend([Step::RestartLate { plugin: id.into() }, prompt(PLAIN_PROMPT)]);
                steps.extend(asked.then(|| answer(vec![search(name)])));
                steps
            })
            .sboxed()
    })
}

/// A session beside this one has a plugin in a newer version; before that or after it, as a rule,
/// a tool of the plugin is found here.
pub(crate) fn ahead(setting: &Setting) -> Steps {
    let found = (prop::bool::weighted(0.4), prop::bool::weighted(0.7));
    (owned(), prompts(setting), found, prop::bool::weighted(0.3))
        .prop_map(|((id, name), text, (before, after), used)| {
            let mut steps = Vec::new();
            if before {
                steps.extend([prompt(text.clone()), answer(vec![search(name)])]);
            }
            steps.extend([Step::ElsewhereAhead { plugin: id.into() }, prompt(text)]);
            steps.extend(after.then(|| answer(vec![search(name)])));
            steps.extend(used.then(|| answer(vec![use_ok(&name.into())])));
            steps
        })
        .sboxed()
}
