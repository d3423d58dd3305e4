use tacit_contract::event::ClauseResult;
use tacit_contract::{Event, Verdict};

use super::*;
use crate::samples;
use crate::terminal::{Options, diff};

fn run(events: &[Event]) -> Run {
    Run::of(events).unwrap()
}

/// A passing run in which one clause came out otherwise.
fn with(id: &str, change: impl FnOnce(&mut ClauseResult)) -> Run {
    let mut run = run(&samples::passing());
    change(run.clauses.iter_mut().find(|clause| clause.id.as_str() == id).unwrap());
    run
}

fn verdict(id: &str, verdict: Verdict) -> Run {
    with(id, |clause| clause.verdict = verdict)
}

fn only(old: &Run, new: &Run) -> (Change, bool) {
    let diff = Diff::of(old, new, false);
    let [one] = &diff.clauses[..] else { panic!("{:?}", diff.clauses) };
    (one.change, diff.worse)
}

#[test]
fn a_run_does_not_differ_from_itself() {
    for events in samples::all() {
        let run = run(&events);
        let diff = Diff::of(&run, &run, true);
        assert_eq!((diff.clauses, diff.scenarios, diff.properties), (vec![], vec![], vec![]));
        assert!(!diff.worse);
    }
}

#[test]
fn what_is_broken_now_and_was_not_is_worse_and_the_way_back_is_fixed() {
    let id = "search.at-most-four";
    for broken in [Verdict::Fail, Verdict::Error] {
        for before in [Verdict::Pass, Verdict::NotExercised, Verdict::ExpectedFailure] {
            let (old, new) = (verdict(id, before), verdict(id, broken));
            assert_eq!(only(&old, &new), (Change::NewFailure, true));
        }
        let (old, new) = (verdict(id, broken), verdict(id, Verdict::Pass));
        assert_eq!(only(&old, &new), (Change::Fixed, false));
    }
}

#[test]
fn a_new_warning_is_worse_for_those_who_are_strict() {
    let (old, new) = (run(&samples::passing()), verdict("search.decorated", Verdict::Warn));
    assert_eq!(only(&old, &new), (Change::NewFailure, false));
    assert!(Diff::of(&old, &new, true).worse);
}

#[test]
fn a_clause_that_lost_its_cases_is_worse_unless_the_run_was_narrowed() {
    let (old, mut new) =
        (run(&samples::passing()), verdict("search.at-most-four", Verdict::NotExercised));
    assert_eq!(only(&old, &new), (Change::NoLongerExercised, true));
    assert_eq!(only(&new, &old), (Change::NewlyExercised, false));
    new.finished.narrowed = true;
    assert_eq!(only(&old, &new), (Change::NoLongerExercised, false));
}

#[test]
fn a_failure_that_is_expected_now_is_told_and_is_no_worse() {
    let (old, new) =
        (run(&samples::passing()), verdict("search.at-most-four", Verdict::ExpectedFailure));
    assert_eq!(only(&old, &new), (Change::NowExpected, false));
}

#[test]
fn what_one_of_two_revisions_does_not_ask_for_is_judged_newly_or_no_longer() {
    let (old, new) =
        (verdict("search.at-most-four", Verdict::NotApplicable), run(&samples::passing()));
    assert_eq!(only(&old, &new), (Change::NewlyJudged, false));
    assert_eq!(only(&new, &old), (Change::NoLongerJudged, false));
}

#[test]
fn another_reading_is_told_with_both() {
    let reads =
        |text: &str| with("search.at-most-four", |clause| clause.reading = Some(text.to_owned()));
    let diff = Diff::of(&reads("the first four"), &reads("the best four"), true);
    let one = &diff.clauses[0];
    assert_eq!(one.change, Change::ChangedReading);
    assert_eq!(one.read.as_deref(), Some("the first four"));
    assert_eq!(one.reads.as_deref(), Some("the best four"));
    assert!(!diff.worse);
}

#[test]
fn a_runtime_that_no_longer_starts_is_worse() {
    assert!(Diff::of(&run(&samples::failing()), &run(&samples::not_started()), false).worse);
    assert!(!Diff::of(&run(&samples::not_started()), &run(&samples::passing()), false).worse);
}

#[test]
fn a_check_that_is_new_or_gone_is_told_apart_from_one_that_fails() {
    let old = run(&samples::passing());
    let mut new = old.clone();
    let gone = new.scenarios.remove(0);
    new.properties[0].verdict = Verdict::Fail;
    let diff = Diff::of(&old, &new, false);
    let [scenario] = &diff.scenarios[..] else { panic!("{:?}", diff.scenarios) };
    assert!(scenario.name.ends_with(&gone.name));
    assert_eq!((scenario.was, scenario.is), (Some(gone.verdict), None));
    let [property] = &diff.properties[..] else { panic!("{:?}", diff.properties) };
    assert_eq!((property.was, property.is), (Some(Verdict::Pass), Some(Verdict::Fail)));
}

#[test]
fn the_differences_are_printed_the_worst_first() {
    let (passing, failing) = (run(&samples::passing()), run(&samples::failing()));
    for (name, old, new) in [("worse", &passing, &failing), ("better", &failing, &passing)] {
        let text = diff::render(&Diff::of(old, new, false), &Options::default());
        insta::assert_snapshot!(name, text);
    }
}
