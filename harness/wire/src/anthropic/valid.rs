//! What a strict Messages endpoint refuses.

use super::blocks;
use super::body::{Body, Content, Kind, Message, Role, ToolEntry};
use super::order;
use crate::body::Schema;
use crate::place::Place;
use crate::problem::Rule;
use crate::strict::{Distinct, Found, Limits};

/// What the endpoint takes: names of twice the length that the other APIs take.
pub(super) const LIMITS: Limits = Limits { name: 128, call_id: 64 };

/// How many cache marks a request may bear.
const CACHE_MARKS: usize = 4;

/// What an endpoint refuses in a body.
pub(super) fn check<S: Schema>(body: &Body<S>, found: &mut Found) {
    let top = Place::Body;
    if body.model.is_none() {
        found.add(Rule::Model, top.member("model"), "it is missing");
    }
    if body.max_tokens.is_none() {
        found.add(Rule::Shape, top.member("max_tokens"), "it is missing");
    }
    definitions(body, found);
    if let Some(system) = &body.system {
        blocks::check(system, blocks::Owner::System, top.member("system"), found);
    }
    let place = top.member("messages");
    if body.messages.is_empty() {
        found.add(Rule::NoMessages, place, "an empty list");
    }
    for (index, message) in body.messages.iter().enumerate() {
        let is_last = index + 1 == body.messages.len();
        self::message(message, is_last, place.entry(index), found);
    }
    order::check(body, place, found);
    marks(body, found);
}

fn definitions<S: Schema>(body: &Body<S>, found: &mut Found) {
    let place = Place::Body.member("tools");
    let tools = body.tools.as_deref().unwrap_or_default();
    let mut names = Distinct::default();
    for (index, entry) in tools.iter().enumerate() {
        let place = place.entry(index);
        definition(entry, place, found);
        if !entry.name.is_empty() {
            names.name(&entry.name, place, found);
        }
        if entry.is_deferred() {
            found.native(place.member("defer_loading"), "true");
            if entry.cache_control.is_some() {
                found.add(Rule::CacheMarkOnDeferred, place.member("cache_control"), "it bears one");
            }
        }
        if entry.kind() == Kind::Search {
            found.native(place, "a search of the provider's own");
        }
    }
    if !tools.is_empty() && tools.iter().all(ToolEntry::is_deferred) {
        found.add(Rule::AllDeferred, place, format!("{} of {}", tools.len(), tools.len()));
    }
    if body.tool_choice.is_some() && tools.is_empty() {
        found.add(Rule::ToolChoice, Place::Body.member("tool_choice"), "a choice, and no tools");
    }
}

/// A definition, in the list or in a message.
pub(super) fn definition<S: Schema>(entry: &ToolEntry<S>, place: Place<'_>, found: &mut Found) {
    match entry.kind() {
        Kind::Custom => {
            found.name(&entry.name, place);
            match &entry.input_schema {
                Some(schema) => found.schema(schema, place.member("input_schema")),
                None => found.add(Rule::Schema, place.member("input_schema"), "it is missing"),
            }
        }
        Kind::Defined | Kind::Search => found.name(&entry.name, place),
        Kind::Server => {}
        Kind::Unknown => found.kind(entry.r#type.as_deref(), place),
    }
}

fn message<S: Schema>(message: &Message<S>, is_last: bool, place: Place<'_>, found: &mut Found) {
    let owner = match message.role {
        Role::User => blocks::Owner::User,
        Role::Assistant => blocks::Owner::Assistant,
        Role::System => blocks::Owner::Instruction,
    };
    let content = place.member("content");
    // The last message of an assistant may be empty, as the beginning of what it goes on with.
    let may_be_empty = match message.role {
        Role::User => false,
        Role::Assistant => is_last,
        Role::System => message.output_config.is_some(),
    };
    match &message.content {
        None if !may_be_empty => found.add(Rule::Content, content, "it is missing"),
        Some(Content::Blocks(list)) if list.is_empty() && !may_be_empty => {
            found.add(Rule::EmptyList, content, "an empty list");
        }
        Some(Content::Text(text)) if text.is_empty() && may_be_empty => {}
        Some(it) => blocks::check(it, owner, content, found),
        None => {}
    }
}

/// Marks may stand on the request, its tools, its system blocks and the blocks of its messages.
fn marks<S>(body: &Body<S>, found: &mut Found) {
    let tools = body.tools.iter().flatten().filter(|entry| entry.cache_control.is_some()).count();
    let contents = body.messages.iter().filter_map(|message| message.content.as_ref());
    let blocks: usize = contents.chain(&body.system).map(blocks::marks).sum();
    let marks = usize::from(body.cache_control.is_some()) + tools + blocks;
    if marks > CACHE_MARKS {
        found.add(Rule::CacheMarks, Place::Body.member("messages"), format!("{marks} marks"));
    }
}
