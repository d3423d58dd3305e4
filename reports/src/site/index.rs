//! The first page: the contract at a glance.

use maud::{Markup, html};
use tacit_contract::Clause;
use tacit_contract::clause::clauses;

use super::layout::Shell;
use super::{Site, clause_link};
use crate::html::text::{Said, level};
use crate::outcome::{Outcome, counts};
use crate::run::Run;

impl Site<'_> {
    pub(super) fn index(&self) -> Shell {
        let mut families: Vec<(&str, Vec<&Clause>)> = Vec::new();
        for clause in clauses() {
            match families.iter_mut().find(|(name, _)| *name == clause.id.family()) {
                Some((_, clauses)) => clauses.push(clause),
                None => families.push((clause.id.family(), vec![clause])),
            }
        }
        let content = html! {
            @for (family, clauses) in families {
                section id={ "family-" (family) } {
                    h2 { (family) }
                    ul.list {
                        @for clause in clauses {
                            li {
                                (clause_link("", &clause.id))
                                span.sentence { (clause.sentence) }
                                span.level { (level(clause.level)) }
                                (self.verdict(&clause.id))
                            }
                        }
                    }
                }
            }
        };
        Shell {
            title: "The contract of tool activation".to_owned(),
            lead: html! {
                p.lead {
                    "A runtime that has many tools shows the model few of them: a core, a search tool, "
                    "and a bounded catalog of the rest. A search loads tools for the prompt that it is "
                    "made in; the next prompt begins anew, with what the conversation proves. These are "
                    "the clauses that this comes to, each with what tests it."
                }
                @if let Some(run) = self.run { (outcome(run)) }
            },
            content,
        }
    }
}

fn outcome(run: &Run) -> Markup {
    let outcome = Outcome::of(&run.finished);
    let (meaning, sign) = crate::html::summary::meaning(outcome);
    html! {
        p class={ "outcome " (meaning) } {
            span.sign aria-hidden="true" { (sign) }
            span {
                (Said(&run.started.spec)) " " (Said(&run.started.version)) ", held to "
                (Said(&run.started.profile)) ": "
                strong { (outcome.lead()) } " " (Said(counts(run))) " · "
                a href="report.html" { "report" }
            }
        }
    }
}
