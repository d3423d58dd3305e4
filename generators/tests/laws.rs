//! Laws of the contract's plain code, by quickcheck over the same values.

use std::collections::BTreeSet;

use quickcheck::{Arbitrary, Gen, QuickCheck};
use tacit_contract::protocol::Dialect;
use tacit_contract::session::SeedTurn;
use tacit_contract::{Mode, Query, Row, Session, Step, ToolSpec};
use tacit_generators::Any;
use tacit_generators::coverage::{LABELS, labels};

fn check<T: quickcheck::Testable>(law: T) {
    QuickCheck::new()
        .rng(Gen::from_size_and_seed(40, 20))
        .tests(400)
        .max_tests(400)
        .min_tests_passed(400)
        .quickcheck(law);
}

fn comes_back<T>(value: &T) -> bool
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq,
{
    let text = serde_json::to_string(value);
    text.is_ok_and(|text| serde_json::from_str::<T>(&text).is_ok_and(|back| back == *value))
}

#[test]
fn every_value_comes_back_from_its_json() {
    check((|Any(session)| comes_back(&session)) as fn(Any<Session>) -> bool);
    check((|Any(step)| comes_back(&step)) as fn(Any<Step>) -> bool);
    check((|Any(query)| comes_back(&query)) as fn(Any<Query>) -> bool);
    check((|Any(turn)| comes_back(&turn)) as fn(Any<SeedTurn>) -> bool);
    check((|Any(tool)| comes_back(&tool)) as fn(Any<ToolSpec>) -> bool);
}

#[test]
fn each_seeded_call_has_an_id_of_its_own_and_at_most_one_result() {
    check(
        (|Any(session)| {
            let rows = session.seeded_rows(&Dialect::default());
            let mut called = BTreeSet::new();
            let mut answered = BTreeSet::new();
            rows.iter().all(|row| match row {
                Row::Assistant { tool_calls, .. } => {
                    tool_calls.iter().all(|call| called.insert(call.id.clone()))
                }
                Row::ToolResult { call_id, .. } => answered.insert(call_id.clone()),
                Row::User { .. } | Row::Checkpoint { .. } => true,
            })
        }) as fn(Any<Session>) -> bool,
    );
}

#[test]
fn each_seeded_turn_begins_with_a_prompt_that_no_other_turn_has() {
    check(
        (|Any(session)| {
            let rows = session.seeded_rows(&Dialect::default());
            let prompts: Vec<&String> = rows
                .iter()
                .filter_map(|row| match row {
                    Row::User { text } => Some(text),
                    _ => None,
                })
                .collect();
            let distinct: BTreeSet<_> = prompts.iter().collect();
            prompts.len() == session.seeds().count() && distinct.len() == prompts.len()
        }) as fn(Any<Session>) -> bool,
    );
}

#[test]
fn labels_are_of_the_list_in_its_order_and_each_once() {
    check(
        (|Any(session)| {
            let found = labels(&session);
            let mut all = LABELS.iter();
            found.iter().all(|label| all.any(|other| other == label)) && found == labels(&session)
        }) as fn(Any<Session>) -> bool,
    );
}

#[test]
fn what_is_smaller_differs_and_adds_nothing() {
    check(
        (|Any(session)| {
            Any(session.clone()).shrink().take(60).all(|Any(smaller)| {
                smaller != session
                    && smaller.steps.len() <= session.steps.len()
                    && smaller.tools.len() <= session.tools.len()
                    && smaller.bulk.count <= session.bulk.count
            })
        }) as fn(Any<Session>) -> bool,
    );
}

#[test]
fn every_value_shrinks_to_an_end() {
    fn ends<T: Arbitrary>(mut value: T) -> bool {
        for _ in 0..5000 {
            match value.shrink().next() {
                Some(smaller) => value = smaller,
                None => return true,
            }
        }
        false
    }
    check(ends as fn(Any<Session>) -> bool);
    check(ends as fn(Any<Step>) -> bool);
    check(ends as fn(Any<Query>) -> bool);
    check(ends as fn(Any<SeedTurn>) -> bool);
    check(ends as fn(Any<ToolSpec>) -> bool);
}

#[test]
fn sessions_for_quickcheck_keep_to_its_size() {
    for seed in 0..50 {
        let mut small = Gen::from_size_and_seed(3, seed);
        assert!(Any::<Session>::arbitrary(&mut small).0.length() <= 3);
        let mut same = Gen::from_size_and_seed(3, seed);
        let mut again = Gen::from_size_and_seed(3, seed);
        assert_eq!(Any::<Session>::arbitrary(&mut same), Any::<Session>::arbitrary(&mut again));
    }
}

#[test]
fn a_mode_is_read_back_from_its_name() {
    assert!(Mode::ALL.into_iter().all(|mode| mode.as_str().parse() == Ok(mode)));
}
