//! What is known beside a made-up run.

use tacit_contract::matrix::{
    Blamed, CheckKind, Kill, MATRIX_VERSION, Matrix, Tried, WithoutFault,
};
use tacit_contract::table::{Cell, Column, Row, Table, Totals};
use tacit_contract::{Level, Revision, Verdict};

use crate::background::{Background, Fault};

/// All that can be known.
pub(crate) fn background() -> Background {
    let fault = Fault {
        key: "no-restore".to_owned(),
        clauses: vec!["restore.use-evidence".into()],
        seen_in: vec!["owner/name #7".to_owned()],
        does: "brings back a mere half".to_owned(),
    };
    Background {
        faults: vec![fault],
        matrix: Some(matrix()),
        table: Some(table()),
        ..Background::default()
    }
}

/// A fault that was found, one that survived, and a variant that was blamed.
pub(crate) fn matrix() -> Matrix {
    let kill = |by, check: &str| Kill {
        clause: "restore.use-evidence".into(),
        check: check.to_owned(),
        by,
        cases: 3,
        time_to_kill_ms: 35,
        session_length: 2,
        reproduced: 3,
        without_fault: WithoutFault::Keeps,
    };
    let tried = |key: &str, killed_by: Vec<Kill>| Tried {
        key: key.to_owned(),
        seen_in: vec!["owner/name #7".to_owned()],
        level: Level::Must,
        clauses: vec!["restore.use-evidence".into()],
        killed: !killed_by.is_empty(),
        cases: 3,
        time_to_kill_ms: killed_by.first().map(|kill| kill.time_to_kill_ms),
        session_length: killed_by.first().map(|kill| kill.session_length),
        shortest_known: Some(2),
        killed_by,
    };
    let found = vec![
        kill(CheckKind::Scenario, "restore.feature:21"),
        kill(CheckKind::Property, "sessions"),
    ];
    Matrix {
        schema_version: MATRIX_VERSION,
        tool_version: "0.1.0".to_owned(),
        seed: "00000007".to_owned(),
        cases: 256,
        duration_ms: 41_000,
        faults: vec![tried("no-restore", found), tried("survivor", Vec::new())],
        unproven: vec!["search.at-most-four".into()],
        variants: vec![Blamed {
            key: "sorted".to_owned(),
            blamed: vec!["reset.each-prompt".into()],
        }],
        interrupted: false,
        exit_code: 1,
    }
}

/// Two runtimes, one of which breaks a clause.
pub(crate) fn table() -> Table {
    let column = |name: &str, kept| Column {
        spec: name.to_owned(),
        name: name.to_owned(),
        version: "1.2.3".to_owned(),
        capabilities: None,
        profile: "nib-r3".to_owned(),
        revision: Revision::R3,
        tested: true,
        conforms: kept == 1,
        totals: Totals { judged: 1, kept, ..Totals::default() },
        failures: Vec::new(),
        sessions: 12,
        exit_code: 0,
    };
    let cell = |verdict, reading: Option<&str>| {
        Some(Cell {
            verdict,
            exercised: 3,
            claimed: true,
            reason: None,
            reading: reading.map(str::to_owned),
            counterexamples: Vec::new(),
        })
    };
    let row = Row {
        id: "restore.use-evidence".into(),
        level: Level::Must,
        differs: true,
        reads_otherwise: false,
        cells: vec![cell(Verdict::Pass, Some("of all prompts (3)")), cell(Verdict::Fail, None)],
    };
    Table { runtimes: vec![column("one", 1), column("other", 0)], clauses: vec![row] }
}
