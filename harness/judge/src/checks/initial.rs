//! `initial.*`: what the first request of a prompt holds.

use tacit_contract::ToolName;
use tacit_contract::protocol::Stop;

use crate::account::{PromptAccount, RequestAccount};
use crate::hearing::{Findings, Hearing, Place};

/// `initial.core`
pub fn core(hearing: &Hearing<'_>, findings: &mut Findings) {
    for prompt in &hearing.session.prompts {
        let Some(request) = prompt.first() else {
            let ended = prompt.end.is_some_and(|end| end.stop == Stop::End);
            if ended && !hearing.session.was_refused_in(prompt) {
                findings.premise("initial.core");
                let place = Place::in_prompt(hearing.session, prompt, prompt.end_entry);
                let found = "the prompt ended without a request of its own";
                findings.breach("initial.core", &place, None, found);
            }
            continue;
        };
        if request.view.is_none() {
            continue;
        }
        let place = Place::request(hearing.session, prompt, request);
        let mut core = prompt.registry.core(prompt.mode).peekable();
        if core.peek().is_some() {
            findings.premise("initial.core");
        }
        for tool in core.filter(|tool| !request.shows(tool)) {
            let found = format!(
                "core tool {tool} of {} mode is missing; shown: {}",
                prompt.mode,
                request.shown.list()
            );
            findings.breach("initial.core", &place, Some(tool), found);
        }
        for tool in held_back(hearing, prompt, request) {
            let found = format!(
                "{tool}, which the profile says is always sent in {} mode, is in the catalog \
                 instead; shown: {}",
                prompt.mode,
                request.shown.list()
            );
            findings.breach("initial.core", &place, Some(tool), found);
        }
    }
}

/// Tools that the profile says the runtime always sends in this mode, and that it keeps for the
/// model to load. A runtime that has no such tool at all holds nothing back.
fn held_back<'a>(
    hearing: &'a Hearing<'_>,
    prompt: &'a PromptAccount<'_>,
    request: &'a RequestAccount<'_>,
) -> impl Iterator<Item = &'a ToolName> {
    let always = &hearing.account.profile.mode(prompt.mode).also;
    always.iter().filter(|tool| {
        let listed = request.catalog.lists(tool.as_str());
        listed && !request.shows(tool) && prompt.registry.tool(tool).is_none()
    })
}

/// `initial.search-present`
pub fn search_present(hearing: &Hearing<'_>, findings: &mut Findings) {
    let search = hearing.search_tool();
    for (prompt, request) in hearing.session.turns() {
        if !Hearing::has_deferred(prompt) || request.view.is_none() {
            continue;
        }
        findings.premise("initial.search-present");
        if !request.shows(&search) {
            let place = Place::request(hearing.session, prompt, request);
            let found = format!("{search} is missing, though there are deferred tools");
            findings.breach("initial.search-present", &place, Some(&search), found);
        }
    }
}

/// `initial.search-absent`
pub fn search_absent(hearing: &Hearing<'_>, findings: &mut Findings) {
    let search = hearing.search_tool();
    for (prompt, request) in hearing.session.turns() {
        let unsure = prompt.registry.has_doubtful(prompt.mode);
        if Hearing::has_deferred(prompt) || unsure || request.view.is_none() {
            continue;
        }
        findings.premise("initial.search-absent");
        let place = Place::request(hearing.session, prompt, request);
        if request.shows(&search) {
            let found = format!("{search} is sent, though there is no deferred tool");
            findings.breach("initial.search-absent", &place, Some(&search), found);
        }
        if request.catalog.headings > 0 {
            let found = "there is a catalog, though there is no deferred tool";
            findings.breach("initial.search-absent", &place, None, found);
        }
    }
}

/// `initial.new-context`
pub fn new_context(hearing: &Hearing<'_>, findings: &mut Findings) {
    let Some(tool) = hearing.new_context() else { return };
    for (prompt, request) in hearing.session.turns() {
        if request.view.is_none() {
            continue;
        }
        findings.premise("initial.new-context");
        if !request.shows(tool) {
            let place = Place::request(hearing.session, prompt, request);
            let found = format!("{tool} is missing; shown: {}", request.shown.list());
            findings.breach("initial.new-context", &place, Some(tool), found);
        }
    }
}
