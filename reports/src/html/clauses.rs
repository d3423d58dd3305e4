//! The contract, clause by clause: what it asks for, how it came out, and what that rests on.

use maud::{Markup, html};
use tacit_contract::clause::{Clause, clause};
use tacit_contract::event::ClauseResult;

use super::addresses::{address, own, to};
use super::page::Page;
use super::summary::by_family;
use super::text::{Said, badge, class, level, listed, seen_in, sentence};
use crate::time;

impl Page<'_> {
    pub(super) fn clauses(&self) -> Markup {
        html! {
            @for (family, clauses) in by_family(&self.run.clauses) {
                div.family id=(address("family", family)) {
                    h3 { (Said(family)) }
                    @for result in clauses { (self.clause(result)) }
                }
            }
        }
    }

    fn clause(&self, result: &ClauseResult) -> Markup {
        let id = result.id.as_str();
        let address = own(&self.run.clauses, &self.addresses.clauses, result);
        html! {
            details.row.clause data-row="clause" data-verdict=(class(result.verdict))
                data-level=(level(result.level)) data-family=(Said(result.id.family())) {
                summary {
                    (badge(result.verdict))
                    h4 { (Said(id)) }
                    span.sentence { (sentence(&result.id)) }
                    span.level { (level(result.level)) }
                    span.count { (exercised(result)) }
                }
                div.body id=[address] {
                    (self.facts_of(result))
                    (self.tests(result))
                    (self.faults(result))
                    p.permalink { a href=[to(address)] { "address of this clause" } }
                }
            }
        }
    }

    fn facts_of(&self, result: &ClauseResult) -> Markup {
        let known = clause(result.id.as_str());
        let over = result.exercised_over.iter();
        let over: Vec<_> = over
            .map(|(api, count)| format!("{} over {}", time::grouped(*count), api.as_str()))
            .collect();
        let found = self.run.counterexamples.iter().enumerate();
        let found: Vec<_> = found.filter(|(_, one)| one.clause == result.id).collect();
        html! {
            dl {
                @if let Some(known) = known {
                    div { dt { "says" } dd { (self.citation(known)) } }
                    div { dt { "in" } dd { (revisions(known)) } }
                }
                div {
                    dt { "premise" }
                    dd {
                        (exercised(result))
                        @if !over.is_empty() { ": " (over.join(", ")) }
                    }
                }
                @if let Some(reading) = &result.reading {
                    div { dt { "reading" } dd { (Said(reading)) } }
                }
                @if let Some(reason) = &result.reason {
                    div { dt { "reason" } dd { (Said(reason)) } }
                }
                @if let Some(cause) = &result.because {
                    div { dt { "because" } dd { (self.clause_link(cause)) " is broken, and this with it" } }
                }
                @if let Some(reproduced) = result.reproduced {
                    div { dt { "reproduced" } dd { (reproduced) " of 3 times" } }
                }
                @if !found.is_empty() {
                    div {
                        dt { "shown by" }
                        dd { (listed(found.iter().map(|(_, one)| self.counterexample_link(one)))) }
                    }
                }
            }
        }
    }

    fn citation(&self, known: &Clause) -> Markup {
        if let (None, Some(cause)) = (&known.source, &known.follows) {
            return html! { "follows from " (self.clause_link(cause)) };
        }
        html! { (known.citation()) }
    }

    /// The scenarios and properties that test it.
    fn tests(&self, result: &ClauseResult) -> Markup {
        let scenarios = self.tested_by.get(result.id.as_str()).map_or(&[][..], Vec::as_slice);
        let properties = self.run.properties.iter();
        let properties: Vec<_> =
            properties.filter(|property| property.clauses.contains(&result.id)).collect();
        html! {
            h5 { "Tested by" }
            @if scenarios.is_empty() && properties.is_empty() {
                p { "Nothing that this run played." }
            } @else {
                ul.tests {
                    @for place in scenarios {
                        @let scenario = &self.run.scenarios[*place];
                        li {
                            (badge(scenario.verdict)) " "
                            (self.scenario_link(scenario))
                        }
                    }
                    @for property in properties {
                        li {
                            (badge(property.verdict)) " "
                            (self.link("property", property.id.as_str(), &html! { (Said(&property.sentence)) }))
                            span.note { " property, " (time::counted(u64::from(property.cases), "case")) }
                        }
                    }
                }
            }
        }
    }

    /// The faults that prove that its checks can fail.
    fn faults(&self, result: &ClauseResult) -> Markup {
        let faults = self.about.faults.iter();
        let faults: Vec<_> = faults.filter(|fault| fault.clauses.contains(&result.id)).collect();
        html! {
            @if !faults.is_empty() {
                h5 { "Proven by" }
                ul.faults {
                    @for fault in faults {
                        li {
                            (self.link("fault", &fault.key, &html! { code { (Said(&fault.key)) } }))
                            " " (Said(&fault.does))
                            @if !fault.seen_in.is_empty() {
                                span.note {
                                    " seen in " (listed(fault.seen_in.iter().map(|one| seen_in(one))))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn revisions(known: &Clause) -> String {
    let all: Vec<_> = known.revisions.iter().map(|revision| revision.as_str()).collect();
    let word = if all.len() == 1 { "revision" } else { "revisions" };
    format!("{word} {}", all.join(", "))
}

fn exercised(result: &ClauseResult) -> String {
    match result.exercised {
        0 => "never occurred".to_owned(),
        1 => "occurred once".to_owned(),
        count => format!("occurred {} times", time::grouped(count)),
    }
}
