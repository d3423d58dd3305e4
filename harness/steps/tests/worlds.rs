//! How a scenario comes out when something is wrong: with the runtime, with the scenario, or
//! with the harness itself.

mod common;

use std::rc::Rc;

use common::{Bare, faultless, on, play_text, reference, told};
use tacit_contract::protocol::Description;
use tacit_contract::runtime::{PortFuture, RuntimeError};
use tacit_contract::{Profile, PropertyId, Revision, Session, Trace, Verdict};
use tacit_reference::ReferenceOptions;
use tacit_reference::Switches;
use tacit_steps::port::{NoProperties, Play, Playing, Properties, PropertyOutcome};

fn feature(steps: &str) -> String {
    format!("Feature: x\n  Scenario: y\n    {}\n", steps.trim().replace('\n', "\n    "))
}

#[test]
fn an_expectation_that_is_not_met_says_what_was_found_and_where() {
    let text = feature(
        "Given an agent session with the plugin tool \"acme_weather\"\n\
         When the user asks \"hello\"\n\
         Then the first request shows \"acme_weather\"",
    );
    let outcome = play_text(&text, faultless());
    assert_eq!(outcome.result.verdict, Verdict::Fail);
    let step = outcome.result.step.as_deref();
    assert_eq!(step, Some("Then the first request shows \"acme_weather\""));
    let message = outcome.result.message.as_deref().unwrap_or_default();
    assert!(message.starts_with("request 1 of prompt 1 does not show acme_weather"), "{message}");
    assert!(message.contains("it shows: Read, Bash"), "{message}");
}

#[test]
fn a_breach_fails_the_scenario_even_where_its_own_steps_are_met() {
    let switches = Switches::parse(["schema-flood"]).unwrap();
    let port = reference(ReferenceOptions { revision: Revision::R3, switches }, "nib-r3");
    let text = feature(
        "Given an agent session with the plugin tool \"acme_weather\"\n\
         When the user asks \"hello\"\n\
         Then the prompt goes on to its end",
    );
    let outcome = play_text(&text, port);
    assert_eq!(outcome.result.verdict, Verdict::Fail, "{}", told(&outcome));
    assert!(!outcome.result.breaches.is_empty());
    let message = outcome.result.message.as_deref().unwrap_or_default();
    assert!(message.contains("acme_weather is shown"), "{message}");
}

#[test]
fn a_clause_that_is_broken_by_every_tool_is_told_once() {
    let switches = Switches::parse(["schema-flood"]).unwrap();
    let port = reference(ReferenceOptions { revision: Revision::R3, switches }, "nib-r3");
    let text = feature(
        "Given an agent session\nAnd 50 further plugin tools\nWhen the user asks \"hello\"\n\
         Then the prompt goes on to its end",
    );
    let outcome = play_text(&text, port);
    let all = outcome.judgement.breaches.iter().filter(|one| one.clause == "initial.minimal");
    let told = outcome.result.breaches.iter().filter(|one| one.clause == "initial.minimal");
    assert_eq!((all.count(), told.count()), (50, 1));
}

#[test]
fn a_scenario_that_does_not_reach_its_clause_is_not_exercised() {
    let text = feature(
        "Given an agent session with the plugin tool \"acme_weather\"\n\
         When the user asks \"hello\"\n\
         Then the runtime keeps \"search.exact\"",
    );
    let outcome = play_text(&text, faultless());
    assert_eq!(outcome.result.verdict, Verdict::NotExercised);
    let tagged = format!(
        "@clause:search.exact\n{}",
        feature("Given an agent session\nWhen the user asks \"hello\"")
    );
    let outcome = play_text(&tagged, faultless());
    assert_eq!(outcome.result.verdict, Verdict::NotExercised);
    assert!(!outcome.counts_for(&"search.exact".into()));
}

#[test]
fn a_runtime_that_crashes_is_an_error_with_its_cause() {
    let text = feature(
        "Given an agent session\nWhen the user asks \"hello\"\n\
         Then the first request shows no deferred tool",
    );
    let outcome = play_text(&text, on(Bare::that_crashes, "nib-r3", Rc::new(NoProperties)));
    assert_eq!(outcome.result.verdict, Verdict::Error);
    let message = outcome.result.message.as_deref().unwrap_or_default();
    assert!(message.contains("exit status 3") && message.contains("out of coffee"), "{message}");
}

#[test]
fn what_the_runtime_lacks_is_named_before_anything_is_played() {
    for (steps, lack) in [
        ("Given a plan session\nWhen the user asks \"x\"", "has no plan mode"),
        ("Given the mode changes to chat\nWhen the user asks \"x\"", "mode cannot change"),
        (
            "When the conversation is compacted\nAnd the user asks \"x\"",
            "cannot be told to compact",
        ),
        ("When the plugin \"acme\" is removed\nAnd the user asks \"x\"", "registry cannot change"),
        (
            "Given a transcript in which the use of \"a\" was successful\nWhen the user asks \"x\"",
            "does not show its rows",
        ),
        (
            "When the user asks \"x\", and the model\n| is stopped by the user | |",
            "cannot be stopped",
        ),
        (
            "When the user asks \"x\"\nAnd the user asks \"x\"\n\
             And the same session is also played opened from its rows before its last prompt",
            "does not show its rows",
        ),
        (
            "When the user asks \"x\", and the model\n| searches for up to 9 matches of | y |",
            "no argument that asks for more",
        ),
    ] {
        let outcome = play_text(&feature(steps), on(Bare::new, "nib-r3", Rc::new(NoProperties)));
        assert_eq!(outcome.result.verdict, Verdict::NotApplicable, "{steps}");
        let message = outcome.result.message.as_deref().unwrap_or_default();
        assert!(message.contains(lack), "{steps}: {message}");
        assert!(outcome.traces.is_empty(), "{steps}");
    }
}

#[test]
fn a_session_cannot_be_changed_once_it_has_begun() {
    let text = feature(
        "When the user asks \"x\"\nThen the first request shows no deferred tool\n\
         Given the skill \"Skill\"",
    );
    let outcome = play_text(&text, faultless());
    assert_eq!(outcome.result.verdict, Verdict::Error);
    let message = outcome.result.message.as_deref().unwrap_or_default();
    assert!(message.contains("the session has begun"), "{message}");
}

#[test]
fn tags_that_mean_something_to_the_library_mean_nothing_here() {
    let text = format!(
        "@serial @retry(3)\n{}",
        feature(
            "Given an agent session\nWhen the user asks \"x\"\n\
             Then the first request shows \"nothing_of_that_name\"",
        )
    );
    let outcome = play_text(&text, faultless());
    assert_eq!(outcome.result.verdict, Verdict::Fail);
}

struct Fixed(PropertyOutcome);

impl Properties for Fixed {
    fn run<'a>(&'a self, _id: &'a PropertyId) -> PortFuture<'a, PropertyOutcome> {
        let outcome = self.0.clone();
        Box::pin(async move { outcome })
    }
}

#[test]
fn a_property_s_scenario_comes_out_as_the_property_does() {
    let text = format!("@property:uses\n{}", feature("Then it holds for every generated session"));
    let broken =
        PropertyOutcome::Broken { clauses: vec!["search.exact".into()], found: "this".to_owned() };
    for (outcome, verdict, message) in [
        (PropertyOutcome::Held { cases: 7 }, Verdict::Pass, None),
        (broken, Verdict::Fail, Some("search.exact: this")),
        (
            PropertyOutcome::NotApplicable { reason: "no".to_owned() },
            Verdict::NotApplicable,
            Some("no"),
        ),
        (
            PropertyOutcome::NotExercised,
            Verdict::NotExercised,
            Some("no case of property uses says anything of it"),
        ),
        (PropertyOutcome::Error { cause: "gone".to_owned() }, Verdict::Error, Some("gone")),
    ] {
        let port = on(Bare::new, "nib-r3", Rc::new(Fixed(outcome)));
        let outcome = play_text(&text, port);
        assert_eq!(outcome.result.verdict, verdict);
        assert_eq!(outcome.result.message.as_deref(), message);
        assert!(outcome.traces.is_empty());
    }
}

/// A port whose harness is broken.
struct Broken(Rc<dyn Play>);

impl Play for Broken {
    fn profile(&self) -> &Profile {
        self.0.profile()
    }

    fn runtime(&self) -> &Description {
        self.0.runtime()
    }

    fn open<'a>(
        &'a self,
        _session: &'a Session,
        _keep_states: bool,
    ) -> PortFuture<'a, Result<Box<dyn Playing>, RuntimeError>> {
        panic!("the stage has a hole")
    }

    fn play<'a>(&'a self, session: &'a Session) -> PortFuture<'a, Result<Trace, RuntimeError>> {
        self.0.play(session)
    }

    fn property<'a>(&'a self, id: &'a PropertyId) -> PortFuture<'a, PropertyOutcome> {
        self.0.property(id)
    }
}

#[test]
fn a_fault_of_the_harness_is_an_error_and_is_called_one() {
    let text = feature(
        "Given an agent session\nWhen the user asks \"x\"\nThen the prompt goes on to its end",
    );
    let outcome = play_text(&text, Rc::new(Broken(faultless())));
    assert_eq!(outcome.result.verdict, Verdict::Error);
    let message = outcome.result.message.as_deref();
    assert_eq!(message, Some("a fault of tacit itself: the stage has a hole"));
}
