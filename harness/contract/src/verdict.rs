//! Verdicts: what is claimed of a runtime, and on what grounds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::name::{ClauseId, SessionId, ToolName};

/// The judge's word on a clause, after all cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// Its premise occurred, and it was kept each time.
    Pass,
    /// A `must` clause was broken.
    Fail,
    /// A `should` clause was broken.
    Warn,
    /// No case reached its premise: never a pass.
    NotExercised,
    /// The runtime lacks a capability, or the profile does not claim the clause.
    NotApplicable,
    /// It was broken, and a baseline expects that.
    ExpectedFailure,
    /// The runtime failed before the clause could be judged.
    Error,
}

/// What the judge found in one case.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// How often each clause's premise occurred.
    pub exercised: BTreeMap<ClauseId, u64>,
    /// Where clauses were broken, in the order in which it was seen.
    pub breaches: Vec<Breach>,
    /// Which of the accepted readings were seen, by point: how often each.
    pub readings: BTreeMap<String, BTreeMap<String, u64>>,
    /// What was measured, by clause.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: BTreeMap<ClauseId, Measure>,
    /// Clauses that could not be judged here, each with the reason.
    pub undecided: BTreeMap<ClauseId, String>,
    /// Clauses that the runtime's failure kept from being judged, each with the cause.
    pub errors: BTreeMap<ClauseId, String>,
}

/// A part, and the whole that it is a part of, summed over all that was measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Measure {
    /// The part.
    pub part: u64,
    /// The whole; never less than the part.
    pub whole: u64,
}

impl Measure {
    /// Adds another.
    pub fn add(&mut self, other: Self) {
        self.part += other.part;
        self.whole += other.whole;
    }

    /// The part in hundredths of the whole, rounded down; `None` of nothing.
    #[must_use]
    pub fn percent(self) -> Option<u64> {
        (self.part * 100).checked_div(self.whole)
    }
}

/// One breach of a clause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Breach {
    /// The clause.
    pub clause: ClauseId,
    /// The session in which it was seen.
    pub session: SessionId,
    /// The entry of the trace that shows it.
    pub entry: usize,
    /// The prompt of the session in which it happened, from 1; 0 before the first.
    pub prompt: u32,
    /// The request of that prompt, from 1; 0 where no request shows it.
    pub request: u32,
    /// The tool that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolName>,
    /// What was found, and what was expected.
    pub found: String,
}

impl Judgement {
    /// Whether the clause was broken.
    #[must_use]
    pub fn breaks(&self, clause: &ClauseId) -> bool {
        self.breaches.iter().any(|breach| breach.clause == *clause)
    }

    /// Adds what another case showed.
    pub fn add(&mut self, other: Self) {
        for (clause, count) in other.exercised {
            *self.exercised.entry(clause).or_default() += count;
        }
        self.breaches.extend(other.breaches);
        for (point, readings) in other.readings {
            let seen = self.readings.entry(point).or_default();
            for (reading, count) in readings {
                *seen.entry(reading).or_default() += count;
            }
        }
        for (clause, measure) in other.measures {
            self.measures.entry(clause).or_default().add(measure);
        }
        self.undecided.extend(other.undecided);
        self.errors.extend(other.errors);
    }
}
