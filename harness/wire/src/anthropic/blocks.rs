//! What a strict endpoint refuses in one block.

use serde_json::Value;

use super::body::{self, Block, Changed, Content, is_search};
use super::valid::definition;
use crate::body::Schema;
use crate::place::Place;
use crate::problem::Rule;
use crate::strict::{Distinct, Found, quoted};

/// What holds blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// The member `system` of the request.
    System,
    /// A system message.
    Instruction,
    /// A user message.
    User,
    /// An assistant message.
    Assistant,
    /// The result of a tool.
    Result,
}

impl Owner {
    fn as_str(self) -> &'static str {
        match self {
            Self::System => "the system prompt",
            Self::Instruction => "a system message",
            Self::User => "a user message",
            Self::Assistant => "an assistant message",
            Self::Result => "a result",
        }
    }

    /// Whether blocks of a type may stand in it; `None` where the API has no such type.
    fn takes(self, kind: &str) -> Option<bool> {
        Some(match kind {
            "text" => true,
            "document" | "image" | "search_result" => matches!(self, Self::User | Self::Result),
            "container_upload" => matches!(self, Self::User | Self::Assistant),
            "tool_result" => self == Self::User,
            "tool_use" | "server_tool_use" | "mcp_tool_use" | "mcp_tool_listing" | "thinking"
            | "redacted_thinking" | "fallback" => self == Self::Assistant,
            "compaction" => matches!(self, Self::User | Self::Assistant),
            "tool_addition" | "tool_removal" => self == Self::Instruction,
            "tool_reference" | "browser_state" => self == Self::Result,
            // Results of the provider's own tools: of a web search, of a search of tools, …
            _ if kind.ends_with("_tool_result") => self == Self::Assistant,
            _ => return None,
        })
    }
}

/// Checks the blocks of a content, each by itself.
pub(super) fn check<S: Schema>(
    content: &Content<S>,
    owner: Owner,
    place: Place<'_>,
    found: &mut Found,
) {
    match content {
        // A result, unlike all else, may say nothing.
        Content::Text(text) if is_blank(text) && owner != Owner::Result => {
            found.add(Rule::Content, place, quoted(text));
        }
        Content::Text(_) => {}
        Content::Object(_) => found.add(Rule::Shape, place, "an object, expected a list"),
        Content::Blocks(blocks) => {
            words(blocks, owner, place, found);
            let mut ids = Distinct::default();
            for (index, block) in blocks.iter().enumerate() {
                let place = place.entry(index);
                self::block(block, owner, place, found);
                if let Some(id) = &block.id {
                    ids.id(id, place.member("id"), found);
                }
            }
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// A text block has a text, an empty one only in a result; one of blanks alone stands beside
/// another that says something.
fn words<S>(blocks: &[Block<S>], owner: Owner, place: Place<'_>, found: &mut Found) {
    let speaks = |block: &Block<S>| block.text.as_deref().is_some_and(|text| !is_blank(text));
    let blanks_will_do = blocks.iter().any(speaks);
    for (index, block) in blocks.iter().enumerate().filter(|(_, block)| block.r#type == "text") {
        let place = place.entry(index);
        match block.text.as_deref() {
            None => found.add(Rule::Content, place.member("text"), "it is missing"),
            Some(_) if owner == Owner::Result => {}
            Some(text) if text.is_empty() || is_blank(text) && !blanks_will_do => {
                found.add(Rule::Content, place.member("text"), quoted(text));
            }
            Some(_) => {}
        }
    }
}

fn block<S: Schema>(block: &Block<S>, owner: Owner, place: Place<'_>, found: &mut Found) {
    let kind = block.r#type.as_str();
    match owner.takes(kind) {
        Some(true) => {}
        Some(false) => {
            found.add(Rule::Shape, place, format!("`{kind}` in {}", owner.as_str()));
            return;
        }
        None => {
            found.kind(Some(kind).filter(|kind| !kind.is_empty()), place);
            return;
        }
    }
    match kind {
        "tool_use" => call(block, place, found),
        "server_tool_use" if block.name.as_deref().is_some_and(is_search) => {
            found.native(place, "a search of the provider's own");
        }
        "tool_search_tool_result" => found.native(place, "what such a search found"),
        "tool_result" => result(block, place, found),
        "tool_addition" | "tool_removal" => {
            found.native(place, kind);
            match &block.tool {
                Some(tool) => change(tool, kind, place.member("tool"), found),
                None => found.add(Rule::Shape, place.member("tool"), "it is missing"),
            }
        }
        _ => {}
    }
}

fn call<S>(block: &Block<S>, place: Place<'_>, found: &mut Found) {
    let id = block.id.as_deref().unwrap_or_default();
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if id.bytes().all(legal) {
        found.call_id(id, place.member("id"));
    } else {
        found.add(Rule::CallId, place.member("id"), quoted(id));
    }
    found.name(block.name.as_deref().unwrap_or_default(), place);
    if !block.input.as_ref().is_some_and(Value::is_object) {
        let input = block.input.as_ref().map_or_else(|| "none".to_owned(), Value::to_string);
        found.add(Rule::Arguments, place.member("input"), quoted(&input));
    }
}

fn result<S: Schema>(block: &Block<S>, place: Place<'_>, found: &mut Found) {
    let Some(content) = &block.content else { return };
    let place = place.member("content");
    check(content, Owner::Result, place, found);
    let inner = block.inner();
    let mut references = 0;
    for (index, block) in inner.iter().enumerate() {
        if block.r#type == "tool_reference" {
            references += 1;
            if block.tool_name.is_none() {
                found.add(Rule::Shape, place.entry(index).member("tool_name"), "it is missing");
            }
        }
    }
    if references > 0 {
        found.native(place, "references to tools");
        if references < inner.len() {
            found.add(
                Rule::MixedReferences,
                place,
                format!("{references} among {} blocks", inner.len()),
            );
        }
    }
}

fn change<S: Schema>(tool: &Changed<S>, kind: &str, place: Place<'_>, found: &mut Found) {
    match (tool.r#type.as_str(), &tool.definition) {
        ("tool_reference", None) if tool.name.is_none() => {
            found.add(Rule::Shape, place.member("name"), "it is missing");
        }
        ("tool_reference" | "mcp_tool_reference" | "mcp_toolset_reference", None) => {}
        ("tool_definition", Some(entry)) if kind == "tool_addition" => {
            definition(entry, place.member("definition"), found);
        }
        ("tool_definition", None) => {
            found.add(Rule::Shape, place.member("definition"), "it is missing");
        }
        (other, _) => found.kind(Some(other), place),
    }
}

/// How many cache marks a content bears.
pub(super) fn marks<S>(content: &Content<S>) -> usize {
    let of = |block: &Block<S>| {
        let inner = block.content.as_ref().map_or(0, marks);
        usize::from(block.cache_control.is_some()) + inner
    };
    body::blocks(Some(content)).iter().map(of).sum()
}
