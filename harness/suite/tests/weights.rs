//! What a breach comes to, by the level of its clause: a warning, or a reading and nothing more.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod support;

use support::{Ran, config, ran, reference};
use tacit_contract::event::PropertyResult;
use tacit_contract::{Event, Revision, Verdict};
use tacit_suite::{Config, Exit};

fn of(fault: &str, clause: &str, corpus: &tempfile::TempDir) -> Config {
    let subject = reference(Revision::R3, &[fault]);
    let mut config = config(subject, "nib-r3", 32, corpus.path());
    config.fail_fast = true;
    config.clauses = vec![clause.into()];
    config
}

fn properties(ran: &Ran) -> impl Iterator<Item = &PropertyResult> {
    ran.events.iter().filter_map(|event| match event {
        Event::PropertyFinished(result) => Some(result),
        _ => None,
    })
}

#[test]
fn a_warning_fails_a_run_that_is_strict_and_no_other() {
    let corpus = tempfile::tempdir().unwrap();
    let mut config = of("random-order", "order.stable", &corpus);
    let warned = ran(config.clone());
    assert_eq!(warned.exit, Exit::Conforms, "{}", warned.failures());
    assert!(warned.with(Verdict::Warn).contains("order.stable"), "{}", warned.failures());
    assert!(warned.counterexample("order.stable").is_some());
    assert!(properties(&warned).all(|property| property.verdict != Verdict::Fail));
    config.strict = true;
    assert_eq!(ran(config).exit, Exit::DoesNotConform);
}

#[test]
fn what_is_only_measured_is_hunted_where_that_is_asked_for() {
    let corpus = tempfile::tempdir().unwrap();
    let mut config = of("insert-not-append", "cache.order", &corpus);
    // Nothing ends this run before its time: a few cases say enough.
    let measured = ran(Config { cases: 4, ..config.clone() });
    assert!(measured.with(Verdict::Pass).contains("cache.order"), "{}", measured.failures());
    let readings = measured.clauses().filter_map(|clause| clause.reading.as_deref());
    assert!(readings.collect::<String>().contains("moved ("));
    assert!(measured.counterexample("cache.order").is_none());
    config.info = true;
    let hunted = ran(config);
    assert!(hunted.with(Verdict::Warn).contains("cache.order"), "{}", hunted.failures());
    assert_eq!(hunted.counterexample("cache.order").map(|found| found.steps), Some(2));
}
