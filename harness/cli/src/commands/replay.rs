//! `tacit replay`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tacit_contract::ClauseId;
use tacit_contract::clause::clause;
use tacit_contract::profile::built_in;
use tacit_reports::Detail;
use tacit_reports::file::ReportFile;
use tacit_reports::terminal::{Options, Tale};
use tacit_suite::Exit;
use tacit_suite::corpus;
use tacit_suite::replay::{Replay, Replayed};

use super::no_verdict;
use crate::args::{Format, ReplayArgs, SubjectArgs};
use crate::choice::{Choice, Surroundings};
use crate::page::{WIDTH, clean, hang};
use crate::problem::Problem;
use crate::{config, files, interrupt, output, places, profile, runtime};

/// Plays saved counterexamples again.
pub fn replay(args: &ReplayArgs) -> Result<Exit, Problem> {
    let around = Surroundings::look()?;
    let files = saved(&args.files)?;
    if let Some(traces) = &args.traces {
        let reads: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        places::check_file("what is seen", traces, &reads)?;
    }
    let groups = groups(&files, args, &around)?;
    let traces = args.traces.as_deref().map(ReportFile::create).transpose();
    let traces = traces.map_err(|error| Problem::failed_to(&error))?;
    interrupt::listen(interrupt::First::Ends);
    let (mut replays, mut exit, mut advice) = (Vec::new(), Exit::Conforms, None);
    let mut by_default = "";
    for group in groups {
        let subject = SubjectArgs { runtime: group.runtime.clone(), ..args.subject.clone() };
        let choice =
            around.choose(&subject, &group.profile).map_err(|problem| group.says(problem))?;
        advice = choice.advice();
        if choice.by_default {
            by_default = output::BY_DEFAULT;
        }
        let runtime = choice.spec.clone();
        let (more, worst) = tacit_suite::replay::replay(config::plain(choice), &group.paths)
            .map_err(|error| no_verdict(&error))?;
        let by_file = group.by_file;
        replays.extend(more.into_iter().map(|replay| On {
            runtime: runtime.clone(),
            by_file,
            replay,
        }));
        exit = exit.worse(worst);
    }
    if let Some(file) = traces {
        write(file, &replays)?;
    }
    match args.format {
        Format::Text => output::print(&format!("{by_default}{}{by_default}", text(&replays)))?,
        Format::Json => output::print_json(&value(&replays, exit))?,
    }
    Choice::advise(advice.as_deref(), exit);
    Ok(exit)
}

/// Writes what was seen, a trace a line.
fn write(mut file: ReportFile, replays: &[On]) -> Result<(), Problem> {
    for trace in replays.iter().flat_map(|on| &on.replay.traces) {
        let line = serde_json::to_string(trace)
            .map_err(|error| Problem::new(Exit::OwnFault, error.to_string()))?;
        file.write(format!("{line}\n").as_bytes()).map_err(|error| Problem::failed_to(&error))?;
    }
    file.finish().map_err(|error| Problem::failed_to(&error))
}

/// What was played again, and on which runtime.
struct On {
    /// How the runtime was asked for.
    runtime: String,
    /// Whether the file alone says that it is this one.
    by_file: bool,
    replay: Replay,
}

/// Files that are played on one runtime under one profile.
struct Group {
    /// The runtime, where a flag or the files name one.
    runtime: Option<String>,
    /// Whether it is the files that do.
    by_file: bool,
    profile: String,
    paths: Vec<PathBuf>,
}

impl Group {
    /// A runtime that only a file names is no slip of the hand: the problem says where it comes
    /// from.
    fn says(&self, problem: Problem) -> Problem {
        match self.paths.first() {
            Some(path) if self.by_file => problem.of(&path.display().to_string()),
            _ => problem,
        }
    }
}

/// The files that are meant, in the order in which they were named: of a folder all that are in
/// it, and of two files that are one session as data and as a scenario the first alone.
fn saved(named: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let mut all: Vec<PathBuf> = Vec::new();
    for path in named {
        let files = if path.is_dir() { files::sessions(path)? } else { vec![path.clone()] };
        for file in files {
            if !all.iter().any(|known| known.with_extension("") == file.with_extension("")) {
                all.push(file);
            }
        }
    }
    Ok(all)
}

/// The files in the order in which they were named, those together that follow each other and
/// are played on one runtime under one profile.
fn groups(
    paths: &[PathBuf],
    args: &ReplayArgs,
    around: &Surroundings,
) -> Result<Vec<Group>, Problem> {
    let mut groups: Vec<Group> = Vec::new();
    for path in paths {
        files::check_session(path)?;
        let kept = corpus::read(path).map_err(|error| Problem::usage(error.to_string()))?;
        let runtime = match &args.subject.runtime {
            Some(runtime) => Some(runtime.clone()),
            None => of_file(path, &kept, around)?,
        };
        let by_file = args.subject.runtime.is_none() && runtime.is_some();
        let profile = kept.profile.unwrap_or_else(|| profile::DEFAULT.to_owned());
        // A profile from a file is known by its id alone: that has to be named again, unless the
        // entry of tacit.toml does.
        let says = args.subject.profile.is_some() || around.names_a_profile(runtime.as_deref());
        if !says && built_in(&profile).is_none() {
            return Err(Problem::usage(format!(
                "{} was found under profile `{profile}`, which is not built in: name its file with \
                 `--profile`",
                path.display()
            )));
        }
        match groups.last_mut() {
            Some(last) if (&last.runtime, &last.profile) == (&runtime, &profile) => {
                last.paths.push(path.clone());
            }
            _ => groups.push(Group { runtime, by_file, profile, paths: vec![path.clone()] }),
        }
    }
    Ok(groups)
}

/// The runtime that a file names, on which it was found.
///
/// A name of tacit.toml and the reference are taken as they are. A command is not: files go from
/// hand to hand, and one that is merely looked at must not choose what is run.
fn of_file(
    path: &Path,
    kept: &corpus::Kept,
    around: &Surroundings,
) -> Result<Option<String>, Problem> {
    let path = path.display();
    let found_on = kept.found_on.as_deref().unwrap_or("another runtime");
    let unsaid = match &kept.spec {
        Some(spec) if runtime::is_program(spec) => "a file does not choose which command is run",
        Some(spec) => return Ok(Some(spec.clone())),
        None if kept.found_on.is_some() && around.has_no_runtime()? => {
            "it does not say how that is started"
        }
        None => return Ok(None),
    };
    Err(Problem::usage(format!("{path} was found on {found_on}, and {unsaid}"))
        .help(format!("name the runtime: `tacit replay --runtime SPEC {path}`")))
}

fn outcome(result: &Replayed) -> (&'static str, &'static str) {
    match result {
        Replayed::StillFails { .. } => ("still fails", "stillFails"),
        Replayed::Fixed => ("fixed", "fixed"),
        Replayed::NotExercised => ("not exercised", "notExercised"),
        Replayed::NotClaimed => ("not claimed", "notClaimed"),
        Replayed::NotApplicable { .. } => ("not applicable", "notApplicable"),
        Replayed::Error { .. } => ("error", "error"),
    }
}

fn text(replays: &[On]) -> String {
    let mut text = String::new();
    let mut last = None;
    for On { runtime, by_file, replay } in replays {
        if *by_file && last != Some(runtime) {
            text.push_str(&hang("on ", &clean(&format!("{runtime}, which the file names:"))));
        }
        last = Some(runtime);
        let (words, _) = outcome(&replay.result);
        let _ = writeln!(text, "{words:13}  {}", clean(&replay.path.display().to_string()));
        match &replay.result {
            Replayed::StillFails { breach, story, timeline } => {
                // What the clause asks for stands beside the step that breaks it.
                let _ = writeln!(text, "  {}", breach.clause);
                let options =
                    Options { detail: Detail::Verbose, width: WIDTH, ..Options::default() };
                text.push_str(&Tale { story, timeline, breach }.render("  ", &options));
                continue;
            }
            _ => text.push_str(&sentences(&replay.clauses)),
        }
        match &replay.result {
            Replayed::NotExercised => text.push_str(
                "  the session does not reach what the clause is about: nothing is shown\n",
            ),
            Replayed::NotClaimed => text.push_str("  the profile does not claim the clause\n"),
            Replayed::NotApplicable { reason: cause } | Replayed::Error { cause } => {
                text.push_str(&hang("  ", &clean(cause)));
            }
            Replayed::Fixed | Replayed::StillFails { .. } => {}
        }
    }
    let failing = |on: &&On| matches!(on.replay.result, Replayed::StillFails { .. });
    let fixed = |on: &&On| on.replay.result == Replayed::Fixed;
    let (all, failing, fixed) = (
        replays.len(),
        replays.iter().filter(failing).count(),
        replays.iter().filter(fixed).count(),
    );
    let fail = if failing == 1 { "fails" } else { "fail" };
    let _ = write!(text, "\nof {all}: {failing} still {fail}, {fixed} fixed");
    if failing + fixed < all {
        let _ = write!(text, ", {} without a verdict", all - failing - fixed);
    }
    text.push('\n');
    text
}

fn sentences(clauses: &[ClauseId]) -> String {
    let line = |id: &ClauseId| {
        let sentence = clause(id.as_str()).map(|clause| clause.sentence.as_str());
        hang(&format!("  {id}: "), sentence.unwrap_or_default())
    };
    clauses.iter().map(line).collect()
}

fn value(replays: &[On], exit: Exit) -> Value {
    let replays: Vec<Value> = replays
        .iter()
        .map(|On { runtime, replay, .. }| {
            let mut value = json!({
                "path": replay.path.display().to_string(),
                "runtime": runtime,
                "clauses": replay.clauses,
                "result": outcome(&replay.result).1,
            });
            match &replay.result {
                Replayed::StillFails { breach, story, timeline } => {
                    value["breaks"] = json!(breach.clause);
                    value["found"] = json!(breach.found);
                    value["story"] = json!(story);
                    value["timeline"] = json!(timeline);
                }
                Replayed::Error { cause } => value["cause"] = json!(cause),
                _ => {}
            }
            value
        })
        .collect();
    json!({"replays": replays, "exitCode": exit.code()})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_that_is_named_twice_is_played_once() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["b-1.json", "b-1.feature", "a-1.feature", "b-2.json", "notes.txt"] {
            std::fs::write(at(name), "").unwrap();
        }
        let in_the_folder = [at("a-1.feature"), at("b-1.json"), at("b-2.json")];
        assert_eq!(saved(&[folder.path().to_owned()]).unwrap(), in_the_folder);
        let by_hand = [at("b-1.feature"), at("b-1.json"), folder.path().to_owned()];
        let each_once = [at("b-1.feature"), at("a-1.feature"), at("b-2.json")];
        assert_eq!(saved(&by_hand).unwrap(), each_once);
    }

    #[test]
    fn a_folder_without_sessions_is_an_error_and_not_a_pass() {
        let folder = tempfile::tempdir().unwrap();
        let error = saved(&[folder.path().to_owned()]).unwrap_err().to_string();
        assert!(error.contains("holds no saved session"), "{error}");
    }
}
