//! From a body to the view of it.

use tacit_contract::CallId;
use tacit_contract::protocol::Api;

use super::body::{Block, Body, Content, Message, Role};
use super::tools::Tools;
use crate::body::Schema;
use crate::view::{Channel, Item, RequestView, ShownCall};

/// What a body says.
pub(super) fn view<S: Schema>(body: Body<S>) -> RequestView {
    let goes_on = body.goes_on();
    let mut reader = Reader::default();
    for entry in body.tools.into_iter().flatten() {
        reader.tools.listed(entry);
    }
    reader.base = texts(body.system);
    reader.base.retain(|text| !text.is_empty());
    for message in body.messages {
        reader.message(message);
    }
    let undecidable = if goes_on {
        Some("a thread goes on by reference: earlier messages and tools are not in the request")
    } else {
        reader.compacted.then_some(
            "a compaction block stands for earlier messages, which the provider then leaves out",
        )
    };
    RequestView {
        api: Api::AnthropicMessages,
        base_prompt: reader.base.join("\n\n"),
        items: reader.items,
        tools: reader.tools.into_shown(),
        stream: body.stream.unwrap_or(false),
        undecidable: undecidable.map(str::to_owned),
    }
}

#[derive(Default)]
struct Reader {
    base: Vec<String>,
    user_spoke: bool,
    items: Vec<Item>,
    tools: Tools,
    compacted: bool,
}

impl Reader {
    fn message<S: Schema>(&mut self, message: Message<S>) {
        let (texts, blocks) = match message.content {
            None => Default::default(),
            Some(Content::Text(text)) => (vec![text], Vec::new()),
            Some(Content::Blocks(blocks)) => (Vec::new(), blocks),
            Some(Content::Object(block)) => (Vec::new(), vec![*block]),
        };
        self.compacted |= blocks.iter().any(|block| block.r#type == "compaction");
        match message.role {
            Role::System => self.system(texts, blocks),
            Role::User => self.user(texts, blocks),
            Role::Assistant => self.assistant(texts, blocks),
        }
    }

    fn system<S: Schema>(&mut self, mut texts: Vec<String>, blocks: Vec<Block<S>>) {
        for block in blocks {
            match (block.r#type.as_str(), block.tool) {
                ("tool_addition", Some(tool)) => self.tools.added(*tool, self.items.len()),
                ("tool_removal", Some(tool)) => self.tools.removed(&tool),
                _ => texts.extend(block.text),
            }
        }
        let text = texts.join("\n");
        if self.user_spoke {
            self.items.push(Item::System { text });
        } else if !text.is_empty() {
            self.base.push(text);
        }
    }

    fn user<S: Schema>(&mut self, mut texts: Vec<String>, blocks: Vec<Block<S>>) {
        self.user_spoke = true;
        let mut answered = false;
        // The results that hold references alone: what else they say has to stand behind all
        // results, one text each.
        let mut wordless = Vec::new();
        for block in blocks {
            if block.r#type != "tool_result" {
                texts.extend(block.text);
                continue;
            }
            self.said(&mut texts);
            answered = true;
            let references: Vec<String> = block.names().map(str::to_owned).collect();
            let text = self::texts(block.content).join("\n");
            if text.is_empty() && !references.is_empty() {
                wordless.push(self.items.len());
            }
            self.items.push(Item::Result {
                call_id: CallId::from(block.tool_use_id.unwrap_or_default()),
                text,
                is_error: block.is_error,
            });
            for name in references {
                self.tools.referred_to(&name, Channel::ToolReference, self.items.len());
            }
        }
        let moved = wordless.len().min(texts.len());
        for (index, words) in wordless.into_iter().zip(texts.drain(..moved)) {
            if let Some(Item::Result { text, .. }) = self.items.get_mut(index) {
                *text = words;
            }
        }
        if answered {
            self.said(&mut texts);
        } else {
            self.items.push(Item::User { texts });
        }
    }

    /// What the user has said so far, if anything.
    fn said(&mut self, texts: &mut Vec<String>) {
        if !texts.is_empty() {
            self.items.push(Item::User { texts: std::mem::take(texts) });
        }
    }

    fn assistant<S: Schema>(&mut self, mut texts: Vec<String>, blocks: Vec<Block<S>>) {
        let mut calls = Vec::new();
        for block in blocks {
            match block.r#type.as_str() {
                "tool_use" => calls.push(ShownCall {
                    id: CallId::from(block.id.unwrap_or_default()),
                    wire_name: block.name.unwrap_or_default(),
                    arguments: block.input.unwrap_or_default(),
                }),
                "tool_search_tool_result" => {
                    for name in block.names() {
                        self.tools.referred_to(name, Channel::ToolReference, self.items.len());
                    }
                }
                "text" => texts.extend(block.text),
                _ => {}
            }
        }
        self.items.push(Item::Assistant { text: texts.join("\n"), calls });
    }
}

fn texts<S>(content: Option<Content<S>>) -> Vec<String> {
    content.map_or_else(Vec::new, |content| content.texts(|block| block.text))
}
