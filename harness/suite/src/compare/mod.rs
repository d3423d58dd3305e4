//! Comparison: the same suite against several runtimes, and for two of them the smallest session
//! on which they differ.

pub mod candidates;
pub mod differ;
pub mod keep;
pub mod observe;
pub mod pair;
mod search;
pub mod seek;
pub mod table;
pub mod tell;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use tacit_contract::Event;
use tacit_contract::Table;
use tacit_contract::protocol::Description;
use tacit_contract::runtime::RuntimeError;
use tacit_contract::table::TABLE_VERSION;
use thiserror::Error;

use crate::bench::Bench;
use crate::config::Config;
use crate::error::RunError;
use crate::exit::Exit;
use crate::pool::Pool;
use crate::providers::{Lacking, narrowed};
pub use search::{Found, Judged, Search};
use table::Said;

/// What several runtimes came to.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// The format.
    pub schema_version: u32,
    /// The version of the harness.
    pub tool_version: String,
    /// The seed of every run, in hexadecimal digits.
    pub seed: String,
    /// Cases per property.
    pub cases: u32,
    /// What each clause came to on each runtime.
    #[serde(flatten)]
    pub table: Table,
    /// How two runtimes differ; `None` for more than two, or where the user stopped before.
    pub difference: Option<Search>,
    /// Whether the user stopped it.
    pub interrupted: bool,
    /// The exit code.
    pub exit_code: u8,
}

/// How far a comparison is.
#[derive(Debug)]
pub enum Note {
    /// A run said something.
    Run(Box<Event>),
    /// So many sessions were played on both runtimes in search of a difference.
    Compared(u64),
}

/// Why nothing can be compared.
#[derive(Debug, Error)]
pub enum CompareError {
    /// A runtime could not be used.
    #[error("runtime `{spec}`: {error}")]
    Unusable {
        /// Which of them, from 0.
        place: usize,
        /// How it was asked for.
        spec: String,
        /// What happened.
        error: RuntimeError,
    },
    /// What was asked for cannot be run on one of them.
    #[error("runtime `{spec}`: {error}")]
    Run {
        /// How it was asked for.
        spec: String,
        /// Why.
        error: RunError,
    },
    /// What was asked for cannot be run at all.
    #[error(transparent)]
    Whole(#[from] RunError),
}

/// Runs the suite on each runtime, and looks for the smallest session on which two differ.
///
/// # Errors
/// A runtime cannot be used, or what is asked for cannot be run: no verdict is given then.
pub fn compare(
    configs: Vec<Config>,
    stop: &AtomicBool,
    note: &mut dyn FnMut(Note),
) -> Result<(Comparison, Exit), CompareError> {
    let configs: Vec<Arc<Config>> = configs.into_iter().map(Arc::new).collect();
    // Before minutes are spent on one of them.
    let runtimes = described(&configs)?;
    let mut runs = Vec::new();
    for config in &configs {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let mut events = Vec::new();
        let exit = crate::run(Config::clone(config), stop, &mut |event| {
            events.push(event.clone());
            note(Note::Run(Box::new(event)));
        })
        .map_err(|error| CompareError::Run { spec: config.spec.clone(), error })?;
        runs.push(Said { events, exit });
    }
    let mut exit = runs.iter().map(|run| run.exit).reduce(Exit::worse).unwrap_or(Exit::Interrupted);
    let mut difference = None;
    if let ([one, other], [a, b]) = (configs.as_slice(), runtimes.as_slice())
        && exit != Exit::Unusable
        && !stop.load(Ordering::Relaxed)
    {
        difference = Some(search::search([one, other], [a, b], &runs, stop, note)?);
    }
    let interrupted = stop.load(Ordering::Relaxed);
    if interrupted {
        exit = Exit::Interrupted;
    }
    let first = configs.first();
    let comparison = Comparison {
        schema_version: TABLE_VERSION,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: format!("{:08x}", first.map_or(0, |config| config.seed)),
        cases: first.map_or(0, |config| config.cases),
        table: table::of(&runs),
        difference,
        interrupted,
        exit_code: exit.code(),
    };
    Ok((comparison, exit))
}

/// Looks for the smallest session on which two runtimes differ, and judges neither by the suite.
///
/// # Errors
/// As [`compare`].
pub fn difference(
    configs: [Config; 2],
    stop: &AtomicBool,
    note: &mut dyn FnMut(Note),
) -> Result<Search, CompareError> {
    let configs = configs.map(Arc::new);
    let runtimes = described(&configs)?;
    let [one, other] = &configs;
    let sides = [runtimes.first(), runtimes.get(1)];
    let [Some(a), Some(b)] = sides else { return Err(RunError::OwnFault.into()) };
    search::search([one, other], [a, b], &[], stop, note)
}

/// Who each runtime is, with no other APIs than those that are used.
fn described(configs: &[Arc<Config>]) -> Result<Vec<Description>, CompareError> {
    let mut runtimes = Vec::new();
    for (place, config) in configs.iter().enumerate() {
        let spec = || config.spec.clone();
        let unusable = |error| CompareError::Unusable { place, spec: spec(), error };
        let pool = Pool::new(&Arc::new(Config { jobs: 1, ..Config::clone(config) }));
        let described = pool.one(Bench::describe).ok_or(RunError::OwnFault)?;
        let narrowed = narrowed(&described.map_err(unusable)?, &config.apis);
        runtimes.push(narrowed.map_err(|lacking| match lacking {
            Lacking::Unusable(error) => unusable(error),
            Lacking::Usage(error) => CompareError::Run { spec: spec(), error },
        })?);
    }
    Ok(runtimes)
}
