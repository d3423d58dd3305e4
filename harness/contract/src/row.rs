//! Rows: what a transcript is made of.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::name::{CallId, ToolName};

/// How a tool call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It succeeded: evidence.
    Ok,
    /// It failed, was denied or timed out: no evidence.
    Error,
    /// It was cut off: no evidence.
    Interrupted,
}

/// One tool call of an assistant message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolCall {
    /// Its id.
    pub id: CallId,
    /// The tool that is called.
    pub name: ToolName,
    /// The arguments: an object, unless the model wrote something else.
    pub arguments: Value,
}

/// One durable entry of a transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Row {
    /// What the user said.
    User {
        /// The prompt.
        text: String,
    },
    /// What the model said: text, calls, or both.
    Assistant {
        /// The text, if there was any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// The batch of calls; empty where the model only spoke.
        #[serde(default)]
        tool_calls: Vec<ToolCall>,
    },
    /// What came of one call.
    ToolResult {
        /// The call that it answers.
        call_id: CallId,
        /// The tool that was called.
        tool_name: ToolName,
        /// How it ended.
        status: Status,
        /// What the model reads.
        text: String,
        /// The activation marker: what this call activated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        added_tool_names: Option<Vec<ToolName>>,
    },
    /// All that stood before is replaced by a summary: a compaction or `new_context`.
    Checkpoint {
        /// What is left of it.
        summary: String,
    },
}
