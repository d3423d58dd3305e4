//! Baselines, from the outside: what is known to be broken fails no build, and what is new does.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::{Done, Place};
use serde_json::Value;

const BROKEN: &str = "reference+no-restore-on-prompt";

/// A place in which a baseline lists that a search is not restored, as it is in [`BROKEN`].
fn listed() -> Place {
    let place = Place::new();
    let done = run(&place, BROKEN, &["--update-baseline"]);
    assert_eq!(done.code, 1, "an update lets the run end as it would: {}", done.out);
    let says = "baseline: known.toml: added restore.search-evidence: say why in `reason`\n";
    assert_eq!(done.err, says);
    place
}

/// A brief run about one clause.
fn run(place: &Place, runtime: &str, more: &[&str]) -> Done {
    let brief = ["run", "--runtime", runtime, "--cases", "0", "--seed", "7", "--jobs", "1"];
    let clause = ["--clause", "restore.search-evidence", "--baseline", "known.toml"];
    place.tacit(&[&brief[..], &clause[..], more].concat())
}

/// The entry of [`listed`], with a change.
fn changed(place: &Place, from: &str, to: &str) {
    let text = place.read("known.toml");
    assert!(text.contains(from), "{text}");
    place.write("known.toml", &text.replacen(from, to, 1));
}

fn last(done: &Done) -> &str {
    done.out.lines().last().unwrap_or_default()
}

#[test]
fn what_fails_and_is_listed_is_expected() {
    let place = listed();
    changed(&place, "TODO: say why this is expected", "known since 2.60");
    let done = run(&place, BROKEN, &["--report", "json=r.json", "--report", "junit=r.xml"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("BASELINE  known.toml: 1 expected\n"), "{}", done.out);
    assert!(last(&done).starts_with("conforms to 0 of 1"), "{}", done.out);
    assert!(last(&done).contains(", 1 expected failure ·"), "{}", done.out);
    let report = place.json("r.json");
    assert_eq!(report["clauses"][0]["verdict"], "expectedFailure");
    assert_eq!(report["clauses"][0]["reason"], "expected by the baseline: known since 2.60");
    assert_eq!(report["baseline"]["regressed"], false);
    let entry = &report["baseline"]["entries"][0];
    assert_eq!((&entry["standing"], &entry["line"]), (&"expected".into(), &3.into()));
    let scenarios = report["scenarios"].as_array().unwrap();
    assert!(scenarios.iter().any(|one| one["verdict"] == "expectedFailure"), "{scenarios:?}");
    assert!(scenarios.iter().all(|one| one["verdict"] != "fail"), "{scenarios:?}");
    let junit = place.read("r.xml");
    assert!(!junit.contains("<failure") && !junit.contains("<error"), "{junit}");
    let schema: Value = serde_json::from_str(&place.tacit(&["schema", "report"]).out).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&report));
}

#[test]
fn what_fails_and_is_not_listed_is_a_regression() {
    let place = listed();
    place.write("known.toml", "");
    let done = run(&place, BROKEN, &["--report", "json=r.json"]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(last(&done).starts_with("does not conform:"), "{}", done.out);
    assert_eq!(place.json("r.json")["baseline"]["regressed"], true);
}

#[test]
fn what_passes_and_is_listed_is_stale_once_its_counterexample_passes() {
    let place = listed();
    let done = run(&place, "reference", &[]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(done.out.contains("stale, its counterexample passes now"), "{}", done.out);
    assert!(last(&done).starts_with("the baseline is out of date: 1 of 1"), "{}", done.out);
    let done = run(&place, "reference", &["--update-baseline"]);
    assert_eq!(done.err, "baseline: known.toml: removed restore.search-evidence\n");
    assert_eq!(run(&place, "reference", &[]).code, 0);
}

#[test]
fn what_passes_and_is_not_listed_is_fine() {
    let place = Place::new();
    place.write("known.toml", "# Nothing is known.\n");
    let done = run(&place, "reference", &["--update-baseline"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert_eq!(done.err, "baseline: known.toml: nothing to change\n");
    assert_eq!(place.read("known.toml"), "# Nothing is known.\n");
}

#[test]
fn an_entry_after_its_last_day_expects_nothing_any_more() {
    let place = listed();
    changed(&place, "counterexample", "until = 2020-02-29\ncounterexample");
    let done = run(&place, BROKEN, &[]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(done.out.contains("FAIL  restore.search-evidence"), "{}", done.out);
    assert!(done.out.contains("expired, it was to last until 2020-02-29"), "{}", done.out);
    let before = place.read("known.toml");
    assert_eq!(run(&place, BROKEN, &["--update-baseline"]).code, 1);
    assert_eq!(place.read("known.toml"), before, "an update gives no more time");
    changed(&place, "2020-02-29", "\"9999-12-31\"");
    assert_eq!(run(&place, BROKEN, &[]).code, 0);
}

#[test]
fn an_entry_of_another_revision_is_not_applied_and_that_is_said() {
    let place = listed();
    changed(&place, "counterexample", "revision = \"r2\"\ncounterexample");
    let done = run(&place, BROKEN, &[]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(done.out.contains("of another revision, r2, where"), "{}", done.out);
    let done = run(&place, BROKEN, &["--update-baseline"]);
    assert!(done.err.contains("added restore.search-evidence"), "{}", done.err);
    assert!(place.read("known.toml").contains("revision = \"r3\""));
    assert_eq!(run(&place, BROKEN, &[]).code, 0);
}

#[test]
fn an_entry_of_one_api_expects_nothing_over_another() {
    let place = listed();
    changed(&place, "counterexample", "api = \"openai-chat\"\ncounterexample");
    let done = run(&place, BROKEN, &["--api", "openai-chat"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let done = run(&place, BROKEN, &["--api", "anthropic-messages"]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(done.out.contains("over openai-chat: not judged"), "{}", done.out);
    let done = run(&place, BROKEN, &[]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(done.out.contains("FAIL  restore.search-evidence"), "{}", done.out);
}

#[test]
fn an_entry_that_a_filter_leaves_out_is_not_judged() {
    let place = listed();
    let other = ["run", "--runtime", "reference", "--cases", "0", "--clause", "initial.core"];
    let done = place.tacit(&[&other[..], &["--baseline", "known.toml"]].concat());
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("BASELINE  known.toml: 1 not judged"), "{}", done.out);
}

#[test]
fn an_update_keeps_what_people_wrote() {
    let place = listed();
    let entry = place.read("known.toml").split_once("[[expect]]").unwrap().1.to_owned();
    place.write(
        "known.toml",
        &format!(
            "# Ask before you add to it.\n\n# Mended, we hope.\n[[expect]]{entry}\
             # The last word.\n"
        ),
    );
    let done = run(&place, "reference", &["--update-baseline"]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert_eq!(place.read("known.toml"), "# Ask before you add to it.\n\n# The last word.\n");
    run(&place, BROKEN, &["--update-baseline"]);
    insta::assert_snapshot!(place.read("known.toml"));
}

#[test]
fn a_baseline_that_cannot_be_used_is_shown_at_its_place() {
    let place = listed();
    let entry = place.read("known.toml").split_once("\n\n").unwrap().1.to_owned();
    let mut shown = String::new();
    let mut show = |text: &str| {
        place.write("known.toml", text);
        let done = run(&place, "reference", &[]);
        assert!(done.code == 2 && done.out.is_empty(), "{}", done.out);
        shown.push_str(&done.err);
        shown.push('\n');
    };
    for (from, to) in [
        ("clause =", "claus ="),
        ("restore.search-evidence", "restore.serch-evidence"),
        ("restore.search-evidence", "cost.first-request"),
        ("restore.search-evidence", "initial.core"),
        ("reason = \"TODO: say why this is expected\"", "reason = \" \""),
        ("counterexample", "api = \"openai-chats\"\ncounterexample"),
        ("counterexample", "api = \"anthropic-messages\"\ncounterexample"),
        ("counterexample", "revision = \"r4\"\ncounterexample"),
        ("counterexample", "until = \"next week\"\ncounterexample"),
        ("counterexample", "until = \"2027-02-30\"\ncounterexample"),
        ("counterexample", "until = 2027-02-01T12:00:00\ncounterexample"),
        ("-1.json", "-2.json"),
        ("counterexample = ", "# counterexample = "),
        ("[[expect]]", "[expect]"),
        ("reason = \"", "reason = "),
    ] {
        show(&entry.replacen(from, to, 1));
    }
    show(&format!("{entry}\n{entry}"));
    insta::assert_snapshot!(shown);
}

#[test]
fn a_baseline_is_updated_only_where_one_is_named_and_the_run_is_whole() {
    let place = Place::new();
    for (arguments, says) in [
        (&["run", "--update-baseline"][..], "say which with `--baseline FILE`"),
        (&["run", "--baseline", "x.toml", "--update-baseline", "--shard", "1/2"], "--shard"),
        (&["run", "--baseline", "x.toml"], "`--update-baseline` begins one"),
    ] {
        let done = place.tacit(arguments);
        assert_eq!(done.code, 2, "{}{}", done.out, done.err);
        assert!(done.err.contains(says), "{}", done.err);
    }
    assert!(!place.path("x.toml").exists());
}

#[test]
fn a_baseline_that_cannot_be_written_is_known_before_the_run() {
    let place = Place::new();
    place.write("plain", "");
    let arguments = ["--baseline", "plain/known.toml", "--update-baseline"];
    let done =
        place.tacit(&[&["run", "--runtime", "reference", "--cases", "0"], &arguments[..]].concat());
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
    assert!(done.err.contains("plain"), "{}", done.err);
}
