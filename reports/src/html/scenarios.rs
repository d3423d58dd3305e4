//! The scenarios, feature by feature, and the properties: what was played.

use maud::{Markup, html};
use tacit_contract::ClauseId;
use tacit_contract::event::{PropertyResult, ScenarioResult};

use super::addresses::{own, to};
use super::page::{Page, tagged};
use super::text::{Said, badge, class, file_name, listed};
use crate::time;

impl Page<'_> {
    pub(super) fn scenarios(&self) -> Option<Markup> {
        let mut features: Vec<(&str, Vec<usize>)> = Vec::new();
        for (place, scenario) in self.run.scenarios.iter().enumerate() {
            match features.last_mut().filter(|(feature, _)| *feature == scenario.feature) {
                Some((_, places)) => places.push(place),
                None => features.push((&scenario.feature, vec![place])),
            }
        }
        (!features.is_empty()).then(|| {
            html! {
                @for (feature, places) in &features {
                    div.family {
                        h3 { (Said(feature)) }
                        @for place in places { (self.scenario(*place)) }
                    }
                }
            }
        })
    }

    /// A link to a scenario of this run.
    pub(super) fn scenario_link(&self, scenario: &ScenarioResult) -> Markup {
        let address = own(&self.run.scenarios, &self.addresses.scenarios, scenario);
        html! { a href=[to(address)] { (Said(&scenario.name)) } }
    }

    fn scenario(&self, place: usize) -> Markup {
        let scenario = &self.run.scenarios[place];
        let address = &self.addresses.scenarios[place];
        let (families, levels) = Page::kinds(tagged(scenario, "clause:"));
        html! {
            details.row.scenario data-row="scenario" data-verdict=(class(scenario.verdict))
                data-level=(levels) data-family=(Said(&families)) {
                summary {
                    (badge(scenario.verdict))
                    span.sentence { (Said(&scenario.name)) }
                    span.count { (Said(file_name(&scenario.feature))) ":" (scenario.line) }
                }
                div.body id=(address) {
                    (self.told(scenario))
                    p.permalink { a href={ "#" (address) } { "address of this scenario" } }
                }
            }
        }
    }

    pub(super) fn properties(&self) -> Option<Markup> {
        let all = &self.run.properties;
        (!all.is_empty()).then(|| html! { @for (property, address) in all.iter().zip(&self.addresses.properties) { (self.property(property, address)) } })
    }

    fn property(&self, property: &PropertyResult, address: &str) -> Markup {
        let id = property.id.as_str();
        let (families, levels) = Page::kinds(property.clauses.iter().map(ClauseId::as_str));
        let found = |clause: &ClauseId| self.run.counterexample(clause);
        html! {
            details.row.property data-row="property" data-verdict=(class(property.verdict))
                data-level=(levels) data-family=(Said(&families)) {
                summary {
                    (badge(property.verdict))
                    span.sentence { (Said(&property.sentence)) }
                    span.count { (time::counted(u64::from(property.cases), "case")) }
                }
                div.body id=(address) {
                    dl {
                        div { dt { "property" } dd { code { (Said(id)) } } }
                        @if let Some(extent) = property.extent {
                            div { dt { "of" } dd { (time::grouped(extent.cases)) " sessions of up to "
                                (time::counted(u64::from(extent.depth), "step")) } }
                        }
                        div { dt { "took" } dd { (time::duration(property.duration_ms)) } }
                        @if property.shrinks > 0 {
                            div { dt { "shrinking" } dd {
                                (time::counted(u64::from(property.shrinks), "evaluation")) } }
                        }
                        @if !property.counterexamples.is_empty() {
                            div { dt { "breaks" } dd { ul.plainly {
                                @for (clause, path) in &property.counterexamples {
                                    li { (self.clause_link(clause)) ": "
                                        @match found(clause) {
                                            Some(found) => (self.counterexample_link(found)),
                                            None => code { (Said(path)) },
                                        }
                                    }
                                }
                            } } }
                        }
                        div { dt { "tests" } dd { (self.clause_links(&property.clauses)) } }
                    }
                }
            }
        }
    }

    fn told(&self, scenario: &ScenarioResult) -> Markup {
        let clauses: Vec<ClauseId> = tagged(scenario, "clause:").map(ClauseId::from).collect();
        let properties: Vec<&str> = tagged(scenario, "property:").collect();
        html! {
            dl {
                @if !clauses.is_empty() {
                    div { dt { "tests" } dd { (self.clause_links(&clauses)) } }
                }
                @if !properties.is_empty() {
                    div { dt { "runs" } dd {
                        (listed(properties.iter().map(|id| {
                            self.link("property", id, &html! { code { (Said(id)) } })
                        })))
                    } }
                }
                @if let Some(step) = &scenario.step {
                    div { dt { "at" } dd { (Said(step)) } }
                }
                @if let Some(message) = &scenario.message {
                    div.wrong { dt { "✗ found" } dd { (Said(message)) } }
                }
                @for breach in scenario.breaches.iter().filter(|one| Some(&one.found) != scenario.message.as_ref()) {
                    div.wrong { dt { "✗ breaks" } dd { (self.clause_link(&breach.clause)) ": " (Said(&breach.found)) } }
                }
                div { dt { "stands in" } dd { code { (Said(&scenario.feature)) ":" (scenario.line) } } }
                div { dt { "took" } dd { (time::duration(scenario.duration_ms)) } }
            }
        }
    }
}
