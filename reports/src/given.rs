//! What reports are made of: saved runs, and what was tried beside them.

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use tacit_contract::matrix::MATRIX_VERSION;
use tacit_contract::table::TABLE_VERSION;
use tacit_contract::{Matrix, Table};
use thiserror::Error;

use crate::saved::{Saved, SavedError};

/// A file that a report is made of.
#[derive(Debug)]
pub enum Given {
    /// A run.
    Run(Saved),
    /// What found which fault.
    Matrix(Box<Matrix>),
    /// What each clause came to on each of several runtimes.
    Table(Box<Table>),
}

/// Why nothing can be made of a file; to be read after "failed to".
#[derive(Debug, Error)]
pub enum GivenError {
    /// It is no run.
    #[error(transparent)]
    Run(#[from] SavedError),
    /// It is of another version.
    #[error("read {what}: it is of version {found}, expected version {expected}: make it again")]
    Version {
        /// What it is, and what wrote it.
        what: &'static str,
        /// The version that it has.
        found: u64,
        /// The version that can be read.
        expected: u32,
    },
    /// Something of it does not fit.
    #[error("read {what}: {source}")]
    Shape {
        /// What it is, and what wrote it.
        what: &'static str,
        /// What does not fit, and where.
        source: serde_json::Error,
    },
}

/// What tells the documents apart that are no runs.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Marks {
    schema_version: u64,
    // A run says so under `tool`, where these have `toolVersion`.
    #[serde(rename = "toolVersion")]
    _tool_version: IgnoredAny,
    faults: Option<IgnoredAny>,
    runtimes: Option<IgnoredAny>,
}

const MATRIX: &str = "the kill matrix (`tacit selftest --format json`)";
const TABLE: &str = "the comparison (`tacit compare --format json`)";

impl Given {
    /// Reads a file; what it is, its form tells.
    ///
    /// # Errors
    /// It is neither a run nor a kill matrix nor a comparison, is cut off, or comes from another
    /// version.
    pub fn read(text: &str) -> Result<Self, GivenError> {
        let marks: Option<Marks> = serde_json::from_str(text).ok();
        match marks {
            Some(Marks { faults: Some(_), schema_version, .. }) => {
                read(text, MATRIX, schema_version, MATRIX_VERSION).map(Self::Matrix)
            }
            Some(Marks { runtimes: Some(_), schema_version, .. }) => {
                let table: Box<Table> = read(text, TABLE, schema_version, TABLE_VERSION)?;
                Ok(Self::Table(table))
            }
            _ => Ok(Self::Run(Saved::read(text)?)),
        }
    }
}

fn read<T: DeserializeOwned>(
    text: &str,
    what: &'static str,
    found: u64,
    expected: u32,
) -> Result<Box<T>, GivenError> {
    if found != u64::from(expected) {
        return Err(GivenError::Version { what, found, expected });
    }
    serde_json::from_str(text).map(Box::new).map_err(|source| GivenError::Shape { what, source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{self, rendered};
    use crate::target::Format;

    fn matrix() -> String {
        serde_json::to_string(&samples::matrix()).unwrap()
    }

    fn comparison() -> String {
        let mut value = serde_json::to_value(samples::table()).unwrap();
        value["schemaVersion"] = TABLE_VERSION.into();
        value["toolVersion"] = "0.1.0".into();
        value.to_string()
    }

    #[test]
    fn each_is_told_by_its_form() {
        let run = rendered(Format::Json, &samples::failing());
        assert!(matches!(Given::read(&run), Ok(Given::Run(_))));
        let Ok(Given::Matrix(read)) = Given::read(&matrix()) else { panic!("no matrix") };
        assert_eq!(*read, samples::matrix());
        let Ok(Given::Table(read)) = Given::read(&comparison()) else { panic!("no table") };
        assert_eq!(*read, samples::table());
    }

    #[test]
    fn what_does_not_fit_says_what_it_should_have_been() {
        let later = matrix().replacen("\"schemaVersion\":1", "\"schemaVersion\":7", 1);
        let other = comparison().replacen("\"runtimes\":[", "\"runtimes\":[7,", 1);
        for (text, expected) in [
            (
                later.as_str(),
                "read the kill matrix (`tacit selftest --format json`): it is of version 7",
            ),
            (other.as_str(), "read the comparison (`tacit compare --format json`): invalid type"),
            ("{\"a\": 1}", "expected what `--report json=…`"),
            ("", "the file is empty"),
        ] {
            let error = Given::read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
