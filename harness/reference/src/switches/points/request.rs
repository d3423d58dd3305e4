//! What a request holds.

use std::sync::Arc;

use serde_json::Value;
use tacit_contract::protocol::Api;
use tacit_contract::{Mode, OriginKind, Row, Standing, Tool, canary};

use super::{always, retry};
use crate::activation::evidence::effective;
use crate::activation::pairing::Pairing;
use crate::activation::{ActiveSet, Placement, SEARCH};
use crate::context::{CallResult, Message, NO_RESULT};
use crate::own::{self, NEW_CONTEXT};
use crate::session::{Session, State};
use crate::switches::Switch;
use crate::turn;
use crate::variants::requests as variants;

/// What happens before each request.
pub(crate) fn before_request(session: &Session) {
    let mut state = session.state.borrow_mut();
    state.memory.requests += 1;
    state.memory.in_prompt += 1;
    if let Some(active) = variants::stateless(session, &state) {
        state.active = active;
    }
}

/// The tools of the next request, in place of those that it ought to hold.
pub(crate) fn tools(session: &Session, state: &State) -> Vec<Arc<Tool>> {
    let switches = session.options.switches;
    let always = always(session, state).into_iter().map(|tool| variants::sent_as(switches, tool));
    let mut tools: Vec<_> = always.collect();
    let requests = state.memory.requests;
    tools.extend(active(session, state).into_iter().map(|tool| sent_as(session, requests, tool)));
    add_more(session, state, &mut tools);
    if session.options.switches.has(Switch::ToolsByName) {
        tools.sort_by(|a, b| a.name.cmp(&b.name));
    }
    if session.options.switches.has(Switch::RandomOrder) {
        let draw =
            |tool: &Arc<Tool>| canary::mix_text(state.memory.requests as u64, tool.name.as_str());
        tools.sort_by_key(draw);
    }
    if session.options.switches.has(Switch::InsertNotAppend) {
        tools.sort_by(|one, other| one.name.cmp(&other.name));
    }
    tools
}

fn always(session: &Session, state: &State) -> Vec<Arc<Tool>> {
    let faults = session.options.switches;
    let mut tools = state.view.always().to_vec();
    let only_skills =
        || state.view.deferred().iter().all(|tool| tool.origin.kind == OriginKind::Skill);
    if faults.has(Switch::LoaderDeferred)
        || (faults.has(Switch::CompactionDropsLoader) && state.memory.compacted)
        || (faults.has(Switch::KindNotCovered) && only_skills())
    {
        tools.retain(|tool| tool.name != SEARCH);
    }
    always::leave_out(session, state, &mut tools);
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
    always::talk(session, state, &mut tools);
    tools
}

/// The active tools that are sent.
fn active(session: &Session, state: &State) -> Vec<Arc<Tool>> {
    let faults = session.options.switches;
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

fn sent_as(session: &Session, requests: usize, tool: Arc<Tool>) -> Arc<Tool> {
    let tool = variants::sent_as(session.options.switches, tool);
    let faults = session.options.switches;
    if faults.has(Switch::SchemaCacheCrosstalk)
        && let Some(last) = session.shared.parameters.borrow().get(&tool.name)
    {
        return Arc::new(Tool { input_schema: last.clone(), ..Tool::clone(&tool) });
    }
    if faults.has(Switch::SchemaKeyShuffle) {
        return shuffled(&tool, requests);
    }
    let thins = faults.has(Switch::ActivatedSchemaThinned);
    let silent = faults.has(Switch::DescriptionsDropped);
    let asks_nothing =
        faults.has(Switch::MessagesLosesRequired) && session.provider.api == Api::AnthropicMessages;
    if !thins && !silent && !asks_nothing {
        return tool;
    }
    let mut thinned = Tool::clone(&tool);
    if let Value::Object(schema) = &mut thinned.input_schema {
        if thins || asks_nothing {
            schema.remove("required");
        }
        for (_, property) in
            schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten()
        {
            if let Value::Object(property) = property
                && thins
            {
                property.remove("enum");
            } else if let Value::Object(property) = property
                && silent
            {
                property.remove("description");
            }
        }
    }
    Arc::new(thinned)
}

/// The tool with the members of its parameters in an order that the number of the request draws.
fn shuffled(tool: &Tool, requests: usize) -> Arc<Tool> {
    let mut shuffled = tool.clone();
    if let Value::Object(schema) = &mut shuffled.input_schema {
        let mut members: Vec<_> = std::mem::take(schema).into_iter().collect();
        let count = members.len().max(1);
        members.rotate_left(requests % count);
        schema.extend(members);
    }
    Arc::new(shuffled)
}

fn add_more(session: &Session, state: &State, tools: &mut Vec<Arc<Tool>>) {
    let faults = session.options.switches;
    let deferred = state.view.deferred();
    let mut more = ActiveSet::default();
    let all = |wanted: &dyn Fn(&Tool) -> bool| {
        deferred.iter().filter(|tool| wanted(tool)).cloned().collect::<Vec<_>>()
    };
    if faults.has(Switch::SchemaFlood) && state.active.is_empty() {
        more.extend(all(&|_| true));
    }
    if faults.has(Switch::FirstRequestInFull) && state.memory.in_prompt <= 1 {
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
    if faults.has(Switch::SkillsSentAtOnce) && state.memory.in_prompt <= 1 {
        more.extend(all(&|tool| tool.origin.kind == OriginKind::Skill));
    }
    if faults.has(Switch::LoneToolSentAtOnce) && deferred.len() == 1 {
        more.extend(all(&|_| true));
    }
    if faults.has(Switch::FirstListedPreloaded) && state.memory.in_prompt > 1 {
        more.extend(deferred.first().cloned());
    }
    if faults.has(Switch::DefaultKeySharing) && state.memory.fresh {
        let unsaved = session.shared.unsaved.borrow();
        more.extend(all(&|tool| unsaved.contains(&tool.name)));
    }
    for tool in &more {
        if !tools.iter().any(|sent| sent.name == tool.name) {
            tools.push(Arc::clone(tool));
        }
    }
    tools.extend(state.memory.repeated.iter().cloned());
    if faults.has(Switch::CoreSentTwice) && !state.active.is_empty() {
        tools.extend(state.view.always().first().cloned());
    }
    let namesakes = state.memory.namesakes.iter();
    let doubled: Vec<_> = namesakes
        .filter(|other| tools.iter().any(|sent| sent.name == other.name))
        .cloned()
        .collect();
    tools.extend(doubled);
}

/// Where the tools stand, in place of where they ought to; `again` in a request that takes the
/// place of one that failed.
pub(crate) fn place(
    session: &Session,
    state: &State,
    tools: Vec<Arc<Tool>>,
    again: bool,
) -> Placement {
    let faults = session.options.switches;
    let left_out =
        faults.has(Switch::OneApiLeavesActiveOut) && session.provider.api == Api::OpenaiResponses;
    let drops = again && retry::drops_the_set(session);
    if left_out || drops {
        return Placement::plain(state.view.always().to_vec());
    }
    let native = session.provider.native && !faults.has(Switch::NativeInList);
    let loads = native || faults.has(Switch::NativeWhenOff);
    let mut placement = turn::place(session, state, tools, loads);
    if faults.has(Switch::NativeInBoth) {
        placement.listed.extend(placement.loaded.values().flatten().cloned());
    }
    if again && faults.has(Switch::NativeRetryLoadsNothing) {
        placement.loaded.clear();
    }
    if faults.has(Switch::LoadPointsMove) {
        gather(&mut placement, state);
    }
    placement
}

/// Loads all that was loaded before the session was opened behind the newest result of that time.
fn gather(placement: &mut Placement, state: &State) {
    let rows = effective(&state.rows);
    let left = state.rows.len() - rows.len();
    let came = state.memory.rows_of_state.max(state.memory.rows_of_transcript);
    let opened = came.saturating_sub(left);
    let pairing = Pairing::of(rows);
    let Some(newest) = (0..opened).rev().find(|row| pairing.is_answer(*row)) else { return };
    let later = placement.loaded.split_off(&opened);
    let moved: Vec<_> = std::mem::take(&mut placement.loaded).into_values().flatten().collect();
    placement.loaded = later;
    if !moved.is_empty() {
        placement.loaded.insert(newest, moved);
    }
}

/// The tools of the request that asks for a summary: there should be none.
pub(crate) fn helper_tools(session: &Session, state: &State) -> Vec<Arc<Tool>> {
    if session.options.switches.has(Switch::CompactionUsesFullRegistry) {
        state.view.deferred().to_vec()
    } else {
        Vec::new()
    }
}

/// Changes the messages of a request.
pub(crate) fn messages<'a>(session: &Session, state: &'a State, messages: &mut Vec<Message<'a>>) {
    let faults = session.options.switches;
    if faults.has(Switch::OrphanedCallInvalidRequest) {
        for message in messages.iter_mut() {
            if let Message::Results(results) = message {
                results.retain(|result| result.text != NO_RESULT);
            }
        }
    }
    if faults.has(Switch::OrphanResultSent) {
        let rows = effective(&state.rows);
        let pairing = Pairing::of(rows);
        for (place, row) in rows.iter().enumerate() {
            if let Row::ToolResult { call_id, text, .. } = row
                && !pairing.is_answer(place)
            {
                messages.push(Message::Results(vec![CallResult {
                    id: call_id,
                    arguments: &Value::Null,
                    text,
                    failed: false,
                    loads: &[],
                }]));
            }
        }
    }
}
