//! `tacit init`: a starter works as it stands, and does not conform for an honest reason.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::Place;

/// The commands that a starter's author is told to give.
fn works_and_fails_honestly(language: &str) {
    let place = Place::new();
    let done = place.tacit(&["init", language]);
    assert_eq!(done.code, 0, "{done:?}");
    insta::assert_snapshot!(language, done.out);
    let smoke = place.tacit(&["smoke", "--runtime", "my-agent", "--timeout", "2m"]);
    assert_eq!(smoke.code, 0, "{smoke:?}");
    let asks = ["--clause", "initial.minimal", "host.same-path", "--seed", "7", "--cases", "1"];
    let run = ["run", "--runtime", "my-agent", "--timeout", "2m", "--allow-unexercised"];
    let done = place.tacit_to_its_end(&[&run[..], &asks].concat());
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.out.contains("FAIL  initial.minimal"), "{}", done.out);
    assert!(done.out.contains("is shown in the first request"), "{}", done.out);
    assert!(!done.out.contains("FAIL  host"), "{}", done.out);
}

#[test]
fn the_starter_in_python_works_and_sends_every_tool() {
    works_and_fails_honestly("python");
}

#[test]
fn the_starter_for_node_works_and_sends_every_tool() {
    works_and_fails_honestly("node");
}

#[test]
fn the_starter_in_rust_is_a_test_of_the_crate() {
    let place = Place::new();
    let done = place.tacit(&["init", "rust"]);
    assert_eq!(done.code, 0, "{done:?}");
    insta::assert_snapshot!("rust", done.out);
    assert!(place.read("tests/tacit.rs").contains("tacit_libtest::main(\"my-agent.toml\""));
}

#[test]
fn what_is_there_is_never_written_over() {
    let place = Place::new();
    place.write("tacit.toml", "# mine\n");
    let done = place.tacit(&["init", "python"]);
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.err.contains("there is tacit.toml already: nothing was written"), "{done:?}");
    assert_eq!(place.read("tacit.toml"), "# mine\n");
    assert!(!place.path("tacit_adapter.py").exists());
}
