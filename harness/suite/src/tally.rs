//! The tally of a run: what all cases showed, in whatever order they were played.

use std::collections::BTreeMap;

use tacit_contract::protocol::Api;
use tacit_contract::runtime::RuntimeError;
use tacit_contract::trace::Seen;
use tacit_contract::{Breach, Case, ClauseId, Judgement, Measure, PropertyId, Trace};

/// What one case came to.
#[derive(Debug)]
pub struct Outcome {
    /// The number of the case in its property.
    pub number: u64,
    /// The API that it began over.
    pub api: Api,
    /// The case, where it broke something.
    pub case: Option<Case>,
    /// What the judge found.
    pub judgement: Judgement,
    /// The labels of its session, where it was drawn at random.
    pub labels: Option<Vec<&'static str>>,
    /// What was played.
    pub counts: Counts,
    /// What went wrong that the script did not cause.
    pub trouble: Option<Trouble>,
}

/// Something that went wrong with the runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It could not be used any further.
    Fatal(RuntimeError),
    /// A prompt ended in error, or an operation failed, and the session went on.
    Passing(String),
}

/// How much was played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sessions.
    pub sessions: u64,
    /// Prompts.
    pub prompts: u64,
    /// Provider requests.
    pub requests: u64,
}

impl Counts {
    /// Counts a trace.
    pub fn count(&mut self, trace: &Trace) {
        self.sessions += 1;
        for entry in &trace.log {
            match entry.seen {
                Seen::Prompted { .. } => self.prompts += 1,
                Seen::Requested(_) => self.requests += 1,
                _ => {}
            }
        }
    }

    /// Adds others.
    pub fn add(&mut self, other: Self) {
        self.sessions += other.sessions;
        self.prompts += other.prompts;
        self.requests += other.requests;
    }
}

/// The lowest case of a property that breaks a clause.
#[derive(Debug, Clone)]
pub struct Failing {
    /// The property.
    pub property: PropertyId,
    /// The number of the case.
    pub number: u64,
    /// The case.
    pub case: Case,
    /// The first breach of the clause in it.
    pub breach: Breach,
}

/// A scenario that breaks a clause.
#[derive(Debug, Clone)]
pub struct InScenario {
    /// Its title.
    pub scenario: String,
    /// What was found.
    pub breach: Breach,
    /// What it played, where the judge found the same: it can be played again.
    pub case: Option<Case>,
}

/// What all cases of a run showed.
#[derive(Debug, Default)]
pub struct Tally {
    /// How often each clause's premise occurred, over each API.
    pub exercised: BTreeMap<ClauseId, BTreeMap<Api, u64>>,
    /// For each broken clause, the first property that breaks it and its lowest case.
    pub failing: BTreeMap<ClauseId, Failing>,
    /// Clauses that scenarios break, each with the first scenario that does.
    pub in_scenarios: BTreeMap<ClauseId, InScenario>,
    /// Clauses that a request could not show, each with the first reason.
    pub undecided: BTreeMap<ClauseId, String>,
    /// The readings that were seen.
    pub readings: BTreeMap<String, BTreeMap<String, u64>>,
    /// What was measured.
    pub measures: BTreeMap<ClauseId, Measure>,
    /// How many generated sessions had each label.
    pub labels: BTreeMap<&'static str, u64>,
    /// How many sessions were generated.
    pub generated: u64,
    /// What was played.
    pub counts: Counts,
    /// The failures of the runtime, by cause: the first, and how many cases ended with it.
    pub fatal: BTreeMap<String, (RuntimeError, u32)>,
    /// The first trouble that did not end a case.
    pub passing: Option<String>,
}

impl Tally {
    /// Adds the outcome of a property's case. Those of one property come in the order of their
    /// numbers.
    pub fn add(&mut self, property: &PropertyId, outcome: Outcome) {
        if let Some(labels) = &outcome.labels {
            self.generated += 1;
            for label in labels {
                *self.labels.entry(label).or_default() += 1;
            }
        }
        self.counts.add(outcome.counts);
        for breach in &outcome.judgement.breaches {
            let Some(case) = &outcome.case else { continue };
            self.failing.entry(breach.clause.clone()).or_insert_with(|| Failing {
                property: property.clone(),
                number: outcome.number,
                case: case.clone(),
                breach: breach.clone(),
            });
        }
        self.seen(outcome.api, outcome.judgement, outcome.trouble);
    }

    /// Adds what the judge found in a case, and what went wrong in it.
    ///
    /// What was kept before a crash was kept. A prompt that the runtime gave up for no reason of
    /// the script's breaks the clauses that ask it to go on; of the others its case shows nothing.
    pub fn seen(&mut self, api: Api, judgement: Judgement, trouble: Option<Trouble>) {
        if !matches!(trouble, Some(Trouble::Passing(_))) {
            self.judged(api, judgement);
        }
        self.trouble(trouble);
    }

    /// Adds what the judge found in any case that began over this API.
    pub fn judged(&mut self, api: Api, judgement: Judgement) {
        for (clause, count) in judgement.exercised {
            *self.exercised.entry(clause).or_default().entry(api).or_default() += count;
        }
        for (clause, reason) in judgement.undecided {
            self.undecided.entry(clause).or_insert(reason);
        }
        for (point, readings) in judgement.readings {
            let seen = self.readings.entry(point).or_default();
            for (reading, count) in readings {
                *seen.entry(reading).or_default() += count;
            }
        }
        for (clause, measure) in judgement.measures {
            self.measures.entry(clause).or_default().add(measure);
        }
    }

    /// Adds what went wrong with the runtime.
    pub fn trouble(&mut self, trouble: Option<Trouble>) {
        match trouble {
            Some(Trouble::Fatal(error)) => {
                let cause = self.fatal.entry(kind(&error)).or_insert((error, 0));
                cause.1 += 1;
            }
            Some(Trouble::Passing(what)) => {
                self.passing.get_or_insert(what);
            }
            None => {}
        }
    }

    /// How many cases the runtime failed in.
    #[must_use]
    pub fn fatal_cases(&self) -> u32 {
        self.fatal.values().map(|(_, cases)| cases).sum()
    }

    /// The cause that most cases ended with.
    #[must_use]
    pub fn main_cause(&self) -> Option<&RuntimeError> {
        self.fatal.values().max_by_key(|(_, cases)| *cases).map(|(error, _)| error)
    }
}

/// What two failures have in common that have one cause.
fn kind(error: &RuntimeError) -> String {
    match error {
        RuntimeError::Crashed { status, .. } => format!("crashed {status}"),
        RuntimeError::Hung { .. } => "hung".to_owned(),
        RuntimeError::Protocol { during, .. } => format!("protocol {during}"),
        other => other.to_string(),
    }
}
