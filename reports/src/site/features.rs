//! The features: all of them, and each by itself.

use maud::{Markup, html};

use super::gherkin::{ROOT, prose, steps};
use super::layout::Shell;
use super::{Site, clause_link, feature_path};
use crate::feature::{Feature, Rule};
use crate::html::text::Said;
use crate::time;

impl Site<'_> {
    pub(super) fn features(&self) -> Shell {
        let content = html! {
            @for feature in &self.about.features {
                h2 { a href=(feature_path(feature)) { (Said(&feature.name)) } }
                (prose(&feature.text))
                ul {
                    @for rule in feature.rules.iter().filter(|rule| !rule.name.is_empty()) {
                        li {
                            a href={ (feature_path(feature)) "#" (anchor(feature, rule)) } { (Said(&rule.name)) }
                            span.note { " " (time::counted(rule.scenarios.len() as u64, "scenario")) }
                        }
                    }
                }
            }
        };
        Shell {
            title: "Features".to_owned(),
            lead: html! {
                p.lead {
                    "What the contract asks for, as scenarios: a feature for each family of clauses, "
                    "and in it a rule for each clause."
                }
            },
            content,
        }
    }

    pub(super) fn feature(&self, feature: &Feature) -> Shell {
        let content = html! {
            @if !feature.background.is_empty() {
                h2 { "Given in all of them" }
                (steps(&feature.background))
            }
            @for rule in &feature.rules { (self.rule(feature, rule)) }
        };
        Shell {
            title: feature.name.clone(),
            lead: html! {
                (prose(&feature.text))
                p.note { code { (Said(&feature.path)) } }
            },
            content,
        }
    }

    fn rule(&self, feature: &Feature, rule: &Rule) -> Markup {
        let scenarios = |heading: fn(&Markup) -> Markup| {
            html! {
                @for scenario in &rule.scenarios {
                    (self.scenario(feature, scenario, &rule.clauses, heading))
                }
            }
        };
        if rule.name.is_empty() {
            return html! { h2 { "Of the whole" } (scenarios(|title| html! { h3 { (title) } })) };
        }
        html! {
            section id=(anchor(feature, rule)) {
                h2 { (Said(&rule.name)) }
                @if !rule.clauses.is_empty() {
                    p.meta {
                        @for id in &rule.clauses { (clause_link(ROOT, id)) (self.verdict(id)) }
                    }
                }
                (prose(&rule.text))
                @if !rule.background.is_empty() { (steps(&rule.background)) }
                (scenarios(|title| html! { h3 { (title) } }))
            }
        }
    }
}

/// Where on its feature's page a rule stands: by its place, since titles may be anything.
fn anchor(feature: &Feature, rule: &Rule) -> String {
    let place = feature.rules.iter().position(|other| std::ptr::eq(other, rule));
    format!("rule-{}", place.unwrap_or_default() + 1)
}
