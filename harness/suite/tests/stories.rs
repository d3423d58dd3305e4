//! Stories and timelines, of what the reference really does: they say what the judge found, and
//! of a runtime that keeps the contract they say nothing wrong.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod support;

use std::collections::BTreeSet;

use support::traces;
use tacit_contract::timeline::{Point, RequestPoint};
use tacit_contract::{Breach, Profile, Trace};
use tacit_judge::Judge;
use tacit_judge::timeline::timeline;
use tacit_suite::story::story;

/// The clauses that a tool breaks which is shown or missing, by the evidence model.
const BY_EVIDENCE: &[&str] = &[
    "initial.core",
    "initial.minimal",
    "activation.next-request",
    "activation.not-before",
    "activation.not-by-text",
    "activation.lasts",
    "activation.union",
    "reset.each-prompt",
    "restore.search-evidence",
    "restore.use-evidence",
    "restore.ignores-failed",
    "restore.ignores-interrupted",
    "restore.ignores-prose",
    "restore.effective-context",
    "isolation.sessions",
];

fn requests(profile: &Profile, trace: &Trace) -> Vec<RequestPoint> {
    let points = timeline(profile, trace).into_iter();
    let requests = points.filter_map(|point| match point {
        Point::Request(request) => Some(request),
        Point::Prompt(_) => None,
    });
    requests.collect()
}

fn nib() -> Profile {
    Profile::named("nib-r3").unwrap()
}

#[test]
fn of_a_runtime_that_keeps_the_contract_nothing_is_missing_or_too_much() {
    let mut required = 0;
    for trace in traces(&[], 5, 3) {
        for request in requests(&nib(), &trace) {
            assert_eq!((&request.missing, &request.excess), (&vec![], &vec![]), "{request:#?}");
            required += usize::from(request.required.iter().any(|required| required.by.is_some()));
        }
    }
    assert!(required > 10, "evidence requires something in {required} requests alone");
}

#[test]
fn what_the_judge_blames_stands_in_the_timeline_as_missing_or_too_much() {
    let profile = nib();
    let mut seen = 0;
    for faults in [&["no-restore-on-prompt"], &["schema-flood"], &["error-row-counts"]] {
        for trace in traces(faults, 5, 3) {
            let requests = requests(&profile, &trace);
            for breach in by_evidence(&profile, &trace) {
                let request =
                    requests.iter().find(|request| request.entry == breach.entry).unwrap();
                let tool = breach.tool.as_ref().unwrap();
                let missing = request.missing.contains(tool);
                let excess = request.excess.iter().any(|excess| excess.tool == *tool);
                assert!(missing || excess, "{}: {request:#?}", breach.found);
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "the faults show {seen} times alone");
}

/// The breaches of tools that are shown or missing. A schema that is not whole is another matter.
fn by_evidence(profile: &Profile, trace: &Trace) -> Vec<Breach> {
    let mut breaches = Judge::new(profile).judge(trace).breaches;
    breaches.retain(|breach| {
        BY_EVIDENCE.contains(&breach.clause.as_str())
            && breach.tool.is_some()
            && !breach.found.starts_with("the schema of")
    });
    breaches
}

#[test]
fn every_story_ends_in_the_step_that_breaks_the_clause_and_says_what_the_clause_asks() {
    let profile = nib();
    let mut told = 0;
    for fault in ["no-restore-on-prompt", "no-cap", "own-member-leaks", "grant-on-activation"] {
        for trace in traces(&[fault], 5, 3) {
            let mut known = BTreeSet::new();
            let mut breaches = Judge::new(&profile).judge(&trace).breaches;
            breaches.retain(|breach| known.insert(breach.clause.clone()));
            for breach in breaches {
                let story = story(&profile, &trace, &breach);
                let (last, before) = story.split_last().unwrap();
                assert!(last.wrong.is_some() && last.asks.is_some(), "{story:#?}");
                assert!(before.iter().all(|line| line.wrong.is_none()), "{story:#?}");
                assert!(story[0].text.contains(" session"), "{story:#?}");
                told += 1;
            }
        }
    }
    assert!(told > 10, "the faults show {told} times alone");
}
