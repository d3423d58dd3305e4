//! The hunt for the smallest session: a failing case is played again, shrunk on its clause
//! alone, and played again.

use std::cell::Cell;

use tacit_contract::protocol::Description;
use tacit_contract::tally::Failing;
use tacit_contract::{Breach, Case, ClauseId, Trace};
use tacit_generators::runner::smallest;
use tacit_generators::shrink::SessionTree;

use crate::bench::{Bench, Played};
use crate::config::Subject;
use crate::property::setting;

/// How often a failing case is played again, before and after it is shrunk.
pub const REPETITIONS: u32 = 3;

/// The most evaluations that shrinking takes, in process and over stdio.
const EVALUATIONS: (u32, u32) = (1_500, 200);

/// What became of a failing case.
#[derive(Debug, Clone)]
pub struct Quarry {
    /// The clause that it breaks.
    pub clause: ClauseId,
    /// The smallest case that was found.
    pub case: Case,
    /// The first breach of the clause in it.
    pub breach: Breach,
    /// The trace that shows it.
    pub trace: Trace,
    /// The steps of the case as it was found.
    pub steps_before: usize,
    /// In how many of three repetitions it failed again.
    pub reproduced: u32,
    /// How many evaluations shrinking took.
    pub evaluations: u32,
    /// Whether a fresh process does not show it, and one that has served before does.
    pub needs_a_used_process: bool,
}

/// Shrinks a failing case, unless it does not fail each time.
#[must_use]
pub fn hunt(bench: &Bench, runtime: &Description, clause: &ClauseId, failing: &Failing) -> Quarry {
    let steps_before = failing.case.session.length();
    let reproduced = repeat(bench, clause, &failing.case, true);
    let mut quarry = Quarry {
        clause: clause.clone(),
        case: failing.case.clone(),
        breach: failing.breach.clone(),
        trace: Trace {
            runtime: runtime.clone(),
            session: failing.case.session.clone(),
            log: Vec::new(),
            cut_short: None,
        },
        steps_before,
        reproduced,
        evaluations: 0,
        needs_a_used_process: false,
    };
    if reproduced == REPETITIONS {
        shrink(bench, &mut quarry);
        quarry.reproduced = repeat(bench, clause, &quarry.case, true);
    } else if reproduced == 0 && matches!(bench.config().subject, Subject::Stdio(_)) {
        let used = repeat(bench, clause, &failing.case, false);
        quarry.needs_a_used_process = used == REPETITIONS;
    }
    bench.fresh();
    if let Some(played) =
        bench.play(&quarry.case).ok().filter(|played| played.judgement.breaks(clause))
    {
        settle(bench, &mut quarry, &played);
    }
    quarry
}

/// How many evaluations shrinking may take on a runtime.
pub(crate) fn evaluations(subject: &Subject) -> u32 {
    match subject {
        Subject::Reference { .. } | Subject::Own(_) => EVALUATIONS.0,
        Subject::Stdio(_) => EVALUATIONS.1,
    }
}

fn shrink(bench: &Bench, quarry: &mut Quarry) {
    let limit = evaluations(&bench.config().subject);
    let plainest = setting(&bench.config().profile, &quarry.trace.runtime).plainest_mode();
    let clause = quarry.clause.clone();
    // Variants first: the largest cost the most, and each step below plays all that are left.
    drop_variants(bench, quarry);
    let variants = quarry.case.variants.clone();
    let asked = Cell::new(0);
    let tree = SessionTree::new(quarry.case.session.clone(), plainest);
    let smallest = smallest(tree, limit, |session| {
        asked.set(asked.get() + 1);
        let case = Case { session: session.clone(), variants: variants.clone() };
        breaks(bench, &clause, &case).is_some()
    });
    quarry.evaluations = asked.get();
    quarry.case = Case { session: smallest.value, variants };
    drop_variants(bench, quarry);
}

/// Of the variants those stay that it takes.
fn drop_variants(bench: &Bench, quarry: &mut Quarry) {
    for variant in quarry.case.variants.clone().into_iter().rev() {
        let mut fewer = quarry.case.clone();
        fewer.variants.retain(|other| *other != variant);
        if breaks(bench, &quarry.clause, &fewer).is_some() {
            quarry.case = fewer;
        }
    }
}

fn breaks(bench: &Bench, clause: &ClauseId, case: &Case) -> Option<Played> {
    bench.play(case).ok().filter(|played| played.judgement.breaks(clause))
}

fn repeat(bench: &Bench, clause: &ClauseId, case: &Case, fresh: bool) -> u32 {
    let mut failed = 0;
    for _ in 0..REPETITIONS {
        if fresh {
            bench.fresh();
        }
        failed += u32::from(breaks(bench, clause, case).is_some());
    }
    failed
}

fn settle(bench: &Bench, quarry: &mut Quarry, played: &Played) {
    let breach = played.judgement.breaches.iter().find(|breach| breach.clause == quarry.clause);
    if let Some(breach) = breach {
        quarry.breach = breach.clone();
    }
    quarry.trace = played.trace_of(&quarry.clause, &bench.config().profile).clone();
}
