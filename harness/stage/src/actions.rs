//! What happens between prompts.

use serde_json::Value;
use tacit_contract::protocol::{Opening, method};
use tacit_contract::runtime::{Runtime, RuntimeError};
use tacit_contract::trace::{From, Seen};
use tacit_contract::{Mode, OtherProvider, PluginId, Row, SessionId, Tool, ToolName, update};

use std::collections::VecDeque;
use std::sync::Arc;

use crate::actor::Actor;
use crate::connector::Connector;
use crate::performance::Performance;
use crate::script::Words;

/// What a session beside the first is asked.
const ASKED_ELSEWHERE: &str = "What do you see here?";

impl<C: Connector> Performance<C> {
    /// The registry as the runtime has it now.
    fn tools(&self) -> Arc<Vec<Tool>> {
        self.present(Arc::clone(&self.registry))
    }

    /// A registry without the plugins that are gone.
    fn present(&self, registry: Arc<Vec<Tool>>) -> Arc<Vec<Tool>> {
        if self.unplugged.is_empty() {
            return registry;
        }
        let kept = registry.iter().filter(|tool| {
            !tool.origin.id.as_ref().is_some_and(|plugin| self.unplugged.contains(plugin))
        });
        Arc::new(kept.cloned().collect())
    }

    /// Every plugin's tools in its present version, but for one that may be a version ahead.
    fn in_versions(&self, ahead: Option<&PluginId>) -> Arc<Vec<Tool>> {
        let version_of = |plugin: &PluginId| {
            let version = self.versions.get(plugin).copied().unwrap_or(update::FIRST);
            version + u32::from(ahead == Some(plugin))
        };
        Arc::new(update::updated(&self.first_registry, self.session.seed, version_of))
    }

    fn opening(&self, actor: &Actor, tools: &[Tool]) -> Result<Opening, RuntimeError> {
        let settings = self.stage.settings();
        let state_dir =
            self.folders.state(actor.beside).map_err(|error| RuntimeError::NotStarted {
                problem: format!("a state folder could not be made: {error}"),
            })?;
        Ok(Opening {
            session_id: actor.id.clone(),
            mode: self.mode,
            provider: actor.provider(self.provider),
            host: actor.host(),
            tools: tools.to_vec(),
            max_activated: settings.profile.max_per_search,
            workspace: self.folders.workspace(),
            state_dir,
            state: None,
            transcript: None,
        })
    }

    /// What was opened. From now on its requests are held to what its provider is like.
    fn opened(&self, tools: Arc<Vec<Tool>>, opening: &Opening, from: From) -> Seen {
        self.backstage.with(self.actor.scene, |scene| scene.open(self.provider));
        Seen::Opened {
            mode: self.mode,
            tools,
            api: opening.provider.api,
            native: opening.provider.native,
            from,
        }
    }

    /// Opens the session; without success it is over.
    pub(crate) async fn open(
        &mut self,
        from: From,
        state: Option<Value>,
        transcript: Option<Vec<Row>>,
    ) {
        let tools = self.tools();
        let opened = match (&self.runtime, self.opening(&self.actor, &tools)) {
            (Some(runtime), Ok(opening)) => {
                let opening = Opening { state, transcript, ..opening };
                let seen = self.opened(tools, &opening, from);
                let opened =
                    self.within(method::OPEN, runtime.open(opening, self.actor.ports())).await;
                opened.map(|()| seen)
            }
            (None, _) => return,
            (_, Err(error)) => Err(error),
        };
        let why = opened.as_ref().err().cloned();
        if let Some(seen) = self.settle(method::OPEN, opened).await {
            self.record(seen);
        }
        if self.cut_short.is_none() {
            self.cut_short = why;
        }
    }

    /// The session's state; `None` where it could not be saved.
    pub(crate) async fn save(&mut self) -> Option<Value> {
        let runtime = self.runtime.as_ref()?;
        let saved = self.within(method::SAVE, runtime.save(&self.actor.id)).await;
        self.settle(method::SAVE, saved).await
    }

    /// Closes the session; whether that went well.
    pub(crate) async fn close(&mut self) -> bool {
        let Some(runtime) = &self.runtime else { return false };
        let closed = self.within(method::CLOSE, runtime.close(&self.actor.id)).await;
        let closed = self.settle(method::CLOSE, closed).await.is_some();
        if closed {
            self.record(Seen::Closed);
        }
        closed
    }

    /// Exports the durable rows, where the runtime has them.
    pub(crate) async fn export_rows(&mut self) -> Option<Vec<Row>> {
        let runtime = self.runtime.as_ref()?;
        if !self.description.capabilities.transcript {
            return None;
        }
        let rows = self.within(method::TRANSCRIPT, runtime.transcript(&self.actor.id)).await;
        let rows = self.settle(method::TRANSCRIPT, rows).await?;
        self.record(Seen::Transcript { rows: rows.clone() });
        Some(rows)
    }

    pub(crate) async fn restart(&mut self, process: bool, from_rows: bool) {
        let (from, state, rows) = if from_rows {
            let Some(rows) = self.export_rows().await else { return };
            (From::ExportedRows { process }, None, Some(rows))
        } else {
            let Some(state) = self.save().await else { return };
            (From::State { process }, Some(state), None)
        };
        if process {
            let Some(runtime) = self.runtime.take() else { return };
            match self.stage.connector().restart(runtime).await {
                Ok(runtime) => self.runtime = Some(runtime),
                Err(error) => {
                    self.cut_short = Some(error);
                    return;
                }
            }
        } else if !self.close().await && self.cut_short.is_some() {
            return;
        }
        self.open(from, state, rows).await;
    }

    /// Opens the session again without a plugin's tools, and gives them right after. A plugin that
    /// is not there cannot be late.
    pub(crate) async fn restart_late(&mut self, plugin: &PluginId) {
        let late = self.brought_by(plugin);
        let there = !late.is_empty() && !self.unplugged.contains(plugin);
        if !there || !self.description.capabilities.set_tools {
            return;
        }
        self.unplugged.insert(plugin.clone());
        self.restart(false, false).await;
        self.unplugged.remove(plugin);
        if self.cut_short.is_none()
            && !self.set_tools(|tools| Seen::RegisteredLate { tools, late }).await
        {
            self.unplugged.insert(plugin.clone());
        }
    }

    pub(crate) async fn branch(&mut self, prompts: u32) {
        let before = self.states.len();
        let index = before.saturating_sub(prompts as usize);
        let Some(Some(state)) = self.states.get(index).cloned() else { return };
        self.states.truncate(index);
        let prompts = u32::try_from(before - index).unwrap_or(u32::MAX);
        self.open(From::EarlierState { prompts }, Some(state), None).await;
    }

    /// Goes on with another provider, from what was saved.
    pub(crate) async fn switch_provider(&mut self, to: OtherProvider) {
        let Some(provider) = to.than(self.provider, &self.kinds()) else { return };
        let Some(state) = self.save().await else { return };
        if !self.close().await && self.cut_short.is_some() {
            return;
        }
        self.provider = provider;
        self.open(From::State { process: false }, Some(state), None).await;
    }

    pub(crate) async fn compact(&mut self) {
        let Some(runtime) = &self.runtime else { return };
        if !self.description.capabilities.compact {
            return;
        }
        let compacted = self.within(method::COMPACT, runtime.compact(&self.actor.id)).await;
        if self.settle(method::COMPACT, compacted).await.is_some() {
            self.record(Seen::Compacted);
            self.export_rows().await;
        }
    }

    pub(crate) async fn set_mode(&mut self, mode: Mode) {
        let Some(runtime) = &self.runtime else { return };
        let capabilities = &self.description.capabilities;
        if !capabilities.set_mode || !capabilities.modes.contains(&mode) {
            return;
        }
        let set = self.within(method::SET_MODE, runtime.set_mode(&self.actor.id, mode)).await;
        if self.settle(method::SET_MODE, set).await.is_some() {
            self.mode = mode;
            self.record(Seen::ModeSet { mode });
        }
    }

    pub(crate) async fn unplug(&mut self, plugin: &PluginId) {
        let removed = self.brought_by(plugin);
        let (added, updated) = (Vec::new(), Vec::new());
        if !removed.is_empty()
            && self.unplugged.insert(plugin.clone())
            && !self.set_tools(|tools| Seen::ToolsSet { tools, removed, added, updated }).await
        {
            self.unplugged.remove(plugin);
        }
    }

    pub(crate) async fn plug(&mut self, plugin: &PluginId) {
        let added = self.brought_by(plugin);
        let (removed, updated) = (Vec::new(), Vec::new());
        if self.unplugged.remove(plugin)
            && !self.set_tools(|tools| Seen::ToolsSet { tools, removed, added, updated }).await
        {
            self.unplugged.insert(plugin.clone());
        }
    }

    /// A plugin that is not there cannot be updated.
    pub(crate) async fn update(&mut self, plugin: &PluginId) {
        if self.brought_by(plugin).is_empty() || self.unplugged.contains(plugin) {
            return;
        }
        let version = self.versions.get(plugin).copied().unwrap_or(update::FIRST);
        let before = Arc::clone(&self.registry);
        self.versions.insert(plugin.clone(), version + 1);
        self.registry = self.in_versions(None);
        let updated = self.brought_by(plugin);
        let (removed, added) = (Vec::new(), Vec::new());
        if !self.set_tools(|tools| Seen::ToolsSet { tools, removed, added, updated }).await {
            self.versions.insert(plugin.clone(), version);
            self.registry = before;
        }
    }

    fn brought_by(&self, plugin: &PluginId) -> Vec<ToolName> {
        let brought = self.registry.iter().filter(|tool| tool.origin.id.as_ref() == Some(plugin));
        brought.map(|tool| tool.name.clone()).collect()
    }

    /// Gives the runtime the registry as it is now; whether it took it.
    async fn set_tools(&mut self, seen: impl FnOnce(Arc<Vec<Tool>>) -> Seen) -> bool {
        let Some(runtime) = &self.runtime else { return false };
        if !self.description.capabilities.set_tools {
            return false;
        }
        let tools = self.tools();
        let set = runtime.set_tools(&self.actor.id, tools.to_vec());
        let set = self.within(method::SET_TOOLS, set).await;
        let set = self.settle(method::SET_TOOLS, set).await.is_some();
        if set {
            self.record(seen(tools));
        }
        set
    }

    /// Opens another session beside this one, asks it something and closes it. There a plugin may
    /// be one version ahead of this session's.
    pub(crate) async fn elsewhere(&mut self, step: usize, ahead: Option<&PluginId>) {
        if self.runtime.is_none() {
            return;
        }
        self.beside += 1;
        let id = SessionId::from(format!("{}-{}", self.actor.id, self.beside));
        let words = Words::new(self.session.seed, self.beside);
        let actor = Actor::new(&self.stage, &self.backstage, id, words, self.beside).await;
        // What is asked and recorded below is the other session's.
        let first = std::mem::replace(&mut self.actor, actor);
        self.ask_elsewhere(step, ahead).await;
        self.actor = first;
    }

    async fn ask_elsewhere(&mut self, step: usize, ahead: Option<&PluginId>) {
        let tools = match ahead {
            Some(plugin) => self.present(self.in_versions(Some(plugin))),
            None => self.tools(),
        };
        let opening = match self.opening(&self.actor, &tools) {
            Ok(opening) => opening,
            Err(error) => {
                self.cut_short = Some(error);
                return;
            }
        };
        let seen = self.opened(tools, &opening, From::Nothing);
        let Some(runtime) = &self.runtime else { return };
        let opened = self.within(method::OPEN, runtime.open(opening, self.actor.ports())).await;
        if self.settle(method::OPEN, opened).await.is_none() {
            return;
        }
        self.record(seen);
        let word = self.backstage.with(self.actor.scene, |scene| scene.words.of_prompt(1));
        let text = format!("{ASKED_ELSEWHERE} ({})", word.unwrap_or_default());
        self.ask(text, step, VecDeque::new()).await;
        self.close().await;
    }
}
