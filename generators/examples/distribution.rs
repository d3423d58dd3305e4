//! Prints how often each label occurs in each mix: `cargo run --example distribution [CASES]`.

use std::collections::BTreeMap;

use tacit_contract::Step;
use tacit_generators::coverage::{LABELS, labels};
use tacit_generators::{MIXES, Setting, runner};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cases: u32 = match std::env::args().nth(1) {
        Some(cases) => cases.parse()?,
        None => 2000,
    };
    let setting = Setting::everything();
    let mut shares: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    println!("{:<16} {:>6} {:>4} {:>8} {:>8}", "mix", "steps", "max", "prompts", "plain");
    for mix in MIXES {
        let strategy = mix.strategy(&setting);
        let (mut steps, mut longest, mut prompts, mut plain) = (0, 0, 0, 0);
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for case in 0..u64::from(cases) {
            let session = runner::sample(&strategy, runner::master(1, mix.id), case)?;
            steps += session.length();
            longest = longest.max(session.length());
            for (at, step) in session.steps.iter().enumerate() {
                if matches!(step, Step::Prompt { .. }) {
                    prompts += 1;
                    let scripted = session.steps.get(at + 1);
                    let scripted =
                        matches!(scripted, Some(Step::Answer { .. } | Step::Fail { .. }));
                    plain += u32::from(!scripted);
                }
            }
            for label in labels(&session) {
                *counts.entry(label).or_default() += 1;
            }
        }
        let per_case = |count: f64| count / f64::from(cases);
        println!(
            "{:<16} {:>6.1} {longest:>4} {:>8.1} {:>7.0}%",
            mix.id,
            per_case(f64::from(u32::try_from(steps)?)),
            per_case(f64::from(prompts)),
            100.0 * f64::from(plain) / f64::from(prompts.max(1)),
        );
        for label in LABELS {
            let count = counts.get(label).copied().unwrap_or_default();
            shares.entry(label).or_default().push(count);
        }
    }
    print!("\n{:<34}", "per 1,000 sessions");
    for mix in MIXES {
        print!("{:>6.5}", mix.id);
    }
    println!();
    for label in LABELS {
        let row = shares.get(label).into_iter().flatten();
        print!("{label:<34}");
        row.for_each(|count| print!("{:>6}", count * 1000 / cases));
        println!();
    }
    Ok(())
}
