//! `registry.removed`: what a removed plugin leaves behind.

use tacit_contract::protocol::Stop;

use crate::hearing::{Findings, Hearing, Place};

/// `registry.removed`. That a removed tool is shown is judged with the evidence.
pub fn removed(hearing: &Hearing<'_>, findings: &mut Findings) {
    for prompt in hearing.session.prompts.iter().filter(|prompt| !prompt.gone.is_empty()) {
        findings.premise("registry.removed");
        if let Some(end) = prompt.end.filter(|end| end.stop == Stop::Error)
            && !super::provider_failed(hearing.session, prompt)
        {
            let place = Place::in_prompt(hearing.session, prompt, prompt.end_entry);
            let error = end.error.as_deref().unwrap_or("none given");
            let found = format!("a prompt after the removal of a plugin ended in error: {error}");
            findings.breach("registry.removed", &place, None, found);
        }
        for request in prompt.turns() {
            let listed = prompt.gone.iter().find(|tool| request.catalog.lists(tool.as_str()));
            if let Some(tool) = listed {
                let place = Place::request(hearing.session, prompt, request);
                let found = format!("{tool} is listed, though its plugin was removed");
                findings.breach("registry.removed", &place, Some(tool), found);
            }
        }
        let run = prompt.host.iter().find(|at| {
            at.call.method == "tool.execute"
                && at.call.tool_name.as_ref().is_some_and(|tool| prompt.gone.contains(tool))
        });
        if let Some(at) = run {
            let place = Place::in_prompt(hearing.session, prompt, at.entry);
            let tool = at.call.tool_name.as_ref();
            let found = "a tool was run, though its plugin was removed";
            findings.breach("registry.removed", &place, tool, found);
        }
    }
}
