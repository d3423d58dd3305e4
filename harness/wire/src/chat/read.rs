//! From a body to the view of it.

use serde_json::Value;
use tacit_contract::CallId;
use tacit_contract::protocol::Api;

use super::body::{Block, Body, Call, Function, Message, Role, ToolEntry};
use crate::body::{Schema, parsed};
use crate::content::Content;
use crate::view::{Channel, Item, RequestView, ShownCall, ShownTool, Visibility};

/// What a body says.
pub(super) fn view<S: Schema>(body: Body<S>) -> RequestView {
    let mut reader = Reader::default();
    for entry in body.tools.into_iter().flatten() {
        reader.tool(entry, Channel::Tools);
    }
    for function in body.functions.into_iter().flatten() {
        reader.function(function, Channel::Tools);
    }
    for message in body.messages {
        reader.message(message);
    }
    RequestView {
        api: Api::OpenaiChat,
        base_prompt: reader.base.join("\n\n"),
        items: reader.items,
        tools: reader.tools,
        stream: body.stream.unwrap_or(false),
        undecidable: None,
    }
}

#[derive(Default)]
struct Reader {
    base: Vec<String>,
    user_spoke: bool,
    items: Vec<Item>,
    tools: Vec<ShownTool>,
}

impl Reader {
    fn message<S: Schema>(&mut self, message: Message<S>) {
        match message.role {
            Role::System => {
                for entry in message.tools.into_iter().flatten() {
                    self.tool(entry, Channel::SystemMessage);
                }
                let text = joined(message.content);
                if self.user_spoke {
                    self.items.push(Item::System { text });
                } else if !text.is_empty() {
                    self.base.push(text);
                }
            }
            Role::User => {
                self.user_spoke = true;
                self.items.push(Item::User {
                    texts: message.content.map(|content| content.texts(text)).unwrap_or_default(),
                });
            }
            Role::Assistant => self.items.push(Item::Assistant {
                text: joined(message.content),
                calls: message.tool_calls.into_iter().flatten().filter_map(call).collect(),
            }),
            Role::Tool => self.items.push(Item::Result {
                call_id: CallId::from(message.tool_call_id.unwrap_or_default()),
                text: joined(message.content),
                is_error: None,
            }),
        }
    }

    fn tool<S: Schema>(&mut self, entry: ToolEntry<S>, channel: Channel) {
        if let Some(function) = entry.function.or(entry.custom) {
            self.function(function, channel);
        }
    }

    fn function<S: Schema>(&mut self, function: Function<S>, channel: Channel) {
        self.tools.push(ShownTool {
            wire_name: function.name,
            description: function.description.unwrap_or_default(),
            schema: function.parameters.map_or(Value::Null, Schema::into_value),
            channel,
            visibility: Visibility::Visible,
            loaded_at: (channel == Channel::SystemMessage).then_some(self.items.len()),
        });
    }
}

fn call(call: Call) -> Option<ShownCall> {
    let (wire_name, arguments) = match (call.function, call.custom) {
        (Some(function), _) => (function.name, parsed(function.arguments)),
        (None, Some(custom)) => (custom.name, custom.input),
        (None, None) => return None,
    };
    Some(ShownCall { id: CallId::from(call.id), wire_name, arguments })
}

fn joined(content: Option<Content<Block>>) -> String {
    content.map(|content| content.joined(text)).unwrap_or_default()
}

fn text(block: Block) -> Option<String> {
    block.text.or(block.refusal)
}
