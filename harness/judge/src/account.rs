//! The account: a trace told as the contract speaks of it, prompt by prompt and request by
//! request. It says what happened and nothing of whether it should have.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tacit_contract::profile::Profile;
use tacit_contract::protocol::{Description, Dialect, PromptEnd};
use tacit_contract::runtime::{HostAnswer, HostCall};
use tacit_contract::trace::{Answered, From, Issued, RequestClass};
use tacit_contract::{
    Call, CallId, Mode, Registry, Requested, Row, Seen, SessionId, Standing, ToolName, Trace,
};
use tacit_wire::{Item, Problem, RequestView};

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
}

/// Rows, and where they came from.
pub struct RowsAt<'t> {
    /// The entry.
    pub entry: usize,
    /// The rows.
    pub rows: &'t [Row],
    /// Whether the harness wrote them.
    pub seeded: bool,
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
    /// Whether native deferral was on.
    pub native: bool,
    /// What was removed from the registry and is still gone.
    pub gone: BTreeSet<ToolName>,
    /// What was removed and came back, with the entry of its last removal.
    pub returned: BTreeMap<ToolName, usize>,
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
    /// What it says; `None` where it could not be read.
    pub view: Option<RequestView>,
    /// What a strict endpoint would refuse in it.
    pub problems: Vec<Problem>,
    /// The tools that the model can read in it.
    pub shown: Shown,
    /// The catalog in its base prompt.
    pub catalog: Catalog,
    /// The calls that it holds with their results, in order.
    pub held: Vec<Held>,
}

/// A call that stands in a request.
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
    /// Tells a trace under a profile.
    #[must_use]
    pub fn new(profile: &'t Profile, trace: &'t Trace) -> Self {
        let dialect = profile.dialect(&trace.runtime.dialect);
        let mut tellers: Vec<Teller<'t>> = Vec::new();
        for (entry, seen) in trace.log.iter().enumerate() {
            let place = tellers.iter().position(|teller| teller.session.id == seen.session);
            let place = place.unwrap_or_else(|| {
                let main = tellers.is_empty();
                tellers.push(Teller::new(profile, &trace.runtime, &dialect, &seen.session, main));
                tellers.len() - 1
            });
            tellers[place].tell(entry, &seen.seen);
        }
        let sessions = tellers.into_iter().map(|teller| teller.session).collect();
        Self { trace, profile, dialect, sessions }
    }

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

struct Teller<'t> {
    profile: &'t Profile,
    runtime: &'t Description,
    prefix: String,
    session: SessionAccount<'t>,
    mode: Mode,
    registry: Arc<Registry>,
    native: bool,
    gone: BTreeSet<ToolName>,
    returned: BTreeMap<ToolName, usize>,
    removed_at: BTreeMap<ToolName, usize>,
    ids: BTreeSet<CallId>,
}

impl<'t> Teller<'t> {
    fn new(
        profile: &'t Profile,
        runtime: &'t Description,
        dialect: &Dialect,
        id: &SessionId,
        main: bool,
    ) -> Self {
        Self {
            profile,
            runtime,
            prefix: dialect.name_prefix.clone().unwrap_or_default(),
            session: SessionAccount {
                id: id.clone(),
                main,
                prompts: Vec::new(),
                helpers: Vec::new(),
                rows: Vec::new(),
                reopened: Vec::new(),
            },
            mode: Mode::Agent,
            registry: Arc::new(Registry::new(Arc::default(), profile, runtime)),
            native: false,
            gone: BTreeSet::new(),
            returned: BTreeMap::new(),
            removed_at: BTreeMap::new(),
            ids: BTreeSet::new(),
        }
    }

    fn tell(&mut self, entry: usize, seen: &'t Seen) {
        match seen {
            Seen::Opened { mode, tools, native, from, .. } => {
                self.mode = *mode;
                self.native = *native;
                self.see_tools(tools);
                if let From::SeededRows { rows } = from {
                    self.learn_ids(rows);
                    self.session.rows.push(RowsAt { entry, rows, seeded: true });
                } else if !matches!(from, From::Nothing) {
                    self.session.reopened.push(entry);
                }
            }
            Seen::Prompted { text, .. } => self.prompt(entry, text),
            Seen::Requested(raw) => self.request(entry, raw),
            Seen::HostCalled { call, answer } => {
                if let Some(prompt) = self.session.prompts.last_mut() {
                    prompt.host.push(HostAt { entry, call, answer });
                }
            }
            Seen::Aborted => {
                if let Some(prompt) = self.session.prompts.last_mut() {
                    prompt.aborted = true;
                }
            }
            Seen::PromptEnded(end) => {
                if let Some(prompt) = self.session.prompts.last_mut() {
                    prompt.end = Some(end);
                    prompt.end_entry = entry;
                }
            }
            Seen::Transcript { rows } => {
                self.session.rows.push(RowsAt { entry, rows, seeded: false });
            }
            Seen::ModeSet { mode } => self.mode = *mode,
            Seen::ToolsSet { tools, removed, added } => {
                for tool in removed {
                    self.gone.insert(tool.clone());
                    self.removed_at.insert(tool.clone(), entry);
                    self.returned.remove(tool);
                }
                for tool in added {
                    self.gone.remove(tool);
                    let at = self.removed_at.get(tool).copied().unwrap_or(entry);
                    self.returned.insert(tool.clone(), at);
                }
                self.see_tools(tools);
                // Another plugin may bring a tool of the same name.
                self.gone.retain(|tool| self.registry.tool(tool).is_none());
            }
            Seen::Compacted | Seen::Closed | Seen::Failed { .. } => {}
        }
    }

    fn see_tools(&mut self, tools: &Arc<Vec<tacit_contract::Tool>>) {
        if !Arc::ptr_eq(tools, self.registry.given()) {
            self.registry = Arc::new(Registry::new(Arc::clone(tools), self.profile, self.runtime));
        }
    }

    fn learn_ids(&mut self, rows: &[Row]) {
        for row in rows {
            if let Row::Assistant { tool_calls, .. } = row {
                self.ids.extend(tool_calls.iter().map(|call| call.id.clone()));
            }
        }
    }

    fn prompt(&mut self, entry: usize, text: &'t str) {
        let number = u32::try_from(self.session.prompts.len() + 1).unwrap_or(u32::MAX);
        self.session.prompts.push(PromptAccount {
            number,
            entry,
            text,
            mode: self.mode,
            registry: Arc::clone(&self.registry),
            native: self.native,
            gone: self.gone.clone(),
            returned: self.returned.clone(),
            requests: Vec::new(),
            host: Vec::new(),
            aborted: false,
            end: None,
            end_entry: entry,
        });
    }

    fn request(&mut self, entry: usize, raw: &'t Requested) {
        let Some(api) = raw.api else { return };
        let (view, problems) = match tacit_wire::examine(api, raw.body.as_bytes()) {
            Ok((view, problems)) => (Some(view), problems),
            Err(error) => (None, vec![error.as_problem()]),
        };
        let shown = view
            .as_ref()
            .map(|view| Shown::read(view, &self.prefix, &self.registry))
            .unwrap_or_default();
        if let Answered::Calls { calls, .. } = &raw.answer {
            self.ids.extend(calls.iter().map(|call| call.id.clone()));
        }
        let prompts = u32::try_from(self.session.prompts.len()).unwrap_or(u32::MAX);
        let repeat = match raw.class {
            RequestClass::Turn => false,
            RequestClass::Repeat => true,
            RequestClass::Helper | RequestClass::Stray => {
                let prompt = prompts;
                self.session.helpers.push(Helper { entry, prompt, raw, problems, shown });
                return;
            }
        };
        let catalog = view
            .as_ref()
            .map(|view| Catalog::read(&view.base_prompt, self.profile.catalog.as_ref()))
            .unwrap_or_default();
        let held = view.as_ref().map(|view| self.held(view)).unwrap_or_default();
        if let Some(prompt) = self.session.prompts.last_mut() {
            let number = u32::try_from(prompt.requests.len() + 1).unwrap_or(u32::MAX);
            prompt.end_entry = entry;
            prompt.requests.push(RequestAccount {
                number,
                entry,
                repeat,
                raw,
                view,
                problems,
                shown,
                catalog,
                held,
            });
        }
    }

    /// The calls of a request, each with the first result that answers it: a result answers the
    /// nearest earlier unanswered call of its id.
    fn held(&self, view: &RequestView) -> Vec<Held> {
        let mut held: Vec<Held> = Vec::new();
        for item in &view.items {
            match item {
                Item::Assistant { calls, .. } => held.extend(calls.iter().map(|call| Held {
                    id: self.as_issued(&call.id),
                    tool: ToolName::from(
                        call.wire_name.strip_prefix(&self.prefix).unwrap_or(&call.wire_name),
                    ),
                    result: None,
                })),
                Item::Result { call_id, text, .. } => {
                    let id = self.as_issued(call_id);
                    let open =
                        held.iter_mut().rev().find(|held| held.id == id && held.result.is_none());
                    if let Some(open) = open {
                        open.result = Some(text.clone());
                    }
                }
                Item::System { .. } | Item::User { .. } => {}
            }
        }
        held
    }

    fn as_issued(&self, written: &CallId) -> CallId {
        if self.ids.contains(written) {
            return written.clone();
        }
        written
            .as_str()
            .split('|')
            .find_map(|part| self.ids.get(part).cloned())
            .unwrap_or_else(|| written.clone())
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
