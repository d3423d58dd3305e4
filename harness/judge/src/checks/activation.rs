//! `activation.refused-until`, `activation.same-batch`: what is not active does not run.

use tacit_contract::protocol::Stop;
use tacit_contract::trace::Issued;
use tacit_contract::{Call, Standing, Status, ToolName};

use crate::account::{PromptAccount, RequestAccount, is_search};
use crate::hearing::{Findings, Hearing, Place};
use crate::known::Ending;

/// `activation.refused-until`
pub fn refused_until(hearing: &Hearing<'_>, findings: &mut Findings) {
    refusals(hearing, findings, "activation.refused-until", false);
}

/// `activation.same-batch`
pub fn same_batch(hearing: &Hearing<'_>, findings: &mut Findings) {
    refusals(hearing, findings, "activation.same-batch", true);
}

fn refusals(hearing: &Hearing<'_>, findings: &mut Findings, clause: &str, in_batch: bool) {
    for prompt in &hearing.session.prompts {
        for (asked, issued) in prompt.issued() {
            let Call::Use { tool, .. } = &issued.call else { continue };
            let inactive = is_inactive(hearing, prompt, asked, tool);
            if !inactive || searched_beside(hearing, asked, tool) != in_batch {
                continue;
            }
            refusal(hearing, findings, clause, prompt, asked, issued, tool);
        }
    }
}

/// Whether a tool is one of the session's that this mode does not show: deferred and not active,
/// or forbidden.
fn is_inactive(
    hearing: &Hearing<'_>,
    prompt: &PromptAccount<'_>,
    asked: &RequestAccount<'_>,
    tool: &ToolName,
) -> bool {
    let known = prompt.registry.tool(tool).is_some()
        || prompt.registry.standing(tool, prompt.mode).is_some();
    known
        && asked.view.is_some()
        && !asked.shows(tool)
        && !prompt.gone.contains(tool)
        && !prompt.registry.is_doubtful(tool)
        && !hearing.is_always_sent(prompt, tool)
        && prompt.registry.standing(tool, prompt.mode) != Some(Standing::Core)
}

/// Whether a search in the same batch activates the tool.
fn searched_beside(hearing: &Hearing<'_>, asked: &RequestAccount<'_>, tool: &ToolName) -> bool {
    asked.calls().iter().filter(|call| is_search(call)).any(|call| {
        let by_marker =
            hearing.known.get(&call.id).is_some_and(|fact| fact.proves().contains(&tool));
        let by_name = match &call.call {
            Call::Search { query } => query.as_text() == Some(tool.as_str()),
            _ => false,
        };
        by_marker || by_name
    })
}

fn refusal(
    hearing: &Hearing<'_>,
    findings: &mut Findings,
    clause: &str,
    prompt: &PromptAccount<'_>,
    asked: &RequestAccount<'_>,
    issued: &Issued,
    tool: &ToolName,
) {
    let Some(next) = prompt.next(asked).filter(|next| next.view.is_some()) else {
        gave_up(hearing, findings, clause, prompt, tool);
        return;
    };
    findings.premise(clause);
    let place = Place::request(hearing.session, prompt, next);
    if let Some(at) = prompt.host_calls(issued).find(|at| at.call.method == "tool.execute") {
        let place = Place::in_prompt(hearing.session, prompt, at.entry);
        let found = format!("{tool} was run, though it was not active when it was called");
        findings.breach(clause, &place, Some(tool), found);
    }
    let gone = next.held.iter().all(|held| held.id != issued.id);
    if next.result(&issued.id).is_none() && !(gone && hearing.sets(next).checkpointed) {
        let found = format!("the model got no result for its call of {tool}");
        findings.breach(clause, &place, Some(tool), found);
    }
    let ok =
        hearing.known.get(&issued.id).is_some_and(|fact| fact.ending == Ending::Result(Status::Ok));
    if hearing.account.has_transcript() && ok {
        let found = format!("the call of {tool} is recorded as a success: expected an error");
        findings.breach(clause, &place, Some(tool), found);
    }
}

/// A prompt that ended in error where a refusal was due, and where the provider took every
/// request.
fn gave_up(
    hearing: &Hearing<'_>,
    findings: &mut Findings,
    clause: &str,
    prompt: &PromptAccount<'_>,
    tool: &ToolName,
) {
    let Some(end) = prompt.end.filter(|end| end.stop == Stop::Error) else { return };
    // Arguments that nobody can read may be what the prompt ended for.
    let unreadable = prompt.issued().any(|(_, issued)| super::searches::has_no_json(issued));
    if hearing.session.was_refused_in(prompt) || unreadable {
        return;
    }
    findings.premise(clause);
    let place = Place::in_prompt(hearing.session, prompt, prompt.end_entry);
    let error = end.error.as_deref().unwrap_or("none given");
    let found = format!("the prompt ended in error after a call of {tool}: {error}");
    findings.breach(clause, &place, Some(tool), found);
}
