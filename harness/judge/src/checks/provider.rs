//! `provider.*`: what a request must look like.

use tacit_contract::trace::Answered;
use tacit_wire::{Channel, Visibility};

use crate::hearing::{Findings, Hearing, Place};

/// `provider.fallback`
pub fn fallback(hearing: &Hearing<'_>, findings: &mut Findings) {
    for (prompt, request) in hearing.session.turns().filter(|(prompt, _)| !prompt.provider.native) {
        for tool in request.shown.names() {
            if !prompt.registry.is_deferred(tool, prompt.mode) {
                continue;
            }
            findings.premise("provider.fallback");
            let elsewhere = request.shown.places(tool).iter().any(|placed| {
                placed.visibility == Visibility::Visible && placed.channel != Channel::Tools
            });
            if elsewhere {
                let place = Place::request(hearing.session, prompt, request);
                let found = format!("{tool} does not stand in the ordinary tool list alone");
                findings.breach("provider.fallback", &place, Some(tool), found);
            }
        }
    }
}

/// `provider.same`, within one session: what evidence requires is shown over another provider as
/// well. A runtime that was not seen to restore anything without a change of provider has another
/// clause to answer for.
pub fn same(hearing: &Hearing<'_>, findings: &mut Findings) {
    if !restores(hearing) {
        return;
    }
    for prompt in hearing.session.prompts.iter().filter(|prompt| prompt.switched) {
        let Some(request) = prompt.first().filter(|request| request.view.is_some()) else {
            continue;
        };
        for tool in hearing.sets(request).required.keys() {
            if request.shown.is_withdrawn(tool) {
                continue;
            }
            findings.premise("provider.same");
            if !request.shows(tool) {
                let place = Place::request(hearing.session, prompt, request);
                let found = format!(
                    "{tool} is missing after the change to {}, though evidence for it stands in \
                     the request; shown: {}",
                    prompt.provider,
                    request.shown.list()
                );
                findings.breach("provider.same", &place, Some(tool), found);
            }
        }
    }
}

/// Whether some prompt without a change of provider before it began with what evidence requires.
fn restores(hearing: &Hearing<'_>) -> bool {
    let mut steady = hearing.session.prompts.iter().filter(|prompt| !prompt.switched);
    steady.any(|prompt| {
        prompt.first().is_some_and(|request| {
            hearing.sets(request).required.keys().any(|tool| request.shows(tool))
        })
    })
}

/// `provider.valid`
pub fn valid(hearing: &Hearing<'_>, findings: &mut Findings) {
    for prompt in &hearing.session.prompts {
        for request in &prompt.requests {
            findings.premise("provider.valid");
            if let Some(problem) = request.problems.first() {
                let place = Place::request(hearing.session, prompt, request);
                findings.breach("provider.valid", &place, None, problem.to_string());
            }
        }
    }
    for helper in hearing.session.helpers.iter().filter(|helper| helper.raw.api.is_some()) {
        findings.premise("provider.valid");
        if let Some(problem) = helper.problems.first() {
            let place = Place::entry(hearing.session, helper.prompt, helper.entry);
            findings.breach("provider.valid", &place, None, problem.to_string());
        }
    }
}

/// `provider.retry`
pub fn retry(hearing: &Hearing<'_>, findings: &mut Findings) {
    for prompt in &hearing.session.prompts {
        for pair in prompt.requests.windows(2) {
            let [failed, again] = pair else { continue };
            let looked_into = failed.view.is_some() && again.view.is_some();
            if !matches!(failed.raw.answer, Answered::Failure { .. }) || !looked_into {
                continue;
            }
            findings.premise("provider.retry");
            let place = Place::request(hearing.session, prompt, again);
            let difference = failed.shown.names().chain(again.shown.names()).find(|tool| {
                failed.shown.get(tool).map(|d| &d.schema)
                    != again.shown.get(tool).map(|d| &d.schema)
            });
            if let Some(tool) = difference {
                let found = match (failed.shows(tool), again.shows(tool)) {
                    (true, false) => format!("{tool} is missing in the request that is sent again"),
                    (false, true) => {
                        format!("{tool} is shown only in the request that is sent again")
                    }
                    _ => format!("{tool} has another schema in the request that is sent again"),
                };
                findings.breach("provider.retry", &place, Some(tool), found);
            }
        }
    }
}
