//! `order.stable`: the same tools stand in the same order.

use std::collections::BTreeSet;

use tacit_contract::{Registry, ToolName};

use crate::account::{PromptAccount, RequestAccount};
use crate::hearing::{Findings, Hearing, Place};

const CLAUSE: &str = "order.stable";

/// `order.stable`: of two requests of a session with the same registry, mode, provider and
/// effective context, whatever came between. After a checkpoint in the middle of a prompt the
/// effective context alone does not decide what is shown, nor where: a tool may keep its place.
pub fn stable(hearing: &Hearing<'_>, findings: &mut Findings) {
    let mut before: Vec<(&PromptAccount<'_>, &RequestAccount<'_>)> = Vec::new();
    for prompt in &hearing.session.prompts {
        for request in &prompt.requests {
            if request.view.is_none() || hearing.sets(request).checkpointed {
                continue;
            }
            let alike = before.iter().rfind(|(earlier_prompt, earlier)| {
                earlier.held == request.held && earlier_prompt.is_like(prompt)
            });
            if let Some((earlier_prompt, earlier)) = alike {
                let place = Place::request(hearing.session, prompt, request);
                let with =
                    format!("request {} of prompt {}", earlier.number, earlier_prompt.number);
                hold(&prompt.registry, earlier, request, &with, &place, findings);
            }
            before.push((prompt, request));
        }
    }
}

/// Holds the order of tools in a request against that of an earlier one, `with`: what both show,
/// and what both list. A name that several tools bear is for `registry.collisions`.
pub(crate) fn hold(
    registry: &Registry,
    earlier: &RequestAccount<'_>,
    request: &RequestAccount<'_>,
    with: &str,
    place: &Place,
    findings: &mut Findings,
) {
    if earlier.view.is_none() || request.view.is_none() {
        return;
    }
    findings.premise(CLAUSE);
    let sure = |names: &mut Vec<ToolName>| names.retain(|name| !registry.is_doubtful(name));
    let shown = |request: &RequestAccount<'_>| {
        let mut names = request.shown.in_order().into_iter().cloned().collect();
        sure(&mut names);
        names
    };
    let listed = |request: &RequestAccount<'_>| {
        let entries = request.catalog.entries.iter();
        let mut names = entries.map(|entry| ToolName::from(entry.name.as_str())).collect();
        sure(&mut names);
        names
    };
    let differs = first_difference(&shown(earlier), &shown(request))
        .map(|tools| ("shown", tools))
        .or_else(|| Some(("listed", first_difference(&listed(earlier), &listed(request))?)));
    if let Some((how, (stood, stands))) = differs {
        let found = format!(
            "{stands} is {how} before {stood}, and in {with} after it, over the same calls; \
             shown: {}",
            request.shown.list()
        );
        findings.breach(CLAUSE, place, Some(&stands), found);
    }
}

/// The first place at which two lists differ, what only one of them has aside: what stood there,
/// and what stands there.
fn first_difference(before: &[ToolName], now: &[ToolName]) -> Option<(ToolName, ToolName)> {
    let (in_before, in_now): (BTreeSet<_>, BTreeSet<_>) =
        (before.iter().collect(), now.iter().collect());
    let before = before.iter().filter(|name| in_now.contains(name));
    let now = now.iter().filter(|name| in_before.contains(name));
    before.zip(now).find(|(stood, stands)| stood != stands).map(|(a, b)| (a.clone(), b.clone()))
}
