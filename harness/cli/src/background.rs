//! What reports may tell beside the run.

use tacit_contract::ClauseId;
use tacit_reference::faults;
use tacit_reports::Background;
use tacit_reports::background::Fault;

/// The known faults; neither matrix nor table.
pub fn background() -> Background {
    let faults = faults::all().map(|fault| Fault {
        key: fault.key.to_owned(),
        clauses: fault.clauses.iter().map(|id| ClauseId::from(*id)).collect(),
        seen_in: fault.seen_in.iter().map(|report| (*report).to_owned()).collect(),
        does: fault.behaviour.to_owned(),
    });
    Background { faults: faults.collect(), ..Background::default() }
}
