//! Errors: what is wrong, where, and what was probably meant; never a verdict.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::Place;
use tacit_contract::profile::built_in;

/// Calls tacit once for each line of arguments, and puts down what each came to.
fn transcript(place: &Place, lines: &[&[&str]]) -> String {
    let mut text = String::new();
    for arguments in lines {
        let done = place.tacit(arguments);
        assert!(done.out.is_empty(), "{}", done.out);
        let shown = format!("$ tacit {}\n{}→ {}\n\n", arguments.join(" "), done.err, done.code);
        text.push_str(&shown);
    }
    text
}

#[test]
fn a_profile_that_cannot_be_used_is_shown_at_its_place() {
    let place = Place::new();
    let text = built_in("nib-r3").unwrap();
    place.write("my-agent.toml", &text.replace("entries = 64", "entires = 64"));
    place.write("greedy.toml", &text.replace("max-per-search = 4", "max-per-search = 9"));
    place.write("open.toml", "id = \"x\"\ntitle = \"y\n");
    place.write("short.toml", "id = \"x\"\n");
    place.write("claims.toml", &format!("{text}\n[not-claimed]\n\"inital.core\" = \"x\"\n"));
    let shown = transcript(
        &place,
        &[
            &["run", "--profile", "my-agent.toml"],
            &["run", "--profile", "greedy.toml"],
            &["run", "--profile", "open.toml"],
            &["run", "--profile", "short.toml"],
            &["run", "--profile", "claims.toml"],
            &["run", "--profile", "missing.toml"],
            &["run", "--profile", "nib-r4"],
        ],
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn a_name_that_there_is_not_gets_the_nearest_one() {
    let shown = transcript(
        &Place::new(),
        &[
            &["run", "--runtime", "refrence"],
            &["run", "--runtime", "reference@r4"],
            &["run", "--runtime", "reference+no-cpa"],
            &["run", "--runtime", "nib:"],
            &["run", "--runtime", "stdio:"],
            &["run", "--runtime", "stdio:'open"],
            &["run", "--clause", "inital.core"],
            &["run", "--profile", "nib-r1", "--clause", "restore.search-evidence"],
            &["run", "--scenario", "no such title"],
            &["run", "--tags", "@@("],
            &["explain", "inital.core"],
            &["explain", "weather"],
            &["serve-reference", "--fault", "no-cpa"],
        ],
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn a_value_that_does_not_fit_says_what_was_expected() {
    let shown = transcript(
        &Place::new(),
        &[
            &["run", "--api", "openai-chats"],
            &["run", "--seed", "xyz"],
            &["run", "--timeout", "10"],
            &["run", "--jobs", "0"],
            &["run", "--exhaustive", "0"],
            &["run", "--exhaustive", "deep"],
            &["run", "--report", "pdf=x"],
            &["run", "--report", "json"],
            &["run", "--color", "pink"],
            &["run", "--quiet", "--verbose"],
            &["run", "--shard", "3/2"],
            &["list", "clausse"],
            &["replay"],
        ],
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn a_file_of_settings_that_cannot_be_used_is_shown_at_its_place() {
    let place = Place::new();
    place.write("tacit.toml", "[runtimes.mine]\ncomand = [\"python3\", \"agent.py\"]\n");
    place.write("empty/tacit.toml", "[runtimes.mine]\ncommand = []\n");
    place.write("two/tacit.toml", "[runtimes.a]\ncommand=[\"x\"]\n[runtimes.b]\ncommand=[\"y\"]\n");
    let run = |folder: &str| {
        let mut command = place.command(&["run"]);
        let output = command.current_dir(place.path(folder)).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let folder = std::fs::canonicalize(place.folder()).unwrap().display().to_string();
        String::from_utf8(output.stderr).unwrap().replace(&folder, "FOLDER")
    };
    std::fs::create_dir(place.path("below")).unwrap();
    let shown = ["", "empty", "two"].map(run).join("\n");
    insta::assert_snapshot!(shown);
    assert!(run("below").contains("tacit.toml: `runtimes.mine.comand` is not a key"));
}

#[test]
fn a_file_that_is_no_text_or_nests_without_end_is_an_error() {
    let place = Place::new();
    std::fs::write(place.path("bytes.toml"), b"id = \"\xff\"").unwrap();
    std::fs::write(place.path("bytes.json"), b"\xff\xfe").unwrap();
    place.write("deep.toml", &format!("id = {}", "[".repeat(200_000)));
    place.write("deep.json", &"[".repeat(200_000));
    place.write("empty.json", "");
    place.write("empty.feature", "");
    place.write("notes.txt", "hello");
    for arguments in [
        ["run", "--profile", "bytes.toml"].as_slice(),
        &["run", "--profile", "deep.toml"],
        &["replay", "bytes.json"],
        &["replay", "deep.json"],
        &["replay", "empty.json"],
        &["replay", "empty.feature"],
        &["replay", "notes.txt"],
        &["replay", "."],
    ] {
        let done = place.tacit(arguments);
        assert_eq!(done.code, 2, "{arguments:?}: {}", done.err);
        assert!(done.err.starts_with("error: "), "{arguments:?}: {}", done.err);
        assert!(done.err.contains(arguments.last().unwrap()), "{arguments:?}: {}", done.err);
        assert!(done.err.len() < 1000, "{arguments:?}: {}", done.err);
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_an_error_and_not_waited_for() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("kept")).unwrap();
    std::fs::create_dir_all(place.path("folder.toml")).unwrap();
    std::fs::create_dir_all(place.path("settings")).unwrap();
    for pipe in ["pipe.toml", "pipe.json", "kept/pipe.json", "settings/tacit.toml"] {
        let made = std::process::Command::new("mkfifo").arg(place.path(pipe)).status();
        assert!(made.unwrap().success());
    }
    let pipe = "it is a pipe or a device, and no file";
    for (arguments, problem) in [
        (["run", "--profile", "pipe.toml"].as_slice(), pipe),
        (&["run", "--profile", "/dev/zero"], pipe),
        (&["run", "--profile", "folder.toml"], "it is a folder, and no file"),
        (&["run", "--corpus", "kept"], pipe),
        (&["replay", "pipe.json"], pipe),
        (&["replay", "kept"], pipe),
    ] {
        let done = place.tacit_to_its_end(arguments);
        assert_eq!(done.code, 2, "{arguments:?}: {}", done.err);
        let flat = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(problem), "{arguments:?}: {flat}");
    }
    let mut within = place.command(&["run"]);
    let output = within.current_dir(place.path("settings")).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("tacit.toml: it is a pipe"));
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_an_error() {
    use std::os::unix::ffi::OsStrExt;
    let odd = std::ffi::OsStr::from_bytes(b"refer\xffence");
    for flag in ["--runtime", "--profile", "--tags", "--report"] {
        let output = Place::new().command(&["run", flag]).arg(odd).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{flag}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "), "{flag}");
    }
}

#[test]
fn what_is_quoted_from_the_command_line_cannot_steer_the_terminal() {
    let done = Place::new().tacit(&["explain", "\u{1b}[31mred"]);
    assert_eq!(done.code, 2);
    assert!(!done.err.contains('\u{1b}'), "{}", done.err);
}

#[test]
fn colours_come_only_when_they_are_wanted() {
    let place = Place::new();
    let arguments = ["--color", "always", "run", "--runtime", "refrence"];
    assert!(place.tacit(&arguments).err.contains('\u{1b}'));
    assert!(!place.tacit(&arguments[2..]).err.contains('\u{1b}'));
    let never = Place::new().with_variable("NO_COLOR", "1");
    assert!(!never.tacit(&["run", "--runtime", "refrence"]).err.contains('\u{1b}'));
}

#[test]
fn a_report_that_cannot_be_written_is_an_error_before_the_run() {
    let place = Place::new();
    place.write("file", "");
    let done = place.tacit(&["run", "--runtime", "reference", "--report", "json=file/run.json"]);
    assert_eq!(done.code, 2);
    assert!(done.out.is_empty(), "{}", done.out);
    assert!(done.err.contains("failed to make the folder file"), "{}", done.err);
}

#[test]
fn two_reports_that_go_to_one_place_are_an_error_before_the_run() {
    let place = Place::new();
    let reports = ["--report", "json=same", "--report", "junit=same"];
    let done = place.tacit(&[&["run", "--runtime", "reference"][..], &reports[..]].concat());
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    assert!(done.err.contains("two reports go to same"), "{}", done.err);
}

#[test]
fn a_corpus_that_is_no_folder_is_an_error_before_the_run() {
    let place = Place::new();
    place.write("file", "");
    let done = place.tacit(&["run", "--runtime", "reference", "--corpus", "file"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    assert!(done.err.contains("cannot write file"), "{}", done.err);
}

#[test]
fn a_tag_expression_that_nests_without_end_is_an_error() {
    let place = Place::new();
    let tags = "(".repeat(100_000);
    let done = place.tacit(&["run", "--runtime", "reference", "--tags", &tags]);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    assert!(done.err.contains("is no tag expression"), "{}", done.err);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::process::Stdio;
    let place = Place::new();
    for arguments in [["list", "clauses"], ["explain", "no-cap"], ["schema", "protocol"]] {
        let mut child = place
            .command(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
