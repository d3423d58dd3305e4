//! The built-in features on the reference runtime: a runtime that keeps the contract passes, one
//! that does not fails where it should, and one that lacks something is told so.

use std::rc::Rc;

use tacit_contract::runtime::{PortFuture, Runtime as _};
use tacit_contract::{Profile, PropertyId, Revision, Verdict};
use tacit_reference::{ReferenceOptions, ReferenceRuntime};
use tacit_stage::{InProcess, Settings, Stage};
use tacit_steps::catalogue::{Selection, built_in};
use tacit_steps::port::{NoProperties, OnStage, Properties, PropertyOutcome};
use tacit_steps::run::{Config, run};
use tacit_steps::source::{Source, parse};
use tacit_steps::world::Outcome;

fn play(sources: &[Source], options: ReferenceOptions, profile: &str) -> Vec<Outcome> {
    play_with(sources, options, profile, Rc::new(NoProperties), &Selection::all())
}

fn play_with(
    sources: &[Source],
    options: ReferenceOptions,
    profile: &str,
    properties: Rc<dyn Properties>,
    selection: &Selection,
) -> Vec<Outcome> {
    let description = ReferenceRuntime::new(options).describe().clone();
    let settings = Settings::new(Profile::named(profile).unwrap());
    let connector = InProcess::new(move || ReferenceRuntime::new(options)).without_folders();
    let port = OnStage::new(Stage::new(connector, settings), description, properties);
    let mut outcomes = Vec::new();
    let config = Config::new(Rc::new(port));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(run(sources, selection, config, |outcome| outcomes.push(outcome)));
    outcomes
}

fn told(outcome: &Outcome) -> String {
    let result = &outcome.result;
    format!(
        "{}:{} {:?} `{}` at `{}`: {}",
        result.feature,
        result.line,
        result.verdict,
        result.name,
        result.step.as_deref().unwrap_or("the end"),
        result.message.as_deref().unwrap_or("no message")
    )
}

#[test]
fn the_reference_keeps_the_contract_of_each_revision() {
    let sources = built_in().unwrap();
    for revision in Revision::ALL {
        let profile = format!("nib-{revision}");
        let outcomes = play(&sources, ReferenceOptions::faultless(revision), &profile);
        let bad: Vec<String> = outcomes
            .iter()
            .filter(|o| !matches!(o.result.verdict, Verdict::Pass | Verdict::NotApplicable))
            .map(told)
            .collect();
        assert!(bad.is_empty(), "{profile}:\n{}", bad.join("\n"));
    }
}
