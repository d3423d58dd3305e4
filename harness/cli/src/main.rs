//! The `tacit` command: arguments, configuration, exit codes.

mod actions;
mod args;
mod background;
mod baseline;
mod choice;
mod commands;
mod config;
mod defaults;
mod fault;
mod features;
mod files;
mod interrupt;
mod nearest;
mod output;
mod page;
mod places;
mod problem;
mod profile;
mod runtime;
mod settings;
mod toml_problem;
mod toml_value;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;
use tacit_suite::Exit;

use args::Cli;

fn main() -> ExitCode {
    fault::report_panics();
    let exit = catch_unwind(AssertUnwindSafe(command)).unwrap_or(Exit::OwnFault);
    interrupt::go_on_unless_ending();
    ExitCode::from(fault::weighed(exit).code())
}

fn command() -> Exit {
    let cli = Cli::parse();
    commands::perform(cli.command, cli.color).unwrap_or_else(|problem| {
        // A panic has said all there is to say.
        if !(problem.exit() == Exit::OwnFault && fault::was_found()) {
            output::say(&problem.render(output::colours_errors(cli.color)));
        }
        problem.exit()
    })
}
