//! A run that was saved, read back from its report or its record.

use serde::Deserialize;
use serde::de::IgnoredAny;
use tacit_contract::Event;
use thiserror::Error;

use crate::json::{self, ReadError};
use crate::ndjson::{self, RecordError};
use crate::run::{Run, Unfinished};

/// A whole run, as it was saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// The events, as far as the file holds them: at least a beginning and an end.
    pub events: Vec<Event>,
    /// Whether these are all events of the run, so that the record can be written again.
    pub whole: bool,
}

/// Why a text is no saved run; to be read after "failed to".
#[derive(Debug, Error)]
pub enum SavedError {
    /// It is no JSON, or none that a report or a record begins with.
    #[error(
        "read the run: expected what `--report json=…` or `--report ndjson=…` wrote, found {found}"
    )]
    Unknown {
        /// What stands there instead.
        found: String,
    },
    /// It is no JSON report.
    #[error(transparent)]
    Report(#[from] ReadError),
    /// It is no record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The record is not that of one whole run.
    #[error("read the record: {0}")]
    Unfinished(#[from] Unfinished),
    /// Records were put one behind another.
    #[error("read the record: it holds {runs} runs: expected one in a file")]
    Several {
        /// How many.
        runs: usize,
    },
}

/// What tells the two formats apart, in the first value of the text.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Beginning {
    event: Option<IgnoredAny>,
    schema_version: Option<IgnoredAny>,
}

impl Saved {
    /// Reads a run; which of the two formats it is, its beginning tells.
    ///
    /// # Errors
    /// The text is neither, is cut off, or comes from another version.
    pub fn read(text: &str) -> Result<Self, SavedError> {
        if !text.trim_start().starts_with('{') {
            return Err(unknown(if text.trim().is_empty() {
                "nothing: the file is empty"
            } else {
                "no object of JSON at its beginning"
            }));
        }
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Beginning>();
        match values.next() {
            Some(Ok(Beginning { event: Some(_), .. })) => Self::of_record(text),
            Some(Ok(Beginning { schema_version: Some(_), .. })) => {
                Ok(Self { events: json::read(text)?.events(), whole: false })
            }
            Some(Ok(_)) => Err(unknown("JSON without `schemaVersion` and without `event`")),
            Some(Err(error)) if error.is_eof() => Err(ReadError::Shape(error).into()),
            Some(Err(error)) => Err(unknown(&error.to_string())),
            None => Err(unknown("nothing")),
        }
    }

    fn of_record(text: &str) -> Result<Self, SavedError> {
        let events = ndjson::read(text.as_bytes())?;
        let runs = events.iter().filter(|event| matches!(event, Event::RunStarted(_))).count();
        if runs > 1 {
            return Err(SavedError::Several { runs });
        }
        Run::of(&events)?;
        Ok(Self { events, whole: true })
    }
}

fn unknown(found: &str) -> SavedError {
    SavedError::Unknown { found: found.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{self, rendered};
    use crate::target::Format;

    fn error(text: &str) -> String {
        Saved::read(text).unwrap_err().to_string()
    }

    #[test]
    fn either_format_is_read_and_gives_the_same_json_again() {
        for events in samples::all() {
            let report = rendered(Format::Json, &events);
            let record = rendered(Format::Ndjson, &events);
            for (text, whole) in [(&report, false), (&record, true)] {
                let saved = Saved::read(text).unwrap();
                assert_eq!(saved.whole, whole);
                assert_eq!(rendered(Format::Json, &saved.events), report);
            }
            assert_eq!(Saved::read(&record).unwrap().events, events);
        }
    }

    #[test]
    fn a_report_makes_every_other_format() {
        let report = rendered(Format::Json, &samples::failing());
        let saved = Saved::read(&report).unwrap();
        let texts = [Format::Sarif, Format::Badge]
            .map(|format| (rendered(format, &saved.events), rendered(format, &samples::failing())));
        for (again, first) in texts {
            assert_eq!(again, first);
        }
    }

    #[test]
    fn what_is_no_saved_run_says_what_was_found() {
        for (text, expected) in [
            ("", "the file is empty"),
            ("<?xml version=\"1.0\"?>", "no object of JSON at its beginning"),
            ("[1, 2]", "no object of JSON at its beginning"),
            ("{hello}", "found key must be a string"),
            ("{\"a\": 1}", "JSON without `schemaVersion` and without `event`"),
            ("{\"schemaVersion\": 1, \"tool\"", "read the report: EOF while parsing"),
            ("{\"schemaVersion\": 9}", "version 9"),
            ("{\"schemaVersion\": 0}", "version 0"),
            ("{\"schemaVersion\": \"1\"}", "read the report: "),
        ] {
            let error = error(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn what_is_nested_too_deep_is_an_error_and_no_crash() {
        let deep = "[".repeat(1_000_000);
        assert!(error(&deep).starts_with("read the run"), "{}", error(&deep));
        let deep = format!("{{\"schemaVersion\": 1, \"x\": {deep}{}}}", "]".repeat(1_000_000));
        assert!(error(&deep).contains("recursion limit"), "{}", error(&deep));
    }

    #[test]
    fn a_text_that_is_cut_off_anywhere_is_an_error_that_says_so() {
        let report = rendered(Format::Json, &samples::failing());
        let record = rendered(Format::Ndjson, &samples::failing());
        for text in [report.trim_end(), record.trim_end()] {
            for length in (1..text.len()).step_by(401).filter(|at| text.is_char_boundary(*at)) {
                assert!(Saved::read(&text[..length]).is_err(), "{length}");
            }
        }
        let lines: Vec<&str> = record.lines().collect();
        let error = error(&lines[..lines.len() - 1].join("\n"));
        assert!(error.contains("the run was cut off"), "{error}");
    }

    #[test]
    fn records_of_two_runs_in_one_file_are_told_apart() {
        let record = rendered(Format::Ndjson, &samples::passing());
        assert!(error(&record.repeat(2)).contains("it holds 2 runs"));
    }
}
