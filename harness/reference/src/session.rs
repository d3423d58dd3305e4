//! One session: its registry as its mode sees it, its rows, and its active set.

use std::cell::RefCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tacit_contract::protocol::{Opening, ProviderConfig};
use tacit_contract::runtime::{Ports, RuntimeError};
use tacit_contract::{Mode, ProviderKind, Row, SessionId, Tool};

use crate::abort::Abort;
use crate::activation::{ActiveSet, MOST_ACTIVATED, Registry, View};
use crate::own;
use crate::runtime::ReferenceOptions;
use crate::switches::{Kept, Memory, Relics, Shared, points};
use crate::variants::rows;

/// The form in which [`Session::save`] writes.
const SAVED_VERSION: u32 = 1;

/// One open session.
pub(crate) struct Session {
    pub(crate) id: SessionId,
    pub(crate) options: ReferenceOptions,
    pub(crate) provider: ProviderConfig,
    pub(crate) ports: Ports,
    pub(crate) workspace: String,
    /// The most tools that one search activates.
    pub(crate) most: usize,
    pub(crate) abort: Abort,
    pub(crate) shared: Rc<Shared>,
    /// Never borrowed while something is awaited.
    pub(crate) state: RefCell<State>,
}

/// What changes in a session.
pub(crate) struct State {
    pub(crate) view: Rc<View>,
    /// The durable transcript.
    pub(crate) rows: Vec<Row>,
    pub(crate) active: ActiveSet,
    pub(crate) memory: Memory,
}

/// What a restart needs: the rows. The active set is not among it, for it follows from them.
#[derive(Serialize, Deserialize)]
struct Saved {
    version: u32,
    rows: Vec<Row>,
    /// The provider that there was, which only some faults want to know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<ProviderKind>,
    /// What only some correct variants want to know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kept: Option<Kept>,
    /// What else only some faults keep.
    #[serde(default, skip_serializing_if = "Relics::is_nothing")]
    relics: Relics,
}

impl Session {
    /// Opens a session: fresh, or from what was kept of one. `replaced` is the session of that id
    /// that is open now.
    pub(crate) fn open(
        options: ReferenceOptions,
        shared: &Rc<Shared>,
        opening: Opening,
        ports: Ports,
        replaced: Option<&Self>,
    ) -> Result<Self, RuntimeError> {
        let mut memory = Memory::default();
        let fresh = opening.state.is_none() && opening.transcript.is_none();
        let rows = match (opening.state, opening.transcript) {
            (Some(state), _) => {
                let saved = reload(state)?;
                memory.rows_of_state = saved.rows.len();
                memory.saved_with = saved.provider;
                memory.kept = saved.kept.unwrap_or_default();
                memory.relics = saved.relics;
                saved.rows
            }
            (None, rows) => {
                let rows = rows.unwrap_or_default();
                memory.rows_of_transcript = rows.len();
                rows
            }
        };
        let session = Self {
            id: opening.session_id,
            options,
            provider: opening.provider,
            ports,
            workspace: opening.workspace,
            most: (opening.max_activated as usize).clamp(1, MOST_ACTIVATED),
            abort: Abort::default(),
            shared: Rc::clone(shared),
            state: RefCell::new(State {
                view: Rc::new(View::new(Rc::default(), opening.mode)),
                rows,
                active: ActiveSet::default(),
                memory,
            }),
        };
        session.take_tools(opening.tools, false);
        if session.options.switches.any() {
            points::on_open(&session, replaced, fresh);
        }
        Ok(session)
    }

    /// All that a restart needs.
    pub(crate) fn save(&self) -> Result<Value, RuntimeError> {
        let mut rows = self.transcript();
        let provider = points::on_save(self, &mut rows);
        let kept = rows::kept(self, &self.state.borrow());
        let relics = self.state.borrow().memory.relics.clone();
        let saved = Saved { version: SAVED_VERSION, rows, provider, kept, relics };
        serde_json::to_value(saved).map_err(|error| RuntimeError::Failed {
            code: tacit_contract::protocol::code::INTERNAL,
            message: error.to_string(),
        })
    }

    /// What the provider is like.
    pub(crate) fn provider_kind(&self) -> ProviderKind {
        ProviderKind { api: self.provider.api, native: self.provider.native }
    }

    /// The durable rows.
    pub(crate) fn transcript(&self) -> Vec<Row> {
        let mut rows = self.state.borrow().rows.clone();
        if points::hides_searches(self) {
            points::hide_searches(&mut rows);
        }
        rows
    }

    /// Goes over to another mode.
    pub(crate) fn set_mode(&self, mode: Mode) {
        let mut state = self.state.borrow_mut();
        if self.options.switches.any() {
            points::on_set_mode(&mut state, mode);
        }
        let registry = Rc::clone(state.view.registry());
        state.view = Rc::new(View::new(registry, mode));
    }

    /// Goes over to another registry.
    pub(crate) fn set_tools(&self, tools: Vec<Tool>) {
        self.take_tools(tools, true);
    }

    fn take_tools(&self, tools: Vec<Tool>, reopened: bool) {
        let mut state = self.state.borrow_mut();
        let registry = if self.options.switches.any() {
            points::new_registry(self, &mut state, tools, reopened)
        } else {
            Rc::new(Registry::new(own::tools(self.options.revision), tools))
        };
        state.view = Rc::new(View::new(registry, state.view.mode()));
    }
}

fn reload(state: Value) -> Result<Saved, RuntimeError> {
    let refused = |reason: String| RuntimeError::Refused { reason };
    let saved: Saved = serde_json::from_value(state)
        .map_err(|error| refused(format!("the state was not saved by this runtime: {error}")))?;
    if saved.version != SAVED_VERSION {
        return Err(refused(format!(
            "the state is of version {}, not {SAVED_VERSION}",
            saved.version
        )));
    }
    Ok(saved)
}
