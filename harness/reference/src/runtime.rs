//! The reference runtime behind the trait of the contract.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Value, json};
use tacit_contract::protocol::{
    Api, Capabilities, CoreTools, Description, Dialect, NewContext, Opening, Party, PromptEnd,
    VERSION, code,
};
use tacit_contract::runtime::{Ports, Runtime, RuntimeError};
use tacit_contract::{Mode, Revision, Row, SessionId, Tool};

use crate::activation::SEARCH;
use crate::own::{LIMIT, NEW_CONTEXT, QUERY, SUMMARY};
use crate::session::Session;
use crate::switches::{Shared, Switches};
use crate::turn::{self, Turn};

/// What a reference runtime shall be.
#[derive(Debug, Clone, Copy)]
pub struct ReferenceOptions {
    /// The text of the contract that it keeps to.
    pub revision: Revision,
    /// What it does otherwise: faults, and correct variants.
    pub switches: Switches,
}

impl ReferenceOptions {
    /// A runtime without faults, and with no variant.
    #[must_use]
    pub fn faultless(revision: Revision) -> Self {
        Self { revision, switches: Switches::none() }
    }
}

/// The reference runtime: any number of sessions, on one thread.
pub struct ReferenceRuntime {
    options: ReferenceOptions,
    description: Description,
    sessions: RefCell<HashMap<SessionId, Rc<Session>>>,
    shared: Rc<Shared>,
}

impl ReferenceRuntime {
    /// A runtime without sessions.
    #[must_use]
    pub fn new(options: ReferenceOptions) -> Self {
        Self {
            options,
            description: description(),
            sessions: RefCell::default(),
            shared: Rc::default(),
        }
    }

    fn session(&self, id: &SessionId) -> Result<Rc<Session>, RuntimeError> {
        let found = self.sessions.borrow().get(id).cloned();
        found.ok_or_else(|| RuntimeError::UnknownSession { session: id.clone() })
    }

    /// A session in which no prompt is pending.
    fn idle(&self, id: &SessionId) -> Result<Rc<Session>, RuntimeError> {
        let session = self.session(id)?;
        if session.abort.is_pending() { Err(RuntimeError::Busy) } else { Ok(session) }
    }
}

impl Runtime for ReferenceRuntime {
    fn describe(&self) -> &Description {
        &self.description
    }

    async fn open(&self, opening: Opening, ports: Ports) -> Result<(), RuntimeError> {
        let id = opening.session_id.clone();
        let replaced = self.sessions.borrow().get(&id).cloned();
        let session =
            Session::open(self.options, &self.shared, opening, ports, replaced.as_deref())?;
        if let Some(replaced) = replaced {
            replaced.abort.stop();
        }
        self.sessions.borrow_mut().insert(id, Rc::new(session));
        Ok(())
    }

    async fn prompt(&self, session: &SessionId, text: &str) -> Result<PromptEnd, RuntimeError> {
        let session = self.session(session)?;
        let _pending = session.abort.begin().ok_or(RuntimeError::Busy)?;
        Ok(Turn::run(&session, text).await)
    }

    async fn save(&self, session: &SessionId) -> Result<Value, RuntimeError> {
        self.idle(session)?.save()
    }

    async fn close(&self, session: &SessionId) -> Result<(), RuntimeError> {
        self.session(session)?.abort.stop();
        self.sessions.borrow_mut().remove(session);
        Ok(())
    }

    async fn transcript(&self, session: &SessionId) -> Result<Vec<Row>, RuntimeError> {
        Ok(self.session(session)?.transcript())
    }

    async fn abort(&self, session: &SessionId) -> Result<(), RuntimeError> {
        self.session(session)?.abort.stop();
        Ok(())
    }

    async fn set_mode(&self, session: &SessionId, mode: Mode) -> Result<(), RuntimeError> {
        self.idle(session)?.set_mode(mode);
        Ok(())
    }

    async fn set_tools(&self, session: &SessionId, tools: Vec<Tool>) -> Result<(), RuntimeError> {
        self.idle(session)?.set_tools(tools);
        Ok(())
    }

    async fn compact(&self, session: &SessionId) -> Result<(), RuntimeError> {
        let session = self.session(session)?;
        let _pending = session.abort.begin().ok_or(RuntimeError::Busy)?;
        turn::compact(&session)
            .await
            .map_err(|message| RuntimeError::Failed { code: code::INTERNAL, message })
    }
}

fn description() -> Description {
    Description {
        protocol_version: VERSION,
        runtime: Party {
            name: "reference".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            language: Some("rust".to_owned()),
            url: None,
        },
        capabilities: Capabilities {
            provider_apis: Api::ALL.to_vec(),
            native_deferral: Api::ALL.to_vec(),
            modes: Mode::ALL.to_vec(),
            core_tools: CoreTools::Own,
            concurrent: true,
            activity: true,
            transcript: true,
            abort: true,
            set_mode: true,
            set_tools: true,
            compact: true,
        },
        dialect: Dialect {
            search_tool: Some(SEARCH.into()),
            search_arguments: Some(json!({QUERY: "$QUERY"})),
            limit_argument: Some(LIMIT.to_owned()),
            name_prefix: None,
            new_context: Some(NewContext {
                name: NEW_CONTEXT.into(),
                arguments: json!({SUMMARY: "What there was to keep."}),
            }),
        },
    }
}
