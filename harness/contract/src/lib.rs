//! The words, clauses and profiles of the tool activation contract, and the trait a runtime stands behind.
