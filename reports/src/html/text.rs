//! Texts, verdicts and addresses, as the page has them.

use maud::{Markup, PreEscaped, Render, html};
use tacit_contract::clause::clause;
use tacit_contract::{ClauseId, Level, ToolName, Verdict};

use crate::tally::word;
use crate::terminal::text::clean;

/// A text of which nobody knows what stands in it: cleaned, and escaped.
pub(crate) struct Said<T>(pub(crate) T);

impl<T: AsRef<str>> Render for Said<T> {
    fn render_to(&self, buffer: &mut String) {
        clean(self.0.as_ref()).render_to(buffer);
    }
}

/// A tool's name.
pub(super) fn tool(name: &ToolName) -> Markup {
    html! { code { (Said(name.in_words())) } }
}

/// A verdict: its mark, its word and its colour, so that none of them has to do alone.
pub(crate) fn badge(verdict: Verdict) -> Markup {
    html! {
        span class={ "badge " (class(verdict)) } {
            span.mark aria-hidden="true" { (mark(verdict)) } (word(verdict))
        }
    }
}

/// The sign that stands for a verdict.
pub(super) fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "✓",
        Verdict::Fail => "✗",
        Verdict::Error => "‼",
        Verdict::Warn => "!",
        Verdict::NotExercised => "○",
        Verdict::NotApplicable => "–",
        Verdict::ExpectedFailure => "≈",
    }
}

/// A verdict as the style sheet and the filters know it.
pub(super) fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::Error => "error",
        Verdict::Warn => "warn",
        Verdict::NotExercised => "not-exercised",
        Verdict::NotApplicable => "not-applicable",
        Verdict::ExpectedFailure => "expected-failure",
    }
}

/// A level in a word.
pub(crate) fn level(level: Level) -> &'static str {
    match level {
        Level::Must => "must",
        Level::Should => "should",
        Level::Info => "info",
    }
}

/// What a clause asks for; nothing where the contract does not have it.
pub(super) fn sentence(id: &ClauseId) -> &'static str {
    clause(id.as_str()).map_or("", |clause| clause.sentence.as_str())
}

/// A file's name without its folders.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A public report, as a link to it where it is written as one: `owner/name #7`, or
/// `owner/name PR #7`.
pub(crate) fn seen_in(report: &str) -> Markup {
    let issue = report
        .split_once(" #")
        .filter(|(_, number)| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()));
    let place = issue.map(|(place, number)| match place.strip_suffix(" PR") {
        Some(repository) => (repository, "pull", number),
        None => (place, "issues", number),
    });
    let place = place.filter(|(repository, ..)| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        repository.chars().all(plain) && repository.matches('/').count() == 1
    });
    let Some((repository, kind, number)) = place else { return html! { (Said(report)) } };
    html! {
        a href={ "https://github.com/" (repository) "/" (kind) "/" (number) } rel="noreferrer" {
            (report)
        }
    }
}

/// Things one after another, with commas.
pub(crate) fn listed(parts: impl IntoIterator<Item = Markup>) -> Markup {
    let parts: Vec<String> = parts.into_iter().map(PreEscaped::into_string).collect();
    PreEscaped(parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_report_is_a_link_only_if_it_is_written_as_one() {
        let link = seen_in("owner/name #12").into_string();
        assert!(link.contains("https://github.com/owner/name/issues/12"), "{link}");
        let link = seen_in("owner/name PR #12").into_string();
        assert!(link.contains("https://github.com/owner/name/pull/12"), "{link}");
        for text in
            ["owner/name", "owner/name PR", "javascript:x #1", "a/b/c #1", "owner/name #<b>"]
        {
            assert!(!seen_in(text).into_string().contains("<a"), "{text}");
        }
    }
}
