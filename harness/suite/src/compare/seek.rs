//! The search for a session on which two runtimes differ.

use super::candidates::{Candidate, Common, generated};
use super::differ::Difference;
use super::pair::Pair;
use crate::error::RunError;
use crate::generate::rounds;

/// How many of the sessions that are there already are played before one looks at them.
const BATCH: usize = 16;

/// The first session that shows a difference, in the order of trial: those that are there
/// already, then generated ones, up to so many of each mix. What is told otherwise and is the
/// same to the model counts only if nothing else is found.
///
/// # Errors
/// A worker panicked.
pub fn seek(
    pair: &mut Pair<'_>,
    known: &[Candidate],
    common: &Common,
    (seed, cases): (u64, u32),
    progress: &mut dyn FnMut(u64),
) -> Result<Option<(Candidate, Difference)>, RunError> {
    let mut weak = None;
    for batch in known.chunks(BATCH) {
        if let Some(found) = look(pair, batch, &mut weak, progress)? {
            return Ok(Some(found));
        }
    }
    for round in rounds(cases) {
        // A round of all mixes at once would take long to look at.
        for batch in generated(seed, common, &round).chunks(BATCH * 4) {
            if let Some(found) = look(pair, batch, &mut weak, progress)? {
                return Ok(Some(found));
            }
        }
    }
    Ok(weak)
}

fn look(
    pair: &mut Pair<'_>,
    batch: &[Candidate],
    weak: &mut Option<(Candidate, Difference)>,
    progress: &mut dyn FnMut(u64),
) -> Result<Option<(Candidate, Difference)>, RunError> {
    if pair.is_over() {
        return Ok(None);
    }
    let differences = pair.compare(batch)?;
    progress(pair.sessions);
    let mut strong: Option<(Candidate, Difference)> = None;
    for (candidate, difference) in batch.iter().zip(differences) {
        let Some(difference) = difference else { continue };
        let shorter = |known: &Option<(Candidate, Difference)>| {
            known.as_ref().is_none_or(|(known, _)| {
                candidate.case.session.length() < known.case.session.length()
            })
        };
        if difference.aspect.is_strong() {
            if shorter(&strong) {
                strong = Some((candidate.clone(), difference));
            }
        } else if shorter(weak) {
            *weak = Some((candidate.clone(), difference));
        }
    }
    Ok(strong)
}
