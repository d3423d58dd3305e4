//! The table, as people read it.

use std::fmt::Write as _;

use tacit_contract::table::{Cell, Column, Row, Table};
use tacit_contract::{Level, Verdict};

use super::letter;
use crate::page::{clean, hang, width};

/// How wide a verdict's column is: four of them fit on a page.
const CELL: usize = 12;

/// Which letter stands for which runtime.
pub fn runtimes(table: &Table) -> String {
    let specs: Vec<String> = table.runtimes.iter().map(|column| clean(&column.spec)).collect();
    // A long command stands alone on its line.
    let longest = width(specs.iter().map(String::as_str)).min(28);
    let mut text = String::from("\n");
    for (place, (column, spec)) in table.runtimes.iter().zip(&specs).enumerate() {
        let lead = format!("  {}  ", letter(place));
        let who =
            clean(&format!("{} {} · profile {}", column.name, column.version, column.profile));
        if spec.chars().count() > longest {
            text.push_str(&hang(&lead, spec));
            text.push_str(&hang(&" ".repeat(lead.len()), &who));
        } else {
            text.push_str(&hang(&format!("{lead}{spec:longest$}  "), &who));
        }
    }
    text
}

/// The clauses that one runtime at least is judged by.
pub fn clauses(table: &Table) -> String {
    let rows: Vec<&Row> = table.clauses.iter().filter(|row| is_shown(row)).collect();
    if rows.is_empty() {
        return String::new();
    }
    let names = width(rows.iter().map(|row| row.id.as_str()));
    let letters: Vec<String> = (0..table.runtimes.len()).map(letter).collect();
    let mut text = String::from("\n");
    text.push_str(&line(" ", "", names, &letters));
    let mut level = Level::Must;
    for row in &rows {
        if row.level != level {
            level = row.level;
            let word = if level == Level::Should { "should" } else { "info" };
            let _ = writeln!(text, "\n  {word}");
        }
        let cells: Vec<String> =
            row.cells.iter().map(|cell| word(cell.as_ref()).to_owned()).collect();
        let mark = if row.differs { "≠" } else { " " };
        text.push_str(&line(mark, row.id.as_str(), names, &cells));
    }
    let cells = rows.iter().flat_map(|row| row.cells.iter().flatten());
    let mut claimed = cells.filter(|cell| cell.claimed);
    if claimed.any(|cell| cell.verdict == Verdict::NotApplicable) {
        text.push_str("\n  n/a: not applicable, the runtime lacks what it takes\n");
    }
    text
}

fn line(mark: &str, name: &str, names: usize, cells: &[String]) -> String {
    let mut line = format!("{mark} {name:names$}  ");
    for cell in cells {
        let _ = write!(line, "{cell:CELL$}");
    }
    format!("{}\n", line.trim_end())
}

/// Rows of clauses that nobody is judged by say nothing.
pub fn is_shown(row: &Row) -> bool {
    let judged = |cell: &Cell| cell.verdict != Verdict::NotApplicable;
    row.level == Level::Must || row.cells.iter().flatten().any(judged)
}

/// A verdict in a word.
pub fn word(cell: Option<&Cell>) -> &'static str {
    match cell {
        None => "not run",
        Some(cell) if !cell.claimed => "not claimed",
        Some(cell) => match cell.verdict {
            Verdict::Pass => "pass",
            Verdict::Fail => "FAIL",
            Verdict::Warn => "warn",
            Verdict::Error => "ERROR",
            Verdict::NotExercised => "unexercised",
            Verdict::NotApplicable => "n/a",
            Verdict::ExpectedFailure => "expected",
        },
    }
}

/// What the contract leaves open, and how each runtime has it.
pub fn readings(table: &Table) -> String {
    let reads = |cell: &Cell| cell.reading.is_some();
    let rows = table.clauses.iter().filter(|row| row.cells.iter().flatten().any(reads));
    let mut text = String::new();
    for row in rows {
        let mark = if row.reads_otherwise { "≠" } else { " " };
        let _ = writeln!(text, "{mark} {}", row.id);
        for (place, cell) in row.cells.iter().enumerate() {
            let reading = cell.as_ref().and_then(|cell| cell.reading.as_deref());
            let lead = format!("    {}  ", letter(place));
            text.push_str(&hang(&lead, &clean(reading.unwrap_or("not seen"))));
        }
    }
    if text.is_empty() { text } else { format!("\nreadings that were seen\n\n{text}") }
}

/// Why clauses failed, runtime by runtime.
pub fn failures(table: &Table) -> String {
    let mut text = String::new();
    for (place, column) in table.runtimes.iter().enumerate() {
        let letter = letter(place);
        for cause in &column.failures {
            text.push_str(&hang(&format!("{letter} ERROR  "), &clean(cause)));
        }
        for row in &table.clauses {
            let Some(cell) = row.cells.get(place).and_then(Option::as_ref) else { continue };
            if cell.verdict != Verdict::Fail {
                continue;
            }
            let lead = format!("{letter} FAIL   ");
            text.push_str(&hang(&lead, row.id.as_str()));
            let blanks = " ".repeat(lead.chars().count());
            text.push_str(&hang(&blanks, &clean(cell.reason.as_deref().unwrap_or_default())));
            for path in &cell.counterexamples {
                let _ = writeln!(text, "{blanks}{}", clean(path));
            }
        }
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// How many clauses each runtime keeps.
pub fn totals(table: &Table) -> String {
    let mut text = String::from("\n");
    for (place, column) in table.runtimes.iter().enumerate() {
        text.push_str(&hang(&format!("{} ", letter(place)), &total(column)));
    }
    text
}

fn total(column: &Column) -> String {
    let totals = column.totals;
    let (judged, kept) = (totals.judged, totals.kept);
    let clauses = if judged == 1 { "clause" } else { "clauses" };
    let rest =
        format!("({} not applicable, {} not claimed)", totals.not_applicable, totals.not_claimed);
    match (column.tested, column.conforms) {
        (false, _) => "was not tested to the end".to_owned(),
        (true, true) => format!("conforms to {kept} of {judged} claimed {clauses} {rest}"),
        (true, false) => format!("does not conform: {kept} of {judged} claimed {clauses} {rest}"),
    }
}
