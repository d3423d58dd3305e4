//! Plays what is recorded.

use std::error::Error;
use std::sync::Arc;

use serde::Serialize;
use tacit_contract::{Case, Profile, Revision, Trace, Variant};
use tacit_generators::runner::{master, sample, smallest};
use tacit_generators::shrink::SessionTree;
use tacit_reference::faults::{Fault, all};
use tacit_reference::{Switches, variants};
use tacit_suite::bench::Bench;
use tacit_suite::property::{Property, properties, setting};
use tacit_suite::providers::{kinds, of_case};
use tacit_suite::{Config, Subject};

/// A case as it was played.
#[derive(Serialize)]
pub struct Recorded {
    /// What it is called in its family.
    pub name: String,
    profile: String,
    trace: Trace,
    variants: Vec<(Variant, Trace)>,
}

/// Cases of a property that are played.
const EACH: u64 = 24;

/// Cases of a property in which a fault is looked for.
const TRIED: u64 = 16;

/// How often a session that shows a fault is played while it is made smaller.
const EVALUATIONS: u32 = 120;

/// A trace that is longer fills a file without telling more.
const LONGEST: usize = 200_000;

/// A registry of thousands would fill a file by itself: what is asked of growth is asked of as
/// much as shows it.
const GROWTH: [Variant; 4] = [
    Variant::Grown { tools: 10 },
    Variant::Grown { tools: 30 },
    Variant::LongTexts { characters: 200 },
    Variant::LongTexts { characters: 400 },
];

type Families = Vec<(String, Vec<Recorded>)>;

/// Some cases of every property on the reference as it should be, a family each.
pub fn of_properties() -> Result<Families, Box<dyn Error>> {
    let mut families = Families::new();
    for property in properties() {
        let mut cases = Vec::new();
        for number in 0..EACH {
            let revision = match number % 6 {
                4 => Revision::R1,
                5 => Revision::R2,
                _ => Revision::R3,
            };
            let bench = bench(revision, Switches::default())?;
            let case = generated(&bench, property, number)?;
            cases.extend(recorded(&bench, &format!("session {number}"), &case)?);
        }
        families.push((property.mix.id.to_owned(), cases));
    }
    Ok(families)
}

/// A case for each correct variant of the reference, and the property that it is about.
pub fn of_variants() -> Result<Families, Box<dyn Error>> {
    let mut cases = Vec::new();
    for variant in variants::all() {
        let bench = bench(Revision::R3, Switches::parse([variant.key])?)?;
        for (number, property) in (0..).zip(["searches", "transcripts", "plugins", "providers"]) {
            let found = properties().find(|other| other.mix.id == property);
            let property = found.ok_or("a property is called otherwise")?;
            let case = generated(&bench, property, number)?;
            let name = format!("{}: {}", variant.key, property.mix.id);
            cases.extend(recorded(&bench, &name, &case)?);
        }
    }
    Ok(vec![("variants".to_owned(), cases)])
}

/// A session that shows each fault, a family for each family of clauses.
pub fn of_faults() -> Result<Families, Box<dyn Error>> {
    let mut families = Families::new();
    for fault in all() {
        let clause = fault.clauses.first().copied().unwrap_or_default();
        let family = format!("faults-{}", clause.split('.').next().unwrap_or_default());
        let Some(case) = shown(fault)? else {
            eprintln!("{}: nothing was found", fault.key);
            continue;
        };
        match families.iter_mut().find(|(known, _)| *known == family) {
            Some((_, kept)) => kept.push(case),
            None => families.push((family, vec![case])),
        }
    }
    Ok(families)
}

/// The first generated session that shows a fault, made somewhat smaller.
fn shown(fault: &Fault) -> Result<Option<Recorded>, Box<dyn Error>> {
    let bench = bench(Revision::R3, Switches::parse([fault.key])?)?;
    let breaks = |case: &Case| {
        bench.play(case).is_ok_and(|played| {
            fault.clauses.iter().any(|clause| played.judgement.breaks(&(*clause).into()))
        })
    };
    for number in 0..TRIED {
        for property in properties() {
            let case = generated(&bench, property, number)?;
            if !breaks(&case) {
                continue;
            }
            let profile = &bench.config().profile;
            let plainest = setting(profile, &bench.describe()?).plainest_mode();
            let tree = SessionTree::new(case.session.clone(), plainest);
            let smaller = smallest(tree, EVALUATIONS, |session| {
                breaks(&Case { session: session.clone(), variants: case.variants.clone() })
            });
            let case = Case { session: smaller.value, variants: case.variants };
            return recorded(&bench, fault.key, &case);
        }
    }
    Ok(None)
}

/// The case of a property by its number.
fn generated(bench: &Bench, property: Property, number: u64) -> Result<Case, Box<dyn Error>> {
    let runtime = bench.describe()?;
    let kinds = kinds(&runtime);
    let strategy = property.mix.strategy(&setting(&bench.config().profile, &runtime));
    let mut session = sample(&strategy, master(7, property.mix.id), number)?;
    session.provider = of_case(number, &kinds);
    // The turns of variants go round with those of the kinds.
    let mut case = property.case(number * kinds.len() as u64, session, &kinds);
    if property.mix.id == "growth" {
        case.variants = if number.is_multiple_of(8) { GROWTH.to_vec() } else { Vec::new() };
    }
    Ok(case)
}

fn recorded(bench: &Bench, name: &str, case: &Case) -> Result<Option<Recorded>, Box<dyn Error>> {
    bench.fresh();
    let played = bench.play(case)?;
    let recorded = Recorded {
        name: name.to_owned(),
        profile: bench.config().profile.id.clone(),
        trace: played.base,
        variants: played.variants,
    };
    Ok((serde_json::to_string(&recorded)?.len() <= LONGEST).then_some(recorded))
}

fn bench(revision: Revision, switches: Switches) -> Result<Bench, Box<dyn Error>> {
    let profile = Profile::named(&format!("nib-{revision}"))?;
    let subject = Subject::Reference { revision, switches };
    let config = Config { seed: 7, info: true, ..Config::new(subject, "the reference", profile) };
    Ok(Bench::new(Arc::new(config))?)
}
