//! `tacit compare`.

mod difference;
mod markdown;
mod table;

use tacit_suite::Exit;
use tacit_suite::compare::{CompareError, Comparison, Note};

use super::{Bars, no_verdict};
use crate::args::{CompareArgs, DocumentFormat};
use crate::choice::Surroundings;
use crate::page::hang;
use crate::problem::Problem;
use crate::{config, interrupt, output, profile};

/// Holds several runtimes against each other.
pub fn compare(args: &CompareArgs) -> Result<Exit, Problem> {
    let around = Surroundings::look()?;
    let seed = config::seed(args.amount.seed);
    let (mut configs, mut advice) = (Vec::new(), Vec::new());
    for spec in &args.specs {
        let choice = around
            .choose(&args.subject(spec), profile::DEFAULT)
            .map_err(|problem| problem.of_runtime(spec))?;
        advice.push(choice.advice());
        configs.push(config::of_compare(args, choice, seed)?);
    }
    let stop = interrupt::listen(interrupt::First::Asks);
    let mut bars = Bars::new(args.progress);
    let compared = tacit_suite::compare::compare(configs, stop, &mut |note| {
        if let Note::Run(event) = note {
            bars.event(&event);
        }
    });
    drop(bars);
    let (comparison, exit) = compared.map_err(|error| problem(&error, &advice))?;
    match args.format {
        DocumentFormat::Text => output::print(&text(&comparison))?,
        DocumentFormat::Markdown => output::print(&markdown::text(&comparison))?,
        DocumentFormat::Json => output::print_as_json(&comparison)?,
    }
    Ok(exit)
}

fn problem(error: &CompareError, advice: &[Option<String>]) -> Problem {
    match error {
        CompareError::Unusable { place, .. } => {
            let problem = Problem::new(Exit::Unusable, error.to_string());
            match advice.get(*place).cloned().flatten() {
                Some(advice) => problem.help(advice),
                None => problem,
            }
        }
        CompareError::Run { spec, error } => no_verdict(error).of_runtime(spec),
        CompareError::Whole(error) => no_verdict(error),
    }
}

fn text(comparison: &Comparison) -> String {
    let head = [
        format!("tacit {}", comparison.tool_version),
        format!("{} runtimes", comparison.table.runtimes.len()),
        format!("seed {}", comparison.seed),
    ];
    let mut text = hang("", &head.join(" · "));
    text.push_str(&table::runtimes(&comparison.table));
    text.push_str(&table::clauses(&comparison.table));
    text.push_str(&table::readings(&comparison.table));
    text.push_str(&table::failures(&comparison.table));
    if let Some(search) = &comparison.difference {
        text.push_str(&difference::text(search, comparison.interrupted));
    } else if comparison.interrupted {
        text.push_str("\nstopped before the runtimes were compared any further\n");
    }
    text.push_str(&table::totals(&comparison.table));
    text
}

/// How the runtimes are told apart in the table.
fn letter(place: usize) -> String {
    let place = u8::try_from(place).unwrap_or(u8::MAX);
    match place {
        0..26 => char::from(b'A' + place).to_string(),
        _ => format!("R{}", u32::from(place) + 1),
    }
}
