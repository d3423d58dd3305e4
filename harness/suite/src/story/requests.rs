//! What a request shows, in words.

use tacit_contract::ToolName;
use tacit_contract::trace::{Answered, RequestClass};
use tacit_judge::Account;
use tacit_judge::account::{PromptAccount, RequestAccount};

use super::calls::answer;
use super::names;

/// The most tools that are named one by one beside the core set.
const NAMED: usize = 8;

/// A request of any session of the account; `None` where there is nothing to tell of it.
pub(super) fn request(account: &Account<'_>, entry: usize) -> Option<String> {
    for session in &account.sessions {
        for prompt in &session.prompts {
            if let Some(request) = prompt.requests.iter().find(|request| request.entry == entry) {
                let again = if request.repeat { " again" } else { "" };
                let shown = match session.undecidable.get(&entry) {
                    Some(why) => format!("does not show what the model sees: {why}"),
                    None if request.view.is_none() => "cannot be read".to_owned(),
                    None => format!("shows: {}", shown(prompt, request)),
                };
                let answer = answer(&request.raw.answer);
                return Some(format!("request {}{again} {shown}{answer}", request.number));
            }
        }
        if let Some(helper) = session.helpers.iter().find(|helper| helper.entry == entry) {
            return match (helper.raw.class, &helper.raw.answer) {
                (RequestClass::Stray, _) => None,
                (_, Answered::Refused) => {
                    Some("a request is sent that the provider refuses as not well formed".into())
                }
                _ => Some("a helper request is sent".into()),
            };
        }
    }
    None
}

/// What a request shows: the core set by its number, the rest by name as long as it is few.
fn shown(prompt: &PromptAccount<'_>, request: &RequestAccount<'_>) -> String {
    let core: Vec<&ToolName> = prompt.registry.core(prompt.mode).collect();
    let (sent, others): (Vec<&ToolName>, Vec<&ToolName>) =
        request.shown.in_order().into_iter().partition(|tool| core.contains(tool));
    let mut parts = Vec::new();
    if core.len() > 1 && sent.len() == core.len() {
        parts.push(format!("the {} core tools", core.len()));
    } else if core.len() > 1 {
        parts.push(format!("{} of {} core tools", sent.len(), core.len()));
    } else {
        parts.extend(sent.iter().map(ToString::to_string));
    }
    parts.extend(few(&others));
    parts.retain(|part| !part.is_empty());
    if parts.is_empty() { "no tools".to_owned() } else { parts.join(", ") }
}

/// Names as a list to be read; of very many, how many more there are.
pub(super) fn few(tools: &[&ToolName]) -> Option<String> {
    let named: Vec<ToolName> = tools.iter().take(NAMED).map(|tool| (*tool).clone()).collect();
    let more = tools.len().saturating_sub(NAMED);
    match (named.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(names(&named)),
        (false, more) => Some(format!("{} and {more} more", names(&named))),
    }
}
