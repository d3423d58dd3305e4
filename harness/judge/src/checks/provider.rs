//! `provider.*`: what a request must look like.

use tacit_contract::trace::Answered;
use tacit_wire::Channel;

use crate::hearing::{Findings, Hearing, Place};

/// `provider.fallback`
pub fn fallback(hearing: &Hearing<'_>, findings: &mut Findings) {
    for (prompt, request) in hearing.session.turns().filter(|(prompt, _)| !prompt.provider.native) {
        for (tool, definition) in request.shown.iter() {
            if !prompt.registry.is_deferred(tool, prompt.mode) {
                continue;
            }
            findings.premise("provider.fallback");
            if definition.channel != Channel::Tools {
                let place = Place::request(hearing.session, prompt, request);
                let found = format!("{tool} does not stand in the ordinary tool list");
                findings.breach("provider.fallback", &place, Some(tool), found);
            }
        }
    }
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
            if !matches!(failed.raw.answer, Answered::Failure { .. }) || again.view.is_none() {
                continue;
            }
            findings.premise("provider.retry");
            let place = Place::request(hearing.session, prompt, again);
            let difference = failed.shown.names().chain(again.shown.names()).find(|tool| {
                failed.shown.get(tool).map(|d| &d.schema)
                    != again.shown.get(tool).map(|d| &d.schema)
            });
            if let Some(tool) = difference {
                let found = format!(
                    "the request that failed showed {}; sent again it shows {}",
                    failed.shown.list(),
                    again.shown.list()
                );
                findings.breach("provider.retry", &place, Some(tool), found);
            }
        }
    }
}
