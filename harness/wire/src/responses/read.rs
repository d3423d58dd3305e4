//! From a body to the view of it.

use serde_json::Value;
use tacit_contract::CallId;
use tacit_contract::protocol::Api;

use super::body::{Block, Body, Input, Item, Role, Tool};
use super::shown::{CLIENT_SEARCH, Shown};
use crate::body::{Schema, parsed};
use crate::content::Content;
use crate::view::{self, Channel, RequestView, ShownCall};

/// What a body says.
pub(super) fn view<S: Schema>(body: Body<S>) -> RequestView {
    let mut reader = Reader {
        searches: body.tools.iter().flatten().any(Tool::is_client_search),
        undecidable: elsewhere(&body),
        ..Reader::default()
    };
    for tool in body.tools.into_iter().flatten() {
        reader.shown.listed(tool);
    }
    reader.base.extend(body.instructions.filter(|text| !text.is_empty()));
    match body.input {
        Some(Input::Text(text)) => reader.items.push(view::Item::User { texts: vec![text] }),
        Some(Input::Items(items)) => {
            for (index, item) in items.into_iter().enumerate() {
                reader.item(index, item);
            }
        }
        None => {}
    }
    RequestView {
        api: Api::OpenaiResponses,
        base_prompt: reader.base.join("\n\n"),
        items: reader.items,
        tools: reader.shown.into_tools(),
        stream: body.stream.unwrap_or(false),
        undecidable: reader.undecidable,
    }
}

/// Why the conversation does not stand in the body alone.
fn elsewhere<S>(body: &Body<S>) -> Option<String> {
    let goes_on = [
        ("previous_response_id", body.previous_response_id.is_some(), "goes on from a response"),
        ("conversation", body.conversation.is_some(), "belongs to a conversation"),
        ("prompt", body.prompt.is_some(), "uses a template"),
    ];
    let (member, _, does) = goes_on.into_iter().find(|(_, there, _)| *there)?;
    Some(format!("it {does} that the provider keeps (`{member}`)"))
}

#[derive(Default)]
struct Reader {
    base: Vec<String>,
    user_spoke: bool,
    items: Vec<view::Item>,
    shown: Shown,
    /// The API's search is the runtime's own tool.
    searches: bool,
    undecidable: Option<String>,
}

impl Reader {
    fn item<S: Schema>(&mut self, index: usize, item: Item<S>) {
        match item.r#type.as_deref() {
            Some("message") => self.message(item),
            None if item.role.is_some() => self.message(item),
            Some("function_call") => {
                let arguments = item.arguments.map(parsed);
                self.call(item.call_id, item.name, arguments);
            }
            Some("custom_tool_call") => self.call(item.call_id, item.name, item.input),
            Some("function_call_output" | "custom_tool_call_output") => {
                self.result(item.call_id, joined(item.output));
            }
            Some("tool_search_call") if self.searches => {
                self.call(item.call_id, Some(CLIENT_SEARCH.to_owned()), item.arguments);
            }
            Some("tool_search_output") => {
                let tools = item.tools.unwrap_or_default();
                if self.searches {
                    let names: Vec<&str> = tools.iter().filter_map(|t| t.name.as_deref()).collect();
                    self.result(item.call_id, names.join("\n"));
                }
                self.shown.loaded(tools, Channel::ToolSearchOutput, self.items.len());
            }
            Some("additional_tools") => {
                let tools = item.tools.unwrap_or_default();
                self.shown.loaded(tools, Channel::AdditionalTools, self.items.len());
            }
            Some("item_reference") => self.refers(index, "refers to an item"),
            None if item.id.is_some() => self.refers(index, "refers to an item"),
            Some("compaction") => self.refers(index, "holds the summary of a conversation"),
            // Thoughts, and what the provider's own tools did.
            _ => {}
        }
    }

    fn message<S>(&mut self, item: Item<S>) {
        match item.role {
            Some(Role::System) => {
                let text = joined(item.content);
                self.shown.told(&text);
                if self.user_spoke {
                    self.items.push(view::Item::System { text });
                } else if !text.is_empty() {
                    self.base.push(text);
                }
            }
            Some(Role::User) => {
                self.user_spoke = true;
                let texts = item.content.map(|content| content.texts(text)).unwrap_or_default();
                self.items.push(view::Item::User { texts });
            }
            Some(Role::Assistant) => self.assistant(joined(item.content), None),
            None => {}
        }
    }

    fn call(&mut self, id: Option<String>, name: Option<String>, arguments: Option<Value>) {
        let call = ShownCall {
            id: CallId::from(id.unwrap_or_default()),
            wire_name: name.unwrap_or_default(),
            arguments: arguments.unwrap_or_default(),
        };
        self.assistant(String::new(), Some(call));
    }

    fn result(&mut self, id: Option<String>, text: String) {
        let call_id = CallId::from(id.unwrap_or_default());
        self.items.push(view::Item::Result { call_id, text, is_error: None });
    }

    /// One more item of an assistant message, which is all such items that follow one another.
    fn assistant(&mut self, said: String, call: Option<ShownCall>) {
        let Some(view::Item::Assistant { text, calls }) = self.items.last_mut() else {
            let calls = call.into_iter().collect();
            self.items.push(view::Item::Assistant { text: said, calls });
            return;
        };
        if !text.is_empty() && !said.is_empty() {
            text.push('\n');
        }
        text.push_str(&said);
        calls.extend(call);
    }

    fn refers(&mut self, index: usize, does: &str) {
        let reason = || format!("`input[{index}]` {does} that the provider keeps");
        self.undecidable.get_or_insert_with(reason);
    }
}

fn joined(content: Option<Content<Block>>) -> String {
    content.map(|content| content.joined(text)).unwrap_or_default()
}

fn text(block: Block) -> Option<String> {
    block.text.or(block.refusal)
}
