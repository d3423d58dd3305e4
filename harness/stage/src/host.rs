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

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tacit_contract::Call;
    use tacit_contract::trace::Issued;
    use tacit_wire::Reply;

    use super::*;

    fn charge(id: &str, tool: &str, input: &str, outcome: Outcome) -> Charge {
        let call = Call::Use { tool: tool.into(), outcome, says: None };
        let arguments = json!({"input": input});
        Charge {
            issued: Issued { id: id.into(), tool: tool.into(), arguments, call },
            outcome,
            says: format!("says {id}"),
        }
    }

    fn book(charges: Vec<Charge>) -> Book {
        let mut book = Book::default();
        book.enter(&Batch { step: 0, charges, reply: Reply::default() });
        book
    }

    fn call(method: &str, id: Option<&str>, tool: Option<&str>, input: Option<&str>) -> HostCall {
        HostCall {
            session_id: "s".into(),
            method: method.to_owned(),
            call_id: id.map(Into::into),
            tool_name: tool.map(Into::into),
            arguments: input.map(|input| json!({"input": input})),
            timeout_ms: None,
            workspace: None,
        }
    }

    fn says(book: &mut Book, id: Option<&str>, tool: Option<&str>, input: Option<&str>) -> String {
        book.answer(&call("tool.execute", id, tool, input)).text
    }

    #[test]
    fn a_call_is_known_by_its_id_or_by_one_part_of_it() {
        let mut book = book(vec![
            charge("c1_0_0", "a", "x", Outcome::Ok),
            charge("c1_0_1", "a", "x", Outcome::Ok),
        ]);
        assert_eq!(says(&mut book, Some("c1_0_1"), None, None), "says c1_0_1");
        assert_eq!(says(&mut book, Some("c1_0_1|item"), Some("b"), None), "says c1_0_1");
        assert_eq!(says(&mut book, Some("item|c1_0_0"), None, None), "says c1_0_0");
    }

    #[test]
    fn a_call_without_a_known_id_is_known_by_tool_and_arguments_in_the_order_of_the_batch() {
        let mut book = book(vec![
            charge("one", "a", "x", Outcome::Ok),
            charge("two", "a", "y", Outcome::Ok),
            charge("three", "a", "x", Outcome::Ok),
        ]);
        assert_eq!(says(&mut book, None, Some("a"), Some("x")), "says one");
        assert_eq!(says(&mut book, Some("new"), Some("a"), Some("x")), "says three");
        assert_eq!(says(&mut book, None, Some("a"), Some("y")), "says two");
        assert_eq!(says(&mut book, None, Some("a"), Some("z")), "done");
        assert_eq!(says(&mut book, None, None, Some("x")), "done");
    }

    #[test]
    fn each_method_is_matched_by_itself() {
        let mut book = book(vec![
            charge("one", "a", "x", Outcome::Denied),
            charge("two", "a", "x", Outcome::Ok),
        ]);
        let status = |book: &mut Book, method: &str| {
            book.answer(&call(method, None, Some("a"), Some("x"))).status
        };
        assert_eq!(status(&mut book, "tool.permission"), HostStatus::Denied);
        assert_eq!(status(&mut book, "tool.execute"), HostStatus::Denied);
        assert_eq!(status(&mut book, "tool.permission"), HostStatus::Ok);
        assert_eq!(status(&mut book, "tool.execute"), HostStatus::Ok);
        assert_eq!(status(&mut book, "tool.audit"), HostStatus::Ok);
    }

    #[test]
    fn a_failing_tool_is_allowed_and_then_fails() {
        let mut book = book(vec![charge("one", "a", "x", Outcome::Error)]);
        let mut answer = |method: &str| book.answer(&call(method, Some("one"), None, None)).status;
        assert_eq!(answer("tool.permission"), HostStatus::Ok);
        assert_eq!(answer("tool.execute"), HostStatus::Error);
        assert_eq!(answer("tool.audit"), HostStatus::Ok);
        assert_eq!(answer("session.title"), HostStatus::Ok);
    }
}
