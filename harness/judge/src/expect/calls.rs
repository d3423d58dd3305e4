//! Expectations of calls: what a search activated, what was run, what the host was asked.

use tacit_contract::runtime::HostStatus;
use tacit_contract::trace::{Answered, Issued};
use tacit_contract::{Call, ToolName};

use super::{Met, Unmet, WhichPrompt, after, last_search, otherwise, prompts};
use crate::account::{Account, PromptAccount, RequestAccount, is_search, same_call};

pub(super) fn activates_at_most(account: &Account<'_>, most: u32) -> Met {
    let found = prompts(account, WhichPrompt::Last).iter().find_map(|prompt| {
        let (asked, search) = last_search(prompt)?;
        Some((prompt, asked, after(prompt, asked, search)?))
    });
    let (prompt, asked, next) = found.ok_or(Unmet::NothingThere("no request after a search"))?;
    let grown: Vec<&str> = next
        .shown
        .names()
        .filter(|tool| !asked.shows(tool) && prompt.registry.is_deferred(tool, prompt.mode))
        .map(ToolName::as_str)
        .collect();
    if grown.len() <= usize::try_from(most).unwrap_or(usize::MAX) {
        return Ok(());
    }
    let tools = if grown.len() == 1 { "tool" } else { "tools" };
    otherwise(format!(
        "the search activated {} {tools}, expected {most} at the most: {}",
        grown.len(),
        grown.join(", ")
    ))
}

/// The last call of a tool, with its prompt and the request that it answers.
fn last_call<'a, 't>(
    account: &'a Account<'t>,
    tool: &ToolName,
) -> Result<(&'a PromptAccount<'t>, &'a RequestAccount<'t>, &'t Issued), Unmet> {
    prompts(account, WhichPrompt::Every)
        .iter()
        .flat_map(|prompt| prompt.issued().map(move |(asked, issued)| (prompt, asked, issued)))
        .filter(|(_, _, issued)| {
            issued.tool == *tool && matches!(issued.call, Call::Use { .. } | Call::Read)
        })
        .last()
        .ok_or(Unmet::NothingThere("no call of that tool: the prompt ended before it"))
}

fn was_run(prompt: &PromptAccount<'_>, issued: &Issued) -> bool {
    prompt
        .host_calls(issued)
        .any(|at| at.call.method == "tool.execute" && at.answer.status != HostStatus::Denied)
}

pub(super) fn refused(account: &Account<'_>, tool: &ToolName) -> Met {
    let (prompt, asked, issued) = last_call(account, tool)?;
    if was_run(prompt, issued) {
        return otherwise(format!("{tool} was run, expected a refusal"));
    }
    match prompt.next(asked) {
        Some(next) if next.result(&issued.id).is_some() => Ok(()),
        Some(_) => otherwise(format!("the model got no result for its call of {tool}")),
        None => otherwise(format!("no request came after the call of {tool}")),
    }
}

pub(super) fn runs(account: &Account<'_>, tool: &ToolName) -> Met {
    let (prompt, asked, issued) = last_call(account, tool)?;
    if was_run(prompt, issued) {
        return Ok(());
    }
    let shown = asked.shown.list();
    otherwise(format!("{tool} was not run; the request that led to its call shows: {shown}"))
}

pub(super) fn denied(account: &Account<'_>, tool: &ToolName) -> Met {
    let (prompt, _, issued) = last_call(account, tool)?;
    let mut calls = prompt.host_calls(issued).filter(|at| at.call.is_tool_call()).peekable();
    if calls.peek().is_none() {
        return otherwise(format!("the host was not asked about the call of {tool}"));
    }
    if calls.any(|at| at.answer.status == HostStatus::Denied) {
        return Ok(());
    }
    otherwise(format!("the host was asked about the call of {tool}, and did not deny it"))
}

pub(super) fn host_not_asked(account: &Account<'_>) -> Met {
    let tool = account.dialect.search_tool();
    let mut searched = false;
    for prompt in prompts(account, WhichPrompt::Every) {
        for (_, issued) in prompt.issued().filter(|(_, issued)| is_search(issued)) {
            searched = true;
            let call = prompt.host.iter().find(|at| {
                at.call.call_id.as_ref().is_some_and(|id| same_call(id, &issued.id))
                    || at.call.tool_name.as_ref() == Some(&tool)
            });
            if let Some(at) = call {
                let method = &at.call.method;
                return otherwise(format!("the search made the host call `{method}`"));
            }
        }
    }
    if searched { Ok(()) } else { Err(Unmet::NothingThere("no search")) }
}

pub(super) fn sent_again(account: &Account<'_>) -> Met {
    let pair = prompts(account, WhichPrompt::Every).iter().find_map(|prompt| {
        prompt.requests.windows(2).find_map(|pair| match pair {
            [failed, again] if matches!(failed.raw.answer, Answered::Failure { .. }) => {
                Some((failed, again))
            }
            _ => None,
        })
    });
    let (failed, again) =
        pair.ok_or(Unmet::NothingThere("no second request after one that failed"))?;
    if failed.shown.names().eq(again.shown.names()) {
        return Ok(());
    }
    otherwise(format!(
        "the request that failed showed {}; sent again it shows {}",
        failed.shown.list(),
        again.shown.list()
    ))
}
