//! A case is the same whoever plays it, whenever, and whatever the environment says.

use std::process::Command;

use tacit_contract::canary::{mix, mix_text};
use tacit_generators::{MIXES, Setting, runner};

fn case(mix: &tacit_generators::Mix, number: u64) -> String {
    let strategy = mix.strategy(&Setting::everything());
    match runner::sample(&strategy, 77, number) {
        Ok(session) => format!("{session:?}"),
        Err(why) => panic!("{}: {why}", mix.id),
    }
}

/// A number that follows from the first cases of every mix.
fn digest() -> u64 {
    MIXES.iter().fold(0, |digest, mix| {
        (0..20).fold(digest, |digest, number| mix_text(digest, &case(mix, number)))
    })
}

#[test]
fn the_same_seed_and_case_give_the_same_session() {
    assert_eq!(digest(), digest());
}

#[test]
fn a_case_does_not_hang_on_those_before_it() {
    for mix in MIXES {
        let strategy = mix.strategy(&Setting::everything());
        let sample = |number| runner::sample(&strategy, 77, number);
        let upwards: Vec<_> = (0..30).map(sample).collect();
        let mut downwards: Vec<_> = (0..30).rev().map(sample).collect();
        downwards.reverse();
        assert_eq!(upwards, downwards, "{}", mix.id);
    }
}

#[test]
fn threads_that_share_a_strategy_give_the_same_cases() {
    for mix in MIXES {
        let strategy = mix.strategy(&Setting::everything());
        let alone: Vec<_> = (0..16).map(|number| runner::sample(&strategy, 3, number)).collect();
        let shared: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..16)
                .map(|number| {
                    let strategy = &strategy;
                    scope.spawn(move || runner::sample(strategy, 3, number))
                })
                .collect();
            workers.into_iter().flat_map(std::thread::ScopedJoinHandle::join).collect()
        });
        assert_eq!(alone, shared, "{}", mix.id);
    }
}

#[test]
fn other_seeds_cases_and_mixes_give_other_sessions() {
    let of = |master, number| {
        let strategy = MIXES[0].strategy(&Setting::everything());
        runner::sample(&strategy, master, number)
    };
    assert_ne!(of(1, 0), of(1, 1));
    assert_ne!(of(1, 0), of(2, 0));
    assert_ne!(of(1, 2), of(2, 1));
    assert_ne!(runner::master(1, "sessions"), runner::master(1, "searches"));
    assert_ne!(runner::master(1, "sessions"), runner::master(2, "sessions"));
}

/// What the child below is looked for by.
const MARK: &str = "digest of the cases: ";

#[test]
fn the_digest_of_the_cases_can_be_printed() {
    println!("{MARK}{:x}", digest());
}

#[test]
fn environment_variables_change_nothing() -> std::io::Result<()> {
    let variables = [
        ("PROPTEST_CASES", "3"),
        ("PROPTEST_RNG_SEED", "9"),
        ("PROPTEST_RNG_ALGORITHM", "xs"),
        ("PROPTEST_MAX_DEFAULT_SIZE_RANGE", "2"),
        ("PROPTEST_MAX_SHRINK_ITERS", "1"),
        ("PROPTEST_NO_SUCH_THING", "1"),
        ("QUICKCHECK_GENERATOR_SIZE", "1"),
    ];
    let output = Command::new(std::env::current_exe()?)
        .args(["--exact", "the_digest_of_the_cases_can_be_printed", "--nocapture"])
        .envs(variables)
        .output()?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = printed.split_once(MARK).and_then(|(_, rest)| rest.split_whitespace().next());
    assert_eq!(found, Some(format!("{:x}", digest()).as_str()), "{printed}");
    // The library prints a warning as soon as it looks at a variable that it does not know.
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!complaints.contains("PROPTEST"), "{complaints}");
    Ok(())
}

#[test]
fn the_runner_takes_its_limits_as_they_are_given() {
    for limit in [0, 1, 500, u32::MAX - 1] {
        assert_eq!(runner::runner(1, 1, limit).config().max_shrink_iters, limit);
    }
    // The highest number would be read as "four times the cases".
    assert_eq!(runner::runner(1, 1, u32::MAX).config().max_shrink_iters, u32::MAX - 1);
    assert_ne!(mix(1), mix(2));
}
