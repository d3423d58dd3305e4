//! `isolation.sessions` beyond the evidence model: what a session shows and lists of a tool is its
//! own registry's, whatever version another session has.

use std::collections::BTreeSet;

use tacit_contract::Tool;

use super::fresh::tells;
use crate::account::plainly_deferred;
use crate::hearing::{Findings, Hearing, Place};
use crate::shown::lacks;

const CLAUSE: &str = "isolation.sessions";

/// `isolation.sessions`: where another session has another version of a tool, this one shows and
/// lists its own. A version that it had before itself is for `registry.fresh` to name.
pub fn versions(hearing: &Hearing<'_>, findings: &mut Findings) {
    if hearing.account.sessions.len() < 2 {
        return;
    }
    for prompt in &hearing.session.prompts {
        let mut versions: Vec<(&Tool, Vec<&Tool>)> = Vec::new();
        for tool in prompt.registry.given().iter() {
            let elsewhere = hearing.elsewhere(prompt, tool);
            if plainly_deferred(prompt, &tool.name) && !elsewhere.is_empty() {
                versions.push((tool, elsewhere));
            }
        }
        let mut told = BTreeSet::new();
        for request in prompt.turns().filter(|request| request.view.is_some()) {
            for (own, elsewhere) in &versions {
                let mut hold = |what: &'static str, is: &dyn Fn(&Tool) -> bool| {
                    let is_theirs = elsewhere.iter().any(|other| is(other));
                    if is(own) || is_theirs {
                        findings.premise(CLAUSE);
                    }
                    if is_theirs && !is(own) && told.insert((&own.name, what)) {
                        let place = Place::request(hearing.session, prompt, request);
                        let found =
                            format!("{} has {what} that it has in another session", own.name);
                        findings.breach(CLAUSE, &place, Some(&own.name), found);
                    }
                };
                if let Some(shown) = request.shown.get(&own.name) {
                    hold("the schema", &|of| lacks(&of.input_schema, &shown.schema).is_none());
                    hold("the description", &|of| tells(&shown.description, &of.description));
                }
                let mut entries = request.catalog.entries.iter();
                if let Some(entry) = entries.find(|entry| own.name == *entry.name) {
                    let line = |of: &Tool| tells(&entry.description, &of.description);
                    hold("the line in the catalog", &line);
                }
            }
        }
    }
}
