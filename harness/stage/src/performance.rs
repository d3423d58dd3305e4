//! One session on its way: opened, played prompt by prompt, finished.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use serde_json::Value;
use tacit_contract::canary::letters;
use tacit_contract::protocol::{Description, PromptEnd, method};
use tacit_contract::registry::tools_for;
use tacit_contract::runtime::{Runtime, RuntimeError};
use tacit_contract::trace::{From, Seen};
use tacit_contract::{Mode, PluginId, ProviderKind, Session, SessionId, Step, Tool, Trace};

use crate::actor::Actor;
use crate::backstage::Backstage;
use crate::connector::Connector;
use crate::folders::CaseFolders;
use crate::scene::Scene;
use crate::script::{Line, NOTES, Vocabulary, Words, script};
use crate::stage::Stage;

/// One session on its way.
///
/// Dropped before it is finished, it takes its runtime with it.
pub struct Performance<C: Connector> {
    pub(crate) stage: Stage<C>,
    /// `None` once it is of no use any more.
    pub(crate) runtime: Option<C::Runtime>,
    pub(crate) description: Description,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) backstage: Arc<Backstage>,
    pub(crate) folders: CaseFolders,
    /// The session, with the steps so far.
    pub(crate) session: Session,
    pub(crate) actor: Actor,
    pub(crate) mode: Mode,
    pub(crate) provider: ProviderKind,
    /// The registry with every plugin in it, each in its first version.
    pub(crate) first_registry: Arc<Vec<Tool>>,
    /// The same, each in its present version.
    pub(crate) registry: Arc<Vec<Tool>>,
    /// The versions of plugins that were updated.
    pub(crate) versions: BTreeMap<PluginId, u32>,
    pub(crate) unplugged: BTreeSet<PluginId>,
    pub(crate) beside: u32,
    prompts: u64,
    /// The states before each prompt that was not taken back; `None` where saving failed.
    pub(crate) states: Vec<Option<Value>>,
    keeps_states: bool,
    pub(crate) cut_short: Option<RuntimeError>,
}

impl<C: Connector> Performance<C> {
    pub(crate) async fn begin(
        stage: Stage<C>,
        runtime: C::Runtime,
        folders: CaseFolders,
        session: &Session,
    ) -> Self {
        let description = runtime.describe().clone();
        let profile = Arc::clone(&stage.settings().profile);
        let registry = Arc::new(tools_for(session, &profile, &description));
        let backstage = Arc::new(Backstage::default());
        let id = SessionId::from(format!("s-{}", letters(session.seed, 8)));
        let words = Words::new(session.seed, 0);
        let actor = Actor::new(&stage, &backstage, id, words, 0).await;
        let seeds = session.seeds().cloned().map(Step::Seed).collect();
        let mut performance = Self {
            vocabulary: Vocabulary::new(&profile, &description),
            session: Session { steps: seeds, ..session.clone() },
            mode: session.mode,
            provider: session.provider,
            stage,
            runtime: Some(runtime),
            description,
            backstage,
            folders,
            actor,
            first_registry: Arc::clone(&registry),
            registry,
            versions: BTreeMap::new(),
            unplugged: BTreeSet::new(),
            beside: 0,
            prompts: 0,
            states: Vec::new(),
            keeps_states: false,
            cut_short: None,
        };
        performance.first_opening().await;
        performance
    }

    /// Saves the state before each prompt from now on, so that a branch can go back to it.
    pub fn keep_states(&mut self) {
        self.keeps_states = true;
    }

    /// What was seen so far.
    #[must_use]
    pub fn trace(&self) -> Trace {
        self.trace_of(self.backstage.log())
    }

    /// Who the runtime is and what it can do.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Plays further steps. The script of a prompt must stand in the same call: it ends with the
    /// last step here.
    pub async fn perform(&mut self, steps: &[Step]) {
        let first = self.session.steps.len();
        self.session.steps.extend_from_slice(steps);
        let mut at = 0;
        while at < steps.len() && self.cut_short.is_none() {
            at += self.step(&steps[at..], first + at).await;
        }
    }

    /// Closes the session and gives the runtime back.
    pub async fn finish(mut self) -> Trace {
        if self.cut_short.is_none() {
            self.close().await;
        }
        if let Some(runtime) = self.runtime.take() {
            self.stage.connector().release(runtime).await;
        }
        self.trace_of(self.backstage.take_log())
    }

    /// The kinds of provider that the session may be played with.
    pub(crate) fn kinds(&self) -> Vec<ProviderKind> {
        ProviderKind::all(&self.description.capabilities, &self.stage.settings().apis)
    }

    fn trace_of(&self, log: Vec<tacit_contract::Entry>) -> Trace {
        Trace {
            runtime: self.description.clone(),
            session: self.session.clone(),
            log,
            cut_short: self.cut_short.clone(),
        }
    }

    /// Plays the first of these steps, a prompt with its script; how many that were.
    async fn step(&mut self, steps: &[Step], place: usize) -> usize {
        match &steps[0] {
            Step::Prompt { text } => return 1 + self.prompt(text, place, &steps[1..]).await,
            // A seed counts only before the start, the rest only in the script of a prompt.
            Step::Seed(_) | Step::Answer { .. } | Step::Fail { .. } | Step::Abort => {}
            Step::Restart { process, from_rows } => self.restart(*process, *from_rows).await,
            Step::RestartLate { plugin } => self.restart_late(plugin).await,
            Step::Branch { prompts } => self.branch(*prompts).await,
            Step::Compact => self.compact().await,
            Step::SetMode { mode } => self.set_mode(*mode).await,
            Step::Unplug { plugin } => self.unplug(plugin).await,
            Step::Plug { plugin } => self.plug(plugin).await,
            Step::Update { plugin } => self.update(plugin).await,
            Step::SwitchProvider { to } => self.switch_provider(*to).await,
            Step::Elsewhere => self.elsewhere(place, None).await,
            Step::ElsewhereAhead { plugin } => self.elsewhere(place, Some(plugin)).await,
        }
        1
    }

    /// Plays a prompt; how many steps its script takes up.
    async fn prompt(&mut self, text: &str, place: usize, steps: &[Step]) -> usize {
        if self.keeps_states {
            let state = self.save().await;
            self.states.push(state);
            if self.cut_short.is_some() {
                return 0;
            }
        }
        self.prompts += 1;
        let prompt = self.prompts;
        let written = self.backstage.with(self.actor.scene, |scene| {
            let words = &mut scene.words;
            let text = format!("{text} ({})", words.of_prompt(prompt));
            let (lines, taken) =
                script(steps, place + 1, prompt, self.mode, &self.vocabulary, words);
            (text, lines, taken)
        });
        let Some((text, lines, taken)) = written else { return 0 };
        if lines.iter().any(reads_a_file) {
            self.write_notes();
        }
        self.ask(text, place, lines).await;
        if self.cut_short.is_none() {
            self.export_rows().await;
        }
        taken
    }

    /// Asks the session something, and waits until that is over.
    pub(crate) async fn ask(&mut self, text: String, step: usize, lines: VecDeque<Line>) {
        let Some(runtime) = &self.runtime else { return };
        self.backstage.with(self.actor.scene, |scene| scene.begin(&text, lines));
        self.record(Seen::Prompted { step, text: text.clone() });
        let ended = self.within(method::PROMPT, self.prompt_or_abort(runtime, &text)).await;
        self.backstage.with(self.actor.scene, Scene::end);
        if let Some(end) = self.settle(method::PROMPT, ended).await {
            self.record(Seen::PromptEnded(end));
        }
    }

    async fn prompt_or_abort(
        &self,
        runtime: &C::Runtime,
        text: &str,
    ) -> Result<PromptEnd, RuntimeError> {
        self.backstage.forget_stop();
        let mut prompt = pin!(runtime.prompt(&self.actor.id, text));
        tokio::select! {
            biased;
            end = &mut prompt => return end,
            () = self.backstage.stopped() => {}
        }
        self.record(Seen::Aborted);
        let (aborted, end) = futures::join!(runtime.abort(&self.actor.id), prompt);
        if let Err(error) = aborted {
            self.record(Seen::Failed { operation: method::ABORT.to_owned(), error });
        }
        end
    }

    fn write_notes(&self) {
        let text = format!("The notes of this workspace ({}).\n", letters(self.session.seed, 9));
        // A file that is not there is the same to the harness: the read then fails.
        let _ = self.folders.write(NOTES, &text);
    }

    /// Records something of the session.
    pub(crate) fn record(&self, seen: Seen) {
        self.backstage.record(self.actor.scene, seen);
    }

    /// Awaits an operation of the runtime, no longer than the limit.
    pub(crate) async fn within<T>(
        &self,
        operation: &str,
        running: impl Future<Output = Result<T, RuntimeError>>,
    ) -> Result<T, RuntimeError> {
        let connector = self.stage.connector();
        if connector.keeps_limit() {
            return running.await;
        }
        let limit = connector.limit();
        tokio::time::timeout(limit, running).await.unwrap_or_else(|_| {
            Err(RuntimeError::Hung {
                during: operation.to_owned(),
                limit_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
                log: String::new(),
            })
        })
    }

    /// The result of an operation; an error is recorded, and one after which the runtime is of
    /// no use ends the session.
    pub(crate) async fn settle<T>(
        &mut self,
        operation: &str,
        result: Result<T, RuntimeError>,
    ) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) if error.is_fatal() => {
                self.cut_short = Some(error);
                if let Some(runtime) = self.runtime.take() {
                    self.stage.connector().release(runtime).await;
                }
                None
            }
            Err(error) => {
                self.record(Seen::Failed { operation: operation.to_owned(), error });
                None
            }
        }
    }

    async fn first_opening(&mut self) {
        let capabilities = &self.description.capabilities;
        let lacks = if !capabilities.modes.contains(&self.mode) {
            Some(format!("mode {}", self.mode))
        } else if !self.kinds().contains(&self.provider) {
            Some(self.provider.to_string())
        } else {
            None
        };
        if let Some(what) = lacks {
            self.cut_short = Some(RuntimeError::Unsupported { what });
            return;
        }
        let rows = self.session.seeded_rows(self.vocabulary.dialect());
        // Without `transcript` there is no way in for rows: such seeds do not apply.
        if rows.is_empty() || !capabilities.transcript {
            self.open(From::Nothing, None, None).await;
        } else {
            let from = From::SeededRows { rows: rows.clone() };
            self.open(from, None, Some(rows)).await;
        }
    }
}

fn reads_a_file(line: &Line) -> bool {
    match line {
        Line::Calls(batch) => {
            batch.charges.iter().any(|charge| charge.issued.call == tacit_contract::Call::Read)
        }
        Line::Fail(_) | Line::Abort => false,
    }
}
