//! What listens to a run, and several listeners as one.

use std::io;
use std::path::PathBuf;

use tacit_contract::Event;
use thiserror::Error;

use crate::run::Unfinished;

/// Something that listens to the events of a run and makes a report of them.
pub trait Reporter {
    /// Takes the next event.
    ///
    /// # Errors
    /// What is written as it comes could not be written.
    fn event(&mut self, event: &Event) -> Result<(), ReportError>;

    /// Ends the report.
    ///
    /// # Errors
    /// The report could not be written, or the stream stopped before the run was over.
    fn finish(self: Box<Self>) -> Result<(), ReportError>;
}

/// Why there is no report; to be read after "failed to".
#[derive(Debug, Error)]
pub enum ReportError {
    /// A file could not be written.
    #[error("write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The folder of a file could not be made.
    #[error("make the folder {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The terminal, or what stands in its place, could not be written to.
    #[error("write to the standard output: {0}")]
    Output(io::Error),
    /// The job summary could not be written.
    #[error("append to the job summary: {0}")]
    Summary(io::Error),
    /// The stream of events stopped early.
    #[error("make a report: {0}")]
    Unfinished(#[from] Unfinished),
    /// A report could not be put into its format.
    #[error("put the report into its format: {0}")]
    Format(String),
}

/// Several reporters, fed as one.
///
/// One that fails is set aside with its error, and the others go on.
#[derive(Default)]
pub struct FanOut {
    reporters: Vec<Box<dyn Reporter>>,
    errors: Vec<ReportError>,
}

impl FanOut {
    /// Nobody listens yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a listener.
    pub fn add(&mut self, reporter: Box<dyn Reporter>) {
        self.reporters.push(reporter);
    }

    /// Hands an event to everyone, in the order in which they were added.
    pub fn event(&mut self, event: &Event) {
        let errors = &mut self.errors;
        self.reporters.retain_mut(|reporter| match reporter.event(event) {
            Ok(()) => true,
            Err(error) => {
                errors.push(error);
                false
            }
        });
    }

    /// Ends every report, and tells what went wrong on the way; nothing, if all is written.
    #[must_use]
    pub fn finish(self) -> Vec<ReportError> {
        let mut errors = self.errors;
        errors.extend(self.reporters.into_iter().filter_map(|reporter| reporter.finish().err()));
        errors
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;
    use crate::samples;

    struct Counting(Rc<Cell<usize>>);

    impl Reporter for Counting {
        fn event(&mut self, _: &Event) -> Result<(), ReportError> {
            self.0.set(self.0.get() + 1);
            Ok(())
        }

        fn finish(self: Box<Self>) -> Result<(), ReportError> {
            Ok(())
        }
    }

    struct Failing;

    impl Reporter for Failing {
        fn event(&mut self, _: &Event) -> Result<(), ReportError> {
            Err(ReportError::Output(io::ErrorKind::BrokenPipe.into()))
        }

        fn finish(self: Box<Self>) -> Result<(), ReportError> {
            panic!("it was set aside")
        }
    }

    #[test]
    fn one_reporter_that_fails_does_not_silence_the_others() {
        let seen = Rc::new(Cell::new(0));
        let mut all = FanOut::new();
        all.add(Box::new(Failing));
        all.add(Box::new(Counting(Rc::clone(&seen))));
        let events = samples::passing();
        for event in &events {
            all.event(event);
        }
        assert_eq!(all.finish().len(), 1);
        assert_eq!(seen.get(), events.len());
    }
}
