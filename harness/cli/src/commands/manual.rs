//! `tacit completions` and `tacit man`: made of the definition of the command line.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use tacit_suite::Exit;

use crate::args::Cli;
use crate::nearest::did_you_mean;
use crate::output;
use crate::problem::Problem;

/// Prints what a shell needs to complete the command line.
pub fn completions(shell: Shell) -> Result<(), Problem> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tacit", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}

/// Prints the manual page of a command; without one, that of tacit.
pub fn man(name: Option<&str>) -> Result<(), Problem> {
    // Only a command that is built knows the flags that all commands have.
    let mut all = Cli::command();
    all.build();
    let command = match name {
        None => all,
        Some(name) => named(&all, name)?,
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page).map_err(|error| {
        Problem::new(Exit::OwnFault, format!("failed to write the manual page: {error}"))
    })?;
    output::print(&String::from_utf8_lossy(&page))
}

fn named(all: &Command, name: &str) -> Result<Command, Problem> {
    let command = all.find_subcommand(name).ok_or_else(|| {
        let hint = did_you_mean(name, all.get_subcommands().map(Command::get_name));
        Problem::usage(format!("there is no command `{name}`{hint}"))
    })?;
    // The page of a command is found by the name that is typed.
    Ok(command.clone().display_name(format!("tacit-{name}")))
}
