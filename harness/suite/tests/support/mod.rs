//! What the tests of the suite share: a run on the reference, and its events.

#![allow(dead_code, reason = "each test file uses its part of it")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

pub mod recorded;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tacit_contract::event::{ClauseResult, Counterexample};
use tacit_contract::{ClauseId, Event, Profile, Revision, Trace, Verdict};
use tacit_generators::runner::{master, sample};
use tacit_reference::Switches;
use tacit_suite::bench::Bench;
use tacit_suite::property::{properties, setting};
use tacit_suite::{Command, Config, Exit, Protocol, Subject, run};

/// The settings of a small run, with its corpus in a folder of its own.
pub fn config(subject: Subject, profile: &str, cases: u32, corpus: &Path) -> Config {
    Config {
        cases,
        seed: 7,
        jobs: 2,
        corpus: corpus.to_owned(),
        ..Config::new(subject, "the runtime of a test", Profile::named(profile).unwrap())
    }
}

/// The reference of a revision, with faults.
pub fn reference(revision: Revision, faults: &[&str]) -> Subject {
    Subject::Reference { revision, switches: Switches::parse(faults).unwrap() }
}

/// A program that speaks the protocol.
pub fn program(words: &[&str]) -> Subject {
    Subject::Stdio(Command {
        protocol: Protocol::Adapter,
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        environment: Vec::new(),
        directory: None,
    })
}

/// A run, and all that it said.
pub struct Ran {
    /// How it ended.
    pub exit: Exit,
    /// Its events.
    pub events: Vec<Event>,
}

/// Runs a configuration.
pub fn ran(config: Config) -> Ran {
    let mut events = Vec::new();
    let exit = run(config, &AtomicBool::new(false), &mut |event| events.push(event)).unwrap();
    Ran { exit, events }
}

impl Ran {
    /// The clauses, as judged.
    pub fn clauses(&self) -> impl Iterator<Item = &ClauseResult> {
        self.events.iter().filter_map(|event| match event {
            Event::ClauseJudged(result) => Some(result),
            _ => None,
        })
    }

    /// The clauses of a verdict.
    pub fn with(&self, verdict: Verdict) -> BTreeSet<ClauseId> {
        self.clauses().filter(|c| c.verdict == verdict).map(|c| c.id.clone()).collect()
    }

    /// The counterexample of a clause.
    pub fn counterexample(&self, clause: &str) -> Option<&Counterexample> {
        self.events.iter().find_map(|event| match event {
            Event::CounterexampleFound(found) if found.clause == clause => Some(found),
            _ => None,
        })
    }

    /// Every failing clause, with what was found: what a test prints when it fails.
    pub fn failures(&self) -> String {
        let failing = self.clauses().filter(|clause| clause.verdict != Verdict::Pass);
        let lines = failing.map(|clause| {
            let reason = clause.reason.clone().unwrap_or_default();
            format!("{} {:?}: {reason}", clause.id, clause.verdict)
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The traces of some sessions of every property, as the reference plays them. How large a
/// registry is makes no difference to laws but in time: large ones are left out.
pub fn traces(faults: &[&str], seed: u64, each: u64) -> Vec<Trace> {
    let config = config(reference(Revision::R3, faults), "nib-r3", 0, Path::new("nowhere"));
    let bench = Bench::new(Arc::new(config)).unwrap();
    let setting = setting(&bench.config().profile, &bench.describe().unwrap());
    let mut traces = Vec::new();
    for property in properties() {
        let strategy = property.mix.strategy(&setting);
        for number in 0..each {
            let session = sample(&strategy, master(seed, property.mix.id), number).unwrap();
            if session.bulk.count <= 20 {
                traces.push(bench.block_on(bench.theatre().play(&session)).unwrap());
            }
        }
    }
    assert!(traces.iter().all(|trace| trace.cut_short.is_none()));
    traces
}
