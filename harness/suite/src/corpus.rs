//! The corpus: counterexamples as files, each as data and as a scenario.

use std::io;
use std::path::{Path, PathBuf};

use tacit_contract::case::SAVED_VERSION;
use tacit_contract::clause::clause;
use tacit_contract::{Case, ClauseId, Saved};
use tacit_steps::case::read_case;
use tacit_steps::write::{Header, write};
use thiserror::Error;

/// A counterexample that was read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// The file.
    pub path: PathBuf,
    /// The case.
    pub case: Case,
    /// The clauses that it is said to break.
    pub clauses: Vec<ClauseId>,
    /// The profile that it was judged under, where the file says so.
    pub profile: Option<String>,
    /// The runtime on which it was found, with its version, where the file says so as data.
    pub found_on: Option<String>,
    /// How that runtime was asked for, where the file says so.
    pub spec: Option<String>,
}

/// Why a counterexample cannot be read or written.
#[derive(Debug, Error)]
pub enum CorpusError {
    /// The file cannot be read.
    #[error("cannot read {path}: {error}")]
    Read {
        /// The file.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {path}: {error}")]
    Write {
        /// The file.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// The file is no saved session.
    #[error("{path} is no saved session: at `{field}`: {problem}")]
    Data {
        /// The file.
        path: String,
        /// Where in it.
        field: String,
        /// What is wrong.
        problem: String,
    },
    /// The file is of another format.
    #[error("{path} has format {found}: this version reads format {SAVED_VERSION}")]
    Version {
        /// The file.
        path: String,
        /// The format that it names.
        found: u32,
    },
    /// The file is no feature that can be replayed.
    #[error("{0}")]
    Feature(String),
    /// The file's name says nothing of what is in it.
    #[error("{path} is neither `.json` nor `.feature`: a saved session ends in one of them")]
    Kind {
        /// The file.
        path: String,
    },
}

/// The two files of a counterexample, as they are named in reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// The session as data.
    pub data: PathBuf,
    /// The session as a scenario.
    pub feature: PathBuf,
}

/// Writes a counterexample under the first free number; one that is there already is left as it
/// is. The scenario also tells the seed of the run, and of how many steps it was found.
///
/// # Errors
/// The folder or a file cannot be written.
pub fn keep(
    folder: &Path,
    saved: &Saved,
    seed: u64,
    steps_before: usize,
) -> Result<Paths, CorpusError> {
    let header = Header {
        found_by: saved.found_by.clone(),
        tool: format!("tacit {}", env!("CARGO_PKG_VERSION")),
        runtime: saved.runtime.clone(),
        spec: saved.spec.clone(),
        seed,
        steps_before,
    };
    let write_error =
        |path: &Path, error| CorpusError::Write { path: path.display().to_string(), error };
    std::fs::create_dir_all(folder).map_err(|error| write_error(folder, error))?;
    let stem = saved.clause.as_str().replace('.', "-");
    let mut number = 1;
    loop {
        let paths = Paths {
            data: folder.join(format!("{stem}-{number}.json")),
            feature: folder.join(format!("{stem}-{number}.feature")),
        };
        let same = match read(&paths.data) {
            Ok(kept) => kept.case == saved.case,
            Err(_) if paths.data.exists() => false,
            Err(_) => {
                put(&paths.data, &data(saved))?;
                put(&paths.feature, &write(&saved.case, &saved.clause, &header))?;
                return Ok(paths);
            }
        };
        if same {
            return Ok(paths);
        }
        number += 1;
    }
}

fn data(saved: &Saved) -> String {
    // Types of our own, with text for every key: there is no way in which this fails.
    let mut text = serde_json::to_string_pretty(saved).unwrap_or_default();
    text.push('\n');
    text
}

fn put(path: &Path, text: &str) -> Result<(), CorpusError> {
    std::fs::write(path, text)
        .map_err(|error| CorpusError::Write { path: path.display().to_string(), error })
}

/// Reads a counterexample of either form.
///
/// # Errors
/// The file cannot be read, or is no counterexample.
pub fn read(path: &Path) -> Result<Kept, CorpusError> {
    let name = path.display().to_string();
    let text = regular(path)
        .and_then(std::fs::read_to_string)
        .map_err(|error| CorpusError::Read { path: name.clone(), error })?;
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("json") => {
            let mut reader = serde_json::Deserializer::from_str(&text);
            let saved: Saved = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
                CorpusError::Data {
                    path: name.clone(),
                    field: error.path().to_string(),
                    problem: error.inner().to_string(),
                }
            })?;
            if saved.schema_version != SAVED_VERSION {
                return Err(CorpusError::Version { path: name, found: saved.schema_version });
            }
            known(&name, "clause", std::slice::from_ref(&saved.clause))?;
            Ok(Kept {
                path: path.to_owned(),
                case: saved.case,
                clauses: vec![saved.clause],
                profile: Some(saved.profile),
                found_on: Some(saved.runtime),
                spec: saved.spec,
            })
        }
        Some("feature") => {
            let replay =
                read_case(&name, &text).map_err(|error| CorpusError::Feature(error.to_string()))?;
            known(&name, "Then", &replay.clauses)?;
            Ok(Kept {
                path: path.to_owned(),
                case: replay.case,
                clauses: replay.clauses,
                profile: None,
                found_on: None,
                spec: replay.spec,
            })
        }
        _ => Err(CorpusError::Kind { path: name }),
    }
}

/// A path of which there is no doubt that reading it comes to an end: a pipe waits for who writes
/// into it, and a device may give for ever.
///
/// # Errors
/// There is no such file, or it is none that is kept on a disk.
pub fn regular(path: &Path) -> io::Result<&Path> {
    let kind = std::fs::metadata(path)?;
    if kind.is_file() {
        return Ok(path);
    }
    let kind = if kind.is_dir() { "a folder" } else { "a pipe or a device" };
    Err(io::Error::other(format!("it is {kind}, and no file")))
}

/// A clause that a counterexample names must be one.
fn known(path: &str, field: &str, clauses: &[ClauseId]) -> Result<(), CorpusError> {
    let problem = match clauses.iter().find(|id| clause(id.as_str()).is_none()) {
        Some(id) => format!("there is no clause `{id}`: `tacit list clauses` shows all"),
        None if clauses.is_empty() => {
            "no clause is named: end the scenario with `Then the runtime keeps \"CLAUSE\"`"
                .to_owned()
        }
        None => return Ok(()),
    };
    Err(CorpusError::Data { path: path.to_owned(), field: field.to_owned(), problem })
}

/// Every counterexample of a folder, in the order of their names, each once; none where there is
/// no such folder.
///
/// # Errors
/// A file of the folder is no counterexample.
pub fn all(folder: &Path) -> Result<Vec<Kept>, CorpusError> {
    if folder.exists() && !folder.is_dir() {
        let error = io::Error::from(io::ErrorKind::NotADirectory);
        return Err(CorpusError::Write { path: folder.display().to_string(), error });
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}
