//! What is run and how much: scenarios, properties, every short session, replay; one stream of
//! events out.

pub mod baseline;
pub mod bench;
pub mod breaker;
pub mod causes;
pub mod check;
pub mod closing;
pub mod compare;
pub mod config;
pub mod corpus;
mod counterexamples;
mod course;
pub mod error;
pub mod exhaustive;
pub mod exit;
pub mod generate;
pub mod hunt;
pub mod merge;
pub mod order;
pub mod pool;
pub mod property;
pub mod providers;
pub mod replay;
pub mod revisions;
pub mod run;
pub mod scenarios;
pub mod selftest;
pub mod smoke;
pub mod story;
pub mod theatre;
pub mod verdict;

pub use baseline::Baseline;
pub use config::{Command, Config, Limits, Protocol, Subject};
pub use error::RunError;
pub use exit::Exit;
pub use run::run;
pub use tacit_stage::kill_all;
pub use theatre::Own;
