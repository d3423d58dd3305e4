//! `tacit diff`.

use std::path::Path;

use tacit_reports::{Colour, Diff, Run, markdown, terminal};
use tacit_suite::Exit;

use super::report::load;
use crate::args::{DiffArgs, DocumentFormat};
use crate::output;
use crate::problem::Problem;

/// Tells what changed from one run to another.
pub fn diff(args: &DiffArgs, colour: Colour) -> Result<Exit, Problem> {
    let diff = Diff::of(&run(&args.old)?, &run(&args.new)?, args.strict);
    match args.format {
        DocumentFormat::Text => {
            output::print(&terminal::diff::render(&diff, &output::options(colour)))?;
        }
        DocumentFormat::Json => output::print_as_json(&diff)?,
        DocumentFormat::Markdown => output::print(&markdown::diff(&diff))?,
    }
    Ok(if diff.worse { Exit::DoesNotConform } else { Exit::Conforms })
}

fn run(path: &Path) -> Result<Run, Problem> {
    let saved = load(path)?;
    Run::of(&saved.events).map_err(|error| Problem::usage(format!("{}: {error}", path.display())))
}
