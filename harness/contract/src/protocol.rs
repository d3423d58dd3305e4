//! The messages of adapter protocol 1: JSON-RPC 2.0, one JSON value a line.
//!
//! The types are the specification; `tacit schema protocol` prints their JSON Schemas. Unknown
//! members are ignored on both sides.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::name::{CallId, SessionId, ToolName};
use crate::row::Row;
use crate::tool::{Mode, Tool};

/// The version of the protocol that this harness speaks.
pub const VERSION: u32 = 1;

/// The most bytes that one line may have, either way.
pub const LINE_LIMIT: usize = 64 * 1024 * 1024;

/// The most bytes of a runtime's log that are kept.
pub const LOG_LIMIT: usize = 1024 * 1024;

/// The names of the methods.
pub mod method {
    /// Agrees on a version and tells who is there.
    pub const INITIALIZE: &str = "initialize";
    /// Opens a session.
    pub const OPEN: &str = "session/open";
    /// Runs a prompt.
    pub const PROMPT: &str = "session/prompt";
    /// Saves a session.
    pub const SAVE: &str = "session/save";
    /// Closes a session.
    pub const CLOSE: &str = "session/close";
    /// Ends the process.
    pub const SHUTDOWN: &str = "shutdown";
    /// Exports the durable rows.
    pub const TRANSCRIPT: &str = "session/transcript";
    /// Stops the pending prompt.
    pub const ABORT: &str = "session/abort";
    /// Changes the mode.
    pub const SET_MODE: &str = "session/setMode";
    /// Changes the registry.
    pub const SET_TOOLS: &str = "session/setTools";
    /// Compacts.
    pub const COMPACT: &str = "session/compact";
}

/// The codes of the errors that the protocol defines.
pub mod code {
    /// The line is not JSON.
    pub const PARSE: i64 = -32700;
    /// The message is no request.
    pub const INVALID_REQUEST: i64 = -32600;
    /// The method is not known.
    pub const UNKNOWN_METHOD: i64 = -32601;
    /// The parameters do not fit.
    pub const BAD_PARAMS: i64 = -32602;
    /// Something went wrong inside.
    pub const INTERNAL: i64 = -32603;
    /// The runtime does not have this; `data.what` names it.
    pub const UNSUPPORTED: i64 = 1;
    /// The runtime declines; `data.reason` says why.
    pub const REFUSED: i64 = 2;
    /// Another prompt is pending.
    pub const BUSY: i64 = 3;
    /// No session of that id is open.
    pub const UNKNOWN_SESSION: i64 = 4;
}

/// A provider's API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Api {
    /// `OpenAI` Chat Completions.
    OpenaiChat,
    /// `OpenAI` Responses.
    OpenaiResponses,
    /// Anthropic Messages.
    AnthropicMessages,
}

impl Api {
    /// Every API, in the order of the protocol.
    pub const ALL: [Self; 3] = [Self::OpenaiChat, Self::OpenaiResponses, Self::AnthropicMessages];

    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::AnthropicMessages => "anthropic-messages",
        }
    }
}

/// A name and a version, as either side introduces itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Party {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
    /// The language it is written in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Where to read about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// Parameters of `initialize`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Initialize {
    /// The highest version that the harness speaks.
    pub protocol_version: u32,
    /// The harness.
    pub harness: Party,
}

/// Result of `initialize`: who the runtime is and what it can do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Description {
    /// A version that the runtime speaks.
    pub protocol_version: u32,
    /// The runtime.
    pub runtime: Party,
    /// What it can do.
    pub capabilities: Capabilities,
    /// What it calls things; wins over the profile's names, and changes no bound and no claim.
    #[serde(default)]
    pub dialect: Dialect,
}

/// Who brings the core tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CoreTools {
    /// The runtime has its own.
    Own,
    /// The harness gives them, under the profile's names.
    Given,
}

/// What a runtime can do. A check that needs what is not here is not applicable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_excessive_bools, reason = "each is a member of the protocol")]
pub struct Capabilities {
    /// The APIs that it speaks.
    pub provider_apis: Vec<Api>,
    /// Those over which it can defer natively.
    #[serde(default)]
    pub native_deferral: Vec<Api>,
    /// The modes that it has.
    pub modes: Vec<Mode>,
    /// Who brings the core tools.
    pub core_tools: CoreTools,
    /// Prompts of several sessions may be pending at once.
    #[serde(default)]
    pub concurrent: bool,
    /// A prompt's end tells the tool rows that the user was shown.
    #[serde(default)]
    pub activity: bool,
    /// `session/transcript`, and opening from rows.
    #[serde(default)]
    pub transcript: bool,
    /// `session/abort`.
    #[serde(default)]
    pub abort: bool,
    /// `session/setMode`.
    #[serde(default)]
    pub set_mode: bool,
    /// `session/setTools`.
    #[serde(default)]
    pub set_tools: bool,
    /// `session/compact`.
    #[serde(default)]
    pub compact: bool,
}

/// What a runtime calls things.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Dialect {
    /// The search tool's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search_tool: Option<ToolName>,
    /// The search tool's arguments: a template in which the text `$QUERY` stands for the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search_arguments: Option<Value>,
    /// The argument by which the model could ask for more matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_argument: Option<String>,
    /// What is put before a tool's name on the wire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name_prefix: Option<String>,
    /// The tool that starts a new context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_context: Option<NewContext>,
}

/// How the model starts a new context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewContext {
    /// The tool's name.
    pub name: ToolName,
    /// Arguments that it accepts.
    pub arguments: Value,
}

/// Which provider a session talks to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProviderConfig {
    /// Its API.
    pub api: Api,
    /// Its address; ends in `/v1` for the `OpenAI` APIs.
    pub base_url: String,
    /// The key to send.
    pub api_key: String,
    /// The model to ask for.
    pub model: String,
    /// Whether native deferral is on.
    pub native: bool,
}

/// Where the host-core listens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HostConfig {
    /// Its address.
    pub url: String,
}

/// Parameters of `session/open`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Opening {
    /// The session's id.
    pub session_id: SessionId,
    /// The mode that it begins in.
    pub mode: Mode,
    /// The provider.
    pub provider: ProviderConfig,
    /// The host-core.
    pub host: HostConfig,
    /// The registry.
    pub tools: Vec<Tool>,
    /// The most tools that one search may activate.
    pub max_activated: u32,
    /// The folder that tools are held to.
    pub workspace: String,
    /// A folder for whatever the runtime keeps between restarts.
    pub state_dir: String,
    /// What `session/save` gave, to go on from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Value>,
    /// Rows that the harness wrote, to go on from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Vec<Row>>,
}

/// Parameters of the methods that name a session and no more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InSession {
    /// The session.
    pub session_id: SessionId,
}

/// Parameters of `session/prompt`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// The session.
    pub session_id: SessionId,
    /// What the user says.
    pub text: String,
}

/// Parameters of `session/setMode`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SetMode {
    /// The session.
    pub session_id: SessionId,
    /// The mode from now on.
    pub mode: Mode,
}

/// Parameters of `session/setTools`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SetTools {
    /// The session.
    pub session_id: SessionId,
    /// The registry from now on.
    pub tools: Vec<Tool>,
}

/// How a prompt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// The model was done.
    End,
    /// The user stopped it.
    Aborted,
    /// The runtime gave up.
    Error,
}

/// Result of `session/prompt`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PromptEnd {
    /// How it ended.
    pub stop: Stop,
    /// What the user was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The tool rows that the user was shown, in order (capability `activity`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activity: Option<Vec<Activity>>,
}

/// One tool row that the user was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// The call.
    pub call_id: CallId,
    /// The tool.
    pub tool_name: ToolName,
    /// How it stood, in the runtime's word.
    pub status: String,
}

/// Result of `session/save`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Saved {
    /// All that a restart needs.
    pub state: Value,
}

/// Result of `session/transcript`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Transcript {
    /// The durable rows, oldest first.
    pub rows: Vec<Row>,
}

/// An error answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorAnswer {
    /// One of [`code`], or the runtime's own.
    pub code: i64,
    /// What happened.
    pub message: String,
    /// `what` for [`code::UNSUPPORTED`], `reason` for [`code::REFUSED`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// A request line.
#[must_use]
pub fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}
