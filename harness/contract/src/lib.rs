//! The words, clauses and profiles of the tool activation contract, and the trait a runtime
//! stands behind.
//!
//! Nothing here does I/O. A runtime written in Rust can depend on this crate alone.

pub mod baseline;
pub mod canary;
pub mod case;
pub mod clause;
pub mod day;
pub mod event;
pub mod json;
pub mod matrix;
pub mod name;
pub mod part;
pub mod profile;
pub mod protocol;
pub mod provider;
pub mod reading;
pub mod registry;
pub mod revision;
pub mod row;
pub mod runtime;
pub mod seed;
pub mod session;
pub mod shard;
pub mod table;
pub mod tally;
pub mod timeline;
pub mod tool;
pub mod trace;
pub mod update;
pub mod verdict;

pub use case::{Case, Saved, Variant};
pub use clause::{Clause, Level};
pub use day::Day;
pub use event::Event;
pub use matrix::Matrix;
pub use name::{CallId, ClauseId, PluginId, PropertyId, SessionId, ToolName};
pub use part::Part;
pub use profile::Profile;
pub use provider::{OtherProvider, ProviderKind};
pub use registry::Registry;
pub use revision::Revision;
pub use row::{Row, Status, ToolCall};
pub use session::{Call, Query, Session, Step, ToolSpec};
pub use shard::Shard;
pub use table::Table;
pub use tool::{Mode, Origin, OriginKind, Standing, Standings, Tool};
pub use trace::{Entry, Requested, Seen, Trace};
pub use verdict::{Breach, Judgement, Measure, Verdict};
