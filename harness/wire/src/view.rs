//! What a provider request says, whatever the API it says it in.

use serde::Serialize;
use serde_json::Value;
use tacit_contract::CallId;
use tacit_contract::protocol::Api;

/// One provider request, read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RequestView {
    /// The API that it was sent over.
    pub api: Api,
    /// The base prompt: all system and developer text before the first user message; several
    /// texts are set apart by a blank line.
    pub base_prompt: String,
    /// What follows the base prompt, in order.
    pub items: Vec<Item>,
    /// Every tool definition that the request holds, in order.
    pub tools: Vec<ShownTool>,
    /// Whether a streamed answer is asked for.
    pub stream: bool,
    /// Why the request alone does not show what the model sees, such as a thread that goes on by
    /// reference. Nothing else is judged on it then.
    pub undecidable: Option<String>,
}

/// One entry of the conversation that a request holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Item {
    /// A system or developer message after the first user message.
    System {
        /// Its text.
        text: String,
    },
    /// A user message, one text a block.
    User {
        /// The blocks.
        texts: Vec<String>,
    },
    /// An assistant message.
    Assistant {
        /// What it said; empty where it only called.
        text: String,
        /// Its batch of calls.
        calls: Vec<ShownCall>,
    },
    /// A tool result in the API's own form.
    Result {
        /// The call that it answers.
        call_id: CallId,
        /// What the model reads.
        text: String,
        /// Whether it is marked as an error, where the API has a mark for that.
        is_error: Option<bool>,
    },
}

/// A call as a request repeats it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShownCall {
    /// Its id.
    pub id: CallId,
    /// The tool's name on the wire, prefix included.
    pub wire_name: String,
    /// The arguments; text that is no JSON stands here as a string.
    pub arguments: Value,
}

/// A tool definition in a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShownTool {
    /// The tool's name on the wire, prefix included.
    pub wire_name: String,
    /// Its description.
    pub description: String,
    /// Its parameters; `null` where it has none.
    pub schema: Value,
    /// Where in the request it stands.
    pub channel: Channel,
    /// Whether the model can read it.
    pub visibility: Visibility,
    /// Where it was loaded: how many items of the conversation come before; `None` for what
    /// stands in the ordinary list alone.
    pub loaded_at: Option<usize>,
}

/// The places in which a tool definition can reach a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Channel {
    /// The ordinary tool list.
    Tools,
    /// A reference in a tool result, to an entry of the list that is hidden until then (Messages).
    ToolReference,
    /// An addition in a system message of the conversation, by reference or by value (Messages).
    ToolAddition,
    /// The output of a tool search among the input items (Responses).
    ToolSearchOutput,
    /// An item of additional tools among the input items (Responses).
    AdditionalTools,
    /// The tools of a system message in the conversation (Chat Completions).
    SystemMessage,
}

/// Whether the model can read a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Visibility {
    /// It can.
    Visible,
    /// It was sent, but is hidden until something loads it.
    Declared,
    /// It stands in history and was taken back in words only.
    Withdrawn,
    /// It was taken back later, in the API's own form.
    Removed,
}

impl RequestView {
    /// The definitions that the model can read.
    pub fn visible(&self) -> impl Iterator<Item = &ShownTool> {
        self.tools.iter().filter(|tool| tool.visibility == Visibility::Visible)
    }
}
