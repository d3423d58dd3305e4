//! The account: a trace told as the contract speaks of it, prompt by prompt and request by
//! request. It says what happened and nothing of whether it should have.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tacit_contract::profile::Profile;
use tacit_contract::protocol::{Dialect, PromptEnd};
use tacit_contract::runtime::{HostAnswer, HostCall};
use tacit_contract::trace::{Answered, Issued};
use tacit_contract::{
    Call, CallId, Mode, ProviderKind, Registry, Requested, Row, SessionId, Standing, Tool,
    ToolName, Trace,
};
use tacit_wire::{Problem, RequestView};

use crate::catalog::Catalog;
use crate::shown::Shown;

/// A trace, told.
pub struct Account<'t> {
    /// The trace.
    pub trace: &'t Trace,
    /// The profile that it is told under.
    pub profile: &'t Profile,
    /// The runtime's own names.
    pub dialect: Dialect,
    /// The session that was played, first, and those beside it.
    pub sessions: Vec<SessionAccount<'t>>,
}

/// What happened in one session.
pub struct SessionAccount<'t> {
    /// Its id.
    pub id: SessionId,
    /// Whether this is the session that was played, not one beside it.
    pub main: bool,
    /// Its prompts, in order.
    pub prompts: Vec<PromptAccount<'t>>,
    /// Requests that are no turn requests.
    pub helpers: Vec<Helper<'t>>,
    /// The rows it was opened from or exported, with the entry of the trace that shows them.
    pub rows: Vec<RowsAt<'t>>,
    /// Entries at which it was opened again: from a state, from rows, as a branch.
    pub reopened: Vec<usize>,
    /// Requests that do not show by themselves what the model sees, by entry, each with the
    /// reason. They have no view, and nothing but their form is judged.
    pub undecidable: BTreeMap<usize, String>,
}

/// Rows, and where they came from.
pub struct RowsAt<'t> {
    /// The entry.
    pub entry: usize,
    /// The rows.
    pub rows: &'t [Row],
    /// Whether they were there before the session was opened.
    pub seeded: bool,
    /// Whether they are part of a history alone: of what they do not hold nothing is known.
    pub partial: bool,
}

/// One user prompt, and all that followed until the runtime stopped.
pub struct PromptAccount<'t> {
    /// Its number in the session, from 1.
    pub number: u32,
    /// The entry in which it began.
    pub entry: usize,
    /// The prompt, with its unique word.
    pub text: &'t str,
    /// The mode.
    pub mode: Mode,
    /// The registry.
    pub registry: Arc<Registry>,
    /// The provider.
    pub provider: ProviderKind,
    /// Whether the session went over to another provider since the prompt before.
    pub switched: bool,
    /// What was removed from the registry and is still gone.
    pub gone: BTreeSet<ToolName>,
    /// What was removed and came back, with the entry of its last removal.
    pub returned: BTreeMap<ToolName, usize>,
    /// What the registry did not have at some time since the session began: what came back, or
    /// came with a plugin's new version.
    pub added: Arc<BTreeSet<ToolName>>,
    /// The definitions that earlier versions of its tools had.
    pub former: Arc<BTreeMap<ToolName, Vec<Tool>>>,
    /// Its turn requests, repeats included, in order.
    pub requests: Vec<RequestAccount<'t>>,
    /// The host calls that were made while it ran.
    pub host: Vec<HostAt<'t>>,
    /// Whether the user stopped it.
    pub aborted: bool,
    /// How it ended; `None` where the trace was cut short.
    pub end: Option<&'t PromptEnd>,
    /// The entry in which it ended, or the last of the trace.
    pub end_entry: usize,
}

/// One turn request.
pub struct RequestAccount<'t> {
    /// Its number in the prompt, from 1, repeats counted.
    pub number: u32,
    /// The entry.
    pub entry: usize,
    /// Whether it says again what the one before said.
    pub repeat: bool,
    /// The request as it came.
    pub raw: &'t Requested,
    /// What it says; `None` where it could not be read, or does not say it by itself.
    pub view: Option<RequestView>,
    /// What a strict endpoint would refuse in it.
    pub problems: Vec<Problem>,
    /// The tools that the model can read in it.
    pub shown: Shown,
    /// The catalog in its base prompt.
    pub catalog: Arc<Catalog>,
    /// The calls of the session that it holds with their results, in order. A call that nobody
    /// issued, such as one that a runtime wrote to load a tool, is none of them.
    pub held: Vec<Held>,
}

/// A call of the session that stands in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// Its id, as it was issued.
    pub id: CallId,
    /// The tool, without a prefix of the wire.
    pub tool: ToolName,
    /// The text of its result, where one stands in the request.
    pub result: Option<String>,
}

/// A request that is no turn request.
pub struct Helper<'t> {
    /// The entry.
    pub entry: usize,
    /// The number of the last prompt before it.
    pub prompt: u32,
    /// The request as it came.
    pub raw: &'t Requested,
    /// What a strict endpoint would refuse in it.
    pub problems: Vec<Problem>,
    /// The tools that the model can read in it.
    pub shown: Shown,
}

/// A host call and its answer.
pub struct HostAt<'t> {
    /// The entry.
    pub entry: usize,
    /// The call.
    pub call: &'t HostCall,
    /// The answer.
    pub answer: &'t HostAnswer,
}

impl<'t> Account<'t> {
    /// The session that was played; `None` for a trace in which nothing was opened.
    #[must_use]
    pub fn main(&self) -> Option<&SessionAccount<'t>> {
        self.sessions.first()
    }

    /// Whether the runtime shows its rows, so that markers and statuses can be known.
    #[must_use]
    pub fn has_transcript(&self) -> bool {
        self.trace.runtime.capabilities.transcript
    }
}

impl SessionAccount<'_> {
    /// Whether the provider refused, for its form, a request that belongs to a prompt, be it one
    /// that nobody could read.
    #[must_use]
    pub fn was_refused_in(&self, prompt: &PromptAccount<'_>) -> bool {
        let turns = prompt.requests.iter().map(|request| &request.raw.answer);
        let helpers = self.helpers.iter().filter(|helper| helper.prompt == prompt.number);
        turns
            .chain(helpers.map(|helper| &helper.raw.answer))
            .any(|answer| matches!(answer, Answered::Refused))
    }

    /// Every turn request that is no repeat, with its prompt.
    pub fn turns(&self) -> impl Iterator<Item = (&PromptAccount<'_>, &RequestAccount<'_>)> {
        self.prompts.iter().flat_map(|prompt| prompt.turns().map(move |request| (prompt, request)))
    }
}

impl<'t> PromptAccount<'t> {
    /// The turn requests that are no repeats.
    pub fn turns(&self) -> impl Iterator<Item = &RequestAccount<'t>> {
        self.requests.iter().filter(|request| !request.repeat)
    }

    /// The first turn request.
    #[must_use]
    pub fn first(&self) -> Option<&RequestAccount<'t>> {
        self.requests.first()
    }

    /// The earlier definitions of a tool, other than the one that it has now.
    pub fn former(&self, now: &Tool) -> impl Iterator<Item = &Tool> {
        let all = self.former.get(&now.name).map_or(&[][..], Vec::as_slice);
        all.iter().filter(move |former| *former != now)
    }

    /// Whether a prompt has the registry, the mode and the provider of another.
    #[must_use]
    pub fn is_like(&self, other: &PromptAccount<'_>) -> bool {
        self.mode == other.mode
            && self.provider == other.provider
            && (Arc::ptr_eq(&self.registry, &other.registry)
                || self.registry.given() == other.registry.given())
    }

    /// The turn request after this one that is no repeat of it.
    #[must_use]
    pub fn next(&self, request: &RequestAccount<'t>) -> Option<&RequestAccount<'t>> {
        self.turns().find(|other| other.number > request.number)
    }

    /// Every scripted call of the prompt, with the request whose answer it stands in. An answer
    /// that was given twice is given once here.
    pub fn issued(&self) -> impl Iterator<Item = (&RequestAccount<'t>, &'t Issued)> {
        let mut known = BTreeSet::new();
        self.requests
            .iter()
            .flat_map(|request| request.calls().iter().map(move |call| (request, call)))
            .filter(move |(_, call)| known.insert(call.id.clone()))
    }

    /// The host calls that belong to a call.
    pub fn host_calls(&self, issued: &Issued) -> impl Iterator<Item = &HostAt<'t>> {
        self.host.iter().filter(|at| belongs(at.call, issued))
    }
}

impl<'t> RequestAccount<'t> {
    /// The calls that it was answered with.
    #[must_use]
    pub fn calls(&self) -> &'t [Issued] {
        match &self.raw.answer {
            Answered::Calls { calls, .. } => calls,
            _ => &[],
        }
    }

    /// The result that the request holds for a call.
    #[must_use]
    pub fn result(&self, id: &CallId) -> Option<&str> {
        self.held.iter().find(|held| held.id == *id).and_then(|held| held.result.as_deref())
    }

    /// Whether the model is shown the tool.
    #[must_use]
    pub fn shows(&self, tool: &ToolName) -> bool {
        self.shown.contains(tool)
    }
}

/// Whether an id is another, or holds it as a `|`-separated part.
#[must_use]
pub fn same_call(written: &CallId, issued: &CallId) -> bool {
    written == issued || written.as_str().split('|').any(|part| issued == part)
}

fn belongs(call: &HostCall, issued: &Issued) -> bool {
    match &call.call_id {
        Some(id) => same_call(id, &issued.id),
        None => {
            call.tool_name.as_ref() == Some(&issued.tool)
                && call.arguments.as_ref() == Some(&issued.arguments)
        }
    }
}

/// Whether an issued call is a search.
#[must_use]
pub fn is_search(issued: &Issued) -> bool {
    matches!(issued.call, Call::Search { .. })
}

/// Whether a tool is deferred in the prompt's mode and nothing speaks against requiring it.
#[must_use]
pub fn plainly_deferred(prompt: &PromptAccount<'_>, tool: &ToolName) -> bool {
    prompt.registry.standing(tool, prompt.mode) == Some(Standing::Deferred)
        && !prompt.registry.is_doubtful(tool)
}
