//! What a strict Chat Completions endpoint refuses.

use tacit_contract::registry::LONGEST_NAME;

use super::body::{Block, Body, Call, Function, Message, Role, ToolEntry};
use crate::body::Schema;
use crate::content::Content;
use crate::place::Place;
use crate::problem::Rule;
use crate::strict::{Batch, Distinct, Found, Limits};

pub(super) const LIMITS: Limits = Limits { name: LONGEST_NAME, call_id: 40 };

/// What an endpoint refuses in a body, of which some members are unknown.
pub(super) fn check<S: Schema>(body: &Body<S>, found: &mut Found) {
    let top = Place::Body;
    if body.model.is_none() {
        found.add(Rule::Model, top.member("model"), "it is missing");
    }
    definitions(body, found);
    let place = top.member("messages");
    if body.messages.is_empty() {
        found.add(Rule::NoMessages, place, "an empty list");
    }
    for (index, message) in body.messages.iter().enumerate() {
        self::message(message, place.entry(index), found);
    }
    order(&body.messages, place, found);
}

fn definitions<S: Schema>(body: &Body<S>, found: &mut Found) {
    let top = Place::Body;
    if let Some(entries) = &body.tools {
        tools(entries, top.member("tools"), found);
    }
    let functions = top.member("functions");
    for (index, function) in body.functions.iter().flatten().enumerate() {
        self::function(function, functions.entry(index), found);
    }
    if body.tool_choice.is_some() && body.tools.as_ref().is_none_or(Vec::is_empty) {
        found.add(Rule::ToolChoice, top.member("tool_choice"), "a choice, and no tools");
    }
}

fn tools<S: Schema>(entries: &[ToolEntry<S>], place: Place<'_>, found: &mut Found) {
    if entries.is_empty() {
        found.add(Rule::EmptyList, place, "an empty list");
    }
    let mut names = Distinct::default();
    for (index, entry) in entries.iter().enumerate() {
        let place = place.entry(index);
        let (member, function) = match entry.r#type.as_deref() {
            Some("function") => ("function", &entry.function),
            Some("custom") => ("custom", &entry.custom),
            other => {
                found.kind(other, place);
                continue;
            }
        };
        let Some(function) = function else {
            found.add(Rule::Shape, place, format!("no `{member}`"));
            continue;
        };
        let place = place.member(member);
        self::function(function, place, found);
        names.name(&function.name, place, found);
    }
}

fn function<S: Schema>(function: &Function<S>, place: Place<'_>, found: &mut Found) {
    found.name(&function.name, place);
    if let Some(schema) = &function.parameters {
        found.schema(schema, place.member("parameters"));
    }
}

fn message<S: Schema>(message: &Message<S>, place: Place<'_>, found: &mut Found) {
    let may_be_silent = match message.role {
        Role::System => message.tools.is_some(),
        Role::Assistant => message.tool_calls.as_ref().is_some_and(|calls| !calls.is_empty()),
        Role::User | Role::Tool => false,
    };
    let content = place.member("content");
    match &message.content {
        None if !may_be_silent => found.add(Rule::Content, content, "it is missing"),
        Some(Content::Blocks(list)) => {
            if list.is_empty() && !may_be_silent {
                found.add(Rule::EmptyList, content, "an empty list");
            }
            blocks(list, content, found);
        }
        Some(Content::Object(_)) => found.add(Rule::Shape, content, "an object"),
        Some(Content::Text(_)) | None => {}
    }
    if let Some(entries) = &message.tools {
        let place = place.member("tools");
        found.native(place, "tools of a message");
        tools(entries, place, found);
    }
    if let Some(list) = &message.tool_calls {
        calls(list, place.member("tool_calls"), found);
    }
}

fn blocks(blocks: &[Block], place: Place<'_>, found: &mut Found) {
    for (index, block) in blocks.iter().enumerate() {
        let place = place.entry(index);
        match block.r#type.as_deref() {
            None => found.kind(None, place),
            Some("text") if block.text.is_none() => {
                found.add(Rule::Content, place.member("text"), "it is missing");
            }
            Some(_) => {}
        }
    }
}

fn calls(calls: &[Call], place: Place<'_>, found: &mut Found) {
    if calls.is_empty() {
        found.add(Rule::EmptyList, place, "an empty list");
    }
    let mut ids = Distinct::default();
    for (index, call) in calls.iter().enumerate() {
        let place = place.entry(index);
        found.call_id(&call.id, place.member("id"));
        ids.id(&call.id, place.member("id"), found);
        match (call.r#type.as_deref(), &call.function, &call.custom) {
            (Some("function"), Some(called), _) => {
                let place = place.member("function");
                found.name(&called.name, place);
                found.arguments(&called.arguments, place.member("arguments"));
            }
            (Some("custom"), _, Some(called)) => {
                let place = place.member("custom");
                found.name(&called.name, place);
                found.arguments(&called.input, place.member("input"));
            }
            (Some(kind @ ("function" | "custom")), _, _) => {
                found.add(Rule::Shape, place, format!("no `{kind}`"));
            }
            (other, _, _) => found.kind(other, place),
        }
    }
}

/// Each batch is followed by one result for each of its calls, and by nothing else before.
fn order<S: Schema>(messages: &[Message<S>], place: Place<'_>, found: &mut Found) {
    let mut batch = Batch::default();
    for (index, message) in messages.iter().enumerate() {
        let place = place.entry(index);
        if message.role == Role::Tool {
            let id = message.tool_call_id.as_deref().unwrap_or_default();
            batch.result(id, place.member("tool_call_id"), found);
            continue;
        }
        batch.close(found);
        let calls = place.member("tool_calls");
        for (index, call) in message.tool_calls.iter().flatten().enumerate() {
            batch.call(&call.id, calls.entry(index));
        }
    }
    batch.close(found);
}
