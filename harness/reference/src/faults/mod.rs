//! Faults: what a runtime of this kind gets wrong, each as a switch.
//!
//! One table says what each fault is, where it was seen and which clauses it breaks, and another
//! which known faults no session can show. The code that does the wrong thing stands in the points
//! of the switches, so that the runtime beside it reads as if there were none.

mod table;
pub mod untested;

use tacit_contract::clause::Level;

use crate::switches::Switch;

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

#[cfg(test)]
mod tests {
    use tacit_contract::clause::clauses;

    use super::*;

    #[test]
    fn every_must_clause_is_broken_by_a_fault() {
        for clause in clauses().iter().filter(|clause| clause.level == Level::Must) {
            let broken = all().any(|fault| fault.clauses.contains(&clause.id.as_str()));
            assert!(broken, "no fault breaks {}", clause.id);
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
}
