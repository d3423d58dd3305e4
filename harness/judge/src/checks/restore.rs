//! `restore.*` beyond the evidence model: that sessions go on, and that markers last.

use std::collections::BTreeMap;

use tacit_contract::protocol::Stop;
use tacit_contract::{CallId, Row, ToolName};

use crate::hearing::{Findings, Hearing, Place};
use crate::known::Ending;

/// `restore.ignores-missing`: a session whose transcript has a call without a result goes on.
/// What such a call restores is judged with the evidence.
pub fn goes_on(hearing: &Hearing<'_>, findings: &mut Findings) {
    let missing = hearing.known.iter().any(|(_, fact)| fact.ending == Ending::Missing);
    if !missing {
        return;
    }
    for prompt in &hearing.session.prompts {
        let Some(end) = prompt.end.filter(|end| end.stop == Stop::Error) else { continue };
        if super::provider_failed(hearing.session, prompt) {
            continue;
        }
        findings.premise("restore.ignores-missing");
        let place = Place::in_prompt(hearing.session, prompt, prompt.end_entry);
        let error = end.error.as_deref().unwrap_or("none given");
        let found = format!("the prompt ended in error after a call without a result: {error}");
        findings.breach("restore.ignores-missing", &place, None, found);
    }
}

/// `restore.marker-durable`
pub fn marker_durable(hearing: &Hearing<'_>, findings: &mut Findings) {
    let search = hearing.search_tool();
    let mut before: BTreeMap<CallId, (usize, Vec<ToolName>)> = BTreeMap::new();
    for rows in &hearing.session.rows {
        let mut now: BTreeMap<CallId, (usize, Vec<ToolName>)> = BTreeMap::new();
        for row in rows.rows {
            if let Row::ToolResult { call_id, tool_name, added_tool_names, .. } = row
                && *tool_name == search
            {
                let marker = added_tool_names.clone().unwrap_or_default();
                now.entry(call_id.clone()).or_insert((rows.entry, marker));
            }
        }
        for (id, (entry, marker)) in &now {
            let Some((earlier, was)) = before.get(id).filter(|(_, was)| !was.is_empty()) else {
                continue;
            };
            let reloaded = hearing.session.reopened.iter().any(|at| (earlier..entry).contains(&at))
                || hearing.session.rows.iter().any(|rows| rows.seeded && rows.entry == *earlier);
            if reloaded {
                findings.premise("restore.marker-durable");
            }
            if marker != was {
                let prompt = hearing
                    .session
                    .prompts
                    .iter()
                    .rfind(|prompt| prompt.entry < *entry)
                    .map_or(0, |prompt| prompt.number);
                let place = Place::entry(hearing.session, prompt, *entry);
                let found = format!(
                    "the marker of search {id} was [{}] and is [{}]",
                    list(was),
                    list(marker)
                );
                findings.breach("restore.marker-durable", &place, was.first(), found);
            }
        }
        before.extend(now);
    }
}

fn list(names: &[ToolName]) -> String {
    names.iter().map(ToolName::in_words).collect::<Vec<_>>().join(", ")
}
