//! Baselines: what is new fails a run whatever is listed, and an update changes no more than it must.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use quickcheck::quickcheck;
use support::{config, ran, reference};
use tacit_contract::baseline::{Baselined, Entry, Expectation, Listed, Replay, Standing};
use tacit_contract::event::{ClauseResult, RunFinished};
use tacit_contract::part::{Part, Terms};
use tacit_contract::protocol::Api;
use tacit_contract::session::Bulk;
use tacit_contract::tally::{Failing, Place, Tally};
use tacit_contract::{
    Breach, Case, ClauseId, Day, Event, Level, Mode, Profile, ProviderKind, Revision, Session,
    Shard, Verdict,
};
use tacit_suite::baseline::{Update, Updated, read};
use tacit_suite::closing::close;
use tacit_suite::merge::merged;
use tacit_suite::{Config, Exit};

const CLAUSES: [&str; 3] = ["initial.core", "search.exact", "restore.use-evidence"];

fn entry(clause: &str, line: usize) -> Expectation {
    Expectation {
        clause: clause.into(),
        api: None,
        reason: "known".to_owned(),
        issue: None,
        until: None,
        revision: None,
        counterexample: "x.json".to_owned(),
        line,
    }
}

fn today() -> Day {
    "2026-12-03".parse().unwrap()
}

/// An entry of any kind about one of the clauses, and any replay of it.
fn listed(entries: &[(u8, u8, u8)]) -> Listed {
    let replay = |kind: u8| match kind % 4 {
        0 => None,
        1 => Some(Replay::Fails),
        2 => Some(Replay::Passes),
        _ => Some(Replay::Undecided("it is gone".to_owned())),
    };
    let entry = |(clause, kind, _): &(u8, u8, u8)| Expectation {
        api: (kind % 2 == 1).then(|| Api::ALL[usize::from(*kind) / 2 % 3]),
        until: (kind % 5 == 0).then(|| "2026-12-02".parse().unwrap()),
        revision: (kind % 7 == 0).then_some(Revision::R2),
        ..entry(CLAUSES[usize::from(*clause) % 3], 1)
    };
    Listed {
        file: "known.toml".to_owned(),
        today: today(),
        entries: entries.iter().map(entry).collect(),
        replays: entries.iter().map(|(_, _, kind)| replay(*kind)).collect(),
    }
}

fn failing(clause: &ClauseId, api: Api) -> Failing {
    let session = Session {
        seed: 1,
        mode: Mode::Agent,
        provider: ProviderKind::plain(api),
        tools: Vec::new(),
        bulk: Bulk::default(),
        steps: Vec::new(),
    };
    Failing {
        property: "sessions".into(),
        place: Place::Property { place: 0, number: 0 },
        case: Case { session, variants: Vec::new() },
        breach: Breach {
            clause: clause.clone(),
            session: "s1".into(),
            entry: 0,
            prompt: 1,
            request: 1,
            tool: None,
            found: "it is broken".to_owned(),
        },
    }
}

/// What a run comes to that saw these breaches: how each clause was judged, how it ended, and what
/// its baseline came to.
fn closed(
    broken: &BTreeSet<(ClauseId, Api)>,
    baseline: Option<Listed>,
) -> (BTreeMap<ClauseId, Verdict>, Exit, Option<Baselined>) {
    let mut tally = Tally::default();
    for (clause, api) in broken {
        if baseline.as_ref().is_some_and(|one| one.expects(clause, *api, Revision::R3)) {
            tally.expects(clause.clone(), *api);
        } else {
            tally.fails(failing(clause, *api));
        }
    }
    let part = Part {
        terms: Terms {
            profile: Profile::named("nib-r3").unwrap(),
            clauses: CLAUSES.map(ClauseId::from).to_vec(),
            allow_unexercised: true,
            strict: false,
            narrowed: true,
        },
        runtime: serde_json::from_value(serde_json::json!({
            "protocolVersion": 1,
            "runtime": {"name": "any", "version": "1"},
            "capabilities": {"providerApis": Api::ALL, "modes": ["agent"], "coreTools": "own",
                             "transcript": true},
        }))
        .unwrap(),
        properties: Vec::new(),
        tally,
        counterexamples: BTreeMap::new(),
        interrupted: false,
        broken_off: false,
        baseline,
    };
    let (mut verdicts, mut came_to) = (BTreeMap::new(), None);
    let exit = close(part, None, 0, &mut |event| match event {
        Event::ClauseJudged(result) => _ = verdicts.insert(result.id, result.verdict),
        Event::RunFinished(finished) => came_to = finished.baseline,
        _ => {}
    });
    (verdicts, exit, came_to)
}

quickcheck! {
    fn what_is_not_listed_comes_out_as_without_a_baseline(
        broken: Vec<(u8, u8)>,
        entries: Vec<(u8, u8, u8)>
    ) -> bool {
        let broken: BTreeSet<(ClauseId, Api)> = broken
            .iter()
            .map(|(clause, api)| {
                (CLAUSES[usize::from(*clause) % 3].into(), Api::ALL[usize::from(*api) % 3])
            })
            .collect();
        let listed = listed(&entries);
        let is_new = |id: &ClauseId| {
            let mut breaches = broken.iter().filter(|(clause, _)| clause == id);
            breaches.any(|(clause, api)| !listed.expects(clause, *api, Revision::R3))
        };
        let (plain, plain_exit, none) = closed(&broken, None);
        let (verdicts, exit, baseline) = closed(&broken, Some(listed.clone()));
        let baseline = baseline.unwrap();
        let kept = plain.iter().all(|(id, verdict)| match verdicts[id] {
            found if found == *verdict => *verdict != Verdict::Fail || is_new(id),
            found => *verdict == Verdict::Fail
                && found == Verdict::ExpectedFailure
                && !is_new(id),
        });
        let regressed = verdicts.values().any(|verdict| *verdict == Verdict::Fail);
        let fails = regressed || baseline.outdated().next().is_some();
        kept
            && none.is_none()
            && baseline.regressed == regressed
            && (exit == Exit::DoesNotConform) == fails
            && (plain_exit == Exit::DoesNotConform) != broken.is_empty()
    }
}

/// What an update makes of a text, after a run in which entries came to something, and in which
/// clauses were broken that have a session in a folder.
fn updated(text: &str, entries: &[(Expectation, Standing)], broken: &[&str]) -> Updated {
    let folder = tempfile::tempdir().unwrap();
    let mut update = Update::default();
    for clause in broken {
        let path = folder.path().join(format!("corpus/{clause}.json"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "").unwrap();
        update.hear(&found(clause, &path));
        update.hear(&Event::ClauseJudged(result(clause)));
    }
    update.hear(&Event::ClauseJudged(result("search.row")));
    update.hear(&Event::RunFinished(finished(entries)));
    update.apply(&folder.path().join("ci/known.toml"), text).unwrap()
}

fn found(clause: &str, path: &Path) -> Event {
    Event::CounterexampleFound(tacit_contract::event::Counterexample {
        clause: clause.into(),
        found_by: "sessions".to_owned(),
        steps_before: 1,
        steps: 1,
        reproduced: 3,
        data: path.display().to_string(),
        feature: String::new(),
        story: Vec::new(),
        timeline: Vec::new(),
        breach: failing(&clause.into(), Api::OpenaiChat).breach,
    })
}

fn result(clause: &str) -> ClauseResult {
    ClauseResult {
        id: clause.into(),
        level: Level::Must,
        verdict: Verdict::Fail,
        exercised: 1,
        exercised_over: BTreeMap::new(),
        claimed: true,
        reason: None,
        because: None,
        reading: None,
        reproduced: None,
        counterexamples: Vec::new(),
    }
}

fn finished(entries: &[(Expectation, Standing)]) -> RunFinished {
    let entry = |(expectation, standing): &(Expectation, Standing)| Entry {
        expectation: expectation.clone(),
        standing: *standing,
        note: None,
    };
    RunFinished {
        duration_ms: 0,
        sessions: 0,
        prompts: 0,
        requests: 0,
        coverage: BTreeMap::new(),
        conforms: false,
        exit_code: 1,
        narrowed: false,
        interrupted: false,
        baseline: Some(Baselined {
            file: "known.toml".to_owned(),
            regressed: true,
            entries: entries.iter().map(entry).collect(),
        }),
    }
}

const KNOWN: &str = "\
# What our agent is known to break.
# Ask before you add to it.

# Mended some day.
[[expect]]
clause = 'search.exact'   # since 2.60
reason = \"known\"
counterexample = 'x.json'

# A word about the second.
[[expect]]
counterexample = \"x.json\"
reason = \"\"\"
two
lines\"\"\" # and a remark
clause = \"initial.core\"

# The last word.
";

#[test]
fn an_update_ends_lines_as_the_file_does() {
    let entries = [(entry("search.exact", 5), Standing::Stale)];
    let known = KNOWN.replace('\n', "\r\n");
    let expected = updated(KNOWN, &entries, &["restore.use-evidence"]).text.replace('\n', "\r\n");
    assert_eq!(updated(&known, &entries, &["restore.use-evidence"]).text, expected);
}

#[test]
fn an_update_removes_what_is_stale_adds_what_is_new_and_keeps_every_comment() {
    let entries = [
        (entry("search.exact", 5), Standing::Stale),
        (entry("initial.core", 11), Standing::Expected),
    ];
    let found = updated(KNOWN, &entries, &["restore.use-evidence"]);
    let expected = "\
# What our agent is known to break.
# Ask before you add to it.

# A word about the second.
[[expect]]
counterexample = \"x.json\"
reason = \"\"\"
two
lines\"\"\" # and a remark
clause = \"initial.core\"

[[expect]]
clause = \"restore.use-evidence\"
reason = \"TODO: say why this is expected\"
counterexample = \"../corpus/restore.use-evidence.json\"

# The last word.
";
    assert_eq!(found.text, expected);
    assert_eq!(found.added, [ClauseId::from("restore.use-evidence")]);
    assert_eq!(found.removed, [ClauseId::from("search.exact")]);
    assert_eq!(found.left_out, [ClauseId::from("search.row")], "there is no session to play again");
}

#[test]
fn an_update_with_nothing_to_change_changes_nothing() {
    let entries = [
        (entry("search.exact", 5), Standing::NotJudged),
        (entry("initial.core", 11), Standing::Expected),
    ];
    assert_eq!(updated(KNOWN, &entries, &[]).text, KNOWN);
}

#[test]
fn an_update_gives_no_more_time_to_what_has_expired() {
    let entries = [
        (entry("search.exact", 5), Standing::Expired),
        (entry("initial.core", 11), Standing::Expected),
    ];
    assert_eq!(updated(KNOWN, &entries, &["search.exact"]).text, KNOWN);
}

#[test]
fn where_all_is_mended_the_comments_stay() {
    let entries =
        [(entry("search.exact", 5), Standing::Stale), (entry("initial.core", 11), Standing::Stale)];
    let found = updated(KNOWN, &entries, &[]).text;
    assert!(found.starts_with("# What our agent"), "{found}");
    assert!(found.ends_with("# The last word.\n") && !found.contains("expect"), "{found}");
}

#[test]
fn a_baseline_that_is_begun_can_be_read() {
    let found = updated("", &[], &["initial.core"]).text;
    assert!(found.starts_with("# Clauses that are known"), "{found}");
    let error = read(Path::new("known.toml"), &found).unwrap_err().to_string();
    assert!(error.contains("cannot read ../corpus/initial.core.json"), "{error}");
}

quickcheck! {
    fn whatever_a_baseline_says_it_is_read_or_told_what_is_wrong(text: String) -> bool {
        let wild = format!("[[expect]]\nclause = {text}\nuntil = {text}");
        let _ = (read(Path::new("x.toml"), &text), read(Path::new("x.toml"), &wild));
        true
    }
}

#[test]
fn the_shards_of_a_run_with_a_baseline_put_together_judge_it_as_the_run_would() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("corpus");
    let whole = |faults: &[&str]| Config {
        tags: Some("@clause:restore.search-evidence".to_owned()),
        ..config(reference(Revision::R3, faults), "nib-r3", 0, &corpus)
    };
    let broken = ["no-restore-on-prompt"];
    let mut update = Update::default();
    ran(whole(&broken)).events.iter().for_each(|event| update.hear(event));
    let file = folder.path().join("known.toml");
    let text = update.apply(&file, "").unwrap().text;
    let baseline = read(&file, &text).unwrap();
    let standings = |events: &[Event]| -> Vec<(ClauseId, Standing)> {
        let finished = events.iter().find_map(|event| match event {
            Event::RunFinished(finished) => finished.baseline.as_ref(),
            _ => None,
        });
        let entries = finished.unwrap().entries.iter();
        entries.map(|entry| (entry.expectation.clause.clone(), entry.standing)).collect()
    };
    for (faults, exit, standing) in [
        (&broken[..], Exit::Conforms, Standing::Expected),
        (&[], Exit::DoesNotConform, Standing::Stale),
    ] {
        let with = |shard: Option<Shard>| {
            ran(Config { shard, baseline: Some(baseline.clone()), ..whole(faults) })
        };
        let shards = ["1/2", "2/2"].map(|shard| with(Some(shard.parse().unwrap())).events);
        let (events, joined) = merged(shards.to_vec()).unwrap();
        assert_eq!(joined, exit);
        assert_eq!(with(None).exit, exit);
        assert_eq!(standings(&events), standings(&with(None).events));
        assert!(standings(&events).iter().all(|(_, found)| *found == standing), "{faults:?}");
    }
}
