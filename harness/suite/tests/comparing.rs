//! How two runtimes differ is found, by the shortest session that there is.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use support::{config, reference};
use tacit_contract::protocol::Api;
use tacit_contract::{Profile, Revision};
use tacit_reference::{ReferenceOptions, ReferenceRuntime};
use tacit_suite::compare::candidates::Common;
use tacit_suite::compare::differ::Aspect;
use tacit_suite::compare::observe::Eyes;
use tacit_suite::compare::pair::Pair;
use tacit_suite::compare::seek::seek;
use tacit_suite::compare::{Found, Search, difference};
use tacit_suite::{Config, Subject};

/// Of each mix. The scenarios are tried first and find what is looked for here; where nothing
/// strong is found, all of these are played as well.
const CASES: u32 = 2;

/// Enough for generated sessions alone, at any seed that was tried.
const CASES_ALONE: u32 = 16;

fn configs(subjects: [Subject; 2], profiles: [&str; 2], folder: &std::path::Path) -> [Config; 2] {
    let mut place = 0;
    subjects.map(|subject| {
        let profile = profiles[place];
        place += 1;
        config(subject, profile, CASES, folder)
    })
}

fn between(subjects: [Subject; 2], profiles: [&str; 2]) -> Search {
    let corpus = tempfile::tempdir().unwrap();
    let configs = configs(subjects, profiles, corpus.path());
    difference(configs, &AtomicBool::new(false), &mut |_| ()).unwrap()
}

fn found(subjects: [Subject; 2]) -> Found {
    *between(subjects, ["nib-r3", "nib-r3"]).found.unwrap()
}

/// The faultless reference against one with a fault, or another that is correct.
fn against(fault: &str) -> Found {
    found([reference(Revision::R3, &[]), reference(Revision::R3, &[fault])])
}

#[test]
fn a_fault_is_told_from_none_by_the_shortest_session() {
    for (fault, aspect, steps, clause) in [
        ("no-cap", Aspect::Shown, 2, "search.at-most-four"),
        ("no-restore-on-prompt", Aspect::Shown, 2, "restore.use-evidence"),
        ("error-row-counts", Aspect::Shown, 2, "restore.ignores-failed"),
        ("schema-flood", Aspect::Shown, 1, "initial.minimal"),
        ("catalog-schemas", Aspect::Clauses, 1, "catalog.no-schema"),
    ] {
        let found = against(fault);
        assert_eq!((found.aspect, found.steps), (aspect, steps), "{fault}: {}", found.says);
        assert_eq!(found.reproduced, 3, "{fault}");
        let [sound, faulty] = &found.sides;
        assert!(sound.breaches.is_empty(), "{fault}: {:?}", sound.breaches);
        let broken: Vec<&str> = faulty.breaches.iter().map(|b| b.clause.as_str()).collect();
        assert!(broken.contains(&clause), "{fault}: {broken:?}");
    }
}

#[test]
fn a_correct_variant_is_told_from_the_reference_and_neither_is_blamed() {
    for (variant, aspect, steps) in [
        ("one-match-alone", Aspect::Shown, 2),
        ("catalog-leaves-active-out", Aspect::Catalog, 2),
        ("marker-empty", Aspect::Marker, 2),
    ] {
        let found = against(variant);
        assert_eq!((found.aspect, found.steps), (aspect, steps), "{variant}: {}", found.says);
        assert!(found.sides.iter().all(|side| side.breaches.is_empty()), "{:?}", found.sides);
        assert_eq!(found.reproduced, 3, "{variant}");
    }
}

#[test]
fn a_session_that_breaks_a_clause_is_kept_so_that_it_replays() {
    let corpus = tempfile::tempdir().unwrap();
    let subjects = [reference(Revision::R3, &[]), reference(Revision::R3, &["no-cap"])];
    let configs = configs(subjects, ["nib-r3", "nib-r3"], corpus.path());
    let faulty = configs[1].clone();
    let search = difference(configs, &AtomicBool::new(false), &mut |_| ()).unwrap();
    let found = search.found.unwrap();
    let files = [found.data.unwrap(), found.feature.unwrap()].map(std::path::PathBuf::from);
    let (replays, exit) = tacit_suite::replay::replay(faulty, &files).unwrap();
    assert_eq!(replays.len(), 2);
    assert_eq!(exit, tacit_suite::Exit::DoesNotConform, "{replays:?}");
}

#[test]
fn two_revisions_differ_in_what_a_prompt_brings_back() {
    let found = found([reference(Revision::R1, &[]), reference(Revision::R2, &[])]);
    assert_eq!((found.aspect, found.steps), (Aspect::Shown, 2), "{}", found.says);
    assert!(found.says.contains("only B shows"), "{}", found.says);
    assert_eq!((found.prompt, found.request), (1, 1));
}

#[test]
fn runtimes_that_keep_their_own_revisions_differ_without_a_breach_and_the_session_is_kept() {
    let corpus = tempfile::tempdir().unwrap();
    let subjects = || [reference(Revision::R1, &[]), reference(Revision::R2, &[])];
    let find = || {
        let configs = configs(subjects(), ["nib-r1", "nib-r2"], corpus.path());
        difference(configs, &AtomicBool::new(false), &mut |_| ()).unwrap()
    };
    let first = find().found.unwrap();
    assert!(first.sides.iter().all(|side| side.breaches.is_empty()), "{:?}", first.sides);
    assert_eq!((first.aspect, first.steps, first.feature), (Aspect::Shown, 2, None));
    assert!(std::path::Path::new(&first.data.unwrap()).is_file());
    let again = find();
    assert_eq!(again.found.unwrap().found_by, "corpus");
}

#[test]
fn core_tools_that_both_profiles_name_are_compared_by_name() {
    let subjects = [reference(Revision::R2, &[]), reference(Revision::R3, &[])];
    let found = between(subjects, ["nib-r2", "nib-r3"]).found.unwrap();
    assert_eq!((found.aspect, found.steps), (Aspect::Shown, 1));
    assert!(found.says.contains("only B shows Glob, Grep"), "{}", found.says);
}

#[test]
fn a_runtime_does_not_differ_from_itself() {
    let search =
        between([reference(Revision::R3, &[]), reference(Revision::R3, &[])], ["nib-r3", "nib-r3"]);
    assert!(search.found.is_none());
    assert!(search.sessions > 100, "{}", search.sessions);
}

#[test]
fn a_stopped_search_plays_nothing() {
    let corpus = tempfile::tempdir().unwrap();
    let subjects = [reference(Revision::R3, &[]), reference(Revision::R3, &["no-cap"])];
    let configs = configs(subjects, ["nib-r3", "nib-r3"], corpus.path());
    let search = difference(configs, &AtomicBool::new(true), &mut |_| ()).unwrap();
    assert_eq!(search.sessions, 0);
    assert!(search.found.is_none());
}

/// What generated sessions alone find, with so many workers: the session, and its smallest form.
fn generated(seed: u64, jobs: usize) -> (tacit_contract::Case, tacit_contract::Case) {
    let corpus = tempfile::tempdir().unwrap();
    let subjects = [reference(Revision::R3, &[]), reference(Revision::R3, &["no-cap"])];
    let configs = configs(subjects, ["nib-r3", "nib-r3"], corpus.path())
        .map(|config| Arc::new(Config { jobs, ..config }));
    let runtime = ReferenceRuntime::new(ReferenceOptions::faultless(Revision::R3));
    let runtime = tacit_contract::runtime::Runtime::describe(&runtime).clone();
    let profile = Profile::named("nib-r3").unwrap();
    let common = Common::of([&profile, &profile], [&runtime, &runtime]);
    let eyes = || Eyes::new(&profile, &runtime, &profile, &[]);
    let stop = AtomicBool::new(false);
    let [one, other] = &configs;
    let mut pair = Pair::new([one, other], [eyes(), eyes()], &common, &stop);
    let (candidate, difference) =
        seek(&mut pair, &[], &common, (seed, CASES_ALONE), &mut |_| ()).unwrap().unwrap();
    let smallest = pair.smallest(&candidate, difference.aspect).unwrap().unwrap();
    (candidate.case, smallest.case)
}

#[test]
fn generated_sessions_find_it_as_well_whatever_the_seed_and_the_number_of_workers() {
    for seed in [1, 7] {
        let (_, smallest) = generated(seed, 2);
        assert_eq!(smallest.session.length(), 2, "seed {seed}: {smallest:?}");
    }
    assert_eq!(generated(7, 1), generated(7, 4));
}

#[test]
fn without_a_common_api_nothing_is_played_side_by_side() {
    let corpus = tempfile::tempdir().unwrap();
    let subjects = [reference(Revision::R3, &[]), reference(Revision::R3, &[])];
    let mut configs = configs(subjects, ["nib-r3", "nib-r3"], corpus.path());
    configs[0].apis = vec![Api::OpenaiChat];
    configs[1].apis = vec![Api::AnthropicMessages];
    let search = difference(configs, &AtomicBool::new(false), &mut |_| ()).unwrap();
    assert_eq!(search.sessions, 0);
    assert!(search.impossible.unwrap().contains("no provider API is common"));
}
