//! Markdown, for a pull request or a job summary: the report of a run, and what changed between two.

mod diff;
mod text;

use std::io::Write;

use tacit_contract::Verdict;
use tacit_contract::event::ClauseResult;

use crate::at_end::AtEnd;
use crate::outcome::{self, Outcome, Worth};
use crate::reporter::{ReportError, Reporter};
use crate::run::Run;
use crate::tally::{Tally, families, word};
use crate::terminal::blocks;
use crate::time;
use text::{cell, code, fenced, fill};

pub use diff::diff;

/// How long a report is at the most, in bytes: as many characters as GitHub takes in a comment,
/// and a sixteenth of what it takes in the job summary of a step.
pub const ROOM: usize = 65_536;

/// What is kept for the words that say what is left out.
const LAST_WORDS: usize = 512;

/// How much of one cause is shown, in bytes, so that one leaves room for others.
const CAUSE: usize = 8 * 1024;

/// Adds the report of a run to a job summary, below what is there, when the run is over.
pub fn summary(out: impl Write + 'static) -> impl Reporter {
    // Without the empty line, what was there before could go on into the heading.
    AtEnd::new(out, |run| Ok(format!("\n{}", render(run)?)), ReportError::Summary)
}

/// The report of a run as text, never longer than [`ROOM`].
///
/// # Errors
/// None.
pub fn render(run: &Run) -> Result<String, ReportError> {
    Ok(within(ROOM, run))
}

/// The report in so many bytes: the outcome always, then the families, what did not pass, causes
/// first, and every clause, as far as there is room.
fn within(room: usize, run: &Run) -> String {
    let mut text = head(run);
    let room = room.saturating_sub(LAST_WORDS);
    let (table, rows) = table_of_families(run);
    let families_left = fill(&mut text, room, &table, &rows, "");
    let causes: Vec<String> = blocks(run).iter().map(|block| fenced(&clipped(block))).collect();
    let causes_left = fill(&mut text, room, "\n### What did not pass\n", &causes, "");
    let rows: Vec<String> = run.clauses.iter().map(row).collect();
    let table = "\n<details>\n<summary>Every clause</summary>\n\n\
                 | clause | level | verdict | exercised | why, or as read |\n\
                 | --- | --- | --- | ---: | --- |\n";
    let rows_left = fill(&mut text, room, table, &rows, "\n</details>\n");
    text.push_str(&left_out(causes_left, families_left + rows_left));
    text
}

fn head(run: &Run) -> String {
    let started = &run.started;
    let outcome = Outcome::of(&run.finished);
    let mark = mark(outcome.worth());
    let mut facts = vec![
        format!("runtime {}", code(format!("{} {}", started.name, started.version).trim_end())),
        format!("asked for as {}", code(&started.spec)),
        format!("profile {}", code(&started.profile)),
    ];
    if !started.apis.is_empty() {
        let names: Vec<&str> = started.apis.iter().map(|api| api.as_str()).collect();
        facts.push(format!("over {}", names.join(", ")));
    }
    facts.push(format!("seed {}", code(&time::seed(started.seed))));
    facts.push(format!("tacit {}", code(&started.tool_version)));
    format!(
        "## {mark} tacit: {}\n\n{} {}\n\n{}\n",
        outcome.as_str(),
        outcome.lead(),
        outcome::counts(run),
        facts.join(" · ")
    )
}

/// The sign of what an outcome is worth.
fn mark(worth: Worth) -> &'static str {
    match worth {
        Worth::Good => "✅",
        Worth::Doubtful => "⚠️",
        Worth::Bad => "❌",
    }
}

/// The clauses by family, counted by verdict; verdicts that did not occur have no column.
fn table_of_families(run: &Run) -> (String, Vec<String>) {
    let families = families(&run.clauses);
    let all = Tally::of(families.iter().flat_map(|(_, clauses)| clauses.iter().copied()));
    let occurred = all.shown().into_iter().filter(|(_, count)| *count > 0);
    let columns: Vec<Verdict> = occurred.map(|(verdict, _)| verdict).collect();
    let words: Vec<&str> = columns.iter().copied().map(word).collect();
    let table = format!(
        "\n| family | {} |\n| --- |{}\n",
        words.join(" | "),
        " ---: |".repeat(columns.len())
    );
    let row = |(family, clauses): (&str, Vec<&ClauseResult>)| {
        let tally = Tally::of(clauses);
        let counts = columns.iter().map(|verdict| match tally.of_verdict(*verdict) {
            0 => String::new(),
            count => count.to_string(),
        });
        format!("| {} | {} |\n", cell(family), counts.collect::<Vec<_>>().join(" | "))
    };
    (table, families.into_iter().map(row).collect())
}

fn row(clause: &ClauseResult) -> String {
    let why = clause.reason.as_deref().or(clause.reading.as_deref());
    format!(
        "| {} | {} | {} | {} | {} |\n",
        cell(clause.id.as_str()),
        clause.level.as_str(),
        word(clause.verdict),
        time::grouped(clause.exercised),
        why.map(cell).unwrap_or_default()
    )
}

fn left_out(causes: usize, rows: usize) -> String {
    let parts: Vec<String> =
        [(causes, "block", " of what did not pass"), (rows, "row", " of the tables")]
            .into_iter()
            .filter(|(count, _, _)| *count > 0)
            .map(|(count, what, of)| time::counted(count as u64, what) + of)
            .collect();
    if parts.is_empty() {
        return String::new();
    }
    format!(
        "\nLeft out here for want of room: {}. The reports `json` and `ndjson` have all of it.\n",
        parts.join(" and ")
    )
}

/// The lines of a text that fit into a cause, and how many do not.
fn clipped(text: &str) -> String {
    let mut used = 0;
    let fits = |line: &&str| {
        used += line.len() + 1;
        used <= CAUSE
    };
    let lines: Vec<&str> = text.lines().take_while(fits).collect();
    match text.lines().count() - lines.len() {
        0 => text.to_owned(),
        more => format!("{}\n… {}", lines.join("\n"), time::counted(more as u64, "more line")),
    }
}

#[cfg(test)]
mod tests {
    use tacit_contract::Event;

    use tacit_contract::Verdict;

    use super::*;
    use crate::samples;

    fn run(events: &[Event]) -> Run {
        Run::of(events).unwrap()
    }

    /// A run in which every clause failed for a long reason of its own.
    fn long() -> Run {
        let mut run = run(&samples::failing());
        for (place, clause) in run.clauses.iter_mut().enumerate() {
            clause.verdict = Verdict::Fail;
            clause.reason = Some(format!("{place} {}", "`tool|name` is shown\n".repeat(400)));
        }
        run
    }

    #[test]
    fn a_run_that_failed_says_so_first_and_tells_each_cause_once() {
        let text = render(&run(&samples::failing())).unwrap();
        let (shown, table) = text.split_once("<details>").unwrap();
        insta::assert_snapshot!(shown);
        assert!(table.contains("| `search.exact` | must | pass | 212 | `alone` |"), "{table}");
        assert!(!table.contains("Left out"), "{table}");
    }

    #[test]
    fn a_runtime_that_did_not_start_is_told_without_a_table() {
        insta::assert_snapshot!(render(&run(&samples::not_started())).unwrap());
    }

    #[test]
    fn however_much_failed_a_report_fits_into_a_comment_and_says_what_is_left_out() {
        let text = render(&long()).unwrap();
        assert!(text.len() <= ROOM, "{}", text.len());
        assert!(text.len() > ROOM / 2, "there is room for more: {}", text.len());
        assert!(text.contains("Left out here for want of room: "), "{text}");
    }

    #[test]
    fn in_whatever_room_no_fence_and_no_table_is_cut_in_the_middle() {
        let run = long();
        for room in (2_000..40_000).step_by(997) {
            let text = within(room, &run);
            assert!(text.len() <= room, "{} of {room}", text.len());
            let fences = text.lines().filter(|line| line.starts_with("```")).count();
            assert_eq!(fences % 2, 0, "{text}");
            assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
        }
    }
}
