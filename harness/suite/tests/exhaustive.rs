//! The exhaustive search on the reference: what it leaves out shows nothing else, what it plays is
//! kept, and what is broken is found by the shortest session that breaks it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use support::{Ran, config, ran, reference};
use tacit_contract::event::PropertyResult;
use tacit_contract::{Event, Revision, Seen, Session, Step, Trace, Verdict};
use tacit_generators::exhaustive::Exhaustive;
use tacit_suite::bench::Bench;
use tacit_suite::exhaustive::{ID, world};
use tacit_suite::providers::kinds;
use tacit_suite::{Config, Exit};

/// A run of the search alone, beside the few scenarios of one clause.
fn search(faults: &[&str], depth: u32, corpus: &Path) -> Config {
    let mut config = config(reference(Revision::R3, faults), "nib-r3", 0, corpus);
    config.exhaustive = NonZeroU32::new(depth);
    config.tags = Some("@clause:initial.new-context".to_owned());
    config
}

fn result(ran: &Ran) -> &PropertyResult {
    let mut finished = ran.events.iter().filter_map(|event| match event {
        Event::PropertyFinished(result) => Some(result),
        _ => None,
    });
    finished.find(|result| result.id == *ID).unwrap()
}

#[test]
fn the_reference_keeps_every_clause_in_every_session_of_two_steps() {
    let corpus = tempfile::tempdir().unwrap();
    let ran = ran(search(&[], 2, corpus.path()));
    assert_eq!(ran.exit, Exit::Conforms, "{}", ran.failures());
    let result = result(&ran);
    assert_eq!(result.verdict, Verdict::Pass);
    assert_eq!(Some(u64::from(result.cases)), result.extent.map(|extent| extent.cases));
    for clause in ["initial.core", "search.exact", "restore.use-evidence", "registry.removed"] {
        assert!(result.clauses.contains(&clause.into()), "{clause}: {:?}", result.clauses);
    }
}

#[test]
fn a_fault_is_found_by_a_session_that_needs_no_shrinking() {
    for (fault, clause, steps) in [
        ("no-restore-on-prompt", "restore.search-evidence", 2),
        ("error-row-counts", "restore.ignores-failed", 2),
    ] {
        let corpus = tempfile::tempdir().unwrap();
        let mut config = search(&[fault], 2, corpus.path());
        config.clauses = vec![clause.into()];
        config.fail_fast = true;
        config.tags = Some(format!("@clause:{clause}"));
        let ran = ran(config);
        let found = ran.counterexample(clause).unwrap_or_else(|| panic!("{fault} is not found"));
        assert_eq!(found.found_by, ID);
        assert_eq!((found.steps_before, found.steps), (steps, steps), "{fault}");
    }
}

#[test]
fn a_budget_that_is_used_up_is_told_with_how_far_it_reached() {
    let corpus = tempfile::tempdir().unwrap();
    let mut config = search(&[], 9, corpus.path());
    config.time_budget = Some(Duration::from_millis(1));
    let ran = ran(config);
    let result = result(&ran);
    let extent = result.extent.unwrap();
    assert_eq!(extent.depth, 9);
    assert!(u64::from(result.cases) < extent.cases);
    assert_eq!(extent.cases, all(9).count());
}

#[test]
fn what_is_found_does_not_hang_on_the_number_of_workers() {
    let told = |jobs: usize| {
        let corpus = tempfile::tempdir().unwrap();
        let mut config = search(&["no-restore-on-prompt"], 2, corpus.path());
        config.jobs = jobs;
        let folder = corpus.path().display().to_string();
        let timeless = |event: Event| {
            let mut value = serde_json::json!(event);
            let members = value.as_object_mut().unwrap();
            members.retain(|key, _| key != "durationMs" && key != "startedAt");
            value.to_string().replace(&folder, "CORPUS")
        };
        ran(config).events.into_iter().map(timeless).collect::<Vec<_>>()
    };
    assert_eq!(told(1), told(3));
}

fn bench() -> Bench {
    Bench::new(Arc::new(search(&[], 1, Path::new("nowhere")))).unwrap()
}

fn all(depth: u32) -> Exhaustive {
    let bench = bench();
    let runtime = bench.describe().unwrap();
    let world = world(&bench.config().profile, &runtime, &kinds(&runtime));
    Exhaustive::new(world, depth)
}

fn sessions(depth: u32) -> Vec<Session> {
    let all = all(depth);
    (0..all.count()).map(|number| all.session(number, 7).unwrap()).collect()
}

fn key(steps: &[Step]) -> String {
    serde_json::to_string(steps).unwrap()
}

/// The same steps, with the two tools that are alike in each other's place.
fn renamed(steps: &[Step]) -> Vec<Step> {
    let text = key(steps)
        .replace("acme_weather", "\u{1}")
        .replace("acme_tickets", "acme_weather")
        .replace('\u{1}', "acme_tickets");
    serde_json::from_str(&text).unwrap()
}

/// All that is there to be judged in a trace: what was asked, answered, called and written down.
fn visible(trace: &Trace) -> Vec<String> {
    let seeded = trace.session.seeded_rows(&trace.runtime.dialect);
    let mut rows = serde_json::json!(seeded);
    let mut visible = Vec::new();
    for entry in &trace.log {
        match &entry.seen {
            Seen::Requested(request) => {
                visible.push(format!("{} {} {}", entry.session, request.path, request.body));
            }
            Seen::HostCalled { call, answer } => visible.push(format!("{call:?} {answer:?}")),
            Seen::PromptEnded(end) => visible.push(format!("{end:?}")),
            Seen::Failed { operation, error } => visible.push(format!("{operation}: {error}")),
            Seen::Transcript { rows: now } => {
                let now = serde_json::json!(now);
                if now != rows {
                    visible.push(now.to_string());
                    rows = now;
                }
            }
            _ => {}
        }
    }
    visible
}

/// What the search leaves out, held against what it plays.
struct Proof {
    bench: Bench,
    like: Session,
    played: BTreeSet<String>,
    seen: BTreeMap<String, Vec<String>>,
}

impl Proof {
    fn visible(&mut self, steps: &[Step]) -> Vec<String> {
        if let Some(seen) = self.seen.get(&key(steps)) {
            return seen.clone();
        }
        let session = Session { steps: steps.to_vec(), ..self.like.clone() };
        let trace = self.bench.block_on(self.bench.theatre().play(&session)).unwrap();
        let seen = visible(&trace);
        if steps.len() < 2 {
            self.seen.insert(key(steps), seen.clone());
        }
        seen
    }

    /// Whether a session is played, perhaps under other names or without a step that shows nothing.
    fn covers(&mut self, steps: &[Step]) -> bool {
        if steps.is_empty() || self.played.contains(&key(steps)) {
            return true;
        }
        if self.played.contains(&key(&renamed(steps))) {
            return true;
        }
        let seen = self.visible(steps);
        (0..steps.len()).rev().any(|at| {
            let mut shorter = steps.to_vec();
            shorter.remove(at);
            self.visible(&shorter) == seen && self.covers(&shorter)
        })
    }
}

#[test]
fn a_session_that_is_left_out_shows_what_another_shows_that_is_played() {
    let sessions = sessions(3);
    let mut letters: Vec<Step> = Vec::new();
    for step in sessions.iter().flat_map(|session| &session.steps) {
        for step in [step.clone(), renamed(std::slice::from_ref(step)).remove(0)] {
            if !letters.contains(&step) {
                letters.push(step);
            }
        }
    }
    assert!(letters.len() > 60, "{}", letters.len());
    let mut proof = Proof {
        bench: bench(),
        like: sessions[0].clone(),
        played: sessions.iter().map(|session| key(&session.steps)).collect(),
        seen: BTreeMap::new(),
    };
    let mut left_out = 0;
    for first in &letters {
        assert!(proof.covers(std::slice::from_ref(first)), "{first:?}");
        for second in &letters {
            let steps = [first.clone(), second.clone()];
            left_out += usize::from(!proof.played.contains(&key(&steps)));
            assert!(proof.covers(&steps), "{steps:?}");
        }
    }
    // Every so many of the sessions of three steps, by a number that has no factor in common with
    // the number of letters.
    let count = letters.len();
    for number in (0..count.pow(3)).step_by(211) {
        let places = [number / count / count, number / count % count, number % count];
        let steps = places.map(|place| letters[place].clone());
        assert!(proof.covers(&steps), "{steps:?}");
    }
    assert!(left_out > 4_000, "{left_out}");
}
