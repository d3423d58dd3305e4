//! One clause.

use serde_json::{Value, json};
use tacit_contract::Clause;
use tacit_contract::clause::{Need, contract};
use tacit_reference::faults;

use super::scenario::{Scenarios, places};
use super::{Explanation, reading};
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
    for across in across(clause) {
        text.push_str(&field("", &across));
    }
    for need in &clause.needs {
        text.push_str(&field("needs", need_in_words(*need)));
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
        "across": across(clause),
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

/// What a runtime of another revision does to the clause.
fn across(clause: &Clause) -> Vec<String> {
    let lines = contract().across.iter().filter_map(|across| {
        let verb = match (across.must.contains(&clause.id), across.may.contains(&clause.id)) {
            (true, _) => "fails",
            (_, true) => "may fail",
            _ => return None,
        };
        Some(format!("a runtime of {} {verb} it under {}", across.runtime, across.under))
    });
    lines.collect()
}

fn need_in_words(need: Need) -> &'static str {
    match need {
        Need::Transcript => "a runtime that shows its rows (capability transcript)",
        Need::SetTools => "a registry that can change (capability setTools)",
        Need::SetToolsOrMode => {
            "a registry or a mode that can change (capability setTools or setMode)"
        }
        Need::NewContext => "a tool that starts a new context",
        Need::NativeDeferral => "native deferral on some API",
        Need::SeveralApis => "two provider APIs that tacit speaks as well",
    }
}
