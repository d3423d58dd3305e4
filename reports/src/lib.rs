//! The events of a run, rendered.
//!
//! One stream of [`Event`](tacit_contract::Event)s feeds every report. A report counts and
//! arranges; it never judges. The NDJSON record holds the whole stream, and every other report
//! can be made again from it.

pub mod file;
pub mod forecast;
pub mod json;
pub mod junit;
pub mod ndjson;
pub mod progress;
pub mod report;
pub mod reporter;
pub mod run;
pub mod tally;
pub mod target;
pub mod terminal;
pub mod time;

#[cfg(test)]
mod samples;

pub use forecast::Forecast;
pub use progress::Progress;
pub use report::Report;
pub use reporter::{FanOut, ReportError, Reporter};
pub use run::{Run, Unfinished};
pub use tally::Tally;
pub use target::{Format, Target};
pub use terminal::{Colour, Detail, Terminal};
