//! `--runtime SPEC`: which runtime is meant.

use std::path::Path;

use tacit_contract::Revision;
use tacit_reference::faults::{self, Faults};
use tacit_suite::{Command, Subject};

use crate::nearest::did_you_mean;
use crate::problem::Problem;

/// Reads `reference`, `reference@r2`, `reference+a+b` or `reference@r1+a`; `None` for anything
/// else.
pub fn reference(spec: &str, revision: Revision) -> Option<Result<Subject, Problem>> {
    let rest = spec.strip_prefix("reference")?;
    let (at, faults) = match rest.split_once('+') {
        Some((at, faults)) => (at, Some(faults)),
        None => (rest, None),
    };
    let revision = match at.strip_prefix('@') {
        Some(text) => match text.parse() {
            Ok(revision) => revision,
            Err(problem) => {
                return Some(Err(Problem::usage(format!("--runtime {spec}: {problem}"))));
            }
        },
        None if at.is_empty() => revision,
        None => return None,
    };
    let keys = faults.into_iter().flat_map(|faults| faults.split('+'));
    Some(named_faults(keys).map(|faults| Subject::Reference { revision, faults }))
}

/// The faults of these keys.
pub fn named_faults<'a>(keys: impl IntoIterator<Item = &'a str>) -> Result<Faults, Problem> {
    Faults::parse(keys).map_err(|unknown| {
        let hint = did_you_mean(&unknown.key, faults::all().map(|fault| fault.key));
        Problem::usage(format!("{unknown}{hint}")).help("`tacit list faults` shows all")
    })
}
