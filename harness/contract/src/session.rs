//! Sessions: what the harness plays, as data.
//!
//! A session is a registry, a mode and a flat list of steps over a fixed universe of tool names.
//! Each step is total: one that does not apply does nothing. That is what makes sessions shrink
//! to the smallest that still fails.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::canary;
use crate::name::{PluginId, ToolName};
use crate::provider::{OtherProvider, ProviderKind};
use crate::tool::{Mode, Origin, Standing, Standings, Tool};

/// One session, ready to be played on a runtime.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Session {
    /// The seed of the canaries in its schemas, and of the words that make its prompts unique.
    pub seed: u64,
    /// The mode that it begins in.
    pub mode: Mode,
    /// The provider that it begins with.
    #[serde(default, skip_serializing_if = "ProviderKind::is_plainest")]
    pub provider: ProviderKind,
    /// The tools that it gives to the runtime.
    pub tools: Vec<ToolSpec>,
    /// Further deferred plugin tools, of which only the number matters.
    #[serde(default, skip_serializing_if = "Bulk::is_none")]
    pub bulk: Bulk,
    /// What happens, in order.
    pub steps: Vec<Step>,
}

/// A tool of a session; its schema follows from the session's seed, its name and its version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolSpec {
    /// Its name.
    pub name: ToolName,
    /// What it is for.
    pub description: String,
    /// Where it comes from.
    pub origin: Origin,
    /// What it is in each mode that allows it.
    pub modes: Standings,
}

impl ToolSpec {
    /// A tool that is deferred in the given modes.
    #[must_use]
    pub fn deferred(
        name: impl Into<ToolName>,
        description: impl Into<String>,
        origin: Origin,
        modes: &[Mode],
    ) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            origin,
            modes: modes.iter().map(|mode| (*mode, Standing::Deferred)).collect(),
        }
    }

    /// The tool with its schema.
    #[must_use]
    pub fn tool(&self, seed: u64) -> Tool {
        Tool {
            name: self.name.clone(),
            description: self.description.clone(),
            input_schema: canary::schema(seed, &self.name, 1),
            origin: self.origin.clone(),
            modes: self.modes.clone(),
        }
    }
}

/// A number of deferred plugin tools `bulk_0000`, `bulk_0001`, …, deferred in every mode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Bulk {
    /// How many.
    pub count: u32,
    /// How many characters each description has.
    pub description: u32,
}

impl Bulk {
    /// Whether there are none.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.count == 0
    }

    /// The tools.
    pub fn specs(self) -> impl Iterator<Item = ToolSpec> {
        let wanted = self.description as usize;
        (0..self.count).map(move |n| {
            let mut description = format!("stock item {n:04} of the warehouse");
            while description.len() < wanted {
                description.push_str(" and further on");
            }
            description.truncate(wanted.max(1));
            ToolSpec::deferred(
                format!("bulk_{n:04}"),
                description,
                Origin::plugin("bulk"),
                &Mode::ALL,
            )
        })
    }
}

/// One step of a session: the unit in which its length is counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "step", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Step {
    /// A turn that the transcript holds before the session is opened (needs `transcript`);
    /// counts only where nothing has been played yet.
    Seed(SeedTurn),
    /// The user asks something. What follows until the next prompt or action is its script.
    Prompt {
        /// What the user says; the stage adds a word that makes it unique.
        text: String,
    },
    /// The model answers the prompt's next request with a batch of calls.
    Answer {
        /// The calls of one assistant message.
        calls: Vec<Call>,
    },
    /// The provider fails before it gives the next answer.
    Fail {
        /// How.
        failure: Failure,
    },
    /// The user stops the prompt, at the first thing that the runtime asks from outside after
    /// the last answer (needs `abort`).
    Abort,
    /// The session is saved and opened again.
    Restart {
        /// Whether the process ends in between.
        process: bool,
        /// Whether it is opened from its rows instead of its state (needs `transcript`).
        from_rows: bool,
    },
    /// The session is saved and opened again before a plugin has registered: its tools come right
    /// after the opening (needs `setTools`). Nothing was removed.
    RestartLate {
        /// The plugin.
        plugin: PluginId,
    },
    /// An earlier saved state is opened: what came after is no longer there.
    Branch {
        /// How many prompts are taken back; more than there are means all.
        prompts: u32,
    },
    /// The user compacts (needs `compact`).
    Compact,
    /// The mode changes (needs `setMode`).
    SetMode {
        /// The mode from now on.
        mode: Mode,
    },
    /// A plugin is removed (needs `setTools`).
    Unplug {
        /// The plugin.
        plugin: PluginId,
    },
    /// A removed plugin comes back (needs `setTools`).
    Plug {
        /// The plugin.
        plugin: PluginId,
    },
    /// A plugin that is there comes in its next version (needs `setTools`): see [`crate::update`].
    Update {
        /// The plugin.
        plugin: PluginId,
    },
    /// The session is saved and opened again with another provider; nothing happens where there
    /// is no such other.
    SwitchProvider {
        /// Which.
        to: OtherProvider,
    },
    /// Another session, fresh and of the same registry and mode, is opened in the same process,
    /// asked something, and closed.
    Elsewhere,
    /// The same, where the other session has a plugin in the version after this one's: see
    /// [`crate::update`].
    ElsewhereAhead {
        /// The plugin.
        plugin: PluginId,
    },
}

/// One call that the scripted model makes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "call", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Call {
    /// It searches.
    Search {
        /// For what.
        query: Query,
    },
    /// It calls a tool of the registry, active or not, or one that nobody has.
    Use {
        /// The tool.
        tool: ToolName,
        /// What the host answers, should it be asked.
        #[serde(default, skip_serializing_if = "Outcome::is_ok")]
        outcome: Outcome,
        /// What the tool says; the stage adds a word that makes it unique.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        says: Option<String>,
    },
    /// It reads a file of the workspace with the mode's own core tool, as the profile names it.
    Read,
    /// It starts a new context, where the runtime can.
    NewContext,
}

/// What the model gives the search tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "query", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Query {
    /// A name or a capability.
    Text {
        /// The query.
        text: String,
    },
    /// The same, asking for more matches than the contract allows.
    Limited {
        /// The query.
        text: String,
        /// How many are asked for.
        limit: u32,
    },
    /// Arguments without a query.
    Missing,
    /// A query of another JSON type than the dialect's template has.
    Odd {
        /// What stands in its place.
        value: Value,
    },
    /// Arguments that are no JSON: cut off, or none that a model should have written. An API whose
    /// answers have no room for that gets an empty object instead: a whole answer of Messages.
    NotJson {
        /// What stands in place of the arguments.
        text: String,
    },
}

impl Query {
    /// A query for a text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// The text that is searched for; `None` where the arguments have the wrong shape.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text } | Self::Limited { text, .. } => Some(text),
            Self::Missing | Self::Odd { .. } | Self::NotJson { .. } => None,
        }
    }
}

/// What the host makes of a tool call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It succeeds.
    #[default]
    Ok,
    /// It fails.
    Error,
    /// The user denies it.
    Denied,
}

impl Outcome {
    /// Whether it succeeds.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        matches!(self, Self::Ok)
    }
}

/// How the provider fails.
///
/// A runtime may ask again after any of them; after the first two it is not expected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Failure {
    /// Status 400, though nothing is wrong with the request.
    BadRequest,
    /// Status 401.
    Unauthorized,
    /// Status 429 with a short `retry-after`.
    RateLimited,
    /// Status 500 with a short `retry-after`.
    ServerError,
    /// Status 529 with a short `retry-after`.
    Overloaded,
    /// An answer that stops early.
    BreaksOff,
    /// An answer that says nothing and calls nothing.
    Empty,
    /// The connection is cut before any answer.
    Disconnects,
}

impl Failure {
    /// Every failure, those that are over soonest first.
    pub const ALL: [Self; 8] = [
        Self::Overloaded,
        Self::RateLimited,
        Self::ServerError,
        Self::BreaksOff,
        Self::Disconnects,
        Self::Empty,
        Self::BadRequest,
        Self::Unauthorized,
    ];

    /// The HTTP status; `None` where the failure is no status.
    #[must_use]
    pub fn status(self) -> Option<u16> {
        match self {
            Self::BadRequest => Some(400),
            Self::Unauthorized => Some(401),
            Self::RateLimited => Some(429),
            Self::ServerError => Some(500),
            Self::Overloaded => Some(529),
            Self::BreaksOff | Self::Empty | Self::Disconnects => None,
        }
    }
}

/// One turn of a transcript that is there before the session is opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeedTurn {
    /// What the user had asked.
    pub prompt: String,
    /// What came of it, in order.
    pub moments: Vec<Moment>,
}

/// One thing that a seeded transcript holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "moment", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Moment {
    /// A search and its result, with its marker.
    Searched {
        /// The names in the marker.
        marker: Vec<ToolName>,
        /// How it ended.
        status: Past,
    },
    /// A call of a tool and its result.
    Used {
        /// The tool.
        tool: ToolName,
        /// How it ended.
        status: Past,
        /// What it said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        says: Option<String>,
    },
    /// A successful call of one tool whose result carries a marker, which only a search may.
    Forged {
        /// The tool that was called.
        tool: ToolName,
        /// The names in the marker.
        marker: Vec<ToolName>,
    },
    /// A result row of a tool that nobody called.
    Orphaned {
        /// The tool.
        tool: ToolName,
    },
    /// The model says something.
    Said {
        /// What.
        text: String,
    },
    /// The context was compacted, and this summary took the place of all that stood before.
    Summarised {
        /// The summary.
        summary: String,
    },
}

/// How a call of a seeded transcript ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Past {
    /// It succeeded.
    Ok,
    /// It failed.
    Error,
    /// It was cut off, and its row says so.
    Interrupted,
    /// No result row was ever written.
    Unanswered,
}

impl Session {
    /// How long the session is: the number of its steps.
    #[must_use]
    pub fn length(&self) -> usize {
        self.steps.len()
    }

    /// Every tool of the session at its start, with its schema: those named, then the bulk.
    #[must_use]
    pub fn registry(&self) -> Vec<Tool> {
        self.tools
            .iter()
            .cloned()
            .chain(self.bulk.specs())
            .map(|spec| spec.tool(self.seed))
            .collect()
    }

    /// The turns that the transcript holds before the start: the leading seeds.
    pub fn seeds(&self) -> impl Iterator<Item = &SeedTurn> {
        self.steps.iter().map_while(|step| match step {
            Step::Seed(turn) => Some(turn),
            _ => None,
        })
    }

    /// What is played: all steps after the leading seeds.
    #[must_use]
    pub fn played(&self) -> &[Step] {
        &self.steps[self.seeds().count()..]
    }
}
