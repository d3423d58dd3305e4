//! The standard output and error: who reads them may go away at any time.

use std::io::{self, ErrorKind, IsTerminal, Write};

use serde::Serialize;
use serde_json::Value;
use tacit_reports::Colour;
use tacit_reports::terminal::Options;
use tacit_suite::Exit;

use crate::interrupt;
use crate::page;
use crate::problem::Problem;

/// Prints text. A reader that has seen enough is no error.
pub fn print(text: &str) -> Result<(), Problem> {
    interrupt::go_on_unless_ending();
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let problem = format!("failed to write to the standard output: {error}");
            Err(Problem::new(Exit::Usage, problem))
        }
        _ => Ok(()),
    }
}

/// Prints a JSON value, as people read it.
pub fn print_json(value: &Value) -> Result<(), Problem> {
    print(&format!("{value:#}\n"))
}

/// Prints what serialises as JSON, its members in their order.
pub fn print_as_json(what: &impl Serialize) -> Result<(), Problem> {
    let text = serde_json::to_string_pretty(what).map_err(|error| {
        Problem::new(Exit::OwnFault, format!("failed to write the result: {error}"))
    })?;
    print(&format!("{text}\n"))
}

/// What is said, first and last, where nobody named a runtime.
pub const BY_DEFAULT: &str = "no runtime was named: this is the reference\n";

/// Says something beside the output; nobody may be there to hear it.
pub fn say(text: &str) {
    interrupt::go_on_unless_ending();
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Whether errors are shown in colours.
pub fn colours_errors(colour: Colour) -> bool {
    colour.is_on(io::stderr().is_terminal(), asked_for_no_colours())
}

/// Whether what is printed is shown in colours.
fn colours_output(colour: Colour) -> bool {
    colour.is_on(io::stdout().is_terminal(), asked_for_no_colours())
}

/// How what stands on the standard output is shown, in no more than the usual detail.
pub fn options(colour: Colour) -> Options {
    Options { colour: colours_output(colour), width: page::WIDTH, ..Options::default() }
}

fn asked_for_no_colours() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}
