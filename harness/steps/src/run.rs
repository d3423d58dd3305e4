//! Runs scenarios, each on the port that the suite hands in.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::rc::Rc;

use cucumber::codegen::Regex;
use cucumber::event::ScenarioFinished;
use cucumber::runner::Basic;
use cucumber::step::Context;
use cucumber::{Runner as _, ScenarioType, World, event};
use futures::StreamExt as _;
use futures::future::LocalBoxFuture;
use tacit_contract::event::ScenarioResult;
use tacit_contract::{Judgement, ProviderKind, Verdict};

use crate::case::Draft;
use crate::catalogue::{ScenarioInfo, Selection, info};
use crate::hook::PanicHook;
use crate::meaning::Meaning;
use crate::port::Play;
use crate::source::{Source, scenarios, steps};
use crate::vocabulary::understand;
use crate::world::{Outcome, Scene};

/// How scenarios are run.
#[derive(Clone)]
pub struct Config {
    /// What they are played on.
    pub port: Rc<dyn Play>,
    /// The provider that sessions begin with.
    pub provider: ProviderKind,
    /// How many are on their way at once; one, unless the runtime takes several prompts.
    pub at_once: usize,
}

impl Config {
    /// One scenario after the other on this port, with the plainest provider.
    #[must_use]
    pub fn new(port: Rc<dyn Play>) -> Self {
        Self { port, provider: ProviderKind::PLAINEST, at_once: 1 }
    }

    /// The same with another provider.
    #[must_use]
    pub fn over(self, provider: ProviderKind) -> Self {
        Self { provider, ..self }
    }
}

/// The scenarios of a run by feature and line, each with what its steps mean.
type Known = HashMap<(String, usize), (ScenarioInfo, Vec<Meaning>)>;

/// A run on its way: what the worlds and the hooks share.
struct Running {
    port: Rc<dyn Play>,
    provider: ProviderKind,
    scenarios: Known,
    done: RefCell<VecDeque<Outcome>>,
}

tokio::task_local! {
    // The library makes worlds from nothing and takes steps as bare functions: this is the one
    // way in that lets two runs of a process differ.
    static RUNNING: Rc<Running>;
}

impl World for Scene {
    type Error = String;

    async fn new() -> Result<Self, Self::Error> {
        RUNNING
            .try_with(|running| Self::new(Rc::clone(&running.port), running.provider))
            .map_err(|_| "scenarios are run by `tacit_steps::run`".to_owned())
    }
}

/// Runs the selected scenarios, and hands over what came of each as it ends, in the order of
/// the features unless several are on their way at once.
pub async fn run(
    sources: &[Source],
    selection: &Selection,
    config: Config,
    mut on_outcome: impl FnMut(Outcome),
) {
    let (features, known) = select(sources, selection);
    if known.is_empty() {
        return;
    }
    let running = Rc::new(Running {
        port: config.port,
        provider: config.provider,
        scenarios: known,
        done: RefCell::new(VecDeque::new()),
    });
    let hook = PanicHook::keep();
    let shared = Rc::clone(&running);
    let drive = async move {
        // A stream that is ever pending makes the runner spin: all features are there already.
        let features = futures::stream::iter(features.into_iter().map(Ok));
        let mut events =
            runner(config.at_once).run(features, cucumber::runner::basic::Cli::default());
        while let Some(event) = events.next().await {
            if event.is_ok_and(|event| matches!(*event, event::Cucumber::Started)) {
                hook.set_again();
            }
            loop {
                let Some(outcome) = shared.done.borrow_mut().pop_front() else { break };
                on_outcome(outcome);
            }
        }
    };
    RUNNING.scope(running, drive).await;
}

fn select(sources: &[Source], selection: &Selection) -> (Vec<gherkin::Feature>, Known) {
    let mut known = HashMap::new();
    let mut features = Vec::new();
    for source in sources {
        for (rule, scenario) in scenarios(&source.feature) {
            let info = info(source, rule, scenario);
            if selection.takes(&info) {
                let all = steps(&source.feature, rule, scenario);
                let meanings = all.filter_map(|step| understand(step).ok()).collect();
                known.insert((source.path.clone(), info.line), (info, meanings));
            }
        }
        let takes = |scenario: &gherkin::Scenario| {
            known.contains_key(&(source.path.clone(), scenario.position.line))
        };
        let mut feature = source.feature.clone();
        feature.scenarios.retain(takes);
        for rule in &mut feature.rules {
            rule.scenarios.retain(takes);
        }
        feature.rules.retain(|rule| !rule.scenarios.is_empty());
        if !feature.scenarios.is_empty() || !feature.rules.is_empty() {
            features.push(feature);
        }
    }
    (features, known)
}

type Which = fn(&gherkin::Feature, Option<&gherkin::Rule>, &gherkin::Scenario) -> ScenarioType;
type Before = for<'a> fn(
    &'a gherkin::Feature,
    Option<&'a gherkin::Rule>,
    &'a gherkin::Scenario,
    &'a mut Scene,
) -> LocalBoxFuture<'a, ()>;
type After = for<'a> fn(
    &'a gherkin::Feature,
    Option<&'a gherkin::Rule>,
    &'a gherkin::Scenario,
    &'a ScenarioFinished,
    Option<&'a mut Scene>,
) -> LocalBoxFuture<'a, ()>;

/// The library's runner with our steps; tags that mean something to it mean nothing here.
fn runner(at_once: usize) -> Basic<Scene, Which, Before, After> {
    let in_order: Which = |_, _, _| ScenarioType::Concurrent;
    let runner = Basic::<Scene>::default()
        .max_concurrent_scenarios(at_once.max(1))
        .which_scenario(in_order)
        .retry_options(|_, _, _, _| None)
        .before(before as Before)
        .after(after as After);
    // The vocabulary finds the meaning of a step, and says what is wrong with one that has none:
    // the library need only hand it over, and would look through all phrases for each scenario
    // anew.
    match Regex::new("") {
        Ok(any) => runner.given(any.clone(), step).when(any.clone(), step).then(any, step),
        Err(_) => runner,
    }
}

fn step(scene: &mut Scene, context: Context) -> LocalBoxFuture<'_, ()> {
    Box::pin(async move {
        let written = format!("{}{}", context.step.keyword, context.step.value);
        match understand(&context.step) {
            Ok(meaning) => scene.run(written, meaning).await,
            Err(problem) => scene.broke_down(Some(written), &problem),
        }
    })
}

fn key(feature: &gherkin::Feature, scenario: &gherkin::Scenario) -> (String, usize) {
    let path = feature.path.as_deref().unwrap_or(Path::new(""));
    (path.to_string_lossy().into_owned(), scenario.position.line)
}

fn before<'a>(
    feature: &'a gherkin::Feature,
    _rule: Option<&'a gherkin::Rule>,
    scenario: &'a gherkin::Scenario,
    scene: &'a mut Scene,
) -> LocalBoxFuture<'a, ()> {
    Box::pin(async move {
        // Outside of a run there is nothing to set the scene for.
        let _ = RUNNING.try_with(|running| {
            if let Some((info, steps)) = running.scenarios.get(&key(feature, scenario)) {
                scene.set(info.clone(), steps);
            }
        });
    })
}

fn after<'a>(
    feature: &'a gherkin::Feature,
    _rule: Option<&'a gherkin::Rule>,
    scenario: &'a gherkin::Scenario,
    finished: &'a ScenarioFinished,
    scene: Option<&'a mut Scene>,
) -> LocalBoxFuture<'a, ()> {
    Box::pin(async move {
        let fault = fault_of(finished);
        let outcome = match scene {
            Some(scene) => {
                if let Some(what) = fault {
                    scene.broke_down(None, &what);
                }
                scene.finish().await
            }
            None => without_world(&key(feature, scenario), fault),
        };
        // Outside of a run nobody waits for the outcome.
        let _ = RUNNING.try_with(|running| running.done.borrow_mut().push_back(outcome));
    })
}

/// What went wrong in the harness itself: steps report what the runtime does, and never panic.
fn fault_of(finished: &ScenarioFinished) -> Option<String> {
    match finished {
        ScenarioFinished::StepPassed => None,
        ScenarioFinished::StepSkipped => Some("a step is unknown to the runner".to_owned()),
        ScenarioFinished::StepFailed(_, _, event::StepError::Panic(info))
        | ScenarioFinished::BeforeHookFailed(info) => Some(panic_text(info.as_ref())),
        ScenarioFinished::StepFailed(_, _, error) => Some(error.to_string()),
    }
}

fn panic_text(info: &(dyn std::any::Any + Send)) -> String {
    let text = info.downcast_ref::<String>().cloned();
    text.or_else(|| info.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "a panic without a message".to_owned())
}

fn without_world(key: &(String, usize), fault: Option<String>) -> Outcome {
    let known = RUNNING.try_with(|running| running.scenarios.get(key).cloned());
    let (scenario, _) = known.ok().flatten().unwrap_or_default();
    let cause = fault.unwrap_or_else(|| "no world was made for it".to_owned());
    let result = ScenarioResult {
        name: scenario.name.clone(),
        feature: scenario.feature.clone(),
        line: scenario.line,
        tags: scenario.tags.clone(),
        verdict: Verdict::Error,
        duration_ms: 0,
        message: Some(format!("a fault of tacit itself: {cause}")),
        step: None,
        breaches: Vec::new(),
    };
    Outcome {
        scenario,
        result,
        case: Draft::default().case,
        traces: Vec::new(),
        judgement: Judgement::default(),
    }
}
