//! The tally of a run: what all cases showed, in whatever order they were played.
//!
//! Those of several shards add up to that of the whole run.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::name::{ClauseId, PropertyId};
use crate::protocol::Api;
use crate::runtime::RuntimeError;
use crate::trace::{Seen, Trace};
use crate::verdict::{Breach, Judgement, Measure};

/// What one case came to.
#[derive(Debug)]
pub struct Outcome {
    /// Where that is.
    pub place: Place,
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
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

/// Where in a run something was found, in the order in which a run plays its checks. What stands
/// first counts, whoever found it first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Place {
    /// A session that was kept from an earlier run.
    Corpus {
        /// Which, in the order of the files' names.
        number: u64,
    },
    /// A case of a property.
    Property {
        /// Where the property stands among all.
        place: u32,
        /// The number of the case.
        number: u64,
    },
    /// One of all short sessions.
    Exhaustive {
        /// The number of the session.
        number: u64,
    },
    /// A scenario.
    Scenario {
        /// Its feature file.
        feature: String,
        /// Its line there.
        line: usize,
    },
}

/// The lowest case of a property that breaks a clause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Failing {
    /// The property.
    pub property: PropertyId,
    /// Where that is.
    pub place: Place,
    /// The case.
    pub case: Case,
    /// The first breach of the clause in it.
    pub breach: Breach,
}

/// A scenario that breaks a clause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InScenario {
    /// Its title.
    pub scenario: String,
    /// Where that is.
    pub place: Place,
    /// What was found.
    pub breach: Breach,
    /// What it played, where the judge found the same: it can be played again.
    pub case: Option<Case>,
}

/// A failure of the runtime that ended cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fatal {
    /// How it failed in one of them, of several the first by the alphabet.
    pub cause: RuntimeError,
    /// How many cases ended with it.
    pub cases: u32,
}

/// What all cases of a run showed.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// How often each clause's premise occurred, over each API.
    pub exercised: BTreeMap<ClauseId, BTreeMap<Api, u64>>,
    /// For each broken clause, the first property that breaks it and its lowest case.
    pub failing: BTreeMap<ClauseId, Failing>,
    /// Clauses that scenarios break, each with the first scenario that does.
    pub in_scenarios: BTreeMap<ClauseId, InScenario>,
    /// Clauses that were broken as a baseline expects, each with the APIs over which that was.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub expected: BTreeMap<ClauseId, BTreeSet<Api>>,
    /// Clauses that a request could not show, each with the reason, of several the first by the
    /// alphabet.
    pub undecided: BTreeMap<ClauseId, String>,
    /// The readings that were seen.
    pub readings: BTreeMap<String, BTreeMap<String, u64>>,
    /// What was measured.
    pub measures: BTreeMap<ClauseId, Measure>,
    /// How many generated sessions had each label.
    pub labels: BTreeMap<String, u64>,
    /// How many sessions were generated.
    pub generated: u64,
    /// What was played.
    pub counts: Counts,
    /// The failures of the runtime, by what those of one cause have in common.
    pub fatal: BTreeMap<String, Fatal>,
    /// A trouble that did not end a case, of several the first by the alphabet.
    pub passing: Option<String>,
}

impl Tally {
    /// Adds the outcome of a property's case.
    pub fn add(&mut self, property: &PropertyId, outcome: Outcome) {
        if let Some(labels) = &outcome.labels {
            self.generated += 1;
            for label in labels {
                *self.labels.entry((*label).to_owned()).or_default() += 1;
            }
        }
        self.counts.add(outcome.counts);
        for breach in &outcome.judgement.breaches {
            let Some(case) = &outcome.case else { continue };
            self.fails(Failing {
                property: property.clone(),
                place: outcome.place.clone(),
                case: case.clone(),
                breach: breach.clone(),
            });
        }
        self.seen(outcome.api, outcome.judgement, outcome.trouble);
    }

    /// Adds a case that breaks a clause; whether it is the first of those that are known.
    pub fn fails(&mut self, failing: Failing) -> bool {
        let known = self.failing.get(&failing.breach.clause);
        let first = known.is_none_or(|known| failing.place < known.place);
        if first {
            self.failing.insert(failing.breach.clause.clone(), failing);
        }
        first
    }

    /// Adds a scenario that breaks a clause.
    pub fn fails_in(&mut self, found: InScenario) {
        let known = self.in_scenarios.get(&found.breach.clause);
        if known.is_none_or(|known| found.place < known.place) {
            self.in_scenarios.insert(found.breach.clause.clone(), found);
        }
    }

    /// Adds a breach that a baseline expects, in a case that began over this API.
    pub fn expects(&mut self, clause: ClauseId, api: Api) {
        self.expected.entry(clause).or_default().insert(api);
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
        let Judgement { undecided, readings, measures, .. } = judgement;
        self.beside(undecided, readings, measures);
    }

    /// Adds what was seen beside breaches and premises.
    fn beside(
        &mut self,
        undecided: BTreeMap<ClauseId, String>,
        readings: BTreeMap<String, BTreeMap<String, u64>>,
        measures: BTreeMap<ClauseId, Measure>,
    ) {
        for (clause, reason) in undecided {
            let known = self.undecided.entry(clause).or_insert_with(|| reason.clone());
            if reason < *known {
                *known = reason;
            }
        }
        for (point, readings) in readings {
            add_counts(self.readings.entry(point).or_default(), readings);
        }
        for (clause, measure) in measures {
            self.measures.entry(clause).or_default().add(measure);
        }
    }

    /// Adds what went wrong with the runtime.
    pub fn trouble(&mut self, trouble: Option<Trouble>) {
        match trouble {
            Some(Trouble::Fatal(cause)) => self.fatal(kind(&cause), Fatal { cause, cases: 1 }),
            Some(Trouble::Passing(what)) => self.passing(what),
            None => {}
        }
    }

    /// Adds what the cases of another shard showed.
    pub fn merge(&mut self, other: Self) {
        for (clause, over) in other.exercised {
            add_counts(self.exercised.entry(clause).or_default(), over);
        }
        for failing in other.failing.into_values() {
            self.fails(failing);
        }
        for found in other.in_scenarios.into_values() {
            self.fails_in(found);
        }
        for (clause, apis) in other.expected {
            self.expected.entry(clause).or_default().extend(apis);
        }
        self.beside(other.undecided, other.readings, other.measures);
        add_counts(&mut self.labels, other.labels);
        self.generated += other.generated;
        self.counts.add(other.counts);
        for (kind, fatal) in other.fatal {
            self.fatal(kind, fatal);
        }
        if let Some(what) = other.passing {
            self.passing(what);
        }
    }

    fn fatal(&mut self, kind: String, fatal: Fatal) {
        match self.fatal.get_mut(&kind) {
            Some(known) => {
                known.cases += fatal.cases;
                if fatal.cause.to_string() < known.cause.to_string() {
                    known.cause = fatal.cause;
                }
            }
            None => _ = self.fatal.insert(kind, fatal),
        }
    }

    fn passing(&mut self, what: String) {
        if self.passing.as_ref().is_none_or(|known| what < *known) {
            self.passing = Some(what);
        }
    }

    /// How many cases the runtime failed in.
    #[must_use]
    pub fn fatal_cases(&self) -> u32 {
        self.fatal.values().map(|fatal| fatal.cases).sum()
    }

    /// The cause that most cases ended with.
    #[must_use]
    pub fn main_cause(&self) -> Option<&RuntimeError> {
        self.fatal.values().max_by_key(|fatal| fatal.cases).map(|fatal| &fatal.cause)
    }
}

fn add_counts<K: Ord>(counts: &mut BTreeMap<K, u64>, others: BTreeMap<K, u64>) {
    for (key, count) in others {
        *counts.entry(key).or_default() += count;
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
