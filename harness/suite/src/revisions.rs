//! Revisions: which text of the contract a runtime really keeps to.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use tacit_contract::table::Column;
use tacit_contract::{ClauseId, Event, Level, Revision, Table, Verdict};

use crate::compare::table::{self, Said};
use crate::config::Config;
use crate::error::RunError;
use crate::exit::Exit;

/// The version of the format.
pub const VERSION: u32 = 1;

/// How a runtime stands to each revision.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Revisions {
    /// The format.
    pub schema_version: u32,
    /// The version of the harness.
    pub tool_version: String,
    /// The seed of every run, in hexadecimal digits.
    pub seed: String,
    /// Cases per property.
    pub cases: u32,
    /// The revisions, oldest first.
    pub revisions: Vec<Fit>,
    /// The one that the runtime breaks the fewest clauses of, the newest of several; `None` where
    /// the runtime could not be used or the user stopped before all were run.
    pub best: Option<Revision>,
    /// Whether the user stopped it.
    pub interrupted: bool,
    /// The exit code: that of the best fit's run.
    pub exit_code: u8,
}

/// How a runtime stands to one revision.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Fit {
    /// The runtime under it.
    #[serde(flatten)]
    pub run: Column,
    /// The claimed `must` clauses that it broke or could not be judged by, in the order of the
    /// contract: the first of them is where the runtime begins to differ.
    pub breaks: Vec<Broken>,
}

/// A clause that keeps a runtime from a revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Broken {
    /// Which.
    pub clause: ClauseId,
    /// What was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Paths of its counterexamples.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counterexamples: Vec<String>,
}

impl Revisions {
    /// The fits as good as the best.
    pub fn equals(&self) -> impl Iterator<Item = &Fit> {
        let fewest = self.revisions.iter().map(|fit| fit.breaks.len()).min();
        self.revisions.iter().filter(move |fit| Some(fit.breaks.len()) == fewest)
    }
}

/// Runs the suite on a runtime under each revision. Counterexamples are kept apart, in a folder for
/// each.
///
/// # Errors
/// What is asked for cannot be run.
pub fn revisions(
    config: &Config,
    stop: &AtomicBool,
    note: &mut dyn FnMut(&Event),
) -> Result<(Revisions, Exit), RunError> {
    let mut runs = Vec::new();
    for revision in Revision::ALL {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let config = Config {
            profile: config.profile.under(revision),
            corpus: config.corpus.join(revision.as_str()),
            ..config.clone()
        };
        let mut events = Vec::new();
        let exit = crate::run(config, stop, &mut |event| {
            note(&event);
            events.push(event);
        })?;
        runs.extend(fit(Said { events, exit }).map(|fit| (fit, exit)));
        if exit == Exit::Unusable {
            break;
        }
    }
    let interrupted = stop.load(Ordering::Relaxed);
    let worst = runs.iter().map(|(_, exit)| *exit).reduce(Exit::worse);
    let worst = worst.unwrap_or(Exit::Interrupted);
    let whole =
        runs.len() == Revision::ALL.len() && runs.iter().all(|(_, exit)| *exit != Exit::Unusable);
    let best = runs
        .iter()
        .min_by_key(|(fit, _)| (fit.breaks.len(), Reverse(fit.run.revision)))
        .filter(|_| whole && !interrupted)
        .map(|(fit, exit)| (fit.run.revision, *exit));
    let exit = match best {
        Some((_, exit)) => exit,
        None if interrupted => Exit::Interrupted,
        None => worst,
    };
    let found = Revisions {
        schema_version: VERSION,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: format!("{:08x}", config.seed),
        cases: config.cases,
        revisions: runs.into_iter().map(|(fit, _)| fit).collect(),
        best: best.map(|(revision, _)| revision),
        interrupted,
        exit_code: exit.code(),
    };
    Ok((found, exit))
}

fn fit(run: Said) -> Option<Fit> {
    let Table { mut runtimes, clauses } = table::of(&[run]);
    let rows = clauses.into_iter().filter(|row| row.level == Level::Must);
    let cells = rows.filter_map(|row| Some((row.id, row.cells.into_iter().next()??)));
    let broken = cells
        .filter(|(_, cell)| cell.claimed && matches!(cell.verdict, Verdict::Fail | Verdict::Error));
    let breaks = broken.map(|(clause, cell)| Broken {
        clause,
        reason: cell.reason,
        counterexamples: cell.counterexamples,
    });
    Some(Fit { run: runtimes.pop()?, breaks: breaks.collect() })
}
