//! `tacit smoke`.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tacit_contract::protocol::Description;
use tacit_suite::Exit;
use tacit_suite::smoke::{Ability, State};

use super::no_verdict;
use crate::args::{Format, SmokeArgs};
use crate::choice::{Choice, Surroundings};
use crate::page::{clean, hang};
use crate::problem::Problem;
use crate::{config, interrupt, output, profile};

/// Finds out whether an adapter works at all.
pub fn smoke(args: &SmokeArgs) -> Result<Exit, Problem> {
    let choice = Surroundings::look()?.choose(&args.subject, profile::DEFAULT)?;
    let advice = choice.advice();
    let config = config::plain(choice);
    let (spec, by_default) = (config.spec.clone(), config.by_default);
    interrupt::listen(interrupt::First::Ends);
    let (runtime, abilities, exit) =
        tacit_suite::smoke::smoke(config).map_err(|error| no_verdict(&error))?;
    match args.format {
        Format::Text => output::print(&text(&spec, by_default, runtime.as_ref(), &abilities))?,
        Format::Json => output::print_json(&value(&spec, runtime.as_ref(), &abilities, exit))?,
    }
    Choice::advise(advice.as_deref(), exit);
    Ok(exit)
}

fn text(
    spec: &str,
    by_default: bool,
    runtime: Option<&Description>,
    abilities: &[Ability],
) -> String {
    let name = runtime.map_or_else(
        || spec.to_owned(),
        |runtime| format!("{} {}", runtime.runtime.name, runtime.runtime.version),
    );
    let by_default = if by_default { output::BY_DEFAULT } else { "" };
    let mut text = clean(&format!("{by_default}{name}\n\n"));
    for ability in abilities {
        let (word, what) = (word(&ability.state), &ability.what);
        let _ = writeln!(text, "  {word:<13}{what}");
        if let State::Fails { problem, log } = &ability.state {
            text.push_str(&hang(BELOW, &clean(problem)));
            text.push_str(&end_of(log));
        }
    }
    let count =
        |wanted: &str| abilities.iter().filter(|ability| word(&ability.state) == wanted).count();
    let (failing, open) = (count(FAILS), count(NOT_REACHED));
    text.push('\n');
    if failing == 0 {
        text.push_str("it works: `tacit run` tells whether it conforms\n");
    } else {
        let fail = if failing == 1 { "fails" } else { "fail" };
        let open = if open == 0 { String::new() } else { format!(", {open} not reached") };
        let all = abilities.len();
        let sentence = format!("{failing} of {all} {fail}{open}: put it right before `tacit run`");
        text.push_str(&hang("", &sentence));
    }
    text.push_str(by_default);
    text
}

const FAILS: &str = "FAILS";
const NOT_REACHED: &str = "not reached";

/// What stands before the lines below an ability.
const BELOW: &str = "               ";

fn word(state: &State) -> &'static str {
    match state {
        State::Works => "works",
        State::Fails { .. } => FAILS,
        State::NotReached => NOT_REACHED,
    }
}

/// The last lines of a log, as the runtime wrote them.
fn end_of(log: &str) -> String {
    const LINES: usize = 6;
    let lines: Vec<&str> = log.trim_end().lines().collect();
    let mut text = String::new();
    if !lines.is_empty() {
        let _ = writeln!(text, "{BELOW}its log ends:");
    }
    for line in &lines[lines.len().saturating_sub(LINES)..] {
        let _ = writeln!(text, "{BELOW}  {}", clean(line).trim_end());
    }
    text
}

fn value(spec: &str, runtime: Option<&Description>, abilities: &[Ability], exit: Exit) -> Value {
    let abilities: Vec<Value> = abilities
        .iter()
        .map(|ability| {
            let works = ability.state == State::Works;
            let mut row = json!({"what": ability.what, "works": works, "problem": null});
            match &ability.state {
                State::Works => {}
                State::Fails { problem, log } => {
                    row["problem"] = json!(problem);
                    row["log"] = json!(log);
                }
                State::NotReached => row["problem"] = json!(NOT_REACHED),
            }
            row
        })
        .collect();
    json!({
        "spec": spec,
        "runtime": runtime,
        "abilities": abilities,
        "works": exit == Exit::Conforms,
        "exitCode": exit.code(),
    })
}
