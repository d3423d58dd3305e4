//! Which rows may be kept otherwise, and which may count.

use tacit_contract::{CallId, Row, Status, ToolName};

use crate::activation::evidence::{Claim, Ground, Outcome, effective};
use crate::activation::{MOST_ACTIVATED, SEARCH};
use crate::provider::Halt;
use crate::session::{Session, State};
use crate::switches::{Kept, Switch};

/// Whether a claim counts as evidence, where its being so is left open; `None` where the usual
/// answer holds. `before` is how many rows have left the context.
pub(crate) fn counts(
    session: &Session,
    state: &State,
    claim: &Claim<'_>,
    before: usize,
) -> Option<bool> {
    let switches = session.options.switches;
    let place = before + claim.row;
    let row = state.rows.get(place)?;
    let by_search = *claim.source == SEARCH;
    if switches.has(Switch::CameBackForgotten)
        && state.memory.kept.removed.get(claim.tool).is_some_and(|removed| place < *removed)
    {
        return Some(false);
    }
    let Row::ToolResult { call_id, status, added_tool_names, .. } = row else { return None };
    if switches.has(Switch::WasCoreForgotten)
        && claim.ground == Ground::Use
        && state.memory.kept.of_core.contains(call_id)
    {
        return Some(false);
    }
    let own = match claim.ground {
        Ground::Use => !by_search,
        Ground::Marker(place) => by_search && place < MOST_ACTIVATED,
    };
    if switches.has(Switch::OrphanRestored)
        && claim.outcome == Outcome::Unasked
        && *status == Status::Ok
        && !was_called(&state.rows, call_id, claim.source)
    {
        return Some(own);
    }
    let long = added_tool_names.as_ref().is_some_and(|names| names.len() > MOST_ACTIVATED);
    if long && by_search && claim.outcome == Outcome::Ok && claim.ground != Ground::Use {
        if switches.has(Switch::LongMarkerRestored) {
            return Some(true);
        }
        if switches.has(Switch::LongMarkerIgnored) {
            return Some(false);
        }
    }
    None
}

fn was_called(rows: &[Row], id: &CallId, tool: &ToolName) -> bool {
    rows.iter().any(|row| match row {
        Row::Assistant { tool_calls, .. } => {
            tool_calls.iter().any(|call| call.id == *id && call.name == *tool)
        }
        _ => false,
    })
}

/// Takes away the rows of a prompt that came to nothing; `begun` is how many there were before.
pub(crate) fn drop_prompt(session: &Session, halt: &Halt, begun: usize) {
    let switches = session.options.switches;
    let dropped = match halt {
        Halt::Failed(_) => switches.has(Switch::FailedPromptDropped),
        Halt::Aborted => switches.has(Switch::AbortedPromptDropped),
    };
    if dropped {
        session.state.borrow_mut().rows.truncate(begun);
    }
}

/// Where the checkpoint of a compaction stands: at the end, or before the last turn.
pub(crate) fn place_of_checkpoint(session: &Session, rows: &[Row]) -> usize {
    if !session.options.switches.has(Switch::CompactionKeepsTail) {
        return rows.len();
    }
    let left = rows.len() - effective(rows).len();
    let last = rows.iter().rposition(|row| matches!(row, Row::User { .. }));
    last.filter(|last| *last >= left).unwrap_or(rows.len())
}

/// What has to be known at the next start beside the rows; nothing for most runtimes.
pub(crate) fn kept(session: &Session, state: &State) -> Option<Kept> {
    let switches = session.options.switches;
    let keeps = switches.has(Switch::CameBackForgotten) || switches.has(Switch::WasCoreForgotten);
    keeps.then(|| state.memory.kept.clone())
}
