//! `registry.fresh`: what a changed registry shows of itself.

use std::collections::BTreeSet;

use tacit_contract::{Tool, ToolName};

use crate::account::{PromptAccount, RequestAccount, is_search, plainly_deferred};
use crate::hearing::{Findings, Hearing, Place};
use crate::shown::lacks;

const CLAUSE: &str = "registry.fresh";

/// `registry.fresh`: from the prompt after a change on, a tool that is new is listed or can be
/// found, and one that has changed is shown and listed as it is now, restored or not.
pub fn fresh(hearing: &Hearing<'_>, findings: &mut Findings) {
    for prompt in &hearing.session.prompts {
        let changed = prompt.former.keys().filter_map(|tool| prompt.registry.tool(tool));
        let changed: Vec<&Tool> = changed
            .filter(|tool| plainly_deferred(prompt, &tool.name))
            .filter(|tool| prompt.former(tool).next().is_some())
            .collect();
        let added: Vec<&ToolName> =
            prompt.added.iter().filter(|tool| plainly_deferred(prompt, tool)).collect();
        if changed.is_empty() && added.is_empty() {
            continue;
        }
        let mut told = BTreeSet::new();
        for request in prompt.turns().filter(|request| request.view.is_some()) {
            let mut bench = Bench { hearing, prompt, request, told: &mut told, findings };
            for tool in &changed {
                bench.changed(tool);
            }
            for tool in &added {
                bench.added(tool);
            }
        }
    }
}

struct Bench<'a> {
    hearing: &'a Hearing<'a>,
    prompt: &'a PromptAccount<'a>,
    request: &'a RequestAccount<'a>,
    /// What was found in this prompt already: each thing is told once.
    told: &'a mut BTreeSet<(ToolName, &'static str)>,
    findings: &'a mut Findings,
}

impl Bench<'_> {
    /// Of a text or a schema that is either the present one or an earlier one: which.
    fn hold(&mut self, tool: &ToolName, what: &'static str, is_now: bool, is_former: bool) {
        if is_now || is_former {
            self.findings.premise(CLAUSE);
        }
        if is_former && !is_now {
            self.breach(tool, what, format!("{tool} has {what} of an earlier version"));
        }
    }

    fn breach(&mut self, tool: &ToolName, what: &'static str, found: String) {
        if self.told.insert((tool.clone(), what)) {
            let place = Place::request(self.hearing.session, self.prompt, self.request);
            self.findings.breach(CLAUSE, &place, Some(tool), found);
        }
    }

    fn changed(&mut self, tool: &Tool) {
        let former = || self.prompt.former(tool);
        let mut held = Vec::new();
        if let Some(shown) = self.request.shown.get(&tool.name) {
            let whole = |of: &Tool| lacks(&of.input_schema, &shown.schema).is_none();
            held.push(("the schema", whole(tool), former().any(whole)));
            let text = |of: &Tool| tells(&shown.description, &of.description);
            held.push(("the description", text(tool), former().any(text)));
        }
        let entries = &self.request.catalog.entries;
        if let Some(entry) = entries.iter().find(|entry| tool.name == *entry.name) {
            let text = |of: &Tool| tells(&entry.description, &of.description);
            held.push(("the line in the catalog", text(tool), former().any(text)));
        }
        for (what, is_now, is_former) in held {
            self.hold(&tool.name, what, is_now, is_former);
        }
    }

    fn added(&mut self, tool: &ToolName) {
        if !self.request.shows(tool) && self.all_are_listed() {
            self.findings.premise(CLAUSE);
            if !self.request.catalog.lists(tool.as_str()) {
                let found = format!("{tool} is not listed, though the registry has it now");
                self.breach(tool, "no line", found);
            }
        }
        if self.holds_its_search(tool) {
            self.findings.premise(CLAUSE);
            if !self.request.shows(tool) {
                let found = format!("{tool} was not found, though the registry has it now");
                self.breach(tool, "no match", found);
            }
        }
    }

    /// Whether every tool of the mode fits into the catalog.
    fn all_are_listed(&self) -> bool {
        self.hearing.account.profile.catalog.as_ref().is_some_and(|shape| {
            let texts = self.hearing.texts.of(&self.prompt.registry, self.prompt.mode, shape);
            let total: usize = texts.lines.iter().map(|(_, length)| length).sum();
            texts.lines.len() <= shape.entries && total + super::catalog::FRAME <= shape.bytes
        })
    }

    /// Whether this is the request that first holds the result of a search for the tool's exact
    /// name, alone in its batch, and the tool was not there before.
    fn holds_its_search(&self, tool: &ToolName) -> bool {
        self.prompt.issued().any(|(asked, issued)| {
            is_search(issued)
                && asked.calls().len() == 1
                && matches!(&issued.call, tacit_contract::Call::Search { query }
                    if query.as_text() == Some(tool.as_str()))
                && asked.view.is_some()
                && !asked.shows(tool)
                && self.prompt.next(asked).is_some_and(|next| next.entry == self.request.entry)
                && self.request.result(&issued.id).is_some()
        })
    }
}

/// Whether a text is a description, or the beginning of one: by its letters and digits alone, for
/// a runtime may cut a description and clean it.
pub(super) fn tells(text: &str, description: &str) -> bool {
    let letters =
        |text: &str| text.chars().filter(|symbol| symbol.is_alphanumeric()).collect::<String>();
    let text = letters(text);
    !text.is_empty() && letters(description).starts_with(&text)
}
