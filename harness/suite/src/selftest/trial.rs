//! One fault on trial.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tacit_contract::matrix::{CheckKind, Tried};
use tacit_contract::{Case, ClauseId, Judgement, PropertyId};
use tacit_reference::{Fault, Switches};

use super::Only;
use super::checks::Checks;
use super::kill::{Sighting, Verified, verify};
use crate::bench::Bench;
use crate::closing::millis;
use crate::error::RunError;
use crate::generate::{Cases, rounds};
use crate::scenarios::{Results, alone};
use tacit_contract::tally::{Failing, Place};

/// How many rounds the likeliest property is ahead of the others: 12 cases.
const AHEAD: usize = 2;

/// One fault, the checks, and a bench for the reference with the fault and one without.
pub struct Trial<'a> {
    fault: &'static Fault,
    clauses: Vec<ClauseId>,
    checks: &'a Checks,
    only: Only,
    faulty: Bench,
    faultless: Bench,
}

/// What a trial came to.
#[derive(Debug)]
pub struct Found {
    /// The fault's row of the matrix.
    pub row: Tried,
    /// The sessions that show it, one for each check of `killed_by`.
    pub sessions: Vec<Case>,
}

/// What one kind of check has seen so far.
struct Look {
    kind: CheckKind,
    begun: Instant,
    cases: u32,
    /// How long it looked, in milliseconds.
    ms: u64,
    wanted: Vec<ClauseId>,
    sightings: Vec<Sighting>,
}

impl Look {
    fn new(kind: CheckKind, wanted: &[ClauseId]) -> Self {
        let wanted = wanted.to_vec();
        Self { kind, begun: Instant::now(), cases: 0, ms: 0, wanted, sightings: Vec::new() }
    }

    /// Takes what a case came to.
    fn seen(&mut self, check: &str, number: u64, case: &Case, judgement: &Judgement) {
        self.cases += 1;
        self.ms = millis(self.begun);
        let (kind, cases, ms) = (self.kind, self.cases, self.ms);
        let sightings = &mut self.sightings;
        self.wanted.retain(|clause| {
            let breach = judgement.breaches.iter().find(|breach| breach.clause == *clause);
            let Some(breach) = breach else { return true };
            sightings.push(Sighting {
                kind,
                cases,
                ms,
                failing: Failing {
                    property: PropertyId::from(check),
                    place: Place::Property { place: 0, number },
                    case: case.clone(),
                    breach: breach.clone(),
                },
            });
            false
        });
    }

    fn has_seen_all(&self) -> bool {
        self.wanted.is_empty()
    }
}

impl<'a> Trial<'a> {
    /// A trial of a fault.
    ///
    /// # Errors
    /// A bench could not be made.
    pub fn new(fault: &'static Fault, checks: &'a Checks, only: Only) -> Result<Self, RunError> {
        let switches = Switches::parse([fault.key]).map_err(|_| RunError::OwnFault)?;
        Ok(Self {
            fault,
            clauses: fault.clauses.iter().map(|id| ClauseId::from(*id)).collect(),
            checks,
            only,
            faulty: checks.bench(switches)?,
            faultless: checks.bench(Switches::none())?,
        })
    }

    /// Plays the checks until each clause meant was broken by a scenario and by a property, and
    /// shrinks what they found; `None` where it was stopped.
    ///
    /// # Errors
    /// A fault of this program itself.
    pub fn perform(&self, stop: &AtomicBool) -> Result<Option<Found>, RunError> {
        let mut looks = Vec::new();
        if self.only.scenarios() {
            looks.push(self.by_scenarios(stop));
        }
        if self.only.properties() {
            looks.push(self.by_properties(stop)?);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let verified: Vec<Verified> = looks
            .iter()
            .flat_map(|look| &look.sightings)
            .map(|sighting| verify(&self.faulty, &self.faultless, &self.checks.runtime, sighting))
            .collect();
        Ok(Some(self.found(&looks, verified)))
    }

    /// The scenarios about the clauses meant, over the plainest kind of provider first.
    fn by_scenarios(&self, stop: &AtomicBool) -> Look {
        let mut look = Look::new(CheckKind::Scenario, &self.clauses);
        let scenarios = self.checks.scenarios(&self.clauses);
        for kind in &self.checks.kinds {
            for scenario in &scenarios {
                if look.has_seen_all() || stop.load(Ordering::Relaxed) {
                    return look;
                }
                self.faulty.fresh();
                let runtime = self.checks.runtime.clone();
                for outcome in alone(&self.faulty, runtime, *kind, scenario, Results::new()) {
                    let file = outcome.result.feature.rsplit('/').next().unwrap_or_default();
                    let place = format!("{file}:{}", outcome.result.line);
                    look.seen(&place, 0, &outcome.case, &outcome.judgement);
                }
            }
        }
        look
    }

    /// The properties in turn, in rounds that grow, until each clause meant was broken; the
    /// likeliest is some rounds ahead of the others. Where the fault is meant to break several,
    /// those that are not seen within the round in which the first one was are left to the faults
    /// that are meant for them alone.
    fn by_properties(&self, stop: &AtomicBool) -> Result<Look, RunError> {
        let mut look = Look::new(CheckKind::Property, &self.clauses);
        let properties = self.checks.properties(&self.clauses);
        let (likeliest, others) = properties.split_at(properties.len().min(1));
        let rounds: Vec<_> = rounds(self.checks.cases()).collect();
        for turn in 0..rounds.len() + AHEAD {
            let ahead = likeliest.iter().map(|cases| (cases, rounds.get(turn)));
            let behind = turn.checked_sub(AHEAD).and_then(|turn| rounds.get(turn));
            for (cases, round) in ahead.chain(others.iter().map(|cases| (cases, behind))) {
                for number in round.cloned().into_iter().flatten() {
                    if look.has_seen_all() || stop.load(Ordering::Relaxed) {
                        return Ok(look);
                    }
                    self.play(cases, u64::from(number), &mut look)?;
                }
            }
            if !look.sightings.is_empty() {
                break;
            }
        }
        Ok(look)
    }

    fn play(&self, cases: &Cases, number: u64, look: &mut Look) -> Result<(), RunError> {
        let case = cases.case(number).ok_or(RunError::OwnFault)?;
        self.faulty.fresh();
        let played = self.faulty.play(&case).map_err(|_| RunError::OwnFault)?;
        look.seen(cases.property().mix.id, number, &case, &played.judgement);
        Ok(())
    }

    fn found(&self, looks: &[Look], verified: Vec<Verified>) -> Found {
        let sound = || verified.iter().map(|one| &one.kill).filter(|kill| kill.is_sound());
        let first = looks.iter().find_map(|look| look.sightings.first());
        let in_vain = || looks.iter().take_while(|look| look.sightings.is_empty());
        let killed = sound().next().is_some();
        let row = Tried {
            key: self.fault.key.to_owned(),
            seen_in: self.fault.seen_in.iter().map(|place| (*place).to_owned()).collect(),
            level: self.fault.level,
            clauses: self.clauses.clone(),
            killed,
            cases: in_vain().map(|look| look.cases).sum::<u32>()
                + first.map_or(0, |first| first.cases),
            time_to_kill_ms: first
                .filter(|_| killed)
                .map(|first| in_vain().map(|look| look.ms).sum::<u64>() + first.ms),
            session_length: sound().map(|kill| kill.session_length).min(),
            shortest_known: self.fault.shortest,
            killed_by: verified.iter().map(|one| one.kill.clone()).collect(),
        };
        Found { row, sessions: verified.into_iter().map(|one| one.case).collect() }
    }
}
