//! The world of one scenario: what it has put together, what it plays on, what it has seen.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Instant;

use tacit_contract::event::ScenarioResult;
use tacit_contract::protocol::Api;
use tacit_contract::runtime::RuntimeError;
use tacit_contract::{
    Breach, Case, ClauseId, Judgement, Level, PropertyId, ProviderKind, Step, Trace, Variant,
    Verdict, clause,
};
use tacit_judge::expect::{Expectation, Unmet, same_at_last_prompt};
use tacit_judge::{Account, Judge, trouble};

use crate::case::Draft;
use crate::catalogue::ScenarioInfo;
use crate::meaning::Meaning;
use crate::needs::Has;
use crate::port::{Play, Playing, PropertyOutcome};

/// What came of a scenario.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The scenario.
    pub scenario: ScenarioInfo,
    /// How it came out.
    pub result: ScenarioResult,
    /// What it played.
    pub case: Case,
    /// The traces of its session and of each variant.
    pub traces: Vec<Trace>,
    /// What the whole judge found in them.
    pub judgement: Judgement,
}

impl Outcome {
    /// Whether the scenario says something about a clause: it is about the clause, was played
    /// to its end, and the clause's premise occurred in what it played. A scenario that passes
    /// for another reason than the one meant does not count.
    #[must_use]
    pub fn counts_for(&self, clause: &ClauseId) -> bool {
        let played = matches!(self.result.verdict, Verdict::Pass | Verdict::Fail | Verdict::Warn);
        played
            && self.scenario.clauses.contains(clause)
            && self.judgement.exercised.get(clause).is_some_and(|count| *count > 0)
    }
}

/// Why a scenario is not played any further.
#[derive(Debug, Clone, PartialEq)]
enum Halt {
    NotApplicable(String),
    NotExercised(String),
    Error(String),
    Failed(String),
    /// What is not as it should be, though the contract does not ask for it.
    Doubted(String),
}

/// The world of one scenario.
pub struct Scene {
    port: Rc<dyn Play>,
    provider: ProviderKind,
    scenario: ScenarioInfo,
    draft: Draft,
    keeps_states: bool,
    playing: Option<Box<dyn Playing>>,
    /// How many steps of the session were played.
    performed: usize,
    variants: Vec<(Variant, Trace)>,
    halt: Option<Halt>,
    step: Option<String>,
    begun: Instant,
}

impl Scene {
    /// A world in which nothing has happened.
    #[must_use]
    pub fn new(port: Rc<dyn Play>, provider: ProviderKind) -> Self {
        Self {
            port,
            provider,
            scenario: ScenarioInfo::default(),
            draft: Draft::over(provider),
            keeps_states: false,
            playing: None,
            performed: 0,
            variants: Vec::new(),
            halt: None,
            step: None,
            begun: Instant::now(),
        }
    }

    /// Sets the scene for a scenario, all of whose steps are known: what it needs is known
    /// before anything is played.
    pub fn set(&mut self, scenario: ScenarioInfo, steps: &[Meaning]) {
        let mut draft = Draft::over(self.provider);
        for step in steps {
            draft.take(&step.clone().with(draft.own_tools(self.port.profile())));
        }
        let names_another = draft.case.session.provider != self.provider;
        self.halt = if names_another {
            let why = format!("it is played over {} alone", draft.case.session.provider);
            Some(Halt::NotApplicable(why))
        } else {
            self.has().lacking(&scenario, &draft.case).map(Halt::NotApplicable)
        };
        self.keeps_states =
            draft.case.session.steps.iter().any(|step| matches!(step, Step::Branch { .. }));
        self.scenario = scenario;
        self.begun = Instant::now();
    }

    /// Runs a step; once the scenario has come to a halt, nothing more happens.
    pub async fn run(&mut self, written: String, meaning: Meaning) {
        if self.halt.is_some() {
            return;
        }
        if let Err(halt) = self.perform(meaning).await {
            self.halt = Some(halt);
            self.step = Some(written);
        }
    }

    /// Notes that something went wrong that is no one's fault but the harness's.
    pub fn broke_down(&mut self, step: Option<String>, what: &str) {
        self.halt = Some(Halt::Error(format!("a fault of tacit itself: {what}")));
        self.step = step.or_else(|| self.step.take());
    }

    async fn perform(&mut self, meaning: Meaning) -> Result<(), Halt> {
        match meaning.with(self.draft.own_tools(self.port.profile())) {
            Meaning::Mode(..)
            | Meaning::Tools(_)
            | Meaning::Bulk(_)
            | Meaning::Provider(_)
            | Meaning::Seed(_)
                if self.playing.is_some() =>
            {
                let late = "the session has begun: what it has must be said before anything is \
                            expected of it";
                Err(Halt::Error(late.to_owned()))
            }
            meaning @ (Meaning::Mode(..)
            | Meaning::Tools(_)
            | Meaning::Bulk(_)
            | Meaning::Provider(_)
            | Meaning::Seed(_)
            | Meaning::Steps(_)
            | Meaning::OfItsOwn(_)) => {
                self.draft.take(&meaning);
                Ok(())
            }
            Meaning::Variant(variant) => self.play_variant(variant).await,
            Meaning::OverEveryProvider => self.play_over_every_provider().await,
            Meaning::Expects(expectation) => self.expect(&expectation).await,
            Meaning::ShowsTheSame => self.shows_the_same().await,
            Meaning::Keeps(clause) => self.keeps(&clause).await,
            Meaning::Holds => self.holds().await,
        }
    }

    /// Plays what was not played yet; the trace so far.
    async fn play(&mut self) -> Result<Trace, Halt> {
        if self.playing.is_none() {
            let session = &self.draft.case.session;
            let opened = self.port.open(session, self.keeps_states).await;
            self.playing = Some(opened.map_err(|error| self.halt_by(&error))?);
            self.performed = session.seeds().count();
        }
        let Some(playing) = &mut self.playing else {
            return Err(Halt::Error("the session could not be opened".to_owned()));
        };
        let steps = &self.draft.case.session.steps;
        if self.performed < steps.len() {
            playing.perform(&steps[self.performed..]).await;
            self.performed = steps.len();
        }
        let trace = playing.trace();
        match &trace.cut_short {
            Some(error) => Err(self.halt_by(error)),
            None => Ok(trace),
        }
    }

    /// A runtime that lacks something, or declines to be opened from rows, makes the scenario
    /// not applicable; any other failure is an error of the run.
    fn halt_by(&self, error: &RuntimeError) -> Halt {
        let session = &self.draft.case.session;
        let from_rows = session
            .steps
            .iter()
            .any(|step| matches!(step, Step::Seed(_) | Step::Restart { from_rows: true, .. }));
        match error {
            RuntimeError::Unsupported { .. } => Halt::NotApplicable(error.to_string()),
            RuntimeError::Refused { .. } if from_rows => Halt::NotApplicable(error.to_string()),
            _ => Halt::Error(error.to_string()),
        }
    }

    /// What the runtime has, as far as the session's provider goes.
    fn has(&self) -> Has<'_> {
        Has::new(self.port.profile(), self.port.runtime(), self.provider)
    }

    async fn play_over_every_provider(&mut self) -> Result<(), Halt> {
        let mut kinds = ProviderKind::all(&self.port.runtime().capabilities, &Api::ALL);
        kinds.retain(|kind| *kind != self.provider);
        for provider in kinds {
            self.play_variant(Variant::Over { provider }).await?;
        }
        Ok(())
    }

    async fn play_variant(&mut self, variant: Variant) -> Result<(), Halt> {
        self.play().await?;
        let session = variant.of(&self.draft.case.session).ok_or_else(|| {
            Halt::Error(format!("no session can be played {}: see its rule", variant.describe()))
        })?;
        let played = self.port.play(&session).await;
        let trace = played.map_err(|error| self.halt_by(&error))?;
        self.draft.case.variants.push(variant);
        let cut_short = trace.cut_short.clone();
        self.variants.push((variant, trace));
        cut_short.map_or(Ok(()), |error| Err(self.halt_by(&error)))
    }

    async fn expect(&mut self, expectation: &Expectation) -> Result<(), Halt> {
        let trace = self.play().await?;
        let met = expectation.met(&Account::new(self.port.profile(), &trace));
        met.map_err(|why| unmet(&self.scenario.clauses, why))
    }

    async fn shows_the_same(&mut self) -> Result<(), Halt> {
        let trace = self.play().await?;
        let base = Account::new(self.port.profile(), &trace);
        if self.variants.is_empty() {
            return Err(Halt::Error("there is nothing to compare with".to_owned()));
        }
        for (_, other) in &self.variants {
            let other = Account::new(self.port.profile(), other);
            let same = same_at_last_prompt(&base, &other);
            same.map_err(|why| unmet(&self.scenario.clauses, why))?;
        }
        Ok(())
    }

    async fn keeps(&mut self, id: &ClauseId) -> Result<(), Halt> {
        let known = clause::clause(id.as_str());
        if let Some(why) = known.and_then(|clause| self.has().by_clause(clause)) {
            return Err(Halt::NotApplicable(why));
        }
        let trace = self.play().await?;
        let judgement = Judge::new(self.port.profile()).judge_case(&trace, &self.variants);
        // What is only measured is kept, whatever was seen.
        let judged = level(id) != Level::Info;
        let breach = judgement.breaches.iter().find(|breach| judged && breach.clause == *id);
        if let Some(breach) = breach {
            return Err(failed(std::slice::from_ref(id), breach.found.clone()));
        }
        match judgement.exercised.get(id) {
            Some(count) if *count > 0 => Ok(()),
            _ => Err(Halt::NotExercised(unreached(id, &judgement))),
        }
    }

    async fn holds(&mut self) -> Result<(), Halt> {
        let id: PropertyId = self.scenario.property.clone().ok_or_else(|| {
            Halt::Error("the scenario names no property: give it a tag `@property:…`".to_owned())
        })?;
        match self.port.property(&id).await {
            PropertyOutcome::Held { .. } => Ok(()),
            PropertyOutcome::Broken { clauses, found } => {
                Err(failed(&clauses, broken(&clauses, found)))
            }
            PropertyOutcome::NotApplicable { reason } => Err(Halt::NotApplicable(reason)),
            PropertyOutcome::NotExercised => {
                Err(Halt::NotExercised(format!("no case of property {id} says anything of it")))
            }
            PropertyOutcome::Error { cause } => Err(Halt::Error(cause)),
        }
    }

    /// Plays what is left, lets the whole judge look at it, and says how the scenario came out.
    pub async fn finish(&mut self) -> Outcome {
        let plays = self.scenario.property.is_none() && self.halt.is_none();
        if plays && let Err(halt) = self.play().await {
            self.halt = Some(halt);
        }
        let mut traces = Vec::new();
        let mut judgement = Judgement::default();
        if let Some(playing) = self.playing.take() {
            let base = playing.finish().await;
            judgement = Judge::new(self.port.profile()).judge_case(&base, &self.variants);
            traces.push(base);
            traces.extend(self.variants.drain(..).map(|(_, trace)| trace));
        }
        let (verdict, message) = self.verdict(&judgement, &traces);
        let result = ScenarioResult {
            name: self.scenario.name.clone(),
            feature: self.scenario.feature.clone(),
            line: self.scenario.line,
            tags: self.scenario.tags.clone(),
            verdict,
            duration_ms: u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            message,
            step: self.step.take(),
            breaches: judged(&judgement),
        };
        Outcome {
            scenario: self.scenario.clone(),
            result,
            case: std::mem::take(&mut self.draft).case,
            traces,
            judgement,
        }
    }

    fn verdict(&self, judgement: &Judgement, traces: &[Trace]) -> (Verdict, Option<String>) {
        let weight = |breach: &&Breach| level(&breach.clause);
        let told = |breach: &Breach| format!("{}: {}", breach.clause, breach.found);
        let broken = judgement.breaches.iter().find(|breach| weight(breach) == Level::Must);
        if let Some(breach) = broken {
            let own = match &self.halt {
                Some(Halt::Failed(found) | Halt::Doubted(found)) if *found != breach.found => {
                    Some(found)
                }
                _ => None,
            };
            let message =
                own.map_or_else(|| told(breach), |own| format!("{own}; {}", told(breach)));
            return (Verdict::Fail, Some(message));
        }
        let trouble = traces.iter().find_map(trouble);
        match (&self.halt, trouble) {
            (Some(Halt::NotApplicable(why)), _) => (Verdict::NotApplicable, Some(why.clone())),
            (Some(Halt::Error(cause)), _) => (Verdict::Error, Some(cause.clone())),
            (_, Some(cause)) => (Verdict::Error, Some(cause)),
            (Some(Halt::Failed(found)), None) => (Verdict::Fail, Some(found.clone())),
            (Some(Halt::Doubted(found)), None) => (Verdict::Warn, Some(found.clone())),
            (Some(Halt::NotExercised(why)), None) => (Verdict::NotExercised, Some(why.clone())),
            (None, None) => match judgement.breaches.iter().find(|b| weight(b) != Level::Info) {
                Some(breach) => (Verdict::Warn, Some(told(breach))),
                None => self.reached(judgement),
            },
        }
    }

    /// A scenario that passes without reaching what it is about has shown nothing.
    fn reached(&self, judgement: &Judgement) -> (Verdict, Option<String>) {
        if self.scenario.property.is_some() {
            return (Verdict::Pass, None);
        }
        let reached = |id: &ClauseId| judgement.exercised.get(id).is_some_and(|count| *count > 0);
        match self.has().judged(&self.scenario).iter().find(|id| !reached(id)) {
            Some(id) => (Verdict::NotExercised, Some(unreached(id, judgement))),
            None => (Verdict::Pass, None),
        }
    }
}

/// What a property found, where it broke one clause; each of several has its own report.
fn broken(clauses: &[ClauseId], found: String) -> String {
    let names = clauses.iter().map(ClauseId::as_str).collect::<Vec<_>>().join(", ");
    match clauses {
        [one] if found.starts_with(one.as_str()) => found,
        [_] => format!("{names}: {found}"),
        [] => found,
        _ => format!("breaks {names}"),
    }
}

/// The level of a clause.
fn level(id: &ClauseId) -> Level {
    clause::clause(id.as_str()).map_or(Level::Must, |clause| clause.level)
}

/// What fails that is about these clauses: none of them but what should be is none that must be.
fn failed(clauses: &[ClauseId], found: String) -> Halt {
    let weightiest = clauses.iter().map(level).min();
    if weightiest.is_none_or(|level| level == Level::Must) {
        Halt::Failed(found)
    } else {
        Halt::Doubted(found)
    }
}

/// The first breach of each clause that is judged, and not only measured: a runtime that sends ten
/// thousand tools breaks a clause as many times.
fn judged(judgement: &Judgement) -> Vec<Breach> {
    let mut known = BTreeSet::new();
    let breaches = judgement.breaches.iter();
    breaches
        .filter(|breach| level(&breach.clause) != Level::Info && known.insert(&breach.clause))
        .cloned()
        .collect()
}

fn unmet(clauses: &[ClauseId], unmet: Unmet) -> Halt {
    match unmet {
        Unmet::NotApplicable(why) => Halt::NotApplicable(why),
        Unmet::NothingThere(_) => Halt::NotExercised(unmet.to_string()),
        Unmet::Otherwise(found) => failed(clauses, found),
    }
}

fn unreached(id: &ClauseId, judgement: &Judgement) -> String {
    match judgement.undecided.get(id) {
        Some(why) => format!("{id} could not be decided: {why}"),
        None => format!("what {id} is about did not happen"),
    }
}
