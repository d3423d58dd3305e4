//! The revisions: which clauses each has, and what tells a runtime of one from one of another.

use maud::{Markup, html};
use tacit_contract::clause::{Across, clauses, contract};
use tacit_contract::{Clause, Revision};

use super::clause_link;
use super::layout::Shell;
use crate::html::text::listed;

/// The page of all revisions.
pub(super) fn revisions() -> Shell {
    let content = html! {
        @for (number, revision) in Revision::ALL.into_iter().enumerate() {
            section id=(revision) {
                h2 { (revision) }
                p.sentence { (revision.sentence()) }
                (changes(number.checked_sub(1).map(|before| Revision::ALL[before]), revision))
            }
        }
        h2 { "A runtime of one under another" }
        p.prose { "What a runtime that keeps one revision breaks when it is held to another:" }
        div.over tabindex="0" role="group" aria-label="Revisions by revisions" {
            table.grid {
                thead { tr { @for name in ["keeps", "held to", "must fail", "may fail"] { th scope="col" { (name) } } } }
                tbody { @for across in &contract().across { (row(across)) } }
            }
        }
    };
    Shell {
        title: "Revisions".to_owned(),
        lead: html! {
            p.lead { "The contract has three texts, each with a set of clauses that does not change." }
        },
        content,
    }
}

/// What a revision has that the one before it had not, and the other way round.
fn changes(before: Option<Revision>, revision: Revision) -> Markup {
    let has = |clause: &Clause, revision| clause.revisions.contains(&revision);
    let Some(before) = before else {
        let count = clauses().iter().filter(|clause| has(clause, revision)).count();
        return html! { p { (count) " clauses." } };
    };
    let only = |one, other| -> Vec<&Clause> {
        clauses().iter().filter(|clause| has(clause, one) && !has(clause, other)).collect()
    };
    let (new, gone) = (only(revision, before), only(before, revision));
    html! {
        @if new.is_empty() && gone.is_empty() { p { "The clauses of " (before) "." } }
        @for (what, clauses) in [("New", new), ("Gone", gone)] {
            @if !clauses.is_empty() {
                p { (what) ": " (listed(clauses.iter().map(|clause| clause_link("", &clause.id)))) }
            }
        }
    }
}

fn row(across: &Across) -> Markup {
    html! {
        tr {
            th scope="row" { (across.runtime) }
            td { (across.under) }
            @for ids in [&across.must, &across.may] {
                td { (listed(ids.iter().map(|id| clause_link("", id)))) }
            }
        }
    }
}
