//! The words of the contract, by what they mean to those who use them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod canaries;
mod clauses;
mod matrices;
mod names;
mod profiles;
mod providers;
mod registries;
mod runtimes;
mod seeds;
mod sessions;
mod some;
mod tallies;
mod traces;
mod updates;
mod variants;
mod verdicts;
