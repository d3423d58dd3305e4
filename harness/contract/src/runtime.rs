//! The thin trait that a runtime stands behind, and the two ports that it reaches out through.
//!
//! Four operations are required (open, prompt, save, close); the rest each have a capability of
//! the same name and answer [`RuntimeError::Unsupported`] where a runtime does not have it. The
//! stdio protocol carries the same operations to a program in any language.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::name::{CallId, SessionId, ToolName};
use crate::protocol::{Description, Opening, PromptEnd};
use crate::row::Row;
use crate::tool::{Mode, Tool};

/// A future of a port: boxed, so that ports can be passed as trait objects; on one thread.
pub type PortFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// A runtime under test.
///
/// Methods take `&self`: an abort comes while a prompt is pending. All run on one thread.
#[allow(async_fn_in_trait, reason = "the harness plays each runtime on one thread")]
pub trait Runtime {
    /// Who this is and what it can do.
    fn describe(&self) -> &Description;

    /// Opens a session: fresh, from a saved state or from rows. The id of an open session
    /// replaces it.
    async fn open(&self, opening: Opening, ports: Ports) -> Result<(), RuntimeError>;

    /// Runs one prompt to its end.
    async fn prompt(&self, session: &SessionId, text: &str) -> Result<PromptEnd, RuntimeError>;

    /// All that a restart needs, as any JSON.
    async fn save(&self, session: &SessionId) -> Result<Value, RuntimeError>;

    /// Closes a session.
    async fn close(&self, session: &SessionId) -> Result<(), RuntimeError>;

    /// The durable rows (capability `transcript`).
    async fn transcript(&self, _session: &SessionId) -> Result<Vec<Row>, RuntimeError> {
        Err(RuntimeError::unsupported("transcript"))
    }

    /// Stops the pending prompt, which then ends as aborted (capability `abort`).
    async fn abort(&self, _session: &SessionId) -> Result<(), RuntimeError> {
        Err(RuntimeError::unsupported("abort"))
    }

    /// Changes the mode between prompts (capability `setMode`).
    async fn set_mode(&self, _session: &SessionId, _mode: Mode) -> Result<(), RuntimeError> {
        Err(RuntimeError::unsupported("setMode"))
    }

    /// Changes the registry between prompts: a plugin enabled, disabled or changed
    /// (capability `setTools`).
    async fn set_tools(&self, _session: &SessionId, _tools: Vec<Tool>) -> Result<(), RuntimeError> {
        Err(RuntimeError::unsupported("setTools"))
    }

    /// Compacts between prompts, as the runtime does it (capability `compact`).
    async fn compact(&self, _session: &SessionId) -> Result<(), RuntimeError> {
        Err(RuntimeError::unsupported("compact"))
    }
}

/// Why an operation of a runtime did not give its result.
///
/// Only [`Refused`](Self::Refused) and [`Unsupported`](Self::Unsupported) say something about
/// conformance; the others are errors of the run, each named once, and never end it.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RuntimeError {
    /// The runtime does not have this: not applicable.
    #[error("the runtime does not support {what}")]
    Unsupported {
        /// What it lacks.
        what: String,
    },
    /// The runtime declined: judged.
    #[error("the runtime refused: {reason}")]
    Refused {
        /// Why, in the runtime's words.
        reason: String,
    },
    /// Another prompt was pending.
    #[error("the runtime is busy with another prompt")]
    Busy,
    /// The runtime does not know the session.
    #[error("the runtime does not know session `{session}`")]
    UnknownSession {
        /// The session that was meant.
        session: SessionId,
    },
    /// The runtime answered with an error of its own.
    #[error("the runtime answered with error {code}: {message}")]
    Failed {
        /// The JSON-RPC code.
        code: i64,
        /// Its message.
        message: String,
    },
    /// The process ended or closed its output.
    #[error("the runtime crashed during {during}: {status}{}", tail(log))]
    Crashed {
        /// The step it was in.
        during: String,
        /// The exit status.
        status: String,
        /// The last lines of its log.
        log: String,
    },
    /// Nothing came within the time limit; the whole process group was ended.
    #[error("the runtime hung: no answer to {during} within {limit_ms} ms{}", tail(log))]
    Hung {
        /// The step it was in.
        during: String,
        /// The limit, in milliseconds.
        limit_ms: u64,
        /// The last lines of its log.
        log: String,
    },
    /// What came was not the protocol.
    #[error("protocol error in {during}: {problem}{}", tail(log))]
    Protocol {
        /// The message that was expected.
        during: String,
        /// What was found, where, and what was expected.
        problem: String,
        /// The last lines of its log.
        log: String,
    },
    /// The runtime could not be started at all.
    #[error("the runtime did not start: {problem}")]
    NotStarted {
        /// What happened, and what to do.
        problem: String,
    },
}

impl RuntimeError {
    /// The error of an optional operation that a runtime does not have.
    #[must_use]
    pub fn unsupported(what: &str) -> Self {
        Self::Unsupported { what: what.to_owned() }
    }

    /// Whether the runtime can go on being used after this.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        matches!(
            self,
            Self::Crashed { .. }
                | Self::Hung { .. }
                | Self::Protocol { .. }
                | Self::NotStarted { .. }
        )
    }

    /// What went wrong without the runtime's log, and the end of its log, which may be empty.
    #[must_use]
    pub fn cause_and_log(&self) -> (String, &str) {
        let log = match self {
            Self::Crashed { log, .. } | Self::Hung { log, .. } | Self::Protocol { log, .. } => {
                log.as_str()
            }
            _ => "",
        };
        let whole = self.to_string();
        (whole.strip_suffix(&tail(log)).unwrap_or(&whole).to_owned(), log)
    }
}

fn tail(log: &str) -> String {
    if log.is_empty() { String::new() } else { format!("; its log ends: {log}") }
}

/// A request to the model provider, as bytes: the in-process lane of what goes over HTTP.
#[derive(Debug, Clone)]
pub struct ProviderRequest {
    /// The path, with the base path of the session's `baseUrl`.
    pub path: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The JSON body.
    pub body: Vec<u8>,
}

/// The provider's answer, as bytes.
#[derive(Debug, Clone)]
pub struct ProviderResponse {
    /// The HTTP status.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body: JSON, or an event stream that may stop early.
    pub body: Vec<u8>,
}

/// No answer came from the provider or the host.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no answer from {whom}: {problem}")]
pub struct PortError {
    /// Who did not answer.
    pub whom: &'static str,
    /// What happened.
    pub problem: String,
}

/// The model provider, as a runtime reaches it.
pub trait Provider {
    /// Sends one request.
    fn send(&self, request: ProviderRequest)
    -> PortFuture<'_, Result<ProviderResponse, PortError>>;
}

/// The host-core, as a runtime reaches it: whatever it asks of its host is one call.
pub trait HostCore {
    /// Makes one call.
    fn call(&self, call: HostCall) -> PortFuture<'_, Result<HostAnswer, PortError>>;
}

/// The two ports of a session.
///
/// An in-process runtime may use them or go over HTTP to the addresses in the [`Opening`]: the
/// same provider and the same host stand behind both.
#[derive(Clone)]
pub struct Ports {
    /// The model provider.
    pub provider: Rc<dyn Provider>,
    /// The host-core.
    pub host: Rc<dyn HostCore>,
}

/// One call of a runtime to its host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HostCall {
    /// The session that it is made for.
    pub session_id: SessionId,
    /// `tool.execute`, `tool.permission`, `tool.audit`, or housekeeping under any other name.
    pub method: String,
    /// The tool call that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<CallId>,
    /// The tool, without a prefix of the wire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<ToolName>,
    /// The call's arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Value>,
    /// How long the tool may take, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// The workspace that the tool is held to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
}

impl HostCall {
    /// Whether this is one of the `tool.*` calls that the contract judges.
    #[must_use]
    pub fn is_tool_call(&self) -> bool {
        self.method.starts_with("tool.")
    }
}

/// The host's word on a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum HostStatus {
    /// Done, or allowed.
    Ok,
    /// It failed.
    Error,
    /// The user or the policy does not allow it.
    Denied,
}

/// The host's answer to one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HostAnswer {
    /// The host's word.
    pub status: HostStatus,
    /// What the model should read.
    pub text: String,
}
