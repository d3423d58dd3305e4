//! Faults: what a runtime of this kind gets wrong, each as a switch.
//!
//! One table says what each fault is, where it was seen and which clauses it breaks; the code
//! that does the wrong thing stands in `points`, so that the runtime beside it reads as if
//! there were none. A runtime without faults asks once whether there are any, and goes its way.

mod memory;
pub(crate) mod points;
mod switch;
mod table;

use std::fmt;

use tacit_contract::clause::Level;
use thiserror::Error;

pub(crate) use memory::{Memory, Shared};
pub(crate) use switch::Switch;

/// One way to break the contract.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// What it is called on the command line and in reports.
    pub key: &'static str,
    /// The public reports in which it was seen, as `owner/name #number`; none for a fault that
    /// only follows from the contract.
    pub seen_in: &'static [&'static str],
    /// What the runtime does.
    pub behaviour: &'static str,
    /// The clauses that it is meant to break; others may break with them.
    pub clauses: &'static [&'static str],
    /// The level of these clauses.
    pub level: Level,
    /// The steps of the shortest session known to show it.
    pub shortest: Option<u32>,
    pub(crate) switch: Switch,
}

/// Every fault, in the order of the clauses.
pub fn all() -> impl Iterator<Item = &'static Fault> {
    table::TABLES.iter().copied().flatten()
}

/// The fault of that key.
#[must_use]
pub fn find(key: &str) -> Option<&'static Fault> {
    all().find(|fault| fault.key == key)
}

/// What a runtime does wrong: any number of faults at once.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Faults([u64; WORDS]);

/// How many words a set has: room for 256 switches.
const WORDS: usize = 4;

impl Faults {
    /// None.
    #[must_use]
    pub const fn none() -> Self {
        Self([0; WORDS])
    }

    /// The faults of these keys.
    ///
    /// # Errors
    ///
    /// The first key that names no fault.
    pub fn parse<K: AsRef<str>>(keys: impl IntoIterator<Item = K>) -> Result<Self, UnknownFault> {
        let mut faults = Self::none();
        for key in keys {
            let key = key.as_ref();
            let fault = find(key).ok_or_else(|| UnknownFault { key: key.to_owned() })?;
            let (word, bit) = fault.switch.place();
            faults.0[word] |= bit;
        }
        Ok(faults)
    }

    /// Whether there is any.
    #[must_use]
    pub const fn any(self) -> bool {
        let [first, second, third, fourth] = self.0;
        first | second | third | fourth != 0
    }

    /// Those that are switched on.
    pub fn iter(self) -> impl Iterator<Item = &'static Fault> {
        all().filter(move |fault| self.has(fault.switch))
    }

    /// Whether one is switched on.
    pub(crate) const fn has(self, switch: Switch) -> bool {
        let (word, bit) = switch.place();
        self.0[word] & bit != 0
    }
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|fault| fault.key)).finish()
    }
}

/// A key names no fault.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{key}` is no fault of the reference runtime")]
pub struct UnknownFault {
    /// The key.
    pub key: String,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_switch_stands_in_the_table_once_under_a_key_of_its_own() {
        let switches: BTreeSet<_> = all().map(|fault| fault.switch as u8).collect();
        let keys: BTreeSet<_> = all().map(|fault| fault.key).collect();
        assert_eq!(switches.len(), all().count());
        assert_eq!(keys.len(), all().count());
        assert_eq!(switches.last(), Some(&(Switch::LAST as u8)));
        assert_eq!(switches.len(), usize::from(Switch::LAST as u8) + 1);
        for key in keys {
            assert!(key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{key}");
        }
    }

    #[test]
    fn a_fault_names_clauses_that_there_are_of_its_level() {
        for fault in all() {
            assert!(!fault.clauses.is_empty(), "{} names no clause", fault.key);
            for id in fault.clauses {
                let level = tacit_contract::clause::clause(id).map(|clause| clause.level);
                assert_eq!(level, Some(fault.level), "{} and {id}", fault.key);
            }
        }
    }

    #[test]
    fn an_unknown_key_is_named() {
        let unknown = UnknownFault { key: "no-such".to_owned() };
        assert_eq!(Faults::parse(["no-cap", "no-such"]), Err(unknown));
        assert!(Faults::parse(["no-cap"]).is_ok_and(Faults::any));
    }
}
