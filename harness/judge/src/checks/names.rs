//! `registry.reserved` and `registry.collisions`: names that are taken already.

use std::collections::BTreeMap;

use tacit_contract::protocol::Stop;
use tacit_contract::{Standing, Tool, ToolName, canary};
use tacit_wire::ShownTool;

use super::fresh::tells;
use crate::account::{PromptAccount, RequestAccount};
use crate::hearing::{Findings, Hearing, Place};

/// The definitions that the model can read under a name.
fn under<'a>(
    hearing: &'a Hearing<'_>,
    request: &'a RequestAccount<'_>,
    name: &'a ToolName,
) -> impl Iterator<Item = &'a ShownTool> {
    let dialect = &hearing.account.dialect;
    let visible = request.view.iter().flat_map(tacit_wire::RequestView::visible);
    visible.filter(move |tool| dialect.unprefixed(&tool.wire_name) == name.as_str())
}

/// `registry.reserved`: what is always sent is the runtime's own, whoever brings a tool of that
/// name.
pub fn reserved(hearing: &Hearing<'_>, findings: &mut Findings) {
    const CLAUSE: &str = "registry.reserved";
    for prompt in &hearing.session.prompts {
        // Core tools that the harness gave bear their names first.
        let given_core = |name: &&ToolName| {
            let mut namesakes = prompt.registry.namesakes(name);
            namesakes.any(|tool| tool.standing(prompt.mode) == Some(Standing::Core))
        };
        let names: Vec<&ToolName> = prompt
            .registry
            .taken()
            .filter(|name| hearing.is_reserved(prompt, name))
            .chain(prompt.registry.shared().filter(given_core))
            .collect();
        if names.is_empty() {
            continue;
        }
        for request in prompt.turns().filter(|request| request.view.is_some()) {
            findings.premise(CLAUSE);
            let taken = names.iter().find(|name| {
                under(hearing, request, name).any(|shown| is_foreign(prompt, shown, name))
            });
            if let Some(name) = taken {
                let place = Place::request(hearing.session, prompt, request);
                let found = format!("{name} is a plugin's tool, and not the runtime's own");
                findings.breach(CLAUSE, &place, Some(name), found);
            }
        }
    }
}

/// Whether a definition is that of a tool which a plugin brought under a name of the runtime's.
fn is_foreign(prompt: &PromptAccount<'_>, shown: &ShownTool, name: &ToolName) -> bool {
    let is_core = |tool: &Tool| tool.standing(prompt.mode) == Some(Standing::Core);
    let (core, foreign): (Vec<&Tool>, Vec<&Tool>) =
        prompt.registry.namesakes(name).partition(|tool| is_core(tool));
    if core.is_empty() {
        // The runtime's own definition holds no word of the harness.
        return canary::found(&shown.schema.to_string()).next().is_some();
    }
    let told =
        |tools: &[&Tool]| tools.iter().any(|tool| tells(&shown.description, &tool.description));
    told(&foreign) && !told(&core)
}

/// `registry.collisions`: of tools that bear one name there is one, always the same while the
/// registry and the mode are, or none.
pub fn collisions(hearing: &Hearing<'_>, findings: &mut Findings) {
    let mut last: Option<&PromptAccount<'_>> = None;
    let mut chosen: BTreeMap<ToolName, usize> = BTreeMap::new();
    for prompt in &hearing.session.prompts {
        if !last.is_some_and(|last| last.mode == prompt.mode && last.is_like(prompt)) {
            chosen.clear();
        }
        last = Some(prompt);
        let in_mode = |name: &&ToolName| {
            let mut namesakes = prompt.registry.namesakes(name);
            namesakes.any(|tool| tool.standing(prompt.mode).is_some())
        };
        let names: Vec<&ToolName> = prompt.registry.shared().filter(in_mode).collect();
        if names.is_empty() {
            continue;
        }
        for request in prompt.turns().filter(|request| request.view.is_some()) {
            findings.premise(COLLISIONS);
            let mut bench = Collision { hearing, prompt, request, findings };
            for name in &names {
                bench.one_or_none(name, &mut chosen);
            }
        }
        goes_on(hearing, prompt, findings);
    }
}

const COLLISIONS: &str = "registry.collisions";

fn goes_on(hearing: &Hearing<'_>, prompt: &PromptAccount<'_>, findings: &mut Findings) {
    let failed = prompt.end.filter(|end| end.stop == Stop::Error);
    if let Some(end) = failed
        && !super::provider_failed(hearing.session, prompt)
    {
        let place = Place::in_prompt(hearing.session, prompt, prompt.end_entry);
        let error = end.error.as_deref().unwrap_or("none given");
        let found = format!("two plugins bring one name, and the prompt ended in error: {error}");
        findings.breach(COLLISIONS, &place, None, found);
    }
}

struct Collision<'a> {
    hearing: &'a Hearing<'a>,
    prompt: &'a PromptAccount<'a>,
    request: &'a RequestAccount<'a>,
    findings: &'a mut Findings,
}

impl Collision<'_> {
    fn one_or_none(&mut self, name: &ToolName, chosen: &mut BTreeMap<ToolName, usize>) {
        let shown: Vec<&ShownTool> = under(self.hearing, self.request, name).collect();
        let entries = self.request.catalog.entries.iter().filter(|entry| *name == *entry.name);
        let listed: Vec<&str> = entries.map(|entry| entry.description.as_str()).collect();
        if shown.len() > 1 {
            self.breach(name, format!("{name} is sent {} times", shown.len()));
        }
        if listed.len() > 1 {
            self.breach(name, format!("{name} is listed {} times", listed.len()));
        }
        let texts = shown.iter().map(|tool| tool.description.as_str()).chain(listed);
        let which: Vec<usize> = texts.filter_map(|text| self.which(name, text)).collect();
        for now in which {
            let before = *chosen.entry(name.clone()).or_insert(now);
            if before != now {
                let found = format!(
                    "{name} is the tool {}, and was the one {}",
                    self.brought(name, now),
                    self.brought(name, before)
                );
                self.breach(name, found);
                return;
            }
        }
    }

    fn breach(&mut self, name: &ToolName, found: String) {
        let place = Place::request(self.hearing.session, self.prompt, self.request);
        self.findings.breach(COLLISIONS, &place, Some(name), found);
    }

    /// Which of the namesakes a description belongs to; `None` where it could be several, or none.
    fn which(&self, name: &ToolName, text: &str) -> Option<usize> {
        let namesakes = self.prompt.registry.namesakes(name).enumerate();
        let mut fitting = namesakes.filter(|(_, tool)| tells(text, &tool.description));
        let (place, _) = fitting.next()?;
        fitting.next().is_none().then_some(place)
    }

    /// Who brought a namesake.
    fn brought(&self, name: &ToolName, place: usize) -> String {
        let tool = self.prompt.registry.namesakes(name).nth(place);
        let plugin = tool.and_then(|tool| tool.origin.id.clone());
        plugin.map_or_else(|| "of the session".to_owned(), |plugin| format!("of plugin {plugin}"))
    }
}
