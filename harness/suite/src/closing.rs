//! The beginning and the end of a run, as events.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use tacit_contract::event::{RunFinished, RunStarted, SCHEMA_VERSION};
use tacit_contract::protocol::{Api, Description};
use tacit_contract::runtime::RuntimeError;
use tacit_contract::{Event, Level, Verdict};

use crate::config::Config;
use crate::error::Sink;
use crate::exit::Exit;
use crate::property::Property;
use crate::tally::Tally;
use crate::verdict::{Counterexamples, clause_results};

/// All that the end of a run is judged by.
pub struct Ending<'a> {
    /// What was asked for.
    pub config: &'a Config,
    /// The runtime.
    pub runtime: &'a Description,
    /// What all cases showed.
    pub tally: &'a Tally,
    /// The counterexamples.
    pub counterexamples: &'a Counterexamples,
    /// Whether the user stopped it.
    pub interrupted: bool,
    /// Whether the runtime failed so often that it was not asked any further.
    pub broken_off: bool,
}

impl Ending<'_> {
    /// Judges every clause, says so, and how the run ends.
    pub fn close(self, begun: Instant, sink: Sink<'_>) -> Exit {
        for (cause, cases) in self.tally.fatal.values() {
            sink(Event::RuntimeFailed { cause: cause.clone(), cases: *cases });
        }
        let results = clause_results(
            &self.config.profile,
            self.runtime,
            self.tally,
            self.counterexamples,
            &self.config.clauses,
        );
        let verdicts: BTreeSet<Verdict> = results
            .iter()
            .filter(|result| result.level == Level::Must)
            .map(|result| result.verdict)
            .collect();
        let must = |verdict: Verdict| verdicts.contains(&verdict);
        let narrowed = self.config.is_narrowed() || self.interrupted;
        let fails = must(Verdict::Fail) || must(Verdict::Error) || self.tally.fatal_cases() > 0;
        // A filter may leave much untested, but not all that it asks for.
        let nothing = !self.config.clauses.is_empty()
            && results.iter().all(|result| result.verdict == Verdict::NotApplicable);
        let too_little = (nothing || must(Verdict::NotExercised) && !narrowed)
            && !self.broken_off
            && !self.config.allow_unexercised;
        let warns = results.iter().any(|result| result.verdict == Verdict::Warn);
        let exit = match (self.interrupted, fails || (self.config.strict && warns), too_little) {
            (true, ..) => Exit::Interrupted,
            (false, true, _) => Exit::DoesNotConform,
            (false, false, true) => Exit::TooLittle,
            (false, false, false) => Exit::Conforms,
        };
        for result in results {
            sink(Event::ClauseJudged(result));
        }
        let generated = self.tally.generated.max(1);
        #[allow(clippy::cast_precision_loss, reason = "a share needs no more than six digits")]
        let share = |count: u64| (count as f64 / generated as f64 * 10_000.0).round() / 10_000.0;
        sink(Event::RunFinished(RunFinished {
            duration_ms: millis(begun),
            sessions: self.tally.counts.sessions,
            prompts: self.tally.counts.prompts,
            requests: self.tally.counts.requests,
            coverage: self
                .tally
                .labels
                .iter()
                .map(|(label, count)| ((*label).to_owned(), share(*count)))
                .collect(),
            conforms: !fails && !self.interrupted && !must(Verdict::NotExercised) && !nothing,
            exit_code: exit.code(),
            narrowed,
            interrupted: self.interrupted,
        }));
        exit
    }
}

/// What is run on what.
pub fn started(
    config: &Config,
    runtime: Option<&Description>,
    scenarios: usize,
    properties: &[Property],
) -> RunStarted {
    let (name, version) = runtime.map_or_else(
        || (config.spec.clone(), String::new()),
        |runtime| (runtime.runtime.name.clone(), runtime.runtime.version.clone()),
    );
    RunStarted {
        schema_version: SCHEMA_VERSION,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        spec: config.spec.clone(),
        by_default: config.by_default,
        name,
        version,
        capabilities: runtime.map(|runtime| runtime.capabilities.clone()),
        profile: config.profile.id.clone(),
        revision: config.profile.revision,
        seed: config.seed,
        started_at: config.started_at,
        cases: config.cases,
        scenarios: u32::try_from(scenarios).unwrap_or(u32::MAX),
        properties: properties.iter().map(Property::id).collect(),
        apis: vec![Api::OpenaiChat],
    }
}

/// A runtime that could not be started: the report says so, and nothing is judged.
pub fn unusable(
    config: &Config,
    error: RuntimeError,
    interrupted: bool,
    begun: Instant,
    sink: Sink<'_>,
) -> Exit {
    let exit = if interrupted { Exit::Interrupted } else { Exit::Unusable };
    sink(Event::RunStarted(started(config, None, 0, &[])));
    sink(Event::RuntimeFailed { cause: error, cases: 0 });
    sink(Event::RunFinished(RunFinished {
        duration_ms: millis(begun),
        sessions: 0,
        prompts: 0,
        requests: 0,
        coverage: BTreeMap::new(),
        conforms: false,
        exit_code: exit.code(),
        narrowed: config.is_narrowed() || interrupted,
        interrupted,
    }));
    exit
}

/// Milliseconds since a moment.
#[must_use]
pub fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}
