//! The JSON report: written at the end of a run, and read back.

use serde::Serialize;
use tacit_contract::event::SCHEMA_VERSION;
use thiserror::Error;

use crate::report::Report;
use crate::reporter::ReportError;
use crate::run::Run;

/// The report of a run as text, keys in the documented order.
///
/// # Errors
/// A share of the coverage is no number that JSON has.
pub fn render(run: &Run) -> Result<String, ReportError> {
    pretty(&Report::from(run))
}

/// A document as text, its end of line included.
///
/// # Errors
/// It holds what JSON has no form for.
pub(crate) fn pretty(document: &impl Serialize) -> Result<String, ReportError> {
    let mut text = serde_json::to_string_pretty(document)
        .map_err(|error| ReportError::Format(error.to_string()))?;
    text.push('\n');
    Ok(text)
}

/// Why a text is no report; to be read after "failed to".
#[derive(Debug, Error)]
pub enum ReadError {
    /// The text does not fit.
    #[error("read the report: {0}")]
    Shape(#[from] serde_json::Error),
    /// It was written by another version.
    #[error(
        "read the report: its format is version {found}, this is version {SCHEMA_VERSION}; \
         use the tacit that wrote it"
    )]
    Version {
        /// The version of the text.
        found: u64,
    },
}

/// Reads a report that was saved.
///
/// # Errors
/// The text is no report, or one of another format.
pub fn read(text: &str) -> Result<Report, ReadError> {
    let value: serde_json::Value = serde_json::from_str(text)?;
    match value.get("schemaVersion").and_then(serde_json::Value::as_u64) {
        Some(found) if found != u64::from(SCHEMA_VERSION) => Err(ReadError::Version { found }),
        // Read from the text, not from the value: the error then names the line.
        _ => Ok(serde_json::from_str(text)?),
    }
}

/// The JSON Schema of the report.
#[cfg(feature = "schema")]
#[must_use]
pub fn schema() -> serde_json::Value {
    schemars::generate::SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<Report>()
        .to_value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn every_report_fits_its_own_schema() {
        let validator = jsonschema::validator_for(&schema()).unwrap();
        for events in samples::all() {
            let text = render(&Run::of(&events).unwrap()).unwrap();
            let report: serde_json::Value = serde_json::from_str(&text).unwrap();
            let errors: Vec<_> = validator
                .iter_errors(&report)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert!(errors.is_empty(), "{errors:#?}");
        }
    }

    #[test]
    fn the_schema_turns_away_a_verdict_that_does_not_exist() {
        let validator = jsonschema::validator_for(&schema()).unwrap();
        let text = render(&Run::of(&samples::passing()).unwrap()).unwrap();
        let report = serde_json::from_str(&text.replacen("\"pass\"", "\"passed\"", 1)).unwrap();
        assert!(!validator.is_valid(&report));
    }

    #[test]
    fn the_keys_come_in_the_documented_order() {
        let text = render(&Run::of(&samples::failing()).unwrap()).unwrap();
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        let keys = |value: &serde_json::Value| {
            value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            keys(&report),
            "schemaVersion tool runtime profile run clauses scenarios properties \
             counterexamples failures coverage \
             conforms claimed exitCode summary"
        );
        assert_eq!(
            keys(&report["run"]),
            "seed startedAt durationMs cases prompts requests shard apis"
        );
        assert_eq!(
            keys(&report["summary"]),
            "pass fail warn notExercised notApplicable expectedFailure error"
        );
        assert_eq!(report["run"]["seed"], "4f1c09aa");
        assert_eq!(report["run"]["startedAt"], "2026-12-04T09:30:00Z");
    }

    #[test]
    fn a_runtime_that_did_not_start_is_reported_with_the_cause() {
        let text = render(&Run::of(&samples::not_started()).unwrap()).unwrap();
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(report["failures"][0]["cause"]["kind"], "hung");
        assert_eq!(report["failures"][0]["cause"]["during"], "initialize");
        assert_eq!(report["failures"][0]["cases"], 0);
    }

    #[test]
    fn a_saved_report_is_read_back_and_makes_the_same_report_again() {
        for events in samples::all() {
            let run = Run::of(&events).unwrap();
            let saved = read(&render(&run).unwrap()).unwrap();
            assert_eq!(saved, Report::from(&run));
            assert_eq!(Report::from(&Run::of(&saved.events()).unwrap()), saved);
        }
    }

    #[test]
    fn a_report_of_another_format_is_turned_away_with_both_versions() {
        let error = read("{\"schemaVersion\": 7}").unwrap_err().to_string();
        assert!(
            error.contains("version 7") && error.contains("the tacit that wrote it"),
            "{error}"
        );
    }

    #[test]
    fn what_is_no_report_is_turned_away_with_the_line() {
        let error = read("{\n  \"schemaVersion\": 1\n}").unwrap_err().to_string();
        assert!(error.contains("line 3"), "{error}");
    }
}
