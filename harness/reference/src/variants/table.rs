//! The table of correct variants, in the order of the contract.

use super::CorrectVariant;
use crate::switches::Switch;

pub(super) const ROWS: &[CorrectVariant] = &[variant(
    Switch::MarkerEmpty,
    "marker-empty",
    "A search that activates nothing carries an empty marker.",
    "search.no-match: no marker, or an empty one.",
)];

const fn variant(
    switch: Switch,
    key: &'static str,
    behaviour: &'static str,
    freedom: &'static str,
) -> CorrectVariant {
    CorrectVariant { key, behaviour, freedom, profile: None, switch }
}
