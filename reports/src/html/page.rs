//! The page as a whole: its head, its parts in their order, its foot.

use std::collections::{BTreeMap, BTreeSet};

use maud::{DOCTYPE, Markup, PreEscaped, html};
use tacit_contract::Level;
use tacit_contract::clause::clause;
use tacit_contract::event::ScenarioResult;

use super::addresses::Addresses;
use super::head::head;
use super::support::support;
use super::text::level;
use crate::background::Background;
use crate::run::Run;

/// What all parts of the page need.
pub(super) struct Page<'a> {
    pub(super) run: &'a Run,
    pub(super) about: &'a Background,
    /// The scenarios that are about a clause, by their place in the run.
    pub(super) tested_by: BTreeMap<&'a str, Vec<usize>>,
    pub(super) addresses: Addresses,
}

/// A part of the page: its address, its name, and what it says.
type Part = (&'static str, &'static str, Markup);

impl<'a> Page<'a> {
    pub(super) fn new(run: &'a Run, about: &'a Background) -> Self {
        let mut tested_by: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, scenario) in run.scenarios.iter().enumerate() {
            for id in tagged(scenario, "clause:") {
                tested_by.entry(id).or_default().push(place);
            }
        }
        Self { run, about, tested_by, addresses: Addresses::of(run, about) }
    }

    pub(super) fn render(&self) -> Markup {
        let title = self.title();
        let parts = self.parts();
        let name = format!("{title} · conformance report");
        let style = html! { style { (PreEscaped(include_str!("style.css"))) } };
        html! {
            (DOCTYPE)
            html lang="en" {
                (head(&name, &self.run.started.tool_version, &style))
                body {
                    a.skip href="#clauses" { "Skip to the clauses" }
                    header.top {
                        p.brand { "tacit" span { " conformance report" } }
                        (contents(&parts))
                        (theme())
                    }
                    main {
                        (self.summary(&title))
                        (self.filters())
                        @for (id, name, content) in &parts {
                            section id=(id) aria-labelledby={ (id) "-title" } {
                                h2 id={ (id) "-title" } { (name) }
                                (content)
                            }
                        }
                    }
                    (self.foot())
                    script { (PreEscaped(include_str!("script.js"))) }
                }
            }
        }
    }

    /// The parts of which there is something to say.
    fn parts(&self) -> Vec<Part> {
        [
            ("causes", "What went wrong", self.causes()),
            ("clauses", "The contract", Some(self.clauses())),
            ("counterexamples", "Counterexamples", self.counterexamples()),
            ("scenarios", "Scenarios", self.scenarios()),
            ("properties", "Properties", self.properties()),
            ("coverage", "Coverage of the generated sessions", self.coverage()),
            (
                "runtimes",
                "Runtimes compared",
                self.about.table.as_ref().map(|table| support(table, &|id| self.clause_link(id))),
            ),
            ("matrix", "Kill matrix", self.about.matrix.as_ref().map(|matrix| self.matrix(matrix))),
        ]
        .into_iter()
        .filter_map(|(id, name, content)| Some((id, name, content?)))
        .collect()
    }

    /// The attributes that the filters go by: families and levels of all the clauses that
    /// something is about.
    pub(super) fn kinds<'b>(clauses: impl IntoIterator<Item = &'b str>) -> (String, String) {
        let (mut families, mut levels) = (BTreeSet::new(), BTreeSet::<Level>::new());
        for id in clauses {
            families.insert(id.split('.').next().unwrap_or_default());
            levels.extend(clause(id).map(|clause| clause.level));
        }
        let levels: Vec<_> = levels.into_iter().map(level).collect();
        (families.into_iter().collect::<Vec<_>>().join(" "), levels.join(" "))
    }
}

/// What stands behind one kind of tag.
pub(super) fn tagged<'a>(
    scenario: &'a ScenarioResult,
    kind: &'static str,
) -> impl Iterator<Item = &'a str> {
    scenario.tags.iter().filter_map(move |tag| tag.strip_prefix(kind))
}

fn contents(parts: &[Part]) -> Markup {
    html! {
        nav aria-label="Parts of the report" {
            ul {
                @for (id, name, _) in parts {
                    li { a href={ "#" (id) } { (name.split(" of ").next().unwrap_or(name)) } }
                }
            }
        }
    }
}

/// Works by the style sheet alone; the script remembers what was chosen.
fn theme() -> Markup {
    html! {
        fieldset.theme {
            legend.hidden { "Colours" }
            @for (value, name) in [("auto", "Auto"), ("light", "Light"), ("dark", "Dark")] {
                label {
                    input type="radio" name="theme" id={ "theme-" (value) } value=(value)
                        checked[value == "auto"];
                    span { (name) }
                }
            }
        }
    }
}
