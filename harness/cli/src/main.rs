//! The `tacit` command.

mod args;
mod commands;
mod nearest;
mod problem;
mod profile;
mod runtime;

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let stop = AtomicBool::new(false);
    let done = match cli.command {
        Command::Run(args) => commands::run::run(*args, &stop),
    };
    let exit = done.unwrap_or_else(|problem| {
        eprint!("{}", problem.render(false));
        problem.exit()
    });
    ExitCode::from(exit.code())
}
