//! The registry, and what a session begins with.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use tacit_contract::{Mode, ProviderKind, Row, Standing, Tool, ToolName};

use crate::activation::{ActiveSet, Registry, SEARCH};
use crate::own;
use crate::session::{Session, State};
use crate::switches::Switch;

/// The registry of a session's tools, in place of the one that it ought to have. `state` is what
/// the session was like before, if it was open.
pub(crate) fn new_registry(
    session: &Session,
    state: &mut State,
    mut tools: Vec<Tool>,
    reopened: bool,
) -> Rc<Registry> {
    let faults = session.options.switches;
    let before = Rc::clone(state.view.registry());
    let own = own::tools(session.options.revision);
    if faults.has(Switch::DeferEqualsRestrict) {
        for tool in &mut tools {
            for mode in Mode::ALL {
                tool.modes.entry(mode).or_insert(Standing::Deferred);
            }
        }
    }
    state.memory.reloaded |= reopened;
    if reopened {
        let given: HashSet<ToolName> = tools.iter().map(|tool| tool.name.clone()).collect();
        let gone =
            || before.tools().iter().skip(own.len()).filter(|tool| !given.contains(&tool.name));
        let there = state.rows.len();
        state.memory.kept.removed.extend(gone().map(|tool| (tool.name.clone(), there)));
        if faults.has(Switch::RemovedToolLingers) {
            let active = gone().filter(|tool| state.active.contains(tool.name.as_str()));
            let active: Vec<_> = active.map(|tool| Tool::clone(tool)).collect();
            tools.extend(active);
        }
        if faults.has(Switch::ReconnectNotReadded) {
            state.memory.removed.extend(gone().map(|tool| tool.name.clone()));
            tools.retain(|tool| !state.memory.removed.contains(&tool.name));
        }
        if faults.has(Switch::ListChangedIgnored) {
            tools.retain(|tool| before.get(tool.name.as_str()).is_some());
        }
        if faults.has(Switch::SchemaChangeNotPropagated) {
            keep_parameters(&state.active, &mut tools);
        }
    }
    if faults.has(Switch::HistoryDependentOrder) {
        in_order_of_registration(&mut state.memory.registered, &mut tools);
    }
    if faults.has(Switch::SchemaCacheCrosstalk) {
        let registered = tools.iter().map(|tool| (tool.name.clone(), tool.input_schema.clone()));
        session.shared.parameters.borrow_mut().extend(registered);
    }
    if faults.has(Switch::CollisionSendsBoth) {
        let mut seen = HashSet::new();
        let later = tools.iter().filter(|tool| !seen.insert(tool.name.clone()));
        state.memory.namesakes = later.cloned().map(Arc::new).collect();
    }
    if faults.has(Switch::PluginShadowsCore) {
        let taken = |own: &&Arc<Tool>| !tools.iter().any(|tool| tool.name == own.name);
        let own: Vec<_> = own.iter().filter(taken).cloned().collect();
        return Rc::new(Registry::new(&own, tools));
    }
    Rc::new(Registry::new(own, tools))
}

/// Active tools keep the parameters that they are active with.
fn keep_parameters(active: &ActiveSet, tools: &mut [Tool]) {
    for tool in tools {
        if let Some(before) = active.iter().find(|before| before.name == tool.name) {
            tool.input_schema.clone_from(&before.input_schema);
        }
    }
}

/// What was there before stands first, and what comes last stands last.
fn in_order_of_registration(registered: &mut Vec<ToolName>, tools: &mut [Tool]) {
    registered.retain(|name| tools.iter().any(|tool| tool.name == *name));
    let new = tools.iter().filter(|tool| !registered.contains(&tool.name));
    let new: Vec<_> = new.map(|tool| tool.name.clone()).collect();
    registered.extend(new);
    let place: HashMap<&ToolName, usize> =
        registered.iter().enumerate().map(|(place, name)| (name, place)).collect();
    tools.sort_by_key(|tool| place.get(&tool.name).copied());
}

/// What a session begins with that it ought not to: `replaced` is the session of that id that was
/// open, `fresh` that there is nothing to go on from.
pub(crate) fn on_open(session: &Session, replaced: Option<&Session>, fresh: bool) {
    let faults = session.options.switches;
    let mut inherited: Vec<ToolName> = Vec::new();
    if faults.has(Switch::NewSessionInherits) && fresh {
        let shared = session.shared.activated.borrow();
        let last = shared.last().map(|(last, _)| last.clone());
        let last = shared.iter().filter(|(other, _)| Some(other) == last.as_ref());
        inherited.extend(last.map(|(_, name)| name.clone()));
    }
    if faults.has(Switch::BranchLeaksActivation)
        && let Some(replaced) = replaced.filter(|_| !fresh)
    {
        let before = replaced.state.borrow();
        inherited.extend(before.active.iter().map(|tool| tool.name.clone()));
    }
    let mut state = session.state.borrow_mut();
    state.memory.inherited = inherited;
    state.memory.fresh = fresh;
    if faults.has(Switch::RestoreBeforeLateRegistration) {
        let there = state.view.registry().tools().iter().map(|tool| tool.name.clone()).collect();
        state.memory.at_opening = there;
    }
    if faults.has(Switch::StaleCatalogCache) {
        let (mode, catalog) = (state.view.mode(), state.view.catalog().map(str::to_owned));
        let relics = &mut state.memory.relics;
        relics.reopened = !relics.first_catalog.is_empty();
        if !relics.reopened {
            relics.first_catalog.extend(catalog.map(|catalog| (mode, catalog)));
        }
    }
}

/// What a change of mode leaves behind.
pub(crate) fn on_set_mode(state: &mut State, mode: Mode) {
    state.memory.after_plan = state.view.mode() == Mode::Plan && mode == Mode::Agent;
}

/// What a save leaves out, and the provider, where one that follows shall be told from it.
pub(crate) fn on_save(session: &Session, rows: &mut [Row]) -> Option<ProviderKind> {
    let faults = session.options.switches;
    let state = session.state.borrow();
    let loaded = state.memory.rows_of_state.max(state.memory.rows_of_transcript);
    for (place, row) in rows.iter_mut().enumerate() {
        let lost = faults.has(Switch::MarkerLostOnSave)
            || (faults.has(Switch::MarkerLostOnSecondSave) && place < loaded);
        if let Row::ToolResult { added_tool_names, .. } = row
            && lost
        {
            *added_tool_names = None;
        }
    }
    let tells =
        faults.has(Switch::ProviderSwitchDrops) || faults.has(Switch::FallbackCarriesNativeLoader);
    tells.then(|| session.provider_kind())
}

/// Whether the transcript is without searches.
pub(crate) fn hides_searches(session: &Session) -> bool {
    let faults = session.options.switches;
    faults.has(Switch::HiddenLoaderRow) || faults.has(Switch::SearchNotStored)
}

/// Takes searches and their results out of a transcript.
pub(crate) fn hide_searches(rows: &mut Vec<Row>) {
    rows.retain_mut(|row| match row {
        Row::Assistant { text, tool_calls } => {
            tool_calls.retain(|call| call.name != SEARCH);
            text.is_some() || !tool_calls.is_empty()
        }
        Row::ToolResult { tool_name, .. } => *tool_name != SEARCH,
        Row::User { .. } | Row::Checkpoint { .. } => true,
    });
}
