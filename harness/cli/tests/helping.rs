//! The help texts, as they are read.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::Place;

#[test]
fn the_help_of_each_command_is_frozen() {
    let place = Place::new();
    let mut text = String::new();
    let commands = [
        "",
        "run",
        "smoke",
        "compare",
        "replay",
        "report",
        "check",
        "diff",
        "selftest",
        "list",
        "explain",
        "schema",
        "completions",
        "man",
        "serve-reference",
    ];
    for command in commands {
        let arguments: Vec<&str> =
            [command, "--help"].into_iter().filter(|a| !a.is_empty()).collect();
        let done = place.tacit(&arguments);
        assert_eq!(done.code, 0, "{}", done.err);
        text.push_str(&["$ tacit ", &arguments.join(" "), "\n", &done.out, "\n"].concat());
    }
    let lines = text.lines().map(str::trim_end);
    assert!(lines.clone().all(|line| line.chars().count() <= 80), "{text}");
    let help = lines.collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(help);
}

#[test]
fn without_a_command_the_help_is_shown_as_a_usage_error() {
    let done = Place::new().tacit(&[]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("Usage: tacit"), "{}", done.err);
}

#[test]
fn the_version_is_one_line() {
    let done = Place::new().tacit(&["--version"]);
    assert_eq!((done.code, done.out.as_str()), (0, "tacit 0.1.0\n"));
}

#[test]
fn every_shell_gets_completions_that_know_the_commands_and_their_flags() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let done = Place::new().tacit(&["completions", shell]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{shell}");
        for word in ["selftest", "revisions", "allow-unexercised"] {
            assert!(done.out.contains(word), "{shell} does not know {word}");
        }
    }
    let done = Place::new().tacit(&["completions", "sh"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
}

#[test]
fn there_is_a_manual_page_for_tacit_and_for_each_command() {
    let place = Place::new();
    let page = place.tacit(&["man"]);
    assert_eq!((page.code, page.err.as_str()), (0, ""));
    assert!(page.out.contains(".TH tacit 1"), "{}", page.out);
    let page = place.tacit(&["man", "run"]);
    assert!(page.out.contains(".TH tacit-run 1"), "{}", page.out);
    assert!(page.out.contains("allow\\-unexercised"), "{}", page.out);
    let done = place.tacit(&["man", "rum"]);
    assert_eq!(done.code, 2, "{}", done.out);
    assert!(done.err.contains("there is no command `rum`"), "{}", done.err);
    assert!(done.err.contains("`run`"), "{}", done.err);
}
