//! Reports that are printed when the run is over.

use std::io::{self, Write};

use tacit_contract::Event;

use crate::reporter::{ReportError, Reporter};
use crate::run::{Fold, Run};

/// Keeps the events of a run, and prints what is made of them when it is over.
pub struct AtEnd<W, F> {
    fold: Fold,
    out: W,
    render: F,
    failed: fn(io::Error) -> ReportError,
}

impl<W, F> AtEnd<W, F>
where
    W: Write,
    F: Fn(&Run) -> Result<String, ReportError>,
{
    /// Prints to `out` when the run is over; what cannot be written is `failed`.
    pub(crate) fn new(out: W, render: F, failed: fn(io::Error) -> ReportError) -> Self {
        Self { fold: Fold::default(), out, render, failed }
    }
}

impl<W, F> Reporter for AtEnd<W, F>
where
    W: Write,
    F: Fn(&Run) -> Result<String, ReportError>,
{
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        self.fold.add(event);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), ReportError> {
        let text = (self.render)(&self.fold.end()?)?;
        self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()).map_err(self.failed)
    }
}
