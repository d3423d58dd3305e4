//! `tacit selftest`.

use tacit_reference::{faults, variants};
use tacit_reports::Colour;
use tacit_reports::terminal::matrix;
use tacit_suite::Exit;
use tacit_suite::selftest::{Only, Settings, exit, selftest as tried};

use super::no_verdict;
use crate::args::{Format, Kind, SelftestArgs};
use crate::problem::Problem;
use crate::{config, interrupt, output, runtime};

/// Puts the checks to the test.
pub fn selftest(args: &SelftestArgs, colour: Colour) -> Result<Exit, Problem> {
    let settings = settings(args)?;
    let progress = super::progress(args.progress);
    let stop = interrupt::listen(interrupt::First::Asks);
    let all = (settings.faults.len() + settings.variants.len()) as u64;
    let mut done = 0;
    let matrix = tried(&settings, stop, &mut |key| {
        done += 1;
        progress.tell(&format!("fault {done}/{all} {key}"), (done, all));
    })
    .map_err(|error| no_verdict(&error))?;
    progress.clear();
    match args.format {
        Format::Text => {
            output::print(&matrix::render(&matrix, &output::options(colour)))?;
        }
        Format::Json => output::print_as_json(&matrix)?,
    }
    Ok(exit(&matrix))
}

fn settings(args: &SelftestArgs) -> Result<Settings, Problem> {
    let wanted = |key: &str| args.fault.is_empty() || args.fault.iter().any(|other| other == key);
    runtime::named_switches(args.fault.iter().map(String::as_str))?;
    Ok(Settings {
        all: args.fault.is_empty(),
        faults: faults::all().filter(|fault| wanted(fault.key)).collect(),
        variants: variants::all().filter(|variant| wanted(variant.key)).collect(),
        cases: args.amount.cases(),
        seed: config::seed(args.amount.seed),
        jobs: args.amount.jobs(),
        only: match args.only {
            None => Only::Both,
            Some(Kind::Scenarios) => Only::Scenarios,
            Some(Kind::Properties) => Only::Properties,
        },
    })
}
