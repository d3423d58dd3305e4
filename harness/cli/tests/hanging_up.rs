//! A terminal that is closed, and signals that come together: the run ends once, with its report, and
//! not behind `nohup`.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]
#![cfg(unix)]

mod common;

use std::process::{Command, Output, Stdio};

use common::Place;

/// Hangs up on a command that takes the signal in this way, whatever these tests began with.
fn hung_up(place: &Place, way: &str, arguments: &[&str]) -> Output {
    signalled(place, &["HUP"], way, arguments)
}

/// Sends signals to a command as soon as its runtime runs, which answers nothing.
fn signalled(place: &Place, signals: &[&str], way: &str, arguments: &[&str]) -> Output {
    let door = place.path("door").display().to_string();
    assert!(Command::new("mkfifo").arg(&door).status().unwrap().success());
    let spec = format!("stdio:sh -c 'echo here > {door}; read never; sleep 3600' {door}");
    let tacit = place.command(&[arguments, &["--runtime", &spec]].concat());
    let mut python = Command::new("python3");
    let begin = "import os, signal, sys; signal.signal(signal.SIGHUP, getattr(signal, sys.argv[1])); \
                 os.execv(sys.argv[2], sys.argv[2:])";
    python.args(["-c", begin, way]).arg(tacit.get_program()).args(tacit.get_args());
    python.current_dir(place.folder()).stdin(Stdio::null());
    let child = python.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Reading waits for the one who writes.
    assert_eq!(std::fs::read_to_string(&door).unwrap(), "here\n");
    for signal in signals {
        let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }
    let output = child.wait_with_output().unwrap();
    common::assert_nothing_runs(&door);
    output
}

#[test]
fn a_runtime_that_hangs_does_not_outlive_the_terminal() {
    let place = Place::new();
    let output = hung_up(&place, "SIG_DFL", &["smoke", "--start-timeout", "1h"]);
    assert_eq!(output.status.code(), Some(130), "{output:?}");
}

/// The report of a run that signals interrupt.
fn interrupted_by(signals: &[&str]) -> String {
    let place = Place::new();
    let report = ["run", "--start-timeout", "2s", "--report", "junit=r.xml"];
    let output = signalled(&place, signals, "SIG_DFL", &report);
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let report = place.read("r.xml");
    assert!(report.contains("type=\"interrupted\""), "{report}");
    report
}

#[test]
fn a_run_that_was_hung_up_on_is_reported_as_interrupted() {
    let report = interrupted_by(&["HUP"]);
    assert!(report.contains("no answer to initialize within 2000 ms"), "{report}");
}

#[test]
fn a_run_behind_nohup_goes_on_to_its_end() {
    let place = Place::new();
    let output = hung_up(&place, "SIG_IGN", &["run", "--start-timeout", "2s"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}

#[test]
fn a_signal_to_a_process_and_one_to_its_group_right_after_ask_for_one_thing() {
    interrupted_by(&["TERM", "INT"]);
}
