//! What a strict endpoint refuses in the order of messages and of blocks.

use std::collections::BTreeSet;

use super::body::{self, Block, Body, Content, Message, Role, is_search};
use crate::place::Place;
use crate::problem::Rule;
use crate::strict::{Batch, Found, quoted};

/// Checks what the messages of a body say about one another.
///
/// Neighbours of one role are one turn, as the API has it.
pub(super) fn check<S>(body: &Body<S>, place: Place<'_>, found: &mut Found) {
    if !body.goes_on() {
        beginning(body, place, found);
        results(body, place, found);
        references(body, place, found);
    }
    for (index, message) in body.messages.iter().enumerate() {
        if message.role == Role::System && index > 0 {
            follows_the_user(&body.messages[index - 1], place.entry(index), found);
        }
        let is_last = index + 1 == body.messages.len();
        searches(message, is_last, place.entry(index), found);
    }
}

fn blocks<S>(message: &Message<S>) -> &[Block<S>] {
    body::blocks(message.content.as_ref())
}

/// A conversation begins with the user, or with what stands for its beginning.
fn beginning<S>(body: &Body<S>, place: Place<'_>, found: &mut Found) {
    let Some(first) = body.messages.first() else { return };
    let compacted = || blocks(first).iter().any(|block| block.r#type == "compaction");
    if first.role != Role::User && !compacted() {
        found.add(Rule::Order, place.entry(0), format!("the role `{}`", first.role.as_str()));
    }
}

/// A system message follows a user message, another system message, or what a tool of the
/// provider's own has brought.
fn follows_the_user<S>(before: &Message<S>, place: Place<'_>, found: &mut Found) {
    let last = blocks(before).last();
    let brought = last.is_some_and(|block| block.r#type.ends_with("_tool_result"));
    if before.role == Role::Assistant && !brought {
        found.add(Rule::Order, place, "a system message behind an assistant message");
    }
}

/// Each call is answered in the next turn, once, before anything else is said there.
fn results<S>(body: &Body<S>, place: Place<'_>, found: &mut Found) {
    let mut batch = Batch::default();
    let mut before = None;
    let mut said = false;
    for (index, message) in body.messages.iter().enumerate() {
        let place = place.entry(index);
        let place = place.member("content");
        if before != Some(message.role) {
            if before != Some(Role::Assistant) || message.role != Role::User {
                batch.close(found);
            }
            said = false;
        }
        before = Some(message.role);
        said |= matches!(message.content, Some(Content::Text(_)));
        for (index, block) in blocks(message).iter().enumerate() {
            let place = place.entry(index);
            match block.r#type.as_str() {
                "tool_use" => batch.call(block.id.as_deref().unwrap_or_default(), place),
                "tool_result" => {
                    let id = block.tool_use_id.as_deref().unwrap_or_default();
                    batch.result(id, place.member("tool_use_id"), found);
                    if said {
                        found.add(Rule::ResultsFirst, place, quoted(id));
                    }
                }
                _ => said = true,
            }
        }
    }
    batch.close(found);
}

/// What is referred to stands in the list, or was added by value before.
fn references<S>(body: &Body<S>, place: Place<'_>, found: &mut Found) {
    let listed = body.tools.iter().flatten().map(|entry| entry.name.as_str());
    let mut known: BTreeSet<&str> = listed.collect();
    for (index, message) in body.messages.iter().enumerate() {
        let place = place.entry(index);
        let place = place.member("content");
        for (index, block) in blocks(message).iter().enumerate() {
            let place = place.entry(index);
            for name in block.names() {
                if !known.contains(name) {
                    found.add(Rule::UnknownReference, place, quoted(name));
                }
            }
            let defined = block.tool.as_ref().and_then(|tool| tool.definition.as_ref());
            known.extend(defined.map(|entry| entry.name.as_str()));
        }
    }
}

/// A search of the provider's own and what it found stand in one message, in this order.
fn searches<S>(message: &Message<S>, is_last: bool, place: Place<'_>, found: &mut Found) {
    let place = place.member("content");
    let mut open: Vec<(&str, usize)> = Vec::new();
    for (index, block) in blocks(message).iter().enumerate() {
        match block.r#type.as_str() {
            "server_tool_use" if block.name.as_deref().is_some_and(is_search) => {
                open.push((block.id.as_deref().unwrap_or_default(), index));
            }
            "tool_search_tool_result" => {
                let id = block.tool_use_id.as_deref().unwrap_or_default();
                let searched = open.iter().position(|(searched, _)| *searched == id);
                if let Some(at) = searched {
                    open.remove(at);
                } else {
                    let place = place.entry(index);
                    found.add(Rule::NativePair, place.member("tool_use_id"), quoted(id));
                }
            }
            _ => {}
        }
    }
    // A turn that paused in the middle of a search goes on with the next answer.
    if !is_last {
        for (id, index) in open {
            found.add(
                Rule::NativePair,
                place.entry(index),
                format!("no result for {}", quoted(id)),
            );
        }
    }
}
