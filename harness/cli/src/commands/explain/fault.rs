//! One fault of the reference runtime.

use serde_json::json;
use tacit_contract::clause::clause;
use tacit_reference::Fault;
use tacit_reference::faults::untested::Untested;

use super::Explanation;
use crate::page::{command_field, field, hang};

/// Explains a fault: what it does, where it was seen, what it breaks, how to see it found.
pub fn explain(fault: &Fault) -> Explanation {
    let mut text = format!("{} · a fault of the reference runtime\n\n", fault.key);
    text.push_str(&hang("  ", fault.behaviour));
    text.push('\n');
    text.push_str(&field("seen in", &seen_in(fault.seen_in)));
    for (number, id) in fault.clauses.iter().enumerate() {
        let sentence = clause(id).map(|clause| clause.sentence.as_str()).unwrap_or_default();
        let line = format!("{id} ({}): {sentence}", fault.level.as_str());
        text.push_str(&field(if number == 0 { "breaks" } else { "" }, &line));
    }
    if let Some(steps) = fault.shortest {
        let steps = if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
        text.push_str(&field("shortest", &format!("a session of {steps} is known to show it")));
    }
    let command = format!("tacit run --runtime reference+{}", fault.key);
    text.push_str(&command_field("try it", &command));
    let value = json!({
        "kind": "fault",
        "key": fault.key,
        "behaviour": fault.behaviour,
        "level": fault.level,
        "clauses": fault.clauses,
        "seenIn": fault.seen_in,
        "shortestKnown": fault.shortest,
        "tested": true,
        "tryIt": command,
    });
    Explanation { text, value }
}

/// Explains a fault that no session can show: what it does, where it was seen, why it is not
/// tested.
pub fn explain_untested(fault: &Untested) -> Explanation {
    let mut text = format!("{} · a known fault that is not tested\n\n", fault.key);
    text.push_str(&hang("  ", fault.behaviour));
    text.push('\n');
    text.push_str(&field("seen in", &seen_in(fault.seen_in)));
    text.push_str(&field("not tested", fault.reason));
    let value = json!({
        "kind": "fault",
        "key": fault.key,
        "behaviour": fault.behaviour,
        "level": null,
        "clauses": [],
        "seenIn": fault.seen_in,
        "tested": false,
        "reason": fault.reason,
    });
    Explanation { text, value }
}

fn seen_in(places: &[&str]) -> String {
    match places {
        [] => "no public report: it follows from the contract".to_owned(),
        places => places.join(", "),
    }
}
