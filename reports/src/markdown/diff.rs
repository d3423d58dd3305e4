//! What changed from one run to another, for a pull request.

use tacit_contract::Verdict;

use super::text::{cell, code, fill};
use super::{LAST_WORDS, ROOM, mark};
use crate::diff::{Change, CheckChange, ClauseChange, Diff, Side};
use crate::outcome::Worth;
use crate::tally::word;
use crate::time;

/// What changed from one run to another, as Markdown, never longer than [`ROOM`]: the outcome in a
/// heading, both runs, the clauses with what matters most first, and the checks in a folded table.
#[must_use]
pub fn diff(diff: &Diff) -> String {
    within(ROOM, diff)
}

fn within(room: usize, diff: &Diff) -> String {
    let (lead, counts) = diff.in_words();
    let heading = format!("{} tacit: {lead} {counts}", mark(worth(diff)));
    let mut text = format!("## {}\n\n", heading.trim_end());
    text.push_str(&side("old", &diff.old));
    text.push_str(&side("new", &diff.new));
    let room = room.saturating_sub(LAST_WORDS);
    let rows: Vec<String> =
        Change::ALL.into_iter().flat_map(|kind| diff.of_kind(kind)).map(clause).collect();
    let table =
        "\n| change | clause | level | was | is | why |\n| --- | --- | --- | --- | --- | --- |\n";
    let mut left = fill(&mut text, room, table, &rows, "");
    let checks = diff.scenarios.iter().chain(&diff.properties);
    let checks: Vec<String> = checks.map(check).collect();
    let table = format!(
        "\n<details>\n<summary>Scenarios and properties that came out otherwise ({})</summary>\n\n\
         | check | was | is |\n| --- | --- | --- |\n",
        checks.len()
    );
    left += fill(&mut text, room, &table, &checks, "\n</details>\n");
    if left > 0 {
        let rows = time::counted(left as u64, "row");
        text.push_str("\nLeft out here for want of room: ");
        text.push_str(&rows);
        text.push_str(". `--format json` has all of it.\n");
    }
    text
}

/// What matters in a pull request: whether it makes something worse.
fn worth(diff: &Diff) -> Worth {
    let doubtful = [Change::NewFailure, Change::NowExpected, Change::NoLongerExercised];
    match diff.worse {
        true => Worth::Bad,
        false if doubtful.into_iter().any(|kind| diff.of_kind(kind).next().is_some()) => {
            Worth::Doubtful
        }
        false => Worth::Good,
    }
}

fn side(which: &str, side: &Side) -> String {
    let parts = [
        format!("runtime {}", code(format!("{} {}", side.name, side.version).trim())),
        format!("asked for as {}", code(&side.spec)),
        format!("profile {}", code(&side.profile)),
        format!("seed {}", code(&side.seed)),
        side.started_at.clone(),
        side.outcome.clone(),
    ];
    format!("- {which}: {}\n", parts.join(" · "))
}

fn clause(change: &ClauseChange) -> String {
    let reading = |one: &Option<String>| one.as_deref().map_or_else(|| "none".to_owned(), cell);
    let why = match (change.change, &change.reason) {
        (Change::ChangedReading, _) => {
            format!("{} → {}", reading(&change.read), reading(&change.reads))
        }
        (_, Some(reason)) => cell(reason),
        (_, None) => change.counterexamples.first().map_or_else(String::new, |path| cell(path)),
    };
    format!(
        "| {} | {} | {} | {} | {} | {why} |\n",
        change.change.as_str(),
        cell(change.id.as_str()),
        change.level.as_str(),
        verdict(change.was),
        verdict(change.is)
    )
}

fn check(change: &CheckChange) -> String {
    format!("| {} | {} | {} |\n", cell(&change.name), verdict(change.was), verdict(change.is))
}

fn verdict(verdict: Option<Verdict>) -> &'static str {
    verdict.map_or("not there", word)
}

#[cfg(test)]
mod tests {
    use tacit_contract::Event;

    use super::*;
    use crate::run::Run;
    use crate::samples;

    fn between(old: &[Event], new: &[Event]) -> Diff {
        Diff::of(&Run::of(old).unwrap(), &Run::of(new).unwrap(), false)
    }

    #[test]
    fn what_got_worse_is_told_first_with_the_reason() {
        insta::assert_snapshot!(diff(&between(&samples::passing(), &samples::failing())));
    }

    #[test]
    fn the_heading_says_what_a_change_is_worth() {
        let (passing, failing) = (samples::passing(), samples::failing());
        for (old, new, expected) in [
            (&passing, &failing, "## ❌ tacit: worse: "),
            (&failing, &passing, "## ✅ tacit: changed: "),
            (&passing, &passing, "## ✅ tacit: no difference in any clause\n"),
        ] {
            let text = diff(&between(old, new));
            assert!(text.starts_with(expected), "{text}");
        }
    }

    #[test]
    fn in_whatever_room_no_table_is_cut_in_the_middle_and_what_is_left_out_is_said() {
        let change = between(&samples::passing(), &samples::failing());
        let whole = diff(&change);
        for room in (1_000..whole.len() + 1_000).step_by(97) {
            let text = within(room, &change);
            assert!(text.len() <= room, "{} of {room}", text.len());
            assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
            let rows = |text: &str| text.lines().filter(|line| line.starts_with("| ")).count();
            assert!(rows(&text) == rows(&whole) || text.contains("Left out here"), "{text}");
        }
    }
}
