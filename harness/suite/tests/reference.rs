//! The reference keeps the contract, in each revision, and under another's profile breaks what
//! the contract says that it breaks.

mod support;

use std::collections::BTreeSet;

use support::{config, ran, reference};
use tacit_contract::clause::contract;
use tacit_contract::event::ClauseResult;
use tacit_contract::protocol::Api;
use tacit_contract::{ClauseId, Event, Level, Revision, Verdict};
use tacit_suite::Exit;

const CASES: u32 = 24;

fn profile_of(revision: Revision) -> String {
    format!("nib-{revision}")
}

#[test]
fn the_reference_of_each_revision_keeps_every_clause_of_its_own_profile() {
    for revision in Revision::ALL {
        let corpus = tempfile::tempdir().unwrap();
        let subject = reference(revision, &[]);
        let ran = ran(config(subject, &profile_of(revision), CASES, corpus.path()));
        assert_eq!(ran.exit, Exit::Conforms, "{revision}:\n{}", ran.failures());
        // What a good runtime does is not in reach of every search tool of an older revision.
        let must_be_judged =
            |clause: &&ClauseResult| clause.level == Level::Must || revision == Revision::R3;
        for clause in ran.clauses().filter(must_be_judged) {
            let is_judged = matches!(clause.verdict, Verdict::Pass | Verdict::NotApplicable);
            assert!(is_judged, "{revision}: {} {:?}", clause.id, clause.reason);
        }
    }
}

#[test]
fn under_another_revision_s_profile_it_breaks_what_it_must_and_nothing_that_it_may_not() {
    for across in &contract().across {
        let corpus = tempfile::tempdir().unwrap();
        let subject = reference(across.runtime, &[]);
        let mut config = config(subject, &profile_of(across.under), CASES, corpus.path());
        // What a revision asks for hangs on no API: one is enough, and costs a third.
        config.apis = vec![Api::OpenaiChat];
        let ran = ran(config);
        let broken = ran.with(Verdict::Fail);
        let must: BTreeSet<ClauseId> = across.must.iter().cloned().collect();
        let may: BTreeSet<ClauseId> = across.must.iter().chain(&across.may).cloned().collect();
        let name = format!("{} under {}", across.runtime, across.under);
        assert!(must.is_subset(&broken), "{name}: broken are {broken:?}, not all of {must:?}");
        assert!(broken.is_subset(&may), "{name}: broken are {broken:?}, some not of {may:?}");
        assert_eq!(ran.exit, Exit::DoesNotConform);
    }
}

#[test]
fn the_same_seed_says_the_same_whatever_the_number_of_workers() {
    let told = |jobs: usize| {
        let corpus = tempfile::tempdir().unwrap();
        let subject = reference(Revision::R3, &["no-restore-on-prompt"]);
        let mut config = config(subject, "nib-r3", CASES, corpus.path());
        config.jobs = jobs;
        let folder = corpus.path().display().to_string();
        ran(config)
            .events
            .into_iter()
            .map(|event| timeless(&event).replace(&folder, "CORPUS"))
            .collect::<Vec<_>>()
    };
    let alone = told(1);
    assert_eq!(alone, told(3));
    assert!(alone.iter().any(|event| event.contains("counterexampleFound")));
}

/// An event as text, without the times in it.
fn timeless(event: &Event) -> String {
    let mut value = serde_json::json!(event);
    if let Some(members) = value.as_object_mut() {
        members.remove("durationMs");
        members.remove("startedAt");
    }
    value.to_string()
}
