//! What a strict Chat Completions endpoint refuses.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tacit_contract::ProviderKind;
use tacit_contract::registry::LONGEST_NAME;

use super::body::{Body, Call, Content, Function, Message, Role, ToolEntry};
use crate::body::Schema;
use crate::error::cut;
use crate::problem::{Problem, Rule};

/// The longest call id that endpoints take, in bytes.
const LONGEST_ID: usize = 40;

/// What an endpoint refuses in a body.
pub(super) fn problems<S: Schema>(_provider: ProviderKind, body: &Body<S>) -> Vec<Problem> {
    let mut found = Found::default();
    if body.model.is_none() {
        found.add(Rule::Model, "model", "none");
    }
    found.definitions(body);
    if body.messages.is_empty() {
        found.add(Rule::NoMessages, "messages", "an empty list");
    }
    for (index, message) in body.messages.iter().enumerate() {
        found.message(message, &format!("messages[{index}]"));
    }
    found.order(&body.messages);
    found.0
}

#[derive(Default)]
struct Found(Vec<Problem>);

impl Found {
    fn add(&mut self, rule: Rule, place: impl Into<String>, found: impl Into<String>) {
        self.0.push(Problem { rule, place: place.into(), found: found.into() });
    }

    fn definitions<S: Schema>(&mut self, body: &Body<S>) {
        if let Some(tools) = &body.tools {
            self.tools(tools, "tools");
        }
        for (index, function) in body.functions.iter().flatten().enumerate() {
            self.function(function, &format!("functions[{index}]"));
        }
        if body.tool_choice.is_some() && body.tools.as_ref().is_none_or(Vec::is_empty) {
            self.add(Rule::ToolChoice, "tool_choice", "a choice, and no tools");
        }
    }

    fn tools<S: Schema>(&mut self, tools: &[ToolEntry<S>], place: &str) {
        if tools.is_empty() {
            self.add(Rule::EmptyList, place, "an empty list");
        }
        let mut names = BTreeSet::new();
        for (index, entry) in tools.iter().enumerate() {
            let place = format!("{place}[{index}]");
            let (member, function) = match entry.r#type.as_deref() {
                Some("function") => ("function", &entry.function),
                Some("custom") => ("custom", &entry.custom),
                other => {
                    let found = other.map_or_else(|| "none".to_owned(), cut);
                    self.add(Rule::Type, format!("{place}.type"), found);
                    continue;
                }
            };
            let Some(function) = function else {
                self.add(Rule::Shape, place, format!("no `{member}`"));
                continue;
            };
            let place = format!("{place}.{member}");
            self.function(function, &place);
            if !names.insert(function.name.as_str()) {
                self.add(Rule::DuplicateName, format!("{place}.name"), cut(&function.name));
            }
        }
    }

    fn function<S: Schema>(&mut self, function: &Function<S>, place: &str) {
        self.name(&function.name, place);
        let Some(schema) = &function.parameters else { return };
        if !schema.is_object() {
            self.add(Rule::Schema, format!("{place}.parameters"), "another");
        }
    }

    fn name(&mut self, name: &str, place: &str) {
        let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(legal) {
            self.add(Rule::Name, format!("{place}.name"), format!("`{}`", cut(name)));
        }
    }

    fn message<S: Schema>(&mut self, message: &Message<S>, place: &str) {
        let calls = message.tool_calls.as_ref();
        let may_be_silent = match message.role {
            Role::System => message.tools.is_some(),
            Role::Assistant => calls.is_some_and(|calls| !calls.is_empty()),
            Role::User | Role::Tool => false,
        };
        match &message.content {
            None if !may_be_silent => self.add(Rule::Content, format!("{place}.content"), "none"),
            Some(Content::Blocks(blocks)) => {
                if blocks.is_empty() && !may_be_silent {
                    self.add(Rule::EmptyList, format!("{place}.content"), "an empty list");
                }
                for (index, block) in blocks.iter().enumerate() {
                    let place = format!("{place}.content[{index}]");
                    match block.r#type.as_deref() {
                        None => self.add(Rule::Type, format!("{place}.type"), "none"),
                        Some("text") if block.text.is_none() => {
                            self.add(Rule::Content, format!("{place}.text"), "none");
                        }
                        Some(_) => {}
                    }
                }
            }
            _ => {}
        }
        if let Some(tools) = &message.tools {
            self.tools(tools, &format!("{place}.tools"));
        }
        if let Some(calls) = calls {
            self.calls(calls, &format!("{place}.tool_calls"));
        }
    }

    fn calls(&mut self, calls: &[Call], place: &str) {
        if calls.is_empty() {
            self.add(Rule::EmptyList, place, "an empty list");
        }
        let mut ids = BTreeSet::new();
        for (index, call) in calls.iter().enumerate() {
            let place = format!("{place}[{index}]");
            if call.id.is_empty() || call.id.len() > LONGEST_ID {
                self.add(Rule::CallId, format!("{place}.id"), format!("`{}`", cut(&call.id)));
            }
            if !ids.insert(call.id.as_str()) {
                self.add(Rule::DuplicateCallId, format!("{place}.id"), cut(&call.id));
            }
            match (call.r#type.as_deref(), &call.function, &call.custom) {
                (Some("function"), Some(called), _) => {
                    self.name(&called.name, &format!("{place}.function"));
                    self.arguments(&called.arguments, format!("{place}.function.arguments"));
                }
                (Some("custom"), _, Some(called)) => {
                    self.name(&called.name, &format!("{place}.custom"));
                    self.arguments(&called.input, format!("{place}.custom.input"));
                }
                (Some(kind @ ("function" | "custom")), _, _) => {
                    self.add(Rule::Shape, place, format!("no `{kind}`"));
                }
                (other, _, _) => {
                    let found = other.map_or_else(|| "none".to_owned(), cut);
                    self.add(Rule::Type, format!("{place}.type"), found);
                }
            }
        }
    }

    fn arguments(&mut self, arguments: &Value, place: String) {
        if !arguments.is_string() {
            self.add(Rule::Arguments, place, cut(&arguments.to_string()));
        }
    }

    /// Each batch is followed by one result for each of its calls, and by nothing else before.
    fn order<S: Schema>(&mut self, messages: &[Message<S>]) {
        let mut open: BTreeMap<&str, String> = BTreeMap::new();
        let mut answered: BTreeSet<&str> = BTreeSet::new();
        for (index, message) in messages.iter().enumerate() {
            if message.role == Role::Tool {
                let place = format!("messages[{index}].tool_call_id");
                let id = message.tool_call_id.as_deref().unwrap_or_default();
                if open.remove(id).is_some() {
                    answered.insert(id);
                } else if answered.contains(id) {
                    self.add(Rule::AnsweredTwice, place, cut(id));
                } else {
                    self.add(Rule::ResultWithoutCall, place, format!("`{}`", cut(id)));
                }
                continue;
            }
            self.unanswered(&mut open);
            answered.clear();
            for (call, shown) in message.tool_calls.iter().flatten().enumerate() {
                open.insert(&shown.id, format!("messages[{index}].tool_calls[{call}]"));
            }
        }
        self.unanswered(&mut open);
    }

    fn unanswered(&mut self, open: &mut BTreeMap<&str, String>) {
        for (id, place) in std::mem::take(open) {
            self.add(Rule::CallWithoutResult, place, format!("`{}`", cut(id)));
        }
    }
}
