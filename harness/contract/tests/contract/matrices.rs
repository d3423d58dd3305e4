//! Kill matrices: when they hold, and what they are short of.

use tacit_contract::Level;
use tacit_contract::matrix::{
    Blamed, CheckKind, Kill, MATRIX_VERSION, Matrix, REPETITIONS, Tried, WithoutFault,
};

fn kill(reproduced: u32, without_fault: WithoutFault) -> Kill {
    Kill {
        clause: "search.row".into(),
        check: "searches".to_owned(),
        by: CheckKind::Property,
        cases: 3,
        time_to_kill_ms: 1,
        session_length: 2,
        reproduced,
        without_fault,
    }
}

fn tried(key: &str, killed: bool) -> Tried {
    Tried {
        key: key.to_owned(),
        seen_in: Vec::new(),
        level: Level::Must,
        clauses: vec!["search.row".into()],
        killed,
        killed_by: Vec::new(),
        cases: 3,
        time_to_kill_ms: None,
        session_length: None,
        shortest_known: None,
    }
}

fn variant(key: &str, blamed: &[&str]) -> Blamed {
    let blamed = blamed.iter().copied().map(Into::into).collect();
    Blamed { key: key.to_owned(), blamed }
}

fn matrix() -> Matrix {
    Matrix {
        schema_version: MATRIX_VERSION,
        tool_version: "0".to_owned(),
        seed: "7".to_owned(),
        cases: 8,
        duration_ms: 1,
        faults: vec![tried("found", true)],
        unproven: Vec::new(),
        variants: vec![variant("fine", &[])],
        interrupted: false,
        exit_code: 0,
    }
}

#[test]
fn a_kill_is_sound_where_it_comes_again_and_the_fault_alone_brings_it() {
    assert!(kill(REPETITIONS, WithoutFault::Keeps).is_sound());
    assert!(kill(REPETITIONS, WithoutFault::NotExercised).is_sound());
    assert!(!kill(REPETITIONS, WithoutFault::Breaks).is_sound());
    assert!(!kill(REPETITIONS - 1, WithoutFault::Keeps).is_sound());
}

#[test]
fn a_matrix_holds_until_a_fault_survives_a_clause_is_unproven_or_a_variant_is_blamed() {
    assert!(matrix().holds());
    let mut lacking = matrix();
    lacking.faults.push(tried("missed", false));
    let survivors: Vec<&str> = lacking.survivors().map(|fault| fault.key.as_str()).collect();
    assert!(survivors == ["missed"] && !lacking.holds());
    let mut unproven = matrix();
    unproven.unproven.push("search.row".into());
    assert!(!unproven.holds());
    let mut alarmed = matrix();
    alarmed.variants.push(variant("blamed", &["search.row"]));
    let alarms: Vec<&str> = alarmed.false_alarms().map(|variant| variant.key.as_str()).collect();
    assert!(alarms == ["blamed"] && !alarmed.holds());
}
