//! Switches: what a reference runtime does otherwise than it would.
//!
//! Some are [`faults`], which break the contract, the others [`variants`], which only take another
//! of the ways that it leaves free. A runtime without any asks once whether there are any, and goes
//! its way.

mod memory;
pub(crate) mod points;
mod switch;

use std::fmt;

use thiserror::Error;

pub(crate) use memory::{Kept, Memory, Relics, Shared};
pub(crate) use switch::Switch;

use crate::faults::{self, Fault};
use crate::variants::{self, CorrectVariant};

/// Any number of switches that are on.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Switches([u64; WORDS]);

/// How many words a set has: room for 256 switches.
const WORDS: usize = 4;

impl Switches {
    /// None.
    #[must_use]
    pub const fn none() -> Self {
        Self([0; WORDS])
    }

    /// The switches of these keys, of faults and of correct variants.
    ///
    /// # Errors
    ///
    /// The first key that names neither.
    pub fn parse<K: AsRef<str>>(keys: impl IntoIterator<Item = K>) -> Result<Self, UnknownSwitch> {
        let mut switches = Self::none();
        for key in keys {
            let key = key.as_ref();
            let fault = faults::find(key).map(|fault| fault.switch);
            let found = fault.or_else(|| variants::find(key).map(|variant| variant.switch));
            let switch = found.ok_or_else(|| UnknownSwitch { key: key.to_owned() })?;
            let (word, bit) = switch.place();
            switches.0[word] |= bit;
        }
        Ok(switches)
    }

    /// Whether there is any.
    #[must_use]
    pub const fn any(self) -> bool {
        let [first, second, third, fourth] = self.0;
        first | second | third | fourth != 0
    }

    /// The faults that are switched on.
    pub fn faults(self) -> impl Iterator<Item = &'static Fault> {
        faults::all().filter(move |fault| self.has(fault.switch))
    }

    /// The correct variants that are switched on.
    pub fn variants(self) -> impl Iterator<Item = &'static CorrectVariant> {
        variants::all().filter(move |variant| self.has(variant.switch))
    }

    /// Whether one is on.
    pub(crate) const fn has(self, switch: Switch) -> bool {
        let (word, bit) = switch.place();
        self.0[word] & bit != 0
    }
}

impl fmt::Debug for Switches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.faults().map(|fault| fault.key);
        f.debug_set().entries(keys.chain(self.variants().map(|variant| variant.key))).finish()
    }
}

/// A key names no switch.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{key}` is no fault and no correct variant of the reference runtime")]
pub struct UnknownSwitch {
    /// The key.
    pub key: String,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_switch_stands_in_one_table_once_under_a_key_of_its_own() {
        let rows = || {
            let faults = faults::all().map(|fault| (fault.switch, fault.key));
            faults.chain(variants::all().map(|variant| (variant.switch, variant.key)))
        };
        let switches: BTreeSet<_> = rows().map(|(switch, _)| switch as u8).collect();
        let keys: BTreeSet<_> = rows().map(|(_, key)| key).collect();
        assert_eq!(switches.len(), rows().count());
        assert_eq!(keys.len(), rows().count());
        assert_eq!(switches.len(), usize::from(Switch::LAST as u8) + 1);
        for key in keys {
            assert!(key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{key}");
        }
    }

    #[test]
    fn an_unknown_key_is_named() {
        let unknown = UnknownSwitch { key: "no-such".to_owned() };
        assert_eq!(Switches::parse(["no-cap", "no-such"]), Err(unknown));
        assert!(Switches::parse(["no-cap"]).is_ok_and(Switches::any));
    }
}
