//! `host.*`: an activated tool is a tool like any other.

use std::collections::BTreeSet;

use tacit_contract::runtime::{HostCall, HostStatus};
use tacit_contract::trace::Issued;
use tacit_contract::{Call, Standing, Status, ToolName};

use crate::account::{HostAt, PromptAccount, RequestAccount, is_search};
use crate::hearing::{Findings, Hearing, Place};
use crate::known::Ending;

/// The way of one call through the host: the methods of its `tool.*` calls and the fields that
/// each of them has, ids, arguments and the tool's name aside.
fn way<'a>(calls: impl Iterator<Item = &'a HostAt<'a>>) -> Vec<String> {
    calls.filter(|at| at.call.is_tool_call()).map(|at| shape(at.call)).collect()
}

fn shape(call: &HostCall) -> String {
    let fields = [
        call.call_id.as_ref().map(|_| "callId".to_owned()),
        call.tool_name.as_ref().map(|_| "toolName".to_owned()),
        call.arguments.as_ref().map(|_| "arguments".to_owned()),
        call.timeout_ms.map(|limit| format!("timeoutMs={limit}")),
        call.workspace.as_ref().map(|folder| format!("workspace={folder}")),
    ];
    let method = std::iter::once(call.method.clone());
    method.chain(fields.into_iter().flatten()).collect::<Vec<_>>().join(" ")
}

/// `host.same-path`
pub fn same_path(hearing: &Hearing<'_>, findings: &mut Findings) {
    let mut core: Option<(Vec<String>, ToolName)> = None;
    let mut ways: Vec<(Vec<String>, ToolName, Place)> = Vec::new();
    for prompt in &hearing.session.prompts {
        for (asked, issued) in prompt.issued() {
            if !is_plain_success(prompt, asked, issued) {
                continue;
            }
            let way = way(prompt.host_calls(issued));
            if prompt.registry.standing(&issued.tool, prompt.mode) == Some(Standing::Core) {
                core.get_or_insert((way, issued.tool.clone()));
            } else if prompt.registry.is_deferred(&issued.tool, prompt.mode) {
                let place = Place::request(hearing.session, prompt, asked);
                ways.push((way, issued.tool.clone(), place));
            }
        }
    }
    let Some((expected, core)) = core else { return };
    for (way, tool, place) in ways {
        findings.premise("host.same-path");
        if way != expected {
            let found = format!(
                "{tool} went through the host as [{}], {core} as [{}]",
                way.join("; "),
                expected.join("; ")
            );
            findings.breach("host.same-path", &place, Some(&tool), found);
        }
    }
}

/// A call of a tool that was shown to the model, which the host lets succeed, in a prompt that
/// was not stopped.
fn is_plain_success(
    prompt: &PromptAccount<'_>,
    asked: &RequestAccount<'_>,
    issued: &Issued,
) -> bool {
    let lets = match &issued.call {
        Call::Use { outcome, .. } => outcome.is_ok(),
        Call::Read => true,
        Call::Search { .. } | Call::NewContext => false,
    };
    lets && !prompt.aborted && asked.shows(&issued.tool) && prompt.next(asked).is_some()
}

/// `host.no-grant`
pub fn no_grant(hearing: &Hearing<'_>, findings: &mut Findings) {
    for prompt in &hearing.session.prompts {
        for (asked, issued) in prompt.issued() {
            let active =
                asked.shows(&issued.tool) && prompt.registry.is_deferred(&issued.tool, prompt.mode);
            let calls: Vec<_> = prompt.host_calls(issued).collect();
            let denied = calls.iter().position(|at| at.answer.status == HostStatus::Denied);
            let Some(denied) = denied.filter(|_| active) else { continue };
            findings.premise("host.no-grant");
            let tool = &issued.tool;
            if let Some(at) = calls[denied + 1..].iter().find(|at| at.call.method == "tool.execute")
            {
                let place = Place::in_prompt(hearing.session, prompt, at.entry);
                let found = format!("{tool} was run after the host had denied it");
                findings.breach("host.no-grant", &place, Some(tool), found);
            }
            let ok = hearing
                .known
                .get(&issued.id)
                .is_some_and(|fact| fact.ending == Ending::Result(Status::Ok));
            if ok {
                let place = Place::request(hearing.session, prompt, asked);
                let found = format!("{tool} is recorded as a success, though the host denied it");
                findings.breach("host.no-grant", &place, Some(tool), found);
            }
        }
    }
}

/// `host.mode-forbids`
pub fn mode_forbids(hearing: &Hearing<'_>, findings: &mut Findings) {
    for prompt in &hearing.session.prompts {
        for (asked, issued) in prompt.issued().filter(|(_, issued)| is_search(issued)) {
            let Call::Search { query } = &issued.call else { continue };
            let Some(text) = query.as_text() else { continue };
            let Some(next) = prompt.next(asked).filter(|next| next.view.is_some()) else {
                continue;
            };
            let fact = hearing.known.get(&issued.id);
            for tool in forbidden(hearing, prompt, text) {
                findings.premise("host.mode-forbids");
                let place = Place::request(hearing.session, prompt, next);
                if next.shows(&tool) && !asked.shows(&tool) {
                    let found =
                        format!("a search reached {tool}, which {} mode forbids", prompt.mode);
                    findings.breach("host.mode-forbids", &place, Some(&tool), found);
                } else if fact.is_some_and(|fact| fact.marker.contains(&tool)) {
                    let found = format!(
                        "a search's marker names {tool}, which {} mode forbids",
                        prompt.mode
                    );
                    findings.breach("host.mode-forbids", &place, Some(&tool), found);
                }
            }
        }
    }
}

/// The session's tools that a query speaks of and that the mode forbids.
fn forbidden(hearing: &Hearing<'_>, prompt: &PromptAccount<'_>, text: &str) -> Vec<ToolName> {
    let query: BTreeSet<String> = crate::words::words(text).collect();
    let given = hearing.vocabulary.of(&prompt.registry);
    let spoken_of = given.tools.iter().filter(|tool| {
        (tool.name == text || !tool.words.is_disjoint(&query))
            && prompt.registry.standing(&tool.name, prompt.mode).is_none()
            && !hearing.is_always_sent(prompt, &tool.name)
    });
    spoken_of.map(|tool| tool.name.clone()).collect()
}
