//! `tacit smoke`.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tacit_contract::protocol::Description;
use tacit_suite::Exit;
use tacit_suite::smoke::Ability;

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
        match &ability.problem {
            None => {
                let _ = writeln!(text, "  works   {}", ability.what);
            }
            Some(problem) => {
                let _ = writeln!(text, "  FAILS   {}", ability.what);
                text.push_str(&hang("          ", &clean(problem)));
            }
        }
    }
    let broken = abilities.iter().filter(|ability| ability.problem.is_some()).count();
    text.push('\n');
    text.push_str(&match broken {
        0 => "it works: `tacit run` tells whether it conforms\n".to_owned(),
        broken => hang(
            "",
            &format!(
                "{broken} of {} does not work: put the first one right before `tacit run`",
                abilities.len()
            ),
        ),
    });
    text.push_str(by_default);
    text
}

fn value(spec: &str, runtime: Option<&Description>, abilities: &[Ability], exit: Exit) -> Value {
    let abilities: Vec<Value> = abilities
        .iter()
        .map(|ability| {
            let works = ability.problem.is_none();
            json!({"what": ability.what, "works": works, "problem": ability.problem})
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
