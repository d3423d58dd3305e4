//! The tool definitions of a request, and what becomes of them from item to item.

use serde_json::Value;

use super::body::Tool;
use crate::body::Schema;
use crate::view::{Channel, ShownTool, Visibility};

/// How a message begins that takes tools back in words; each name follows on a line of its own.
/// (Seen in requests of the agent pi, from 1.5 on.)
const TAKEN_BACK: &str = "The following tools are no longer available.";

/// How such a line begins.
const BULLET: &str = "- ";

/// How a message begins after which a definition replaces an earlier one of the same name.
/// (Seen in requests of the agent pi, from 1.5 on.)
const INCREMENTAL: &str = "This is an incremental tools update.";

/// What a client's own search is called when it is called.
pub(super) const CLIENT_SEARCH: &str = "tool_search";

/// The definitions so far.
#[derive(Default)]
pub(super) struct Shown {
    tools: Vec<ShownTool>,
    replaces: bool,
}

impl Shown {
    /// One more entry of the ordinary list.
    pub(super) fn listed<S: Schema>(&mut self, tool: Tool<S>) {
        self.add(tool, Channel::Tools, None);
    }

    /// Definitions that reach the model at a place in the conversation, deferred or not.
    pub(super) fn loaded<S: Schema>(&mut self, tools: Vec<Tool<S>>, channel: Channel, at: usize) {
        for tool in tools {
            self.add(tool, channel, Some(at));
        }
    }

    /// What a system message in the conversation says about tools.
    pub(super) fn told(&mut self, text: &str) {
        let text = text.trim_start();
        if text.starts_with(INCREMENTAL) {
            self.replaces = true;
        }
        if text.starts_with(TAKEN_BACK) {
            for name in text.lines().filter_map(|line| line.strip_prefix(BULLET)) {
                self.take_back(|tool| tool.wire_name == name.trim());
            }
        }
    }

    /// All of them, in order.
    pub(super) fn into_tools(self) -> Vec<ShownTool> {
        self.tools
    }

    fn add<S: Schema>(&mut self, tool: Tool<S>, channel: Channel, loaded_at: Option<usize>) {
        let deferred = tool.is_deferred();
        let name = match tool.r#type.as_deref() {
            Some("namespace") => {
                for member in tool.tools.into_iter().flatten() {
                    self.add(member, channel, loaded_at);
                }
                return;
            }
            Some("tool_search") if tool.is_client_search() => CLIENT_SEARCH.to_owned(),
            // What has a name is defined, even where the type is not as it should be.
            _ => match tool.name {
                Some(name) => name,
                None => return,
            },
        };
        if self.replaces {
            let same = |tool: &ShownTool| tool.channel == channel && tool.wire_name == name;
            self.take_back(same);
        }
        let hidden = deferred && channel == Channel::Tools;
        self.tools.push(ShownTool {
            wire_name: name,
            description: tool.description.unwrap_or_default(),
            schema: tool.parameters.map_or(Value::Null, Schema::into_value),
            channel,
            visibility: if hidden { Visibility::Declared } else { Visibility::Visible },
            loaded_at,
        });
    }

    fn take_back(&mut self, which: impl Fn(&ShownTool) -> bool) {
        let visible = |tool: &&mut ShownTool| tool.visibility == Visibility::Visible;
        for tool in self.tools.iter_mut().filter(visible).filter(|tool| which(tool)) {
            tool.visibility = Visibility::Withdrawn;
        }
    }
}
