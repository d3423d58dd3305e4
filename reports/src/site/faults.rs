//! The known faults: what proves that the checks can fail.

use maud::{Markup, html};
use tacit_contract::Matrix;
use tacit_contract::matrix::Tried;

use super::layout::Shell;
use super::{Site, clause_link};
use crate::background::Fault;
use crate::html::addresses::address;
use crate::html::matrix::found;
use crate::html::text::{Said, listed, seen_in};
use crate::time;

impl Site<'_> {
    pub(super) fn faults(&self) -> Shell {
        let matrix = self.about.matrix.as_ref();
        let content = html! {
            div.scroll tabindex="0" role="region" aria-label="Known faults" {
                table.grid {
                    thead { tr {
                        @for name in ["fault", "what the runtime does", "breaks"] { th scope="col" { (name) } }
                        @if matrix.is_some() { th scope="col" { "found" } }
                    } }
                    tbody {
                        @for fault in &self.about.faults {
                            (row(fault, matrix))
                        }
                    }
                }
            }
        };
        Shell {
            title: "Known faults".to_owned(),
            lead: html! {
                p.lead {
                    "Each is a way in which a runtime went wrong, most of them in public. The reference "
                    "runtime has a switch for each; checks are worth what they catch."
                }
            },
            content,
        }
    }
}

/// A fault, and what became of it in the kill matrix, where there is one.
fn row(fault: &Fault, matrix: Option<&Matrix>) -> Markup {
    let tried = |matrix: &Matrix| came_to(matrix.faults.iter().find(|one| one.key == fault.key));
    html! {
        tr id=(address("fault", &fault.key)) {
            th scope="row" {
                code { (Said(&fault.key)) }
                @if !fault.seen_in.is_empty() {
                    span.note { "seen in " (listed(fault.seen_in.iter().map(|one| seen_in(one)))) }
                }
            }
            td { (Said(&fault.does)) }
            td { (listed(fault.clauses.iter().map(|id| clause_link("", id)))) }
            @if let Some(matrix) = matrix { td { (tried(matrix)) } }
        }
    }
}

fn came_to(tried: Option<&Tried>) -> Markup {
    let Some(tried) = tried else { return html! { span.note { "not tried" } } };
    html! {
        (found(tried))
        @for kill in tried.killed_by.iter().take(1) { span.note { "by " (Said(&kill.check)) } }
        @if let Some(steps) = tried.session_length {
            span.note { "in a session of " (time::counted(u64::from(steps), "step")) }
        }
    }
}
