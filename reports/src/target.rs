//! Which reports there are, and where one is to be written.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::file::Document;
use crate::ndjson::Ndjson;
use crate::reporter::{ReportError, Reporter};
use crate::{json, junit};

/// The format of a report file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One JSON document.
    Json,
    /// Every event, one a line.
    Ndjson,
    /// `JUnit` XML.
    Junit,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Json, Self::Ndjson, Self::Junit];

    /// The name, as `--report` takes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Junit => "junit",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|format| format.as_str() == text).ok_or_else(|| {
            let all = Self::ALL.map(Self::as_str).join(", ");
            format!("`{text}` is no format of a report: expected one of {all}")
        })
    }
}

/// A report that was asked for: `FORMAT=PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The format.
    pub format: Format,
    /// The file.
    pub path: PathBuf,
}

impl Target {
    /// Begins the report, so that a path that cannot be written is known before the run.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn open(&self) -> Result<Box<dyn Reporter>, ReportError> {
        Ok(match self.format {
            Format::Json => Box::new(Document::create(&self.path, json::render)?),
            Format::Ndjson => Box::new(Ndjson::create(&self.path)?),
            Format::Junit => Box::new(Document::create(&self.path, junit::render)?),
        })
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (format, path) = text.split_once('=').ok_or_else(|| {
            format!("`{text}` says no path: expected FORMAT=PATH, such as json=report.json")
        })?;
        let format = format.parse()?;
        if path.is_empty() {
            return Err(format!("`{text}` says no path: expected {format}=PATH"));
        }
        Ok(Self { format, path: PathBuf::from(path) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reporter::FanOut;
    use crate::samples;

    #[test]
    fn a_target_is_a_format_and_a_path_that_may_hold_further_equals_signs() {
        let target: Target = "json=out/a=b.json".parse().unwrap();
        assert_eq!(target, Target { format: Format::Json, path: "out/a=b.json".into() });
    }

    #[test]
    fn what_is_no_target_says_what_was_expected() {
        for (text, expected) in [
            ("json", "expected FORMAT=PATH"),
            ("json=", "expected json=PATH"),
            ("pdf=x", "expected one of json, ndjson, junit"),
        ] {
            let error = text.parse::<Target>().unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn the_same_events_rendered_twice_are_equal_to_the_byte() {
        let folder = tempfile::tempdir().unwrap();
        for events in samples::all() {
            for format in Format::ALL {
                let texts = ["one", "two"].map(|name| {
                    let target = Target { format, path: folder.path().join(name) };
                    let mut all = FanOut::new();
                    all.add(target.open().unwrap());
                    for event in &events {
                        all.event(event);
                    }
                    assert!(all.finish().is_empty());
                    std::fs::read(&target.path).unwrap()
                });
                assert_eq!(texts[0], texts[1], "{format}");
            }
        }
    }

    #[test]
    fn every_report_can_be_made_again_from_the_record() {
        for events in samples::all() {
            let record: String =
                events.iter().map(|event| crate::ndjson::line(event).unwrap()).collect();
            let again = crate::ndjson::read(record.as_bytes()).unwrap();
            let [one, two] = [&events, &again].map(|events| crate::Run::of(events).unwrap());
            assert_eq!(crate::json::render(&one).unwrap(), crate::json::render(&two).unwrap());
            assert_eq!(crate::junit::render(&one).unwrap(), crate::junit::render(&two).unwrap());
            let options = crate::terminal::Options::default();
            assert_eq!(
                crate::terminal::render(&one, &options),
                crate::terminal::render(&two, &options)
            );
        }
    }
}
