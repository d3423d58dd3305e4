//! Counterexamples: the smallest sessions that break a clause, told step by step.

use maud::{Markup, html};
use tacit_contract::event::{Counterexample, StoryLine};

use super::addresses::{own, to};
use super::page::Page;
use super::text::{Said, class, sentence};
use super::timeline;
use crate::time;

impl Page<'_> {
    pub(super) fn counterexamples(&self) -> Option<Markup> {
        let all = self.run.counterexamples.iter().zip(&self.addresses.counterexamples);
        (!self.run.counterexamples.is_empty()).then(
            || html! { @for (found, address) in all { (self.counterexample(found, address)) } },
        )
    }

    /// A link to a counterexample of this run, with what there is to know before one follows it.
    pub(super) fn counterexample_link(&self, found: &Counterexample) -> Markup {
        let all = &self.run.counterexamples;
        html! { a href=[to(own(all, &self.addresses.counterexamples, found))] { (size(found)) } }
    }

    fn counterexample(&self, found: &Counterexample, address: &str) -> Markup {
        let result = self.run.clauses.iter().find(|result| result.id == found.clause);
        let verdict = result.map_or("fail", |result| class(result.verdict));
        let (family, level) = Page::kinds([found.clause.as_str()]);
        html! {
            details.row.counterexample data-row="counterexample" data-verdict=(verdict)
                data-level=(level) data-family=(Said(&family)) {
                summary {
                    h3 { (Said(found.clause.as_str())) }
                    span.sentence { (Said(&found.breach.found)) }
                    span.count { (size(found)) }
                }
                div.body id=(address) {
                    p { (self.clause_link(&found.clause)) ": " (sentence(&found.clause)) }
                    ol.story {
                        @for line in &found.story { (step(line)) }
                    }
                    @if found.story.iter().all(|line| line.wrong.is_none()) {
                        p.wrong { span aria-hidden="true" { "✗ " } (Said(&found.breach.found)) }
                    }
                    (timeline::timeline(&found.timeline, found.breach.entry))
                    (origin(found))
                    p.permalink { a href={ "#" (address) } { "address of this counterexample" } }
                }
            }
        }
    }
}

fn step(line: &StoryLine) -> Markup {
    html! {
        li.broken[line.wrong.is_some()] {
            (Said(&line.text))
            @if let Some(wrong) = &line.wrong {
                p.wrong { span aria-hidden="true" { "✗ " } (Said(wrong)) }
            }
            @if let Some(asks) = &line.asks {
                p.asks { "the clause: " (Said(asks)) }
            }
        }
    }
}

fn size(found: &Counterexample) -> String {
    let steps = time::counted(u64::from(found.steps), "step");
    if found.is_flaky() {
        return format!(
            "flaky: failed again in {} of 3 repetitions ({steps}, not shrunk)",
            found.reproduced
        );
    }
    format!("smallest session ({steps}), reproduced {}/3", found.reproduced)
}

fn origin(found: &Counterexample) -> Markup {
    html! {
        dl {
            div {
                dt { "found by" }
                dd {
                    (Said(&found.found_by)) ", in a session of "
                    (time::counted(u64::from(found.steps_before), "step"))
                }
            }
            div { dt { "kept as" } dd { code { (Said(&found.feature)) } ", " code { (Said(&found.data)) } } }
            div { dt { "again" } dd { code { "tacit replay " (Said(&found.data)) } } }
        }
    }
}
