//! Bringing a baseline up to date: what is new is added, what is stale removed, and all else in the
//! file stays as it was written.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use tacit_contract::baseline::{Baselined, Standing};
use tacit_contract::{ClauseId, Event, Revision, Verdict};
use thiserror::Error;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

/// The reason of an entry that nobody has given one yet.
const REASON: &str = "TODO: say why this is expected";

/// What a new baseline begins with.
const BEGINNING: &str = "# Clauses that are known to be broken: for `tacit run --baseline`.\n\n";

/// What a run says about its baseline, gathered from its events.
#[derive(Debug, Clone, Default)]
pub struct Update {
    revision: Option<Revision>,
    sessions: BTreeMap<ClauseId, String>,
    broken: Vec<ClauseId>,
    baseline: Option<Baselined>,
}

/// A baseline that is up to date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Updated {
    /// Its text.
    pub text: String,
    /// The clauses that were added.
    pub added: Vec<ClauseId>,
    /// The clauses whose stale entries were removed.
    pub removed: Vec<ClauseId>,
    /// The broken clauses that no session was kept of, so that there is nothing to play again.
    pub left_out: Vec<ClauseId>,
}

/// Why a baseline cannot be brought up to date; to be read after "failed to".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("update the baseline: {0}")]
pub struct UpdateError(String);

impl Update {
    /// Takes the next event of the run.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::RunStarted(started) => self.revision = Some(started.revision),
            Event::CounterexampleFound(found) => {
                self.sessions.insert(found.clause.clone(), found.data.clone());
            }
            Event::ClauseJudged(result) if result.verdict == Verdict::Fail => {
                self.broken.push(result.id.clone());
            }
            Event::RunFinished(finished) => self.baseline.clone_from(&finished.baseline),
            _ => {}
        }
    }

    /// The text of the baseline at `file`, brought up to date. An entry that has expired stays, and
    /// so does its date: no update gives anyone more time.
    ///
    /// # Errors
    /// The text is no baseline.
    pub fn apply(&self, file: &Path, text: &str) -> Result<Updated, UpdateError> {
        let mut document: DocumentMut =
            text.parse().map_err(|error: toml_edit::TomlError| UpdateError(error.to_string()))?;
        if text.trim().is_empty() {
            document.set_trailing(BEGINNING);
        }
        let entries = self.baseline.iter().flat_map(|baseline| &baseline.entries);
        let stale: Vec<usize> = entries
            .clone()
            .enumerate()
            .filter(|(_, entry)| entry.standing == Standing::Stale)
            .map(|(place, _)| place)
            .collect();
        let mut updated = Updated {
            text: String::new(),
            added: Vec::new(),
            removed: Vec::new(),
            left_out: Vec::new(),
        };
        let mut added = Vec::new();
        for clause in &self.broken {
            let listed = || entries.clone().filter(|entry| entry.expectation.clause == *clause);
            if listed().any(|entry| entry.standing == Standing::Expired) {
                continue;
            }
            let elsewhere = listed().any(|entry| entry.standing == Standing::AnotherRevision);
            match self.sessions.get(clause).map(Path::new).filter(|path| path.is_file()) {
                Some(path) => {
                    let revision = self.revision.filter(|_| elsewhere);
                    added.push((clause, revision, relative(path, file)));
                    updated.added.push(clause.clone());
                }
                None => updated.left_out.push(clause.clone()),
            }
        }
        let removed = stale.iter().filter_map(|place| entries.clone().nth(*place));
        updated.removed.extend(removed.map(|entry| entry.expectation.clause.clone()));
        edit(&mut document, &stale, &added);
        updated.text = document.to_string();
        // The library knows one way to end a line.
        if text.contains("\r\n") {
            updated.text = updated.text.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        Ok(updated)
    }
}

/// An entry to add: the clause, the revision if entries of others are there, the counterexample.
type New<'a> = (&'a ClauseId, Option<Revision>, String);

fn edit(document: &mut DocumentMut, stale: &[usize], added: &[New<'_>]) {
    let there = document.remove("expect").unwrap_or_default();
    let there = there.into_array_of_tables().unwrap_or_default();
    let mut tables = ArrayOfTables::new();
    // Comments that stand above an entry, and are about more than it.
    let mut loose = String::new();
    if there.is_empty() {
        let trailing = document.trailing().as_str().unwrap_or_default();
        loose.push_str(if trailing.trim().is_empty() { BEGINNING } else { trailing });
        // What stood alone says nothing of the entry that comes below it.
        let apart = if loose.ends_with('\n') { "\n" } else { "\n\n" };
        if !added.is_empty() && !loose.ends_with("\n\n") {
            loose.push_str(apart);
        }
        document.set_trailing("");
    }
    for (place, mut table) in there.into_iter().enumerate() {
        let above = table.decor().prefix().and_then(|text| text.as_str()).unwrap_or_default();
        if stale.contains(&place) {
            loose.push_str(general(above));
            continue;
        }
        let above = match (loose.is_empty(), tables.is_empty()) {
            (true, false) => above.to_owned(),
            _ => loose.clone() + above.trim_start_matches(['\r', '\n']),
        };
        loose.clear();
        table.decor_mut().set_prefix(above);
        tables.push(table);
    }
    for (clause, revision, counterexample) in added {
        let mut table = Table::new();
        table["clause"] = value(clause.as_str());
        if let Some(revision) = revision {
            table["revision"] = value(revision.as_str());
        }
        table["reason"] = value(REASON);
        table["counterexample"] = value(counterexample);
        let above = if loose.is_empty() { "\n".to_owned() } else { std::mem::take(&mut loose) };
        table.decor_mut().set_prefix(above);
        tables.push(table);
    }
    if tables.is_empty() {
        loose.push_str(document.trailing().as_str().unwrap_or_default());
        document.set_trailing(loose);
    } else {
        document.insert("expect", Item::ArrayOfTables(tables));
    }
}

/// Of what stands above an entry that which an empty line sets apart from it.
fn general(above: &str) -> &str {
    let mut end = 0;
    let mut at = 0;
    for line in above.split_inclusive('\n') {
        at += line.len();
        if line.trim().is_empty() {
            end = at;
        }
    }
    &above[..end]
}

/// A path as it is written into a file: from the file's folder, with `/` between its parts.
fn relative(path: &Path, file: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (path, file) = (absolute(path), absolute(file));
    let folder = file.parent().unwrap_or(Path::new(""));
    let (own, from) = (parts(&path), parts(folder));
    let common = own.iter().zip(&from).take_while(|(one, other)| one == other).count();
    let up = from[common..].iter().map(|_| "..".to_owned());
    up.chain(own[common..].iter().cloned()).collect::<Vec<_>>().join("/")
}

/// The parts of an absolute path, without those that lead nowhere.
fn parts(path: &Path) -> Vec<String> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain.iter().map(|part| part.to_string_lossy().into_owned()).collect()
}
