//! The support table, for a document: clauses by runtimes, with the readings.

use std::fmt::Write as _;

use tacit_contract::table::{Column, Row, Table};
use tacit_contract::{Level, clause};
use tacit_reports::time::counted;
use tacit_suite::compare::Comparison;

use super::table::{is_shown, word};
use crate::page::clean;

/// The table of a comparison in Markdown.
pub fn text(comparison: &Comparison) -> String {
    let table = &comparison.table;
    let mut text = runtimes(table);
    for (level, heading) in
        [(Level::Must, "must"), (Level::Should, "should"), (Level::Info, "info")]
    {
        let rows: Vec<&Row> =
            table.clauses.iter().filter(|row| row.level == level && is_shown(row)).collect();
        if !rows.is_empty() {
            text.push_str(&clauses(table, heading, &rows));
        }
    }
    text.push_str(&readings(table));
    let _ = writeln!(
        text,
        "\ntacit {}, seed {}, {} of each property.",
        comparison.tool_version,
        comparison.seed,
        counted(u64::from(comparison.cases), "case")
    );
    text
}

fn runtimes(table: &Table) -> String {
    let mut text = line(&["", "runtime", "profile", "APIs", "`must` clauses kept", "", ""]);
    text.push_str(&rule(7));
    for column in &table.runtimes {
        let totals = column.totals;
        text.push_str(&line(&[
            &code(&column.spec),
            &format!("{} {}", escaped(&column.name), escaped(&column.version)),
            &escaped(&column.profile),
            &apis(column),
            &format!("{} of {}", totals.kept, totals.judged),
            &format!("{} not applicable", totals.not_applicable),
            &format!("{} not claimed", totals.not_claimed),
        ]));
    }
    text
}

fn apis(column: &Column) -> String {
    let speaks = column.capabilities.iter().flat_map(|can| &can.provider_apis);
    speaks.map(|api| code(api.as_str())).collect::<Vec<_>>().join(", ")
}

fn clauses(table: &Table, level: &str, rows: &[&Row]) -> String {
    let names = table.runtimes.iter().map(|column| code(&column.spec));
    let heads: Vec<String> = [format!("`{level}` clause")].into_iter().chain(names).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut text = format!("\n{}{}", line(&heads), rule(heads.len()));
    for row in rows {
        let sentence = clause::clause(row.id.as_str()).map_or("", |clause| &clause.sentence);
        let name = format!("`{}`: {}", row.id, escaped(sentence));
        let cells = row.cells.iter().map(|cell| word(cell.as_ref()));
        let cells: Vec<&str> = [name.as_str()].into_iter().chain(cells).collect();
        text.push_str(&line(&cells));
    }
    text
}

fn readings(table: &Table) -> String {
    let mut text = String::new();
    for row in &table.clauses {
        for (column, cell) in table.runtimes.iter().zip(&row.cells) {
            let reading = cell.as_ref().and_then(|cell| cell.reading.as_deref());
            if let Some(reading) = reading {
                let clause = code(row.id.as_str());
                text.push_str(&line(&[&clause, &code(&column.spec), &escaped(reading)]));
            }
        }
    }
    if text.is_empty() {
        return text;
    }
    format!("\n{}{}{text}", line(&["clause", "runtime", "readings that were seen"]), rule(3))
}

fn line(cells: &[&str]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn rule(columns: usize) -> String {
    line(&vec!["---"; columns])
}

/// A text as a cell holds it: one line, no character that means something there.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in clean(text).chars() {
        match letter {
            '\n' => out.push(' '),
            '|' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '\\' => out.extend(['\\', letter]),
            _ => out.push(letter),
        }
    }
    out
}

/// A name as code. Where it holds what would end that, it is plain text.
fn code(text: &str) -> String {
    if text.contains(['`', '|', '\n']) { escaped(text) } else { format!("`{}`", clean(text)) }
}
