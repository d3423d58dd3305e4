//! What a session costs: played on the reference in process, over every kind of provider in turn,
//! and judged.
//!
//! `cargo run --release -p tacit-suite --example cost [CASES]`

use std::time::{Duration, Instant};

use tacit_contract::{Profile, Revision};
use tacit_generators::runner::{master, sample};
use tacit_generators::{MIXES, Setting};
use tacit_judge::Judge;
use tacit_reference::{ReferenceOptions, ReferenceRuntime};
use tacit_stage::{InProcess, Settings, Stage};
use tacit_suite::providers::{kinds, of_case};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cases: u64 = std::env::args().nth(1).map_or(Ok(200), |cases| cases.parse())?;
    let profile = Profile::named("nib-r3")?;
    let options = ReferenceOptions::faultless(Revision::R3);
    let make = move || ReferenceRuntime::new(options);
    let stage = Stage::new(InProcess::new(make).without_folders(), Settings::new(profile.clone()));
    let clock = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let local = tokio::task::LocalSet::new();
    let kinds = kinds(&clock.block_on(local.run_until(stage.describe()))?);
    println!("{:<16} {:>12} {:>12} {:>8}", "mix", "played, µs", "judged, µs", "ratio");
    for mix in MIXES {
        let strategy = mix.strategy(&Setting::everything());
        let mut played = Duration::ZERO;
        let mut judged = Duration::ZERO;
        for case in 0..cases {
            let mut session = sample(&strategy, master(1, mix.id), case)?;
            session.provider = of_case(case, &kinds);
            let begun = Instant::now();
            let trace = clock.block_on(local.run_until(stage.play(&session)))?;
            played += begun.elapsed();
            let begun = Instant::now();
            let judgement = Judge::new(&profile).judge(&trace);
            judged += begun.elapsed();
            if let Some(breach) = judgement.breaches.first() {
                println!("{} case {case} breaks {}: {}", mix.id, breach.clause, breach.found);
            }
        }
        let each = |all: Duration| all.as_micros() / u128::from(cases.max(1));
        println!(
            "{:<16} {:>12} {:>12} {:>8.2}",
            mix.id,
            each(played),
            each(judged),
            judged.as_secs_f64() / played.as_secs_f64()
        );
    }
    Ok(())
}
