//! What each mix must reach, and how often: a clause whose premise is never generated would be
//! one that nobody can fail.

use std::collections::BTreeMap;

use tacit_contract::{Session, Step};
use tacit_generators::coverage::{LABELS, labels};
use tacit_generators::sessions::MAX_STEPS;
use tacit_generators::{MIXES, Mix, Setting, mix, runner};

const CASES: u32 = 2000;

fn generate(mix: &Mix, cases: u32) -> impl Iterator<Item = Session> {
    let strategy = mix.strategy(&Setting::everything());
    let master = runner::master(1, mix.id);
    let id = mix.id;
    (0..u64::from(cases)).map(move |case| {
        let Ok(session) = runner::sample(&strategy, master, case) else { panic!("{id} {case}") };
        session
    })
}

/// Asserts that each label occurs in so many sessions of a thousand, or in more.
fn reaches(id: &str, wanted: &[(&str, u32)]) {
    let Some(mix) = mix(id) else { panic!("there is no mix `{id}`") };
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for session in generate(mix, CASES) {
        for label in labels(&session) {
            *counts.entry(label).or_default() += 1;
        }
    }
    let missed: Vec<String> = wanted
        .iter()
        .filter_map(|(label, share)| {
            assert!(LABELS.contains(label), "there is no label `{label}`");
            let count = counts.get(label).copied().unwrap_or_default() * 1000 / CASES;
            (count < *share).then(|| format!("{label}: {count} instead of {share}"))
        })
        .collect();
    assert!(missed.is_empty(), "of 1,000 sessions of `{id}`: {missed:#?}");
}

#[test]
fn sessions_reach_everything() {
    // Of 256 cases, seven in a thousand are one or two.
    let all: Vec<(&str, u32)> = LABELS
        .into_iter()
        .filter(|label| !["description of thousands", "bulk over 1000"].contains(label))
        .map(|label| (label, 5))
        .collect();
    reaches("sessions", &all);
    reaches(
        "sessions",
        &[
            ("several prompts", 700),
            ("exact search", 450),
            ("use after its search", 400),
            ("plain prompt", 500),
            ("capability search", 90),
            ("five matches", 50),
            ("restart", 180),
            ("restart ends process", 40),
            ("restart from rows", 50),
            ("compaction", 50),
            ("new context", 80),
            ("branch", 40),
            ("abort", 50),
            ("mode change", 80),
            ("unplugged plugin", 80),
            ("elsewhere", 40),
            ("overloaded", 30),
            ("broken stream", 30),
            ("rate limited", 20),
            ("cut connection", 20),
            ("bad request", 8),
            ("provider switch", 60),
            ("provider switch after a search", 40),
            ("seeded transcript", 200),
            ("evidence by use alone", 60),
            ("use in the batch of its search", 60),
            ("several searches in a batch", 70),
            ("use in the next prompt", 150),
            ("imitated evidence", 150),
            ("bulk", 100),
        ],
    );
}

#[test]
fn searches_are_broad_exact_odd_and_by_capability() {
    reaches(
        "searches",
        &[
            ("exact search", 450),
            ("capability search", 180),
            ("five matches", 130),
            ("search without a match", 250),
            ("blank query", 60),
            ("odd query", 80),
            ("limited query", 15),
            ("decorated name", 30),
            ("several names in one query", 18),
            ("query in another script", 20),
            ("sure best match", 30),
            ("arguments without JSON", 15),
            ("search again", 80),
            ("several searches in a batch", 130),
            ("search for a core tool", 35),
            ("search for a forbidden tool", 180),
            ("search beyond the catalog", 7),
            ("one deferred tool: builtin", 8),
            ("one deferred tool: plugin", 15),
            ("one deferred tool: skill", 12),
            ("one deferred tool: devkit", 12),
            ("no deferred tool", 40),
        ],
    );
}

#[test]
fn uses_are_refused_denied_and_failing() {
    reaches(
        "uses",
        &[
            ("use after its search", 600),
            ("use without a search", 300),
            ("use in the batch of its search", 180),
            ("use in the next prompt", 180),
            ("denied use", 160),
            ("failing use", 160),
            ("failure after success", 80),
            ("read", 220),
            ("imitated evidence", 180),
        ],
    );
}

#[test]
fn transcripts_hold_evidence_of_every_kind_true_and_false() {
    reaches(
        "transcripts",
        &[
            ("seeded transcript", 1000),
            ("seeded search evidence", 600),
            ("evidence by use alone", 350),
            ("failed search", 120),
            ("interrupted search", 100),
            ("failed use", 250),
            ("interrupted use", 110),
            ("unanswered call", 170),
            ("forged marker", 180),
            ("orphaned result", 100),
            ("seeded checkpoint", 120),
            ("five names in a marker", 40),
            ("core name in evidence", 100),
            ("unknown name in evidence", 300),
            ("forbidden name in evidence", 200),
            ("imitated evidence", 400),
            ("restart", 120),
        ],
    );
}

#[test]
fn restarts_end_the_process_and_go_on_from_rows() {
    reaches(
        "restarts",
        &[
            ("restart", 600),
            ("restart ends process", 200),
            ("restart from rows", 220),
            ("provider switch", 150),
            ("provider switch beside a restart", 60),
            ("branch", 110),
            ("use in the next prompt", 180),
            ("exact search", 400),
        ],
    );
}

#[test]
fn context_is_compacted_left_cut_off_and_taken_back() {
    reaches(
        "context",
        &[
            ("compaction", 200),
            ("new context", 250),
            ("abort", 220),
            ("branch", 150),
            ("exact search", 450),
            ("plain prompt", 700),
        ],
    );
}

#[test]
fn modes_change_and_change_back() {
    reaches(
        "modes",
        &[
            ("mode change", 500),
            ("mode change and back", 160),
            ("tool that another mode forbids", 600),
            ("exact search", 350),
        ],
    );
}

#[test]
fn plugins_go_with_evidence_and_come_back() {
    reaches(
        "plugins",
        &[
            ("unplugged plugin", 400),
            ("plugin comes back", 220),
            ("restart", 220),
            ("use in the next prompt", 300),
        ],
    );
}

#[test]
fn catalogs_are_hostile_and_large() {
    reaches(
        "catalogs",
        &[
            ("hostile name", 330),
            ("reserved name", 90),
            ("name of two plugins", 90),
            ("hostile description", 430),
            ("description of thousands", 40),
            ("bulk", 400),
            ("bulk over 80", 150),
            ("bulk over 1000", 20),
            ("search beyond the catalog", 75),
            ("no deferred tool", 20),
        ],
    );
}

#[test]
fn providers_fail_in_every_way_and_change() {
    reaches(
        "providers",
        &[
            ("overloaded", 220),
            ("broken stream", 220),
            ("rate limited", 150),
            ("server error", 150),
            ("cut connection", 150),
            ("empty answer", 110),
            ("bad request", 75),
            ("unauthorized", 75),
            ("provider switch", 250),
            ("provider switch after a search", 230),
            ("provider switch beside a restart", 80),
            ("provider switch and another", 80),
            ("use after its search", 550),
            ("exact search", 450),
        ],
    );
}

#[test]
fn the_same_sessions_over_every_provider_hold_what_apis_write_in_their_own_ways() {
    reaches(
        "same-over-apis",
        &[
            ("exact search", 450),
            ("use after its search", 350),
            ("use in the batch of its search", 100),
            ("several searches in a batch", 100),
            ("use in the next prompt", 150),
            ("seeded transcript", 230),
            ("failing use", 80),
            ("restart", 80),
            ("new context", 30),
        ],
    );
}

#[test]
fn other_sessions_are_opened_beside() {
    reaches("isolation", &[("elsewhere", 550), ("exact search", 380), ("restart", 160)]);
}

#[test]
fn the_bases_of_the_laws_have_what_their_variants_change() {
    reaches(
        "evidence-is-all",
        &[
            ("several prompts", 800),
            ("seeded transcript", 250),
            ("restart", 200),
            ("exact search", 450),
            ("compaction", 70),
            ("branch", 70),
        ],
    );
    reaches(
        "order",
        &[
            ("seeded transcript", 850),
            ("seeded search evidence", 550),
            ("evidence by use alone", 330),
        ],
    );
    for id in ["irrelevant-rows", "more-evidence"] {
        reaches(id, &[("seeded transcript", 600), ("seeded search evidence", 350)]);
    }
    reaches("registry-texts", &[("hostile description", 150), ("hostile name", 120)]);
    reaches("growth", &[("exact search", 280), ("plain prompt", 380)]);
}

#[test]
fn every_provider_failure_stands_before_each_answer_now_and_then() {
    let Some(mix) = mix("providers") else { panic!("there is no such mix") };
    // How many answers the prompt had had.
    let mut places: BTreeMap<usize, u32> = BTreeMap::new();
    for session in generate(mix, 500) {
        let mut answers = 0;
        for step in &session.steps {
            match step {
                Step::Prompt { .. } => answers = 0,
                Step::Answer { .. } => answers += 1,
                Step::Fail { .. } => *places.entry(answers).or_default() += 1,
                _ => {}
            }
        }
    }
    for place in 0..=2 {
        assert!(places.get(&place).copied().unwrap_or_default() > 100, "{places:?}");
    }
}

#[test]
fn every_mix_keeps_to_its_limits() {
    for mix in MIXES {
        let (mut steps, mut prompts, mut plain) = (0, 0, 0);
        for session in generate(mix, 1000) {
            assert!(session.length() <= MAX_STEPS, "{}: {session:?}", mix.id);
            assert!(session.bulk.count <= 10_000, "{}: {session:?}", mix.id);
            let cheap = session.bulk.description <= 200 || session.bulk.count <= 3;
            assert!(cheap, "{}: {:?}", mix.id, session.bulk);
            steps += session.length();
            for (at, step) in session.steps.iter().enumerate() {
                let scripted = matches!(
                    session.steps.get(at + 1),
                    Some(Step::Answer { .. } | Step::Fail { .. })
                );
                if let Step::Prompt { .. } = step {
                    prompts += 1;
                    plain += u32::from(!scripted);
                }
                if let Step::Answer { calls } = step {
                    assert!((1..=3).contains(&calls.len()), "{}: {calls:?}", mix.id);
                }
            }
        }
        assert!((2500..13_000).contains(&steps), "{}: {steps} steps of 1,000 sessions", mix.id);
        assert!((1000..6000).contains(&prompts), "{}: {prompts} prompts", mix.id);
        assert!(plain * 10 >= prompts, "{}: {plain} of {prompts} prompts are plain", mix.id);
    }
}

#[test]
fn one_restart_in_eight_or_more_ends_the_process() {
    let (mut all, mut ended) = (0, 0);
    for mix in MIXES {
        for session in generate(mix, 300) {
            for step in &session.steps {
                if let Step::Restart { process, .. } = step {
                    all += 1;
                    ended += u32::from(*process);
                }
            }
        }
    }
    assert!(ended * 8 >= all, "{ended} of {all}");
}

#[test]
fn the_ids_of_the_mixes_are_distinct_and_each_says_what_it_is_about() {
    for (at, mix) in MIXES.iter().enumerate() {
        assert!(MIXES[..at].iter().all(|other| other.id != mix.id), "{}", mix.id);
        assert!(mix.about.ends_with('.'), "{}", mix.id);
    }
    assert_eq!(mix("no such mix").map(|mix| mix.id), None);
}
