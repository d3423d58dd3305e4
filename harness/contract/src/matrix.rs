//! The kill matrix: which checks find which fault, after how many cases, in how short a session.
//!
//! A fault is found where a clause that it is meant to break is broken. One that no check finds
//! survives, and a clause that no fault breaks is unproven: of a check that nothing can fail
//! nobody knows whether it checks anything.

use serde::{Deserialize, Serialize};

use crate::clause::Level;
use crate::name::ClauseId;

/// The version of this format.
pub const MATRIX_VERSION: u32 = 1;

/// What the checks came to on faults of the reference runtime, and on correct variants of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Matrix {
    /// The version of this format.
    pub schema_version: u32,
    /// The version of the harness.
    pub tool_version: String,
    /// The seed, in hexadecimal digits, as `--seed` takes it.
    pub seed: String,
    /// The most cases that were played of each property.
    pub cases: u32,
    /// How long it took.
    pub duration_ms: u64,
    /// Every fault that was tried, in the order of the clauses.
    pub faults: Vec<Tried>,
    /// The clauses that no fault was seen to break.
    pub unproven: Vec<ClauseId>,
    /// The correct variants, and what they were blamed for.
    pub variants: Vec<Blamed>,
    /// Whether the user stopped it: what is not here was not tried.
    pub interrupted: bool,
    /// The exit code of the command.
    pub exit_code: u8,
}

/// One fault, and what found it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tried {
    /// The fault.
    pub key: String,
    /// The public reports in which it was seen.
    pub seen_in: Vec<String>,
    /// The level of its clauses.
    pub level: Level,
    /// The clauses that it is meant to break.
    pub clauses: Vec<ClauseId>,
    /// Whether a check found it, and that was no chance: the session that shows it fails each
    /// time, and not on the reference without faults.
    pub killed: bool,
    /// What broke a clause meant, for each of them: the first scenario and the first property.
    pub killed_by: Vec<Kill>,
    /// How many cases were played until the first of them did, or in vain.
    pub cases: u32,
    /// How long that took; null for a fault that survives.
    pub time_to_kill_ms: Option<u64>,
    /// The steps of the shortest session that shrinking came to.
    pub session_length: Option<u32>,
    /// The steps of the shortest session known to show it.
    pub shortest_known: Option<u32>,
}

/// A check that found a fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Kill {
    /// The clause that was broken.
    pub clause: ClauseId,
    /// The check: the property's id, or the scenario's place, such as `restore.feature:41`.
    pub check: String,
    /// Which kind of check it is.
    pub by: CheckKind,
    /// How many cases of that kind of check were played until then.
    pub cases: u32,
    /// How long these took.
    pub time_to_kill_ms: u64,
    /// The steps of the session that was found, after shrinking.
    pub session_length: u32,
    /// In how many of three repetitions, each on a new runtime, it failed again.
    pub reproduced: u32,
    /// What the reference without faults does in it.
    pub without_fault: WithoutFault,
}

/// A kind of check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum CheckKind {
    /// A scenario, over each kind of provider.
    Scenario,
    /// A property: random sessions.
    Property,
}

/// What the reference without faults does in a session that shows a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum WithoutFault {
    /// It keeps the clause, and the clause's premise occurs.
    Keeps,
    /// The premise does not occur.
    NotExercised,
    /// It breaks the clause as well: what was found is not the fault.
    Breaks,
}

/// A correct variant, and what it was blamed for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Blamed {
    /// The variant.
    pub key: String,
    /// The `must` clauses that it was seen to break: each one is an error of a check.
    pub blamed: Vec<ClauseId>,
}

/// In how many repetitions a session must fail for its fault to count as found.
pub const REPETITIONS: u32 = 3;

impl Kill {
    /// Whether the session shows the fault and nothing else.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.reproduced == REPETITIONS && self.without_fault != WithoutFault::Breaks
    }
}

impl Matrix {
    /// The faults that no check found.
    pub fn survivors(&self) -> impl Iterator<Item = &Tried> {
        self.faults.iter().filter(|fault| !fault.killed)
    }

    /// The variants that were blamed for something.
    pub fn false_alarms(&self) -> impl Iterator<Item = &Blamed> {
        self.variants.iter().filter(|variant| !variant.blamed.is_empty())
    }

    /// Whether every fault was found, every clause proven and no variant blamed.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.survivors().next().is_none()
            && self.unproven.is_empty()
            && self.false_alarms().next().is_none()
    }
}
