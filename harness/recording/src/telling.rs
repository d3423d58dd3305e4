//! Telling a piece of a conversation as a trace.
//!
//! A trace of the stage says what every call came to. A recording says so in part: what a search
//! activated shows in the request that first holds its result, and some APIs mark an error. What is
//! not known is told so that the judge leaves it open: a call without a result row in the rows, or
//! a result row without its call.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use tacit_contract::protocol::{Api, Dialect, PromptEnd, Stop};
use tacit_contract::registry::Registry;
use tacit_contract::session::{Failure, Outcome};
use tacit_contract::trace::{Answered, From, Issued, RequestClass};
use tacit_contract::{
    Call, CallId, Mode, Profile, ProviderKind, Query, Row, Seen, Status, Tool, ToolCall, ToolName,
};
use tacit_wire::{Channel, Item, RequestView, ShownCall, Visibility};

use crate::Exchange;
use crate::conversation::{Conversation, Fact, Heard};
use crate::writer::{Piece, Writer, description};

/// What a recording is told under.
#[derive(Clone, Copy)]
pub struct Setting<'s> {
    /// The profile: what the runtime calls things.
    pub profile: &'s Profile,
    /// The mode that it was recorded in.
    pub mode: Mode,
    /// The registry, as far as it is known once these requests have been seen.
    pub tools: &'s dyn Fn(&[&RequestView]) -> Arc<Vec<Tool>>,
}

impl Setting<'_> {
    /// Whether the model can start a new context.
    pub(crate) fn starts_anew(&self) -> bool {
        self.dialect().new_context.is_some()
    }

    fn dialect(&self) -> Dialect {
        self.profile.dialect(&Dialect::default())
    }

    /// The tools that the model can read in a request, by the registry's names.
    fn shown(&self, view: &RequestView) -> Vec<ToolName> {
        let (dialect, visible) = (self.dialect(), view.visible());
        visible.map(|tool| dialect.unprefixed(&tool.wire_name).into()).collect()
    }
}

/// A request that belongs to no conversation: its form alone can be judged.
pub(crate) fn alone(setting: &Setting<'_>, exchange: &Exchange) -> Piece {
    let api = exchange.api.unwrap_or(Api::OpenaiChat);
    let native = tacit_wire::read(api, exchange.body.as_bytes()).is_ok_and(|view| defers(&view));
    let provider = ProviderKind { api, native };
    let mut writer = Writer::new(setting, provider, Arc::default(), From::Nothing);
    writer.request(exchange, RequestClass::Helper, Answered::Text);
    writer.finish()
}

/// Whether a request holds definitions in a form that only a provider takes which defers.
fn defers(view: &RequestView) -> bool {
    let natively =
        |channel, visibility| channel != Channel::Tools || visibility != Visibility::Visible;
    view.tools.iter().any(|tool| natively(tool.channel, tool.visibility))
}

/// Tells the requests of a conversation that are still to be told, and keeps what is known of
/// their calls.
pub(crate) fn tell(setting: &Setting<'_>, conversation: &mut Conversation) -> Piece {
    let window = std::mem::take(&mut conversation.window);
    let views: Vec<&RequestView> = window.iter().map(|heard| &heard.view).collect();
    let tools = (setting.tools)(&views);
    let api = window.first().and_then(|heard| heard.exchange.api).unwrap_or(Api::OpenaiChat);
    let provider = ProviderKind { api, native: views.iter().any(|view| defers(view)) };
    let dialect = setting.dialect();
    let probe = description(setting.mode, provider);
    let registry = Registry::new(Arc::clone(&tools), setting.profile, &probe);
    let teller = Teller { setting, dialect, registry, window: &window };
    let mut rows = teller.before(&conversation.facts);
    if conversation.resumes {
        rows.push(teller.anything("before"));
    }
    let from = if rows.is_empty() { From::Nothing } else { From::SeededRows { rows } };
    let mut writer = Writer::new(setting, provider, tools, from);
    let mut prompt: Vec<Row> = Vec::new();
    for (place, heard) in window.iter().enumerate() {
        if heard.prompted {
            if place > 0 {
                end(&mut writer, std::mem::take(&mut prompt), true);
            }
            let text = heard.prompt().map(|(_, text)| text.to_owned()).unwrap_or_default();
            writer.see(Seen::Prompted { step: 0, text });
        }
        let again = place > 0 && heard.new_items().is_empty();
        let class = if again { RequestClass::Repeat } else { RequestClass::Turn };
        let answer = teller.answer(place);
        if let Answered::Calls { calls, .. } = &answer {
            for (call, fact) in teller.outcomes(place, calls) {
                if let Some(status) = fact.status {
                    prompt.push(Row::ToolResult {
                        call_id: call.clone(),
                        tool_name: fact.tool.clone(),
                        status,
                        text: String::new(),
                        added_tool_names: fact.search.then(|| fact.marker.clone()),
                    });
                }
                conversation.facts.insert(call, fact);
            }
        }
        writer.request(&heard.exchange, class, answer);
    }
    end(&mut writer, prompt, false);
    writer.finish()
}

/// A prompt is over: so much is sure where another begins.
fn end(writer: &mut Writer, rows: Vec<Row>, sure: bool) {
    if sure {
        writer.see(Seen::PromptEnded(PromptEnd {
            stop: Stop::End,
            text: None,
            error: None,
            activity: None,
        }));
    }
    writer.see(Seen::Transcript { rows });
}

struct Teller<'a> {
    setting: &'a Setting<'a>,
    dialect: Dialect,
    registry: Registry,
    window: &'a [Heard],
}

impl Teller<'_> {
    /// What the conversation held before the first prompt of the window, as rows.
    ///
    /// A call of which nothing is known stands there as a result without its call: the contract
    /// leaves open whether that restores its tool.
    fn before(&self, facts: &BTreeMap<CallId, Fact>) -> Vec<Row> {
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
        let result = |call_id: &str, status, added: Vec<ToolName>| Row::ToolResult {
            call_id: call_id.into(),
            tool_name: name.clone(),
            status,
            text: String::new(),
            added_tool_names: (!added.is_empty()).then_some(added),
        };
        if let Some(Fact { status: Some(status), marker, .. }) = fact {
            let (id, arguments) = (call.id.clone(), call.arguments.clone());
            let call = ToolCall { id, name: name.clone(), arguments };
            rows.push(Row::Assistant { text: None, tool_calls: vec![call.clone()] });
            rows.push(result(call.id.as_str(), *status, marker.clone()));
            return;
        }
        let id = format!("{} unknown", call.id);
        if name == self.dialect.search_tool() {
            rows.push(self.anything(&id));
        } else {
            rows.push(result(&id, Status::Ok, Vec::new()));
        }
    }

    /// A search's result of which nobody knows what it activated.
    fn anything(&self, id: &str) -> Row {
        Row::ToolResult {
            call_id: id.into(),
            tool_name: self.dialect.search_tool(),
            status: Status::Ok,
            text: String::new(),
            added_tool_names: Some(self.registry.deferred(self.setting.mode).cloned().collect()),
        }
    }

    /// What a request was answered, as the next one tells.
    fn answer(&self, place: usize) -> Answered {
        let failed = self.window[place].exchange.status.filter(|status| *status >= 400);
        if let Some(status) = failed {
            return Answered::Failure { failure: failure(status) };
        }
        let Some(next) = self.window.get(place + 1) else { return Answered::Text };
        let calls = next.new_items().iter().flat_map(|item| match item {
            Item::Assistant { calls, .. } => calls.as_slice(),
            _ => &[],
        });
        let calls: Vec<Issued> = calls.map(|call| self.issued(call)).collect();
        if calls.is_empty() { Answered::Text } else { Answered::Calls { step: 0, calls } }
    }

    fn issued(&self, shown: &ShownCall) -> Issued {
        let tool = ToolName::from(self.dialect.unprefixed(&shown.wire_name));
        let starts_anew = self.dialect.new_context.as_ref().is_some_and(|new| new.name == tool);
        let call = if tool == self.dialect.search_tool() {
            Call::Search { query: self.query(&shown.arguments) }
        } else if starts_anew {
            Call::NewContext
        } else {
            Call::Use { tool: tool.clone(), outcome: Outcome::Ok, says: None }
        };
        Issued { id: shown.id.clone(), tool, arguments: shown.arguments.clone(), call }
    }

    /// What a search asks for: what stands where the dialect's template has the query.
    fn query(&self, arguments: &Value) -> Query {
        if let Value::String(text) = arguments {
            return Query::NotJson { text: text.clone() };
        }
        let template = self.dialect.search_arguments(&Value::String(HOLE.to_owned()));
        match at_hole(&template, arguments) {
            Some(Value::String(text)) => Query::Text { text: text.clone() },
            Some(value) => Query::Odd { value: value.clone() },
            None => Query::Missing,
        }
    }

    /// What became of the calls that a request was answered with.
    fn outcomes(&self, place: usize, calls: &[Issued]) -> Vec<(CallId, Fact)> {
        let searches = calls.iter().filter(|call| matches!(call.call, Call::Search { .. }));
        let alone = searches.count() == 1;
        let outcome = |call: &Issued| {
            let search = matches!(call.call, Call::Search { .. });
            let found = self.result(place, &call.id);
            let (status, marker) = match found {
                None => (None, Vec::new()),
                Some((.., Some(true))) => (Some(Status::Error), Vec::new()),
                Some((later, text, _)) if search => self.activated(place, later, text, alone),
                Some((.., mark)) => (mark.map(|_| Status::Ok), Vec::new()),
            };
            (call.id.clone(), Fact { tool: call.tool.clone(), search, status, marker })
        };
        calls.iter().map(outcome).collect()
    }

    /// The first result of a call after a request: which request holds it, what it says, and
    /// whether it is marked as an error.
    fn result(&self, place: usize, id: &CallId) -> Option<(&Heard, &str, Option<bool>)> {
        self.window[place + 1..].iter().find_map(|heard| {
            heard.view.items.iter().rev().find_map(|item| match item {
                Item::Result { call_id, text, is_error } if call_id == id => {
                    Some((heard, text.as_str(), *is_error))
                }
                _ => None,
            })
        })
    }

    /// What a search activated: what the request with its result shows, and the one before did
    /// not. Of several searches in a batch each has what its text names; where that is not all of
    /// it, nobody knows.
    fn activated(
        &self,
        place: usize,
        later: &Heard,
        text: &str,
        alone: bool,
    ) -> (Option<Status>, Vec<ToolName>) {
        let before = self.setting.shown(&self.window[place].view);
        let mut grown = self.setting.shown(&later.view);
        grown.retain(|tool| {
            !before.contains(tool) && self.registry.is_deferred(tool, self.setting.mode)
        });
        if grown.is_empty() {
            // A text that speaks of tools which did not come: nobody knows what was activated.
            let mut deferred = self.registry.deferred(self.setting.mode);
            let speaks = deferred.any(|tool| text.contains(tool.as_str()));
            return ((!speaks).then_some(Status::Ok), grown);
        }
        if alone {
            return (Some(Status::Ok), grown);
        }
        let texts: Vec<&str> = later
            .new_items()
            .iter()
            .filter_map(|item| match item {
                Item::Result { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        let named = grown.iter().all(|tool| texts.iter().any(|text| text.contains(tool.as_str())));
        grown.retain(|tool| text.contains(tool.as_str()));
        (named.then_some(Status::Ok), grown)
    }
}

/// What stands for the query in a template.
const HOLE: &str = "\u{1}query";

/// What stands in a value where a template has its hole.
fn at_hole<'v>(template: &Value, value: &'v Value) -> Option<&'v Value> {
    match template {
        Value::String(text) if text == HOLE => Some(value),
        Value::Object(members) => {
            members.iter().find_map(|(key, inner)| at_hole(inner, value.get(key)?))
        }
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(at, inner)| at_hole(inner, value.get(at)?))
        }
        _ => None,
    }
}

fn failure(status: u16) -> Failure {
    match status {
        400 => Failure::BadRequest,
        401 | 403 => Failure::Unauthorized,
        429 => Failure::RateLimited,
        529 => Failure::Overloaded,
        _ => Failure::ServerError,
    }
}
