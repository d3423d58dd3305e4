//! What a strict Responses endpoint refuses.

use std::collections::BTreeSet;

use serde_json::Value;
use tacit_contract::registry::LONGEST_NAME;

use super::body::{Block, Body, Input, Item, Role, Tool};
use super::order::order;
use crate::body::Schema;
use crate::content::Content;
use crate::error::cut;
use crate::place::Place;
use crate::problem::Rule;
use crate::strict::{Distinct, Found, Limits, quoted};

pub(super) const LIMITS: Limits = Limits { name: LONGEST_NAME, call_id: 64 };

/// Types of items about which nothing is said here: thoughts, and what the provider's own tools
/// did.
const PASSED_OVER: [&str; 22] = [
    "apply_patch_call",
    "apply_patch_call_output",
    "code_interpreter_call",
    "compaction",
    "compaction_trigger",
    "computer_call",
    "computer_call_output",
    "configuration_update",
    "file_search_call",
    "image_generation_call",
    "item_reference",
    "local_shell_call",
    "local_shell_call_output",
    "mcp_approval_request",
    "mcp_approval_response",
    "mcp_call",
    "mcp_list_tools",
    "program",
    "program_output",
    "shell_call",
    "shell_call_output",
    "web_search_call",
];

/// What an endpoint refuses in a body, of which some members are unknown.
pub(super) fn check<S: Schema>(body: &Body<S>, found: &mut Found) {
    let top = Place::Body;
    if body.model.is_none() && body.prompt.is_none() {
        found.add(Rule::Model, top.member("model"), "it is missing");
    }
    let goes_on = body.previous_response_id.is_some() || body.conversation.is_some();
    let place = top.member("input");
    let items = match &body.input {
        None if !goes_on && body.prompt.is_none() => {
            found.add(Rule::NoMessages, place, "it is missing");
            &[][..]
        }
        Some(Input::Items(items)) => {
            if items.is_empty() && !goes_on {
                found.add(Rule::NoMessages, place, "an empty list");
            }
            items
        }
        None | Some(Input::Text(_)) => &[],
    };
    let listed = body.tools.as_deref().unwrap_or_default();
    definitions(listed, found);
    choice(body, items, found);
    for (index, item) in items.iter().enumerate() {
        self::item(item, place.entry(index), found);
    }
    namespaces(listed, items, found);
    // What an output answers may stand with the provider.
    if !goes_on {
        order(items, place, found);
    }
}

/// The ordinary list.
fn definitions<S: Schema>(listed: &[Tool<S>], found: &mut Found) {
    let top = Place::Body;
    let place = top.member("tools");
    tools(listed, place, found);
    let is_search = |tool: &Tool<S>| tool.r#type.as_deref() == Some("tool_search");
    if !listed.iter().any(is_search) {
        for (index, tool) in listed.iter().enumerate() {
            if hides(tool) {
                let place = place.entry(index);
                found.add(Rule::DeferredWithoutLoader, place, "no `tool_search` in the list");
            }
        }
    }
    if !listed.is_empty() && listed.iter().all(Tool::is_deferred) {
        found.add(Rule::AllDeferred, place, format!("{} deferred", listed.len()));
    }
}

/// Whether anything of a tool or of its members waits for a search.
fn hides<S>(tool: &Tool<S>) -> bool {
    tool.is_deferred() || tool.tools.iter().flatten().any(hides)
}

fn tools<S: Schema>(tools: &[Tool<S>], place: Place<'_>, found: &mut Found) {
    let mut functions = Distinct::default();
    let mut namespaces = Distinct::default();
    for (index, tool) in tools.iter().enumerate() {
        let place = place.entry(index);
        let name = tool.name.as_deref().unwrap_or_default();
        if tool.is_deferred() {
            found.native(place.member("defer_loading"), "a deferred tool");
        }
        match tool.r#type.as_deref() {
            Some("function" | "custom") => {
                found.name(name, place);
                functions.name(name, place, found);
                if let Some(schema) = &tool.parameters {
                    found.schema(schema, place.member("parameters"));
                }
            }
            Some("namespace") => {
                found.name(name, place);
                namespaces.name(name, place, found);
                let members = tool.tools.as_deref().unwrap_or_default();
                self::tools(members, place.member("tools"), found);
            }
            Some("tool_search") => found.native(place, "the search of the API"),
            Some(other) if is_hosted(other) => {}
            other => found.kind(other, place),
        }
    }
}

/// Whether a type is one of the tools that the provider runs itself, or its dated form.
fn is_hosted(kind: &str) -> bool {
    const HOSTED: [&str; 11] = [
        "apply_patch",
        "code_interpreter",
        "computer",
        "file_search",
        "image_generation",
        "local_shell",
        "mcp",
        "programmatic_tool_calling",
        "shell",
        "web_search",
        "web_search_preview",
    ];
    let dated = |name: &str| kind.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'));
    HOSTED.iter().any(|name| kind == *name || dated(name))
}

/// A choice that asks for a tool, where there is none.
fn choice<S>(body: &Body<S>, items: &[Item<S>], found: &mut Found) {
    let free = |choice: &Value| matches!(choice.as_str(), Some("auto" | "none"));
    let some = |tools: &Option<Vec<Tool<S>>>| tools.as_ref().is_some_and(|tools| !tools.is_empty());
    let there = some(&body.tools) || items.iter().any(|item| some(&item.tools));
    if body.tool_choice.as_ref().is_some_and(|choice| !free(choice)) && !there {
        let top = Place::Body;
        found.add(Rule::ToolChoice, top.member("tool_choice"), "a choice, and no tools");
    }
}

fn item<S: Schema>(item: &Item<S>, place: Place<'_>, found: &mut Found) {
    let id = item.call_id.as_deref().unwrap_or_default();
    let name = item.name.as_deref().unwrap_or_default();
    match item.r#type.as_deref() {
        Some("message") => message(item, place, found),
        None if item.role.is_some() => message(item, place, found),
        Some("function_call") => {
            item_id(item, "fc", place, found);
            found.call_id(id, place.member("call_id"));
            found.name(name, place);
            text(item.arguments.as_ref(), place.member("arguments"), found);
        }
        Some("custom_tool_call") => {
            found.call_id(id, place.member("call_id"));
            found.name(name, place);
            text(item.input.as_ref(), place.member("input"), found);
        }
        Some("function_call_output" | "custom_tool_call_output") => {
            content(item.output.as_ref(), place.member("output"), found);
        }
        Some("tool_search_call") => found.native(place, "a search of the API"),
        Some("tool_search_output") => {
            found.native(place, "what a search of the API found");
            tools(item.tools.as_deref().unwrap_or_default(), place.member("tools"), found);
        }
        Some("additional_tools") => {
            found.native(place, "additional tools");
            if item.role != Some(Role::System) {
                found.add(Rule::Shape, place.member("role"), "another than `developer`");
            }
            tools(item.tools.as_deref().unwrap_or_default(), place.member("tools"), found);
        }
        Some("reasoning") => item_id(item, "rs", place, found),
        None if item.id.is_some() => {}
        Some(other) if PASSED_OVER.contains(&other) => {}
        other => found.kind(other, place),
    }
}

fn message<S>(item: &Item<S>, place: Place<'_>, found: &mut Found) {
    if item.role.is_none() {
        found.add(Rule::Shape, place.member("role"), "it is missing");
    }
    item_id(item, "msg", place, found);
    let place = place.member("content");
    content(item.content.as_ref(), place, found);
    let Some(Content::Blocks(blocks)) = &item.content else { return };
    for (index, block) in blocks.iter().enumerate() {
        let from_outside = block.r#type.as_deref().is_some_and(|kind| kind.starts_with("input_"));
        if item.role == Some(Role::Assistant) && from_outside {
            found.kind(block.r#type.as_deref(), place.entry(index));
        }
    }
}

fn content(content: Option<&Content<Block>>, place: Place<'_>, found: &mut Found) {
    let blocks = match content {
        Some(Content::Blocks(blocks)) => blocks,
        Some(Content::Text(_)) => return,
        Some(Content::Object(_)) => return found.add(Rule::Shape, place, "an object"),
        None => return found.add(Rule::Content, place, "it is missing"),
    };
    for (index, block) in blocks.iter().enumerate() {
        let place = place.entry(index);
        match block.r#type.as_deref() {
            Some("input_text" | "output_text") if block.text.is_none() => {
                found.add(Rule::Content, place.member("text"), "it is missing");
            }
            Some(
                "input_text"
                | "output_text"
                | "refusal"
                | "input_image"
                | "input_file"
                | "input_audio"
                | "computer_screenshot"
                | "summary_text",
            ) => {}
            other => found.kind(other, place),
        }
    }
}

fn text(arguments: Option<&Value>, place: Place<'_>, found: &mut Found) {
    found.arguments(arguments.unwrap_or(&Value::Null), place);
}

/// Ids are made by the provider, and it knows them by how they begin.
fn item_id<S>(item: &Item<S>, prefix: &str, place: Place<'_>, found: &mut Found) {
    let Some(id) = &item.id else { return };
    if !id.starts_with(prefix) {
        let expected = format!("{}, expected `{prefix}…`", quoted(id));
        found.add(Rule::ItemId, place.member("id"), expected);
    }
}

/// A call of what stands in a namespace alone says in which.
fn namespaces<S>(listed: &[Tool<S>], items: &[Item<S>], found: &mut Found) {
    let mut inside = BTreeSet::new();
    let mut outside = BTreeSet::new();
    let loaded = items.iter().filter_map(|item| item.tools.as_deref()).flatten();
    for tool in listed.iter().chain(loaded) {
        match (&tool.name, &tool.tools) {
            (_, Some(members)) => {
                inside.extend(members.iter().filter_map(|member| member.name.as_deref()));
            }
            (Some(name), None) => drop(outside.insert(name.as_str())),
            (None, None) => {}
        }
    }
    let input = Place::Body.member("input");
    for (index, item) in items.iter().enumerate() {
        let is_call = matches!(item.r#type.as_deref(), Some("function_call" | "custom_tool_call"));
        let name = item.name.as_deref().unwrap_or_default();
        let only_inside = inside.contains(name) && !outside.contains(name);
        if is_call && item.namespace.is_none() && only_inside {
            let place = input.entry(index);
            found.add(
                Rule::Namespace,
                place.member("namespace"),
                format!("none for {}", cut(name)),
            );
        }
    }
}
