//! The run: what was kept is tried first, then the scenarios, then the properties; each broken
//! clause is hunted down to its smallest session, and all clauses are judged at the end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tacit_contract::baseline::Listed;
use tacit_contract::event::PropertyResult;
use tacit_contract::part::{Caught, Part};
use tacit_contract::protocol::Description;
use tacit_contract::tally::{Failing, InScenario, Place, Tally};
use tacit_contract::{ClauseId, Event, PropertyId, ProviderKind, Verdict};
use tacit_steps::port::PropertyOutcome;

use crate::bench::{Bench, Played};
use crate::breaker::Breaker;
use crate::closing;
use crate::config::Config;
use crate::corpus;
use crate::error::{RunError, Sink};
use crate::exhaustive;
use crate::exit::Exit;
use crate::generate::{Round, rounds};
use crate::order::likeliest_first;
use crate::pool::Pool;
use crate::property::{Property, properties, setting};
use crate::providers::{Lacking, kinds, narrowed};
use crate::scenarios;

/// Runs everything that a configuration asks for.
///
/// # Errors
/// The corpus cannot be read or written, or a tag expression or a feature is not understood: no
/// verdict is given then.
pub fn run(config: Config, stop: &AtomicBool, sink: Sink<'_>) -> Result<Exit, RunError> {
    let config = Arc::new(config);
    let begun = Instant::now();
    let kept = corpus::all(&config.corpus)?;
    let whole = scenarios::selected(&config)?;
    let scenarios = whole.shard(&config);
    let pool = Pool::new(&config);
    let described = pool.one(Bench::describe).ok_or(RunError::OwnFault)?;
    let interrupted = stop.load(Ordering::Relaxed);
    let described = match described {
        Ok(runtime) => runtime,
        Err(error) => return Ok(closing::unusable(&config, error, interrupted, begun, sink)),
    };
    let runtime = match narrowed(&described, &config.apis) {
        Ok(narrowed) => narrowed,
        Err(Lacking::Unusable(error)) => {
            return Ok(closing::unusable(&config, error, interrupted, begun, sink));
        }
        Err(Lacking::Usage(error)) => return Err(error),
    };
    let setting = setting(&config.profile, &runtime);
    if setting.modes.is_empty() {
        return Err(RunError::Usage(format!(
            "profile `{}` describes no mode that the runtime has ({}): add `[modes.MODE]` for one",
            config.profile.id,
            list(runtime.capabilities.modes.iter().map(|mode| mode.as_str())),
        )));
    }
    // A filter of scenarios leaves the properties that these run.
    let filtered = config.tags.is_some() || config.scenario.is_some();
    let asked: BTreeSet<PropertyId> = whole.properties().cloned().collect();
    let order = if config.clauses.is_empty() {
        properties().collect()
    } else {
        likeliest_first(&config.clauses, &whole.catalogue())
    };
    let wanted = order.into_iter().filter(|property| !filtered || asked.contains(&property.id()));
    let played: Vec<(u32, Property)> = (0..).zip(wanted).collect();
    let depth = config.exhaustive;
    let mut properties: Vec<PropertyId> =
        played.iter().map(|(_, property)| property.id()).collect();
    properties.extend(depth.map(|_| PropertyId::from(exhaustive::ID)));
    let mut started = closing::started(&config, Some(&described), scenarios.len());
    started.apis.clone_from(&runtime.capabilities.provider_apis);
    started.properties.clone_from(&properties);
    started.properties.retain(|id| config.takes(id.as_str()));
    sink(Event::RunStarted(started));
    let mut run = Run {
        config: &config,
        runtime: &runtime,
        kinds: kinds(&runtime),
        pool: &pool,
        stop,
        begun,
        tally: Tally::default(),
        breaker: Breaker::default(),
        counterexamples: BTreeMap::new(),
        results: BTreeMap::new(),
        listed: config.baseline.as_ref().map(|baseline| baseline.listed(config.started_at)),
        all_expected: BTreeSet::new(),
        cut: false,
        sink,
    };
    run.baseline()?;
    run.kept(kept)?;
    run.scenarios(&scenarios.with_property(false))?;
    for (place, property) in played {
        if !config.takes(property.mix.id) {
            continue;
        }
        if let Some(reason) = property.lacks(&setting) {
            run.not_applicable(property, &reason);
        } else {
            run.property(place, property)?;
        }
    }
    if let Some(depth) = depth.filter(|_| config.takes(exhaustive::ID)) {
        run.exhaustive(depth)?;
    }
    run.scenarios(&scenarios.with_property(true))?;
    run.scenarios_alone()?;
    let part = Part {
        terms: config.terms(),
        runtime: runtime.clone(),
        properties,
        tally: run.tally,
        counterexamples: run.counterexamples,
        interrupted: stop.load(Ordering::Relaxed),
        broken_off: run.breaker.is_open(),
        baseline: run.listed,
    };
    Ok(closing::close(part, config.shard, closing::millis(begun), run.sink))
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// A run on its way.
pub(crate) struct Run<'a> {
    pub(crate) config: &'a Arc<Config>,
    /// Who it is, with no other APIs than those that are used.
    pub(crate) runtime: &'a Description,
    pub(crate) kinds: Vec<ProviderKind>,
    pub(crate) pool: &'a Pool,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) begun: Instant,
    pub(crate) tally: Tally,
    pub(crate) breaker: Breaker,
    pub(crate) counterexamples: BTreeMap<ClauseId, Caught>,
    pub(crate) results: scenarios::Results,
    pub(crate) listed: Option<Listed>,
    /// The properties that broke nothing but what the baseline expects.
    pub(crate) all_expected: BTreeSet<PropertyId>,
    pub(crate) cut: bool,
    pub(crate) sink: Sink<'a>,
}

impl Run<'_> {
    pub(crate) fn is_over(&mut self) -> bool {
        let late = self.config.time_budget.is_some_and(|budget| self.begun.elapsed() > budget);
        let failed = self.config.fail_fast && !self.tally.failing.is_empty();
        self.cut |= late || failed;
        self.cut || self.breaker.is_open() || self.stop.load(Ordering::Relaxed)
    }

    /// Plays what was kept from earlier runs; what still fails is a counterexample already.
    fn kept(&mut self, kept: Vec<corpus::Kept>) -> Result<(), RunError> {
        let listed = self.listed.as_ref().map_or(0, |listed| listed.entries.len() as u64);
        for (number, kept) in (listed..).zip(kept) {
            if self.is_over() {
                break;
            }
            let name = kept.path.file_name().unwrap_or_default();
            if !self.config.takes(&name.to_string_lossy()) {
                continue;
            }
            let wanted: Vec<ClauseId> =
                kept.clauses.iter().filter(|clause| self.config.hunts(clause)).cloned().collect();
            if wanted.is_empty() {
                continue;
            }
            let case = kept.case.clone();
            let played = self.pool.one(move |bench| bench.play(&case)).ok_or(RunError::OwnFault)?;
            let Ok(played) = played else { continue };
            self.still(&kept, number, &wanted, played)?;
        }
        Ok(())
    }

    /// Takes what a session came to that was kept.
    pub(crate) fn still(
        &mut self,
        kept: &corpus::Kept,
        number: u64,
        wanted: &[ClauseId],
        played: Played,
    ) -> Result<(), RunError> {
        let api = kept.case.session.provider.api;
        self.breaker.played(played.trouble.as_ref());
        self.tally.counts.add(played.counts);
        self.tally.trouble(played.trouble);
        for clause in wanted {
            let breach = played.judgement.breaches.iter().find(|b| b.clause == *clause).cloned();
            let Some(breach) = breach else { continue };
            if self.expects(clause, api) {
                self.tally.expects(clause.clone(), api);
                continue;
            }
            if self.tally.failing.contains_key(clause) {
                continue;
            }
            let failing = Failing {
                property: PropertyId::from("corpus"),
                place: Place::Corpus { number },
                case: kept.case.clone(),
                breach,
            };
            self.tally.fails(failing.clone());
            self.hunt(vec![(clause.clone(), failing)], Some(&kept.path))?;
        }
        self.tally.judged(api, played.judgement);
        Ok(())
    }

    fn scenarios(&mut self, scenarios: &scenarios::Selection) -> Result<(), RunError> {
        if self.is_over() {
            return Ok(());
        }
        for handful in scenarios.handfuls() {
            // No budget of time cuts the scenarios short. A runtime that hangs in each of them
            // does, and a user who has seen enough.
            if self.breaker.is_open() || self.stop.load(Ordering::Relaxed) {
                break;
            }
            let (pool, runtime) = (self.pool, self.runtime);
            let mut over = scenarios::play(pool, runtime, &self.kinds, &handful, &self.results)?;
            for (kind, outcome) in &mut over {
                self.expect(*kind, outcome, &handful);
            }
            if let Some(result) = scenarios::together(&over) {
                for (kind, outcome) in over {
                    self.scenario(kind, outcome);
                }
                (self.sink)(Event::ScenarioFinished(result));
            }
        }
        Ok(())
    }

    fn scenario(&mut self, kind: ProviderKind, outcome: scenarios::Outcome) {
        self.tally.counts.add(outcome.counts);
        self.breaker.played(outcome.trouble.as_ref());
        self.tally.seen(kind.api, outcome.judgement, outcome.trouble);
        let judged = outcome.result.breaches.iter().map(|breach| (breach, true));
        let unmet = outcome.unmet.iter().map(|breach| (breach, false));
        for (breach, judged) in judged.chain(unmet) {
            if !self.config.hunts(&breach.clause) {
                continue;
            }
            if self.expects(&breach.clause, kind.api) {
                self.tally.expects(breach.clause.clone(), kind.api);
            } else {
                self.tally.fails_in(InScenario {
                    scenario: outcome.result.name.clone(),
                    place: Place::Scenario {
                        feature: outcome.result.feature.clone(),
                        line: outcome.result.line,
                    },
                    breach: breach.clone(),
                    case: judged.then(|| outcome.case.clone()),
                });
            }
        }
    }

    /// Hunts what scenarios alone found: it is played again, and shrunk if it fails each time.
    fn scenarios_alone(&mut self) -> Result<(), RunError> {
        if self.breaker.is_open() || self.stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        let alone = self.tally.in_scenarios.iter().filter_map(|(clause, found)| {
            let known = self.tally.failing.contains_key(clause);
            let failing = Failing {
                property: PropertyId::from(found.scenario.as_str()),
                place: found.place.clone(),
                case: found.case.clone()?,
                breach: found.breach.clone(),
            };
            (!known).then(|| (clause.clone(), failing))
        });
        let alone: Vec<(ClauseId, Failing)> = alone.collect();
        for (_, failing) in &alone {
            self.tally.fails(failing.clone());
        }
        self.hunt(alone, None)?;
        Ok(())
    }

    fn not_applicable(&mut self, property: Property, reason: &str) {
        let outcome = PropertyOutcome::NotApplicable { reason: reason.to_owned() };
        self.results.insert(property.id(), outcome);
        (self.sink)(Event::PropertyFinished(PropertyResult {
            id: property.id(),
            sentence: format!("{} Not applicable: {reason}.", property.mix.about),
            clauses: Vec::new(),
            cases: 0,
            verdict: Verdict::NotApplicable,
            shrinks: 0,
            counterexamples: BTreeMap::new(),
            duration_ms: 0,
            extent: None,
        }));
    }

    fn property(&mut self, place: u32, property: Property) -> Result<(), RunError> {
        let mut course = self.begin(property.id(), self.config.cases);
        let setting = setting(&self.config.profile, self.runtime);
        for round in rounds(self.config.cases) {
            if self.is_over() {
                break;
            }
            let outcomes = Round::play(
                self.pool,
                self.config,
                (place, property),
                &setting,
                &self.kinds,
                round,
            )?;
            self.take(&mut course, outcomes);
        }
        self.finish(course, property.mix.about.to_owned(), None)
    }
}
