//! `tacit diff`.

use std::path::Path;

use tacit_reports::terminal::{self, Options};
use tacit_reports::{Colour, Diff, Run};
use tacit_suite::Exit;

use super::report::load;
use crate::args::{DiffArgs, Format};
use crate::problem::Problem;
use crate::{output, page};

/// Tells what changed from one run to another.
pub fn diff(args: &DiffArgs, colour: Colour) -> Result<Exit, Problem> {
    let diff = Diff::of(&run(&args.old)?, &run(&args.new)?, args.strict);
    match args.format {
        Format::Text => {
            let colour = output::colours_output(colour);
            let options = Options { colour, width: page::WIDTH, ..Options::default() };
            output::print(&terminal::diff::render(&diff, &options))?;
        }
        Format::Json => output::print_as_json(&diff)?,
    }
    Ok(if diff.worse { Exit::DoesNotConform } else { Exit::Conforms })
}

fn run(path: &Path) -> Result<Run, Problem> {
    let saved = load(path)?;
    Run::of(&saved.events).map_err(|error| Problem::usage(format!("{}: {error}", path.display())))
}
