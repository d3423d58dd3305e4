//! What came of a baseline, in words.

use tacit_contract::baseline::{Baselined, Entry, Standing};

use crate::findings::Place;
use crate::run::Run;

/// Every standing, as they are counted.
const ORDER: [Standing; 5] = [
    Standing::Expected,
    Standing::Stale,
    Standing::Expired,
    Standing::NotJudged,
    Standing::AnotherRevision,
];

fn word(standing: Standing) -> &'static str {
    match standing {
        Standing::Expected => "expected",
        Standing::Stale => "stale",
        Standing::Expired => "expired",
        Standing::NotJudged => "not judged",
        Standing::AnotherRevision => "of another revision",
    }
}

/// How many entries came to what: `2 expected, 1 stale`.
pub(crate) fn counts(baseline: &Baselined) -> String {
    let counts = ORDER.map(|standing| (baseline.of(standing).count(), word(standing)));
    let there = counts.iter().filter(|(count, _)| *count > 0);
    let there: Vec<String> = there.map(|(count, word)| format!("{count} {word}")).collect();
    if there.is_empty() { "no entries".to_owned() } else { there.join(", ") }
}

/// What an entry came to, and why.
pub(crate) fn told(entry: &Entry) -> String {
    let api =
        entry.expectation.api.map_or_else(String::new, |api| format!(" over {}", api.as_str()));
    let note = entry.note.as_ref().map_or_else(String::new, |note| format!(", {note}"));
    format!("{}{api}: {}{note}", entry.expectation.clause, word(entry.standing))
}

/// The entries that fail the run, each with its place.
pub(crate) fn outdated(run: &Run) -> impl Iterator<Item = (Place<'_>, String)> {
    run.finished.baseline.iter().flat_map(|baseline| {
        let place = |entry: &Entry| Place { file: &baseline.file, line: entry.expectation.line };
        baseline.outdated().map(move |entry| (place(entry), told(entry)))
    })
}
