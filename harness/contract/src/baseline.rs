//! Baselines: what is known to be broken, and what came of it in a run.

use serde::{Deserialize, Serialize};

use crate::day::Day;
use crate::name::ClauseId;
use crate::protocol::Api;
use crate::revision::Revision;

/// One entry of a baseline: a clause that is expected to be broken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Expectation {
    /// The clause.
    pub clause: ClauseId,
    /// The one API over which that is expected; over any where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api: Option<Api>,
    /// Why.
    pub reason: String,
    /// Where that is followed up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// The last day on which it is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Day>,
    /// The one revision of the contract under which it is expected; under any where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// The path of the session that shows it.
    pub counterexample: String,
    /// The line of the file on which the entry begins, from 1.
    pub line: usize,
}

impl Expectation {
    /// Whether it is about a breach of a clause in a case that began over this API.
    #[must_use]
    pub fn is_about(&self, clause: &ClauseId, api: Api) -> bool {
        self.clause == *clause && self.api.is_none_or(|own| own == api)
    }

    /// Whether it is about runs that are held to this revision.
    #[must_use]
    pub fn is_of(&self, revision: Revision) -> bool {
        self.revision.is_none_or(|own| own == revision)
    }

    /// Whether its last day is over.
    #[must_use]
    pub fn has_expired(&self, today: Day) -> bool {
        self.until.is_some_and(|last| last < today)
    }
}

/// What the counterexample of an entry came to when it was played again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Replay {
    /// The clause is still broken.
    Fails,
    /// The clause is kept, each time, and its premise occurred.
    Passes,
    /// Neither is shown, for this reason.
    Undecided(String),
}

/// The entries of a run's baseline, and how the replays of their counterexamples came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Listed {
    /// The file, as it is shown.
    pub file: String,
    /// The day on which the run began.
    pub today: Day,
    /// The entries, in the order of the file.
    pub entries: Vec<Expectation>,
    /// For each of them its replay; nothing where it was not played.
    pub replays: Vec<Option<Replay>>,
}

impl Listed {
    /// Whether a breach of a clause in a case that began over this API is expected.
    #[must_use]
    pub fn expects(&self, clause: &ClauseId, api: Api, revision: Revision) -> bool {
        self.entries.iter().any(|entry| {
            entry.is_about(clause, api) && entry.is_of(revision) && !entry.has_expired(self.today)
        })
    }

    /// Adds what another shard of the same run played.
    pub fn merge(&mut self, other: Self) {
        self.today = self.today.max(other.today);
        for (own, other) in self.replays.iter_mut().zip(other.replays) {
            *own = own.take().or(other);
        }
    }
}

/// What an entry of a baseline came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Standing {
    /// The clause is broken, as expected.
    Expected,
    /// The counterexample passes, and nothing else broke the clause: it need not be listed.
    Stale,
    /// Its last day is over.
    Expired,
    /// The run does not show whether the clause is still broken.
    NotJudged,
    /// It is about another revision of the contract.
    AnotherRevision,
}

impl Standing {
    /// Whether it fails the run.
    #[must_use]
    pub fn fails(self) -> bool {
        matches!(self, Self::Stale | Self::Expired)
    }
}

/// An entry of a baseline, and what it came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entry {
    /// The entry.
    #[serde(flatten)]
    pub expectation: Expectation,
    /// What it came to.
    pub standing: Standing,
    /// Why, and what to do, where that needs saying.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What came of the baseline of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Baselined {
    /// The file, as it is shown.
    pub file: String,
    /// Whether anything failed that it does not expect.
    pub regressed: bool,
    /// The entries, in the order of the file.
    pub entries: Vec<Entry>,
}

impl Baselined {
    /// The entries that came to this.
    pub fn of(&self, standing: Standing) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.standing == standing)
    }

    /// The entries that fail the run.
    pub fn outdated(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.standing.fails())
    }
}
