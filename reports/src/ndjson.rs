//! The NDJSON record: every event, one a line.

use std::io::BufRead;
use std::path::Path;

use tacit_contract::Event;
use tacit_contract::event::SCHEMA_VERSION;
use tacit_contract::json::without_place;
use thiserror::Error;

use crate::file::ReportFile;
use crate::reporter::{ReportError, Reporter};

/// Writes the record into a file, line by line as the run goes on.
pub struct Ndjson {
    file: ReportFile,
}

impl Ndjson {
    /// Begins the record.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn create(path: &Path) -> Result<Self, ReportError> {
        Ok(Self { file: ReportFile::create(path)? })
    }
}

impl Reporter for Ndjson {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        self.file.write(line(event)?.as_bytes())
    }

    fn finish(self: Box<Self>) -> Result<(), ReportError> {
        self.file.finish()
    }
}

/// One event as a line, its end included.
///
/// # Errors
/// A share of the coverage is no number that JSON has.
pub fn line(event: &Event) -> Result<String, ReportError> {
    let mut text =
        serde_json::to_string(event).map_err(|error| ReportError::Format(error.to_string()))?;
    text.push('\n');
    Ok(text)
}

/// Why a text is no record; to be read after "failed to".
#[derive(Debug, Error)]
pub enum RecordError {
    /// A line could not be read at all.
    #[error("read line {line} of the record: {source}")]
    Read {
        /// The line, from 1.
        line: usize,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line is no event.
    #[error(
        "read line {line} of the record, column {}: it is no event: {}",
        source.column(), without_place(source)
    )]
    NoEvent {
        /// The line, from 1.
        line: usize,
        /// What does not fit.
        source: serde_json::Error,
    },
    /// The record was written by another version.
    #[error(
        "read line {line} of the record: its format is version {found}, this is version \
         {SCHEMA_VERSION}; use the tacit that wrote it"
    )]
    Version {
        /// The line, from 1.
        line: usize,
        /// The version of the record.
        found: u32,
    },
}

/// Reads a record; empty lines are passed over.
///
/// # Errors
/// The first line that is no event of this format, by its number.
pub fn read(record: impl BufRead) -> Result<Vec<Event>, RecordError> {
    let mut events = Vec::new();
    for (place, text) in record.lines().enumerate() {
        let line = place + 1;
        let text = text.map_err(|source| RecordError::Read { line, source })?;
        if text.trim().is_empty() {
            continue;
        }
        let event =
            serde_json::from_str(&text).map_err(|source| RecordError::NoEvent { line, source })?;
        if let Event::RunStarted(started) = &event
            && started.schema_version != SCHEMA_VERSION
        {
            return Err(RecordError::Version { line, found: started.schema_version });
        }
        events.push(event);
    }
    Ok(events)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{self, AnyEvent};

    fn record(events: &[Event]) -> String {
        events.iter().map(|event| line(event).unwrap()).collect()
    }

    #[test]
    fn whatever_the_events_hold_the_record_gives_them_back() {
        fn law(events: Vec<AnyEvent>) -> bool {
            let events: Vec<Event> = events.into_iter().map(|event| event.0).collect();
            let text = record(&events);
            text.lines().count() == events.len() && read(text.as_bytes()).unwrap() == events
        }
        quickcheck::quickcheck(law as fn(Vec<AnyEvent>) -> bool);
    }

    #[test]
    fn a_line_that_is_no_event_is_named_by_its_number() {
        let text = format!("{}\n{{\"event\": \"guess\"}}\n", record(&samples::passing()[..2]));
        let error = read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("read line 4 of the record"), "{error}");
        assert!(error.contains("guess"), "{error}");
    }

    #[test]
    fn a_record_that_was_cut_in_the_middle_of_a_line_says_where() {
        let text = record(&samples::passing()[..3]);
        let error = read(&text.as_bytes()[..text.len() - 20]).unwrap_err().to_string();
        assert!(error.starts_with("read line 3"), "{error}");
    }

    #[test]
    fn a_record_of_another_format_is_turned_away() {
        let text =
            record(&samples::passing()).replacen("\"schemaVersion\":1", "\"schemaVersion\":9", 1);
        assert!(matches!(read(text.as_bytes()), Err(RecordError::Version { line: 1, found: 9 })));
    }
}
