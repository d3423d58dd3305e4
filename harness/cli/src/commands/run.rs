//! `tacit run`.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::IsTerminal;
use std::sync::atomic::AtomicBool;
use std::time::{SystemTime, UNIX_EPOCH};

use tacit_contract::ClauseId;
use tacit_reports::terminal::Options;
use tacit_reports::{Detail, FanOut, Progress, Terminal};
use tacit_suite::run::RunError;
use tacit_suite::{Config, Exit, Limits};

use crate::args::{RunArgs, When};
use crate::problem::Problem;
use crate::{profile, runtime};

/// Tests a runtime.
pub fn run(args: RunArgs, stop: &AtomicBool) -> Result<Exit, Problem> {
    let mut reporters = FanOut::new();
    for target in &args.report {
        reporters.add(target.open().map_err(|error| Problem::usage(format!("failed to {error}")))?);
    }
    if args.progress == When::Auto {
        reporters.add(Box::new(Progress::new()));
    }
    let out = std::io::stdout();
    let asked_for_none = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colour = args.color.is_on(out.is_terminal(), asked_for_none);
    let detail = match (args.quiet, args.verbose) {
        (true, _) => Detail::Quiet,
        (_, true) => Detail::Verbose,
        _ => Detail::Normal,
    };
    reporters.add(Box::new(Terminal::new(out, Options { colour, detail, width: 80 })));
    let config = config(args)?;
    let exit =
        tacit_suite::run(config, stop, &mut |event| reporters.event(&event)).map_err(|error| {
            match error {
                RunError::OwnFault => Problem::new(Exit::OwnFault, error.to_string()),
                _ => Problem::usage(error.to_string()),
            }
        })?;
    for error in reporters.finish() {
        eprintln!("error: failed to {error}");
    }
    Ok(exit)
}

fn config(args: RunArgs) -> Result<Config, Problem> {
    let profile = profile::load(args.subject.profile.as_deref().unwrap_or(profile::DEFAULT))?;
    let spec = args.subject.runtime.as_deref().unwrap_or("reference");
    let subject = runtime::reference(spec, profile.revision)
        .ok_or_else(|| Problem::usage(format!("there is no runtime `{spec}`")))??;
    let default = Limits::default();
    Ok(Config {
        subject,
        spec: spec.to_owned(),
        by_default: args.subject.runtime.is_none(),
        profile,
        cases: args.cases,
        seed: args.seed.unwrap_or_else(fresh_seed),
        time_budget: args.time_budget,
        jobs: args.jobs.map_or_else(processors, std::num::NonZero::get),
        tags: args.tags,
        scenario: args.scenario,
        clauses: args.clause.into_iter().map(ClauseId::from).collect(),
        limits: Limits {
            step: args.subject.timeout.unwrap_or(default.step),
            start: args.subject.start_timeout.unwrap_or(default.start),
        },
        fail_fast: args.fail_fast,
        allow_unexercised: args.allow_unexercised,
        corpus: args.corpus,
        started_at: now().as_secs(),
    })
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn now() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// A seed that no earlier run had. Eight digits are enough for that, and can be typed.
fn fresh_seed() -> u64 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u128(now().as_nanos());
    hasher.finish() & 0xffff_ffff
}
