//! Addresses: what has a name can be linked to, and opens when it is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use maud::{Markup, html};
use tacit_contract::ClauseId;

use super::page::Page;
use super::text::{Said, file_name};
use crate::background::Background;
use crate::run::Run;

/// Where on the page things stand, each at the place that it has in the run.
pub(super) struct Addresses {
    pub(super) clauses: Vec<String>,
    pub(super) scenarios: Vec<String>,
    pub(super) properties: Vec<String>,
    pub(super) counterexamples: Vec<String>,
    /// All of them, and those of families and faults: a link leads only to what is there.
    all: BTreeSet<String>,
}

impl Addresses {
    pub(super) fn of(run: &Run, about: &Background) -> Self {
        let mut all = BTreeSet::new();
        for clause in &run.clauses {
            all.insert(address("family", clause.id.family()));
        }
        for fault in about.matrix.iter().flat_map(|matrix| &matrix.faults) {
            all.insert(address("fault", &fault.key));
        }
        let mut take = |kind: &str, name: &str| {
            let address = address(kind, name);
            let again = (2..).map(|number| format!("{address}~{number}"));
            let mut free = std::iter::once(address.clone()).chain(again);
            let free = free.find(|one| all.insert(one.clone()));
            free.unwrap_or(address)
        };
        let mut found = BTreeMap::<&ClauseId, usize>::new();
        let clauses = run.clauses.iter().map(|one| take("clause", one.id.as_str())).collect();
        let scenarios = run
            .scenarios
            .iter()
            .map(|one| take("scenario", &format!("{}:{}", file_name(&one.feature), one.line)));
        let scenarios = scenarios.collect();
        let properties = run.properties.iter().map(|one| take("property", one.id.as_str()));
        let properties = properties.collect();
        let counterexamples = run.counterexamples.iter().map(|one| {
            let number = found.entry(&one.clause).or_default();
            *number += 1;
            take("counterexample", &format!("{}-{number}", one.clause))
        });
        let counterexamples = counterexamples.collect();
        Self { clauses, scenarios, properties, counterexamples, all }
    }
}

/// The address of one of the things that a run holds.
pub(super) fn own<'a, T>(things: &[T], addresses: &'a [String], one: &T) -> Option<&'a str> {
    let place = things.iter().position(|other| std::ptr::eq(other, one))?;
    addresses.get(place).map(String::as_str)
}

/// The fragment that leads to an address.
pub(super) fn to(address: Option<&str>) -> Option<String> {
    address.map(|address| format!("#{address}"))
}

impl Page<'_> {
    /// A link to the thing of a kind and a name; its text alone where the page does not have it,
    /// as in a run that a filter narrowed.
    pub(super) fn link(&self, kind: &str, name: &str, text: &Markup) -> Markup {
        let address = address(kind, name);
        html! {
            @if self.addresses.all.contains(&address) {
                a href={ "#" (address) } { (text) }
            } @else {
                (text)
            }
        }
    }

    /// A clause's name, as a link to it.
    pub(super) fn clause_link(&self, id: &ClauseId) -> Markup {
        self.link("clause", id.as_str(), &html! { code { (Said(id.as_str())) } })
    }

    /// The names of clauses, as links to them.
    pub(super) fn clause_links(&self, ids: &[ClauseId]) -> Markup {
        super::text::listed(ids.iter().map(|id| self.clause_link(id)))
    }
}

/// Where on the page a thing stands: `clause-restore.use-evidence`. Different names have different
/// addresses, and none holds what would have to be escaped in one.
pub(crate) fn address(kind: &str, name: &str) -> String {
    let mut address = format!("{kind}-");
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':') {
            address.push(c);
        } else {
            let _ = write!(address, "~{:x}~", u32::from(c));
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_names_have_different_addresses_that_need_no_escape() {
        let names = ["restore.use-evidence", "a b", "a~b", "a\"b", "a\u{202e}b", "a~20~b"];
        let all: BTreeSet<_> = names.iter().map(|name| address("clause", name)).collect();
        assert_eq!(all.len(), names.len());
        assert!(all.contains("clause-restore.use-evidence"));
        assert!(all.iter().all(|one| !one.contains([' ', '"', '<', '#', '%'])));
    }
}
