//! The profile that a runtime is held to.

use std::io;
use std::path::Path;

use tacit_contract::Profile;
use tacit_contract::profile::{ProfileError, built_in};
use thiserror::Error;

/// A profile that cannot be used.
#[derive(Debug, Error)]
pub enum NoProfile {
    /// It is neither built in nor a file that can be read.
    #[error(
        "profile `{name}` is not built in, and no file that can be read: {error}; a path begins at \
         the folder of the package"
    )]
    Unread {
        /// How it was asked for.
        name: String,
        /// Why it was not read.
        error: io::Error,
    },
    /// It says what no profile may say.
    #[error("profile `{name}`{}: {error}", at_line(*.line))]
    Unfit {
        /// How it was asked for.
        name: String,
        /// The line, from 1 on, where it is known.
        line: Option<usize>,
        /// What is wrong with it.
        error: ProfileError,
    },
}

fn at_line(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}

/// A built-in profile, or one from a file.
pub(crate) fn load(name: &str) -> Result<Profile, NoProfile> {
    let read = || std::fs::read_to_string(Path::new(name));
    let text = match built_in(name) {
        Some(text) => text.to_owned(),
        None => read().map_err(|error| NoProfile::Unread { name: name.to_owned(), error })?,
    };
    Profile::parse(&text).map_err(|error| {
        let start = error.span.as_ref().map(|span| span.start.min(text.len()));
        let before = start.and_then(|start| text.get(..start));
        let line = before.map(|before| before.matches('\n').count() + 1);
        NoProfile::Unfit { name: name.to_owned(), line, error }
    })
}
