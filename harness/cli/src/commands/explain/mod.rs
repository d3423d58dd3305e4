//! `tacit explain`.

mod clause;
mod fault;
mod property;
mod scenario;
mod variant;
mod verdict;

use serde_json::Value;
use tacit_reference::faults::untested;
use tacit_reference::{faults, variants};
use tacit_suite::exhaustive;
use tacit_suite::property::{properties, property as property_of};

use self::scenario::Scenarios;
use crate::args::{ExplainArgs, Format};
use crate::nearest::did_you_mean;
use crate::output;
use crate::problem::Problem;

/// What there is to say about something, for people and for programs.
struct Explanation {
    text: String,
    value: Value,
}

/// Explains what an id stands for.
pub fn explain(args: &ExplainArgs) -> Result<(), Problem> {
    let explanation = explanation(args.id.trim())?;
    match args.format {
        Format::Text => output::print(&explanation.text),
        Format::Json => output::print_json(&explanation.value),
    }
}

fn explanation(id: &str) -> Result<Explanation, Problem> {
    let scenarios = Scenarios::all()?;
    if let Some(clause) = tacit_contract::clause::clause(id) {
        return Ok(clause::explain(clause, &scenarios));
    }
    if let Some(fault) = faults::find(id) {
        return Ok(fault::explain(fault));
    }
    if let Some(fault) = untested::find(id) {
        return Ok(fault::explain_untested(fault));
    }
    if let Some(variant) = variants::find(id) {
        return Ok(variant::explain(variant));
    }
    if let Some(property) = property_of(id) {
        return Ok(property::explain(property, &scenarios));
    }
    if id == exhaustive::ID {
        return Ok(property::explain_exhaustive());
    }
    if let Some(explanation) = verdict::explain(id) {
        return Ok(explanation);
    }
    if let Some(explanation) = scenarios.explain(id)? {
        return Ok(explanation);
    }
    let mut known: Vec<&str> = scenarios.titles().collect();
    known.extend(tacit_contract::clause::clauses().iter().map(|clause| clause.id.as_str()));
    known.extend(faults::all().map(|fault| fault.key));
    known.extend(untested::UNTESTED.iter().map(|fault| fault.key));
    known.extend(variants::all().map(|variant| variant.key));
    known.extend(properties().map(|property| property.mix.id));
    known.push(exhaustive::ID);
    known.extend(verdict::ids());
    let hint = did_you_mean(id, known);
    Err(Problem::usage(format!("there is nothing named `{id}`{hint}")).help(
        "`tacit list clauses`, `faults`, `variants`, `properties` or `scenarios` shows what \
             there is",
    ))
}
