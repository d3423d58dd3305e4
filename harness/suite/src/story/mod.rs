//! A counterexample's story: what happened, step by step, up to what is wrong.

mod calls;
mod events;
mod seeds;

use tacit_contract::event::StoryLine;
use tacit_contract::trace::RequestClass;
use tacit_contract::{Breach, Profile, ProviderKind, Seen, ToolName, Trace};
use tacit_judge::Account;

use calls::answer;
use events::{event, opened, quiet};
use seeds::seed;

/// Tells a trace up to the entry that shows a breach.
#[must_use]
pub fn story(profile: &Profile, trace: &Trace, breach: &Breach) -> Vec<StoryLine> {
    let account = Account::new(profile, trace);
    let mut lines: Vec<StoryLine> = trace
        .session
        .seeds()
        .map(|turn| line(format!("the transcript holds {}", seed(turn))))
        .collect();
    let mut provider = ProviderKind::PLAINEST;
    for (entry, seen) in trace.log.iter().enumerate() {
        let beside = seen.session != trace.log[0].session;
        let text = match &seen.seen {
            Seen::Requested(_) => request(&account, entry),
            Seen::Opened { from, api, native, .. } if !beside => {
                let kind = ProviderKind { api: *api, native: *native };
                let before = std::mem::replace(&mut provider, kind);
                opened(from, (kind != before).then_some(kind))
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

fn line(text: String) -> StoryLine {
    StoryLine { text, wrong: None }
}

/// The line that shows the breach says itself what the request shows.
fn wrong(text: String, breach: &Breach) -> StoryLine {
    let found = breach.found.split("; shown: ").next().unwrap_or_default();
    StoryLine { text, wrong: Some(found.to_owned()) }
}

fn request(account: &Account<'_>, entry: usize) -> Option<String> {
    for session in &account.sessions {
        for prompt in &session.prompts {
            if let Some(request) = prompt.requests.iter().find(|request| request.entry == entry) {
                let again = if request.repeat { " again" } else { "" };
                let answer = answer(&request.raw.answer);
                let shown = request.shown.list();
                return Some(format!("request {}{again} shows: {shown}{answer}", request.number));
            }
        }
        if session.helpers.iter().any(|helper| helper.entry == entry) {
            let stray = account.trace.log.get(entry).is_some_and(|entry| match &entry.seen {
                Seen::Requested(raw) => raw.class == RequestClass::Stray,
                _ => false,
            });
            return (!stray).then(|| "a helper request is sent".to_owned());
        }
    }
    None
}

fn names(names: &[ToolName]) -> String {
    names.iter().map(ToolName::as_str).collect::<Vec<_>>().join(", ")
}
