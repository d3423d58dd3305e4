//! `tacit run`.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use tacit_reports::terminal::Options;
use tacit_reports::{Colour, Detail, FanOut, Forecast, ReportError, terminal};
use tacit_suite::Exit;
use tacit_suite::baseline::Update;

use super::no_verdict;
use crate::actions::Step;
use crate::args::RunArgs;
use crate::baseline::BaselineFile;
use crate::choice::{Choice, Surroundings};
use crate::problem::Problem;
use crate::{config, interrupt, output, page, profile};

/// Tests a runtime.
pub fn run(mut args: RunArgs, colour: Colour) -> Result<Exit, Problem> {
    let around = Surroundings::look()?;
    around.complete(&mut args);
    let choice = around.choose(&args.subject, profile::DEFAULT)?;
    let advice = choice.advice();
    let reads: Vec<&Path> =
        choice.files.iter().chain(&args.baseline).map(PathBuf::as_path).collect();
    let mut reporters = reporters(&args, &reads, colour)?;
    let updates = args.update_baseline;
    if updates && args.baseline.is_none() {
        return Err(Problem::usage("`--update-baseline` is given, and no baseline")
            .help("say which with `--baseline FILE`, or `baseline` under `[run]` in tacit.toml"));
    }
    let file = args.baseline.clone().map(|path| BaselineFile::load(path, updates)).transpose()?;
    let mut config = config::of_run(args, choice)?;
    config.baseline = file.as_ref().map(|file| file.baseline.clone());
    let stop = interrupt::listen(interrupt::First::Asks);
    let mut update = Update::default();
    let mut hear = |event| {
        interrupt::go_on_unless_ending();
        update.hear(&event);
        reporters.event(&event);
    };
    let mut exit = tacit_suite::run(config, stop, &mut hear).map_err(|error| no_verdict(&error))?;
    let errors = reporters.finish();
    Choice::advise(advice.as_deref(), exit);
    for error in errors.iter().filter(|error| is_missed(error)) {
        output::say(&page::hang("error: ", &format!("failed to {error}")));
        exit = without_report(exit);
    }
    match file.filter(|_| updates && is_whole(exit)) {
        Some(file) => file.update(&update).map(|()| exit),
        None => Ok(exit),
    }
}

fn reporters(args: &RunArgs, reads: &[&Path], colour: Colour) -> Result<FanOut, Problem> {
    let mut reporters = super::reporters(&args.report, reads)?;
    if let Some(step) = Step::look().filter(|_| !args.no_ci) {
        // Before the terminal, whose last line stays the last.
        step.add_to(&mut reporters)?;
    }
    let progress = super::progress(args.progress);
    let handle = progress.handle();
    reporters.add(Box::new(progress));
    if !args.quiet {
        reporters.add(Box::new(Forecast::new(io::stderr(), handle)));
    }
    let detail = match (args.quiet, args.verbose) {
        (true, _) => Detail::Quiet,
        (_, true) => Detail::Verbose,
        _ => Detail::Normal,
    };
    let options = Options { detail, ..output::options(colour) };
    reporters.add(Box::new(terminal::reporter(io::stdout(), options)));
    Ok(reporters)
}

/// Whether a run says all that it has to say of its baseline.
fn is_whole(exit: Exit) -> bool {
    matches!(exit, Exit::Conforms | Exit::DoesNotConform | Exit::TooLittle)
}

/// A report that was asked for and is not there is an error, though the verdict stands in the
/// others; a reader of the terminal that has seen enough is none.
fn is_missed(error: &ReportError) -> bool {
    !matches!(error, ReportError::Output(error) if error.kind() == ErrorKind::BrokenPipe)
}

/// How a run ends where a report is missed.
fn without_report(exit: Exit) -> Exit {
    match exit {
        Exit::Interrupted | Exit::OwnFault => exit,
        _ => Exit::Usage,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_that_is_not_there_is_missed_and_a_closed_terminal_is_not() {
        assert!(!is_missed(&ReportError::Output(ErrorKind::BrokenPipe.into())));
        assert!(is_missed(&ReportError::Output(ErrorKind::StorageFull.into())));
    }

    #[test]
    fn a_report_that_is_missed_outweighs_a_verdict_and_nothing_more() {
        assert_eq!(without_report(Exit::Conforms), Exit::Usage);
        assert_eq!(without_report(Exit::DoesNotConform), Exit::Usage);
        assert_eq!(without_report(Exit::Interrupted), Exit::Interrupted);
    }
}
