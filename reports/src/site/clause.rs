//! A clause's page: what it asks for, since when, how it may be read, what tests it and what
//! proves the tests.

use maud::{Markup, html};
use tacit_contract::event::ClauseResult;
use tacit_contract::table::{Cell, Column};
use tacit_contract::{Clause, Revision, reading};

use super::gherkin::{ROOT, steps};
use super::layout::Shell;
use super::{Site, clause_link, feature_path};
use crate::html::addresses::address;
use crate::html::support::called;
use crate::html::text::{Said, badge, level, listed, seen_in};
use crate::time;

impl Site<'_> {
    pub(super) fn clause(&self, clause: &Clause) -> Shell {
        let result = self.clauses.get(&clause.id).copied();
        Shell {
            title: clause.id.to_string(),
            lead: html! {
                p.meta {
                    a href={ (ROOT) "index.html#family-" (clause.id.family()) } { (clause.id.family()) }
                    span.level { (level(clause.level)) }
                    (self.verdict(&clause.id))
                }
                p.lead { (clause.sentence) }
            },
            content: html! {
                (origin(clause, result))
                (accepted(clause))
                (history(clause))
                (self.by_runtime(clause, result))
                (self.tested_by(clause))
                (self.proven_by(clause))
                (self.counterexamples(clause))
            },
        }
    }

    /// How it came out and was read, on the run's runtime and on those compared.
    fn by_runtime(&self, clause: &Clause, result: Option<&ClauseResult>) -> Markup {
        let table = self.about.table.as_ref();
        let row = table.and_then(|table| table.clauses.iter().find(|row| row.id == clause.id));
        let compared: Vec<(&Column, &Cell)> = table
            .zip(row)
            .map(|(table, row)| {
                let cells = table.runtimes.iter().zip(&row.cells);
                cells.filter_map(|(column, cell)| Some((column, cell.as_ref()?))).collect()
            })
            .unwrap_or_default();
        if result.is_none() && compared.is_empty() {
            return html! {};
        }
        html! {
            h2 { "Readings by runtime" }
            div.over tabindex="0" role="group" aria-label="Readings by runtime" {
                table.grid {
                    thead { tr {
                        @for name in ["runtime", "held to", "verdict", "reading"] { th scope="col" { (name) } }
                    } }
                    tbody {
                        @if let Some((run, result)) = self.run.zip(result) {
                            tr {
                                th scope="row" { (Said(&run.started.spec)) " " (Said(&run.started.version)) }
                                td { (Said(&run.started.profile)) }
                                td { (badge(result.verdict)) }
                                td { (said(result.reading.as_ref(), result.reason.as_ref())) }
                            }
                        }
                        @for (column, cell) in compared {
                            tr {
                                th scope="row" { (Said(called(column))) " " (Said(&column.version)) }
                                td { (Said(&column.profile)) }
                                td { @if cell.claimed { (badge(cell.verdict)) } @else { "not claimed" } }
                                td { (said(cell.reading.as_ref(), cell.reason.as_ref())) }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The scenarios that are about it, as they are written, and the properties of the run.
    fn tested_by(&self, clause: &Clause) -> Markup {
        let features = self.about.features.iter().filter_map(|feature| {
            let about = feature.scenarios().map(|(_, scenario)| scenario);
            let about: Vec<_> = about.filter(|one| one.clauses.contains(&clause.id)).collect();
            (!about.is_empty()).then_some((feature, about))
        });
        let features: Vec<_> = features.collect();
        let properties: Vec<_> = self
            .run
            .iter()
            .flat_map(|run| &run.properties)
            .filter(|property| property.clauses.contains(&clause.id))
            .collect();
        let only = std::slice::from_ref(&clause.id);
        html! {
            h2 { "Tested by" }
            @if let Some(why) = &clause.unchecked {
                p { "There is no check for it: " (why) "." }
            } @else {
                p.prose { "It is judged on every session that is played, those of other scenarios and of every property included." }
            }
            @for (feature, scenarios) in features {
                h3 { a href={ (ROOT) (feature_path(feature)) } { (Said(&feature.name)) } }
                @if !feature.background.is_empty() { (steps(&feature.background)) }
                @for scenario in scenarios {
                    (self.scenario(feature, scenario, only, |title| html! { h4 { (title) } }))
                }
            }
            @if !properties.is_empty() {
                h3 { "Properties" }
                ul.tests {
                    @for property in properties {
                        li {
                            (badge(property.verdict)) " " (Said(&property.sentence))
                            span.note { " " code { (Said(property.id.as_str())) } ", " (time::counted(u64::from(property.cases), "case")) }
                        }
                    }
                }
            }
        }
    }

    /// The known faults that break it, which prove that its checks can fail.
    fn proven_by(&self, clause: &Clause) -> Markup {
        let faults: Vec<_> =
            self.about.faults.iter().filter(|fault| fault.clauses.contains(&clause.id)).collect();
        html! {
            @if !faults.is_empty() {
                h2 { "Proven by" }
                ul.faults {
                    @for fault in faults {
                        li {
                            a href={ (ROOT) "faults.html#" (address("fault", &fault.key)) } { code { (Said(&fault.key)) } }
                            " " (Said(&fault.does))
                            @if !fault.seen_in.is_empty() {
                                span.note { " seen in " (listed(fault.seen_in.iter().map(|one| seen_in(one)))) }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The smallest sessions that broke it in the run.
    fn counterexamples(&self, clause: &Clause) -> Markup {
        let found = self.run.iter().flat_map(|run| &run.counterexamples);
        let found: Vec<_> = found.filter(|one| one.clause == clause.id).collect();
        html! {
            @if !found.is_empty() {
                h2 { "Counterexamples" }
                ul.plainly {
                    @for (number, one) in found.iter().enumerate() {
                        @let name = format!("{}-{}", one.clause, number + 1);
                        li {
                            a href={ (ROOT) "report.html#" (address("counterexample", &name)) } {
                                (time::counted(u64::from(one.steps), "step"))
                            }
                            ": " (Said(&one.breach.found))
                        }
                    }
                }
            }
        }
    }
}

/// Where it comes from, and how often the run reached it.
fn origin(clause: &Clause, result: Option<&ClauseResult>) -> Markup {
    html! {
        dl {
            div { dt { "says" } dd {
                @match (&clause.source, &clause.follows) {
                    (None, Some(other)) => { "follows from " (clause_link(ROOT, other)) }
                    _ => (clause.citation()),
                }
            } }
            @for need in &clause.needs { div { dt { "needs" } dd { (need.in_words()) } } }
            @if let Some(result) = result {
                div { dt { "premise" } dd { "occurred " (time::counted(result.exercised, "time")) } }
                @if let Some(other) = &result.because {
                    div { dt { "because" } dd { (clause_link(ROOT, other)) " is broken, and this with it" } }
                }
            }
        }
    }
}

/// The readings that the contract accepts.
fn accepted(clause: &Clause) -> Markup {
    html! {
        @if !clause.readings.is_empty() {
            h2 { "Accepted readings" }
            ul.plainly {
                @for point in &clause.readings {
                    li {
                        (reading::accepted(point).unwrap_or_default().join("; or "))
                        span.note { " " (point) }
                    }
                }
            }
        }
    }
}

/// What became of it from revision to revision.
fn history(clause: &Clause) -> Markup {
    let across = clause.across();
    html! {
        h2 { "Over the revisions" }
        table.grid {
            thead { tr { @for revision in Revision::ALL { th scope="col" { (revision) } } } }
            tbody { tr {
                @for revision in Revision::ALL {
                    td { @if clause.revisions.contains(&revision) { "asked for" } @else { "not asked for" } }
                }
            } }
        }
        @if !across.is_empty() {
            ul { @for line in across { li { (line) } } }
        }
    }
}

fn said(reading: Option<&String>, reason: Option<&String>) -> Markup {
    html! { @for text in reading.into_iter().chain(reason) { p { (Said(text)) } } }
}
