//! What became of calls, as far as the requests of a conversation tell.
//!
//! What a search activated shows in the request that first holds its result, and some APIs mark an
//! error. What is not known is told so that the judge leaves it open.

use std::collections::BTreeMap;

use tacit_contract::protocol::Dialect;
use tacit_contract::registry::Registry;
use tacit_contract::trace::Issued;
use tacit_contract::{CallId, Row, Status, ToolCall, ToolName};
use tacit_wire::{Item, RequestView, ShownCall};

use crate::conversation::{Fact, Heard};
use crate::telling::Setting;

/// What the requests of a window tell of their calls.
pub(crate) struct Outcomes<'a> {
    pub(crate) setting: &'a Setting<'a>,
    pub(crate) dialect: &'a Dialect,
    pub(crate) registry: &'a Registry,
    pub(crate) window: &'a [Heard],
}

impl Outcomes<'_> {
    /// What became of the calls that a request was answered with.
    pub(crate) fn of(&self, place: usize, calls: &[Issued]) -> Vec<(CallId, Fact)> {
        let outcome = |call: &Issued| {
            let search = self.is_search(&call.tool);
            let unknown = Fact::unknown(call.tool.clone(), search);
            let ended = |status| Fact { status, ..unknown.clone() };
            let fact = match self.result(place, &call.id) {
                None => unknown,
                Some(Told { is_error: Some(true), .. }) => ended(Some(Status::Error)),
                Some(told) if search => self.activated(place, &told, call, calls),
                Some(told) => ended(told.is_error.map(|_| Status::Ok)),
            };
            (call.id.clone(), fact)
        };
        calls.iter().map(outcome).collect()
    }

    fn is_search(&self, tool: &ToolName) -> bool {
        *tool == self.dialect.search_tool()
    }

    /// The first result of a call after a request.
    fn result(&self, place: usize, id: &CallId) -> Option<Told<'_>> {
        self.window[place + 1..].iter().find_map(|heard| {
            heard.view.items.iter().rev().find_map(|item| match item {
                Item::Result { call_id, text, is_error } if call_id == id => {
                    Some(Told { heard, text, is_error: *is_error })
                }
                _ => None,
            })
        })
    }

    /// What a search activated: of what the request with its result shows, and the one before did
    /// not, what it was asked for by name and what its text names. Of the rest nobody knows what
    /// brought it.
    fn activated(&self, place: usize, told: &Told<'_>, call: &Issued, calls: &[Issued]) -> Fact {
        let alone = calls.iter().filter(|call| self.is_search(&call.tool)).count() == 1;
        let mut fact = Fact::unknown(call.tool.clone(), true);
        let (before, after) = (&self.window[place].view, &told.heard.view);
        let grown = self.grown(before, after);
        if grown.is_empty() {
            // A text that speaks of tools which did not come: nobody knows what was activated.
            let mut deferred = self.registry.deferred(self.setting.mode);
            let speaks = deferred.any(|tool| told.text.contains(tool.as_str()));
            fact.status = (!speaks).then_some(Status::Ok);
            return fact;
        }
        let asked_for = |tool: &ToolName| call.query() == Some(tool.as_str());
        let is_loaded =
            |tool: &ToolName| alone && self.loads(after, tool) > self.loads(before, tool);
        // What was called beside the search may be there for its call.
        let is_called = |tool: &ToolName| calls.iter().any(|call| call.tool == *tool);
        let (named, others): (Vec<_>, Vec<_>) = grown.into_iter().partition(|tool| {
            let speaks = asked_for(tool) || told.text.contains(tool.as_str()) || is_loaded(tool);
            speaks && !is_called(tool)
        });
        let by_another = |tool: &ToolName| {
            let results = told.heard.new_items().iter();
            let mut texts = results.filter_map(|item| match item {
                Item::Result { text, .. } => Some(text),
                _ => None,
            });
            !alone && !is_called(tool) && texts.any(|text| text.contains(tool.as_str()))
        };
        fact.doubted = others.into_iter().filter(|tool| !by_another(tool)).collect();
        fact.status = (!named.is_empty() || fact.doubted.is_empty()).then_some(Status::Ok);
        fact.marker = named;
        fact
    }

    /// The deferred tools that the model can read in a request, and could not in another.
    fn grown(&self, before: &RequestView, after: &RequestView) -> Vec<ToolName> {
        let shown = |view: &RequestView| -> Vec<ToolName> {
            view.visible().map(|tool| self.dialect.unprefixed(&tool.wire_name).into()).collect()
        };
        let before = shown(before);
        let mut grown = shown(after);
        grown.retain(|tool| {
            !before.contains(tool) && self.registry.is_deferred(tool, self.setting.mode)
        });
        grown
    }

    /// At how many places of its conversation a request loads a tool.
    fn loads(&self, view: &RequestView, tool: &ToolName) -> usize {
        let of_tool = view.visible().filter(|shown| shown.loaded_at.is_some());
        of_tool.filter(|shown| self.dialect.unprefixed(&shown.wire_name) == tool.as_str()).count()
    }

    /// What the conversation held before the first prompt of the window, as rows: of a call
    /// without a result nobody knows how it ended, and what a result without its call names, may
    /// be shown or not.
    pub(crate) fn before(&self, facts: &BTreeMap<CallId, Fact>) -> Vec<Row> {
        let Some(first) = self.window.first() else { return Vec::new() };
        let prompt = first.prompt().map_or(0, |(place, _)| place);
        let mut rows = Vec::new();
        for item in &first.view.items[..prompt] {
            let Item::Assistant { calls, .. } = item else { continue };
            for call in calls {
                self.remember(call, facts.get(&call.id), &mut rows);
            }
        }
        rows
    }

    fn remember(&self, call: &ShownCall, fact: Option<&Fact>, rows: &mut Vec<Row>) {
        let name = ToolName::from(self.dialect.unprefixed(&call.wire_name));
        let (id, arguments) = (call.id.clone(), call.arguments.clone());
        let calls = vec![ToolCall { id, name: name.clone(), arguments }];
        rows.push(Row::Assistant { text: None, tool_calls: calls });
        if let Some(fact) = fact {
            rows.extend(fact.row(&call.id));
            rows.extend(self.doubt(&call.id, &fact.doubted));
        }
    }

    /// The row that says that nobody knows whether there is evidence for some tools; `None` where
    /// there are none.
    pub(crate) fn doubt(&self, id: &CallId, tools: &[ToolName]) -> Option<Row> {
        (!tools.is_empty()).then(|| Row::ToolResult {
            call_id: format!("{id} in doubt").into(),
            tool_name: self.dialect.search_tool(),
            status: Status::Ok,
            text: String::new(),
            added_tool_names: Some(tools.to_vec()),
        })
    }
}

/// A result, as the first request tells it that holds it.
struct Told<'a> {
    heard: &'a Heard,
    text: &'a str,
    is_error: Option<bool>,
}
