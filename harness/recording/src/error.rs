//! What can be wrong with a recording.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::kind::Kind;

/// Why a recording cannot be read; to be read after "failed to".
#[derive(Debug, Error)]
pub enum RecordingError {
    /// The file cannot be opened, or breaks off while it is read.
    #[error("read {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is no JSON, or none of the expected form.
    #[error("read {}: {place}: {found}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// The line and column, or the value and the path of the field.
        place: String,
        /// What was found, and what was expected.
        found: String,
    },
    /// One value is larger than any that is read.
    #[error(
        "read {}: {place}: one value is larger than {} MiB: expected one request or row at a time",
        path.display(),
        limit / 1024 / 1024
    )]
    TooLong {
        /// The file.
        path: PathBuf,
        /// Which value.
        place: String,
        /// The most bytes that one may have.
        limit: usize,
    },
    /// Nothing in its beginning says what it is.
    #[error(
        "tell what {} is: {found}: expected {}; say which with `--kind`",
        path.display(),
        Kind::expected()
    )]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What it begins with.
        found: &'static str,
    },
    /// It holds nothing at all.
    #[error("read {}: it is empty: expected {}", path.display(), Kind::expected())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}
