//! `--baseline FILE`, and `--update-baseline`.

use std::path::PathBuf;

use tacit_contract::ClauseId;
use tacit_reports::file::ReportFile;
use tacit_suite::baseline::{Baseline, BaselineError, Update, Updated, read};

use crate::files;
use crate::nearest::nearest;
use crate::output;
use crate::page::hang;
use crate::problem::Problem;
use crate::toml_problem::Document;

/// The file of a baseline.
pub struct BaselineFile {
    path: PathBuf,
    text: String,
    /// What it becomes, begun before the run: a path that cannot be written is known by then.
    draft: Option<ReportFile>,
    /// What it says.
    pub baseline: Baseline,
}

impl BaselineFile {
    /// Reads a baseline. One that is to be updated need not be there yet.
    pub fn load(path: PathBuf, updates: bool) -> Result<Self, Problem> {
        let title = format!("baseline {}", path.display());
        let is_there = path.exists();
        let text = if updates && !is_there {
            String::new()
        } else {
            files::configuration(&path, &title).map_err(|problem| {
                if is_there { problem } else { problem.help("`--update-baseline` begins one") }
            })?
        };
        let baseline = read(&path, &text).map_err(|error| {
            let shown = path.display().to_string();
            let document =
                Document { title: &title, kind: "a baseline", path: &shown, text: &text };
            problem(&document, error)
        })?;
        let draft = updates.then(|| ReportFile::create(&path)).transpose();
        let draft = draft.map_err(|error| Problem::failed_to(&error))?;
        Ok(Self { path, text, draft, baseline })
    }

    /// Writes what a run changes in it, and says what that is.
    pub fn update(self, update: &Update) -> Result<(), Problem> {
        let failed = |error: &dyn std::fmt::Display| Problem::failed_to(&error);
        let updated = update.apply(&self.path, &self.text).map_err(|error| failed(&error))?;
        if let Some(mut draft) = self.draft.filter(|_| updated.text != self.text) {
            let written = draft.write(updated.text.as_bytes()).and_then(|()| draft.finish());
            written.map_err(|error| failed(&error))?;
        }
        output::say(&hang("baseline: ", &format!("{}: {}", self.path.display(), told(&updated))));
        Ok(())
    }
}

fn problem(document: &Document<'_>, error: BaselineError) -> Problem {
    let title = format!("{}: {error}", document.title);
    match error {
        BaselineError::Toml { problem, span } => document.problem(&problem, span),
        BaselineError::Entry { advice, span, .. } => {
            Problem::usage(title).at(document.path, document.text, span, advice)
        }
        BaselineError::Unknown { kind, name, known, span } => {
            let label = match nearest(&name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if kind == "clause" => "`tacit list clauses` shows all".to_owned(),
                None => format!("expected one of {}", known.join(", ")),
            };
            Problem::usage(title).at(document.path, document.text, span, label)
        }
    }
}

fn told(updated: &Updated) -> String {
    let parts = [
        ("added ", &updated.added, ": say why in `reason`"),
        ("removed ", &updated.removed, ""),
        ("left out ", &updated.left_out, ", of which no session was kept"),
    ];
    let told = parts.iter().filter(|(_, clauses, _)| !clauses.is_empty());
    let told = told.map(|(what, clauses, more)| {
        let ids: Vec<&str> = clauses.iter().map(ClauseId::as_str).collect();
        format!("{what}{}{more}", ids.join(", "))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { "nothing to change".to_owned() } else { told.join("; ") }
}
