//! Replay: saved counterexamples played again, each on a new process.

use std::path::PathBuf;
use std::sync::Arc;

use tacit_contract::event::StoryLine;
use tacit_contract::runtime::RuntimeError;
use tacit_contract::tally::Trouble;
use tacit_contract::timeline::Point;
use tacit_contract::{Breach, Case, ClauseId, Step, Trace};

use crate::config::Config;
use crate::corpus::{Kept, read};
use crate::error::RunError;
use crate::exit::Exit;
use crate::pool::Pool;
use crate::story::{story, timeline};

/// What a counterexample comes to when it is played again.
#[derive(Debug, Clone, PartialEq)]
pub enum Replayed {
    /// The clause is broken as before.
    StillFails {
        /// What was found.
        breach: Breach,
        /// What happened.
        story: Vec<StoryLine>,
        /// What each request showed and had to show.
        timeline: Vec<Point>,
    },
    /// Every clause that it names is kept, and its premise occurred.
    Fixed,
    /// Nothing is broken, but the premise of the clause did not occur: nothing is shown.
    NotExercised,
    /// The profile does not claim the clause.
    NotClaimed,
    /// The runtime lacks what the session begins with.
    NotApplicable {
        /// What it lacks.
        reason: String,
    },
    /// The runtime failed.
    Error {
        /// How.
        cause: String,
    },
}

/// One file that was played again.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The file.
    pub path: PathBuf,
    /// The clauses that it names.
    pub clauses: Vec<ClauseId>,
    /// What it came to.
    pub result: Replayed,
    /// What was seen: the trace of the session, then those of its variants. None where nothing was
    /// played.
    pub traces: Vec<Trace>,
}

/// Plays files again.
///
/// # Errors
/// A file is no counterexample, or the runtime could not be started.
pub fn replay(config: Config, paths: &[PathBuf]) -> Result<(Vec<Replay>, Exit), RunError> {
    let kept: Vec<Kept> = paths.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
    let config = Arc::new(config);
    let pool = Pool::new(&config);
    let mut replays = Vec::new();
    let mut unusable = false;
    for kept in kept {
        let seen = again(&config, &pool, &kept)?;
        unusable |= seen.is_err();
        let (result, traces) =
            seen.unwrap_or_else(|error| (Replayed::Error { cause: error.to_string() }, Vec::new()));
        replays.push(Replay { path: kept.path, clauses: kept.clauses, result, traces });
    }
    let exit = if unusable { Exit::Unusable } else { exit_of(&replays) };
    Ok((replays, exit))
}

/// What the files come to together. One cause breaks several clauses, and where it is mended some
/// of their sessions no longer come near the clause: those count for nothing beside one that is
/// shown to be fixed, and alone they show too little.
fn exit_of(replays: &[Replay]) -> Exit {
    let any = |wanted: fn(&Replayed) -> bool| replays.iter().any(|replay| wanted(&replay.result));
    if any(|result| matches!(result, Replayed::StillFails { .. } | Replayed::Error { .. })) {
        Exit::DoesNotConform
    } else if any(|result| *result == Replayed::Fixed) || replays.is_empty() {
        Exit::Conforms
    } else {
        Exit::TooLittle
    }
}

fn again(
    config: &Arc<Config>,
    pool: &Pool,
    kept: &Kept,
) -> Result<Result<(Replayed, Vec<Trace>), RuntimeError>, RunError> {
    let (mut case, clauses, profile) =
        (kept.case.clone(), kept.clauses.clone(), Arc::clone(config));
    let claimed = |id: &ClauseId| config.profile.claimed().any(|clause| clause.id == *id);
    if !clauses.iter().any(claimed) {
        return Ok(Ok((Replayed::NotClaimed, Vec::new())));
    }
    restart_whole(&mut case);
    pool.one(move |bench| {
        bench.fresh();
        let played = bench.play(&case)?;
        let breach = played.judgement.breaches.iter().find(|b| clauses.contains(&b.clause));
        let result = if let Some(breach) = breach {
            let trace = played.trace_of(&breach.clause, &profile.profile);
            let story = story(&profile.profile, trace, breach);
            let timeline = timeline(&profile.profile, trace, breach);
            Replayed::StillFails { breach: breach.clone(), story, timeline }
        } else if let Some(RuntimeError::Unsupported { what }) = &played.base.cut_short {
            Replayed::NotApplicable {
                reason: format!(
                    "it begins with {what}, which the runtime lacks or `--api` leaves out"
                ),
            }
        } else if let Some(Trouble::Fatal(error)) = &played.trouble {
            Replayed::Error { cause: error.to_string() }
        } else if clauses.iter().any(|clause| played.judgement.exercised.contains_key(clause)) {
            Replayed::Fixed
        } else {
            Replayed::NotExercised
        };
        let variants = played.variants.into_iter().map(|(_, trace)| trace);
        Ok((result, std::iter::once(played.base).chain(variants).collect()))
    })
    .ok_or(RunError::OwnFault)
}

/// In a replay every restart ends the process.
pub(crate) fn restart_whole(case: &mut Case) {
    for step in &mut case.session.steps {
        if let Step::Restart { process, .. } = step {
            *process = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exit(results: &[Replayed]) -> Exit {
        let replay = |result: &Replayed| Replay {
            path: PathBuf::new(),
            clauses: Vec::new(),
            result: result.clone(),
            traces: Vec::new(),
        };
        exit_of(&results.iter().map(replay).collect::<Vec<_>>())
    }

    #[test]
    fn what_shows_nothing_does_no_harm_beside_what_is_fixed_and_is_too_little_alone() {
        let error = || Replayed::Error { cause: "it went away".to_owned() };
        assert_eq!(exit(&[Replayed::NotExercised, Replayed::Fixed]), Exit::Conforms);
        assert_eq!(exit(&[Replayed::NotExercised, Replayed::NotClaimed]), Exit::TooLittle);
        assert_eq!(exit(&[Replayed::Fixed, error()]), Exit::DoesNotConform);
        assert_eq!(exit(&[]), Exit::Conforms);
    }
}
