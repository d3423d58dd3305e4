//! Events with anything in them.

use std::collections::BTreeMap;

use quickcheck::{Arbitrary, Gen};
use tacit_contract::event::{
    ClauseResult, Counterexample, Extent, PropertyResult, RunFinished, RunStarted, ScenarioResult,
    StoryLine,
};
use tacit_contract::protocol::Api;
use tacit_contract::runtime::RuntimeError;
use tacit_contract::{Event, Level, Verdict};

use super::{capabilities, finished, missing_tool, started};

/// Any event at all, with text of any kind in it.
#[derive(Debug, Clone)]
pub(crate) struct AnyEvent(pub(crate) Event);

impl Arbitrary for AnyEvent {
    fn arbitrary(g: &mut Gen) -> Self {
        let text = String::arbitrary(g);
        let number = u32::arbitrary(g);
        Self(match u8::arbitrary(g) % 10 {
            0 => Event::RunStarted(RunStarted {
                spec: text,
                seed: u64::arbitrary(g),
                shard: None,
                by_default: bool::arbitrary(g),
                capabilities: bool::arbitrary(g).then(capabilities),
                ..started()
            }),
            1 => Event::ScenarioFinished(ScenarioResult {
                name: text,
                feature: String::arbitrary(g),
                line: usize::arbitrary(g),
                tags: Vec::arbitrary(g),
                verdict: verdict(g),
                duration_ms: u64::arbitrary(g),
                message: Option::arbitrary(g),
                step: Option::arbitrary(g),
                breaches: Vec::new(),
            }),
            2 => Event::PropertyStarted { id: text.into(), cases: number },
            3 => Event::Progress { id: text.into(), done: number },
            4 => Event::PropertyFinished(PropertyResult {
                id: text.into(),
                sentence: String::arbitrary(g),
                clauses: vec![String::arbitrary(g).into()],
                cases: number,
                verdict: verdict(g),
                shrinks: u32::arbitrary(g),
                counterexamples: BTreeMap::from([(
                    String::arbitrary(g).into(),
                    String::arbitrary(g),
                )]),
                duration_ms: u64::arbitrary(g),
                extent: bool::arbitrary(g)
                    .then(|| Extent { depth: number, cases: u64::arbitrary(g) }),
            }),
            5 => Event::CounterexampleFound(Counterexample {
                found_by: text,
                steps: number,
                story: vec![StoryLine {
                    text: String::arbitrary(g),
                    wrong: Option::arbitrary(g),
                    asks: Option::arbitrary(g),
                }],
                ..missing_tool()
            }),
            6 => Event::RuntimeFailed { cause: cause(g, text), cases: number },
            7 => Event::ClauseJudged(ClauseResult {
                id: text.into(),
                level: *g.choose(&[Level::Must, Level::Should, Level::Info]).unwrap(),
                verdict: verdict(g),
                exercised: u64::arbitrary(g),
                exercised_over: BTreeMap::from([(Api::OpenaiChat, u64::arbitrary(g))]),
                claimed: bool::arbitrary(g),
                reason: Option::arbitrary(g),
                because: bool::arbitrary(g).then(|| String::arbitrary(g).into()),
                reading: Option::arbitrary(g),
                reproduced: Option::arbitrary(g),
                counterexamples: Vec::arbitrary(g),
            }),
            8 => Event::Forecast {
                id: text.into(),
                extent: Extent { depth: number, cases: u64::arbitrary(g) },
                duration_ms: u64::arbitrary(g),
            },
            _ => Event::RunFinished(RunFinished {
                // A share that no short decimal fraction can stand for.
                coverage: BTreeMap::from([(text, f64::from(number) / f64::from(u32::MAX))]),
                sessions: u64::arbitrary(g),
                interrupted: bool::arbitrary(g),
                ..finished(bool::arbitrary(g), u8::arbitrary(g))
            }),
        })
    }
}

fn verdict(g: &mut Gen) -> Verdict {
    *g.choose(&[
        Verdict::Pass,
        Verdict::Fail,
        Verdict::Warn,
        Verdict::NotExercised,
        Verdict::NotApplicable,
        Verdict::ExpectedFailure,
        Verdict::Error,
    ])
    .unwrap()
}

fn cause(g: &mut Gen, text: String) -> RuntimeError {
    let log = String::arbitrary(g);
    match u8::arbitrary(g) % 4 {
        0 => RuntimeError::NotStarted { problem: text },
        1 => RuntimeError::Hung { during: text, limit_ms: u64::arbitrary(g), log },
        2 => RuntimeError::Failed { code: i64::arbitrary(g), message: text },
        _ => RuntimeError::Busy,
    }
}
