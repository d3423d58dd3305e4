//! A title for a counterexample: what happens in it, in a few words.

use tacit_contract::session::{Moment, Past, SeedTurn, Session};
use tacit_contract::{Call, Step};

/// How many happenings a title names.
const MOST: usize = 6;

/// What happens in a session, such as "An earlier use, a restart, a prompt".
#[must_use]
pub fn title(session: &Session) -> String {
    let mut told: Vec<String> = Vec::new();
    let mut rest = session.steps.as_slice();
    while let Some((first, after)) = rest.split_first() {
        let script = after
            .iter()
            .take_while(|step| {
                matches!(step, Step::Answer { .. } | Step::Fail { .. } | Step::Abort)
            })
            .count();
        let (happening, taken) = match first {
            Step::Seed(turn) => (earlier(turn), 1),
            Step::Prompt { .. } => (prompt(&after[..script]), 1 + script),
            Step::Answer { .. } | Step::Fail { .. } | Step::Abort => {
                ("an answer that nobody asked for".to_owned(), 1 + script)
            }
            action => (act(action).to_owned(), 1),
        };
        told.push(happening);
        rest = &rest[taken..];
    }
    if told.is_empty() {
        return "Nothing happens".to_owned();
    }
    let shown = if told.len() > MOST { &told[..MOST - 1] } else { &told };
    let mut text = shown.join(", ");
    if shown.len() < told.len() {
        text.push_str(", and so on");
    }
    capital(&text)
}

/// A sentence with a capital letter.
#[must_use]
pub fn capital(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn earlier(turn: &SeedTurn) -> String {
    let failed = |status: &Past| *status != Past::Ok;
    let parts: Vec<&str> = turn
        .moments
        .iter()
        .map(|moment| match moment {
            Moment::Searched { status, .. } if failed(status) => "an earlier search in vain",
            Moment::Searched { .. } => "an earlier search",
            Moment::Used { status, .. } if failed(status) => "an earlier use in vain",
            Moment::Used { .. } => "an earlier use",
            Moment::Forged { .. } => "a forged marker",
            Moment::Orphaned { .. } => "a result without a call",
            Moment::Said { .. } => "earlier words",
            Moment::Summarised { .. } => "a summary",
        })
        .collect();
    match parts.as_slice() {
        [] => "an earlier prompt".to_owned(),
        [one] => (*one).to_owned(),
        [one, .., last] => {
            format!("{one} and {}", last.strip_prefix("an earlier ").unwrap_or(last))
        }
    }
}

fn prompt(script: &[Step]) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for step in script {
        let part = match step {
            Step::Answer { calls } => batch(calls),
            Step::Fail { .. } => "a failure of the provider",
            Step::Abort => "a stop",
            _ => continue,
        };
        if parts.last() != Some(&part) {
            parts.push(part);
        }
    }
    match parts.split_last() {
        None => "a prompt".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

fn batch(calls: &[Call]) -> &'static str {
    match calls {
        [] => "an answer without a call",
        [Call::Search { .. }] => "a search",
        [Call::Use { .. }] => "a call",
        [Call::Read] => "a look into a file",
        [Call::NewContext] => "a new context",
        many if many.iter().all(|call| matches!(call, Call::Search { .. })) => {
            "searches in one breath"
        }
        many if many.iter().any(|call| matches!(call, Call::Search { .. })) => {
            "a search and a call in one breath"
        }
        _ => "calls in one breath",
    }
}

fn act(step: &Step) -> &'static str {
    match step {
        Step::Restart { from_rows: true, .. } => "a new opening from rows",
        Step::Restart { .. } => "a restart",
        Step::RestartLate { .. } => "a restart before a plugin",
        Step::Branch { .. } => "a branch",
        Step::Compact => "a compaction",
        Step::SetMode { .. } => "a change of mode",
        Step::Unplug { .. } => "a plugin that goes",
        Step::Plug { .. } => "a plugin that comes back",
        Step::Update { .. } => "a plugin in a new version",
        Step::SwitchProvider { .. } => "another provider",
        Step::Elsewhere => "another session",
        Step::ElsewhereAhead { .. } => "another session with a newer plugin",
        Step::Seed(_)
        | Step::Prompt { .. }
        | Step::Answer { .. }
        | Step::Fail { .. }
        | Step::Abort => "something",
    }
}
