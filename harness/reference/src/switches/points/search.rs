//! What a search finds, activates and says.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::Value;
use tacit_contract::{Tool, ToolName};

use super::evidence::named;
use crate::activation::search::{Index, Ranking, no_match};
use crate::activation::{ActiveSet, MOST_ACTIVATED, SEARCH, Selection, words};
use crate::call::Done;
use crate::own::{LIMIT, QUERY};
use crate::session::{Session, State};
use crate::switches::{Switch, Switches};
use crate::variants::search as variants;

/// Answers a search from the arguments on, where a fault has another idea of them: `Err` ends
/// the prompt, `Ok(None)` leaves the search to the ordinary way.
pub(crate) fn search(
    session: &Session,
    state: &State,
    arguments: &Value,
) -> Result<Option<Selection>, String> {
    let faults = session.options.switches;
    let query = arguments.get(QUERY).and_then(Value::as_str);
    if query.is_none() && faults.has(Switch::OddArgumentsEndPrompt) {
        return Err(format!("{SEARCH} was called with arguments of the wrong shape"));
    }
    let most = most(session, state, arguments);
    let blank = query.is_none_or(|query| query.trim().is_empty());
    if blank && faults.has(Switch::EmptyQueryActivates) {
        let first = state.view.deferred().iter().map(|tool| (Arc::clone(tool), true)).collect();
        return Ok(Some(Selection::from_ranking(first, &state.active, most)));
    }
    let Some(query) = query.filter(|_| !blank) else { return Ok(None) };
    let ranking = rank(faults, state, query);
    let mut ranking = variants::ranking(faults, state, query, ranking, most);
    let found_new = ranking.iter().any(|(_, deferred)| *deferred);
    if faults.has(Switch::NoMatchActivates) && !found_new {
        ranking.extend(state.view.deferred().first().map(|tool| (Arc::clone(tool), true)));
    }
    let nothing = ActiveSet::default();
    let active = if faults.has(Switch::DuplicateOnActivate) { &nothing } else { &state.active };
    Ok(Some(Selection::from_ranking(ranking, active, most)))
}

fn most(session: &Session, state: &State, arguments: &Value) -> usize {
    let faults = session.options.switches;
    let asked = arguments.get(LIMIT).and_then(Value::as_u64).filter(|limit| *limit > 0);
    let asked = asked.and_then(|limit| usize::try_from(limit).ok());
    let asked = asked.filter(|_| !faults.has(Switch::LimitIgnored));
    let bound = if faults.has(Switch::FourForEachWord) {
        let query = arguments.get(QUERY).and_then(Value::as_str).unwrap_or_default();
        session.most * words::asked(query).len().max(1)
    } else if faults.has(Switch::NoCap) {
        usize::MAX
    } else if faults.has(Switch::CapFive) {
        5
    } else if faults.has(Switch::CapPerSession) {
        session.most.saturating_sub(state.memory.activated)
    } else if faults.has(Switch::BatchSharesFour) {
        session.most.saturating_sub(state.memory.in_batch)
    } else {
        session.most
    };
    match asked {
        Some(asked) if faults.has(Switch::LimitRaisesCap) => asked,
        Some(asked) => asked.min(bound),
        None => bound,
    }
}

fn rank(faults: Switches, state: &State, query: &str) -> Ranking {
    let view = &state.view;
    let found = |wanted: &dyn Fn(&Tool) -> usize| by_score(view.deferred(), wanted);
    let asked = words::asked(query);
    if faults.has(Switch::GlobalSearchScope) || faults.has(Switch::CatalogBeforePolicy) {
        let rest =
            view.registry().tools().iter().filter(|tool| !view.is_always(tool.name.as_str()));
        return Index::new(view.always(), &rest.cloned().collect::<Vec<_>>()).rank(query);
    }
    if faults.has(Switch::CapBeforeFiltering) {
        let rest =
            view.registry().tools().iter().filter(|tool| !view.is_always(tool.name.as_str()));
        let mut best = Index::new(view.always(), &rest.cloned().collect::<Vec<_>>()).rank(query);
        best.truncate(MOST_ACTIVATED);
        best.retain(|(tool, new)| !new || view.find_deferred(tool.name.as_str()).is_some());
        return best;
    }
    if faults.has(Switch::ExactNameOutranked) {
        // The one point for a name only lets it take part; among equals the registry decides.
        return found(&|tool| {
            let described = words::of(&tool.description).filter(|word| asked.contains(word));
            let in_name = words::of_name(tool.name.as_str());
            described.count() * 2 + usize::from(asked.iter().any(|word| in_name.contains(word)))
        });
    }
    if faults.has(Switch::ExactFirstOnly)
        && let Some(exact) = view.find_deferred(query.trim())
    {
        let wanted = rest_of_name(exact);
        let first = view.deferred().iter().find(|tool| rest_of_name(tool) == wanted);
        return first.map(|tool| (Arc::clone(tool), true)).into_iter().collect();
    }
    if faults.has(Switch::PrefixSiblingTie) {
        let wanted = words::fold(query.trim());
        let hits = found(&|tool| usize::from(words::fold(tool.name.as_str()).contains(&wanted)));
        return if hits.is_empty() { view.index().rank(query) } else { hits };
    }
    if faults.has(Switch::SearchNamesOnly) {
        return found(&|tool| usize::from(query.contains(tool.name.as_str())));
    }
    if faults.has(Switch::CaseSensitiveName) {
        if let Some(tool) = view.find_deferred(query.trim()) {
            return vec![(Arc::clone(tool), true)];
        }
        return found(&|tool| {
            let described: Vec<_> =
                tool.description.split(|c: char| !c.is_alphanumeric()).collect();
            asked.iter().filter(|word| described.contains(&word.as_str())).count()
        });
    }
    if faults.has(Switch::OneNameOnly) {
        let mut tokens = query.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
        if let Some(tool) = tokens.find_map(|token| view.find_deferred(token)) {
            return vec![(Arc::clone(tool), true)];
        }
    }
    if faults.has(Switch::AsciiOnlySearch) {
        let ascii: String = query
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { ' ' })
            .collect();
        return view.index().rank(&ascii);
    }
    if faults.has(Switch::SubstringMatching) {
        return found(&|tool| {
            let text = words::fold(&format!("{} {}", tool.name, tool.description));
            asked.iter().filter(|word| text.contains(word.as_str())).count()
        });
    }
    if faults.has(Switch::AndMatching) && view.find_deferred(query.trim()).is_none() {
        let every: Vec<_> = words::of(query).collect();
        return found(&|tool| {
            let mut held = words::of_name(tool.name.as_str());
            held.extend(words::of(&tool.description));
            usize::from(every.iter().all(|word| held.contains(word)))
        });
    }
    let mut ranking = view.index().rank(query);
    if faults.has(Switch::CatalogOnlySearch) {
        let listed = &view.deferred()[..view.deferred().len().min(64)];
        ranking.retain(|(tool, new)| !new || listed.iter().any(|other| other.name == tool.name));
    }
    ranking
}

/// A tool's name without its plugin's.
fn rest_of_name(tool: &Tool) -> &str {
    let name = tool.name.as_str();
    let plugin = tool.origin.id.as_ref().map_or("", |id| id.as_str());
    name.strip_prefix(plugin).map_or(name, |rest| rest.trim_start_matches('_'))
}

/// The tools with a score, the highest first, in registry order among equals.
fn by_score(tools: &[Arc<Tool>], score: &dyn Fn(&Tool) -> usize) -> Ranking {
    let mut scored: Vec<_> = tools.iter().map(|tool| (score(tool), tool)).collect();
    scored.retain(|(score, _)| *score > 0);
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, tool)| (Arc::clone(tool), true)).collect()
}

/// Takes a search's selection into the active set and gives its result, in place of what the
/// runtime would do with it.
pub(crate) fn selected(session: &Session, state: &mut State, selection: Selection) -> Done {
    let faults = session.options.switches;
    let text = text(faults, state, &selection);
    let mut added: Vec<ToolName> =
        selection.activated.iter().map(|tool| tool.name.clone()).collect();
    let found_nothing = selection.activated.is_empty() && selection.already.is_empty();
    let left_out = selection.left_out.iter().map(|tool| tool.name.clone());
    if faults.has(Switch::MarkerNamesLeftOut) {
        added.extend(left_out);
    }
    activate(session, state, selection.activated);
    if faults.has(Switch::MarkerNamesMatches) {
        let active = selection.already.iter();
        let active = active.filter(|name| state.view.find_deferred(name.as_str()).is_some());
        added.extend(active.take(session.most - added.len().min(session.most)).cloned());
    }
    if faults.has(Switch::MarkerTooShort) {
        added.truncate(1);
    }
    if faults.has(Switch::MarkerNamesCore) && !added.is_empty() {
        added.push("Read".into());
    }
    if faults.has(Switch::MarkerTwice) {
        added = added.iter().flat_map(|name| [name.clone(), name.clone()]).collect();
    }
    if faults.has(Switch::MissClearsSet) && found_nothing {
        state.active = ActiveSet::default();
    }
    if faults.has(Switch::MissKeepsMarker) && found_nothing {
        added.clone_from(&state.memory.last_marker);
    }
    if !added.is_empty() {
        state.memory.last_marker.clone_from(&added);
    }
    if faults.has(Switch::MarkerMissing) {
        added.clear();
    }
    Done::searched(text, added)
}

fn activate(session: &Session, state: &mut State, tools: Vec<Arc<Tool>>) {
    let faults = session.options.switches;
    let memory = &mut state.memory;
    memory.activated += tools.len();
    memory.in_batch += tools.len();
    if tools.is_empty() {
        return;
    }
    if faults.has(Switch::FalseSuccessOnSyncFailure) && !memory.rebuild_failed {
        memory.rebuild_failed = true;
        return;
    }
    if faults.has(Switch::LostUpdate) {
        state.active = memory.before_batch.clone();
    }
    if faults.has(Switch::SearchReplacesSet) {
        state.active = ActiveSet::default();
    }
    let mut shared = session.shared.activated.borrow_mut();
    if memory.fresh {
        session.shared.unsaved.borrow_mut().extend(tools.iter().map(|tool| tool.name.clone()));
    }
    for tool in tools {
        shared.push((session.id.clone(), tool.name.clone()));
        memory.since.entry(tool.name.clone()).or_insert(memory.requests);
        let first = &mut memory.relics.first_activated;
        if faults.has(Switch::StaleSchemaOnRestore) && first.iter().all(|t| t.name != tool.name) {
            first.push(Tool::clone(&tool));
        }
        if !state.active.insert(Arc::clone(&tool)) {
            memory.repeated.push(tool);
        }
    }
    if faults.has(Switch::ActiveSetCapped) {
        let over = state.active.len().saturating_sub(session.most);
        state.active = state.active.iter().skip(over).cloned().collect();
    }
}

fn text(faults: Switches, state: &State, selection: &Selection) -> String {
    let found_nothing = selection.activated.is_empty();
    let deferred = state.view.deferred();
    let mut text = selection.text();
    if faults.has(Switch::ContradictoryResult) && !found_nothing {
        text = no_match();
    }
    if faults.has(Switch::CoreSearchMiss) && found_nothing && !selection.already.is_empty() {
        let others = deferred.iter().filter(|tool| !selection.already.contains(&tool.name));
        let others: Vec<_> = others.take(8).map(|tool| tool.name.as_str()).collect();
        text = format!("No on-demand tool matches. There are: {}.", others.join(", "));
    }
    if faults.has(Switch::SilentTruncation) {
        let all =
            selection.activated.iter().chain(&selection.left_out).map(|tool| tool.name.as_str());
        let all: Vec<_> = all.collect();
        if !all.is_empty() {
            text = format!("Activated: {}.", all.join(", "));
        }
    }
    if faults.has(Switch::MissListsEverything) && found_nothing {
        for tool in deferred {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n{}: {}", tool.name, tool.description);
        }
    }
    if faults.has(Switch::SearchResultSchemas) {
        let is_inactive = |tool: &&Arc<Tool>| {
            !state.active.contains(tool.name.as_str())
                && !selection.activated.iter().any(|other| other.name == tool.name)
        };
        for tool in deferred.iter().filter(is_inactive).take(3) {
            let _ = write!(text, "\n{} takes {}", tool.name, tool.input_schema);
        }
    }
    text
}

/// What a search that was cut off would have activated.
pub(super) fn would_have_found(
    session: &Session,
    state: &State,
    arguments: &Value,
) -> Vec<ToolName> {
    let query = arguments.get(QUERY).and_then(Value::as_str).unwrap_or_default();
    let selection = state.view.select(query, &state.active, session.most);
    selection.activated.iter().map(|tool| tool.name.clone()).collect()
}

/// Activates what a text names.
pub(super) fn activate_named(state: &mut State, text: &str) {
    let tools = named(state, text);
    state.active.extend(tools);
}
