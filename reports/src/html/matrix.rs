//! The kill matrix: which checks find which fault.

use maud::{Markup, html};
use tacit_contract::matrix::{CheckKind, Kill, Matrix, Tried};

use super::addresses::address;
use super::page::Page;
use super::text::{Said, listed, seen_in};
use crate::time;

impl Page<'_> {
    /// The faults, and what found each.
    pub(super) fn matrix(&self, matrix: &Matrix) -> Markup {
        let killed = matrix.faults.len() - matrix.survivors().count();
        let alarms: Vec<_> = matrix.false_alarms().collect();
        html! {
            p {
                (killed) " of " (time::counted(matrix.faults.len() as u64, "fault")) " found, "
                (matrix.unproven.len()) " clauses unproven, " (alarms.len()) " of "
                (time::counted(matrix.variants.len() as u64, "correct variant")) " blamed"
                " · seed " (Said(&matrix.seed)) " · up to "
                (time::counted(u64::from(matrix.cases), "case")) " of each property"
                @if matrix.interrupted { " · interrupted: what is not here was not tried" }
            }
            @if !matrix.unproven.is_empty() {
                p.wrong { "No fault was seen to break " (self.clause_links(&matrix.unproven)) }
            }
            @for variant in alarms {
                p.wrong {
                    "The correct variant " code { (Said(&variant.key)) } " was blamed for "
                    (self.clause_links(&variant.blamed))
                }
            }
            div.scroll tabindex="0" role="region" aria-label="Faults by checks" {
                table.grid {
                    thead {
                        tr {
                            @for name in ["fault", "breaks", "found", "scenario", "property", "cases", "session"] {
                                th scope="col" { (name) }
                            }
                        }
                    }
                    tbody { @for fault in &matrix.faults { (self.tried(fault)) } }
                }
            }
        }
    }

    fn tried(&self, fault: &Tried) -> Markup {
        html! {
            tr id=(address("fault", &fault.key)) {
                th scope="row" {
                    code { (Said(&fault.key)) }
                    @if !fault.seen_in.is_empty() {
                        span.note { "seen in " (listed(fault.seen_in.iter().map(|one| seen_in(one)))) }
                    }
                }
                td { (self.clause_links(&fault.clauses)) }
                td {
                    (found(fault))
                    @if let Some(ms) = fault.time_to_kill_ms { span.note { "in " (time::duration(ms)) } }
                }
                td { (self.kills(fault, CheckKind::Scenario)) }
                td { (self.kills(fault, CheckKind::Property)) }
                td.number { (time::grouped(u64::from(fault.cases))) }
                td.number {
                    @if let Some(steps) = fault.session_length { (time::counted(u64::from(steps), "step")) }
                }
            }
        }
    }

    fn kills(&self, fault: &Tried, kind: CheckKind) -> Markup {
        // The check of a scenario is its place, and so is its address.
        let of = match kind {
            CheckKind::Scenario => "scenario",
            CheckKind::Property => "property",
        };
        let kills: Vec<&Kill> = fault.killed_by.iter().filter(|kill| kill.by == kind).collect();
        html! {
            @if kills.is_empty() { span.note { "none" } }
            @for kill in kills {
                span.kill {
                    (self.link(of, &kill.check, &html! { (Said(&kill.check)) }))
                    @if !kill.is_sound() { span.note { "not sound: failed again in " (kill.reproduced) " of 3" } }
                }
            }
        }
    }
}

/// Whether a fault was found: mark, word and colour.
pub(crate) fn found(fault: &Tried) -> Markup {
    html! {
        @if fault.killed {
            span.badge.pass { span.mark aria-hidden="true" { "✓" } "found" }
        } @else {
            span.badge.fail { span.mark aria-hidden="true" { "✗" } "survives" }
        }
    }
}
