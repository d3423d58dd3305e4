//! The settings of a run, from its arguments.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tacit_contract::{ClauseId, Profile, clause};
use tacit_suite::Config;

use crate::args::{CompareArgs, RevisionsArgs, RunArgs};
use crate::choice::Choice;
use crate::nearest::did_you_mean;
use crate::problem::Problem;

/// How many sessions for each property tell one revision from another.
const ENOUGH_FOR_REVISIONS: u32 = 32;

/// Where counterexamples are kept where nothing else is said.
const CORPUS: &str = ".tacit/corpus";

/// The settings of `tacit run`.
pub fn of_run(args: RunArgs, choice: Choice) -> Result<Config, Problem> {
    let clauses = clauses(&args.clause)?;
    claims_one_of(&choice.profile, &clauses)?;
    Ok(Config {
        cases: args.amount.cases(),
        exhaustive: args.exhaustive,
        seed: seed(args.amount.seed),
        time_budget: args.time_budget,
        jobs: args.amount.jobs().get(),
        tags: args.tags,
        scenario: args.scenario,
        shard: args.shard,
        clauses,
        fail_fast: args.fail_fast,
        allow_unexercised: args.allow_unexercised.unwrap_or(false),
        strict: args.strict.unwrap_or(false),
        corpus: args.corpus.unwrap_or_else(|| CORPUS.into()),
        ..plain(choice)
    })
}

/// The settings of `tacit compare` for one of its runtimes.
pub fn of_compare(args: &CompareArgs, choice: Choice, seed: u64) -> Result<Config, Problem> {
    Ok(Config {
        cases: args.amount.cases(),
        seed,
        jobs: args.amount.jobs().get(),
        clauses: clauses(&args.clause)?,
        // What one of them does not claim, another does.
        allow_unexercised: !args.clause.is_empty(),
        corpus: args.corpus.clone(),
        ..plain(choice)
    })
}

/// The settings of `tacit revisions`, but for the revision.
pub fn of_revisions(args: &RevisionsArgs, choice: Choice) -> Config {
    Config {
        cases: args.amount.cases.unwrap_or(ENOUGH_FOR_REVISIONS),
        seed: seed(args.amount.seed),
        jobs: args.amount.jobs().get(),
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

fn clauses(ids: &[String]) -> Result<Vec<ClauseId>, Problem> {
    ids.iter().map(|id| known_clause(id)).collect()
}

/// A run that could judge none of the clauses that it is asked for would pass for ever.
fn claims_one_of(profile: &Profile, ids: &[ClauseId]) -> Result<(), Problem> {
    let known = ids.iter().filter_map(|id| clause::clause(id.as_str()));
    let why_not: Option<Vec<String>> = known
        .map(|clause| Some(format!("{}: {}", clause.id, profile.why_not_claimed(clause)?)))
        .collect();
    match why_not {
        Some(why_not) if !why_not.is_empty() => {
            let what = match why_not.len() {
                1 => "the clause that is asked for",
                _ => "any of the clauses that are asked for",
            };
            let problem = format!("profile `{}` does not claim {what}", profile.id);
            Err(Problem::usage(format!("{problem}\n{}", why_not.join("\n"))).help(
                "ask for one that it claims (`tacit list clauses` shows all), or name another \
                 profile with `--profile`",
            ))
        }
        _ => Ok(()),
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

/// The time, since 1970-01-01 UTC.
pub fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// The seed that was asked for, or a fresh one.
pub fn seed(asked: Option<u64>) -> u64 {
    asked.unwrap_or_else(fresh_seed)
}

/// A seed that no earlier run had. Eight digits are enough for that, and can be typed.
fn fresh_seed() -> u64 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u128(now().as_nanos());
    hasher.finish() & 0xffff_ffff
}
