//! Scenarios: the built-in features, selected and played.

use std::collections::BTreeMap;
use std::rc::Rc;

use tacit_contract::event::ScenarioResult;
use tacit_contract::protocol::Description;
use tacit_contract::runtime::PortFuture;
use tacit_contract::tally::{Counts, Trouble};
use tacit_contract::{Breach, Case, ClauseId, Judgement, PropertyId, ProviderKind, Verdict};
use tacit_steps::catalogue::{ScenarioInfo, built_in, catalogue};
use tacit_steps::port::{Properties, PropertyOutcome};
use tacit_steps::run::Config as Scenes;
use tacit_steps::source::Source;

use crate::bench::{Bench, trouble_of};
use crate::config::Config;
use crate::error::RunError;
use crate::pool::{Pool, Task};

/// How many scenarios are played before a run looks whether to go on.
const HANDFUL: usize = 1;

/// The scenarios that a run plays.
#[derive(Debug, Clone)]
pub struct Selection {
    sources: Vec<Source>,
    chosen: Vec<ScenarioInfo>,
}

/// What one scenario came to.
#[derive(Debug)]
pub struct Outcome {
    /// Its result.
    pub result: ScenarioResult,
    /// What it played.
    pub case: Case,
    /// What the whole judge found in its traces.
    pub judgement: Judgement,
    /// What its own steps found that the judge did not: a breach of each clause it is about.
    pub unmet: Vec<Breach>,
    /// What was played.
    pub counts: Counts,
    /// What went wrong that the script did not cause.
    pub trouble: Option<Trouble>,
}

/// How each property came out that was played so far.
pub type Results = BTreeMap<PropertyId, PropertyOutcome>;

/// The scenarios that a configuration asks for.
///
/// # Errors
/// A tag expression is not understood, or no scenario is left.
pub fn selected(config: &Config) -> Result<Selection, RunError> {
    let problem = |error: &dyn std::fmt::Display| RunError::Usage(error.to_string());
    let sources = built_in().map_err(|error| problem(&error))?;
    let mut filter = tacit_steps::catalogue::Selection::all();
    if let Some(tags) = &config.tags {
        filter = filter.tagged(tags).map_err(|error| problem(&error))?;
    }
    if !config.clauses.is_empty() {
        filter = filter.about(config.clauses.iter().cloned());
    }
    let named = |scenario: &ScenarioInfo| {
        config
            .scenario
            .as_ref()
            .is_none_or(|part| scenario.name.to_lowercase().contains(&part.to_lowercase()))
    };
    let mut chosen = catalogue(&sources);
    chosen.retain(|scenario| filter.takes(scenario) && named(scenario));
    if chosen.is_empty() && (config.tags.is_some() || config.scenario.is_some()) {
        return Err(RunError::Usage(
            "no scenario is left by `--tags` and `--scenario`: `tacit list scenarios` shows all"
                .to_owned(),
        ));
    }
    Ok(Selection { sources, chosen })
}

impl Selection {
    /// One scenario of some features.
    #[must_use]
    pub fn of(scenario: &ScenarioInfo, sources: &[Source]) -> Self {
        let takes = |source: &&Source| source.path == scenario.feature;
        Self {
            sources: sources.iter().filter(takes).cloned().collect(),
            chosen: vec![scenario.clone()],
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chosen.len()
    }

    /// Every scenario of its features, chosen or not.
    #[must_use]
    pub fn catalogue(&self) -> Vec<ScenarioInfo> {
        catalogue(&self.sources)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// The properties that they run.
    pub fn properties(&self) -> impl Iterator<Item = &PropertyId> {
        self.chosen.iter().filter_map(|scenario| scenario.property.as_ref())
    }

    /// Those of the shard that is played. What runs a property goes where that is.
    #[must_use]
    pub fn shard(&self, config: &Config) -> Self {
        let mut part = self.clone();
        part.chosen.retain(|scenario| match &scenario.property {
            Some(property) => config.takes(property.as_str()),
            None => config.takes(&format!("{}: {}", scenario.feature, scenario.name)),
        });
        part
    }

    /// Those that run a property, or those that run none.
    #[must_use]
    pub fn with_property(&self, wanted: bool) -> Self {
        let mut part = self.clone();
        part.chosen.retain(|scenario| scenario.property.is_some() == wanted);
        part
    }

    /// The same in handfuls, each with the features that it takes.
    pub fn handfuls(&self) -> impl Iterator<Item = Self> {
        self.chosen.chunks(HANDFUL).map(|chosen| {
            let takes = |source: &&Source| chosen.iter().any(|one| one.feature == source.path);
            Self {
                sources: self.sources.iter().filter(takes).cloned().collect(),
                chosen: chosen.to_vec(),
            }
        })
    }
}

/// Plays a scenario over each kind of provider, by all workers; one that runs a property is told
/// how it came out, whatever the kind.
///
/// # Errors
/// A worker panicked.
pub fn play(
    pool: &Pool,
    runtime: &Description,
    kinds: &[ProviderKind],
    selection: &Selection,
    results: &Results,
) -> Result<Vec<(ProviderKind, Outcome)>, RunError> {
    let once = selection.properties().next().is_some();
    let kinds = if once { &kinds[..kinds.len().min(1)] } else { kinds };
    let jobs = kinds.iter().map(|kind| {
        let (runtime, selection, results) = (runtime.clone(), selection.clone(), results.clone());
        let kind = *kind;
        let job: Task<Vec<(ProviderKind, Outcome)>> = Box::new(move |bench| {
            let outcomes = alone(bench, runtime, kind, &selection, results);
            outcomes.into_iter().map(|outcome| (kind, outcome)).collect()
        });
        job
    });
    let mut over = Vec::new();
    for outcomes in pool.all(jobs) {
        over.extend(outcomes.ok_or(RunError::OwnFault)?);
    }
    Ok(over)
}

/// Plays scenarios over one kind of provider, on one bench.
#[must_use]
pub fn alone(
    bench: &Bench,
    runtime: Description,
    kind: ProviderKind,
    selection: &Selection,
    results: Results,
) -> Vec<Outcome> {
    let port = bench.theatre().port(runtime, Rc::new(Known(results)));
    on(bench, Scenes::new(port).over(kind), selection)
}

/// How a scenario came out that was played over several kinds of provider: as over the one that
/// it went worst with. `None` for a scenario that was not played.
#[must_use]
pub fn together(over: &[(ProviderKind, Outcome)]) -> Option<ScenarioResult> {
    let rank = |verdict| match verdict {
        Verdict::Fail => 0,
        Verdict::Error => 1,
        Verdict::Warn | Verdict::ExpectedFailure => 2,
        Verdict::NotExercised => 3,
        Verdict::Pass => 4,
        Verdict::NotApplicable => 5,
    };
    let (kind, worst) = over.iter().min_by_key(|(_, outcome)| rank(outcome.result.verdict))?;
    let mut result = worst.result.clone();
    result.duration_ms = over.iter().map(|(_, outcome)| outcome.result.duration_ms).sum();
    let elsewhere = over.iter().any(|(_, outcome)| outcome.result.verdict != result.verdict);
    if elsewhere && result.verdict != Verdict::Pass {
        result.message = result.message.map(|message| format!("over {kind}: {message}"));
    }
    Some(result)
}

fn on(bench: &Bench, scenes: Scenes, selection: &Selection) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    let places = selection.chosen.iter().map(|scenario| (scenario.feature.clone(), scenario.line));
    let filter = tacit_steps::catalogue::Selection::all().at(places);
    bench.block_on(tacit_steps::run::run(&selection.sources, &filter, scenes, |outcome| {
        let mut counts = Counts::default();
        let mut trouble = None;
        for trace in &outcome.traces {
            counts.count(trace);
            trouble = trouble.take().or_else(|| trouble_of(trace));
        }
        outcomes.push(Outcome {
            unmet: unmet(&outcome),
            case: outcome.case,
            result: outcome.result,
            judgement: outcome.judgement,
            counts,
            trouble,
        });
    }));
    outcomes
}

/// A scenario whose expectation is not met breaks the clauses that it is about, whether or not
/// the judge found the same; one that runs a property leaves that to the property.
fn unmet(outcome: &tacit_steps::world::Outcome) -> Vec<Breach> {
    let failed = matches!(outcome.result.verdict, Verdict::Fail | Verdict::Warn)
        && outcome.scenario.property.is_none();
    if !failed || !outcome.result.breaches.is_empty() {
        return Vec::new();
    }
    let session = outcome.traces.first().and_then(|trace| trace.log.first());
    let breach = |clause: &ClauseId| Breach {
        clause: clause.clone(),
        session: session.map_or_else(|| "".into(), |entry| entry.session.clone()),
        entry: 0,
        prompt: 0,
        request: 0,
        tool: None,
        found: outcome.result.message.clone().unwrap_or_default(),
    };
    outcome.scenario.clauses.iter().map(breach).collect()
}

/// What is known of the properties when the scenarios ask for them.
struct Known(Results);

impl Properties for Known {
    fn run<'a>(&'a self, id: &'a PropertyId) -> PortFuture<'a, PropertyOutcome> {
        let reason = || format!("property {id} is not part of this run");
        let known = self.0.get(id).cloned();
        let outcome = known.unwrap_or_else(|| PropertyOutcome::NotApplicable { reason: reason() });
        Box::pin(async move { outcome })
    }
}
