//! The events of a run, rendered.
//!
//! One stream of [`Event`](tacit_contract::Event)s feeds every report. A report counts and
//! arranges; it never judges. The NDJSON record holds the whole stream, and every other report
//! can be made again from it.

pub mod annotations;
mod at_end;
pub mod background;
pub mod badge;
mod baseline;
mod causes;
pub mod diff;
pub mod feature;
pub mod file;
mod findings;
pub mod forecast;
pub mod given;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod ndjson;
pub mod outcome;
pub mod progress;
pub mod report;
pub mod reporter;
pub mod run;
pub mod sarif;
pub mod saved;
pub mod site;
pub mod tally;
pub mod tap;
pub mod target;
pub mod terminal;
pub mod time;

#[cfg(test)]
mod samples;

pub use background::Background;
pub use diff::Diff;
pub use forecast::Forecast;
pub use given::Given;
pub use outcome::Outcome;
pub use progress::Progress;
pub use report::Report;
pub use reporter::{FanOut, ReportError, Reporter};
pub use run::{Run, Unfinished};
pub use saved::Saved;
pub use tally::Tally;
pub use target::{Format, Target};
pub use terminal::{Colour, Detail};
