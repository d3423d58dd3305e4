//! How calls are run and written down.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::Value;
use tacit_contract::{Status, ToolCall, ToolName};

use super::search::{activate_named, would_have_found};
use crate::activation::{ActiveSet, SEARCH};
use crate::call::{Done, NOT_ALLOWED};
use crate::session::{Session, State};
use crate::switches::Switch;

/// Whether a call is run, in place of whether its tool was shown.
pub(crate) fn is_runnable(session: &Session, state: &State, call: &ToolCall, shown: bool) -> bool {
    let faults = session.options.switches;
    let name = call.name.as_str();
    if faults.has(Switch::LoaderNotDispatchable) && name == SEARCH {
        return false;
    }
    let mode = state.view.mode();
    let is_forbidden =
        || state.view.registry().get(name).is_some_and(|tool| tool.standing(mode).is_none());
    shown
        || (faults.has(Switch::SearchesRunFirst) && state.active.contains(name))
        || (faults.has(Switch::PlanWritesAllowed) && is_forbidden())
        || (faults.has(Switch::RemovedToolExecutes)
            && state.memory.kept.removed.contains_key(name)
            && state.view.registry().get(name).is_none())
        || (faults.has(Switch::SameBatchSelfAuthorise) && state.active.contains(name))
        || (faults.has(Switch::InactiveToolExecutes) && state.view.find_deferred(name).is_some())
}

/// What a refusal does beside refusing; `Err` ends the prompt.
pub(crate) fn on_refusal(
    session: &Session,
    state: &mut State,
    call: &ToolCall,
) -> Result<(), String> {
    let faults = session.options.switches;
    if faults.has(Switch::RefusalEndsPrompt) {
        return Err("the model called a tool that it was not given".to_owned());
    }
    if faults.has(Switch::RefusedCallActivates) {
        let tool = state.view.find_deferred(call.name.as_str()).map(Arc::clone);
        state.active.extend(tool);
    }
    Ok(())
}

/// What a refusal says and is, in place of what it ought to be.
pub(crate) fn refusal(session: &Session, state: &State, call: &ToolCall, done: &mut Done) {
    let faults = session.options.switches;
    if faults.has(Switch::RefusalRecordedOk) {
        done.status = Status::Ok;
    }
    if faults.has(Switch::RefusalShowsSchema)
        && let Some(tool) = state.view.find_deferred(call.name.as_str())
    {
        // Writing to a string cannot fail.
        let _ = write!(done.text, " It takes {}", tool.input_schema);
    }
}

/// The calls of a batch in another order than the model's.
pub(crate) fn ordered(session: &Session, calls: &[ToolCall]) -> Option<Vec<ToolCall>> {
    session.options.switches.has(Switch::SearchesRunFirst).then(|| {
        let mut calls = calls.to_vec();
        calls.sort_by_key(|call| call.name != SEARCH);
        calls
    })
}

/// Whether the user is shown a call.
pub(crate) fn is_shown(session: &Session, call: &ToolCall) -> bool {
    let faults = session.options.switches;
    let hides = faults.has(Switch::HiddenLoaderRow) || faults.has(Switch::SearchNotShown);
    !(hides && call.name == SEARCH)
}

/// The host methods that a search calls.
pub(crate) fn search_host_methods(session: &Session) -> Vec<&'static str> {
    let faults = session.options.switches;
    let mut methods = Vec::new();
    if faults.has(Switch::SearchCallsHost) {
        methods.push("index.lookup");
    }
    if faults.has(Switch::SearchRunsPermission) {
        methods.push("tool.permission");
    }
    if faults.has(Switch::SearchAudited) {
        methods.push("tool.audit");
    }
    methods
}

/// How a call of this tool reaches the host.
#[allow(clippy::struct_excessive_bools, reason = "each is one thing that a fault leaves out")]
pub(crate) struct Reach {
    pub(crate) asks: bool,
    pub(crate) audited: bool,
    pub(crate) limited: bool,
    pub(crate) contained: bool,
    pub(crate) heeds_denial: bool,
}

/// How a call reaches the host; activated tools may be treated otherwise than core ones.
pub(crate) fn reach(session: &Session, call: &ToolCall) -> Reach {
    let faults = session.options.switches;
    let mut state = session.state.borrow_mut();
    let activated = state.active.contains(call.name.as_str());
    let known = state.memory.permitted.contains(&call.name);
    if activated {
        state.memory.permitted.push(call.name.clone());
    }
    let unless = |switch| !(activated && faults.has(switch));
    Reach {
        asks: !(faults.has(Switch::AskedNoPermission)
            || faults.has(Switch::PermissionOnce) && activated && known),
        audited: unless(Switch::SkipsAuditForActivated),
        limited: unless(Switch::ActivatedWithoutTimeout),
        contained: unless(Switch::ActivatedOutsideWorkspace),
        heeds_denial: unless(Switch::GrantOnActivation),
    }
}

/// What a batch begins with.
pub(crate) fn before_batch(state: &mut State) {
    state.memory.before_batch = state.active.clone();
    state.memory.in_batch = 0;
}

/// What a result does before it is written down: it may take a marker that it ought not to have,
/// and change the active set.
pub(crate) fn on_answer(session: &Session, state: &mut State, call: &ToolCall, done: &mut Done) {
    let faults = session.options.switches;
    let by_search = call.name == SEARCH;
    if done.status == Status::Ok && state.view.is_always(call.name.as_str()) {
        state.memory.kept.of_core.insert(call.id.clone());
    }
    if faults.has(Switch::InterruptedCounts) && by_search && done.status == Status::Interrupted {
        done.added = Some(would_have_found(session, state, &call.arguments));
    }
    if by_search || done.status == Status::Interrupted {
        return;
    }
    let was_active = state.active.contains(call.name.as_str());
    if faults.has(Switch::DenialRecordedOk) && was_active && done.text.starts_with(NOT_ALLOWED) {
        done.status = Status::Ok;
    }
    if faults.has(Switch::UseDeactivates) && done.status == Status::Ok
        || faults.has(Switch::FailedUseDeactivates) && done.status == Status::Error
    {
        let kept = state.active.iter().filter(|tool| tool.name != call.name).cloned();
        state.active = kept.collect();
    }
    if faults.has(Switch::ForeignMarkerCounts) && done.status == Status::Ok {
        done.added = marker_in(&done.text);
    }
    if faults.has(Switch::RebuildClearsActivation) {
        state.active = ActiveSet::default();
    }
    if faults.has(Switch::ResultTextActivates) && done.status == Status::Ok {
        activate_named(state, &done.text);
    }
}

/// The marker that the text of a result holds, if it is JSON.
fn marker_in(text: &str) -> Option<Vec<ToolName>> {
    let value: Value = serde_json::from_str(text).ok()?;
    let names = value.get("addedToolNames")?.as_array()?;
    Some(names.iter().filter_map(Value::as_str).map(ToolName::from).collect())
}
