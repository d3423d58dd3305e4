//! The stage: one worker's place to play sessions on.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use tacit_contract::protocol::{Api, Description};
use tacit_contract::runtime::{Runtime, RuntimeError};
use tacit_contract::{Profile, Session, Step, Trace};
use tokio::sync::OnceCell;

use crate::connector::{Connector, Lane};
use crate::folders::{CaseFolders, Folders};
use crate::performance::Performance;
use crate::server::Server;

/// What is the same for all sessions of a run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The profile: names, core tools, the catalog's form.
    pub profile: Arc<Profile>,
    /// The APIs that a session may be played over.
    pub apis: Vec<Api>,
}

impl Settings {
    /// The settings of a profile, over every API.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self { profile: Arc::new(profile), apis: Api::ALL.to_vec() }
    }
}

/// One worker's place to play sessions on. A clone is another handle to the same place.
pub struct Stage<C>(Rc<Inner<C>>);

struct Inner<C> {
    connector: C,
    settings: Settings,
    server: OnceCell<Server>,
    folders: Folders,
    sessions: Cell<u64>,
}

impl<C> Clone for Stage<C> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<C: Connector> Stage<C> {
    /// A stage for the runtimes of a connector.
    #[must_use]
    pub fn new(connector: C, settings: Settings) -> Self {
        Self(Rc::new(Inner {
            connector,
            settings,
            server: OnceCell::new(),
            folders: Folders::default(),
            sessions: Cell::new(0),
        }))
    }

    /// Plays a session from its beginning to its end.
    ///
    /// # Errors
    /// The runtime could not be started at all; whatever happens later is in the trace.
    pub async fn play(&self, session: &Session) -> Result<Trace, RuntimeError> {
        let mut performance = self.open(session).await?;
        if session.steps.iter().any(|step| matches!(step, Step::Branch { .. })) {
            performance.keep_states();
        }
        performance.perform(session.played()).await;
        Ok(performance.finish().await)
    }

    /// Opens a session with its seeded turns, to be played step by step. Its other steps are not
    /// played: they come by [`Performance::perform`].
    ///
    /// # Errors
    /// The runtime could not be started at all.
    pub async fn open(&self, session: &Session) -> Result<Performance<C>, RuntimeError> {
        let runtime = self.0.connector.acquire().await?;
        let folders = match self.folders() {
            Ok(folders) => folders,
            Err(error) => {
                self.0.connector.release(runtime).await;
                return Err(RuntimeError::NotStarted {
                    problem: format!("a temporary folder could not be made: {error}"),
                });
            }
        };
        Ok(Performance::begin(self.clone(), runtime, folders, session).await)
    }

    /// Who the runtime is and what it can do.
    ///
    /// # Errors
    /// The runtime could not be started.
    pub async fn describe(&self) -> Result<Description, RuntimeError> {
        let runtime = self.0.connector.acquire().await?;
        let description = runtime.describe().clone();
        self.0.connector.release(runtime).await;
        Ok(description)
    }

    /// Makes sure that the next session is played on a new runtime.
    pub async fn fresh(&self) {
        self.0.connector.fresh().await;
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// The connector.
    #[must_use]
    pub fn connector(&self) -> &C {
        &self.0.connector
    }

    pub(crate) async fn server(&self) -> Option<&Server> {
        if self.0.connector.lane() == Lane::Ports {
            return None;
        }
        let limit = self.0.connector.limit();
        let server = self.0.server.get_or_init(|| Server::start(limit)).await;
        server.clear().await;
        Some(server)
    }

    fn folders(&self) -> std::io::Result<CaseFolders> {
        if !self.0.connector.needs_folders() {
            return Ok(CaseFolders::named());
        }
        let number = self.0.sessions.get() + 1;
        self.0.sessions.set(number);
        self.0.folders.case(number)
    }
}
