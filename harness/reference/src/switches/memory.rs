//! What faults remember that the runtime has no need to.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use tacit_contract::{ProviderKind, SessionId, Tool, ToolName};

use crate::activation::ActiveSet;

/// What the faults of one session remember.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// How many rows came with a saved state.
    pub(crate) rows_of_state: usize,
    /// How many rows came with a transcript.
    pub(crate) rows_of_transcript: usize,
    /// The provider that the session was saved with.
    pub(crate) saved_with: Option<ProviderKind>,
    /// How many prompts there were.
    pub(crate) prompts: usize,
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
}

/// What the faults of all sessions of a runtime share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// Who activated what, oldest first.
    pub(crate) activated: RefCell<Vec<(SessionId, ToolName)>>,
}
