//! What comes back when a prompt begins.

use std::sync::Arc;

use tacit_contract::{Revision, Row, Status, Tool};

use crate::activation::evidence::{Claim, Ground, Outcome, claims, effective};
use crate::activation::{ActiveSet, SEARCH};
use crate::provider::Halt;
use crate::session::{Session, State};
use crate::switches::{Switch, Switches};
use crate::variants::rows as variants;

/// The active set that a prompt begins with, or why it cannot begin.
pub(crate) fn begin(session: &Session, state: &mut State, prompt: &str) -> Result<(), String> {
    let faults = session.options.switches;
    let mut active = ActiveSet::default();
    if faults.has(Switch::KeepsSetAcrossPrompts) {
        active.extend(deferred(state, state.active.iter().map(|tool| tool.name.as_str())));
    }
    let inherited = std::mem::take(&mut state.memory.inherited);
    active.extend(deferred(state, inherited.iter().map(tacit_contract::ToolName::as_str)));
    let blocked = faults.has(Switch::AbortBlocksRestore) && state.memory.stopped;
    let restores = session.options.revision != Revision::R1 && !blocked;
    if restores && !faults.has(Switch::NoRestoreOnPrompt) {
        active.extend(restored(session, state)?);
    }
    if faults.has(Switch::TextActivates) {
        active.extend(named(state, prompt));
    }
    if faults.has(Switch::StaleSchemaOnRestore) {
        let first = &state.memory.relics.first_activated;
        let as_it_was = |tool: &Arc<Tool>| match first.iter().find(|was| was.name == tool.name) {
            Some(was) => Arc::new(was.clone()),
            None => Arc::clone(tool),
        };
        active = active.iter().map(as_it_was).collect();
    }
    state.memory.prompts += 1;
    state.memory.in_prompt = 0;
    state.memory.stopped = false;
    state.memory.since.clear();
    state.memory.repeated.clear();
    state.memory.at_start = active.clone();
    state.active = active;
    Ok(())
}

fn restored(session: &Session, state: &State) -> Result<Vec<Arc<Tool>>, String> {
    let faults = session.options.switches;
    let rows = if faults.has(Switch::ActivationSurvivesMarkerLoss) {
        &state.rows[..]
    } else {
        effective(&state.rows)
    };
    restored_by(session, state, rows)
}

/// What the last rows of a session restore; nothing where they cannot be read.
pub(crate) fn restored_from(session: &Session, state: &State, rows: &[Row]) -> Vec<Arc<Tool>> {
    restored_by(session, state, rows).unwrap_or_default()
}

fn restored_by(session: &Session, state: &State, rows: &[Row]) -> Result<Vec<Arc<Tool>>, String> {
    let faults = session.options.switches;
    let before = state.rows.len() - rows.len();
    let claims = claims(rows);
    if faults.has(Switch::MissingResultEndsPrompt)
        && claims.iter().any(|claim| claim.outcome == Outcome::Missing)
    {
        return Err("the transcript holds a call that nothing answers".to_owned());
    }
    let last_turn = rows.iter().rposition(|row| matches!(row, Row::User { .. }));
    let since = last_turn.filter(|_| faults.has(Switch::RestoresLastTurnOnly));
    let newest_marker = claims
        .iter()
        .filter(|claim| claim.holds() && *claim.source == SEARCH)
        .map(|claim| claim.row)
        .max();
    let mut tools = Vec::new();
    for claim in claims {
        let known = before + claim.row >= unrecognised(session, state)
            && claim.row >= since.unwrap_or_default()
            && !forgets(session, state, &claim, before);
        let newest = *claim.source != SEARCH || Some(claim.row) == newest_marker;
        let last_only = faults.has(Switch::RestoreLastSearchOnly);
        if !known || (last_only && !newest) {
            continue;
        }
        if claim.holds() && faults.has(Switch::OwnResultEvidenceIgnored) && *claim.source != SEARCH
        {
            continue;
        }
        let usual = claim.holds() || admits(faults, &claim);
        if variants::counts(session, state, &claim, before).unwrap_or(usual) {
            tools.extend(find(faults, state, &claim)?);
        } else if faults.has(Switch::LaterFailureRemoves) && claim.outcome == Outcome::Error {
            tools.retain(|tool: &Arc<Tool>| tool.name != *claim.tool);
        }
    }
    tools.extend(
        rows.iter().filter_map(|row| prose(faults, row)).flat_map(|text| named(state, text)),
    );
    Ok(tools)
}

/// Whether a claim is passed over.
fn forgets(session: &Session, state: &State, claim: &Claim<'_>, before: usize) -> bool {
    let faults = session.options.switches;
    let loaded = state.memory.rows_of_state;
    let opened_with = loaded.max(state.memory.rows_of_transcript);
    if faults.has(Switch::RestoreBeforeLateRegistration)
        && before + claim.row < opened_with
        && !state.memory.at_opening.contains(claim.tool)
    {
        return true;
    }
    match claim.ground {
        Ground::Use => faults.has(Switch::RestartForgetsUse) && before + claim.row < loaded,
        Ground::Marker(place) => faults.has(Switch::RestoresFirstName) && place > 0,
    }
}

/// What the end of a prompt leaves behind.
pub(crate) fn on_end<T>(session: &Session, went: &Result<T, Halt>) {
    let stopped = matches!(went, Err(Halt::Aborted));
    session.state.borrow_mut().memory.stopped = stopped;
}

/// What a compaction leaves behind.
pub(crate) fn on_compacted(session: &Session, state: &mut State) {
    state.memory.compacted = true;
    if session.options.switches.has(Switch::SetKeptOverCompaction) {
        let kept = state.active.iter().map(|tool| tool.name.clone());
        state.memory.inherited = kept.collect();
    }
}

/// How many rows are not recognised for what they are.
fn unrecognised(session: &Session, state: &State) -> usize {
    let faults = session.options.switches;
    let of_state = faults.has(Switch::RestoreLiveShapeOnly)
        || (faults.has(Switch::ProviderSwitchDrops)
            && state.memory.saved_with.is_some_and(|saved| saved != session.provider_kind()));
    let of_transcript = faults.has(Switch::RestoreOnlyOnResumeEvent);
    let state_rows = if of_state { state.memory.rows_of_state } else { 0 };
    let transcript_rows = if of_transcript { state.memory.rows_of_transcript } else { 0 };
    state_rows.max(transcript_rows)
}

/// Whether a claim that is no evidence is taken for one.
fn admits(faults: Switches, claim: &Claim<'_>) -> bool {
    let by_search = *claim.source == SEARCH;
    match (claim.outcome, claim.ground) {
        (Outcome::Ok, Ground::Marker(_)) => faults.has(Switch::ForeignMarkerCounts) && !by_search,
        (Outcome::Error, Ground::Marker(_)) => faults.has(Switch::ErrorRowCounts) && by_search,
        (Outcome::Error, Ground::Use) => faults.has(Switch::FailedUseCounts),
        (Outcome::Interrupted, Ground::Marker(_)) => {
            faults.has(Switch::InterruptedCounts) && by_search
        }
        (Outcome::Interrupted, Ground::Use) => {
            faults.has(Switch::InterruptedCounts) || faults.has(Switch::InterruptedUseCounts)
        }
        (Outcome::Missing, _) => faults.has(Switch::RestoreMissing),
        (Outcome::Ok, Ground::Use) | (Outcome::Unasked, _) => false,
    }
}

fn find(faults: Switches, state: &State, claim: &Claim<'_>) -> Result<Option<Arc<Tool>>, String> {
    let name = claim.tool.as_str();
    if let Some(tool) = state.view.find_deferred(name) {
        return Ok(Some(Arc::clone(tool)));
    }
    let anywhere = state.view.registry().get(name);
    if anywhere.is_none() && faults.has(Switch::RestoreUnknownNameThrows) {
        return Err("the transcript names a tool that cannot be found".to_owned());
    }
    let outside = faults.has(Switch::RestoresOutsideCatalog) && !state.view.is_always(name);
    Ok(anywhere.filter(|_| outside).cloned())
}

/// The text of a row, if it is read for names.
fn prose(faults: Switches, row: &Row) -> Option<&str> {
    if faults.has(Switch::MarkerTextCounts) {
        let text = match row {
            Row::User { text } | Row::Checkpoint { summary: text } => Some(text),
            Row::Assistant { text, .. } => text.as_ref(),
            Row::ToolResult { .. } => None,
        };
        return text.filter(|text| text.contains("addedToolNames")).map(String::as_str);
    }
    match row {
        Row::User { text } => Some(text).filter(|_| faults.has(Switch::RestoreProse)),
        Row::Assistant { text, .. } => text.as_ref().filter(|_| faults.has(Switch::RestoreProse)),
        Row::Checkpoint { summary } => Some(summary).filter(|_| faults.has(Switch::SummaryCounts)),
        Row::ToolResult { tool_name, status: Status::Ok, text, .. } if *tool_name != SEARCH => {
            Some(text).filter(|_| faults.has(Switch::ResultTextCounts))
        }
        Row::ToolResult { .. } => None,
    }
    .map(String::as_str)
}

/// The deferred tools that a text names.
pub(super) fn named(state: &State, text: &str) -> Vec<Arc<Tool>> {
    let tools = state.view.deferred().iter();
    tools.filter(|tool| text.contains(tool.name.as_str())).cloned().collect()
}

fn deferred<'a>(state: &State, names: impl Iterator<Item = &'a str>) -> Vec<Arc<Tool>> {
    names.filter_map(|name| state.view.find_deferred(name).cloned()).collect()
}
