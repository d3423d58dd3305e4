//! Evidence: what a transcript says was activated, and which of that counts.

use std::sync::Arc;

use tacit_contract::{Row, Status, Tool, ToolName};

use super::pairing::Pairing;
use super::{MOST_ACTIVATED, SEARCH, View};

/// How the call behind a claim ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It succeeded.
    Ok,
    /// It failed, was denied or timed out.
    Error,
    /// It was cut off.
    Interrupted,
    /// No result was ever recorded.
    Missing,
    /// There is a result, but no call that it answers.
    Unasked,
}

/// What a claim rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// The tool was called.
    Use,
    /// The tool stands at this place of a row's marker.
    Marker(usize),
}

/// One place of a transcript that speaks for a tool. Most claims are no evidence.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// The tool that it speaks for.
    pub tool: &'a ToolName,
    /// The tool whose call or result it is.
    pub source: &'a ToolName,
    /// What it rests on.
    pub ground: Ground,
    /// How that call ended.
    pub outcome: Outcome,
    /// The row, counted from the start of the stretch.
    pub row: usize,
}

impl Claim<'_> {
    /// Whether this is evidence: a success, and either the tool's own or a search's marker, of
    /// which no more counts than one search can activate.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.outcome == Outcome::Ok
            && match self.ground {
                Ground::Use => *self.source != SEARCH,
                Ground::Marker(place) => *self.source == SEARCH && place < MOST_ACTIVATED,
            }
    }
}

/// The part of a transcript that the model still sees: from the last checkpoint on.
#[must_use]
pub fn effective(rows: &[Row]) -> &[Row] {
    let start = rows.iter().rposition(|row| matches!(row, Row::Checkpoint { .. }));
    &rows[start.unwrap_or_default()..]
}

/// Every claim of a stretch of transcript, in order, evidence or not. Prose makes none.
#[must_use]
pub fn claims(rows: &[Row]) -> Vec<Claim<'_>> {
    let pairing = Pairing::of(rows);
    let mut claims = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        match row {
            Row::Assistant { tool_calls, .. } => {
                for (nth, call) in tool_calls.iter().enumerate() {
                    if pairing.answer(place, nth).is_none() {
                        claims.push(Claim {
                            tool: &call.name,
                            source: &call.name,
                            ground: Ground::Use,
                            outcome: Outcome::Missing,
                            row: place,
                        });
                    }
                }
            }
            Row::ToolResult { tool_name, status, added_tool_names, .. } => {
                let outcome = match status {
                    _ if !pairing.is_answer(place) => Outcome::Unasked,
                    Status::Ok => Outcome::Ok,
                    Status::Error => Outcome::Error,
                    Status::Interrupted => Outcome::Interrupted,
                };
                let claim =
                    |tool, ground| Claim { tool, source: tool_name, ground, outcome, row: place };
                claims.push(claim(tool_name, Ground::Use));
                claims.extend(
                    added_tool_names
                        .iter()
                        .flatten()
                        .enumerate()
                        .map(|(nth, tool)| claim(tool, Ground::Marker(nth))),
                );
            }
            Row::User { .. } | Row::Checkpoint { .. } => {}
        }
    }
    claims
}

/// The deferred tools that a transcript brings back at the start of a prompt.
///
/// A pure function of the rows and the view: only evidence in the effective context counts, and
/// only for tools that the current mode defers, so a plugin that is gone, a core tool or an
/// unknown name falls through without a word.
#[must_use]
pub fn restored(rows: &[Row], view: &View) -> Vec<Arc<Tool>> {
    claims(effective(rows))
        .into_iter()
        .filter(Claim::holds)
        .filter_map(|claim| view.find_deferred(claim.tool.as_str()).cloned())
        .collect()
}
