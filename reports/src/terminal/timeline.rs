//! A timeline in words: what a request had to show, was allowed to show and showed, and why.

use std::borrow::Borrow;
use std::fmt::Write as _;

use tacit_contract::ToolName;
use tacit_contract::timeline::{
    Ended, Evidence, Excess, Ground, Point, PromptPoint, RequestPoint, Required,
};

use super::text::{clean, hang};

/// The most tools that are named one by one.
const NAMED: usize = 6;

/// What the request had to show beside what is sent always, and what of that is wrong, part by
/// part; nothing where it showed what it had to and no more: then the breach is about something
/// else.
pub(crate) fn due(request: &RequestPoint) -> Vec<String> {
    if request.missing.is_empty() && request.excess.is_empty() {
        return Vec::new();
    }
    let mut parts = vec![format!("required: {}", or_nothing(required(request)))];
    if !request.excess.is_empty() {
        parts.push(format!("allowed besides: {}", or_nothing(allowed(request))));
    }
    if !request.missing.is_empty() {
        parts.push(format!("missing: {}", few(&request.missing)));
    }
    if !request.excess.is_empty() {
        let excess: Vec<&ToolName> = request.excess.iter().map(|excess| &excess.tool).collect();
        parts.push(format!("too much: {}", few(&excess)));
    }
    parts
}

/// A whole timeline, each line after `indent`.
pub(super) fn whole(points: &[Point], indent: &str, columns: usize) -> String {
    let mut out = String::new();
    if !points.is_empty() {
        let _ = writeln!(out, "{indent}timeline");
    }
    for point in points {
        match point {
            Point::Prompt(prompt) => {
                let lead = format!("{indent}  prompt {}  ", prompt.prompt);
                out.push_str(&hang(&lead, &clean(&circumstances(prompt)), columns));
            }
            Point::Request(request) => out.push_str(&lines(request, indent, columns)),
        }
    }
    out
}

fn circumstances(prompt: &PromptPoint) -> String {
    format!("{:?} · {} mode · {}", prompt.text, prompt.mode, prompt.provider)
}

fn lines(request: &RequestPoint, indent: &str, columns: usize) -> String {
    let again = if request.repeat { " (again)" } else { "" };
    let mut out = format!("{indent}    request {}{again}\n", request.request);
    let mut field = |name: &str, text: &str| {
        let lead = format!("{indent}      {name:<9} ");
        out.push_str(&hang(&lead, &clean(text), columns));
    };
    if let Some(why) = &request.unseen {
        field("unseen", why);
        return out;
    }
    field("shows", &or_nothing(shown(request)));
    for evidence in &request.evidence {
        field("evidence", &proof(evidence));
    }
    field("required", &or_nothing(required(request)));
    if let Some(allowed) = allowed(request) {
        field("besides", &allowed);
    }
    if !request.missing.is_empty() {
        field("✗ missing", &few(&request.missing));
    }
    for excess in request.excess.iter().take(NAMED) {
        field("✗ too much", &too_much(excess));
    }
    if let Some(more) = request.excess.len().checked_sub(NAMED).filter(|more| *more > 0) {
        field("✗ too much", &format!("and {more} more"));
    }
    out
}

/// What is shown, the core set by its number.
fn shown(request: &RequestPoint) -> Option<String> {
    let of = |ground| move |required: &&Required| required.ground == ground;
    let core: Vec<&ToolName> =
        request.required.iter().filter(of(Ground::Core)).map(|core| &core.tool).collect();
    let (sent, others): (Vec<&ToolName>, Vec<&ToolName>) =
        request.shown.iter().partition(|tool| core.contains(tool));
    let mut parts = Vec::new();
    if core.len() > 1 && sent.len() == core.len() {
        parts.push(format!("the {} core tools", core.len()));
    } else if core.len() > 1 {
        parts.push(format!("{} of {} core tools", sent.len(), core.len()));
    } else if !sent.is_empty() {
        parts.push(few(&sent));
    }
    if !others.is_empty() {
        parts.push(few(&others));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The tools that evidence requires, and of the others those that are missing, each with its
/// ground.
pub(crate) fn required(request: &RequestPoint) -> Option<String> {
    let by_evidence = |ground: Ground| !matches!(ground, Ground::Core | Ground::AlwaysActive);
    let mut grounds: Vec<(String, Vec<&ToolName>)> = Vec::new();
    for required in &request.required {
        if !by_evidence(required.ground) && !request.missing.contains(&required.tool) {
            continue;
        }
        let ground = ground(request, required);
        match grounds.iter_mut().find(|(known, _)| *known == ground) {
            Some((_, tools)) => tools.push(&required.tool),
            None => grounds.push((ground, vec![&required.tool])),
        }
    }
    let parts: Vec<String> =
        grounds.iter().map(|(ground, tools)| format!("{} ({ground})", few(tools))).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Why a tool is required, to be read after its name.
fn ground(request: &RequestPoint, required: &Required) -> String {
    let by = required.by.as_ref();
    let evidence = by.and_then(|by| request.evidence.iter().find(|known| known.call == *by));
    let found = evidence.map(|evidence| when(request, evidence));
    match (required.ground, found) {
        (Ground::Core, _) => format!("core in {} mode", request.mode),
        (Ground::AlwaysActive, _) => "always active".to_owned(),
        (Ground::Carried, _) => "active in the request before".to_owned(),
        (Ground::Activated | Ground::SearchEvidence, Some(when)) => {
            format!("because a search {when} found it")
        }
        (Ground::UseEvidence, Some(when)) => format!("because it was used {when}"),
        (Ground::Activated | Ground::SearchEvidence, None) => {
            "because a search found it".to_owned()
        }
        (Ground::UseEvidence, None) => "because it was used".to_owned(),
    }
}

fn when(request: &RequestPoint, evidence: &Evidence) -> String {
    match evidence.prompt {
        0 => "in the transcript".to_owned(),
        prompt if prompt == request.prompt => "in this prompt".to_owned(),
        prompt => format!("in prompt {prompt}"),
    }
}

pub(crate) fn allowed(request: &RequestPoint) -> Option<String> {
    if request.anything {
        return Some("any deferred tool, since nobody can read what a search found".to_owned());
    }
    (!request.allowed.is_empty()).then(|| few(&request.allowed))
}

/// A call that stands in the request, and what it says.
pub(crate) fn proof(evidence: &Evidence) -> String {
    let place = match evidence.prompt {
        0 => "in the transcript".to_owned(),
        prompt => format!("in prompt {prompt}"),
    };
    let status = match evidence.status {
        Ended::Ok => "successful",
        Ended::Error => "failed",
        Ended::Interrupted => "interrupted",
        Ended::Missing => "without a result",
        Ended::Unknown => "of unknown end",
    };
    let marker = match evidence.marker.as_slice() {
        [] if evidence.search => ", its marker names nothing".to_owned(),
        [] => String::new(),
        names => format!(", its marker names {}", few(names)),
    };
    format!("{} {place}, {status}{marker}", evidence.tool)
}

pub(crate) fn too_much(excess: &Excess) -> String {
    if excess.though.is_empty() {
        return format!("{}: nothing speaks for it", excess.tool);
    }
    format!("{}, though {}", excess.tool.in_words(), excess.though.join(", and "))
}

pub(crate) fn or_nothing(text: Option<String>) -> String {
    text.unwrap_or_else(|| "nothing".to_owned())
}

/// Names as a list to be read; of very many, how many more there are.
fn few<T: Borrow<ToolName>>(tools: &[T]) -> String {
    let named: Vec<_> = tools.iter().take(NAMED).map(|tool| tool.borrow().in_words()).collect();
    let more = tools.len().saturating_sub(NAMED);
    if more == 0 { named.join(", ") } else { format!("{} and {more} more", named.join(", ")) }
}
