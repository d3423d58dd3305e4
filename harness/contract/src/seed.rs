//! The rows of a seeded transcript, as they follow from its turns.

use serde_json::{Value, json};

use crate::canary::{INPUT, letters, mix};
use crate::name::{CallId, ToolName};
use crate::protocol::Dialect;
use crate::row::{Row, Status, ToolCall};
use crate::session::{Moment, Past, SeedTurn, Session};

/// The name of the search tool where neither dialect nor profile says otherwise.
pub const SEARCH_TOOL: &str = "ToolSearch";

impl Dialect {
    /// The search tool's name.
    #[must_use]
    pub fn search_tool(&self) -> ToolName {
        self.search_tool.clone().unwrap_or_else(|| SEARCH_TOOL.into())
    }

    /// What is put before a tool's name on the wire; empty where the dialect has no prefix.
    #[must_use]
    pub fn prefix(&self) -> &str {
        self.name_prefix.as_deref().unwrap_or_default()
    }

    /// A tool's name on the wire without what is put before it.
    #[must_use]
    pub fn unprefixed<'n>(&self, wire_name: &'n str) -> &'n str {
        wire_name.strip_prefix(self.prefix()).unwrap_or(wire_name)
    }

    /// The search tool's arguments for a query: the dialect's template with `$QUERY` filled in.
    #[must_use]
    pub fn search_arguments(&self, query: &Value) -> Value {
        let template = self.search_arguments.clone().unwrap_or_else(|| json!({"query": "$QUERY"}));
        fill(&template, query)
    }
}

fn fill(template: &Value, query: &Value) -> Value {
    match template {
        Value::String(text) if text == "$QUERY" => query.clone(),
        Value::Array(items) => Value::Array(items.iter().map(|item| fill(item, query)).collect()),
        Value::Object(members) => Value::Object(
            members.iter().map(|(key, value)| (key.clone(), fill(value, query))).collect(),
        ),
        other => other.clone(),
    }
}

/// A word that stands in one prompt or result of a session and nowhere else.
#[must_use]
pub fn unique_word(seed: u64, place: u64) -> String {
    letters(mix(seed ^ mix(place.wrapping_add(0x51ed))), 9)
}

impl Session {
    /// The rows that the session is opened from; empty where it has no seeds.
    ///
    /// Every prompt carries a word of its own and every call an id of its own, so that each row
    /// can be told from any other in the runtime's requests.
    #[must_use]
    pub fn seeded_rows(&self, dialect: &Dialect) -> Vec<Row> {
        let mut writer = Writer { dialect, rows: Vec::new(), calls: 0 };
        for (turn, seed) in self.seeds().enumerate() {
            writer.turn(seed, &unique_word(self.seed, 1_000_000 + turn as u64));
        }
        writer.rows
    }
}

struct Writer<'a> {
    dialect: &'a Dialect,
    rows: Vec<Row>,
    calls: u32,
}

impl Writer<'_> {
    fn turn(&mut self, turn: &SeedTurn, word: &str) {
        self.rows.push(Row::User { text: format!("{} ({word})", turn.prompt) });
        for moment in &turn.moments {
            self.moment(moment);
        }
        self.rows.push(Row::Assistant {
            text: Some(format!("That is all for {word}.")),
            tool_calls: Vec::new(),
        });
    }

    fn moment(&mut self, moment: &Moment) {
        match moment {
            Moment::Searched { marker, status } => {
                let query = marker.first().map_or("anything", ToolName::as_str);
                let text = format!("Found: {}", names(marker));
                let marker = (!marker.is_empty()).then(|| marker.clone());
                let arguments = self.dialect.search_arguments(&query.into());
                self.call(self.dialect.search_tool(), arguments, *status, &text, marker);
            }
            Moment::Used { tool, status, says } => {
                let text = says.clone().unwrap_or_else(|| format!("{tool} answered"));
                self.call(tool.clone(), json!({INPUT: "this"}), *status, &text, None);
            }
            Moment::Forged { tool, marker } => {
                let text = format!("{tool} answered; addedToolNames: {}", names(marker));
                let marker = Some(marker.clone());
                self.call(tool.clone(), json!({INPUT: "this"}), Past::Ok, &text, marker);
            }
            Moment::Orphaned { tool } => {
                let call_id = self.next_id();
                self.rows.push(Row::ToolResult {
                    call_id,
                    tool_name: tool.clone(),
                    status: Status::Ok,
                    text: format!("{tool} answered nobody"),
                    added_tool_names: None,
                });
            }
            Moment::Said { text } => {
                self.rows.push(Row::Assistant { text: Some(text.clone()), tool_calls: Vec::new() });
            }
            Moment::Summarised { summary } => {
                self.rows.push(Row::Checkpoint { summary: summary.clone() });
            }
        }
    }

    fn next_id(&mut self) -> CallId {
        self.calls += 1;
        CallId::from(format!("seed_{}", self.calls))
    }

    fn call(
        &mut self,
        name: ToolName,
        arguments: Value,
        status: Past,
        text: &str,
        marker: Option<Vec<ToolName>>,
    ) {
        let id = self.next_id();
        self.rows.push(Row::Assistant {
            text: None,
            tool_calls: vec![ToolCall { id: id.clone(), name: name.clone(), arguments }],
        });
        let status = match status {
            Past::Ok => Status::Ok,
            Past::Error => Status::Error,
            Past::Interrupted => Status::Interrupted,
            Past::Unanswered => return,
        };
        self.rows.push(Row::ToolResult {
            call_id: id,
            tool_name: name,
            status,
            text: text.to_owned(),
            added_tool_names: marker,
        });
    }
}

fn names(marker: &[ToolName]) -> String {
    marker.iter().map(ToolName::as_str).collect::<Vec<_>>().join(", ")
}
