//! The commands.

mod check;
mod compare;
mod diff;
mod explain;
mod init;
mod list;
mod manual;
mod replay;
mod report;
mod revisions;
mod run;
mod schema;
mod selftest;
mod serve;
mod smoke;

use std::path::Path;

use tacit_contract::Event;
use tacit_reports::{Colour, FanOut, Progress, Reporter, Target};
use tacit_suite::Exit;
use tacit_suite::error::RunError;

use crate::args::{Command, ProgressArgs, When};
use crate::background::background;
use crate::places;
use crate::problem::Problem;

/// Does what was asked for.
pub fn perform(command: Command, colour: Colour) -> Result<Exit, Problem> {
    match command {
        Command::Run(args) => run::run(*args, colour),
        Command::Smoke(args) => smoke::smoke(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Revisions(args) => revisions::revisions(&args),
        Command::Report(args) => report::report(&args, colour),
        Command::Diff(args) => diff::diff(&args, colour),
        Command::Replay(args) => replay::replay(&args),
        Command::Check(args) => check::check(&args, colour),
        Command::Selftest(args) => selftest::selftest(&args, colour),
        Command::List(args) => list::list(&args).map(|()| Exit::Conforms),
        Command::Explain(args) => explain::explain(&args).map(|()| Exit::Conforms),
        Command::Schema(args) => schema::schema(args.name).map(|()| Exit::Conforms),
        Command::Init(args) => init::init(&args).map(|()| Exit::Conforms),
        Command::Completions { shell } => manual::completions(shell).map(|()| Exit::Conforms),
        Command::Man { command } => manual::man(command.as_deref()).map(|()| Exit::Conforms),
        Command::ServeReference(args) => serve::serve(&args).map(|()| Exit::Conforms),
    }
}

/// Begins the reports that are asked for, each in a place of its own and in that of nothing that
/// is read.
fn reporters(targets: &[Target], reads: &[&Path]) -> Result<FanOut, Problem> {
    places::check(targets, reads)?;
    let about = background();
    let mut reporters = FanOut::new();
    for target in targets {
        reporters.add(target.open(&about).map_err(|error| Problem::failed_to(&error))?);
    }
    Ok(reporters)
}

/// What shows how far a command is, if it is to be shown.
fn progress(args: ProgressArgs) -> Progress {
    match args.progress {
        When::Auto => Progress::new(),
        When::Never => Progress::never(),
    }
}

/// How far several runs are, one after another: each has a bar of its own.
struct Bars(Progress, ProgressArgs);

impl Bars {
    fn new(args: ProgressArgs) -> Self {
        Self(progress(args), args)
    }

    fn event(&mut self, event: &Event) {
        if matches!(event, Event::RunStarted(_)) {
            *self = Self::new(self.1);
        }
        // A bar is nothing that is missed.
        let _ = self.0.event(event);
    }
}

/// Why the suite gave no verdict, as a problem of the command.
fn no_verdict(error: &RunError) -> Problem {
    match error {
        RunError::OwnFault => Problem::new(Exit::OwnFault, error.to_string())
            .help("please report it, with the command that you gave"),
        RunError::Corpus(_) | RunError::Usage(_) => Problem::usage(error.to_string()),
    }
}
