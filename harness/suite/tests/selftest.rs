//! The selftest stops when it is told to, and what it has done by then is in the matrix.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

use tacit_reference::faults::{Fault, find};
use tacit_suite::Exit;
use tacit_suite::selftest::{Only, Settings, exit, selftest};

fn settings(keys: &[&str]) -> Settings {
    let faults: Vec<&'static Fault> = keys.iter().map(|key| find(key).unwrap()).collect();
    Settings {
        faults,
        variants: Vec::new(),
        all: false,
        cases: 8,
        seed: 7,
        jobs: NonZeroUsize::MIN,
        only: Only::Scenarios,
    }
}

#[test]
fn what_was_tried_before_the_user_stopped_it_is_told() {
    let stop = AtomicBool::new(false);
    let matrix = selftest(&settings(&["no-cap", "inactive-tool-executes"]), &stop, &mut |_| {
        stop.store(true, Ordering::Relaxed);
    });
    let matrix = matrix.unwrap();
    assert!(matrix.interrupted);
    assert_eq!(exit(&matrix), Exit::Interrupted);
    assert_eq!(matrix.faults.first().map(|fault| fault.key.as_str()), Some("no-cap"));
    // The second one may have been on its way to its end already.
    assert!(matrix.faults.iter().all(|fault| fault.killed));
}

#[test]
fn one_that_is_stopped_before_it_begins_has_nothing_to_tell() {
    let stop = AtomicBool::new(true);
    let matrix = selftest(&settings(&["no-cap"]), &stop, &mut |_| {}).unwrap();
    assert_eq!((matrix.faults.len(), exit(&matrix)), (0, Exit::Interrupted));
}
