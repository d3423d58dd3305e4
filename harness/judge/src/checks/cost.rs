//! `cost.first-request`: what a prompt begins with, against all that it could have begun with.
//!
//! Measured, not judged: that nothing at all is saved is a breach as well, so that a fault which
//! brings it about can be hunted.

use std::io::{self, Write};
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use tacit_contract::{Measure, Registry, Tool, ToolName};

use crate::account::plainly_deferred;
use crate::hearing::{Findings, Hearing, Place};

const CLAUSE: &str = "cost.first-request";

/// `cost.first-request`: the bytes of each prompt's first request, and of the same with a
/// definition of every deferred tool of the harness that it does not hold. What tools of the
/// runtime's own would take up, nobody knows: they are left out on both sides.
pub fn first_request(hearing: &Hearing<'_>, findings: &mut Findings) {
    let mut last: Option<Sizes<'_>> = None;
    for prompt in &hearing.session.prompts {
        let Some(request) = prompt.first().filter(|request| request.view.is_some()) else {
            continue;
        };
        let known = last.take().filter(|known| Arc::ptr_eq(known.registry, &prompt.registry));
        let sizes = known.unwrap_or_else(|| Sizes::of(&prompt.registry));
        let deferred = || sizes.tools.iter().filter(|(tool, _)| plainly_deferred(prompt, tool));
        let left_out = deferred().filter(|(tool, _)| request.shown.places(tool).is_empty());
        let part = request.raw.body.len() as u64;
        let whole = part + left_out.map(|(_, size)| size).sum::<u64>();
        let mut spare = deferred().filter(|(tool, _)| !hearing.sets(request).allows(tool));
        if let Some((tool, _)) = spare.next().filter(|_| part == whole) {
            let place = Place::request(hearing.session, prompt, request);
            let found = format!("the first request has every schema, {tool} among them");
            findings.breach(CLAUSE, &place, Some(tool), found);
        }
        last = Some(sizes);
        if prompt.registry.deferred(prompt.mode).next().is_some() {
            findings.premise(CLAUSE);
            findings.measure(CLAUSE, Measure { part, whole });
        }
    }
}

/// What the definitions of a registry take up: looked at once for all prompts that have it.
struct Sizes<'a> {
    registry: &'a Arc<Registry>,
    tools: Vec<(&'a ToolName, u64)>,
}

impl<'a> Sizes<'a> {
    fn of(registry: &'a Arc<Registry>) -> Self {
        let tools = registry.given().iter().map(|tool| (&tool.name, size(tool))).collect();
        Self { registry, tools }
    }
}

/// A definition, in no API's form.
#[derive(Serialize)]
struct Definition<'a> {
    name: &'a ToolName,
    description: &'a str,
    parameters: &'a Value,
}

/// The bytes of a definition.
fn size(tool: &Tool) -> u64 {
    let definition = Definition {
        name: &tool.name,
        description: &tool.description,
        parameters: &tool.input_schema,
    };
    let mut length = Length(0);
    // What only counts takes everything, and a definition has no keys but texts.
    let _ = serde_json::to_writer(&mut length, &definition);
    length.0
}

/// Counts what is written to it.
struct Length(u64);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
