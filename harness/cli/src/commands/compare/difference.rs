//! The smallest session on which two runtimes differ, as people read it.

use std::fmt::Write as _;

use tacit_contract::clause::clause;
use tacit_reports::time::counted;
use tacit_suite::compare::tell::{Of, Told};
use tacit_suite::compare::{Found, Judged, Search};

use super::letter;
use crate::page::{clean, hang};

/// What the search came to.
pub fn text(search: &Search, interrupted: bool) -> String {
    if let Some(why) = &search.impossible {
        return format!("\n{}", hang("", &format!("not played side by side: {}", clean(why))));
    }
    let sessions = counted(search.sessions, "session");
    match &search.found {
        None if interrupted => format!("\nno difference in {sessions}, and then it was stopped\n"),
        None => format!("\nno difference in {sessions}\n"),
        Some(found) => self::found(found, &sessions),
    }
}

fn found(found: &Found, sessions: &str) -> String {
    let steps = counted(found.steps as u64, "step");
    let mut text = String::from("\n");
    let title = format!("the smallest session on which A and B differ ({steps})");
    text.push_str(&hang("", &title));
    text.push_str(&hang("  ", &clean(&found.says)));
    let shrunk = if found.steps_before > found.steps {
        format!(", shrunk from {}", counted(found.steps_before as u64, "step"))
    } else {
        String::new()
    };
    let whence = format!(
        "found by {:?}, after {sessions}{shrunk}; seen again {}/3",
        found.found_by, found.reproduced
    );
    text.push_str(&hang("  ", &clean(&whence)));
    for path in found.feature.iter().chain(&found.data) {
        let _ = writeln!(text, "  {}", clean(path));
    }
    if let Some(lost) = &found.lost {
        text.push_str(&hang("  ", &clean(&format!("not kept: {lost}"))));
    }
    text.push('\n');
    text.push_str(&story(&found.story));
    text.push('\n');
    for (side, judged) in found.sides.iter().enumerate() {
        text.push_str(&verdict(&letter(side), judged));
    }
    text
}

fn story(told: &[Told]) -> String {
    let mut text = String::new();
    let mut numbers = [0_usize; 2];
    for line in told {
        let (of, number) = match line.of {
            Of::Both => {
                numbers = numbers.map(|number| number + 1);
                (" ", numbers[0])
            }
            Of::A => {
                numbers[0] += 1;
                ("A", numbers[0])
            }
            Of::B => {
                numbers[1] += 1;
                ("B", numbers[1])
            }
        };
        text.push_str(&hang(&format!("  {of} {number:>2}  "), &clean(&line.text)));
        if let Some(differs) = &line.differs {
            text.push_str(&hang("        ≠ ", &clean(differs)));
        }
    }
    text
}

fn verdict(letter: &str, judged: &Judged) -> String {
    let mut text = String::new();
    if let Some(trouble) = &judged.trouble {
        text.push_str(&hang(&format!("{letter} fails: "), &clean(trouble)));
    }
    for breach in &judged.breaches {
        let sentence = clause(breach.clause.as_str()).map(|clause| clause.sentence.as_str());
        let lead = format!("{letter} breaks ");
        let words = format!("{}: {}", breach.clause, sentence.unwrap_or_default());
        text.push_str(&hang(&lead, &words));
        text.push_str(&hang("    ", &clean(&breach.found)));
    }
    if text.is_empty() {
        let _ = writeln!(text, "{letter} keeps the contract here");
    }
    text
}
