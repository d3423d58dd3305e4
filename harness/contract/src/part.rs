//! Parts: a run, or one shard of it, before its clauses are judged.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::baseline::Listed;
use crate::name::{ClauseId, PropertyId};
use crate::profile::Profile;
use crate::protocol::Description;
use crate::session::Session;
use crate::tally::Tally;
use crate::verdict::Breach;

/// A run, or one shard of it, before its clauses are judged: all that they are judged by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// What the runtime is held to.
    pub terms: Terms,
    /// The runtime, with no other APIs than those that are used.
    pub runtime: Description,
    /// The properties of all shards, in the order in which a run plays them.
    pub properties: Vec<PropertyId>,
    /// What its cases showed.
    pub tally: Tally,
    /// The counterexamples, by clause.
    pub counterexamples: BTreeMap<ClauseId, Caught>,
    /// Whether the user stopped it.
    pub interrupted: bool,
    /// Whether the runtime failed so often that it was not asked any further.
    pub broken_off: bool,
    /// The baseline, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Listed>,
}

/// What a run holds its runtime to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Terms {
    /// The profile.
    pub profile: Profile,
    /// Which clauses; all where empty.
    pub clauses: Vec<ClauseId>,
    /// Whether a claimed clause may go unexercised.
    pub allow_unexercised: bool,
    /// Whether a warning fails the run.
    pub strict: bool,
    /// Whether a filter or a budget leaves something out; that a shard leaves out what is in the
    /// others is no part of it.
    pub narrowed: bool,
}

/// A broken clause's counterexample, as far as the end of a run needs it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Caught {
    /// The path of its scenario.
    pub path: String,
    /// Where the failing case came from: a property's id, or a scenario's title.
    pub found_by: PropertyId,
    /// In how many of three repetitions it failed again.
    pub reproduced: u32,
    /// How many evaluations shrinking took.
    pub evaluations: u32,
    /// The session.
    pub session: Session,
    /// The breach of the clause in it.
    pub breach: Breach,
    /// Every breach in the same trace.
    pub all: Vec<Breach>,
}
