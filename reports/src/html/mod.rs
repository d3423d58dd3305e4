//! The HTML report: the contract clause by clause, in one file that needs nothing else.
//!
//! It asks no host for anything, and all of it can be read without its script: that filters, opens
//! what an address names in browsers that do not, and remembers the colours chosen. Whatever comes
//! from a runtime goes through [`text::Said`], and so is told and never obeyed.

pub(crate) mod addresses;
mod cause;
mod clauses;
mod counterexamples;
mod coverage;
mod filters;
pub(crate) mod head;
pub(crate) mod matrix;
mod page;
mod scenarios;
pub(crate) mod summary;
pub(crate) mod support;
pub(crate) mod text;
mod timeline;

#[cfg(test)]
mod tests;

use crate::background::Background;
use crate::run::Run;
use page::Page;

/// The report of a run, as a page of its own.
#[must_use]
pub fn render(run: &Run, about: &Background) -> String {
    Page::new(run, about).render().into_string()
}

/// Whether the page is whole, every address is that of one thing, and every link within the page
/// leads to one.
#[cfg(test)]
pub(crate) fn holds_together(page: &str) -> bool {
    let named = |attribute: &str| -> Vec<String> {
        let all = page.split(attribute).skip(1).filter_map(|rest| rest.split('"').next());
        all.map(str::to_owned).collect()
    };
    let ids = named(" id=\"");
    let all: std::collections::BTreeSet<_> = ids.iter().collect();
    let whole = page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>");
    whole && all.len() == ids.len() && named(" href=\"#").iter().all(|link| all.contains(link))
}
