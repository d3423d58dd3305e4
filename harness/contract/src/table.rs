//! The support table: what each clause came to on each of several runtimes.

use serde::{Deserialize, Serialize};

use crate::clause::Level;
use crate::name::ClauseId;
use crate::protocol::Capabilities;
use crate::revision::Revision;
use crate::verdict::Verdict;

/// The version of the format that a table is saved in, with what was asked for beside it.
pub const TABLE_VERSION: u32 = 1;

/// Clauses by runtimes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// The columns, in the order in which the runtimes were named.
    pub runtimes: Vec<Column>,
    /// The rows: `must` clauses first, each level in the order of the contract.
    pub clauses: Vec<Row>,
}

/// One runtime.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Column {
    /// How it was asked for.
    pub spec: String,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What it can do; `None` where it did not start.
    pub capabilities: Option<Capabilities>,
    /// The profile that it was held to.
    pub profile: String,
    /// The revision of the profile.
    pub revision: Revision,
    /// Whether it was tested to the end: a user may stop before.
    pub tested: bool,
    /// Whether it kept every claimed `must` clause, and each was exercised.
    pub conforms: bool,
    /// How many `must` clauses came out how.
    pub totals: Totals,
    /// How it failed, each cause once.
    pub failures: Vec<String>,
    /// How many sessions were played, shrinking aside.
    pub sessions: u64,
    /// The exit code of a run of its own.
    pub exit_code: u8,
}

/// The `must` clauses of one runtime. Judged, not applicable and not claimed ones add up to all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Claimed and judged.
    pub judged: u32,
    /// Of these, those that were kept.
    pub kept: u32,
    /// Claimed, and the runtime lacks what it takes to judge them.
    pub not_applicable: u32,
    /// Not claimed.
    pub not_claimed: u32,
}

/// One clause on all runtimes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// Which.
    pub id: ClauseId,
    /// Its level.
    pub level: Level,
    /// Whether the verdicts differ.
    pub differs: bool,
    /// Whether other readings were seen on one runtime than on another.
    pub reads_otherwise: bool,
    /// What it came to on each runtime; `None` on one that was not tested.
    pub cells: Vec<Option<Cell>>,
}

/// One clause on one runtime.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Cell {
    /// The verdict.
    pub verdict: Verdict,
    /// How often its premise occurred.
    pub exercised: u64,
    /// Whether the profile claims it.
    pub claimed: bool,
    /// Why the verdict is what it is, where that needs saying.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The accepted readings that were seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// Paths of its counterexamples.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counterexamples: Vec<String>,
}
