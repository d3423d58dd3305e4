//! Correct variants: what a runtime may do otherwise and still keep the contract, each as a switch.
//!
//! Where the contract leaves something open, runtimes differ, and none of them may be blamed for
//! it. Each variant takes one such freedom that the reference by itself does not take; a check that
//! fails on one is wrong.

pub(crate) mod catalog;
pub(crate) mod requests;
pub(crate) mod rows;
pub(crate) mod search;
mod table;

use crate::switches::Switch;

/// One other way to keep the contract.
#[derive(Debug, Clone, Copy)]
pub struct CorrectVariant {
    /// What it is called on the command line and in reports.
    pub key: &'static str,
    /// What the runtime does.
    pub behaviour: &'static str,
    /// What of the contract leaves it free.
    pub freedom: &'static str,
    /// What a profile must say for it to be correct, as a line of it; `None` where any will do.
    pub profile: Option<&'static str>,
    pub(crate) switch: Switch,
}

/// Every correct variant.
pub fn all() -> impl Iterator<Item = &'static CorrectVariant> {
    table::ROWS.iter()
}

/// The correct variant of that key.
#[must_use]
pub fn find(key: &str) -> Option<&'static CorrectVariant> {
    all().find(|variant| variant.key == key)
}
