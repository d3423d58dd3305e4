//! What is known beside the run: what a report may tell that no event says.

use tacit_contract::{ClauseId, Matrix, Table};

use crate::feature::Feature;

/// What is known beside the run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Background {
    /// The known faults, in the order in which they are to be shown.
    pub faults: Vec<Fault>,
    /// The features, as they are to be read.
    pub features: Vec<Feature>,
    /// Which checks find which fault, where that was tried.
    pub matrix: Option<Matrix>,
    /// How several runtimes came out, where they were compared.
    pub table: Option<Table>,
}

/// A known fault: one way to break the contract, which proves the checks of its clauses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What it is called.
    pub key: String,
    /// The clauses that it is meant to break.
    pub clauses: Vec<ClauseId>,
    /// The public reports in which it was seen, as `owner/name #number`.
    pub seen_in: Vec<String>,
    /// What the runtime does.
    pub does: String,
}
