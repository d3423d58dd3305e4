//! What the tests of the binary share.

#![allow(dead_code, reason = "each test file uses a part of this")]

pub mod published;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// Limits that a sound runtime does not reach on a machine that has much else to do.
pub const PATIENT: [&str; 4] = ["--timeout", "2m", "--start-timeout", "2m"];

/// Long after every run here has ended, on a slow machine as well.
const END: Duration = Duration::from_mins(5);

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
        for name in [
            "CI",
            "GITHUB_ACTIONS",
            "GITHUB_STEP_SUMMARY",
            "NO_COLOR",
            "COLUMNS",
            "FORCE_COLOR",
            "CLICOLOR_FORCE",
        ] {
            command.env_remove(name);
        }
        // No other tacit of the machine stands in for the one under test.
        command.env("PATH", path_without_tacit());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Calls tacit and waits for its end.
    pub fn tacit(&self, arguments: &[&str]) -> Done {
        self.done(&self.command(arguments).output().unwrap())
    }

    /// The same for a run that a bad runtime could keep from ending.
    pub fn tacit_to_its_end(&self, arguments: &[&str]) -> Done {
        let mut command = self.command(arguments);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let id = child.id().to_string();
        let (done, awaited) = channel();
        std::thread::spawn(move || done.send(child.wait_with_output()));
        let output = awaited.recv_timeout(END).unwrap_or_else(|_| {
            // It ends its runtimes when it is told to stop, and not when it is killed.
            let _ = Command::new("kill").args(["-INT", &id]).status();
            panic!("the run does not end: {arguments:?}")
        });
        self.done(&output.unwrap())
    }

    fn done(&self, output: &Output) -> Done {
        let text = |bytes: &[u8]| self.redacted(std::str::from_utf8(bytes).unwrap());
        Done {
            code: output.status.code().unwrap_or(-1),
            out: text(&output.stdout),
            err: text(&output.stderr),
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

/// Checks that no process runs with this in its command line. One that ended and that nobody has
/// asked about has no command line any more.
#[cfg(target_os = "linux")]
pub fn assert_nothing_runs(marker: &str) {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let left: Vec<String> = processes
        .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(marker))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Elsewhere there is no `/proc` to look into.
#[cfg(not(target_os = "linux"))]
pub fn assert_nothing_runs(_marker: &str) {}
