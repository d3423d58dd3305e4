//! Traces that were recorded of the reference. Whatever the judge says of them is a snapshot, so
//! that an altered check shows in one of them.
//!
//! Where a check was changed on purpose, look the snapshots through and accept them:
//! `INSTA_UPDATE=always cargo test -p tacit-judge recorded`. Where what sessions can hold has
//! changed, record the traces anew with the suite's example `record_traces`: `kept.txt` lists what
//! is kept of what it plays, which is whatever made some altered check show.

mod expected;
mod judged;
mod played;
mod timelines;
