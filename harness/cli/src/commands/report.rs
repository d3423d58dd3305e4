//! `tacit report`.

use std::path::Path;

use tacit_contract::Event;
use tacit_reports::{Format, Saved, Target, file};

use super::check_targets;
use crate::args::ReportArgs;
use crate::problem::Problem;
use crate::{files, output};

/// Stands for the standard output.
const STANDARD_OUTPUT: &str = "-";

/// Renders the reports of a saved run.
pub fn report(args: &ReportArgs) -> Result<(), Problem> {
    check_targets(&args.to)?;
    let runs = args.files.iter().map(|path| load(path)).collect::<Result<_, _>>()?;
    let run = merged(runs)?;
    for target in &args.to {
        write(target, &run)?;
    }
    Ok(())
}

fn load(path: &Path) -> Result<Saved, Problem> {
    let text = files::saved_run(path)?;
    Saved::read(&text)
        .map_err(|error| Problem::usage(format!("{}: failed to {error}", path.display())))
}

/// One run of several that were saved.
fn merged(runs: Vec<Saved>) -> Result<Saved, Problem> {
    let count = runs.len();
    let mut runs = runs.into_iter();
    match (runs.next(), runs.next()) {
        (Some(run), None) => Ok(run),
        _ => Err(Problem::usage(format!(
            "cannot make one report of {count} files: files of several runs cannot be merged \
             unless they are shards of one run, and none of these is a shard"
        ))
        .help("call `tacit report` once for each file")),
    }
}

fn write(target: &Target, run: &Saved) -> Result<(), Problem> {
    if target.format == Format::Ndjson && !run.whole {
        return Err(Problem::usage(
            "cannot make a record (`ndjson`) of a report (`json`), which does not hold every event",
        )
        .help("give the file that `tacit run --report ndjson=FILE` wrote"));
    }
    let text = rendered(target.format, &run.events)?;
    if target.path.as_os_str() == STANDARD_OUTPUT {
        return output::print(&text);
    }
    file::write(&target.path, &text).map_err(|error| Problem::usage(format!("failed to {error}")))
}

fn rendered(format: Format, events: &[Event]) -> Result<String, Problem> {
    format.render(events).map_err(|error| Problem::usage(format!("failed to {error}")))
}
