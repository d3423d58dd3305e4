//! What is kept of a difference: a counterexample where a side breaks a clause, else the session
//! alone, beside the counterexamples.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tacit_contract::Case;
use tacit_contract::case::SAVED_VERSION;

use crate::corpus::regular;

/// The folder of the corpus for sessions that break no clause: a run does not look into it.
const FOLDER: &str = "differences";

/// A session on which two runtimes differ, though neither breaks a clause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SavedDifference {
    /// The format of the file.
    pub schema_version: u32,
    /// How the runtimes were asked for.
    pub specs: [String; 2],
    /// The profiles that they were held to.
    pub profiles: [String; 2],
    /// The difference, in a sentence.
    pub says: String,
    /// The session.
    pub case: Case,
}

impl SavedDifference {
    /// What is to be kept.
    #[must_use]
    pub fn new(specs: [String; 2], profiles: [String; 2], says: String, case: Case) -> Self {
        Self { schema_version: SAVED_VERSION, specs, profiles, says, case }
    }

    /// Writes it under the first free number; one that is there already is left as it is.
    ///
    /// # Errors
    /// The folder or the file cannot be written.
    pub fn keep(&self, corpus: &Path) -> std::io::Result<PathBuf> {
        let folder = corpus.join(FOLDER);
        std::fs::create_dir_all(&folder)?;
        for number in 1_u32.. {
            let path = folder.join(format!("difference-{number}.json"));
            if !path.exists() {
                let mut text = serde_json::to_string_pretty(self)?;
                text.push('\n');
                std::fs::write(&path, text)?;
                return Ok(path);
            }
            if read(&path).is_some_and(|known| known.case == self.case) {
                return Ok(path);
            }
        }
        Err(std::io::ErrorKind::AlreadyExists.into())
    }
}

/// The sessions that were kept, in the order of their names. A file that is none of them is
/// passed over: they are tried first, and nothing hangs on them.
#[must_use]
pub fn kept(corpus: &Path) -> Vec<SavedDifference> {
    let Ok(entries) = std::fs::read_dir(corpus.join(FOLDER)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.iter().filter_map(|path| read(path)).collect()
}

fn read(path: &Path) -> Option<SavedDifference> {
    let text = std::fs::read_to_string(regular(path).ok()?).ok()?;
    let saved: SavedDifference = serde_json::from_str(&text).ok()?;
    (saved.schema_version == SAVED_VERSION).then_some(saved)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use tacit_contract::{Mode, ProviderKind, Session, Step};

    fn saved(prompt: &str) -> SavedDifference {
        let session = Session {
            seed: 1,
            mode: Mode::Agent,
            provider: ProviderKind::PLAINEST,
            tools: Vec::new(),
            bulk: tacit_contract::session::Bulk::default(),
            steps: vec![Step::Prompt { text: prompt.to_owned() }],
        };
        let case = Case { session, variants: Vec::new() };
        let both = |text: &str| [text.to_owned(), text.to_owned()];
        SavedDifference::new(both("reference"), both("nib-r3"), "only A shows x".into(), case)
    }

    #[test]
    fn what_is_kept_is_read_back_and_kept_once() {
        let corpus = tempfile::tempdir().unwrap();
        assert!(kept(corpus.path()).is_empty());
        let one = saved("one").keep(corpus.path()).unwrap();
        let other = saved("other").keep(corpus.path()).unwrap();
        assert_ne!(one, other);
        assert_eq!(saved("one").keep(corpus.path()).unwrap(), one);
        std::fs::write(corpus.path().join(FOLDER).join("a.json"), "no session").unwrap();
        assert_eq!(kept(corpus.path()), [saved("one"), saved("other")]);
    }

    #[test]
    fn a_run_does_not_take_it_for_a_counterexample() {
        let corpus = tempfile::tempdir().unwrap();
        saved("one").keep(corpus.path()).unwrap();
        assert!(crate::corpus::all(corpus.path()).unwrap().is_empty());
    }
}
