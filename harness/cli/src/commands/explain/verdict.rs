//! The verdicts.

use serde_json::json;

use super::Explanation;
use crate::page::hang;

const VERDICTS: &[(&str, &str)] = &[
    ("pass", "The clause's premise occurred, and the clause was kept each time."),
    ("fail", "A must clause was broken. The smallest session that breaks it is kept as a file."),
    ("warn", "A should clause was broken: a warning, which fails no run."),
    (
        "notExercised",
        "No session reached what the clause is about. That is no pass: nothing was shown. More \
         cases (--cases) reach more.",
    ),
    (
        "notApplicable",
        "The runtime lacks a capability that the clause needs, or the profile does not claim it. \
         The report gives the reason.",
    ),
    (
        "expectedFailure",
        "The clause was broken, as the baseline (--baseline) says it would be: that fails no run.",
    ),
    (
        "error",
        "The runtime failed before the clause could be judged: it crashed, hung or broke the \
         protocol. The cause is shown once.",
    ),
];

/// The verdicts' names.
pub fn ids() -> Vec<&'static str> {
    VERDICTS.iter().map(|(id, _)| *id).collect()
}

/// Explains a verdict; `None` if it is none. Upper case and blanks are how a run prints it.
pub fn explain(id: &str) -> Option<Explanation> {
    let plain: String = id.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).collect();
    let (id, meaning) = VERDICTS.iter().find(|(known, _)| known.eq_ignore_ascii_case(&plain))?;
    let text = format!("{id} · a verdict on a clause\n\n{}", hang("  ", meaning));
    Some(Explanation { text, value: json!({"kind": "verdict", "id": id, "meaning": meaning}) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_known_as_the_report_writes_it_and_as_the_terminal_does() {
        assert!(explain("notExercised").is_some());
        assert!(explain("NOT EXERCISED").is_some());
        assert!(explain("exercised").is_none());
    }
}
