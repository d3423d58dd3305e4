//! Judgements are added up, and counterexamples that do not hold are told.

use tacit_contract::event::Counterexample;
use tacit_contract::{Breach, Judgement, Measure};

fn breach(clause: &str) -> Breach {
    Breach {
        clause: clause.into(),
        session: "session-1".into(),
        entry: 3,
        prompt: 1,
        request: 1,
        tool: None,
        found: "it is missing".to_owned(),
    }
}

fn judgement(clause: &str) -> Judgement {
    Judgement {
        exercised: [(clause.into(), 3), ("search.row".into(), 2)].into(),
        breaches: vec![breach(clause)],
        readings: [("marker".to_owned(), [("new".to_owned(), 3)].into())].into(),
        measures: [(clause.into(), Measure { part: 1, whole: 8 })].into(),
        undecided: [(clause.into(), "who knows".to_owned())].into(),
        errors: [(clause.into(), "it crashed".to_owned())].into(),
    }
}

#[test]
fn what_two_cases_show_is_added_up() {
    let mut both = judgement("initial.core");
    both.add(judgement("search.exact"));
    let counts: Vec<_> = both.exercised.iter().map(|(id, n)| (id.as_str(), *n)).collect();
    assert_eq!(counts, [("initial.core", 3), ("search.exact", 3), ("search.row", 4)]);
    assert_eq!(both.readings["marker"]["new"], 6);
    assert_eq!((both.breaches.len(), both.undecided.len(), both.errors.len()), (2, 2, 2));
    let mut twice = judgement("initial.core");
    twice.add(judgement("initial.core"));
    assert_eq!(twice.exercised["initial.core"], 6);
    assert_eq!(twice.measures["initial.core"], Measure { part: 2, whole: 16 });
}

#[test]
fn a_part_is_told_in_hundredths_rounded_down_and_of_nothing_not_at_all() {
    let percent = |part, whole| Measure { part, whole }.percent();
    assert_eq!([percent(1, 8), percent(2, 3), percent(5, 5)], [Some(12), Some(66), Some(100)]);
    assert_eq!(percent(0, 0), None);
}

#[test]
fn a_judgement_breaks_the_clauses_of_its_breaches() {
    let it = judgement("initial.core");
    assert!(it.breaks(&"initial.core".into()));
    assert!(!it.breaks(&"search.row".into()));
    assert!(!Judgement::default().breaks(&"initial.core".into()));
}

#[test]
fn a_counterexample_that_failed_less_than_each_time_is_flaky() {
    let reproduced = |reproduced| Counterexample {
        clause: "initial.core".into(),
        found_by: "sessions".to_owned(),
        steps_before: 9,
        steps: 1,
        reproduced,
        data: String::new(),
        feature: String::new(),
        story: Vec::new(),
        timeline: Vec::new(),
        breach: breach("initial.core"),
    };
    assert_eq!([0, 2, 3].map(|times| reproduced(times).is_flaky()), [true, true, false]);
}
