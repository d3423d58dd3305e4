//! Traces: what was seen while a session was played, in one numbered order.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::name::{CallId, SessionId, ToolName};
use crate::protocol::{Api, Description, PromptEnd};
use crate::row::Row;
use crate::runtime::{HostAnswer, HostCall, RuntimeError};
use crate::session::{Call, Failure, Query, Session};
use crate::tool::{Mode, Tool};

/// All that was seen of one session, and of the other sessions beside it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// The runtime that it was played on.
    pub runtime: Description,
    /// The session that was played.
    pub session: Session,
    /// What was seen; the index is the sequence number.
    pub log: Vec<Entry>,
    /// What ended it before its last step, if anything did.
    pub cut_short: Option<RuntimeError>,
}

/// One thing that was seen.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entry {
    /// The session that it belongs to.
    pub session: SessionId,
    /// What it was.
    pub seen: Seen,
}

/// What a session went on from when it was opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "from", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum From {
    /// From nothing.
    Nothing,
    /// From rows that the harness wrote.
    SeededRows {
        /// The rows.
        rows: Vec<Row>,
    },
    /// From a history that a recording holds in part: nobody knows how a call without a result
    /// ended there, nor who made a result without its call.
    Recorded {
        /// What is known of it.
        rows: Vec<Row>,
    },
    /// From the state that was saved just now.
    State {
        /// Whether the process had ended in between.
        process: bool,
    },
    /// From the rows that were exported just now.
    ExportedRows {
        /// Whether the process had ended in between.
        process: bool,
    },
    /// From the state that was saved some prompts ago.
    EarlierState {
        /// How many prompts were taken back.
        prompts: u32,
    },
}

/// What can be seen of a session.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "seen", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Seen {
    /// It was opened.
    Opened {
        /// The mode.
        mode: Mode,
        /// The registry that was given to the runtime.
        tools: Arc<Vec<Tool>>,
        /// The provider's API.
        api: Api,
        /// Whether native deferral was on.
        native: bool,
        /// What it went on from.
        from: From,
    },
    /// The user asked something.
    Prompted {
        /// The step of the session that this prompt is.
        step: usize,
        /// The prompt, with its unique word.
        text: String,
    },
    /// The runtime sent a request to its provider.
    Requested(Requested),
    /// The runtime called its host.
    HostCalled {
        /// The call.
        call: HostCall,
        /// The answer.
        answer: HostAnswer,
    },
    /// The user stopped the prompt.
    Aborted,
    /// The prompt was over.
    PromptEnded(PromptEnd),
    /// The durable rows, as the runtime exported them.
    Transcript {
        /// The rows.
        rows: Vec<Row>,
    },
    /// The mode was changed.
    ModeSet {
        /// The mode from now on.
        mode: Mode,
    },
    /// The registry was changed.
    ToolsSet {
        /// The registry from now on.
        tools: Arc<Vec<Tool>>,
        /// What was removed.
        removed: Vec<ToolName>,
        /// What came back.
        added: Vec<ToolName>,
        /// What came in a new version, and what is new with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        updated: Vec<ToolName>,
    },
    /// A plugin registered after the session was opened again: nothing was removed, and nothing
    /// came back.
    RegisteredLate {
        /// The registry from now on.
        tools: Arc<Vec<Tool>>,
        /// What came with the plugin.
        late: Vec<ToolName>,
    },
    /// The session was compacted.
    Compacted,
    /// The session was closed.
    Closed,
    /// An operation did not give its result, and the session went on.
    Failed {
        /// Which operation.
        operation: String,
        /// Why.
        error: RuntimeError,
    },
}

/// A request to the provider, as it came, and what it was answered.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Requested {
    /// The API that its path belongs to; `None` for a path that is no request.
    pub api: Option<Api>,
    /// The path, without the harness's own part.
    pub path: String,
    /// The body, as text; what is not UTF-8 is replaced.
    pub body: Arc<str>,
    /// What kind of request the provider took it for.
    pub class: RequestClass,
    /// What it was answered.
    pub answer: Answered,
}

/// The kinds of request that the contract tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum RequestClass {
    /// A turn request: the prompt's own.
    Turn,
    /// A turn request that says again what the one before said, or follows a failed answer.
    Repeat,
    /// A summary, a title, a memory: answered with a fixed text, judged on little.
    Helper,
    /// Not a request of a provider's API at all; answered with 404.
    Stray,
}

/// What the scripted provider answered.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "answered", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Answered {
    /// A batch of calls.
    Calls {
        /// The step of the session that this answer is.
        step: usize,
        /// The calls, with the ids that they were given.
        calls: Vec<Issued>,
    },
    /// A text that ends the prompt, or serves a helper request.
    Text,
    /// A failure.
    Failure {
        /// How it failed.
        failure: Failure,
    },
    /// Status 400: a strict endpoint takes no such request.
    Refused,
    /// Nothing: the prompt was stopped instead.
    Withheld,
    /// 404.
    NotFound,
}

/// One scripted call, as it was sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Issued {
    /// Its id.
    pub id: CallId,
    /// The tool's name, without a prefix of the wire.
    pub tool: ToolName,
    /// The arguments as they were sent.
    pub arguments: serde_json::Value,
    /// What it was scripted as.
    pub call: Call,
}

impl Issued {
    /// What it searches for; `None` where it is no search, or holds no text to search for.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        match &self.call {
            Call::Search { query } => query.as_text(),
            _ => None,
        }
    }

    /// Whether its arguments are JSON.
    #[must_use]
    pub fn is_json(&self) -> bool {
        !matches!(&self.call, Call::Search { query: Query::NotJson { .. } })
    }
}
