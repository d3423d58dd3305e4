//! `tacit report`.

use std::path::{Path, PathBuf};

use tacit_contract::Event;
use tacit_reports::{
    Background, Colour, Format, Given, ReportError, Run, Saved, Target, file, site, terminal,
};
use tacit_suite::Exit;
use tacit_suite::merge::{MergeError, merged};

use crate::args::ReportArgs;
use crate::background::background;
use crate::features::features;
use crate::problem::Problem;
use crate::{files, output, places};

/// Stands for the standard output.
const STANDARD_OUTPUT: &str = "-";

/// Renders a saved run again, or the run that several shards are parts of.
///
/// What a run came to was said when it was played. What shards come to together is said here for
/// the first time, so that this ends as a run does.
pub fn report(args: &ReportArgs, colour: Colour) -> Result<Exit, Problem> {
    let reads: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    places::check(&args.to, &reads)?;
    let (paths, mut runs, about) = given(&args.files)?;
    let (run, exit) = match runs.len() {
        0 => return without_run(args, about),
        1 => (runs.remove(0), None),
        _ => put_together(&paths, runs).map(|(run, exit)| (run, Some(exit)))?,
    };
    for target in &args.to {
        write(target, &run, &about)?;
    }
    let asked_for_none = args.to.is_empty() && args.site.is_none();
    if asked_for_none || exit.is_some() && !args.to.iter().any(is_printed) {
        print(&run.events, colour)?;
    }
    if let Some(folder) = &args.site {
        let run = Run::of(&run.events).map_err(|error| Problem::failed_to(&error))?;
        write_site(folder, Some(&run), about)?;
    }
    Ok(exit.unwrap_or(Exit::Conforms))
}

/// The documentation can be had without a run; no report can.
fn without_run(args: &ReportArgs, about: Background) -> Result<Exit, Problem> {
    match &args.site {
        Some(folder) if args.to.is_empty() => {
            write_site(folder, None, about).map(|()| Exit::Conforms)
        }
        _ => Err(Problem::usage("there is no run among the files to make a report of").help(
            "give what `tacit run --report json=FILE` or `--report ndjson=FILE` wrote as well",
        )),
    }
}

/// Writes the site into a folder, and says where to begin. What is there under other names stays.
fn write_site(folder: &Path, run: Option<&Run>, about: Background) -> Result<(), Problem> {
    let about = Background { features: features()?, ..about };
    let files = site::files(run, &about);
    for file in &files {
        file::write(&folder.join(&file.path), &file.text)
            .map_err(|error| Problem::failed_to(&error))?;
    }
    let first = folder.join("index.html");
    output::print(&format!("{} files in the site; it begins at {}\n", files.len(), first.display()))
}

/// Reads a run that was saved.
pub(super) fn load(path: &Path) -> Result<Saved, Problem> {
    let text = files::saved_run(path)?;
    Saved::read(&text)
        .map_err(|error| Problem::usage(format!("{}: failed to {error}", path.display())))
}

/// The runs among the files, with their paths, and what is known beside them.
fn given(files: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<Saved>, Background), Problem> {
    let (mut paths, mut runs, mut about) = (Vec::new(), Vec::new(), background());
    for path in files {
        let given = Given::read(&files::saved_run(path)?)
            .map_err(|error| Problem::usage(format!("{}: failed to {error}", path.display())))?;
        let second = match given {
            Given::Run(run) => {
                paths.push(path.clone());
                runs.push(run);
                None
            }
            Given::Matrix(one) => about.matrix.replace(*one).map(|_| "kill matrix"),
            Given::Table(one) => about.table.replace(*one).map(|_| "comparison"),
        };
        if let Some(what) = second {
            return Err(Problem::usage(format!("{} is the second {what}", path.display()))
                .help("a report shows one: leave out the other"));
        }
    }
    Ok((paths, runs, about))
}

/// The run that these are shards of, and how it ends.
fn put_together(paths: &[PathBuf], runs: Vec<Saved>) -> Result<(Saved, Exit), Problem> {
    let whole = runs.iter().all(|run| run.whole);
    match merged(runs.into_iter().map(|run| run.events).collect()) {
        Ok((events, exit)) => Ok((Saved { events, whole }, exit)),
        Err(MergeError::NoShard { place }) => Err(Problem::usage(format!(
            "cannot make one report of {} files: {} is no shard of a run",
            paths.len(),
            paths[place].display(),
        ))
        .help(
            "call `tacit report` once for each file; what `tacit run --shard K/N` wrote can be \
             put together",
        )),
        Err(error) => Err(Problem::failed_to(&error)),
    }
}

/// Prints the end of a run as the run itself does.
fn print(events: &[Event], colour: Colour) -> Result<(), Problem> {
    let run = Run::of(events).map_err(|error| Problem::failed_to(&ReportError::from(error)))?;
    output::print(&terminal::render(&run, &output::options(colour)))
}

fn write(target: &Target, run: &Saved, about: &Background) -> Result<(), Problem> {
    if target.format == Format::Ndjson && !run.whole {
        return Err(Problem::usage(
            "cannot make a record (`ndjson`) of a report (`json`), which does not hold every event",
        )
        .help("give the file that `tacit run --report ndjson=FILE` wrote"));
    }
    let text =
        target.format.render(&run.events, about).map_err(|error| Problem::failed_to(&error))?;
    if is_printed(target) {
        return output::print(&text);
    }
    file::write(&target.path, &text).map_err(|error| Problem::failed_to(&error))
}

/// Whether a report goes to the standard output.
fn is_printed(target: &Target) -> bool {
    target.path.as_os_str() == STANDARD_OUTPUT
}
