//! Correct variants: runtimes that take another of the ways that the contract leaves free. A check
//! that fails on one is wrong.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use tacit_contract::clause::clause;
use tacit_contract::matrix::Blamed;
use tacit_contract::{Breach, ClauseId, Level};
use tacit_reference::{CorrectVariant, Switches};

use super::Only;
use super::checks::Checks;
use crate::error::RunError;
use crate::scenarios::{Results, alone};

/// The most cases of each property that a variant is played with: enough to see that a check is
/// plainly wrong. What is wrong in one case of thousands, a run of its own shows.
const CASES: u32 = 16;

/// Plays the checks on a variant as a run would, and tells which `must` clauses it is blamed for;
/// `None` where it was stopped.
///
/// # Errors
/// A fault of this program itself.
pub(super) fn play(
    variant: &CorrectVariant,
    checks: &Checks,
    only: Only,
    stop: &AtomicBool,
) -> Result<Option<Blamed>, RunError> {
    let switches = Switches::parse([variant.key]).map_err(|_| RunError::OwnFault)?;
    let bench = checks.bench_under(switches, variant.profile)?;
    let mut blamed = BTreeSet::new();
    if only.scenarios() {
        // Each over one kind of provider, in turn: all over all would take longer than the faults.
        for (scenario, kind) in checks.all_scenarios().iter().zip(checks.kinds.iter().cycle()) {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            bench.fresh();
            let runtime = checks.runtime.clone();
            for outcome in alone(&bench, runtime, *kind, scenario, Results::new()) {
                blame(&mut blamed, outcome.judgement.breaches.iter().chain(&outcome.unmet));
            }
        }
    }
    if only.properties() {
        for cases in checks.all_properties() {
            for number in 0..u64::from(checks.cases().min(CASES)) {
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let case = cases.case(number).ok_or(RunError::OwnFault)?;
                bench.fresh();
                let played = bench.play(&case).map_err(|_| RunError::OwnFault)?;
                blame(&mut blamed, played.judgement.breaches.iter());
            }
        }
    }
    Ok(Some(Blamed { key: variant.key.to_owned(), blamed: blamed.into_iter().collect() }))
}

fn blame<'a>(blamed: &mut BTreeSet<ClauseId>, breaches: impl Iterator<Item = &'a Breach>) {
    let must = |id: &ClauseId| clause(id.as_str()).is_some_and(|one| one.level == Level::Must);
    blamed.extend(breaches.map(|breach| breach.clause.clone()).filter(must));
}
