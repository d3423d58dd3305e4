//! A counterexample's story: what happened, step by step, up to what is wrong.

use tacit_contract::event::StoryLine;
use tacit_contract::session::{Failure, Moment, Outcome, Past, SeedTurn};
use tacit_contract::trace::{Answered, From, Issued, RequestClass};
use tacit_contract::{Breach, Call, Profile, ProviderKind, Query, Seen, ToolName, Trace};
use tacit_judge::Account;

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

/// What happened at an entry that is told only where it shows a breach.
fn quiet(seen: &Seen) -> &'static str {
    match seen {
        Seen::PromptEnded(_) => "the prompt ends",
        Seen::Opened { .. } => "the session is opened",
        Seen::Transcript { .. } => "the transcript is read",
        _ => "then",
    }
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

fn answer(answered: &Answered) -> String {
    match answered {
        Answered::Calls { calls, .. } => {
            let calls: Vec<String> = calls.iter().map(issued).collect();
            format!("; the model {}", calls.join(", and at once "))
        }
        Answered::Refused => "; the provider refuses it as not well formed".to_owned(),
        Answered::Failure { failure } => format!("; {}", failed(*failure)),
        Answered::Withheld => "; the user stops it".to_owned(),
        Answered::Text | Answered::NotFound => String::new(),
    }
}

fn issued(issued: &Issued) -> String {
    call(&issued.call, &issued.tool)
}

fn call(call: &Call, tool: &ToolName) -> String {
    match call {
        Call::Search { query } => match query {
            Query::Text { text } => format!("searches for {text:?}"),
            Query::Limited { text, limit } => format!("searches for {text:?}, up to {limit}"),
            Query::Missing => "searches without a query".to_owned(),
            Query::Odd { value } => format!("searches with {value} for a query"),
        },
        Call::Use { outcome, .. } => match outcome {
            Outcome::Ok => format!("calls {tool}"),
            Outcome::Error => format!("calls {tool}, which fails"),
            Outcome::Denied => format!("calls {tool}, which is denied"),
        },
        Call::Read => "reads a file".to_owned(),
        Call::NewContext => "starts a new context".to_owned(),
    }
}

fn failed(failure: Failure) -> &'static str {
    match failure {
        Failure::BadRequest => "the provider refuses the request",
        Failure::Unauthorized => "the provider refuses the key",
        Failure::RateLimited => "the provider asks for patience",
        Failure::ServerError => "the provider fails inside",
        Failure::Empty => "the answer is empty",
        Failure::Disconnects => "the connection is cut",
        Failure::Overloaded => "the provider is overloaded",
        Failure::BreaksOff => "the answer breaks off",
    }
}

/// How the session was opened, and its provider where that is another than one would think.
fn opened(from: &From, over: Option<ProviderKind>) -> Option<String> {
    let how = match from {
        From::Nothing | From::SeededRows { .. } => {
            return over.map(|kind| format!("the session is opened over {kind}"));
        }
        From::State { process: true } => "the process ends, and a new one opens the session".into(),
        From::State { process: false } => "the session is saved and opened again".into(),
        From::ExportedRows { .. } => "the session is opened from its rows".into(),
        From::EarlierState { prompts } => format!("the last {prompts} prompts are taken back"),
    };
    Some(over.map_or_else(|| how.clone(), |kind| format!("{how} over {kind}")))
}

fn event(seen: &Seen) -> Option<String> {
    Some(match seen {
        Seen::Opened { from, .. } => return opened(from, None),
        Seen::Prompted { text, .. } => format!("the user asks {:?}", without_word(text)),
        Seen::HostCalled { call, .. } if call.is_tool_call() => {
            let tool = call.tool_name.as_ref().map_or("something", ToolName::as_str);
            format!("the host is asked: {} {tool}", call.method)
        }
        Seen::Aborted => "the user stops the prompt".to_owned(),
        Seen::PromptEnded(end) => {
            end.error.as_ref().map(|error| format!("the prompt ends in error: {error}"))?
        }
        Seen::ModeSet { mode } => format!("the mode changes to {mode}"),
        Seen::ToolsSet { removed, .. } if !removed.is_empty() => {
            format!("a plugin is removed: {}", names(removed))
        }
        Seen::ToolsSet { added, .. } => format!("a plugin is back: {}", names(added)),
        Seen::Compacted => "the session is compacted".to_owned(),
        Seen::Failed { operation, error } => format!("{operation} fails: {error}"),
        Seen::HostCalled { .. } | Seen::Requested(_) | Seen::Closed | Seen::Transcript { .. } => {
            return None;
        }
    })
}

fn names(names: &[ToolName]) -> String {
    names.iter().map(ToolName::as_str).collect::<Vec<_>>().join(", ")
}

/// A prompt without the word that makes it unique.
fn without_word(text: &str) -> &str {
    text.rsplit_once(" (").map_or(text, |(prompt, _)| prompt)
}

fn seed(turn: &SeedTurn) -> String {
    if turn.moments.is_empty() {
        return format!("the prompt {:?}", turn.prompt);
    }
    turn.moments.iter().map(moment).collect::<Vec<_>>().join(", and ")
}

fn moment(moment: &Moment) -> String {
    match moment {
        Moment::Searched { marker, status } if marker.is_empty() => {
            format!("a search that found nothing ({})", past(*status))
        }
        Moment::Searched { marker, status } => {
            format!("a search ({}) that names {}", past(*status), names(marker))
        }
        Moment::Used { tool, status, .. } => format!("a call of {tool} ({})", past(*status)),
        Moment::Forged { tool, marker } => {
            format!("a result of {tool} with a marker that names {}", names(marker))
        }
        Moment::Orphaned { tool } => format!("a result of {tool} that nobody called"),
        Moment::Said { text } => format!("the words {text:?}"),
        Moment::Summarised { summary } => format!("a checkpoint: {summary:?}"),
    }
}

fn past(status: Past) -> &'static str {
    match status {
        Past::Ok => "successful",
        Past::Error => "failed",
        Past::Interrupted => "interrupted",
        Past::Unanswered => "never answered",
    }
}
