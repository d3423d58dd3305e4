//! Which tools a conversation loads and takes back.

use serde_json::Value;

use super::body::{Changed, Kind, ToolEntry};
use crate::body::Schema;
use crate::view::{Channel, ShownTool, Visibility};

/// The tools of a request, as far as it has been read.
#[derive(Default)]
pub(super) struct Tools(Vec<ShownTool>);

impl Tools {
    /// All of them, in the order in which they came.
    pub(super) fn into_shown(self) -> Vec<ShownTool> {
        self.0
    }

    /// An entry of the ordinary list.
    pub(super) fn listed<S: Schema>(&mut self, entry: ToolEntry<S>) {
        let visibility =
            if entry.is_deferred() { Visibility::Declared } else { Visibility::Visible };
        self.0.extend(shown(entry, Channel::Tools, visibility, None));
    }

    /// A reference to a tool: what is hidden becomes visible there, and what the list shows
    /// already is there twice.
    pub(super) fn referred_to(&mut self, name: &str, channel: Channel, at: usize) {
        let mut named = self.0.iter_mut().filter(|tool| tool.wire_name == name);
        let Some(first) = named.next() else { return };
        if first.visibility != Visibility::Visible {
            first.visibility = Visibility::Visible;
            first.channel = channel;
            first.loaded_at = Some(at);
        } else if first.channel == Channel::Tools && named.next().is_none() {
            let again = ShownTool { channel, loaded_at: Some(at), ..first.clone() };
            self.0.push(again);
        }
    }

    /// An addition, by reference or by value; what comes by value replaces what had its name.
    pub(super) fn added<S: Schema>(&mut self, tool: Changed<S>, at: usize) {
        let channel = Channel::ToolAddition;
        if let Some(definition) = tool.definition {
            if let Some(new) = shown(definition, channel, Visibility::Visible, Some(at)) {
                self.0.retain(|known| known.wire_name != new.wire_name);
                self.0.push(new);
            }
        } else if tool.is_reference() {
            self.referred_to(&tool.name.unwrap_or_default(), channel, at);
        }
    }

    /// A removal, by reference. What nothing has loaded stays hidden as it was.
    pub(super) fn removed<S>(&mut self, tool: &Changed<S>) {
        let Some(name) = tool.name.as_ref().filter(|_| tool.is_reference()) else { return };
        for known in &mut self.0 {
            if known.wire_name == *name && known.visibility == Visibility::Visible {
                known.visibility = Visibility::Removed;
            }
        }
    }
}

/// The definition that an entry holds; `None` for what the provider executes by itself.
fn shown<S: Schema>(
    entry: ToolEntry<S>,
    channel: Channel,
    visibility: Visibility,
    loaded_at: Option<usize>,
) -> Option<ShownTool> {
    match entry.kind() {
        Kind::Custom | Kind::Defined | Kind::Unknown => Some(ShownTool {
            wire_name: entry.name,
            description: entry.description.unwrap_or_default(),
            schema: entry.input_schema.map_or(Value::Null, Schema::into_value),
            channel,
            visibility,
            loaded_at,
        }),
        Kind::Search | Kind::Server => None,
    }
}
