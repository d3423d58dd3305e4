//! What happens in a session beside its requests, in words.

use tacit_contract::runtime::HostStatus;
use tacit_contract::trace::From;
use tacit_contract::{ProviderKind, Seen, ToolName};

use super::names;

/// What happened at an entry that is told only where it shows a breach.
pub(super) fn quiet(seen: &Seen) -> &'static str {
    match seen {
        Seen::PromptEnded(_) => "the prompt ends",
        Seen::Opened { .. } => "the session is opened",
        Seen::Transcript { .. } => "the transcript is read",
        _ => "then",
    }
}

/// How the session was opened, and its provider where that is another than one would think.
pub(super) fn opened(from: &From, over: Option<ProviderKind>) -> Option<String> {
    let how = match from {
        From::Nothing | From::SeededRows { .. } | From::Recorded { .. } => {
            return over.map(|kind| format!("the session is opened over {kind}"));
        }
        From::State { process: true } => "the process ends, and a new one opens the session".into(),
        From::State { process: false } => "the session is saved and opened again".into(),
        From::ExportedRows { .. } => "the session is opened from its rows".into(),
        From::EarlierState { prompts: 1 } => "the last prompt is taken back".into(),
        From::EarlierState { prompts } => format!("the last {prompts} prompts are taken back"),
    };
    Some(over.map_or_else(|| how.clone(), |kind| format!("{how} over {kind}")))
}

pub(super) fn event(seen: &Seen) -> Option<String> {
    Some(match seen {
        Seen::Opened { from, .. } => return opened(from, None),
        Seen::Prompted { text, .. } => format!("the user asks {:?}", without_word(text)),
        Seen::HostCalled { call, answer } if call.is_tool_call() => {
            let tool = call.tool_name.as_ref().map_or("something", ToolName::as_str);
            let answer = match answer.status {
                HostStatus::Ok => "",
                HostStatus::Error => ", and says that it failed",
                HostStatus::Denied => ", and denies it",
            };
            format!("the host is asked: {} {tool}{answer}", call.method)
        }
        Seen::Aborted => "the user stops the prompt".to_owned(),
        Seen::PromptEnded(end) => {
            end.error.as_ref().map(|error| format!("the prompt ends in error: {error}"))?
        }
        Seen::ModeSet { mode } => format!("the mode changes to {mode}"),
        Seen::ToolsSet { removed, .. } if !removed.is_empty() => {
            format!("a plugin is removed: {}", names(removed))
        }
        Seen::ToolsSet { updated, .. } if !updated.is_empty() => {
            format!("a plugin comes in a new version: {}", names(updated))
        }
        Seen::ToolsSet { added, .. } => format!("a plugin is back: {}", names(added)),
        Seen::RegisteredLate { late, .. } => format!("a plugin registers late: {}", names(late)),
        Seen::Compacted => "the session is compacted".to_owned(),
        Seen::Failed { operation, error } => format!("{operation} fails: {error}"),
        Seen::HostCalled { .. } | Seen::Requested(_) | Seen::Closed | Seen::Transcript { .. } => {
            return None;
        }
    })
}

/// A prompt without the word that makes it unique.
pub(super) fn without_word(text: &str) -> &str {
    text.rsplit_once(" (").map_or(text, |(prompt, _)| prompt)
}
