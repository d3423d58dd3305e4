//! Merging: the shards of a run, put together to what one run of all would have said.

use std::collections::{BTreeMap, BTreeSet};

use tacit_contract::baseline::Expectation;
use tacit_contract::event::{PropertyResult, RunFinished, RunStarted};
use tacit_contract::{Event, Part, PropertyId, Shard};
use thiserror::Error;

use crate::closing::close;
use crate::exit::Exit;

/// Why runs cannot be put together; to be read after "failed to".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MergeError {
    /// One of several is no shard.
    #[error("put runs together: number {} of them is no shard of a run", place + 1)]
    NoShard {
        /// Which of the runs, from 0.
        place: usize,
    },
    /// Nothing was played in one.
    #[error(
        "put runs together: shard {shard} holds no results, its runtime could not be used or it \
         was cut off: run it again"
    )]
    Empty {
        /// The shard.
        shard: Shard,
    },
    /// They are not those of one run.
    #[error(
        "put runs together: shard {one} and shard {other} are not of one run, they differ in {what}"
    )]
    Differ {
        /// A shard.
        one: Shard,
        /// Another.
        other: Shard,
        /// In what.
        what: &'static str,
    },
    /// One is there twice.
    #[error("put runs together: shard {shard} is there twice")]
    Twice {
        /// The shard.
        shard: Shard,
    },
    /// Some are not there.
    #[error("put runs together: of {of} shards these are missing: {missing}")]
    Missing {
        /// How many there are.
        of: u32,
        /// The numbers of those that are not there.
        missing: String,
    },
}

/// One shard.
struct Piece {
    shard: Shard,
    started: RunStarted,
    part: Part,
    finished: RunFinished,
    events: Vec<Event>,
}

/// The events of the run that some shards are parts of, and how it ends.
///
/// # Errors
/// They are not all the shards of one run, each once.
pub fn merged(runs: Vec<Vec<Event>>) -> Result<(Vec<Event>, Exit), MergeError> {
    let pieces = runs.into_iter().enumerate().map(|(place, events)| piece(place, events));
    let mut pieces: Vec<Piece> = pieces.collect::<Result<_, _>>()?;
    pieces.sort_by_key(|piece| piece.shard);
    fit(&pieces)?;
    Ok(join(pieces))
}

fn piece(place: usize, events: Vec<Event>) -> Result<Piece, MergeError> {
    let mut rest = Vec::new();
    let (mut begun, mut played, mut over) = (None, None, None);
    for event in events {
        match event {
            Event::RunStarted(started) => begun = Some(started),
            Event::ShardPlayed(part) => played = Some(*part),
            Event::RunFinished(finished) => over = Some(finished),
            event => rest.push(event),
        }
    }
    let started = begun.ok_or(MergeError::NoShard { place })?;
    let shard = started.shard.ok_or(MergeError::NoShard { place })?;
    let (Some(part), Some(finished)) = (played, over) else {
        return Err(MergeError::Empty { shard });
    };
    Ok(Piece { shard, started, part, finished, events: rest })
}

/// Whether they are all the shards of one run.
fn fit(pieces: &[Piece]) -> Result<(), MergeError> {
    let Some((first, others)) = pieces.split_first() else { return Ok(()) };
    for other in others {
        if let Some(what) = difference(first, other) {
            return Err(MergeError::Differ { one: first.shard, other: other.shard, what });
        }
    }
    if let Some([one, _]) = pieces.array_windows().find(|[one, other]| one.shard == other.shard) {
        return Err(MergeError::Twice { shard: one.shard });
    }
    let there: BTreeSet<u32> = pieces.iter().map(|piece| piece.shard.number()).collect();
    let of = first.shard.of();
    let missing: Vec<String> = (1..=of)
        .filter(|number| !there.contains(number))
        .map(|number| number.to_string())
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(MergeError::Missing { of, missing: missing.join(", ") })
    }
}

fn difference(one: &Piece, other: &Piece) -> Option<&'static str> {
    let (a, b) = (&one.started, &other.started);
    let differences = [
        (one.shard.of() != other.shard.of(), "the number of shards"),
        (a.tool_version != b.tool_version, "the version of tacit"),
        (a.spec != b.spec, "how the runtime was asked for"),
        (one.part.runtime != other.part.runtime, "the runtime"),
        (one.part.terms != other.part.terms, "the profile or in what the run was held to"),
        (a.seed != b.seed, "the seed"),
        (a.cases != b.cases, "the number of cases"),
        (one.part.properties != other.part.properties, "the properties"),
        (entries(one) != entries(other), "the baseline"),
    ];
    differences.into_iter().find_map(|(differs, what)| differs.then_some(what))
}

fn entries(piece: &Piece) -> Option<&[Expectation]> {
    piece.part.baseline.as_ref().map(|listed| listed.entries.as_slice())
}

/// One run of all of them.
fn join(pieces: Vec<Piece>) -> (Vec<Event>, Exit) {
    let mut pieces = pieces.into_iter();
    let Some(first) = pieces.next() else { return (Vec::new(), Exit::TooLittle) };
    let Piece { mut started, mut part, mut finished, mut events, .. } = first;
    for piece in pieces {
        started.started_at = started.started_at.min(piece.started.started_at);
        started.scenarios += piece.started.scenarios;
        finished.duration_ms += piece.finished.duration_ms;
        events.extend(piece.events);
        add(&mut part, piece.part);
    }
    started.shard = None;
    started.properties.clone_from(&part.properties);
    let mut joined = vec![Event::RunStarted(started)];
    joined.extend(events.into_iter().filter_map(|event| told(event, &part)));
    let exit = close(part, None, finished.duration_ms, &mut |event| joined.push(event));
    (joined, exit)
}

/// Adds another shard. Of two counterexamples that stays which the whole run would have kept: that
/// of the check that comes first.
fn add(part: &mut Part, other: Part) {
    part.tally.merge(other.tally);
    part.interrupted |= other.interrupted;
    part.broken_off |= other.broken_off;
    if let (Some(listed), Some(other)) = (&mut part.baseline, other.baseline) {
        listed.merge(other);
    }
    for (clause, caught) in other.counterexamples {
        let first = part.tally.failing.get(&clause).map(|failing| &failing.property);
        if first == Some(&caught.found_by) || !part.counterexamples.contains_key(&clause) {
            part.counterexamples.insert(clause, caught);
        }
    }
}

/// What of a shard's events stands in the whole run. That ends with a judgement of its own.
fn told(event: Event, part: &Part) -> Option<Event> {
    match event {
        Event::CounterexampleFound(found) => {
            let kept = part.counterexamples.get(&found.clause)?;
            (kept.found_by.as_str() == found.found_by).then_some(Event::CounterexampleFound(found))
        }
        Event::PropertyFinished(result) => Some(Event::PropertyFinished(property(result, part))),
        Event::RuntimeFailed { .. } | Event::ClauseJudged(_) => None,
        event => Some(event),
    }
}

/// A property whose clauses may have been broken by another before it.
fn property(mut result: PropertyResult, part: &Part) -> PropertyResult {
    result.shrinks = evaluations(&result.id, part);
    let known = |clause| Some(part.counterexamples.get(clause)?.path.clone());
    let paths: BTreeMap<_, _> = result
        .counterexamples
        .iter()
        .map(|(clause, path)| (clause.clone(), known(clause).unwrap_or_else(|| path.clone())))
        .collect();
    result.counterexamples = paths;
    result
}

/// How many evaluations the hunts of a property took.
fn evaluations(id: &PropertyId, part: &Part) -> u32 {
    let own = part.counterexamples.values().filter(|caught| caught.found_by == *id);
    own.map(|caught| caught.evaluations).sum()
}
