//! Revisions: the texts of the contract, each with its own frozen set of clauses.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A text of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Revision {
    /// As first accepted: the active set is cleared at each prompt and nothing is restored.
    R1,
    /// The ADR's text as given: the set is rebuilt from evidence.
    R2,
    /// With the amendment of 2026-09-27: Glob and Grep are core in agent mode.
    R3,
}

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: [Self; 3] = [Self::R1, Self::R2, Self::R3];

    /// The short name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::R1 => "r1",
            Self::R2 => "r2",
            Self::R3 => "r3",
        }
    }

    /// What is its own, as a sentence.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::R1 => {
                "as first accepted: each prompt begins with the core, and nothing is restored"
            }
            Self::R2 => "each prompt restores what the conversation proves",
            Self::R3 => "as r2, with Glob and Grep in the core of agent mode",
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Revision {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|revision| revision.as_str() == text)
            .ok_or_else(|| format!("`{text}` is no revision: expected r1, r2 or r3"))
    }
}
