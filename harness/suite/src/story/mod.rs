//! A counterexample's story: what happened, step by step, up to what is wrong.

mod calls;
mod events;
mod requests;
mod seeds;

use tacit_contract::clause::clause;
use tacit_contract::event::StoryLine;
use tacit_contract::timeline::Point;
use tacit_contract::{Breach, Mode, Profile, ProviderKind, Registry, Seen, ToolName, Trace};
use tacit_judge::Account;

use events::{event, opened, quiet, without_word};
use requests::{few, request};
use seeds::seed;

/// Tells a trace up to the entry that shows a breach.
#[must_use]
pub fn story(profile: &Profile, trace: &Trace, breach: &Breach) -> Vec<StoryLine> {
    let account = Account::new(profile, trace);
    let mut lines: Vec<StoryLine> = setting(profile, trace).map(line).into_iter().collect();
    lines.extend(
        trace.session.seeds().map(|turn| line(format!("the transcript holds {}", seed(turn)))),
    );
    let several = prompts(trace, breach.entry) > 1;
    let mut number = 0;
    let mut provider = trace.session.provider;
    for (entry, seen) in trace.log.iter().enumerate() {
        let beside = seen.session != trace.log[0].session;
        let text = match &seen.seen {
            Seen::Requested(_) => request(&account, entry),
            Seen::Opened { from, api, native, .. } if !beside => {
                let kind = ProviderKind { api: *api, native: *native };
                let before = std::mem::replace(&mut provider, kind);
                opened(from, (kind != before).then_some(kind))
            }
            Seen::Prompted { .. } if several && !beside => {
                number += 1;
                event(&seen.seen).map(|text| format!("prompt {number}: {text}"))
            }
            other => event(other),
        };
        let Some(text) = text else {
            if entry == breach.entry {
                lines.push(wrong(quiet(&seen.seen).to_owned(), breach));
            }
            continue;
        };
        let text = if beside { format!("in another session, {text}") } else { text };
        lines.push(if entry == breach.entry { wrong(text, breach) } else { line(text) });
        if entry >= breach.entry {
            break;
        }
    }
    lines
}

/// The timeline of a trace up to the entry that shows a breach.
#[must_use]
pub fn timeline(profile: &Profile, trace: &Trace, breach: &Breach) -> Vec<Point> {
    let mut points = tacit_judge::timeline::timeline(profile, trace);
    points.retain(|point| point.entry() <= breach.entry);
    for point in &mut points {
        if let Point::Prompt(prompt) = point {
            prompt.text = without_word(&prompt.text).to_owned();
        }
    }
    points
}

/// What the session begins with: its mode, its provider where that is none of the plainest kind,
/// and the tools that are deferred; `None` where it was never opened.
fn setting(profile: &Profile, trace: &Trace) -> Option<String> {
    let Seen::Opened { mode, tools, api, native, .. } = &trace.log.first()?.seen else {
        return None;
    };
    let registry = Registry::new(tools.clone(), profile, &trace.runtime);
    let kind = ProviderKind { api: *api, native: *native };
    let over = if kind.is_plainest() { String::new() } else { format!(" over {kind}") };
    let article = if *mode == Mode::Agent { "an" } else { "a" };
    let deferred: Vec<&ToolName> = registry.deferred(*mode).collect();
    let deferred = few(&deferred).map_or_else(
        || "without deferred tools".to_owned(),
        |names| format!("with the deferred tools {names}"),
    );
    let deferred = if registry.deferred(*mode).count() == 1 {
        deferred.replacen("tools", "tool", 1)
    } else {
        deferred
    };
    Some(format!("{article} {mode} session{over}, {deferred}"))
}

/// How many prompts of the session itself come before an entry.
fn prompts(trace: &Trace, before: usize) -> usize {
    let prompted = |entry: &&tacit_contract::Entry| {
        entry.session == trace.log[0].session && matches!(entry.seen, Seen::Prompted { .. })
    };
    trace.log.iter().take(before.saturating_add(1)).filter(prompted).count()
}

fn line(text: String) -> StoryLine {
    StoryLine { text, wrong: None, asks: None }
}

/// The line that shows the breach says itself what the request shows.
fn wrong(text: String, breach: &Breach) -> StoryLine {
    let found = breach.found.split("; shown: ").next().unwrap_or_default();
    let asks = clause(breach.clause.as_str()).map(|clause| clause.sentence.clone());
    StoryLine { text, wrong: Some(found.to_owned()), asks }
}

fn names(names: &[ToolName]) -> String {
    names.iter().map(ToolName::in_words).collect::<Vec<_>>().join(", ")
}
