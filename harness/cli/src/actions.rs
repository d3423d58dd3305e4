//! GitHub Actions: what is written there without being asked.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use tacit_reports::{FanOut, annotations, markdown};

use crate::problem::Problem;

/// A step of a workflow.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    /// The file that its job summary is appended to.
    summary: Option<PathBuf>,
}

impl Step {
    /// The step that this process runs in, if it does.
    pub fn look() -> Option<Self> {
        let summary = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty());
        std::env::var_os("GITHUB_ACTIONS")
            .is_some_and(|value| value == "true")
            .then(|| Self { summary: summary.map(PathBuf::from) })
    }

    /// Adds a job summary and annotations to the reports.
    pub fn add_to(self, reporters: &mut FanOut) -> Result<(), Problem> {
        if let Some(path) = self.summary {
            let file = open(&path).map_err(|error| {
                Problem::usage(format!(
                    "cannot append to the job summary {}: {error}",
                    path.display()
                ))
                .help("`--no-ci` writes neither job summary nor annotations")
            })?;
            reporters.add(Box::new(markdown::summary(file)));
        }
        reporters.add(Box::new(annotations::reporter(io::stdout())));
        Ok(())
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}
