//! `tacit compare`, from the command line.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::{Done, Place, assert_fits};
use serde_json::Value;

fn compare(place: &Place, arguments: &[&str]) -> Done {
    let usual = ["compare", "--seed", "7", "--cases", "1", "--api", "openai-chat"];
    place.tacit_to_its_end(&[&usual[..], &common::PATIENT, arguments].concat())
}

fn json(place: &Place, arguments: &[&str]) -> (Value, i32) {
    let done = compare(place, &[arguments, &["--format", "json"]].concat());
    (serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{done:?}")), done.code)
}

/// From a line on that begins so.
fn from<'a>(text: &'a str, beginning: &str) -> &'a str {
    let at = text.find(beginning).unwrap_or_else(|| panic!("no {beginning:?} in {text}"));
    &text[at..]
}

#[test]
fn a_table_says_what_differs_and_the_smallest_session_shows_it() {
    let place = Place::new();
    let clause = "search.at-most-four";
    let done = compare(&place, &["reference", "reference+no-cap", "--clause", clause]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(done.out.lines().all(|line| line.chars().count() <= 80), "{}", done.out);
    insta::assert_snapshot!(done.out);
    let kept = ".tacit/corpus/search-at-most-four-1";
    for ending in ["json", "feature"] {
        let file = format!("{kept}.{ending}");
        let replayed = place.tacit(&["replay", "--runtime", "reference+no-cap", &file]);
        assert_eq!(replayed.code, 1, "{}{}", replayed.out, replayed.err);
        let sound = place.tacit(&["replay", "--runtime", "reference", &file]);
        assert_eq!(sound.code, 0, "{}{}", sound.out, sound.err);
    }
}

#[test]
fn the_reference_behind_the_protocol_is_no_other_than_in_process() {
    let place = Place::new();
    let both = ["reference", "stdio:tacit serve-reference"];
    let done = compare(&place, &[&both[..], &["--clause", "search.exact"]].concat());
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("no difference in "), "{}", done.out);
    assert!(!done.out.contains('≠'), "{}", done.out);
}

#[test]
fn four_runtimes_fit_on_a_page_and_none_is_played_against_another() {
    let place = Place::new();
    let four = ["reference", "reference@r1", "reference@r2", "reference+no-cap"];
    let done = compare(&place, &[&four[..], &["--clause", "initial.core"]].concat());
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(done.out.lines().all(|line| line.chars().count() <= 80), "{}", done.out);
    insta::assert_snapshot!(from(&done.out, "                "));
}

#[test]
fn a_comparison_fits_its_schema() {
    let place = Place::new();
    let schema = place.tacit(&["schema", "comparison"]);
    let schema: Value = serde_json::from_str(&schema.out).unwrap();
    let (two, code) = json(&place, &["reference@r1", "reference@r2", "--clause", "initial.core"]);
    assert_fits(&schema, &two);
    assert_eq!((code, &two["exitCode"]), (1, &Value::from(1)));
    let found = &two["difference"]["found"];
    assert_eq!((&found["aspect"], &found["steps"]), (&"shown".into(), &2.into()), "{found}");
    let three = ["reference", "reference", "reference", "--clause", "initial.core"];
    let (three, code) = json(&place, &three);
    assert_fits(&schema, &three);
    assert_eq!((code, &three["difference"]), (0, &Value::Null));
    assert_eq!(three["runtimes"].as_array().unwrap().len(), 3);
}

#[test]
fn each_runtime_of_a_project_is_held_to_its_own_profile() {
    let place = Place::new();
    place.write(
        "tacit.toml",
        "[runtimes.first]\ncommand = [\"tacit\", \"serve-reference\", \"--revision\", \"r1\"]\n\
         profile = \"nib-r1\"\n\
         [runtimes.second]\ncommand = [\"tacit\", \"serve-reference\", \"--revision\", \"r2\"]\n\
         profile = \"nib-r2\"\n",
    );
    let (both, code) = json(&place, &["first", "second", "--clause", "initial.core"]);
    assert_eq!(code, 0, "{both}");
    let profiles = both["runtimes"].as_array().unwrap().iter().map(|one| &one["profile"]);
    assert_eq!(profiles.collect::<Vec<_>>(), ["nib-r1", "nib-r2"]);
    let found = &both["difference"]["found"];
    assert_eq!(found["steps"], 2, "{found}");
    assert_eq!(found["feature"], Value::Null);
    assert!(place.path(found["data"].as_str().unwrap()).is_file());
}

#[test]
fn what_cannot_be_compared_says_which_of_them_it_is() {
    let place = Place::new();
    let chat = "tacit.toml";
    place.write(chat, "[runtimes.gone]\ncommand = [\"./gone\"]\nprofile = \"nib-r9\"\n");
    let mut shown: Vec<String> = Vec::new();
    for (arguments, code) in [
        (&["compare", "reference"][..], 2),
        (&["compare", "reference", "refrence"], 2),
        (&["compare", "reference", "reference@r9"], 2),
        (&["compare", "reference", "gone"], 2),
        (&["compare", "reference", "gone", "--profile", "nib-r3"], 3),
        (&["compare", "stdio:no-such-program x", "reference"], 3),
        (&["compare", "reference", "reference", "--clause", "inital.core"], 2),
    ] {
        let done = place.tacit_to_its_end(arguments);
        assert_eq!(done.code, code, "{arguments:?}\n{}{}", done.out, done.err);
        assert!(done.out.is_empty(), "{}", done.out);
        shown.push(format!("$ tacit {}\n{}", arguments.join(" "), done.err));
    }
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn the_support_table_is_markdown_with_the_readings() {
    let place = Place::new();
    let two = ["reference", "reference@r1"];
    let clauses = ["--clause", "restore.restart", "--clause", "search.exact"];
    let done = compare(&place, &[&two[..], &clauses[..], &["--format", "markdown"]].concat());
    insta::assert_snapshot!(done.out);
}
