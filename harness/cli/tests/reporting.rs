//! `tacit report`, and what a run writes under GitHub Actions.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::Place;
use serde_json::Value;

/// A short run that fails.
const FAILING: [&str; 10] = [
    "run",
    "--runtime",
    "reference+no-cap",
    "--clause",
    "search.at-most-four",
    "--cases",
    "2",
    "--seed",
    "1",
    "--report",
];

/// A text without what the clock says.
fn without_times(text: &str) -> Vec<String> {
    let timed = |line: &&str| line.contains("\"durationMs\"") || line.contains("\"startedAt\"");
    text.lines().filter(|line| !timed(line)).map(str::to_owned).collect()
}

#[test]
fn the_shards_of_a_run_are_put_together_to_its_report_and_end_as_it_does() {
    let run = |more: &[&str]| {
        let place = Place::new();
        let done = place.tacit(&[&FAILING[..], &["json=run.json"], more].concat());
        (done, place.read("run.json"), place)
    };
    let (whole, report, _) = run(&[]);
    assert_eq!(whole.code, 1, "{}{}", whole.out, whole.err);
    let place = Place::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let record = format!("ndjson={}", place.path(&shard[..1]).display());
        let (done, part, _) = run(&["--shard", shard, "--report", &record]);
        assert!(done.out.contains(&format!(" · shard {shard}\n")), "{}", done.out);
        place.write(&format!("{}.json", &shard[..1]), &part);
    }
    let of_reports = place.tacit(&["report", "3.json", "1.json", "2.json", "--to", "json=all"]);
    let of_records = place.tacit(&["report", "1", "3", "2", "--to", "json=-"]);
    assert_eq!((of_reports.code, of_records.code), (1, 1), "{}{}", of_reports.err, of_records.err);
    assert_eq!(without_times(&place.read("all")), without_times(&report));
    assert_eq!(without_times(&of_records.out), without_times(&report));
    let last = |out: &str| {
        out.lines().last().and_then(|line| line.split(" · ").next()).unwrap_or_default().to_owned()
    };
    assert_eq!(last(&of_reports.out), last(&whole.out));

    for (files, expected) in [
        (&["1.json", "3.json"][..], "of 3 shards these are missing: 2"),
        (&["1", "2", "3", "2.json"], "shard 2/3 is there twice"),
    ] {
        let done = place.tacit(&[&["report"], files].concat());
        assert_eq!((done.code, done.out.as_str()), (2, ""));
        let flat = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(expected), "{flat}");
    }
}

#[test]
fn without_a_report_to_make_the_end_of_the_run_is_printed_again() {
    let place = Place::new();
    let run = place.tacit(&[&FAILING[..], &["ndjson=run.ndjson"]].concat());
    let again = place.tacit(&["report", "run.ndjson"]);
    assert_eq!((again.code, again.out.as_str()), (0, run.out.as_str()), "{}", again.err);
}

#[test]
fn every_format_made_from_the_record_equals_that_of_the_run() {
    let place = Place::new();
    let formats = ["json", "junit", "markdown", "sarif", "tap", "badge"];
    let mut run = FAILING.to_vec();
    let of_run: Vec<String> = formats.iter().map(|one| format!("{one}=run/{one}")).collect();
    run.push("ndjson=run.ndjson");
    run.extend(of_run.iter().flat_map(|target| ["--report", target]));
    let done = place.tacit(&run);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);

    let mut again = vec!["report", "run.ndjson", "--to", "ndjson=again/ndjson"];
    let of_record: Vec<String> = formats.iter().map(|one| format!("{one}=again/{one}")).collect();
    again.extend(of_record.iter().flat_map(|target| ["--to", target]));
    let done = place.tacit(&again);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "", ""));
    for format in formats {
        assert_eq!(place.read(&format!("run/{format}")), place.read(&format!("again/{format}")));
    }
    assert_eq!(place.read("run.ndjson"), place.read("again/ndjson"));

    let printed = place.tacit(&["report", "run/json", "--to", "badge=-"]);
    assert_eq!((printed.code, printed.out), (0, place.read("run/badge")));
}

#[test]
fn a_report_tells_of_the_same_failures_as_the_run_that_it_was_made_of() {
    let place = Place::new();
    let run = ["run", "--runtime", "reference+no-cap", "--tags", "@family:catalog", "--cases", "0"];
    let whole = place.tacit(&[&run[..], &["--report", "json=run.json"]].concat());
    let again = place.tacit(&["report", "run.json"]);
    let failures = |out: &str| {
        let blocks = out.lines().filter(|line| line.starts_with("FAIL"));
        blocks.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!((whole.code, again.code), (1, 0), "{}{}", whole.out, again.err);
    assert!(whole.out.contains("search.at-most-four"), "{}", whole.out);
    assert_eq!(failures(&again.out), failures(&whole.out), "{}", again.out);
}

#[test]
fn a_report_in_the_place_of_a_file_that_is_read_is_refused_and_nothing_is_lost() {
    let place = Place::new();
    let profile = tacit_contract::profile::built_in("nib-r3").unwrap();
    let done = place.tacit(&[&FAILING[..], &["ndjson=run.ndjson"]].concat());
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    place.write("known.toml", "");
    place.write("mine.toml", &profile.replace("\"nib-r3\"", "\"mine\""));
    place.write("tacit.toml", "");
    place.write("log.ndjson", "{}\n");
    place.write("session.feature", "");
    let run = ["run", "--runtime", "reference", "--cases", "0"];
    let baseline = ["--baseline", "known.toml", "--report", "json=./known.toml"];
    let profile = ["--profile", "mine.toml", "--report", "junit=mine.toml"];
    for (arguments, file) in [
        (&[&run[..], &baseline].concat()[..], "known.toml"),
        (&[&run[..], &profile].concat(), "mine.toml"),
        (&[&run[..], &["--report", "html=tacit.toml"]].concat(), "tacit.toml"),
        (&["check", "log.ndjson", "--report", "json=log.ndjson"], "log.ndjson"),
        (&["check", ".", "--report", "json=log.ndjson"], "log.ndjson"),
        (&["report", "run.ndjson", "--to", "html=run.ndjson"], "run.ndjson"),
        (&["replay", "session.feature", "--traces", "session.feature"], "session.feature"),
    ] {
        let before = place.read(file);
        let done = place.tacit(arguments);
        let flat = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("would take the place of"), "{arguments:?}: {flat}{}", done.out);
        assert!(flat.contains(file), "{flat}");
        assert_eq!((done.code, place.read(file)), (2, before), "{arguments:?}");
    }
}

#[test]
fn a_file_that_is_no_run_is_a_usage_error_that_says_what_is_wrong_and_where() {
    let place = Place::new();
    let done =
        place.tacit(&[&FAILING[..], &["json=run.json", "--report", "ndjson=run.ndjson"]].concat());
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let (report, record) = (place.read("run.json"), place.read("run.ndjson"));
    let two_lines: String = record.split_inclusive('\n').take(2).collect();
    place.write("none.txt", "hello");
    place.write("cut.json", &report[..report.len() / 2]);
    place.write("deep.json", &format!("{{\"schemaVersion\": 1, \"x\": {}", "[".repeat(100_000)));
    place.write("later.json", &report.replacen("\"schemaVersion\": 1", "\"schemaVersion\": 2", 1));
    place.write("cut.ndjson", &two_lines);
    place.write("wrong.ndjson", &format!("{two_lines}{{\"event\": \"guess\"}}\n"));
    for (file, expected) in [
        ("missing.json", "cannot read missing.json"),
        ("none.txt", "none.txt: failed to read the run: expected what"),
        ("cut.json", "cut.json: failed to read the report: EOF"),
        ("deep.json", "deep.json: failed to read the report: "),
        ("later.json", "its format is version 2, this is version 1"),
        ("cut.ndjson", "the run was cut off"),
        ("wrong.ndjson", "failed to read line 3 of the record"),
    ] {
        let done = place.tacit(&["report", file, "--to", "tap=-"]);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{file}: {}", done.err);
        let flat = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(expected), "{file}: {flat}");
    }
    for (arguments, expected) in [
        (&["run.json", "run.json", "--to", "tap=-"][..], "run.json is no shard of a run"),
        (&["run.json", "--to", "ndjson=-"], "does not hold every event"),
        (&["run.json", "--to", "tap=-", "--to", "badge=-"], "two reports go to -"),
        (&["run.json", "--to", "tap=."], "the path names no file"),
    ] {
        let done = place.tacit(&[&["report"], arguments].concat());
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{arguments:?}");
        let flat = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(expected), "{flat}");
    }
}

#[test]
fn under_github_actions_a_run_annotates_and_appends_to_the_job_summary_unless_told_not_to() {
    let place = Place::new();
    place.write("summary.md", "what an earlier step wrote\n");
    let summary = place.path("summary.md").display().to_string();
    let place = place
        .with_variable("GITHUB_ACTIONS", "true")
        .with_variable("GITHUB_STEP_SUMMARY", &summary);
    let plain = place.tacit(&[&FAILING[..], &["markdown=run.md", "--no-ci"]].concat());
    assert!(!plain.out.contains("::error"), "{}", plain.out);
    assert_eq!(place.read("summary.md"), "what an earlier step wrote\n");

    let done = place.tacit(&[&FAILING[..], &["markdown=run.md"]].concat());
    assert_eq!((done.code, done.err.as_str()), (1, ""), "{}", done.out);
    let annotation = done.out.lines().next().unwrap();
    assert!(annotation.starts_with("::error file=features/search.feature,line="), "{annotation}");
    assert!(annotation.contains(",title=search.at-most-four::"), "{annotation}");
    let report = place.read("run.md");
    assert_eq!(place.read("summary.md"), format!("what an earlier step wrote\n\n{report}"));
    assert!(done.out.lines().last().unwrap().starts_with("does not conform:"), "{}", done.out);
}

#[test]
fn a_job_summary_that_cannot_be_written_is_known_before_the_run() {
    let place = Place::new().with_variable("GITHUB_ACTIONS", "true");
    let place = place.with_variable("GITHUB_STEP_SUMMARY", "no/such/folder/summary.md");
    let done = place.tacit(&[&FAILING[..], &["json=run.json"]].concat());
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
    assert!(done.err.contains("--no-ci"), "{}", done.err);
    assert!(!place.path("run.json").exists());
}

#[test]
fn the_sarif_report_of_a_real_run_names_the_clause_and_its_scenario() {
    let place = Place::new();
    place.tacit(&[&FAILING[..], &["sarif=run.sarif"]].concat());
    let log: Value = place.json("run.sarif");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "search.at-most-four");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "features/search.feature");
    assert!(place["region"]["startLine"].as_u64().unwrap() > 1);
}

#[test]
fn the_site_is_the_documentation_alone_or_with_what_a_run_came_to() {
    let place = Place::new();
    let done = place.tacit(&["report", "--site", "alone"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.ends_with("it begins at alone/index.html\n"), "{}", done.out);
    let page = "clauses/search.at-most-four.html";
    assert!(!place.read(&format!("alone/{page}")).contains("badge fail"));
    let outline = place.read("alone/features/catalog.html");
    assert!(
        outline.contains("A description with &lt;what&gt; in it stays in its line"),
        "{outline}"
    );

    assert_eq!(place.tacit(&[&FAILING[..], &["json=run.json"]].concat()).code, 1);
    let done = place.tacit(&["report", "run.json", "--site", "site"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(place.read(&format!("site/{page}")).contains("badge fail"));
    assert!(place.read("site/report.html").contains("counterexample-search.at-most-four-1"));
}

#[test]
fn a_site_that_cannot_be_written_and_a_report_of_no_run_are_usage_errors() {
    let place = Place::new();
    place.write("file", "");
    for (arguments, expected) in [
        (&["report", "--site", "file"][..], "file"),
        (
            &["report", "--site", "site", "--to", "html=report.html"],
            "there is no run among the files",
        ),
        (&["report"], "required arguments were not provided"),
    ] {
        let done = place.tacit(arguments);
        assert_eq!(done.code, 2, "{}", done.err);
        assert!(done.err.contains(expected), "{}", done.err);
    }
}
