//! Clauses as tests: which are selected, and how each comes out.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

use libtest_mimic::{Arguments, Conclusion};
use tacit_contract::Revision;
use tacit_libtest::{Conformance, NoProfile};
use tacit_reference::{ReferenceOptions, ReferenceRuntime, Switches};

/// What `tacit init rust` writes.
#[allow(dead_code, clippy::expect_used, reason = "it is a program of its own, with a `main`")]
#[path = "../../adapters/starters/rust/tacit.rs"]
mod starter;

fn reference(profile: &str, faults: &[&str]) -> Result<Conformance, NoProfile> {
    let switches = Switches::parse(faults.iter().copied()).unwrap();
    let options = ReferenceOptions { revision: Revision::R3, switches };
    Ok(Conformance::new(profile, move || ReferenceRuntime::new(options))?.cases(1))
}

fn run(faults: &[&str], arguments: &[&str]) -> Conclusion {
    let corpus = tempfile::tempdir().unwrap();
    let usual = ["tests", "--quiet"];
    let arguments = Arguments::from_iter(usual.iter().chain(arguments));
    reference("nib-r3", faults).unwrap().corpus(corpus.path()).run(&arguments)
}

#[test]
fn one_clause_can_be_asked_for_and_is_kept() {
    let conclusion = run(&[], &["--exact", "search.at-most-four"]);
    assert_eq!((conclusion.num_passed, conclusion.num_failed), (1, 0), "{conclusion:?}");
    assert!(conclusion.num_filtered_out > 40, "{conclusion:?}");
}

#[test]
fn a_clause_that_is_broken_is_a_test_that_fails() {
    let conclusion = run(&["no-cap"], &["search.at-most-four", "--exact"]);
    assert_eq!((conclusion.num_passed, conclusion.num_failed), (0, 1), "{conclusion:?}");
}

#[test]
fn a_listing_runs_nothing() {
    let conclusion = run(&["no-cap"], &["--list", "search."]);
    assert_eq!((conclusion.num_passed, conclusion.num_failed), (0, 0), "{conclusion:?}");
}

#[test]
fn a_profile_that_cannot_be_used_is_told_with_its_place() {
    let unread = reference("no-such-profile.toml", &[]).unwrap_err().to_string();
    assert!(unread.contains("not built in, and no file that can be read"), "{unread}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, "id = \"mine\"\ntitel = \"Mine\"\n").unwrap();
    let unfit = reference(path.to_str().unwrap(), &[]).unwrap_err().to_string();
    assert!(unfit.contains("mine.toml`, line 2: unknown field `titel`"), "{unfit}");
}

#[test]
fn the_starter_works_and_sends_every_tool() {
    let corpus = tempfile::tempdir().unwrap();
    let profile = concat!(env!("CARGO_MANIFEST_DIR"), "/../adapters/starters/my-agent.toml");
    let run = |clause| {
        let starter = Conformance::new(profile, starter::MyAgent::new).unwrap();
        let arguments = Arguments::from_iter(["tests", "--quiet", "--exact", clause]);
        let conclusion = starter.cases(1).corpus(corpus.path()).run(&arguments);
        (conclusion.num_passed, conclusion.num_failed)
    };
    assert_eq!(run("host.same-path"), (1, 0));
    assert_eq!(run("initial.minimal"), (0, 1));
}
