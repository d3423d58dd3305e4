//! The teller: takes in what was seen of one session, entry by entry, and makes an account of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tacit_contract::profile::Profile;
use tacit_contract::protocol::{Api, Description, Dialect};
use tacit_contract::trace::{Answered, From, RequestClass};
use tacit_contract::{
    CallId, Mode, ProviderKind, Registry, Requested, Row, Seen, SessionId, Tool, ToolName, Trace,
};
use tacit_wire::{Item, Problem, RequestView, Rule};

use crate::account::{
    Account, Held, Helper, HostAt, PromptAccount, RequestAccount, RowsAt, SessionAccount,
};
use crate::catalog::Catalog;
use crate::shown::Shown;

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
}

/// Tells one session.
struct Teller<'t> {
    profile: &'t Profile,
    runtime: &'t Description,
    prefix: String,
    session: SessionAccount<'t>,
    mode: Mode,
    registry: Arc<Registry>,
    provider: ProviderKind,
    switched: bool,
    gone: BTreeSet<ToolName>,
    returned: BTreeMap<ToolName, usize>,
    removed_at: BTreeMap<ToolName, usize>,
    added: Arc<BTreeSet<ToolName>>,
    former: Arc<BTreeMap<ToolName, Vec<Tool>>>,
    ids: BTreeSet<CallId>,
    last_catalog: Option<(String, Arc<Catalog>)>,
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
            prefix: dialect.prefix().to_owned(),
            session: SessionAccount {
                id: id.clone(),
                main,
                prompts: Vec::new(),
                helpers: Vec::new(),
                rows: Vec::new(),
                reopened: Vec::new(),
                undecidable: BTreeMap::new(),
            },
            mode: Mode::Agent,
            registry: Arc::new(Registry::new(Arc::default(), profile, runtime)),
            provider: ProviderKind::PLAINEST,
            switched: false,
            gone: BTreeSet::new(),
            returned: BTreeMap::new(),
            removed_at: BTreeMap::new(),
            added: Arc::default(),
            former: Arc::default(),
            ids: BTreeSet::new(),
            last_catalog: None,
        }
    }

    fn tell(&mut self, entry: usize, seen: &'t Seen) {
        match seen {
            Seen::Opened { mode, tools, api, native, from } => {
                self.mode = *mode;
                let before = self.provider;
                self.provider = ProviderKind { api: *api, native: *native };
                self.see_tools(tools);
                if let From::SeededRows { rows } | From::Recorded { rows } = from {
                    let partial = matches!(from, From::Recorded { .. });
                    self.learn_ids(rows);
                    self.session.rows.push(RowsAt { entry, rows, seeded: true, partial });
                } else if !matches!(from, From::Nothing) {
                    self.session.reopened.push(entry);
                    self.switched |= self.provider != before;
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
                self.session.rows.push(RowsAt { entry, rows, seeded: false, partial: false });
            }
            Seen::ModeSet { mode } => self.mode = *mode,
            Seen::ToolsSet { tools, removed, added, .. } => {
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
                self.see_changes(tools);
                self.see_tools(tools);
                // Another plugin may bring a tool of the same name.
                self.gone.retain(|tool| self.registry.tool(tool).is_none());
            }
            Seen::RegisteredLate { tools, .. } => {
                self.see_changes(tools);
                self.see_tools(tools);
            }
            Seen::Compacted | Seen::Closed | Seen::Failed { .. } => {}
        }
    }

    /// What a registry has that the one before had not, or had otherwise.
    fn see_changes(&mut self, tools: &[Tool]) {
        for tool in tools {
            match self.registry.tool(&tool.name) {
                None => {
                    Arc::make_mut(&mut self.added).insert(tool.name.clone());
                }
                Some(before) if before != tool => {
                    let former = Arc::make_mut(&mut self.former);
                    former.entry(tool.name.clone()).or_default().push(before.clone());
                }
                Some(_) => {}
            }
        }
    }

    fn see_tools(&mut self, tools: &Arc<Vec<Tool>>) {
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
            provider: self.provider,
            switched: std::mem::take(&mut self.switched),
            gone: self.gone.clone(),
            returned: self.returned.clone(),
            added: Arc::clone(&self.added),
            former: Arc::clone(&self.former),
            requests: Vec::new(),
            host: Vec::new(),
            aborted: false,
            end: None,
            end_entry: entry,
        });
    }

    fn request(&mut self, entry: usize, raw: &'t Requested) {
        let Some(api) = raw.api else { return };
        let (view, problems) = match tacit_wire::examine(self.asked_over(api), raw.body.as_bytes())
        {
            Ok((view, problems)) => (Some(view), problems),
            Err(error) => (None, vec![error.as_problem()]),
        };
        let problems = as_refused(raw, problems);
        let view = view.and_then(|view| self.decidable(entry, view));
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
        let catalog = view.as_ref().map(|view| self.catalog(&view.base_prompt)).unwrap_or_default();
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

    /// The view of a request, unless the request says itself that it is not all there is.
    fn decidable(&mut self, entry: usize, view: RequestView) -> Option<RequestView> {
        match view.undecidable {
            None => Some(view),
            Some(reason) => {
                self.session.undecidable.insert(entry, reason);
                None
            }
        }
    }

    /// What a request over an API is held to. One that goes to another API than the session was
    /// opened with finds no native deferral there.
    fn asked_over(&self, api: Api) -> ProviderKind {
        ProviderKind { api, native: self.provider.native && api == self.provider.api }
    }

    /// The catalog of a base prompt: most requests have that of the one before.
    fn catalog(&mut self, base_prompt: &str) -> Arc<Catalog> {
        if let Some((known, catalog)) = &self.last_catalog
            && known == base_prompt
        {
            return Arc::clone(catalog);
        }
        let catalog = Arc::new(Catalog::read(base_prompt, self.profile.catalog.as_ref()));
        self.last_catalog = Some((base_prompt.to_owned(), Arc::clone(&catalog)));
        catalog
    }

    /// The calls of the session that a request holds, each with the first result that answers it:
    /// a result answers the nearest earlier unanswered call of its id.
    fn held(&self, view: &RequestView) -> Vec<Held> {
        let mut held: Vec<Held> = Vec::new();
        for item in &view.items {
            match item {
                Item::Assistant { calls, .. } => held.extend(calls.iter().filter_map(|call| {
                    let name = call.wire_name.strip_prefix(&self.prefix);
                    let tool = ToolName::from(name.unwrap_or(&call.wire_name));
                    Some(Held { id: self.as_issued(&call.id)?, tool, result: None })
                })),
                Item::Result { call_id, text, .. } => {
                    let Some(id) = self.as_issued(call_id) else { continue };
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

    /// The id that the harness gave a call, in a seed or in an answer; `None` where it gave none.
    fn as_issued(&self, written: &CallId) -> Option<CallId> {
        let whole = written.as_str();
        let parts = whole.split('|');
        // An API that takes no `|` in an id gets `_` there from a runtime that changes over to it.
        let beginnings = whole.rmatch_indices('_').map(|(end, _)| &whole[..end]);
        self.ids
            .get(written)
            .or_else(|| parts.chain(beginnings).find_map(|part| self.ids.get(part)))
            .cloned()
    }
}

/// The problems of a request. A trace holds bodies as text: what makes one that was refused look
/// right is that it was no text.
fn as_refused(raw: &Requested, problems: Vec<Problem>) -> Vec<Problem> {
    if problems.is_empty() && matches!(raw.answer, Answered::Refused) {
        let found = "it holds bytes that are no UTF-8".to_owned();
        return vec![Problem { rule: Rule::Json, place: "body".to_owned(), found }];
    }
    problems
}
