//! `tacit init`.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use crate::args::{InitArgs, Language};
use crate::output;
use crate::page::hang;
use crate::problem::Problem;

/// A file of a starter: where it goes in the project, and what is in it.
type File = (&'static str, &'static str);

macro_rules! starter {
    ($path:literal) => {
        include_str!(concat!("../../../adapters/starters/", $path))
    };
}

const PROFILE: File = ("my-agent.toml", starter!("my-agent.toml"));
const WORKFLOW: File = (".github/workflows/tacit.yml", starter!("workflow.yml"));

/// What is written for a language, and what is to be done then.
struct Starter {
    files: Vec<File>,
    next: Vec<String>,
}

const NAME: &str = "in my-agent.toml, give your tools the names that your runtime has for them";

impl Starter {
    fn of(language: Language) -> Self {
        match language {
            Language::Rust => Self {
                files: vec![
                    ("tests/tacit.rs", starter!("rust/tacit.rs")),
                    PROFILE,
                    (WORKFLOW.0, starter!("rust/workflow.yml")),
                ],
                next: [
                    "in Cargo.toml, add the test target `tacit` with `harness = false`, and \
                     `tacit-libtest` and `serde_json` under `dev-dependencies`",
                    "`cargo test --test tacit`: it works, and does not conform, for it sends every \
                     tool with every request",
                    "in tests/tacit.rs, put your runtime in the place of `MyAgent`",
                    NAME,
                ]
                .map(str::to_owned)
                .into(),
            },
            Language::Python => Self::adapter(
                ("tacit_adapter.py", starter!("python/tacit_adapter.py")),
                starter!("python/tacit.toml"),
            ),
            Language::Node => Self::adapter(
                ("tacit-adapter.mjs", starter!("node/tacit-adapter.mjs")),
                starter!("node/tacit.toml"),
            ),
        }
    }

    /// An adapter that is a program of its own, and the settings that name it.
    fn adapter(adapter: File, settings: &'static str) -> Self {
        Self {
            files: vec![adapter, ("tacit.toml", settings), PROFILE, WORKFLOW],
            next: vec![
                "`tacit smoke --runtime my-agent`: it works as it stands".to_owned(),
                "`tacit run --runtime my-agent`: it does not conform, for it sends every tool with \
                 every request"
                    .to_owned(),
                format!("in {}, put your runtime in the place of `Session`", adapter.0),
                NAME.to_owned(),
                format!("in {}, say where tacit comes from", WORKFLOW.0),
            ],
        }
    }
}

/// Writes a starter into the current folder. What is there already is never written over.
pub fn init(args: &InitArgs) -> Result<(), Problem> {
    let starter = Starter::of(args.language);
    let there: Vec<&str> = starter
        .files
        .iter()
        .map(|(path, _)| *path)
        .filter(|path| Path::new(path).symlink_metadata().is_ok())
        .collect();
    if !there.is_empty() {
        let problem = format!("there is {} already: nothing was written", there.join(", "));
        return Err(Problem::usage(problem)
            .help("move it away, or begin in an empty folder and take over what you need"));
    }
    let mut text = String::from("written:\n");
    for (path, content) in &starter.files {
        write(Path::new(path), content)?;
        text.push_str(&hang("  ", path));
    }
    text.push_str("\nnext:\n");
    for (number, step) in (1..).zip(&starter.next) {
        text.push_str(&hang(&format!("  {number}  "), step));
    }
    output::print(&text)
}

fn write(path: &Path, content: &str) -> Result<(), Problem> {
    let problem = |error: std::io::Error| {
        Problem::usage(format!("{} could not be written: {error}", path.display()))
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(problem)?;
    }
    // Somebody may have made the file since it was looked for.
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| {
        if error.kind() == ErrorKind::AlreadyExists {
            Problem::usage(format!("{} is there since a moment ago", path.display()))
        } else {
            problem(error)
        }
    })?;
    file.write_all(content.as_bytes()).map_err(problem)
}
