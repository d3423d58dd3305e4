//! What a request holds.

use std::sync::Arc;

use serde_json::Value;
use tacit_contract::{Mode, OriginKind, Row, Standing, Tool, canary};

use crate::activation::evidence::effective;
use crate::activation::pairing::Pairing;
use crate::activation::{ActiveSet, SEARCH};
use crate::context::{Message, NO_RESULT};
use crate::faults::Switch;
use crate::own::{self, NEW_CONTEXT};
use crate::session::{Session, State};

/// The tools of the next request, in place of those that it ought to hold.
pub(crate) fn tools(session: &Session, state: &State) -> Vec<Arc<Tool>> {
    let mut tools = always(session, state);
    tools.extend(active(session, state).into_iter().map(|tool| sent_as(session, tool)));
    add_more(session, state, &mut tools);
    if session.options.faults.has(Switch::RandomOrder) {
        let draw =
            |tool: &Arc<Tool>| canary::mix_text(state.memory.requests as u64, tool.name.as_str());
        tools.sort_by_key(draw);
    }
    tools
}

fn always(session: &Session, state: &State) -> Vec<Arc<Tool>> {
    let faults = session.options.faults;
    let mut tools = state.view.always().to_vec();
    let only_skills =
        || state.view.deferred().iter().all(|tool| tool.origin.kind == OriginKind::Skill);
    if faults.has(Switch::LoaderDeferred)
        || (faults.has(Switch::CompactionDropsLoader) && state.memory.compacted)
        || (faults.has(Switch::KindNotCovered) && only_skills())
    {
        tools.retain(|tool| tool.name != SEARCH);
    }
    if faults.has(Switch::SearchPresentWhenEmpty) && !state.view.is_always(SEARCH) {
        tools.extend(state.view.registry().get(SEARCH).cloned());
    }
    if faults.has(Switch::NewContextMissing) && state.view.mode() != Mode::Agent {
        tools.retain(|tool| tool.name != NEW_CONTEXT);
    }
    if faults.has(Switch::CoreLostAfterPlan) && state.memory.after_plan {
        let own = own::tools(session.options.revision);
        tools.retain(|tool| {
            tool.standing(Mode::Plan) == Some(Standing::Core)
                || !own.iter().any(|own| own.name == tool.name)
        });
    }
    if faults.has(Switch::SearchListsEveryName) {
        for tool in tools.iter_mut().filter(|tool| tool.name == SEARCH) {
            let names = state.view.deferred().iter().map(|tool| tool.name.as_str());
            let mut talkative = Tool::clone(tool);
            talkative.description.push_str(" There are: ");
            talkative.description.push_str(&names.collect::<Vec<_>>().join(", "));
            *tool = Arc::new(talkative);
        }
    }
    tools
}

/// The active tools that are sent.
fn active(session: &Session, state: &State) -> Vec<Arc<Tool>> {
    let faults = session.options.faults;
    let memory = &state.memory;
    let active =
        if faults.has(Switch::ActivationNeverWired) { &memory.at_start } else { &state.active };
    let is_sent = |tool: &Arc<Tool>| {
        let age = memory.since.get(&tool.name).map(|since| memory.requests - since);
        let late = faults.has(Switch::ActivationOneRequestLate) && age == Some(1);
        let over = faults.has(Switch::ActivationOneRequestOnly) && age.is_some_and(|age| age > 1);
        let hidden = faults.has(Switch::CatalogBeforePolicy)
            && state.view.find_deferred(tool.name.as_str()).is_none();
        !late && !over && !hidden
    };
    active.iter().filter(|tool| is_sent(tool)).cloned().collect()
}

fn sent_as(session: &Session, tool: Arc<Tool>) -> Arc<Tool> {
    if !session.options.faults.has(Switch::ActivatedSchemaThinned) {
        return tool;
    }
    let mut thinned = Tool::clone(&tool);
    if let Value::Object(schema) = &mut thinned.input_schema {
        schema.remove("required");
        for (_, property) in
            schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten()
        {
            if let Value::Object(property) = property {
                property.remove("enum");
            }
        }
    }
    Arc::new(thinned)
}

fn add_more(session: &Session, state: &State, tools: &mut Vec<Arc<Tool>>) {
    let faults = session.options.faults;
    let deferred = state.view.deferred();
    let mut more = ActiveSet::default();
    let all = |wanted: &dyn Fn(&Tool) -> bool| {
        deferred.iter().filter(|tool| wanted(tool)).cloned().collect::<Vec<_>>()
    };
    if faults.has(Switch::SchemaFlood) && state.active.is_empty() {
        more.extend(all(&|_| true));
    }
    if faults.has(Switch::LateInjection) {
        more.extend(all(&|tool| tool.origin.kind == OriginKind::Devkit));
    }
    if faults.has(Switch::ActivationShowsSiblings) {
        more.extend(all(&|tool| {
            tool.origin.id.is_some()
                && state.active.iter().any(|active| active.origin == tool.origin)
        }));
    }
    if faults.has(Switch::CrossSessionLeak) {
        let shared = session.shared.activated.borrow();
        more.extend(all(&|tool| {
            shared.iter().any(|(other, name)| *other != session.id && *name == tool.name)
        }));
    }
    for tool in &more {
        if !tools.iter().any(|sent| sent.name == tool.name) {
            tools.push(Arc::clone(tool));
        }
    }
    tools.extend(state.memory.repeated.iter().cloned());
    let namesakes = state.memory.namesakes.iter();
    let doubled: Vec<_> = namesakes
        .filter(|other| tools.iter().any(|sent| sent.name == other.name))
        .cloned()
        .collect();
    tools.extend(doubled);
}

/// The tools that stay when a request is sent again; `None` where all do.
pub(crate) fn retry_tools(session: &Session, state: &State) -> Option<Vec<Arc<Tool>>> {
    let drops = session.options.faults.has(Switch::RetryDropsActivation);
    drops.then(|| state.view.always().to_vec())
}

/// The tools of the request that asks for a summary: there should be none.
pub(crate) fn helper_tools(session: &Session, state: &State) -> Vec<Arc<Tool>> {
    if session.options.faults.has(Switch::CompactionUsesFullRegistry) {
        state.view.deferred().to_vec()
    } else {
        Vec::new()
    }
}

/// Changes the messages of a request, and takes from its tools what it sends with them.
pub(crate) fn messages<'a>(
    session: &Session,
    state: &'a State,
    messages: &mut Vec<Message<'a>>,
    tools: &mut Vec<Arc<Tool>>,
) {
    let faults = session.options.faults;
    if faults.has(Switch::OrphanedCallInvalidRequest) {
        messages.retain(
            |message| !matches!(message, Message::Result { text, .. } if *text == NO_RESULT),
        );
    }
    if faults.has(Switch::OrphanResultSent) {
        let rows = effective(&state.rows);
        let pairing = Pairing::of(rows);
        for (place, row) in rows.iter().enumerate() {
            if let Row::ToolResult { call_id, text, .. } = row
                && !pairing.is_answer(place)
            {
                messages.push(Message::Result { call: call_id, text });
            }
        }
    }
    if faults.has(Switch::NativeWhenOff) && !state.active.is_empty() {
        tools.retain(|tool| !state.active.contains(tool.name.as_str()));
        messages.push(Message::Loaded(state.active.iter().cloned().collect()));
    }
}
