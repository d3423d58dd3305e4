//! What was played, as it would have been recorded on the way.

#![allow(dead_code, reason = "each test file uses its part of it")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use tacit_contract::event::ClauseResult;
use tacit_contract::trace::Answered;
use tacit_contract::{Event, Mode, Profile, Seen, Tool, Trace};
use tacit_suite::check::{Check, check};

/// The status of an answer: an answer that broke off had none that tells.
fn status(answer: &Answered) -> u16 {
    match answer {
        Answered::Failure { failure } => failure.status().unwrap_or(200),
        Answered::Refused => 400,
        Answered::NotFound => 404,
        Answered::Calls { .. } | Answered::Text | Answered::Withheld => 200,
    }
}

/// The requests of a trace as a HAR file, with all that a client sends beside.
pub fn har(trace: &Trace) -> Value {
    let entries = trace.log.iter().filter_map(|entry| match &entry.seen {
        Seen::Requested(request) => Some(json!({
            "startedDateTime": "2026-12-02T00:00:00Z",
            "request": {
                "method": "POST",
                "url": format!("https://provider.test{}?key=k3y-in-the-query", request.path),
                "headers": [{"name": "Authorization", "value": "Bearer s3cret-of-a-header"}],
                "postData": {"mimeType": "application/json", "text": &*request.body},
            },
            "response": {"status": status(&request.answer), "content": {"text": "{}"}},
        })),
        _ => None,
    });
    json!({"log": {"version": "1.2", "entries": entries.collect::<Vec<_>>()}})
}

/// The same as a log of bodies, one a line.
pub fn log(trace: &Trace) -> String {
    let mut text = String::new();
    for entry in &trace.log {
        if let Seen::Requested(request) = &entry.seen {
            let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
            writeln!(text, "{}", json!({"path": request.path, "body": body})).unwrap();
        }
    }
    text
}

/// What the clauses come to in the check of a file.
pub fn checked(path: PathBuf, mode: Mode, registry: Option<Vec<Tool>>) -> Vec<ClauseResult> {
    let asked = Check {
        files: vec![path],
        kind: None,
        profile: Profile::named("nib-r3").unwrap(),
        mode,
        registry: registry.map(Arc::new),
        strict: false,
        started_at: 0,
    };
    let mut results = Vec::new();
    let heard = &mut |event| {
        if let Event::ClauseJudged(result) = event {
            results.push(result);
        }
    };
    check(&asked, heard).unwrap();
    results
}

/// The registry of a trace in which it never changes, and its mode.
pub fn steady(trace: &Trace) -> Option<(Vec<Tool>, Mode)> {
    let mut opened = trace.log.iter().filter_map(|entry| match &entry.seen {
        Seen::Opened { tools, mode, .. } => Some((tools, *mode)),
        _ => None,
    });
    let (tools, mode) = opened.next()?;
    let changes = trace.log.iter().any(|entry| {
        matches!(
            entry.seen,
            Seen::ToolsSet { .. } | Seen::ModeSet { .. } | Seen::RegisteredLate { .. }
        )
    });
    let same = opened.all(|(other, now)| other == tools && now == mode);
    let one = trace.log.iter().all(|entry| entry.session == trace.log[0].session);
    (same && one && !changes).then(|| ((**tools).clone(), mode))
}
