//! The clauses of the contract, read from `clauses.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::name::ClauseId;
use crate::protocol::{Description, Dialect};
use crate::revision::Revision;

/// How much a breach weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The ADR says it, or it follows from what the ADR says; a breach fails the run.
    Must,
    /// The field learned it the hard way; a breach is a warning.
    Should,
    /// Measured and shown, never judged.
    Info,
}

impl Level {
    /// The level, as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
            Self::Info => "info",
        }
    }
}

/// What a clause needs of a runtime to be judged at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Need {
    /// The capability `transcript`.
    Transcript,
    /// The capability `setTools`.
    SetTools,
    /// One of the capabilities `setTools` and `setMode`.
    SetToolsOrMode,
    /// A tool that starts a new context, by the runtime's word or the profile's.
    NewContext,
    /// Native deferral on some API.
    NativeDeferral,
    /// More than one provider API that the harness speaks as well.
    SeveralApis,
}

impl Need {
    /// Why a clause with this need cannot be judged on a runtime; `None` where it can.
    #[must_use]
    pub fn lacking(self, runtime: &Description, dialect: &Dialect) -> Option<&'static str> {
        let can = &runtime.capabilities;
        let (there, why) = match self {
            Self::Transcript => (can.transcript, "the runtime does not show its rows"),
            Self::SetTools => (can.set_tools, "the runtime's registry cannot change"),
            Self::SetToolsOrMode => (
                can.set_tools || can.set_mode,
                "neither the runtime's registry nor its mode can change",
            ),
            Self::NewContext => (dialect.new_context.is_some(), "the runtime has no new_context"),
            Self::NativeDeferral => {
                (!can.native_deferral.is_empty(), "the runtime has no native deferral")
            }
            Self::SeveralApis => (can.provider_apis.len() > 1, "one API alone is used"),
        };
        (!there).then_some(why)
    }

    /// What is needed, in words.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Transcript => "a runtime that shows its rows (capability transcript)",
            Self::SetTools => "a registry that can change (capability setTools)",
            Self::SetToolsOrMode => {
                "a registry or a mode that can change (capability setTools or setMode)"
            }
            Self::NewContext => "a tool that starts a new context",
            Self::NativeDeferral => "native deferral on some API",
            Self::SeveralApis => "two provider APIs that tacit speaks as well",
        }
    }
}

/// One clause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Its id.
    pub id: ClauseId,
    /// How much a breach weighs.
    pub level: Level,
    /// What a conforming runtime does, as a sentence.
    pub sentence: String,
    /// Where the ADR says so.
    #[serde(default)]
    pub source: Option<String>,
    /// The clause that it follows from.
    #[serde(default)]
    pub follows: Option<ClauseId>,
    /// The revisions that have it.
    pub revisions: Vec<Revision>,
    /// What a runtime must have for it to be judged.
    #[serde(default)]
    pub needs: Vec<Need>,
    /// The points on which the contract accepts several readings.
    #[serde(default)]
    pub readings: Vec<String>,
    /// Why there is no check for it.
    #[serde(default)]
    pub unchecked: Option<String>,
}

impl Clause {
    /// Where the clause comes from, as it is cited.
    #[must_use]
    pub fn citation(&self) -> String {
        match (&self.source, &self.follows) {
            (Some(source), _) => format!("ADR 0048, {source}"),
            (None, Some(clause)) => format!("follows from {clause}"),
            (None, None) => "public bug reports".to_owned(),
        }
    }

    /// What a runtime of one revision does to the clause under another, a sentence for each pair.
    #[must_use]
    pub fn across(&self) -> Vec<String> {
        let lines = contract().across.iter().filter_map(|across| {
            let verb = match (across.must.contains(&self.id), across.may.contains(&self.id)) {
                (true, _) => "fails",
                (_, true) => "may fail",
                _ => return None,
            };
            Some(format!("a runtime of {} {verb} it under {}", across.runtime, across.under))
        });
        lines.collect()
    }
}

/// What a runtime of one revision does under the profile of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Across {
    /// The revision that the runtime implements.
    pub runtime: Revision,
    /// The revision of the profile.
    pub under: Revision,
    /// The clauses that it must fail.
    pub must: Vec<ClauseId>,
    /// The clauses that it may fail beside.
    pub may: Vec<ClauseId>,
}

/// All clauses, in the order of the contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// The clauses.
    #[serde(rename = "clause")]
    pub clauses: Vec<Clause>,
    /// What changes from revision to revision, seen from outside.
    pub across: Vec<Across>,
}

static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
    #[allow(clippy::expect_used, reason = "the file is part of this crate, and a test reads it")]
    toml::from_str(include_str!("../clauses.toml")).expect("clauses.toml fits its types")
});

static BY_ID: LazyLock<BTreeMap<&'static str, &'static Clause>> =
    LazyLock::new(|| CONTRACT.clauses.iter().map(|clause| (clause.id.as_str(), clause)).collect());

/// The contract.
#[must_use]
pub fn contract() -> &'static Contract {
    &CONTRACT
}

/// Every clause, in the order of the contract.
#[must_use]
pub fn clauses() -> &'static [Clause] {
    &CONTRACT.clauses
}

/// The clause of an id.
#[must_use]
pub fn clause(id: &str) -> Option<&'static Clause> {
    BY_ID.get(id).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_must_clause_says_where_it_comes_from() {
        for clause in clauses().iter().filter(|clause| clause.level == Level::Must) {
            let follows = clause.follows.as_ref().map(|id| super::clause(id.as_str()));
            assert!(
                clause.source.is_some() || matches!(follows, Some(Some(_))),
                "{} has neither a paragraph nor a clause that it follows from",
                clause.id
            );
        }
    }

    #[test]
    fn no_clause_is_there_twice_and_all_of_a_family_stand_together() {
        assert_eq!(BY_ID.len(), clauses().len());
    }

    #[test]
    fn what_changes_across_revisions_names_clauses_of_the_profile_s_revision() {
        for across in &contract().across {
            for id in across.must.iter().chain(&across.may) {
                let clause = clause(id.as_str()).unwrap_or_else(|| panic!("{id} is no clause"));
                assert!(clause.revisions.contains(&across.under), "{id} in {}", across.under);
            }
        }
    }
}
