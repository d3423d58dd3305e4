//! `--runtime SPEC`: what is put under test.

use std::path::{Path, PathBuf};

use tacit_contract::Revision;
use tacit_reference::{Switches, faults, variants};
use tacit_suite::{Command, Protocol, Subject};

use crate::nearest::did_you_mean;
use crate::problem::Problem;
use crate::settings::Entry;

/// Reads `reference`, `reference@r2`, `reference+a+b` or `reference@r1+a`, where `a` and `b` are
/// faults or correct variants; `None` for anything else.
pub fn reference(spec: &str, revision: Revision) -> Option<Result<Subject, Problem>> {
    let rest = spec.strip_prefix("reference")?;
    let (at, keys) = match rest.split_once('+') {
        Some((at, keys)) => (at, Some(keys)),
        None => (rest, None),
    };
    let revision = match at.strip_prefix('@') {
        Some(text) => text.parse().map_err(|problem| Problem::usage(format!("{spec}: {problem}"))),
        None if at.is_empty() => Ok(revision),
        None => return None,
    };
    let switches = named_switches(keys.into_iter().flat_map(|keys| keys.split('+')));
    Some(revision.and_then(|revision| Ok(Subject::Reference { revision, switches: switches? })))
}

/// The faults and the correct variants of these keys.
pub fn named_switches<'a>(keys: impl IntoIterator<Item = &'a str>) -> Result<Switches, Problem> {
    Switches::parse(keys).map_err(|unknown| {
        let known = faults::all().map(|fault| fault.key);
        let known = known.chain(variants::all().map(|variant| variant.key));
        let hint = did_you_mean(&unknown.key, known);
        Problem::usage(format!("{unknown}{hint}"))
            .help("`tacit list faults` and `tacit list variants` show all")
    })
}

/// What a program speaks, by what stands before its command.
const SPOKEN: [(&str, Protocol); 2] = [("stdio", Protocol::Adapter), ("nib", Protocol::Nib)];

/// Whether a spec is a command, or no more than what a command speaks.
pub fn is_program(spec: &str) -> bool {
    let how = spec.split(':').next();
    SPOKEN.into_iter().any(|(known, _)| Some(known) == how)
}

/// Reads `stdio:COMMAND ARGS…` or `nib:COMMAND ARGS…`, split as a shell would; `None` for anything
/// else.
pub fn program(spec: &str) -> Option<Result<Subject, Problem>> {
    let (how, line) = spec.split_once(':')?;
    let (_, protocol) = SPOKEN.into_iter().find(|(known, _)| *known == how)?;
    let words = shell_words::split(line)
        .map_err(|error| Problem::usage(format!("`{spec}` is no command: {error}")));
    Some(words.and_then(|mut words| {
        let Some(program) = words.first_mut() else {
            let problem = format!("`{how}:` names no program: expected {how}:COMMAND ARGS…");
            return Err(Problem::usage(problem));
        };
        if program == OURSELVES && !is_on_path(OURSELVES) {
            *program = this_program()?;
        }
        Ok(Subject::Stdio(Command { protocol, words, environment: Vec::new(), directory: None }))
    }))
}

const OURSELVES: &str = "tacit";

fn is_on_path(program: &str) -> bool {
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(&file).is_file())
}

fn this_program() -> Result<String, Problem> {
    let path = std::env::current_exe()
        .map_err(|error| Problem::usage(format!("`{OURSELVES}` is not on the PATH: {error}")))?;
    path.into_os_string().into_string().map_err(|path| {
        Problem::usage(format!("{} is no UTF-8 path: name another program", path.display()))
    })
}

/// A runtime of `tacit.toml`, run in the folder of that file.
pub fn entry(entry: &Entry, folder: &Path) -> Result<Subject, Problem> {
    let mut words = entry.command.clone();
    if let Some(program) = words.first_mut() {
        if let Some(path) = as_path(program, folder) {
            *program = path.into_os_string().into_string().map_err(|path| {
                Problem::usage(format!("{} is no UTF-8 path: move the folder", path.display()))
            })?;
        } else if program == OURSELVES && !is_on_path(OURSELVES) {
            *program = this_program()?;
        }
    }
    let environment = entry.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    Ok(Subject::Stdio(Command {
        protocol: entry.protocol,
        words,
        environment,
        directory: Some(folder.to_owned()),
    }))
}

/// What to do about a runtime of `tacit.toml` whose program is not there.
pub fn missing(name: &str, entry: &Entry, folder: &Path) -> Option<String> {
    let program = entry.command.first()?;
    if as_path(program, folder)?.exists() {
        return None;
    }
    let advice = if folder.join("scripts/setup").is_file() {
        "run `scripts/setup` there to install it"
    } else {
        "install it, or correct its `command` in tacit.toml"
    };
    Some(format!(
        "{name} is not installed: there is no {program} in {}; {advice}",
        folder.display()
    ))
}

/// A program that is named by a path, not by a name to look up. Systems differ on where a
/// relative one begins when the child has a folder of its own, so it is made absolute.
fn as_path(program: &str, folder: &Path) -> Option<PathBuf> {
    program.contains(['/', std::path::MAIN_SEPARATOR]).then(|| folder.join(program))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn revision_and_faults(spec: &str) -> Result<(Revision, String), String> {
        match reference(spec, Revision::R3) {
            Some(Ok(Subject::Reference { revision, switches })) => {
                Ok((revision, format!("{switches:?}")))
            }
            Some(Err(problem)) => Err(problem.to_string()),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn the_reference_has_a_revision_and_faults() {
        for (spec, revision, faults) in [
            ("reference", Revision::R3, "{}"),
            ("reference@r2", Revision::R2, "{}"),
            ("reference+no-cap", Revision::R3, "{\"no-cap\"}"),
            ("reference@r1+no-cap+schema-flood", Revision::R1, "{\"schema-flood\", \"no-cap\"}"),
        ] {
            assert_eq!(revision_and_faults(spec), Ok((revision, faults.to_owned())), "{spec}");
        }
    }

    #[test]
    fn a_fault_or_a_revision_that_there_is_not_is_an_error() {
        assert!(revision_and_faults("reference@r9").unwrap_err().contains("r1, r2 or r3"));
        let error = revision_and_faults("reference+no-cpa").unwrap_err();
        assert!(error.contains("did you mean `no-cap`?"), "{error}");
        assert!(revision_and_faults("reference+").is_err());
        assert!(reference("reference-like", Revision::R3).is_none());
    }

    #[test]
    fn a_command_is_split_as_a_shell_would_and_run_without_one() {
        for (how, protocol) in SPOKEN {
            let spec = |line: &str| program(&format!("{how}:{line}"));
            let Some(Ok(Subject::Stdio(command))) = spec("'my program' --name \"a b\" $HOME")
            else {
                panic!("it is a command");
            };
            assert_eq!(command.words, ["my program", "--name", "a b", "$HOME"]);
            assert_eq!(command.protocol, protocol);
            assert!(spec("").is_some_and(|subject| subject.is_err()));
            assert!(spec("'open").is_some_and(|subject| subject.is_err()));
        }
        assert!(program("other").is_none());
        assert!(program("other:command").is_none());
    }

    #[test]
    fn a_program_with_a_path_begins_at_the_folder_of_the_file() {
        let command = vec!["bin/run".to_owned(), "bin/other".to_owned()];
        let of = |command| Entry {
            command,
            protocol: Protocol::Nib,
            env: BTreeMap::new(),
            profile: None,
            timeout: None,
            start_timeout: None,
            memory: None,
        };
        let words = |command| match entry(&of(command), Path::new("/project")) {
            Ok(Subject::Stdio(command)) if command.protocol == Protocol::Nib => command.words,
            other => panic!("{other:?}"),
        };
        assert_eq!(words(command.clone()), ["/project/bin/run", "bin/other"]);
        assert_eq!(words(vec!["python3".to_owned()]), ["python3"]);
        let advice = missing("mine", &of(command), Path::new("/project")).unwrap();
        assert!(advice.starts_with("mine is not installed: there is no bin/run in /project"));
        assert_eq!(missing("mine", &of(vec!["python3".to_owned()]), Path::new("/project")), None);
    }
}
