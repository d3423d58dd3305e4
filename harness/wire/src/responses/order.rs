//! What answers what among the items of a request, and in which order.

use super::body::{Item, Role};
use crate::place::Place;
use crate::problem::Rule;
use crate::strict::{Batch, Distinct, Found, quoted};

/// Calls are answered before the conversation goes on, searches of the API likewise.
pub(super) fn order<S>(items: &[Item<S>], place: Place<'_>, found: &mut Found) {
    let mut batch = Batch::default();
    let mut ids = Distinct::default();
    let mut searches = Searches::default();
    for (index, item) in items.iter().enumerate() {
        let place = place.entry(index);
        let id = item.call_id.as_deref().unwrap_or_default();
        match item.r#type.as_deref() {
            Some("function_call" | "custom_tool_call") => {
                searches.goes_on(true, found);
                ids.id(id, place.member("call_id"), found);
                batch.call(id, place);
            }
            Some("function_call_output" | "custom_tool_call_output") => {
                ids = Distinct::default();
                batch.result(id, place.member("call_id"), found);
            }
            Some("tool_search_call") => {
                searches.goes_on(true, found);
                searches.call(item, place);
            }
            Some("tool_search_output") => searches.output(item, place, found),
            Some("message") | None if speaks(item.role) => {
                ids = Distinct::default();
                batch.close(found);
                searches.goes_on(false, found);
            }
            _ => {}
        }
    }
    batch.close(found);
    searches.goes_on(false, found);
}

/// Whether a message is one with which the conversation goes on.
fn speaks(role: Option<Role>) -> bool {
    matches!(role, Some(Role::User | Role::Assistant))
}

/// The searches of the API that wait for their outputs.
#[derive(Default)]
struct Searches<'a>(Vec<Search<'a>>);

struct Search<'a> {
    call_id: Option<&'a str>,
    execution: &'a str,
    place: String,
}

impl<'a> Searches<'a> {
    fn call<S>(&mut self, item: &'a Item<S>, place: Place<'_>) {
        let call_id = item.call_id.as_deref();
        self.0.push(Search { call_id, execution: execution(item), place: place.to_string() });
    }

    fn output<S>(&mut self, item: &'a Item<S>, place: Place<'_>, found: &mut Found) {
        let call_id = item.call_id.as_deref();
        let Some(at) = self.0.iter().position(|search| search.call_id == call_id) else {
            let id = call_id.map_or_else(|| "none".to_owned(), quoted);
            let unasked = format!("an output without its search: {id}");
            found.add(Rule::NativePair, place.member("call_id"), unasked);
            return;
        };
        let search = self.0.remove(at);
        if search.execution != execution(item) {
            let found_here =
                format!("{}, expected {}", quoted(execution(item)), quoted(search.execution));
            found.add(Rule::NativePair, place.member("execution"), found_here);
        }
    }

    /// Something follows that no output may come after: `calls` are what may stand between a
    /// search that the runtime answers and its output.
    fn goes_on(&mut self, calls: bool, found: &mut Found) {
        self.0.retain(|search| {
            let waits = calls && search.execution == "client";
            if !waits {
                found.add_at(Rule::NativePair, search.place.clone(), "a search without its output");
            }
            waits
        });
    }
}

/// Who runs a search, which need not be said where it is the provider.
fn execution<S>(item: &Item<S>) -> &str {
    item.execution.as_deref().unwrap_or("server")
}
