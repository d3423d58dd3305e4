//! Causes: what did not pass, put together where one and the same thing is to blame.

use tacit_contract::Verdict;
use tacit_contract::event::{ClauseResult, Counterexample};

use crate::run::Run;

/// Clauses that were broken by one and the same thing.
pub(crate) struct Cause<'a> {
    /// The cause, or several that have one story; never empty.
    pub(crate) clauses: Vec<&'a ClauseResult>,
    /// What follows from it.
    pub(crate) consequences: Vec<&'a ClauseResult>,
    /// The smallest session that shows it.
    pub(crate) found: Option<&'a Counterexample>,
}

/// Puts together what has one cause, one story, or one reason and no story. A clause whose
/// cause is no failure itself, or is told elsewhere, stands for itself.
pub(crate) fn causes<'a>(run: &'a Run, clauses: &[&'a ClauseResult]) -> Vec<Cause<'a>> {
    let mut told: Vec<Cause<'a>> = Vec::new();
    let follows = |clause: &ClauseResult| {
        clause.because.as_ref().is_some_and(|cause| {
            let cause = run.clauses.iter().find(|other| other.id == *cause);
            cause.is_some_and(|cause| is_told_first(cause, clause))
        })
    };
    for clause in clauses.iter().filter(|clause| !follows(clause)) {
        let found = run.counterexample(&clause.id);
        let same = |cause: &&mut Cause<'_>| match (cause.found, found) {
            (Some(a), Some(b)) => a.story == b.story && a.breach.found == b.breach.found,
            (None, None) => clause.reason.is_some() && cause.clauses[0].reason == clause.reason,
            _ => false,
        };
        match told.iter_mut().find(same) {
            Some(cause) => cause.clauses.push(clause),
            None => {
                told.push(Cause { clauses: vec![clause], consequences: Vec::new(), found });
            }
        }
    }
    for clause in run.clauses.iter().filter(|clause| follows(clause)) {
        let blamed = |cause: &&mut Cause<'_>| {
            cause.clauses.iter().any(|cause| clause.because.as_ref() == Some(&cause.id))
        };
        if let Some(cause) = told.iter_mut().find(blamed) {
            cause.consequences.push(clause);
        }
    }
    told
}

/// Whether a cause has a place of its own, and one that a consequence may stand in.
fn is_told_first(cause: &ClauseResult, consequence: &ClauseResult) -> bool {
    match cause.verdict {
        Verdict::Fail => matches!(consequence.verdict, Verdict::Fail | Verdict::Warn),
        Verdict::Warn => consequence.verdict == Verdict::Warn,
        _ => false,
    }
}
