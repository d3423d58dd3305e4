//! Tools, modes and the registry that holds them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::name::{PluginId, ToolName};

/// What a session is for; each mode has its own core tools and its own deferred catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Does work in the workspace.
    Agent,
    /// Reads and answers.
    Chat,
    /// Writes a plan; not named by the ADR, its tools come from the profile.
    Plan,
    /// Works towards a goal; not named by the ADR, its tools come from the profile.
    Goal,
}

impl Mode {
    /// Every mode, in the order of the contract.
    pub const ALL: [Self; 4] = [Self::Agent, Self::Chat, Self::Plan, Self::Goal];

    /// The mode's name on the wire and in features.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Chat => "chat",
            Self::Plan => "plan",
            Self::Goal => "goal",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|mode| mode.as_str() == text)
            .ok_or_else(|| format!("`{text}` is no mode: expected agent, chat, plan or goal"))
    }
}

/// What a tool is in a mode that allows it. A mode that a tool does not name forbids it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Sent with every request.
    Core,
    /// Listed in the catalog, sent once it is active.
    Deferred,
}

/// Where a tool comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OriginKind {
    /// A product tool.
    Builtin,
    /// A tool that a plugin brings.
    Plugin,
    /// The skill tool; a session has at most one.
    Skill,
    /// A plugin-development helper.
    Devkit,
}

/// Where a tool comes from, and for a plugin, from which.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Origin {
    /// The kind of origin.
    pub kind: OriginKind,
    /// The plugin, where the kind is [`OriginKind::Plugin`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<PluginId>,
}

impl Origin {
    /// An origin of a kind that needs no id.
    #[must_use]
    pub fn of(kind: OriginKind) -> Self {
        Self { kind, id: None }
    }

    /// The origin of the tools of one plugin.
    #[must_use]
    pub fn plugin(id: impl Into<PluginId>) -> Self {
        Self { kind: OriginKind::Plugin, id: Some(id.into()) }
    }
}

/// The standing of a tool in each mode that allows it.
pub type Standings = BTreeMap<Mode, Standing>;

/// A tool as the runtime is given it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// Its name, unique in a registry.
    pub name: ToolName,
    /// What it is for; may be of any length and hold anything.
    pub description: String,
    /// Its parameters, as JSON Schema.
    pub input_schema: Value,
    /// Where it comes from.
    pub origin: Origin,
    /// What it is in each mode; a mode that is not named forbids it.
    pub modes: Standings,
}

impl Tool {
    /// What the tool is in a mode; `None` where the mode forbids it.
    #[must_use]
    pub fn standing(&self, mode: Mode) -> Option<Standing> {
        self.modes.get(&mode).copied()
    }
}
