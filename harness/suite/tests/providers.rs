//! Every kind of provider is played, and what hangs on one kind is found and told with its name.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use support::{Ran, config, ran, reference};
use tacit_contract::protocol::Api;
use tacit_contract::{ClauseId, Event, Level, Revision, Verdict};
use tacit_suite::Exit;
use tacit_suite::replay::{Replayed, replay};

fn apis(ran: &Ran) -> Vec<Api> {
    let started = ran.events.iter().find_map(|event| match event {
        Event::RunStarted(started) => Some(started.apis.clone()),
        _ => None,
    });
    started.unwrap_or_default()
}

#[test]
fn every_clause_is_exercised_over_every_api() {
    let corpus = tempfile::tempdir().unwrap();
    let ran = ran(config(reference(Revision::R3, &[]), "nib-r3", 64, corpus.path()));
    assert_eq!(ran.exit, Exit::Conforms, "{}", ran.failures());
    assert_eq!(apis(&ran), Api::ALL);
    for clause in ran.clauses().filter(|clause| clause.level == Level::Must) {
        assert_eq!(clause.verdict, Verdict::Pass, "{}: {:?}", clause.id, clause.reason);
        for api in Api::ALL {
            let count = clause.exercised_over.get(&api).copied().unwrap_or_default();
            assert!(count > 0, "{} over {}", clause.id, api.as_str());
        }
        assert_eq!(clause.exercised, clause.exercised_over.values().sum::<u64>(), "{}", clause.id);
    }
    // Both places in which the provider's help may show are seen, and counted.
    let native = ran.clauses().find(|clause| clause.id == *"provider.native").unwrap();
    let reading = native.reading.as_deref().unwrap_or_default();
    assert!(reading.contains("load point") && reading.contains("list"), "{reading}");
}

#[test]
fn one_api_that_is_asked_for_is_played_alone() {
    for api in Api::ALL {
        let corpus = tempfile::tempdir().unwrap();
        let mut config = config(reference(Revision::R3, &[]), "nib-r3", 4, corpus.path());
        config.apis = vec![api];
        let ran = ran(config);
        assert_eq!(ran.exit, Exit::Conforms, "{}:\n{}", api.as_str(), ran.failures());
        assert_eq!(apis(&ran), [api]);
        let lacking: Vec<ClauseId> = ran
            .with(Verdict::NotApplicable)
            .into_iter()
            .filter(|id| id.family() == "provider")
            .collect();
        assert_eq!(lacking, [ClauseId::from("provider.same")]);
    }
}

#[test]
fn a_counterexample_that_needs_its_provider_names_it() {
    let corpus = tempfile::tempdir().unwrap();
    let fault = "cache-breakpoint-on-deferred";
    let mut config = config(reference(Revision::R3, &[fault]), "nib-r3", 256, corpus.path());
    config.clauses = vec!["provider.valid".into()];
    config.fail_fast = true;
    let ran = ran(config.clone());
    let found = ran.counterexample("provider.valid").unwrap();
    let feature = std::fs::read_to_string(&found.feature).unwrap();
    let named = "a provider of \"anthropic-messages\" that loads tools";
    assert!(feature.contains(named), "{feature}");
    let opened = "an agent session over anthropic-messages with native deferral";
    assert!(found.story[0].text.starts_with(opened), "{:?}", found.story);
    // Over another API there is nothing to replay, and that is no success.
    config.apis = vec![Api::OpenaiChat];
    let (replays, exit) = replay(config, &[found.feature.clone().into()]).unwrap();
    assert!(matches!(replays[0].result, Replayed::NotApplicable { .. }), "{:?}", replays[0].result);
    assert_eq!(exit, Exit::TooLittle);
}

#[test]
fn a_fault_of_every_provider_is_told_with_the_plainest() {
    let corpus = tempfile::tempdir().unwrap();
    let mut config =
        config(reference(Revision::R3, &["no-restore-on-prompt"]), "nib-r3", 24, corpus.path());
    config.clauses = vec!["restore.search-evidence".into()];
    let ran = ran(config);
    let found = ran.counterexample("restore.search-evidence").unwrap();
    let feature = std::fs::read_to_string(&found.feature).unwrap();
    assert!(!feature.contains("provider of"), "{feature}");
}
