//! The site: the contract as pages for those who write it, with what was found out beside it.
//!
//! A page for each clause and each feature, and what leads to them. Of a run, each page shows the
//! verdicts; without one, the site is the documentation alone. It asks no host for anything, has no
//! script, and its links work from a folder as from a server. What a page tells comes from the
//! contract, the features and the run; the run's own report is one of the pages.

mod clause;
mod faults;
mod features;
mod gherkin;
mod index;
mod layout;
mod revisions;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use maud::{Markup, html};
use tacit_contract::event::{ClauseResult, ScenarioResult};
use tacit_contract::{ClauseId, clause as contract};

use crate::background::Background;
use crate::feature::Feature;
use crate::html as report;
use crate::html::text::{Said, badge};
use crate::run::Run;
use layout::Shell;

/// One file of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteFile {
    /// Where it stands in the site, with `/` between folders.
    pub path: String,
    /// What it holds.
    pub text: String,
}

/// The files of the site: of a run, where there is one, and of what is known beside it.
#[must_use]
pub fn files(run: Option<&Run>, about: &Background) -> Vec<SiteFile> {
    let site = Site::new(run, about);
    let mut files = vec![
        site.page("index.html", &site.index()),
        site.page("features.html", &site.features()),
        site.page("faults.html", &site.faults()),
        site.page("revisions.html", &revisions::revisions()),
    ];
    for clause in contract::clauses() {
        files.push(site.page(&clause_path(&clause.id), &site.clause(clause)));
    }
    for feature in &about.features {
        files.push(site.page(&feature_path(feature), &site.feature(feature)));
    }
    if about.table.is_some() {
        files.push(site.page("runtimes.html", &site.runtimes()));
    }
    if let Some(run) = run {
        files.push(SiteFile { path: "report.html".to_owned(), text: report::render(run, about) });
    }
    files.push(SiteFile { path: "style.css".to_owned(), text: layout::STYLE.concat() });
    files
}

/// What all pages need.
struct Site<'a> {
    run: Option<&'a Run>,
    about: &'a Background,
    clauses: BTreeMap<&'a ClauseId, &'a ClauseResult>,
    scenarios: BTreeMap<(&'a str, usize), &'a ScenarioResult>,
}

impl<'a> Site<'a> {
    fn new(run: Option<&'a Run>, about: &'a Background) -> Self {
        let clauses = run.iter().flat_map(|run| &run.clauses).map(|one| (&one.id, one));
        let scenarios = run.iter().flat_map(|run| &run.scenarios);
        let scenarios = scenarios.map(|one| ((one.feature.as_str(), one.line), one));
        Self { run, about, clauses: clauses.collect(), scenarios: scenarios.collect() }
    }

    fn page(&self, path: &str, shell: &Shell) -> SiteFile {
        SiteFile { path: path.to_owned(), text: self.shell(path, shell).into_string() }
    }

    /// The verdict on a clause, where the run has one.
    fn verdict(&self, id: &ClauseId) -> Markup {
        html! { @if let Some(result) = self.clauses.get(id) { (badge(result.verdict)) } }
    }

    /// The results of a scenario, by the lines that it was played at.
    fn results(&self, feature: &Feature, played: &[usize]) -> Vec<&'a ScenarioResult> {
        let found = played.iter().map(|line| self.scenarios.get(&(feature.path.as_str(), *line)));
        found.flatten().copied().collect()
    }

    /// How several runtimes came out.
    fn runtimes(&self) -> Shell {
        let link = |id: &ClauseId| clause_link("", id);
        Shell {
            title: "Runtimes compared".to_owned(),
            lead: html! { p { "What each clause came to on each runtime, and how it was read." } },
            content: html! {
                @if let Some(table) = &self.about.table { (report::support::support(table, &link)) }
            },
        }
    }
}

fn clause_path(id: &ClauseId) -> String {
    format!("clauses/{id}.html")
}

fn feature_path(feature: &Feature) -> String {
    format!("features/{}.html", feature.stem())
}

/// A link to a clause's page, from a page that is `root` away from the site's own folder; its name
/// alone where the contract does not have it.
fn clause_link(root: &str, id: &ClauseId) -> Markup {
    let name = html! { code { (Said(id.as_str())) } };
    html! {
        @if contract::clause(id.as_str()).is_some() {
            a href={ (root) (clause_path(id)) } { (name) }
        } @else {
            (name)
        }
    }
}
