//! What is recorded on the way is judged as what was played: never worse, and for what traffic
//! shows no better.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use support::recorded::{checked, har, log, steady};
use support::traces;
use tacit_contract::{ClauseId, Mode, Profile, Verdict};
use tacit_judge::Judge;

/// A clause that is found broken in a recording.
struct Found {
    clause: ClauseId,
    /// What was found.
    reason: String,
    /// Whether the same clause was broken while the session was played.
    same: bool,
    /// Whether any was.
    any: bool,
}

/// What is found in the recordings of some sessions, each once as a HAR file with the registry, and
/// once as a log without it.
fn found(faults: &[&str], each: u64) -> Vec<Found> {
    let folder = tempfile::tempdir().unwrap();
    let profile = Profile::named("nib-r3").unwrap();
    let mut all = Vec::new();
    for trace in traces(faults, 11, each) {
        let Some((tools, mode)) = steady(&trace) else { continue };
        let live = Judge::new(&profile).judge(&trace);
        let (with, without) = (folder.path().join("x.har"), folder.path().join("x.ndjson"));
        std::fs::write(&with, har(&trace).to_string()).unwrap();
        std::fs::write(&without, log(&trace)).unwrap();
        let results = [checked(with, mode, Some(tools)), checked(without, mode, None)].concat();
        let broken = |verdict| matches!(verdict, Verdict::Fail | Verdict::Warn);
        all.extend(results.into_iter().filter(|result| broken(result.verdict)).map(|result| {
            let same = live.breaks(&result.id);
            let any = !live.breaches.is_empty();
            Found { reason: result.reason.unwrap_or_default(), clause: result.id, same, any }
        }));
    }
    all
}

#[test]
fn nothing_is_found_in_the_recording_of_a_runtime_that_conforms() {
    let found = found(&[], 10);
    let all: Vec<String> =
        found.iter().map(|found| format!("{}: {}", found.clause, found.reason)).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// Faults that traffic gives away, each with a clause that says so.
const GIVEN_AWAY: [(&str, &str); 14] = [
    ("core-lost-after-restart", "initial.core"),
    ("schema-flood", "initial.minimal"),
    ("loader-deferred", "initial.search-present"),
    ("search-present-when-empty", "initial.search-absent"),
    ("new-context-missing", "initial.new-context"),
    ("catalog-twice", "catalog.heading"),
    ("catalog-count-only", "catalog.names"),
    ("catalog-parameter-names", "catalog.no-schema"),
    ("no-cap", "search.at-most-four"),
    ("activation-never-wired", "search.exact"),
    ("activated-schema-thinned", "activation.next-request"),
    ("text-activates", "activation.not-by-text"),
    ("rebuild-clears-activation", "activation.lasts"),
    ("no-restore-on-prompt", "restore.search-evidence"),
];

#[test]
fn a_fault_that_traffic_gives_away_breaks_the_clause_that_it_broke_while_it_was_played() {
    for (fault, clause) in GIVEN_AWAY {
        let found = found(&[fault], 2);
        let agrees = found.iter().any(|found| found.same && found.clause == clause);
        assert!(agrees, "{fault} is not found by {clause}");
        let alone = found.iter().find(|found| !found.any);
        assert!(alone.is_none(), "{fault}: {}", alone.map_or("", |found| &found.reason));
    }
}

#[test]
fn no_verdict_holds_a_secret_of_the_recording() {
    let folder = tempfile::tempdir().unwrap();
    let (path, mode) = (folder.path().join("x.har"), Mode::Agent);
    for trace in traces(&["schema-flood"], 11, 1) {
        std::fs::write(&path, har(&trace).to_string()).unwrap();
        let results = serde_json::to_string(&checked(path.clone(), mode, None)).unwrap();
        assert!(!results.contains("k3y-in") && !results.contains("s3cret-of"), "{results}");
    }
}

#[test]
fn a_trace_is_judged_as_the_session_was() {
    let folder = tempfile::tempdir().unwrap();
    let (path, profile) = (folder.path().join("x.json"), Profile::named("nib-r3").unwrap());
    for trace in traces(&["no-restore-on-prompt"], 11, 1) {
        std::fs::write(&path, serde_json::to_string(&trace).unwrap()).unwrap();
        let live = Judge::new(&profile).judge(&trace);
        for result in checked(path.clone(), Mode::Agent, None) {
            let broken = matches!(result.verdict, Verdict::Fail | Verdict::Warn);
            assert_eq!(broken, live.breaks(&result.id), "{}", result.id);
            let times = live.exercised.get(&result.id).copied().unwrap_or_default();
            assert_eq!(result.exercised, times, "{}", result.id);
        }
    }
}
