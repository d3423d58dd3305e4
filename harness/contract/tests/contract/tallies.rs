//! The tallies of shards add up to that of the run.

use quickcheck::{Arbitrary, Gen, QuickCheck};
use tacit_contract::case::Case;
use tacit_contract::protocol::Api;
use tacit_contract::runtime::RuntimeError;
use tacit_contract::tally::{Counts, InScenario, Outcome, Place, Tally, Trouble};
use tacit_contract::verdict::{Breach, Judgement, Measure};
use tacit_contract::{ClauseId, PropertyId, Session};

use crate::some::session;

const CLAUSES: [&str; 3] = ["search.exact", "search.at-most-four", "initial.minimal"];

/// What was played at one place of a run, by one of eight machines.
#[derive(Debug, Clone)]
struct Played {
    machine: usize,
    place: Place,
    api: Api,
    judgement: Judgement,
    labels: bool,
    counts: Counts,
    trouble: Option<Trouble>,
}

fn few(g: &mut Gen, limit: u64) -> u64 {
    u64::arbitrary(g) % limit
}

impl Arbitrary for Played {
    fn arbitrary(g: &mut Gen) -> Self {
        let clause = ClauseId::from(*g.choose(&CLAUSES).unwrap());
        let number = few(g, 40);
        let place = match few(g, 4) {
            0 => Place::Corpus { number },
            1 => Place::Scenario { feature: "a.feature".to_owned(), line: usize::arbitrary(g) % 9 },
            property => {
                Place::Property { place: u32::try_from(property).unwrap_or_default(), number }
            }
        };
        let breach = |tool: &str| Breach {
            clause: clause.clone(),
            session: "session-1".into(),
            entry: 3,
            prompt: 1,
            request: 2,
            tool: None,
            found: format!("{tool} is missing at {place:?}"),
        };
        let mut judgement = Judgement::default();
        judgement.exercised.insert(clause.clone(), few(g, 5));
        judgement.measures.insert(clause.clone(), Measure { part: few(g, 4), whole: few(g, 9) });
        let readings = judgement.readings.entry("order".to_owned()).or_default();
        readings.insert(["last", "first"][usize::from(bool::arbitrary(g))].to_owned(), few(g, 3));
        if few(g, 3) == 0 {
            judgement.breaches.push(breach("weather"));
        }
        if few(g, 3) == 0 {
            judgement.undecided.insert(clause.clone(), format!("reason {}", few(g, 3)));
        }
        let trouble = match few(g, 6) {
            0 => Some(Trouble::Passing(format!("trouble {}", few(g, 3)))),
            1 => Some(Trouble::Fatal(RuntimeError::Crashed {
                during: "prompt".to_owned(),
                status: format!("exit status: {}", few(g, 2)),
                log: format!("line {}", few(g, 3)),
            })),
            _ => None,
        };
        Self {
            machine: usize::arbitrary(g) % 8,
            place,
            api: *g.choose(&[Api::OpenaiChat, Api::AnthropicMessages]).unwrap(),
            judgement,
            labels: bool::arbitrary(g),
            counts: Counts { sessions: 1, prompts: few(g, 6), requests: few(g, 9) },
            trouble,
        }
    }
}

/// A case that says where it was played, so that one is told from another.
fn case(place: &Place) -> Case {
    let seed = match place {
        Place::Property { number, .. } => *number,
        _ => 0,
    };
    Case { session: Session { seed, ..session(Vec::new(), Vec::new()) }, variants: Vec::new() }
}

fn add(tally: &mut Tally, played: Played) {
    let Played { place, api, judgement, labels, counts, trouble, .. } = played;
    let case = case(&place);
    if let Place::Scenario { .. } = &place {
        tally.counts.add(counts);
        for breach in judgement.breaches.clone() {
            let case = Some(case.clone());
            tally.fails_in(InScenario { scenario: "A".into(), place: place.clone(), breach, case });
        }
        return tally.seen(api, judgement, trouble);
    }
    let labels = labels.then(|| vec!["searches", "restarts"]);
    let case = (!judgement.breaches.is_empty()).then_some(case);
    let property = match &place {
        Place::Property { place, .. } => PropertyId::from(format!("property-{place}")),
        _ => PropertyId::from("corpus"),
    };
    tally.add(&property, Outcome { place, api, case, judgement, labels, counts, trouble });
}

#[test]
fn whatever_machine_plays_what_their_tallies_add_up_to_that_of_one_run() {
    fn law(mut all: Vec<Played>, turn: usize) -> bool {
        // One check plays at one place once.
        all.sort_by(|a, b| a.place.cmp(&b.place));
        all.dedup_by(|a, b| a.place == b.place);
        let mut whole = Tally::default();
        let mut parts = vec![Tally::default(); 8];
        for played in all {
            add(&mut parts[played.machine], played.clone());
            add(&mut whole, played);
        }
        let mut merged = Tally::default();
        parts.rotate_left(turn % 8);
        for part in parts {
            merged.merge(part);
        }
        merged == whole
    }
    QuickCheck::new().tests(300).quickcheck(law as fn(Vec<Played>, usize) -> bool);
}
