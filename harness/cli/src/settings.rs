//! `tacit.toml`: the runtimes of a project, and what a run of it does by default.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Deserializer};
use tacit_suite::Protocol;

use crate::defaults::Defaults;
use crate::files;
use crate::problem::Problem;
use crate::toml_problem::Document;
use crate::toml_value;

/// The name of the file.
pub const NAME: &str = "tacit.toml";

/// What a project keeps in its `tacit.toml`.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder of the file: commands and paths in it begin there.
    pub folder: PathBuf,
    /// The file, as it is shown.
    pub file: String,
    /// The runtimes by name.
    pub runtimes: BTreeMap<String, Entry>,
    /// What a run does where no flag says otherwise.
    pub run: Defaults,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    #[serde(default)]
    runtimes: BTreeMap<String, Entry>,
    #[serde(default)]
    run: Defaults,
}

/// One `[runtimes.NAME]`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Entry {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What it speaks.
    #[serde(default, deserialize_with = "protocol")]
    pub protocol: Protocol,
    /// Environment variables that it gets beside the caller's.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The profile that it is held to.
    #[serde(default)]
    pub profile: Option<String>,
    /// How long one step may take.
    #[serde(default, deserialize_with = "toml_value::duration")]
    pub timeout: Option<Duration>,
    /// How long it may take to start.
    #[serde(default, deserialize_with = "toml_value::duration")]
    pub start_timeout: Option<Duration>,
    /// How much memory each of its processes may take, in bytes.
    #[serde(default, deserialize_with = "toml_value::memory")]
    pub memory: Option<u64>,
}

fn protocol<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Protocol, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "adapter" => Ok(Protocol::Adapter),
        "nib" => Ok(Protocol::Nib),
        other => {
            let problem = format!("`{other}` is no protocol: expected adapter or nib");
            Err(serde::de::Error::custom(problem))
        }
    }
}

impl Settings {
    /// The settings of the nearest folder that has some, from a folder upwards.
    pub fn find(from: &Path) -> Result<Option<Self>, Problem> {
        let Some(folder) = from.ancestors().find(|folder| folder.join(NAME).exists()) else {
            return Ok(None);
        };
        let path = folder.join(NAME);
        let file = if folder == from { NAME.to_owned() } else { path.display().to_string() };
        let text = files::configuration(&path, &file)?;
        let document = Document { title: &file, kind: "tacit.toml", path: &file, text: &text };
        let whole: Whole = toml::from_str(&text)
            .map_err(|error| document.problem(error.message(), error.span()))?;
        for (name, entry) in &whole.runtimes {
            if let Some(problem) = entry.problem(name) {
                return Err(document.problem(&problem, None));
            }
        }
        let Whole { runtimes, run } = whole;
        Ok(Some(Self { folder: folder.to_owned(), file, runtimes, run }))
    }

    /// The names of the runtimes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.runtimes.keys().map(String::as_str)
    }
}

impl Entry {
    fn problem(&self, name: &str) -> Option<String> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name == "reference" || !name.chars().all(plain) {
            return Some(format!(
                "`runtimes.\"{name}\"` cannot be asked for by that name: expected letters, \
                 digits, `-`, `_` and `.`, and not `reference`, which is built in"
            ));
        }
        let program = self.command.first();
        if program.is_none_or(|program| program.trim().is_empty()) {
            return Some(format!(
                "`runtimes.{name}.command` is empty: expected the program and its arguments"
            ));
        }
        let odd = |name: &String| name.is_empty() || name.contains(['=', '\0']);
        self.env.keys().find(|name| odd(name)).map(|variable| {
            format!("`runtimes.{name}.env` has `{variable}`, which is no name of a variable")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Result<Option<Settings>, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(NAME), text).unwrap();
        Settings::find(folder.path()).map_err(|problem| problem.render(false))
    }

    #[test]
    fn the_nearest_folder_with_a_file_counts() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("a/b");
        std::fs::create_dir_all(&below).unwrap();
        std::fs::write(folder.path().join(NAME), "[runtimes.far]\ncommand = [\"x\"]\n").unwrap();
        let found = Settings::find(&below).unwrap().unwrap();
        assert_eq!(found.folder, folder.path());
        assert_eq!(found.names().collect::<Vec<_>>(), ["far"]);
        std::fs::write(below.join(NAME), "[runtimes.near]\ncommand = [\"x\"]\n").unwrap();
        let found = Settings::find(&below).unwrap().unwrap();
        assert_eq!(found.names().collect::<Vec<_>>(), ["near"]);
    }

    #[test]
    fn every_key_of_a_runtime_is_read() {
        let text = "[runtimes.mine]\ncommand = [\"python3\", \"a b.py\"]\nenv = { A = \"1\" }\n\
                    profile = \"p.toml\"\ntimeout = \"2s\"\nstart-timeout = \"1m\"\n\
                    protocol = \"nib\"\nmemory = \"1GiB\"\n";
        let settings = settings(text).unwrap().unwrap();
        let entry = &settings.runtimes["mine"];
        assert_eq!(entry.command, ["python3", "a b.py"]);
        assert_eq!(entry.env["A"], "1");
        assert_eq!(entry.profile.as_deref(), Some("p.toml"));
        assert_eq!(entry.timeout, Some(Duration::from_secs(2)));
        assert_eq!(entry.start_timeout, Some(Duration::from_mins(1)));
        assert_eq!(entry.protocol, Protocol::Nib);
        assert_eq!(entry.memory, Some(1 << 30));
    }

    #[test]
    fn what_cannot_be_meant_is_an_error_that_says_what_was_expected() {
        for (text, expected) in [
            ("[runtimes.a]\ncomand = [\"x\"]\n", "did you mean `command`?"),
            ("[runtime.a]\ncommand = [\"x\"]\n", "did you mean `runtimes`?"),
            ("[run]\ntime-buget = \"60s\"\n", "did you mean `time-budget`?"),
            ("[run]\nreport = [\"pdf=x\"]\n", "`pdf` is no format of a report"),
            ("[run]\njobs = 0\n", "expected a number from 1 to 256, found 0"),
            ("[run]\njobs = \"2\"\n", "expected a number from 1 to 256, found a string"),
            ("[run]\ncases = -1\n", "found -1"),
            ("[runtimes.a]\ncommand = []\n", "expected the program and its arguments"),
            ("[runtimes.a]\ncommand = \"x y\"\n", "expected a sequence"),
            ("[runtimes.a]\ncommand = [\"x\"]\ntimeout = \"10\"\n", "500ms, 10s or 2m"),
            ("[runtimes.reference]\ncommand = [\"x\"]\n", "which is built in"),
            ("[runtimes.\"a b\"]\ncommand = [\"x\"]\n", "by that name"),
            ("[runtimes.a]\ncommand = [\"x\"]\nenv = { \"A=B\" = \"1\" }\n", "no name of a"),
            ("[runtimes.a]\ncommand = [\"x\"]\nprotocol = \"http\"\n", "expected adapter or nib"),
            ("[runtimes.a\n", "tacit.toml:1"),
        ] {
            let error = settings(text).unwrap_err();
            let flat = error.replace('\n', " ").split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(flat.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_file_that_nests_without_end_is_an_error() {
        let error = settings(&format!("a = {}", "[".repeat(100_000))).unwrap_err();
        assert!(error.contains("tacit.toml"), "{error}");
    }
}
