//! What a recording shows agrees with what was judged while the session was played: for every known
//! fault of the reference, what is found broken in a recording was broken, and what was broken and a
//! recording can show is found.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::collections::{BTreeMap, BTreeSet};

use support::recorded::{checked, har, log, steady};
use support::traces;
use tacit_contract::event::ClauseResult;
use tacit_contract::{Level, Profile, Seen, Trace, Verdict};
use tacit_judge::Judge;
use tacit_reference::faults::all;

/// Clauses that a recording finds broken though they were kept: nothing but what becomes visible
/// shows what a search activated, so that a marker which says otherwise looks like a tool that is
/// not restored. The report says so beside the verdict. A fault, and the clause.
const BLAMED: [(&str, &str); 3] = [
    ("marker-missing", "restore.search-evidence"),
    ("marker-too-short", "restore.search-evidence"),
    ("marker-twice", "restore.search-evidence"),
];

/// Faults of which a recording does not show all that they break, by why.
const UNSEEN: [(&str, &[&str]); 6] = [
    (
        "what a search activated that never came, its marker alone says",
        &[
            "activation-never-wired",
            "activation-one-request-late",
            "false-success-on-sync-failure",
            "marker-missing",
            "marker-names-core",
            "marker-names-left-out",
            "marker-too-short",
            "marker-twice",
            "native-in-neither",
            "one-api-leaves-active-out",
        ],
    ),
    (
        "what comes with the result of a search may be what it activated",
        &["activation-shows-siblings", "first-listed-preloaded"],
    ),
    (
        "how a call ended that was made before the recording, it does not say",
        &[
            "first-request-in-full",
            "late-injection",
            "marker-text-counts",
            "no-restore-on-prompt",
            "own-result-evidence-ignored",
            "restore-only-on-resume-event",
            "skills-sent-at-once",
        ],
    ),
    (
        "a branch, or what another provider is told, is a conversation of its own",
        &["branch-leaks-activation", "marker-lost-on-save", "replay-loses-namespace"],
    ),
    ("how a prompt ended, no request says", &["odd-arguments-end-prompt"]),
    ("whether the provider defers, the forms alone say", &["native-when-off"]),
];

/// What was found for one clause under one fault.
#[derive(Default)]
struct Found {
    /// In how many sessions it was broken while they were played.
    live: u32,
    /// In how many of these it is found in the recording too.
    too: u32,
    /// What is found in a recording of a session in which it was kept.
    alone: Option<String>,
}

fn is_broken(result: &ClauseResult) -> bool {
    matches!(result.verdict, Verdict::Fail | Verdict::Warn)
}

/// Whether a recording can show it, once the registry is given.
fn is_showable(result: &ClauseResult) -> bool {
    let why = result.reason.as_deref().unwrap_or_default();
    result.level != Level::Info && !why.starts_with("a recording does not show")
}

/// What is found under a fault, by clause: each session once as a HAR file with the registry, and
/// once as a log without it, in which nothing is found that was not broken.
fn found(fault: &str) -> BTreeMap<String, Found> {
    let folder = tempfile::tempdir().unwrap();
    let profile = Profile::named("nib-r3").unwrap();
    let mut all: BTreeMap<String, Found> = BTreeMap::new();
    for trace in traces(&[fault], 11, 1) {
        let Some((tools, mode)) = steady(&trace) else { continue };
        if !asks(&trace) {
            continue;
        }
        let live = Judge::new(&profile).judge(&trace);
        let (with, without) = (folder.path().join("x.har"), folder.path().join("x.ndjson"));
        std::fs::write(&with, har(&trace).to_string()).unwrap();
        std::fs::write(&without, log(&trace)).unwrap();
        for result in checked(with, mode, Some(tools)).into_iter().filter(is_showable) {
            let found = all.entry(result.id.to_string()).or_default();
            let was_broken = live.breaks(&result.id);
            found.live += u32::from(was_broken);
            found.too += u32::from(was_broken && is_broken(&result));
            if is_broken(&result) && !was_broken {
                found.alone = result.reason;
            }
        }
        for result in checked(without, mode, None) {
            if is_broken(&result) && !live.breaks(&result.id) {
                all.entry(result.id.to_string()).or_default().alone = result.reason;
            }
        }
    }
    all
}

fn asks(trace: &Trace) -> bool {
    trace.log.iter().any(|entry| matches!(entry.seen, Seen::Requested(_)))
}

/// The faults of one half of the table: test functions run side by side.
fn agree(half: usize) {
    let excused: BTreeSet<&str> =
        UNSEEN.iter().flat_map(|(_, faults)| faults.iter().copied()).collect();
    let mut problems = Vec::new();
    let of_half = all().enumerate().filter(|(place, _)| place % 2 == half);
    for (_, fault) in of_half {
        let mut unseen = false;
        for (clause, found) in found(fault.key) {
            let may_blame = BLAMED.contains(&(fault.key, clause.as_str()));
            if let Some(what) = found.alone.filter(|_| !may_blame) {
                problems.push(format!("{}: {clause} was kept: {what}", fault.key));
            }
            unseen |= found.live > 0 && found.too == 0;
            if found.live > 0 && found.too == 0 && !excused.contains(fault.key) {
                let live = found.live;
                problems.push(format!("{}: {clause} is not found, broken {live} times", fault.key));
            }
        }
        if excused.contains(fault.key) && !unseen {
            problems.push(format!("{}: all that it breaks is found", fault.key));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn what_a_recording_shows_is_what_was_judged_for_one_half_of_the_faults() {
    agree(0);
}

#[test]
fn what_a_recording_shows_is_what_was_judged_for_the_other_half() {
    agree(1);
}
