//! One property, or the search through every short session.

use serde_json::json;
use tacit_suite::exhaustive;
use tacit_suite::property::Property;

use super::Explanation;
use super::scenario::{Scenarios, places};
use crate::commands::list::{capability, held_against};
use crate::page::{field, hang};

/// Explains a property: what its sessions are about, and what they are held against.
pub fn explain(property: Property, scenarios: &Scenarios) -> Explanation {
    let id = property.id();
    let held = held_against(property.variants);
    let needs = capability(property);
    let run_by = scenarios.running(&id);

    let mut text = format!("{id} · a property: random sessions of one kind\n\n");
    text.push_str(&hang("  ", property.mix.about));
    text.push('\n');
    text.push_str(&field("judged", "every clause, on each of its sessions"));
    for (number, variant) in held.iter().enumerate() {
        let line = format!("the same session {variant}");
        text.push_str(&field(if number == 0 { "compared" } else { "" }, &line));
    }
    if let Some(capability) = needs {
        text.push_str(&field("needs", &format!("the capability {capability}")));
    }
    for (number, place) in places(&run_by).iter().enumerate() {
        text.push_str(&field(if number == 0 { "scenarios" } else { "" }, place));
    }
    let value = json!({
        "kind": "property",
        "id": id,
        "about": property.mix.about,
        "needs": needs,
        "heldAgainst": held,
        "scenarios": run_by.iter().map(|scenario| json!({
            "name": scenario.name, "feature": scenario.feature, "line": scenario.line,
        })).collect::<Vec<_>>(),
    });
    Explanation { text, value }
}

/// Explains the exhaustive search.
pub fn explain_exhaustive() -> Explanation {
    let mut text = format!("{} · what `run --exhaustive DEPTH` plays\n\n", exhaustive::ID);
    text.push_str(&hang("  ", exhaustive::ABOUT));
    text.push('\n');
    text.push_str(&field("judged", "every clause, on each of its sessions"));
    text.push_str(&field("order", "by length, so that what fails first is among the shortest"));
    let value = json!({
        "kind": "exhaustive",
        "id": exhaustive::ID,
        "about": exhaustive::ABOUT,
    });
    Explanation { text, value }
}
