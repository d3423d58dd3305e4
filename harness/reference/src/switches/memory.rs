//! What switches remember that the runtime has no need to.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tacit_contract::{CallId, Mode, ProviderKind, SessionId, Tool, ToolName};

use crate::activation::ActiveSet;

/// What the switches of one session remember.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a thing that some switch remembers")]
pub(crate) struct Memory {
    /// How many rows came with a saved state.
    pub(crate) rows_of_state: usize,
    /// How many rows came with a transcript.
    pub(crate) rows_of_transcript: usize,
    /// The provider that the session was saved with.
    pub(crate) saved_with: Option<ProviderKind>,
    /// How many prompts there were.
    pub(crate) prompts: usize,
    /// How many requests this prompt has sent.
    pub(crate) in_prompt: usize,
    /// How many requests there were.
    pub(crate) requests: usize,
    /// What was active when the prompt began.
    pub(crate) at_start: ActiveSet,
    /// What was active when the batch began.
    pub(crate) before_batch: ActiveSet,
    /// After how many requests a tool became active in this prompt.
    pub(crate) since: HashMap<ToolName, usize>,
    /// How many tools searches have activated.
    pub(crate) activated: usize,
    /// Whether a tool list failed to be rebuilt.
    pub(crate) rebuild_failed: bool,
    /// Whether the session was compacted.
    pub(crate) compacted: bool,
    /// Whether the mode before this one was plan.
    pub(crate) after_plan: bool,
    /// What is active at the next prompt whatever the evidence.
    pub(crate) inherited: Vec<ToolName>,
    /// Tools that were activated once more.
    pub(crate) repeated: Vec<Arc<Tool>>,
    /// Tools whose name another has taken.
    pub(crate) namesakes: Vec<Arc<Tool>>,
    /// Names that were removed.
    pub(crate) removed: Vec<ToolName>,
    /// How many tools the searches of this batch have activated.
    pub(crate) in_batch: usize,
    /// The catalog of the first request, empty where it had none.
    pub(crate) first_catalog: RefCell<Option<String>>,
    /// The marker of the last search that found something.
    pub(crate) last_marker: Vec<ToolName>,
    /// Whether plugins have changed.
    pub(crate) reloaded: bool,
    /// Whether the user stopped the last prompt.
    pub(crate) stopped: bool,
    /// Whether there was nothing to go on from.
    pub(crate) fresh: bool,
    /// Tools for which permission was asked.
    pub(crate) permitted: Vec<ToolName>,
    /// What a variant has to know of rows that do not say it.
    pub(crate) kept: Kept,
    /// The tools that there were when the session was opened.
    pub(crate) at_opening: BTreeSet<ToolName>,
    /// Tools in the order in which they were registered.
    pub(crate) registered: Vec<ToolName>,
    /// What outlives a restart and ought not to.
    pub(crate) relics: Relics,
}

/// What is saved beside the rows, though nothing that a restart needs is among it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Relics {
    /// The tools as they were when they were first activated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) first_activated: Vec<Tool>,
    /// The deferred catalog of the first opening, by mode.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) first_catalog: Vec<(Mode, String)>,
    /// Whether the session was opened again since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) reopened: bool,
}

impl Relics {
    /// Whether there is nothing to save.
    pub(crate) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// What some correct variants save beside the rows.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// How many rows there were when a tool was removed.
    pub(crate) removed: BTreeMap<ToolName, usize>,
    /// The calls of tools that were core when they succeeded.
    pub(crate) of_core: BTreeSet<CallId>,
}

/// What the switches of all sessions of a runtime share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// Who activated what, oldest first.
    pub(crate) activated: RefCell<Vec<(SessionId, ToolName)>>,
    /// What sessions that were never saved have activated.
    pub(crate) unsaved: RefCell<Vec<ToolName>>,
    /// The parameters that each tool was last registered with.
    pub(crate) parameters: RefCell<HashMap<ToolName, Value>>,
}
