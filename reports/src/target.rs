//! Which reports there are, and where one is to be written.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use tacit_contract::Event;

use crate::file::{Document, Render};
use crate::ndjson::Ndjson;
use crate::reporter::{ReportError, Reporter};
use crate::run::Run;
use crate::{Background, badge, html, json, junit, markdown, ndjson, sarif, tap};

/// The format of a report file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One JSON document.
    Json,
    /// Every event, one a line.
    Ndjson,
    /// `JUnit` XML.
    Junit,
    /// Markdown, for a pull request or a job summary.
    Markdown,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// The Test Anything Protocol, version 14.
    Tap,
    /// A badge, as an endpoint of shields.io.
    Badge,
    /// One HTML page.
    Html,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 8] = [
        Self::Json,
        Self::Ndjson,
        Self::Junit,
        Self::Markdown,
        Self::Sarif,
        Self::Tap,
        Self::Badge,
        Self::Html,
    ];

    /// The name, as `--report` takes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Junit => "junit",
            Self::Markdown => "markdown",
            Self::Sarif => "sarif",
            Self::Tap => "tap",
            Self::Badge => "badge",
            Self::Html => "html",
        }
    }

    /// What makes the report of a whole run; none for the record, which is written as the run
    /// goes on.
    fn of_whole_run(self, about: &Background) -> Option<Render> {
        let render: fn(&Run) -> Result<String, ReportError> = match self {
            Self::Json => json::render,
            Self::Ndjson => return None,
            Self::Junit => junit::render,
            Self::Markdown => markdown::render,
            Self::Sarif => sarif::render,
            Self::Tap => tap::render,
            Self::Badge => badge::render,
            Self::Html => {
                let about = about.clone();
                return Some(Box::new(move |run| Ok(html::render(run, &about))));
            }
        };
        Some(Box::new(render))
    }

    /// The report of a run that is over, as text; `about` is what is known beside the run.
    ///
    /// # Errors
    /// The events are not those of a whole run, or a report cannot be put into the format.
    pub fn render(self, events: &[Event], about: &Background) -> Result<String, ReportError> {
        match self.of_whole_run(about) {
            Some(render) => render(&Run::of(events)?),
            None => events.iter().map(ndjson::line).collect(),
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
    /// Begins the report, so that a path that cannot be written is known before the run; `about`
    /// is what is known beside the run.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn open(&self, about: &Background) -> Result<Box<dyn Reporter>, ReportError> {
        Ok(match self.format.of_whole_run(about) {
            Some(render) => Box::new(Document::create(&self.path, render)?),
            None => Box::new(Ndjson::create(&self.path)?),
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
    use crate::samples::{self, rendered};

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
            ("pdf=x", "expected one of json, ndjson, junit, markdown, sarif, tap, badge, html"),
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
                    all.add(target.open(&Background::default()).unwrap());
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
            let record = rendered(Format::Ndjson, &events);
            let again = ndjson::read(record.as_bytes()).unwrap();
            for format in Format::ALL {
                let [one, two] = [&events, &again].map(|events| rendered(format, events));
                assert_eq!(one, two, "{format}");
            }
            let [one, two] = [&events, &again].map(|events| {
                let options = crate::terminal::Options::default();
                crate::terminal::render(&Run::of(events).unwrap(), &options)
            });
            assert_eq!(one, two);
        }
    }

    #[test]
    fn whatever_a_run_holds_every_format_has_a_place_for_it() {
        fn law(events: Vec<samples::AnyEvent>) -> bool {
            let mut whole = samples::passing();
            let end = whole.len() - 1;
            whole.splice(1..end, events.into_iter().map(|event| event.0));
            let sound = |format: Format, text: &str| match format {
                Format::Json | Format::Badge => {
                    serde_json::from_str::<serde_json::Value>(text).is_ok()
                }
                Format::Sarif => sarif::fits_the_schema(text),
                Format::Ndjson => ndjson::read(text.as_bytes()).is_ok_and(|read| read == whole),
                Format::Junit => junit_parser::from_reader(text.as_bytes()).is_ok(),
                Format::Markdown => text.len() <= markdown::ROOM,
                Format::Tap => tap::keeps_to_the_protocol(text),
                Format::Html => html::holds_together(text),
            };
            Format::ALL.into_iter().all(|format| sound(format, &rendered(format, &whole)))
        }
        quickcheck::quickcheck(law as fn(Vec<samples::AnyEvent>) -> bool);
    }

    #[test]
    fn a_report_file_holds_what_is_rendered_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let events = samples::failing();
        for format in Format::ALL {
            let target = Target { format, path: folder.path().join("report") };
            let mut report = target.open(&Background::default()).unwrap();
            for event in &events {
                report.event(event).unwrap();
            }
            report.finish().unwrap();
            let text = std::fs::read_to_string(&target.path).unwrap();
            assert_eq!(text, rendered(format, &events), "{format}");
        }
    }
}
