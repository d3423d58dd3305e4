//! The settings of a run, from its arguments.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::num::NonZero;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tacit_contract::{ClauseId, clause};
use tacit_suite::Config;

use crate::args::{CompareArgs, RevisionsArgs, RunArgs};
use crate::choice::Choice;
use crate::nearest::did_you_mean;
use crate::problem::Problem;

/// The settings of `tacit run`.
pub fn of_run(args: RunArgs, choice: Choice) -> Result<Config, Problem> {
    Ok(Config {
        cases: args.cases,
        exhaustive: args.exhaustive,
        seed: seed(args.seed),
        time_budget: args.time_budget,
        jobs: args.jobs.map_or_else(processors, NonZero::get),
        tags: args.tags,
        scenario: args.scenario,
        clauses: args.clause.iter().map(|id| known_clause(id)).collect::<Result<_, _>>()?,
        fail_fast: args.fail_fast,
        allow_unexercised: args.allow_unexercised,
        strict: args.strict,
        corpus: args.corpus,
        ..plain(choice)
    })
}

/// The settings of `tacit compare` for one of its runtimes.
pub fn of_compare(args: &CompareArgs, choice: Choice, seed: u64) -> Result<Config, Problem> {
    Ok(Config {
        cases: args.cases,
        seed,
        jobs: args.jobs.map_or_else(processors, NonZero::get),
        clauses: args.clause.iter().map(|id| known_clause(id)).collect::<Result<_, _>>()?,
        corpus: args.corpus.clone(),
        ..plain(choice)
    })
}

/// The settings of `tacit revisions`, but for the revision.
pub fn of_revisions(args: &RevisionsArgs, choice: Choice) -> Config {
    Config {
        cases: args.cases,
        seed: seed(args.seed),
        jobs: args.jobs.map_or_else(processors, NonZero::get),
        corpus: args.corpus.clone(),
        ..plain(choice)
    }
}

/// The settings of a command that generates nothing.
pub fn plain(choice: Choice) -> Config {
    Config {
        by_default: choice.by_default,
        limits: choice.limits,
        apis: choice.apis,
        started_at: now().as_secs(),
        ..Config::new(choice.subject, choice.spec, choice.profile)
    }
}

fn known_clause(id: &str) -> Result<ClauseId, Problem> {
    if clause::clause(id).is_some() {
        return Ok(ClauseId::from(id));
    }
    let hint = did_you_mean(id, clause::clauses().iter().map(|clause| clause.id.as_str()));
    Err(Problem::usage(format!("there is no clause `{id}`{hint}"))
        .help("`tacit list clauses` shows all"))
}

/// How many workers, where nobody says.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// The seed that was asked for, or a fresh one.
pub fn seed(asked: Option<u64>) -> u64 {
    asked.unwrap_or_else(fresh_seed)
}

/// A seed that no earlier run had. Eight digits are enough for that, and can be typed.
pub fn fresh_seed() -> u64 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u128(now().as_nanos());
    hasher.finish() & 0xffff_ffff
}
