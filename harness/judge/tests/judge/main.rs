//! The judge's tests, in one program: each clause by traces made by hand, and all of them by traces
//! that were recorded.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answering;
mod beginning;
mod cache;
mod calling;
mod catalogs;
mod checkpoints;
mod common;
mod comparing;
mod expecting;
mod failing;
mod finding;
mod freedoms;
mod isolating;
mod listing;
mod native;
mod order;
mod providers;
mod proving;
mod readings;
mod recorded;
mod registry;
mod restoring;
