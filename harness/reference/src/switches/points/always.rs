//! What is always sent, where a switch has another idea of that.

use std::sync::Arc;

use tacit_contract::{Row, Tool};

use crate::activation::SEARCH;
use crate::own::{NEW_CONTEXT, SUBMIT_GOAL, SUBMIT_PLAN};
use crate::session::{Session, State};
use crate::switches::Switch;

/// Leaves out what ought to be sent.
pub(super) fn leave_out(session: &Session, state: &State, tools: &mut Vec<Arc<Tool>>) {
    let faults = session.options.switches;
    let memory = &state.memory;
    let no_search = faults.has(Switch::SearchFirstRequestOnly) && memory.in_prompt > 1
        || faults.has(Switch::SearchGoneOnceActive) && !state.active.is_empty()
        || faults.has(Switch::DeferWithoutLoader) && !session.provider.native
        || faults.has(Switch::ReloadEmptyCatalog) && memory.reloaded;
    let renewed = || state.rows.iter().any(|row| matches!(row, Row::Checkpoint { .. }));
    let no_new_context = faults.has(Switch::NewContextOnce) && renewed();
    let no_writing = faults.has(Switch::CoreLostAfterRestart) && memory.rows_of_state > 0;
    let no_handing_in = faults.has(Switch::ModeToolDeferred);
    tools.retain(|tool| match tool.name.as_str() {
        SEARCH => !no_search,
        NEW_CONTEXT => !no_new_context,
        "Edit" | "Write" => !no_writing,
        SUBMIT_PLAN | SUBMIT_GOAL => !no_handing_in,
        _ => true,
    });
}

/// Has the search tool's description say more than it ought to.
pub(super) fn talk(session: &Session, state: &State, tools: &mut [Arc<Tool>]) {
    let faults = session.options.switches;
    let deferred = state.view.deferred().iter();
    let more = if faults.has(Switch::SearchListsEveryName) {
        deferred.map(|tool| tool.name.to_string()).collect::<Vec<_>>()
    } else if faults.has(Switch::LoaderNamesActive) && !state.active.is_empty() {
        state.active.iter().map(|tool| tool.name.to_string()).collect()
    } else if faults.has(Switch::DescriptionShowsSchemas) {
        deferred.take(3).map(|tool| format!("{} {}", tool.name, tool.input_schema)).collect()
    } else {
        return;
    };
    for tool in tools.iter_mut().filter(|tool| tool.name == SEARCH) {
        let talkative = Arc::make_mut(tool);
        talkative.description.push_str(" There are: ");
        talkative.description.push_str(&more.join(", "));
    }
}
