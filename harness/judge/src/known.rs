//! What is known of each call of a session: how it ended, and what it is evidence for.
//!
//! With `transcript` the rows say so. Without it, a tool's result is an error unless the host
//! answered `ok` to its call, and a search's marker is what became visible in the request that
//! first holds its result.

use std::collections::{BTreeMap, BTreeSet};

use tacit_contract::runtime::HostStatus;
use tacit_contract::{CallId, Mode, Row, Status, ToolName};

use crate::account::{Account, PromptAccount, RowsAt, SessionAccount, is_search, same_call};

/// What is known of the calls of one session.
#[derive(Debug, Clone, Default)]
pub struct Known {
    facts: BTreeMap<CallId, Fact>,
    /// Tools that a result row with no call names: an accepted reading restores them.
    pub orphans: BTreeSet<ToolName>,
    /// Tools that such a row names where a history is known in part: nobody knows whether there
    /// is evidence for them.
    pub doubted: BTreeSet<ToolName>,
}

/// What is known of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The tool.
    pub tool: ToolName,
    /// Whether it is a search.
    pub search: bool,
    /// How it ended.
    pub ending: Ending,
    /// The names in its result's marker, whatever tool it belongs to.
    pub marker: Vec<ToolName>,
    /// The entry of the trace since which it is there.
    pub since: usize,
    /// The prompt in which it was made, from 1; 0 where a seeded transcript holds it.
    pub prompt: u32,
    /// The mode in which it was made.
    pub mode: Mode,
}

/// How a call ended, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// With a result of this status.
    Result(Status),
    /// Without a result row.
    Missing,
    /// Nothing shows it.
    Unknown,
}

impl Fact {
    /// The tools that the call's success is evidence for: the marker of a search, else the tool
    /// itself. Empty where it did not succeed.
    #[must_use]
    pub fn proves(&self) -> Vec<&ToolName> {
        match (self.ending, self.search) {
            (Ending::Result(Status::Ok), true) => self.marker.iter().collect(),
            (Ending::Result(Status::Ok), false) => vec![&self.tool],
            _ => Vec::new(),
        }
    }

    /// The tools that the call would be evidence for, had it succeeded.
    #[must_use]
    pub fn speaks_of(&self) -> Vec<&ToolName> {
        if self.search { self.marker.iter().collect() } else { vec![&self.tool] }
    }
}

impl Known {
    /// Gathers what a session's trace shows.
    #[must_use]
    pub fn of(account: &Account<'_>, session: &SessionAccount<'_>) -> Self {
        let mut known = Self::default();
        let search = account.dialect.search_tool();
        let first_mode = session.prompts.first().map_or(Mode::Agent, |prompt| prompt.mode);
        for rows in session.rows.iter().filter(|rows| rows.seeded) {
            known.learn_seeded(rows, &search, first_mode);
        }
        for prompt in &session.prompts {
            known.learn_issued(account, session, prompt);
        }
        known
    }

    /// What is known of a call.
    #[must_use]
    pub fn get(&self, id: &CallId) -> Option<&Fact> {
        self.facts.get(id)
    }

    /// Every call.
    pub fn iter(&self) -> impl Iterator<Item = (&CallId, &Fact)> {
        self.facts.iter()
    }

    fn learn_seeded(&mut self, rows: &RowsAt<'_>, search: &ToolName, mode: Mode) {
        let unanswered = if rows.partial { Ending::Unknown } else { Ending::Missing };
        for row in rows.rows {
            match row {
                Row::Assistant { tool_calls, .. } => {
                    for call in tool_calls {
                        self.facts.entry(call.id.clone()).or_insert_with(|| Fact {
                            tool: call.name.clone(),
                            search: call.name == *search,
                            ending: unanswered,
                            marker: Vec::new(),
                            since: rows.entry,
                            prompt: 0,
                            mode,
                        });
                    }
                }
                Row::ToolResult { call_id, tool_name, status, added_tool_names, .. } => {
                    let marker = added_tool_names.clone().unwrap_or_default();
                    match self.facts.get_mut(call_id) {
                        Some(fact) if fact.tool == *tool_name => {
                            // A second result for one call is no evidence.
                            if fact.ending == unanswered {
                                fact.ending = Ending::Result(*status);
                                fact.marker = marker;
                            }
                        }
                        _ => {
                            let named =
                                if rows.partial { &mut self.doubted } else { &mut self.orphans };
                            named.insert(tool_name.clone());
                            named.extend(marker);
                        }
                    }
                }
                Row::User { .. } | Row::Checkpoint { .. } => {}
            }
        }
    }

    fn learn_issued(
        &mut self,
        account: &Account<'_>,
        session: &SessionAccount<'_>,
        prompt: &PromptAccount<'_>,
    ) {
        for (request, issued) in prompt.issued() {
            let (ending, marker) = if account.has_transcript() {
                session
                    .rows
                    .iter()
                    .filter(|rows| !rows.seeded && rows.entry > request.entry)
                    .find_map(|rows| result_row(rows.rows, &issued.id))
                    .map_or((Ending::Unknown, Vec::new()), |(status, marker)| {
                        (Ending::Result(status), marker)
                    })
            } else if is_search(issued) {
                let marker = prompt
                    .turns()
                    .find(|later| later.result(&issued.id).is_some())
                    .map(|later| {
                        let mut grown: Vec<ToolName> = later.shown.names().cloned().collect();
                        grown.retain(|tool| {
                            !request.shows(tool) && prompt.registry.is_deferred(tool, prompt.mode)
                        });
                        grown
                    })
                    .unwrap_or_default();
                (Ending::Result(Status::Ok), marker)
            } else {
                let ok = prompt.host_calls(issued).any(|at| {
                    at.call.method == "tool.execute" && at.answer.status == HostStatus::Ok
                });
                (Ending::Result(if ok { Status::Ok } else { Status::Error }), Vec::new())
            };
            self.facts.insert(
                issued.id.clone(),
                Fact {
                    tool: issued.tool.clone(),
                    search: is_search(issued),
                    ending,
                    marker,
                    since: request.entry,
                    prompt: prompt.number,
                    mode: prompt.mode,
                },
            );
        }
    }
}

/// The status and the marker of the first result row of a call.
#[must_use]
pub fn result_row(rows: &[Row], id: &CallId) -> Option<(Status, Vec<ToolName>)> {
    rows.iter().find_map(|row| match row {
        Row::ToolResult { call_id, status, added_tool_names, .. } if same_call(call_id, id) => {
            Some((*status, added_tool_names.clone().unwrap_or_default()))
        }
        _ => None,
    })
}
