//! The host-core's answers: by the call that a host call belongs to.

use tacit_contract::CallId;
use tacit_contract::runtime::{HostAnswer, HostCall, HostStatus};
use tacit_contract::session::Outcome;

use crate::script::{Batch, Charge};

/// The calls that a session's model made, for the host to know them by.
#[derive(Debug, Default)]
pub(crate) struct Book {
    charges: Vec<Entered>,
    /// Where the last batch begins.
    batch: usize,
}

#[derive(Debug)]
struct Entered {
    charge: Charge,
    /// The methods that were called for it without its id.
    met: Vec<String>,
}

impl Book {
    /// Takes down a batch that the model was made to say.
    pub(crate) fn enter(&mut self, batch: &Batch) {
        self.batch = self.charges.len();
        let entered = |charge: &Charge| Entered { charge: charge.clone(), met: Vec::new() };
        self.charges.extend(batch.charges.iter().map(entered));
    }

    /// What the host says to a call.
    pub(crate) fn answer(&mut self, call: &HostCall) -> HostAnswer {
        let Some(charge) = self.charge(call) else {
            return HostAnswer { status: HostStatus::Ok, text: "done".to_owned() };
        };
        match (call.method.as_str(), charge.outcome) {
            ("tool.execute", outcome) => {
                HostAnswer { status: status(outcome), text: charge.says.clone() }
            }
            ("tool.permission", Outcome::Denied) => {
                HostAnswer { status: HostStatus::Denied, text: charge.says.clone() }
            }
            ("tool.permission", _) => {
                HostAnswer { status: HostStatus::Ok, text: "allowed".to_owned() }
            }
            _ => HostAnswer { status: HostStatus::Ok, text: "done".to_owned() },
        }
    }

    /// The call that a host call belongs to: by its id, or one `|`-separated part of it; else by
    /// tool and arguments, in the order of the batch.
    fn charge(&mut self, call: &HostCall) -> Option<&Charge> {
        let by_id = call.call_id.as_ref().and_then(|id| self.by_id(id));
        let place = by_id.or_else(|| self.by_name(call))?;
        self.charges.get(place).map(|entered| &entered.charge)
    }

    fn by_id(&self, id: &CallId) -> Option<usize> {
        self.charges.iter().rposition(|entered| {
            let own = entered.charge.issued.id.as_str();
            id.as_str() == own || id.as_str().split('|').any(|part| part == own)
        })
    }

    fn by_name(&mut self, call: &HostCall) -> Option<usize> {
        let tool = call.tool_name.as_ref()?;
        let fits = |entered: &Entered| {
            let issued = &entered.charge.issued;
            issued.tool == *tool && call.arguments.as_ref().is_none_or(|a| *a == issued.arguments)
        };
        let batch = self.charges.get_mut(self.batch..)?;
        let fresh = batch
            .iter()
            .position(|entered| fits(entered) && !entered.met.contains(&call.method))
            .or_else(|| batch.iter().rposition(fits))?;
        batch[fresh].met.push(call.method.clone());
        Some(self.batch + fresh)
    }
}

fn status(outcome: Outcome) -> HostStatus {
    match outcome {
        Outcome::Ok => HostStatus::Ok,
        Outcome::Error => HostStatus::Error,
        Outcome::Denied => HostStatus::Denied,
    }
}
