//! What the tests of the binary share.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own to call tacit in, with nothing of the caller's environment that matters.
pub struct Place {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

/// What a command came to.
#[derive(Debug)]
pub struct Done {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Place {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), variables: Vec::new() }
    }

    pub fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// The command, not yet started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tacit"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        for name in ["CI", "NO_COLOR", "COLUMNS", "FORCE_COLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        // No other tacit of the machine stands in for the one under test.
        command.env("PATH", path_without_tacit());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Calls tacit and waits for its end.
    pub fn tacit(&self, arguments: &[&str]) -> Done {
        let output = self.command(arguments).output().unwrap();
        Done {
            code: output.status.code().unwrap_or(-1),
            out: self.redacted(&String::from_utf8(output.stdout).unwrap()),
            err: self.redacted(&String::from_utf8(output.stderr).unwrap()),
        }
    }

    /// Leaves a counterexample of a fault in the corpus, and gives its path without its ending.
    pub fn with_a_counterexample(&self) -> &'static str {
        let done = self.tacit(&[
            "run",
            "--runtime",
            "reference+no-cap",
            "--clause",
            "search.at-most-four",
            "--fail-fast",
            "--cases",
            "32",
            "--jobs",
            "1",
            "--seed",
            "1",
        ]);
        assert_eq!(done.code, 1, "{}{}", done.out, done.err);
        ".tacit/corpus/search-at-most-four-1"
    }

    fn redacted(&self, text: &str) -> String {
        let folder = self.folder.path().display().to_string();
        text.replace(&folder, "FOLDER")
    }
}

fn path_without_tacit() -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let kept = std::env::split_paths(&path).filter(|folder| !folder.join("tacit").exists());
    std::env::join_paths(kept).unwrap()
}

/// Checks a value against a schema.
pub fn assert_fits(schema: &Value, value: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}
