//! The beginning and the end of a run, as events.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use tacit_contract::event::{RunFinished, RunStarted, SCHEMA_VERSION};
use tacit_contract::part::Part;
use tacit_contract::protocol::{Api, Description};
use tacit_contract::runtime::RuntimeError;
use tacit_contract::tally::Tally;
use tacit_contract::{Event, Level, Shard, Verdict};

use crate::baseline::judged;
use crate::config::Config;
use crate::error::Sink;
use crate::exit::Exit;
use crate::verdict::clause_results;

/// Judges every clause of a run, or of a shard of it, says so, and how it ends.
pub fn close(part: Part, shard: Option<Shard>, duration_ms: u64, sink: Sink<'_>) -> Exit {
    for fatal in part.tally.fatal.values() {
        sink(Event::RuntimeFailed { cause: fatal.cause.clone(), cases: fatal.cases });
    }
    let results = clause_results(&part);
    let Part { terms, tally, interrupted, .. } = &part;
    let verdicts: BTreeSet<Verdict> = results
        .iter()
        .filter(|result| result.level == Level::Must)
        .map(|result| result.verdict)
        .collect();
    let must = |verdict: Verdict| verdicts.contains(&verdict);
    let narrowed = terms.narrowed || shard.is_some() || *interrupted;
    let fails = must(Verdict::Fail) || must(Verdict::Error) || tally.fatal_cases() > 0;
    let warns = terms.strict && results.iter().any(|result| result.verdict == Verdict::Warn);
    let baseline = part.baseline.as_ref();
    let baseline = baseline.map(|listed| judged(listed, &part, fails || warns));
    let outdated = baseline.as_ref().is_some_and(|one| one.outdated().next().is_some());
    // A filter may leave much untested, but not all that it asks for.
    let nothing = !terms.clauses.is_empty()
        && results.iter().all(|result| result.verdict == Verdict::NotApplicable);
    let too_little = (nothing || must(Verdict::NotExercised) && !narrowed)
        && !part.broken_off
        && !terms.allow_unexercised;
    let exit = match (interrupted, fails || warns || outdated, too_little) {
        (true, ..) => Exit::Interrupted,
        (false, true, _) => Exit::DoesNotConform,
        (false, false, true) => Exit::TooLittle,
        (false, false, false) => Exit::Conforms,
    };
    let finished = RunFinished {
        duration_ms,
        sessions: tally.counts.sessions,
        prompts: tally.counts.prompts,
        requests: tally.counts.requests,
        coverage: coverage(tally),
        conforms: !fails && !interrupted && !must(Verdict::NotExercised) && !nothing,
        exit_code: exit.code(),
        narrowed,
        interrupted: *interrupted,
        baseline,
    };
    for result in results {
        sink(Event::ClauseJudged(result));
    }
    if shard.is_some() {
        sink(Event::ShardPlayed(Box::new(part)));
    }
    sink(Event::RunFinished(finished));
    exit
}

/// The share of the generated sessions under each label.
fn coverage(tally: &Tally) -> BTreeMap<String, f64> {
    let generated = tally.generated.max(1);
    #[allow(clippy::cast_precision_loss, reason = "a share needs no more than six digits")]
    let share = |count: u64| (count as f64 / generated as f64 * 10_000.0).round() / 10_000.0;
    tally.labels.iter().map(|(label, count)| (label.clone(), share(*count))).collect()
}

/// What is run on what; which properties, the run says.
#[must_use]
pub fn started(config: &Config, runtime: Option<&Description>, scenarios: usize) -> RunStarted {
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
        shard: config.shard,
        cases: config.cases,
        scenarios: u32::try_from(scenarios).unwrap_or(u32::MAX),
        properties: Vec::new(),
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
    sink(Event::RunStarted(started(config, None, 0)));
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
        baseline: None,
    }));
    exit
}

/// Milliseconds since a moment.
#[must_use]
pub fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}
