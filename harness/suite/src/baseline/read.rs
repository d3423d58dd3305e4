//! Reading a baseline: what is wrong with it, and where.

use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use tacit_contract::baseline::Expectation;
use tacit_contract::clause::{clause, clauses};
use tacit_contract::protocol::Api;
use tacit_contract::{ClauseId, Day, Level, Revision};
use thiserror::Error;
use toml::{Spanned, Value};

use super::Baseline;
use crate::corpus::{self, Kept};
use crate::replay::restart_whole;

/// A baseline that cannot be used: what is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BaselineError {
    /// It is no TOML, or holds what no baseline holds.
    #[error("{problem}")]
    Toml {
        /// What the reader says.
        problem: String,
        /// Where in the text, in bytes.
        span: Option<Range<usize>>,
    },
    /// An entry says what no entry may say.
    #[error("{problem}")]
    Entry {
        /// What was found.
        problem: String,
        /// What to do about it.
        advice: String,
        /// Where in the text, in bytes.
        span: Range<usize>,
    },
    /// A name that there is not.
    #[error("there is no {kind} `{name}`")]
    Unknown {
        /// What it should name.
        kind: &'static str,
        /// What it says.
        name: String,
        /// What it could say.
        known: Vec<&'static str>,
        /// Where in the text, in bytes.
        span: Range<usize>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    expect: Vec<Spanned<Raw>>,
}

/// An entry as it is written. What must be there is looked for afterwards, to be able to say where
/// it is missing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    clause: Option<Spanned<String>>,
    api: Option<Spanned<String>>,
    reason: Option<Spanned<String>>,
    issue: Option<String>,
    until: Option<Spanned<Value>>,
    revision: Option<Spanned<String>>,
    counterexample: Option<Spanned<String>>,
}

/// Reads a baseline from its text; `file` is its path, and the paths in it begin at its folder.
///
/// # Errors
/// It is no baseline, names what there is not, lists one thing twice, or a counterexample cannot
/// be read or shows something else.
pub fn read(file: &Path, text: &str) -> Result<Baseline, BaselineError> {
    let raw: File = toml::from_str(text).map_err(|error| unreadable(&error))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut entries: Vec<(Expectation, Kept)> = Vec::new();
    for raw in raw.expect {
        let span = header(text, raw.span());
        let (entry, kept) = entry(raw.into_inner(), &span, text, folder)?;
        let same = |(other, _): &&(Expectation, Kept)| {
            (&other.clause, other.api, other.revision) == (&entry.clause, entry.api, entry.revision)
        };
        if let Some((other, _)) = entries.iter().find(same) {
            return Err(BaselineError::Entry {
                problem: format!("`{}` is listed twice", entry.clause),
                advice: format!("line {} lists the same: keep one of them", other.line),
                span,
            });
        }
        entries.push((entry, kept));
    }
    Ok(Baseline { file: file.display().to_string(), entries })
}

fn unreadable(error: &toml::de::Error) -> BaselineError {
    let problem = error.message().to_owned();
    match error.span() {
        // There is no other list in it.
        Some(span) if problem.ends_with("expected a sequence") => BaselineError::Entry {
            problem: "`expect` is no list".to_owned(),
            advice: "expected `[[expect]]` above each entry".to_owned(),
            span,
        },
        span => BaselineError::Toml { problem, span },
    }
}

/// The first line of an entry.
fn header(text: &str, span: Range<usize>) -> Range<usize> {
    let whole = text.get(span.clone()).unwrap_or_default();
    span.start..span.start + whole.find('\n').unwrap_or(whole.len())
}

fn entry(
    raw: Raw,
    header: &Range<usize>,
    text: &str,
    folder: &Path,
) -> Result<(Expectation, Kept), BaselineError> {
    let missing = |key: &str, what: &str| BaselineError::Entry {
        problem: format!("this entry has no `{key}`"),
        advice: format!("expected `{key} = \"…\"`, {what}"),
        span: header.clone(),
    };
    let id = raw.clause.ok_or_else(|| missing("clause", "the clause that is broken"))?;
    let reason = raw.reason.filter(|reason| !reason.get_ref().trim().is_empty());
    let reason = reason.ok_or_else(|| missing("reason", "why that is expected"))?;
    let path = raw.counterexample;
    let path = path.ok_or_else(|| missing("counterexample", "the session that shows it"))?;
    let clause = known_clause(&id)?;
    let api = raw.api.map(|name| one_of("API", &name, &Api::ALL, Api::as_str)).transpose()?;
    let revision = raw.revision.as_ref();
    let revision = revision
        .map(|name| one_of("revision", name, &Revision::ALL, Revision::as_str))
        .transpose()?;
    let until = raw.until.map(|date| day(&date)).transpose()?;
    let kept = kept(&path, folder, &clause, api)?;
    let entry = Expectation {
        clause,
        api,
        reason: reason.into_inner(),
        issue: raw.issue,
        until,
        revision,
        counterexample: kept.path.display().to_string(),
        line: text.get(..header.start).unwrap_or_default().matches('\n').count() + 1,
    };
    Ok((entry, kept))
}

fn known_clause(id: &Spanned<String>) -> Result<ClauseId, BaselineError> {
    let name = id.get_ref().as_str();
    match clause(name) {
        None => Err(BaselineError::Unknown {
            kind: "clause",
            name: name.to_owned(),
            known: clauses().iter().map(|clause| clause.id.as_str()).collect(),
            span: id.span(),
        }),
        Some(clause) if clause.level == Level::Info => Err(BaselineError::Entry {
            problem: format!("`{name}` is measured, and never broken"),
            advice: "remove the entry".to_owned(),
            span: id.span(),
        }),
        Some(clause) => Ok(clause.id.clone()),
    }
}

fn one_of<T: Copy>(
    kind: &'static str,
    name: &Spanned<String>,
    all: &[T],
    as_str: fn(T) -> &'static str,
) -> Result<T, BaselineError> {
    let found = all.iter().copied().find(|one| as_str(*one) == name.get_ref());
    found.ok_or_else(|| BaselineError::Unknown {
        kind,
        name: name.get_ref().clone(),
        known: all.iter().map(|one| as_str(*one)).collect(),
        span: name.span(),
    })
}

/// A date, as text or as TOML has it.
fn day(date: &Spanned<Value>) -> Result<Day, BaselineError> {
    let text = match date.get_ref() {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    text.parse().map_err(|_| BaselineError::Entry {
        problem: format!("`until` is `{text}`, which is no date"),
        advice: "expected the last day, such as 2027-01-31".to_owned(),
        span: date.span(),
    })
}

/// The counterexample, which has to be about what the entry is about.
fn kept(
    path: &Spanned<String>,
    folder: &Path,
    clause: &ClauseId,
    api: Option<Api>,
) -> Result<Kept, BaselineError> {
    let wrong = |problem: String, advice: &str| BaselineError::Entry {
        problem,
        advice: advice.to_owned(),
        span: path.span(),
    };
    let mut kept = corpus::read(&folder.join(path.get_ref()))
        .map_err(|error| wrong(error.to_string(), "paths begin at this file's folder"))?;
    if !kept.clauses.contains(clause) {
        let others: Vec<&str> = kept.clauses.iter().map(ClauseId::as_str).collect();
        let problem = format!("`{}` shows {}, not {clause}", path.get_ref(), others.join(", "));
        return Err(wrong(problem, "expected one that breaks it"));
    }
    let own = kept.case.session.provider.api;
    if let Some(api) = api.filter(|api| *api != own) {
        let problem =
            format!("`{}` begins over {}, not {}", path.get_ref(), own.as_str(), api.as_str());
        return Err(wrong(problem, "expected one over that API"));
    }
    restart_whole(&mut kept.case);
    Ok(kept)
}
