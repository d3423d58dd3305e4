//! Files that the user names.

use std::io::Read;
use std::path::{Path, PathBuf};

use tacit_suite::corpus::regular;

use crate::problem::Problem;

/// More than any configuration needs.
const CONFIGURATION: u64 = 1024 * 1024;

/// More than any saved session needs.
const SESSION: u64 = 64 * 1024 * 1024;

/// More than any report or record needs.
const RUN: u64 = 1024 * 1024 * 1024;

/// Reads the report or the record of a run.
pub fn saved_run(path: &Path) -> Result<String, Problem> {
    read(path, RUN)
        .map_err(|problem| Problem::usage(format!("cannot read {}: {problem}", path.display())))
}

/// Reads a file of configuration; `what` names it in errors.
pub fn configuration(path: &Path, what: &str) -> Result<String, Problem> {
    read(path, CONFIGURATION).map_err(|problem| Problem::usage(format!("{what}: {problem}")))
}

/// Reads a file of data, which may be larger than configuration; `what` names it in errors.
pub fn document(path: &Path, what: &str) -> Result<String, Problem> {
    read(path, SESSION).map_err(|problem| Problem::usage(format!("{what}: {problem}")))
}

/// Checks that a saved session can be read and is no larger than one can be.
pub fn check_session(path: &Path) -> Result<(), Problem> {
    read(path, SESSION)
        .map(drop)
        .map_err(|problem| Problem::usage(format!("cannot read {}: {problem}", path.display())))
}

/// The saved sessions of a folder, in the order of their names: as data where they are there as
/// data, else as scenarios.
pub fn sessions(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let problem = |error: std::io::Error| {
        Problem::usage(format!("cannot read the folder {}: {error}", folder.display()))
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(problem)? {
        paths.push(entry.map_err(problem)?.path());
    }
    let ends = |path: &Path, ending: &str| path.extension().is_some_and(|found| found == ending);
    let twin = |path: &PathBuf| ends(path, "feature") && path.with_extension("json").exists();
    paths.retain(|path| ends(path, "json") || ends(path, "feature") && !twin(path));
    paths.sort();
    if paths.is_empty() {
        return Err(Problem::usage(format!("{} holds no saved session", folder.display()))
            .help("a run leaves what it finds in its corpus, as `.json` and as `.feature`"));
    }
    Ok(paths)
}

/// Reads the text of a file, never more than a limit.
fn read(path: &Path, limit: u64) -> Result<String, String> {
    let file = regular(path).and_then(std::fs::File::open).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > limit {
        return Err(format!("the file is larger than {} MiB", limit / 1024 / 1024));
    }
    String::from_utf8(bytes).map_err(|error| {
        format!("the file is no UTF-8 text: byte {} is wrong", error.utf8_error().valid_up_to() + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_text_or_never_ends_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.toml");
        std::fs::write(&path, b"id = \"\xff\"").unwrap();
        let error = configuration(&path, "profile x.toml").unwrap_err().to_string();
        assert_eq!(error, "profile x.toml: the file is no UTF-8 text: byte 7 is wrong");
        std::fs::write(&path, vec![b' '; 1024 * 1024 + 1]).unwrap();
        let error = configuration(&path, "profile x.toml").unwrap_err().to_string();
        assert_eq!(error, "profile x.toml: the file is larger than 1 MiB");
    }
}
