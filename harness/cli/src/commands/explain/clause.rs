//! One clause.

use serde_json::{Value, json};
use tacit_contract::{Clause, reading};
use tacit_reference::faults;

use super::Explanation;
use super::scenario::{Scenarios, places};
use crate::page::{command_field, field, hang, sentence};

/// Explains a clause: what it asks, where that is said, what tests it, what breaks it.
pub fn explain(clause: &Clause, scenarios: &Scenarios) -> Explanation {
    let about = scenarios.about(&clause.id);
    let faults: Vec<_> =
        faults::all().filter(|fault| fault.clauses.contains(&clause.id.as_str())).collect();
    let properties: Vec<&str> =
        about.iter().filter_map(|scenario| Some(scenario.property.as_ref()?.as_str())).collect();

    let mut text = format!("{} · {}\n\n", clause.id, clause.level.as_str());
    text.push_str(&hang("  ", &sentence(&clause.sentence)));
    text.push('\n');
    text.push_str(&field("source", &clause.citation()));
    let revisions: Vec<&str> = clause.revisions.iter().map(|revision| revision.as_str()).collect();
    text.push_str(&field("revisions", &revisions.join(", ")));
    for across in clause.across() {
        text.push_str(&field("", &across));
    }
    for need in &clause.needs {
        text.push_str(&field("needs", need.in_words()));
    }
    for (number, point) in clause.readings.iter().enumerate() {
        let accepted = reading::accepted(point).unwrap_or_default();
        let line = format!("{point}: {}", accepted.join("; or "));
        text.push_str(&field(if number == 0 { "accepted" } else { "" }, &line));
    }
    text.push_str(&match &clause.unchecked {
        Some(why) => field("not checked", why),
        None => field(
            "checked",
            "on every session that is played: those of each scenario and of each property",
        ),
    });
    for (number, place) in places(&about).iter().enumerate() {
        text.push_str(&field(if number == 0 { "scenarios" } else { "" }, place));
    }
    if !properties.is_empty() {
        text.push_str(&field("properties", &properties.join(", ")));
    }
    for (number, fault) in faults.iter().enumerate() {
        let line = format!("{}: {}", fault.key, fault.behaviour);
        text.push_str(&field(if number == 0 { "faults" } else { "" }, &line));
    }
    if let Some(fault) = faults.first() {
        let command = format!("tacit run --runtime reference+{} --clause {}", fault.key, clause.id);
        text.push_str(&command_field("try it", &command));
    }
    let readings: Vec<Value> = clause
        .readings
        .iter()
        .map(|point| json!({"point": point, "accepted": reading::accepted(point)}))
        .collect();
    let value = json!({
        "kind": "clause",
        "id": clause.id,
        "level": clause.level,
        "sentence": clause.sentence,
        "citation": clause.citation(),
        "revisions": clause.revisions,
        "across": clause.across(),
        "needs": clause.needs,
        "readings": readings,
        "unchecked": clause.unchecked,
        "scenarios": about.iter().map(|scenario| json!({
            "name": scenario.name, "feature": scenario.feature, "line": scenario.line,
        })).collect::<Vec<_>>(),
        "properties": properties,
        "faults": faults.iter().map(|fault| fault.key).collect::<Vec<_>>(),
    });
    Explanation { text, value }
}
