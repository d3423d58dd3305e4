//! Timelines: what each request of a session showed, had to show and was allowed to show.

use serde::{Deserialize, Serialize};

use crate::name::{CallId, SessionId, ToolName};
use crate::provider::ProviderKind;
use crate::tool::Mode;

/// One point of a session: a prompt, or a turn request that was made while it ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "point", rename_all = "camelCase")]
pub enum Point {
    /// The user asked something.
    Prompt(PromptPoint),
    /// The runtime sent a turn request.
    Request(RequestPoint),
}

impl Point {
    /// The entry of the trace that it tells.
    #[must_use]
    pub fn entry(&self) -> usize {
        match self {
            Self::Prompt(prompt) => prompt.entry,
            Self::Request(request) => request.entry,
        }
    }
}

/// A prompt of a timeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PromptPoint {
    /// The session.
    pub session: SessionId,
    /// The entry of the trace.
    pub entry: usize,
    /// Its number in the session, from 1.
    pub prompt: u32,
    /// The mode.
    pub mode: Mode,
    /// The provider.
    pub provider: ProviderKind,
    /// What the user asked.
    pub text: String,
}

/// A turn request of a timeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RequestPoint {
    /// The session.
    pub session: SessionId,
    /// The entry of the trace.
    pub entry: usize,
    /// The number of its prompt in the session, from 1.
    pub prompt: u32,
    /// Its number in the prompt, from 1, repeats counted.
    pub request: u32,
    /// The mode.
    pub mode: Mode,
    /// The provider.
    pub provider: ProviderKind,
    /// Whether it says again what the one before said.
    pub repeat: bool,
    /// Why nothing can be said of what it shows: then all that follows is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unseen: Option<String>,
    /// The tools that the model could read in it, in their order.
    pub shown: Vec<ToolName>,
    /// The calls that stand in it with or without a result, as far as they speak of a tool.
    pub evidence: Vec<Evidence>,
    /// What it had to show.
    pub required: Vec<Required>,
    /// The deferred tools that it was allowed to show besides.
    pub allowed: Vec<ToolName>,
    /// Whether any deferred tool was allowed, since nobody can know what a search found.
    pub anything: bool,
    /// What it had to show and did not.
    pub missing: Vec<ToolName>,
    /// What it showed and was not allowed to.
    pub excess: Vec<Excess>,
}

/// A call that stands in a request, and what it speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The call.
    pub call: CallId,
    /// The prompt in which it was made, from 1; 0 where a seeded transcript holds it.
    pub prompt: u32,
    /// The tool that was called.
    pub tool: ToolName,
    /// Whether that is the search tool.
    pub search: bool,
    /// How it ended.
    pub status: Ended,
    /// The names in its marker.
    pub marker: Vec<ToolName>,
}

/// How a call ended, as far as that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Ended {
    /// It succeeded: evidence.
    Ok,
    /// It failed, was denied or timed out.
    Error,
    /// It was cut off.
    Interrupted,
    /// It has no result.
    Missing,
    /// Nothing shows it.
    Unknown,
}

/// A tool that a request had to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Required {
    /// The tool.
    pub tool: ToolName,
    /// Why.
    pub ground: Ground,
    /// The call that proves it, one of the evidence; none where no evidence is asked for, or
    /// where it has left the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<CallId>,
}

/// Why a request had to show a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Ground {
    /// It is core in the mode.
    Core,
    /// It is sent always: the search tool, or the one that starts a new context.
    AlwaysActive,
    /// A search of the prompt activated it.
    Activated,
    /// It was active in the request before.
    Carried,
    /// A search of an earlier prompt found it.
    SearchEvidence,
    /// It was used successfully.
    UseEvidence,
}

/// A tool that a request was not allowed to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Excess {
    /// The tool.
    pub tool: ToolName,
    /// What a runtime may have taken for proof and is none, to be read after "though"; empty
    /// where nothing speaks of the tool.
    pub though: Vec<String>,
}
