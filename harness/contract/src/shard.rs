//! Shards: the checks of a run, divided among machines.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One of several parts of a run, as `K/N`. Each check is in one of them, whatever others there are:
/// a check that is added moves none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
pub struct Shard {
    number: u32,
    of: NonZeroU32,
}

impl Shard {
    /// Its number, from 1 on.
    #[must_use]
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many shards there are.
    #[must_use]
    pub fn of(self) -> u32 {
        self.of.get()
    }

    /// Whether a check belongs to it: a property by its id, a scenario by its feature and title, a
    /// saved session by the name of its file.
    #[must_use]
    pub fn takes(self, check: &str) -> bool {
        hash(check) % u64::from(self.of()) == u64::from(self.number - 1)
    }
}

/// FNV-1a: the hashes of the standard library may differ from one release to the next.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/').and_then(|(number, of)| {
            let (number, of): (u32, NonZeroU32) = (number.parse().ok()?, of.parse().ok()?);
            (1..=of.get()).contains(&number).then_some(Self { number, of })
        });
        parts.ok_or_else(|| {
            format!("`{text}` is no shard: expected K/N, such as 1/4, with K from 1 to N")
        })
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_check_is_in_one_shard_whatever_their_number() {
        for of in 1..20 {
            for check in ["restarts", "order", "growth", "restore.feature: A tool is back"] {
                let all = (1..=of).map(|number| format!("{number}/{of}").parse::<Shard>().unwrap());
                assert_eq!(all.filter(|shard| shard.takes(check)).count(), 1, "{check} of {of}");
            }
        }
    }

    #[test]
    fn a_check_stays_where_it_was_in_every_release() {
        let shard: Shard = "6/8".parse().unwrap();
        let taken: Vec<&str> = ["searches", "sessions", "uses", "restarts", "order", "catalogs"]
            .into_iter()
            .filter(|check| shard.takes(check))
            .collect();
        assert_eq!(taken, ["searches", "uses", "restarts"]);
    }

    #[test]
    fn what_is_no_shard_is_told() {
        for text in ["", "1", "0/4", "5/4", "1/0", "a/b", "1/2/3", "-1/2"] {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.contains("expected K/N"), "{error}");
        }
    }
}
