//! Features as they are read: rules, scenarios, steps and tables.

use maud::{Markup, html};
use tacit_contract::{ClauseId, Verdict};

use super::{Site, clause_link, feature_path};
use crate::feature::{Feature, Scenario, Step, Table};
use crate::html::text::{Said, badge};

/// The way from a page with scenarios to the site's own folder.
pub(super) const ROOT: &str = "../";

/// The paragraphs of a description.
pub(super) fn prose(text: &str) -> Markup {
    html! {
        @for paragraph in text.split("\n\n").map(str::trim).filter(|text| !text.is_empty()) {
            p.prose { (Said(paragraph.replace('\n', " "))) }
        }
    }
}

/// Steps, one a line.
pub(super) fn steps(steps: &[Step]) -> Markup {
    html! {
        ol.steps {
            @for step in steps {
                li {
                    span.keyword { (Said(&step.keyword)) }
                    (values(&step.text))
                    @if let Some(quoted) = &step.quoted { pre tabindex="0" { @for line in quoted.lines() { (Said(line)) "\n" } } }
                    @if let Some(table) = &step.table { (cells(table)) }
                }
            }
        }
    }
}

/// A step's text, with what stands in quotes set apart.
fn values(text: &str) -> Markup {
    html! {
        @for (number, part) in text.split('"').enumerate() {
            @if number % 2 == 1 { span.value { "\"" (Said(part)) "\"" } } @else { (Said(part)) }
        }
    }
}

/// A table beneath a step, which need not have a head.
fn cells(table: &Table) -> Markup {
    html! {
        div.over tabindex="0" role="group" aria-label="Table of the step" {
            table.cells {
                tbody { @for row in table { tr { @for cell in row { td { (Said(cell)) } } } } }
            }
        }
    }
}

impl Site<'_> {
    /// A scenario, to be read, with how it came out, among those that are about some clauses.
    pub(super) fn scenario(
        &self,
        feature: &Feature,
        scenario: &Scenario,
        among: &[ClauseId],
        heading: fn(&Markup) -> Markup,
    ) -> Markup {
        let results = self.results(feature, &scenario.played);
        let mut verdicts = results.iter().map(|one| one.verdict);
        let first = verdicts.clone().next();
        // That of an outline is that of the first row that did not pass.
        let verdict = verdicts.find(|verdict| *verdict != Verdict::Pass).or(first);
        let title = html! {
            (Said(&scenario.name))
            @if let Some(verdict) = verdict { " " (badge(verdict)) }
            a.place href={ (ROOT) (feature_path(feature)) "#" (anchor(scenario)) } {
                (Said(feature.stem())) ".feature:" (scenario.line)
            }
        };
        html! {
            article.scenario-text id=(anchor(scenario)) {
                (heading(&title))
                (prose(&scenario.text))
                @if scenario.clauses != among {
                    p.meta { "tests" @for id in &scenario.clauses { " " (clause_link(ROOT, id)) } }
                }
                (steps(&scenario.steps))
                @if let Some(property) = &scenario.property {
                    p.note { "runs the property " code { (Said(property.as_str())) } }
                }
                @let mut played = scenario.played.iter();
                @for table in &scenario.examples {
                    (self.examples(feature, table, &mut played))
                }
                @for result in results {
                    @if let Some(message) = &result.message {
                        p.wrong { span aria-hidden="true" { "✗ " } (Said(message)) }
                    }
                }
            }
        }
    }

    fn examples<'p>(
        &self,
        feature: &Feature,
        table: &Table,
        played: &mut impl Iterator<Item = &'p usize>,
    ) -> Markup {
        let Some((head, rows)) = table.split_first() else { return html! {} };
        html! {
            div.over tabindex="0" role="group" aria-label="Examples" {
                table.cells {
                    thead { tr {
                        @for cell in head { th scope="col" { (Said(cell)) } }
                        @if self.run.is_some() { th scope="col" { "verdict" } }
                    } }
                    tbody {
                        @for row in rows {
                            @let line = played.next();
                            tr {
                                @for cell in row { td { (Said(cell)) } }
                                @if self.run.is_some() { td {
                                    @for result in self.results(feature, line.map(std::slice::from_ref).unwrap_or_default()) {
                                        (badge(result.verdict))
                                    }
                                } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Where on a page a scenario stands.
fn anchor(scenario: &Scenario) -> String {
    format!("line-{}", scenario.line)
}
