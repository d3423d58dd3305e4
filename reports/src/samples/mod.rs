//! Events of made-up runs, for the tests.

mod any;
mod baselined;
mod beside;
mod counterexamples;

use std::collections::BTreeMap;

use tacit_contract::clause::{Need, clauses};
use tacit_contract::event::{
    ClauseResult, Counterexample, PropertyResult, RunFinished, RunStarted, SCHEMA_VERSION,
    ScenarioResult,
};
use tacit_contract::protocol::{Api, Capabilities, CoreTools};
use tacit_contract::runtime::RuntimeError;
use tacit_contract::timeline::{Excess, Point};
use tacit_contract::{Event, Level, Mode, Profile, Revision, Verdict};

pub(crate) use any::AnyEvent;
pub(crate) use baselined::outdated;
pub(crate) use beside::{background, matrix, table};
pub(crate) use counterexamples::missing_tool;

use crate::{Background, Format};
use counterexamples::{broken, counterexample, line, prompt, request};

/// The report of a run, where nothing is known beside it.
pub(crate) fn rendered(format: Format, events: &[Event]) -> String {
    format.render(events, &Background::default()).unwrap()
}

/// One run of each kind.
pub(crate) fn all() -> Vec<Vec<Event>> {
    vec![
        passing(),
        failing(),
        flooded(),
        flaky(),
        crashing(),
        not_started(),
        unexercised(),
        outdated(),
    ]
}

/// Everything is kept, by the reference that nobody asked for.
pub(crate) fn passing() -> Vec<Event> {
    let started = RunStarted {
        spec: "reference".to_owned(),
        by_default: true,
        name: "reference".to_owned(),
        version: "0.1.0".to_owned(),
        ..started()
    };
    run(started, played(Verdict::Pass), judged("nib-r3"), finished(true, 0))
}

/// Some clauses are broken: one with a story, four for one reason, one warned of.
pub(crate) fn failing() -> Vec<Event> {
    let mut clauses = judged("nib-r3");
    change(&mut clauses, "restore.use-evidence", |clause| {
        clause.verdict = Verdict::Fail;
        clause.reproduced = Some(3);
        clause.counterexamples = vec![".tacit/corpus/restore-use-evidence-1.json".to_owned()];
    });
    for id in ["catalog.heading", "catalog.names", "catalog.bounded"] {
        change(&mut clauses, id, |clause| {
            clause.verdict = Verdict::Fail;
            clause.reason = Some("no catalog in any request".to_owned());
        });
    }
    change(&mut clauses, "search.decorated", |clause| {
        clause.verdict = Verdict::Warn;
        clause.exercised = 40;
        clause.reason = Some("a name in backticks was not found".to_owned());
    });
    change(&mut clauses, "restore.ignores-failed", |clause| {
        clause.verdict = Verdict::ExpectedFailure;
        clause.reason = Some("expected by the baseline: fixed in 2.70".to_owned());
    });
    let mut events = played(Verdict::Fail);
    events.push(Event::CounterexampleFound(missing_tool()));
    let mut end = finished(false, 1);
    end.coverage = BTreeMap::from([("five matches".to_owned(), 0.1), ("restart".to_owned(), 0.3)]);
    run(started(), events, clauses, end)
}

/// A clause is broken now and then.
pub(crate) fn flaky() -> Vec<Event> {
    let mut clauses = judged("nib-r3");
    change(&mut clauses, "restore.use-evidence", |clause| {
        clause.verdict = Verdict::Fail;
        clause.reproduced = Some(1);
    });
    let found = Counterexample { reproduced: 1, steps: 19, ..missing_tool() };
    let mut events = played(Verdict::Pass);
    events.push(Event::CounterexampleFound(found));
    run(started(), events, clauses, finished(false, 1))
}

/// The runtime crashes early, and no clause can be judged.
pub(crate) fn crashing() -> Vec<Event> {
    let cause = RuntimeError::Crashed {
        during: "session/open".to_owned(),
        status: "exit status: 1".to_owned(),
        log: "Traceback (most recent call last):\n  File \"agent.py\", line 3\n\
              ModuleNotFoundError: No module named 'agent'\u{1b}[0m"
            .to_owned(),
    };
    let mut clauses = judged("nib-r3");
    for clause in clauses.iter_mut().filter(|clause| clause.verdict == Verdict::Pass) {
        clause.verdict = Verdict::Error;
        clause.exercised = 0;
        clause.reason = Some("the runtime crashed during session/open".to_owned());
    }
    let mut events = played(Verdict::Error);
    events.push(Event::RuntimeFailed { cause, cases: 37 });
    run(started(), events, clauses, finished(false, 1))
}

/// The runtime hung before it said who it is.
pub(crate) fn not_started() -> Vec<Event> {
    let cause =
        RuntimeError::Hung { during: "initialize".to_owned(), limit_ms: 2000, log: String::new() };
    let started = RunStarted {
        spec: "mine".to_owned(),
        name: "mine".to_owned(),
        version: String::new(),
        capabilities: None,
        ..started()
    };
    let finished = RunFinished { sessions: 0, duration_ms: 2003, ..finished(false, 3) };
    run(started, vec![Event::RuntimeFailed { cause, cases: 0 }], Vec::new(), finished)
}

/// Two claimed clauses never got a case.
pub(crate) fn unexercised() -> Vec<Event> {
    let mut clauses = judged("nib-r1");
    for id in ["provider.retry", "isolation.sessions"] {
        change(&mut clauses, id, |clause| {
            clause.verdict = Verdict::NotExercised;
            clause.exercised = 0;
        });
    }
    let started = RunStarted { profile: "nib-r1".to_owned(), revision: Revision::R1, ..started() };
    run(started, played(Verdict::Pass), clauses, finished(false, 4))
}

fn run(
    started: RunStarted,
    played: Vec<Event>,
    clauses: Vec<ClauseResult>,
    finished: RunFinished,
) -> Vec<Event> {
    let mut events = vec![Event::RunStarted(started)];
    events.extend(played);
    events.extend(clauses.into_iter().map(Event::ClauseJudged));
    events.push(Event::RunFinished(finished));
    events
}

fn started() -> RunStarted {
    RunStarted {
        schema_version: SCHEMA_VERSION,
        tool_version: "0.1.0".to_owned(),
        spec: "stdio:python3 adapter.py".to_owned(),
        by_default: false,
        name: "pydantic-ai".to_owned(),
        version: "2.68.0".to_owned(),
        capabilities: Some(capabilities()),
        profile: "nib-r3".to_owned(),
        revision: Revision::R3,
        seed: 0x4f1c_09aa,
        shard: None,
        started_at: 1_796_376_600,
        cases: 256,
        scenarios: 2,
        properties: vec!["sessions".into(), "searches".into()],
        apis: vec![Api::OpenaiChat],
    }
}

fn capabilities() -> Capabilities {
    Capabilities {
        provider_apis: vec![Api::OpenaiChat],
        native_deferral: Vec::new(),
        modes: vec![Mode::Agent],
        core_tools: CoreTools::Given,
        concurrent: false,
        activity: false,
        transcript: true,
        abort: false,
        set_mode: false,
        set_tools: true,
        compact: false,
    }
}

fn played(verdict: Verdict) -> Vec<Event> {
    let broken = verdict != Verdict::Pass;
    let scenario = |line, name: &str, verdict: Verdict| {
        Event::ScenarioFinished(ScenarioResult {
            name: name.to_owned(),
            feature: "features/restore.feature".to_owned(),
            line,
            tags: vec!["family:restore".to_owned(), "clause:restore.use-evidence".to_owned()],
            verdict,
            duration_ms: 12,
            message: (verdict != Verdict::Pass).then(|| "acme_weather is not shown".to_owned()),
            step: (verdict != Verdict::Pass)
                .then(|| "Then the first request shows \"acme_weather\"".to_owned()),
            breaches: Vec::new(),
        })
    };
    let property = |id: &str, sentence: &str, verdict: Verdict| {
        Event::PropertyFinished(PropertyResult {
            id: id.into(),
            sentence: sentence.to_owned(),
            clauses: vec!["initial.core".into(), "restore.use-evidence".into()],
            cases: 256,
            verdict,
            shrinks: if broken { 52 } else { 0 },
            counterexamples: BTreeMap::new(),
            duration_ms: 4_300,
            extent: None,
        })
    };
    vec![
        scenario(21, "A used tool is restored", verdict),
        scenario(12, "A tool that was found is still there at the next prompt", Verdict::Pass),
        Event::PropertyStarted { id: "sessions".into(), cases: 256 },
        Event::Progress { id: "sessions".into(), done: 128 },
        property("sessions", "random sessions keep every clause", verdict),
        Event::PropertyStarted { id: "searches".into(), cases: 256 },
        property("searches", "random searches activate what they must", Verdict::Pass),
    ]
}

/// Everything that is deferred is sent at once, and much else is broken by that.
pub(crate) fn flooded() -> Vec<Event> {
    let mut clauses = judged("nib-r3");
    for (id, found) in [
        ("initial.minimal", "acme_weather is shown in the first request"),
        ("activation.not-before", "acme_weather is shown before there is any evidence for it"),
        ("restore.ignores-failed", "acme_tickets is shown, though its only evidence failed"),
    ] {
        change(&mut clauses, id, |clause| {
            clause.verdict = Verdict::Fail;
            clause.reason = Some(found.to_owned());
            clause.because = (id != "initial.minimal").then(|| "initial.minimal".into());
        });
    }
    let mut request = request(&["read", "search_tools", "acme_tickets", "acme_weather"]);
    request.excess = ["acme_tickets", "acme_weather"]
        .map(|tool| Excess { tool: tool.into(), though: Vec::new() })
        .to_vec();
    let found = "acme_tickets is shown in the first request";
    let minimal = Counterexample {
        story: vec![
            line("an agent session, with the deferred tools acme_tickets, acme_weather"),
            line("the user asks \"anything\""),
            broken(
                "request 1 shows: read, search_tools, acme_tickets, acme_weather",
                found,
                "initial.minimal",
            ),
        ],
        timeline: vec![prompt(), Point::Request(request)],
        ..counterexample("initial.minimal", "acme_tickets", found)
    };
    run(started(), vec![Event::CounterexampleFound(minimal)], clauses, finished(false, 1))
}

/// Every clause, as a conforming runtime of a profile comes out.
fn judged(profile: &str) -> Vec<ClauseResult> {
    let profile = Profile::named(profile).unwrap();
    clauses()
        .iter()
        .map(|clause| {
            let not_claimed = profile.why_not_claimed(clause);
            // What the samples' runtime lacks, as far as any must clause needs it.
            let lacks = clause.needs.iter().find_map(|need| match need {
                Need::NativeDeferral => Some("the runtime has no native deferral".to_owned()),
                Need::SeveralApis => Some("one API alone is used".to_owned()),
                _ => None,
            });
            // Samples stay as they are, whatever else is judged some day.
            let beside = (clause.level != Level::Must)
                .then(|| "only the must clauses are judged so far".to_owned());
            let reason = not_claimed.clone().or(lacks).or(beside);
            let verdict = if reason.is_some() { Verdict::NotApplicable } else { Verdict::Pass };
            ClauseResult {
                id: clause.id.clone(),
                level: clause.level,
                verdict,
                exercised: if reason.is_some() { 0 } else { 212 },
                exercised_over: BTreeMap::new(),
                claimed: not_claimed.is_none(),
                reason,
                because: None,
                reading: (clause.id == *"search.exact").then(|| "alone".to_owned()),
                reproduced: None,
                counterexamples: Vec::new(),
            }
        })
        .collect()
}

fn change(clauses: &mut [ClauseResult], id: &str, how: impl FnOnce(&mut ClauseResult)) {
    how(clauses.iter_mut().find(|clause| clause.id == *id).unwrap());
}

fn finished(conforms: bool, exit_code: u8) -> RunFinished {
    RunFinished {
        duration_ms: 41_210,
        sessions: 2_816,
        prompts: 6_004,
        requests: 15_377,
        coverage: BTreeMap::new(),
        conforms,
        exit_code,
        narrowed: false,
        interrupted: false,
        baseline: None,
    }
}
