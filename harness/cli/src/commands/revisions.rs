//! `tacit revisions`.

use tacit_contract::table::Column;
use tacit_contract::{Revision, clause};
use tacit_suite::Exit;
use tacit_suite::revisions::{Fit, Revisions};

use super::{Bars, no_verdict};
use crate::args::{Format, RevisionsArgs};
use crate::choice::{Choice, Surroundings};
use crate::page::{clean, hang};
use crate::problem::Problem;
use crate::{config, interrupt, output, profile};

/// Finds out which revision of the contract a runtime really keeps to.
pub fn revisions(args: &RevisionsArgs) -> Result<Exit, Problem> {
    let choice = Surroundings::look()?.choose(&args.subject, profile::DEFAULT)?;
    let advice = choice.advice();
    let config = config::of_revisions(args, choice);
    let by_default = config.by_default;
    let stop = interrupt::listen(interrupt::First::Asks);
    let mut bars = Bars::new(args.progress);
    let found = tacit_suite::revisions::revisions(&config, stop, &mut |event| bars.event(event));
    drop(bars);
    let (found, exit) = found.map_err(|error| no_verdict(&error))?;
    match args.format {
        Format::Text => output::print(&text(&found, by_default))?,
        Format::Json => output::print_as_json(&found)?,
    }
    Choice::advise(advice.as_deref(), exit);
    Ok(exit)
}

fn text(found: &Revisions, by_default: bool) -> String {
    let by_default = if by_default { output::BY_DEFAULT } else { "" };
    let mut head = vec![format!("tacit {}", found.tool_version)];
    if let Some(fit) = found.revisions.first() {
        head.push(clean(&format!("runtime {} {}", fit.run.name, fit.run.version)));
    }
    head.push(format!("seed {}", found.seed));
    let mut text = by_default.to_owned();
    text.push_str(&hang("", &head.join(" · ")));
    for fit in &found.revisions {
        text.push('\n');
        text.push_str(&revision(fit));
    }
    text.push('\n');
    text.push_str(&hang("", &last(found)));
    text.push_str(by_default);
    text
}

/// What came of one revision: the first clause that differs in full, the others by name.
fn revision(fit: &Fit) -> String {
    let totals = fit.run.totals;
    let kept = format!("{} of {} claimed clauses", totals.kept, totals.judged);
    let word = match fit.run {
        _ if fit.run.exit_code == Exit::Unusable.code() => "could not be tested".to_owned(),
        Column { tested: false, .. } => "was not tested to the end".to_owned(),
        Column { conforms: true, .. } => format!("conforms to {kept}"),
        Column { .. } => format!("does not conform: {kept}"),
    };
    let mut text = hang(&format!("  {}  ", fit.run.revision), &word);
    for cause in &fit.run.failures {
        text.push_str(&hang("      ERROR  ", &clean(cause)));
    }
    let mut breaks = fit.breaks.iter();
    if let Some(first) = breaks.next() {
        text.push_str(&hang("      first  ", first.clause.as_str()));
        let found = first.reason.as_deref().unwrap_or_default();
        text.push_str(&hang("             ✗ ", &clean(found)));
        if let Some(clause) = clause::clause(first.clause.as_str()) {
            text.push_str(&hang("             the clause: ", &clause.sentence));
        }
        for path in &first.counterexamples {
            text.push_str(&hang("             ", &clean(path)));
        }
    }
    let others: Vec<&str> = breaks.map(|broken| broken.clause.as_str()).collect();
    if !others.is_empty() {
        text.push_str(&hang("      then   ", &others.join(", ")));
    }
    text
}

fn last(found: &Revisions) -> String {
    let Some(best) = found.best else {
        let why = if found.interrupted {
            "stopped before every revision was tried"
        } else {
            "the runtime could not be used under every revision"
        };
        return why.to_owned();
    };
    let but = match found.equals().next().map_or(0, |fit| fit.breaks.len()) {
        0 => String::new(),
        1 => ", all but 1 clause of it".to_owned(),
        many => format!(", all but {many} clauses of it"),
    };
    let equals = found.equals().map(|fit| fit.run.revision).filter(|revision| *revision != best);
    let equals: Vec<&str> = equals.map(Revision::as_str).collect();
    let as_well = match equals.as_slice() {
        [] => String::new(),
        [one] => format!("; {one} fits as well"),
        all => format!("; {} fit as well", all.join(" and ")),
    };
    format!("implements {best}{but}{as_well}")
}
