//! The support table: what each clause came to on each of several runtimes.

use maud::{Markup, html};
use tacit_contract::table::{Cell, Column, Row, Table};
use tacit_contract::{ClauseId, Level, Verdict};

use super::text::{Said, badge, level};
use crate::time;

/// Clauses by runtimes; `link` leads to a clause.
pub(crate) fn support(table: &Table, link: &dyn Fn(&ClauseId) -> Markup) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Clauses by runtimes" {
            table.grid {
                thead {
                    tr {
                        th scope="col" { "clause" }
                        th scope="col" { "level" }
                        @for column in &table.runtimes { th scope="col" { (runtime(column)) } }
                    }
                }
                tbody {
                    @for row in table.clauses.iter().filter(|row| is_shown(row)) { (row_of(row, link)) }
                }
                tfoot {
                    tr {
                        th scope="row" colspan="2" { "must clauses kept" }
                        @for column in &table.runtimes { td { (kept(column)) } }
                    }
                }
            }
        }
    }
}

fn row_of(row: &Row, link: &dyn Fn(&ClauseId) -> Markup) -> Markup {
    html! {
        tr.differs[row.differs] {
            th scope="row" {
                (link(&row.id))
                @if row.differs { " " abbr title="the verdicts differ" { "≠" } }
            }
            td { (level(row.level)) }
            @for one in &row.cells { td { (cell(one.as_ref())) } }
        }
    }
}

fn runtime(column: &Column) -> Markup {
    html! {
        (Said(called(column))) " " (Said(&column.version))
        span.note { (Said(&column.profile)) }
    }
}

/// What a runtime is called: which of its variants the reference is, its own name does not say.
pub(crate) fn called(column: &Column) -> &str {
    if column.spec.starts_with("reference") { &column.spec } else { &column.name }
}

fn cell(cell: Option<&Cell>) -> Markup {
    html! {
        @match cell {
            None => span.note { "not run" },
            Some(cell) if !cell.claimed => span.note { "not claimed" },
            Some(cell) => {
                (badge(cell.verdict))
                @if let Some(said) = cell.reading.as_ref().or(cell.reason.as_ref()) {
                    span.note { (Said(said)) }
                }
            },
        }
    }
}

fn kept(column: &Column) -> Markup {
    let totals = &column.totals;
    html! {
        b { (totals.kept) " of " (totals.judged) }
        span.note {
            (totals.not_applicable) " not applicable, " (totals.not_claimed) " not claimed, "
            (time::counted(column.sessions, "session"))
        }
        @for failure in &column.failures { span.note { (badge(Verdict::Error)) " " (Said(failure)) } }
    }
}

/// Rows of clauses that nobody is judged by say nothing.
fn is_shown(row: &Row) -> bool {
    let judged = |cell: &Cell| cell.verdict != Verdict::NotApplicable;
    row.level == Level::Must || row.cells.iter().flatten().any(judged)
}
