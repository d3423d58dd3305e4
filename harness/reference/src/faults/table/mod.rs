//! The table of faults, a file for each part of the contract.

mod activation;
mod cache;
mod catalog;
mod host;
mod initial;
mod provider;
mod registry;
mod restore;
mod search;

use tacit_contract::clause::Level;

use super::Fault;
use crate::switches::Switch;

/// The parts of the table, in the order of the clauses.
pub(super) const TABLES: [&[Fault]; 9] = [
    initial::ROWS,
    catalog::ROWS,
    search::ROWS,
    activation::ROWS,
    restore::ROWS,
    host::ROWS,
    provider::ROWS,
    registry::ROWS,
    cache::ROWS,
];

/// A fault that breaks what every runtime must do.
const fn must(
    switch: Switch,
    key: &'static str,
    seen_in: &'static [&'static str],
    clauses: &'static [&'static str],
    shortest: Option<u32>,
    behaviour: &'static str,
) -> Fault {
    Fault { key, seen_in, behaviour, clauses, level: Level::Must, shortest, switch }
}

/// A fault that breaks what a good runtime does.
const fn should(
    switch: Switch,
    key: &'static str,
    seen_in: &'static [&'static str],
    clauses: &'static [&'static str],
    shortest: Option<u32>,
    behaviour: &'static str,
) -> Fault {
    Fault { level: Level::Should, ..must(switch, key, seen_in, clauses, shortest, behaviour) }
}

/// A fault that shows in what is measured and never judged.
const fn info(
    switch: Switch,
    key: &'static str,
    seen_in: &'static [&'static str],
    clauses: &'static [&'static str],
    shortest: Option<u32>,
    behaviour: &'static str,
) -> Fault {
    Fault { level: Level::Info, ..must(switch, key, seen_in, clauses, shortest, behaviour) }
}
