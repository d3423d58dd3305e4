//! Scenes: short runs of steps that belong together.
//!
//! A session is a few scenes in a row. A scene only makes it likely that steps which mean
//! something together stand together (a search, then the use of what it found); once the steps
//! are made it is forgotten, and shrinking deletes single steps.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::SBoxedStrategy;
use tacit_contract::session::{Failure, Outcome};
use tacit_contract::{Call, Query, Step, ToolName};

use crate::actions::{action, ahead, late, plugged, updated};
use crate::names::{callable, core, known, weighted};
use crate::queries;
use crate::setting::Setting;
use crate::texts::{PLAIN_PROMPT, imitations, prompts, sayings};

/// The kinds of scenes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scene {
    /// A prompt without a script.
    Plain,
    /// A prompt that names a tool or imitates evidence, without a script.
    Naming,
    /// A tool is searched for by its name and used.
    Find,
    /// A tool is searched for by a capability and used.
    Capability,
    /// A tool is searched for in one prompt and used in the next.
    NextPrompt,
    /// A tool is used that may never have been searched for.
    Unsearched,
    /// A search and the use of what it finds stand in one batch.
    SameBatch,
    /// Several searches, in one batch or in turn.
    Union,
    /// A search that has more matches than it may activate.
    Broad,
    /// A search for all of one plugin.
    PluginWide,
    /// The same tool is searched for twice.
    Again,
    /// Queries that are empty, odd, or find nothing, and then one that finds something.
    Miss,
    /// A name in disguise, several names, or words that ask more of a search than a name does.
    Demanding,
    /// What is active, or core, is searched for again.
    Already,
    /// The arguments of a search are no JSON.
    Unreadable,
    /// A tool is found, and its use fails or is denied.
    Failing,
    /// A tool is found and used beside a read, whose way to the host it must share.
    HostPath,
    /// A tool says something that names a tool or imitates evidence.
    Saying,
    /// Whatever a model may do.
    Script,
    /// The provider fails before an answer.
    Provider,
    /// A tool is found, and the session goes on with another provider.
    Switch,
    /// The user stops a prompt.
    Abort,
    /// The model starts a new context.
    NewContext,
    /// The session is saved and opened again.
    Restart,
    /// An earlier saved state is opened.
    Branch,
    /// The user compacts.
    Compact,
    /// The mode changes.
    Mode,
    /// A plugin goes.
    Unplug,
    /// A plugin's tool is used; the plugin goes, and may come back.
    Replug,
    /// A plugin's tool is found, and the plugin comes in a new version.
    Update,
    /// A plugin's tool is found, and the session opened again before the plugin has registered.
    Late,
    /// Another session is opened beside this one.
    Elsewhere,
    /// Another session has a plugin in a newer version than this one, which finds a tool of it.
    Ahead,
}

/// A prompt with a text.
pub(crate) fn prompt(text: impl Into<String>) -> Step {
    Step::Prompt { text: text.into() }
}

/// An answer with a batch of calls.
pub(crate) fn answer(calls: Vec<Call>) -> Step {
    Step::Answer { calls }
}

/// A search for a name or a text.
pub(crate) fn search(text: &str) -> Call {
    Call::Search { query: Query::text(text) }
}

/// A use of a tool that the host lets succeed.
pub(crate) fn use_ok(tool: &ToolName) -> Call {
    Call::Use { tool: tool.clone(), outcome: Outcome::Ok, says: None }
}

type Steps = SBoxedStrategy<Vec<Step>>;

/// What the host makes of most calls.
fn outcomes() -> SBoxedStrategy<Outcome> {
    select(vec![
        Outcome::Ok,
        Outcome::Ok,
        Outcome::Ok,
        Outcome::Ok,
        Outcome::Ok,
        Outcome::Error,
        Outcome::Denied,
    ])
    .sboxed()
}

fn uses(setting: &Setting) -> SBoxedStrategy<Call> {
    (callable(), outcomes(), prop::option::weighted(0.12, sayings(setting)))
        .prop_map(|(tool, outcome, says)| Call::Use { tool, outcome, says })
        .sboxed()
}

fn searches(setting: &Setting) -> SBoxedStrategy<Call> {
    queries::queries(setting).prop_map(|query| Call::Search { query }).sboxed()
}

fn calls(setting: &Setting) -> SBoxedStrategy<Call> {
    weighted(vec![
        (50, searches(setting)),
        (36, uses(setting)),
        (12, Just(Call::Read).sboxed()),
        (if setting.new_context { 2 } else { 0 }, Just(Call::NewContext).sboxed()),
    ])
}

/// An answer of one to three calls, of one most often.
fn answers(setting: &Setting) -> SBoxedStrategy<Step> {
    weighted(vec![
        (70, vec(calls(setting), 1..=1).sboxed()),
        (30, vec(calls(setting), 2..=3).sboxed()),
    ])
    .prop_map(answer)
    .sboxed()
}

/// Failures of every kind; those after which runtimes ask again are the ones that say most.
fn failures() -> SBoxedStrategy<Step> {
    weighted(
        Failure::ALL
            .map(|failure| (weight(failure), Just(Step::Fail { failure }).sboxed()))
            .to_vec(),
    )
}

fn weight(failure: Failure) -> u32 {
    match failure {
        Failure::Overloaded | Failure::BreaksOff => 6,
        Failure::RateLimited | Failure::ServerError | Failure::Disconnects => 4,
        Failure::Empty => 3,
        Failure::BadRequest | Failure::Unauthorized => 2,
    }
}

/// A prompt, and then what follows from a tool's name.
fn about_a_tool(setting: &Setting, steps: fn(&ToolName) -> Vec<Step>) -> Steps {
    (prompts(setting), known())
        .prop_map(move |(text, tool)| {
            let mut all = vec![prompt(text)];
            all.extend(steps(&tool));
            all
        })
        .sboxed()
}

/// A prompt, and then one answer for each call.
fn one_by_one(setting: &Setting, calls: SBoxedStrategy<Vec<Call>>) -> Steps {
    (prompts(setting), calls)
        .prop_map(|(text, calls)| {
            let answers = calls.into_iter().map(|call| answer(vec![call]));
            std::iter::once(prompt(text)).chain(answers).collect()
        })
        .sboxed()
}

/// The steps of a kind of scene; `None` where the runtime cannot take them.
#[must_use]
pub fn scene(kind: Scene, setting: &Setting) -> Option<Steps> {
    let steps = match kind {
        Scene::Plain => prompts(setting).prop_map(|text| vec![prompt(text)]).sboxed(),
        Scene::Naming => imitations(setting).prop_map(|text| vec![prompt(text)]).sboxed(),
        Scene::Find => find(setting),
        Scene::Capability => capability(setting),
        Scene::NextPrompt => about_a_tool(setting, |tool| {
            let found = answer(vec![search(tool.as_str())]);
            vec![found, prompt(PLAIN_PROMPT), answer(vec![use_ok(tool)])]
        }),
        Scene::Unsearched => (prompts(setting), uses(setting))
            .prop_map(|(text, call)| vec![prompt(text), answer(vec![call])])
            .sboxed(),
        Scene::SameBatch => same_batch(setting),
        Scene::Union => union(setting),
        Scene::Broad => one_search(setting, queries::broad()),
        Scene::PluginWide => one_search(setting, queries::plugin_wide()),
        Scene::Again => about_a_tool(setting, |tool| {
            vec![answer(vec![search(tool.as_str())]), answer(vec![search(tool.as_str())])]
        }),
        Scene::Miss => miss(setting),
        Scene::Demanding => one_search(setting, demanding()),
        Scene::Already => already(setting),
        Scene::Unreadable => one_search(setting, queries::without_json()),
        Scene::Failing => failing(setting),
        Scene::HostPath => about_a_tool(setting, |tool| {
            vec![
                answer(vec![Call::Read]),
                answer(vec![search(tool.as_str())]),
                answer(vec![use_ok(tool)]),
            ]
        }),
        Scene::Saying => saying(setting),
        Scene::Script => (prompts(setting), vec(answers(setting), 1..=4))
            .prop_map(|(text, answers)| std::iter::once(prompt(text)).chain(answers).collect())
            .sboxed(),
        Scene::Provider => provider(setting),
        Scene::Replug => plugged(setting)?,
        Scene::Update => updated(setting)?,
        Scene::Late => late(setting)?,
        Scene::Ahead => ahead(setting),
        other => action(other, setting)?,
    };
    Some(steps)
}

fn find(setting: &Setting) -> Steps {
    // Without the use now and then: evidence by the search alone.
    (prompts(setting), known(), prop::bool::weighted(0.7), prop::bool::weighted(0.2))
        .prop_map(|(text, tool, used, twice)| {
            let mut steps = vec![prompt(text), answer(vec![search(tool.as_str())])];
            if used {
                steps.push(answer(vec![use_ok(&tool)]));
            }
            if used && twice {
                steps.push(answer(vec![use_ok(&tool)]));
            }
            steps
        })
        .sboxed()
}

fn capability(setting: &Setting) -> Steps {
    let owned = known().prop_map(|tool| {
        let words = crate::universe::find(tool.as_str()).map_or(["", ""], |entry| entry.own_words);
        vec![search(&words.join(" ")), use_ok(&tool)]
    });
    one_by_one(setting, owned.sboxed())
}

fn same_batch(setting: &Setting) -> Steps {
    (prompts(setting), known(), any::<bool>(), any::<bool>())
        .prop_map(|(text, tool, use_first, again)| {
            let mut calls = vec![search(tool.as_str()), use_ok(&tool)];
            if use_first {
                calls.reverse();
            }
            let mut steps = vec![prompt(text), answer(calls)];
            if again {
                steps.push(answer(vec![use_ok(&tool)]));
            }
            steps
        })
        .sboxed()
}

fn union(setting: &Setting) -> Steps {
    let found =
        weighted(vec![(8, queries::exact()), (2, queries::capability()), (1, queries::broad())]);
    let searches = vec(found.prop_map(|query| Call::Search { query }), 2..=3).sboxed();
    let batch = (prompts(setting), searches.clone())
        .prop_map(|(text, calls)| vec![prompt(text), answer(calls)]);
    weighted(vec![(1, batch.sboxed()), (1, one_by_one(setting, searches))])
}

fn one_search(setting: &Setting, query: SBoxedStrategy<Query>) -> Steps {
    one_by_one(setting, query.prop_map(|query| vec![Call::Search { query }]).sboxed())
}

fn miss(setting: &Setting) -> Steps {
    let nothing = weighted(vec![
        (3, queries::empty()),
        (2, queries::miss(setting)),
        (1, queries::decorated()),
    ]);
    let nothing = vec(nothing.prop_map(|query| Call::Search { query }), 1..=3);
    let calls = (nothing, prop::option::weighted(0.5, known())).prop_map(|(mut calls, tool)| {
        calls.extend(tool.map(|tool| search(tool.as_str())));
        calls
    });
    one_by_one(setting, calls.sboxed())
}

fn demanding() -> SBoxedStrategy<Query> {
    weighted(vec![
        (8, queries::disguised()),
        (3, queries::list()),
        (3, queries::in_another_script()),
        (8, queries::in_words()),
        (3, queries::behind_forbidden()),
    ])
}

/// A tool is found, and in the same prompt or the next searched for once more, by its name or by
/// a word that it shares with others; or a core tool is.
fn already(setting: &Setting) -> Steps {
    let again =
        weighted(vec![(3, Just(None).sboxed()), (2, queries::broad().prop_map(Some).sboxed())]);
    let found = (prompts(setting), known(), again, any::<bool>())
        .prop_map(|(text, tool, again, later)| {
            let again = again.unwrap_or_else(|| Query::text(tool.as_str()));
            let mut steps = vec![prompt(text), answer(vec![search(tool.as_str())])];
            steps.extend(later.then(|| prompt(PLAIN_PROMPT)));
            steps.push(answer(vec![Call::Search { query: again }]));
            steps
        })
        .sboxed();
    let named = core(setting).prop_map(|name| Query::text(name.as_str())).sboxed();
    weighted(vec![(3, found), (2, one_search(setting, named))])
}

fn failing(setting: &Setting) -> Steps {
    let failed = select(vec![Outcome::Error, Outcome::Denied]);
    let calls = (known(), failed, prop::bool::weighted(0.3), prop::bool::weighted(0.2)).prop_map(
        |(tool, outcome, before, after)| {
            let mut calls = vec![search(tool.as_str())];
            if before {
                calls.push(use_ok(&tool));
            }
            calls.push(Call::Use { tool: tool.clone(), outcome, says: None });
            if after {
                calls.push(use_ok(&tool));
            }
            calls
        },
    );
    one_by_one(setting, calls.sboxed())
}

fn saying(setting: &Setting) -> Steps {
    let calls = (known(), imitations(setting)).prop_map(|(tool, text)| {
        let found = search(tool.as_str());
        vec![found, Call::Use { tool, outcome: Outcome::Ok, says: Some(text) }]
    });
    one_by_one(setting, calls.sboxed())
}

/// A failure before each answer, and before the closing text, as often as after the last; and
/// sometimes a prompt after it, for a failure may have ended the one that it fell into.
fn provider(setting: &Setting) -> Steps {
    let broad = prop::option::weighted(0.25, queries::broad());
    let at = prop::collection::vec(prop::option::weighted(0.4, failures()), 3..=3);
    let rest = (0_u8..=2, prop::bool::weighted(0.4));
    (prompts(setting), broad, known(), at, failures(), rest)
        .prop_map(|(text, broad, tool, failures, sure, (place, goes_on))| {
            let query = broad.unwrap_or_else(|| Query::text(tool.as_str()));
            let answers =
                [answer(vec![Call::Search { query }]), answer(vec![use_ok(&tool)])].map(Some);
            let mut steps = vec![prompt(text)];
            for (index, (failure, answered)) in
                failures.into_iter().zip(answers.into_iter().chain([None])).enumerate()
            {
                // One place is sure to fail; the others may.
                let failure =
                    if index == usize::from(place) { Some(sure.clone()) } else { failure };
                steps.extend(failure);
                steps.extend(answered);
            }
            steps.extend(goes_on.then(|| prompt(PLAIN_PROMPT)));
            steps
        })
        .sboxed()
}
