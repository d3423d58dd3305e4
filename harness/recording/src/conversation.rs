//! A conversation: what its requests have in common, and the requests that are still to be told.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use tacit_contract::{CallId, Row, Status, ToolName};
use tacit_wire::{Item, RequestView};

use crate::Exchange;

/// A request that was heard, and what it adds to the conversation.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) exchange: Exchange,
    pub(crate) view: RequestView,
    /// How many of its items the request before held already.
    pub(crate) old: usize,
    /// Whether the user asked something since the request before.
    pub(crate) prompted: bool,
}

impl Heard {
    /// What the conversation holds since the request before.
    pub(crate) fn new_items(&self) -> &[Item] {
        &self.view.items[self.old..]
    }

    /// Whether the model had answered something before the prompt that the request begins.
    pub(crate) fn goes_on(&self) -> bool {
        let prompt = self.prompt().map_or(0, |(place, _)| place);
        self.view.items[..prompt].iter().any(|item| matches!(item, Item::Assistant { .. }))
    }

    /// What the user asked, in the request that begins a prompt, and where that stands.
    pub(crate) fn prompt(&self) -> Option<(usize, &str)> {
        self.view.items.iter().enumerate().rev().find_map(|(place, item)| match item {
            Item::User { texts } => texts.last().map(|text| (place, text.as_str())),
            _ => None,
        })
    }
}

/// What is known of a call of an earlier prompt.
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    pub(crate) tool: ToolName,
    pub(crate) search: bool,
    /// How it ended; `None` where the recording does not say.
    pub(crate) status: Option<Status>,
    /// What it activated, where it is a search.
    pub(crate) marker: Vec<ToolName>,
    /// What came with its result, and nobody knows whether it brought it.
    pub(crate) doubted: Vec<ToolName>,
}

impl Fact {
    /// A call of which nothing is known yet.
    pub(crate) fn unknown(tool: ToolName, search: bool) -> Self {
        Self { tool, search, status: None, marker: Vec::new(), doubted: Vec::new() }
    }

    /// Its result; `None` where nothing is known of it.
    pub(crate) fn row(&self, id: &CallId) -> Option<Row> {
        Some(Row::ToolResult {
            call_id: id.clone(),
            tool_name: self.tool.clone(),
            status: self.status?,
            text: String::new(),
            added_tool_names: self.search.then(|| self.marker.clone()),
        })
    }
}

/// A conversation.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    pub(crate) number: usize,
    /// The calls that were told already.
    pub(crate) facts: BTreeMap<CallId, Fact>,
    /// What is still to be told.
    pub(crate) window: Vec<Heard>,
    /// How many bytes that is.
    pub(crate) bytes: usize,
    /// Whether it may go on from another that the runtime has put behind it, in the middle of a
    /// prompt: what was active there may still be, until the next one.
    pub(crate) resumes: bool,
    /// Whether nothing is told until the user asks something.
    pub(crate) waits: bool,
    /// The state after its last request.
    pub(crate) end: u64,
    /// When it was last heard of.
    pub(crate) heard: u64,
}

/// The states of a conversation after each of its items, the empty one first.
pub(crate) fn states(items: &[Item]) -> Vec<u64> {
    let mut states = Vec::with_capacity(items.len() + 1);
    let mut state = 0;
    states.push(state);
    for item in items {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        // What a view cannot say as JSON, it cannot hold.
        serde_json::to_string(item).unwrap_or_default().hash(&mut hasher);
        state = hasher.finish();
        states.push(state);
    }
    states
}

/// Whether the user spoke last in what is new.
pub(crate) fn asks(new: &[Item]) -> bool {
    let said = new.iter().rev().find(|item| !matches!(item, Item::System { .. }));
    matches!(said, Some(Item::User { .. }))
}
