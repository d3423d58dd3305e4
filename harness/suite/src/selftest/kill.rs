//! From a case that breaks a clause to a kill: shrunk, repeated, and held against the reference
//! without faults.

use tacit_contract::matrix::{CheckKind, Kill, WithoutFault};
use tacit_contract::protocol::Description;
use tacit_contract::tally::Failing;
use tacit_contract::{Case, ClauseId};

use crate::bench::Bench;
use crate::hunt::hunt;

/// A clause that was seen broken.
#[derive(Debug, Clone)]
pub(super) struct Sighting {
    /// By which kind of check.
    pub(super) kind: CheckKind,
    /// How many cases of that kind were played until then.
    pub(super) cases: u32,
    /// How long these took, in milliseconds.
    pub(super) ms: u64,
    /// The case, and the check.
    pub(super) failing: Failing,
}

/// A kill, and the session that shows it.
#[derive(Debug, Clone)]
pub(super) struct Verified {
    pub(super) kill: Kill,
    pub(super) case: Case,
}

/// Shrinks what was seen, and looks whether the fault is what it shows.
pub(super) fn verify(
    faulty: &Bench,
    faultless: &Bench,
    runtime: &Description,
    sighting: &Sighting,
) -> Verified {
    let clause = &sighting.failing.breach.clause;
    let quarry = hunt(faulty, runtime, clause, &sighting.failing);
    let kill = Kill {
        clause: clause.clone(),
        check: sighting.failing.property.to_string(),
        by: sighting.kind,
        cases: sighting.cases,
        time_to_kill_ms: sighting.ms,
        session_length: u32::try_from(quarry.case.session.length()).unwrap_or(u32::MAX),
        reproduced: quarry.reproduced,
        without_fault: without_fault(faultless, clause, &quarry.case),
    };
    Verified { kill, case: quarry.case }
}

fn without_fault(faultless: &Bench, clause: &ClauseId, case: &Case) -> WithoutFault {
    faultless.fresh();
    match faultless.play(case) {
        Ok(played) if played.judgement.breaks(clause) => WithoutFault::Breaks,
        Ok(played) if played.judgement.exercised.contains_key(clause) => WithoutFault::Keeps,
        _ => WithoutFault::NotExercised,
    }
}
