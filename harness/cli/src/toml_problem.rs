//! TOML that does not fit: what is wrong, where, and what was probably meant.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::nearest::nearest;
use crate::problem::Problem;

/// A TOML file that was read.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// What it is, as errors begin: `profile my-agent.toml`.
    pub title: &'a str,
    /// What its keys are keys of: `a profile`.
    pub kind: &'a str,
    /// Its path, as it is shown.
    pub path: &'a str,
    /// What it says.
    pub text: &'a str,
}

impl Document<'_> {
    /// What is wrong with it, as the reader of the file should see it.
    pub fn problem(&self, message: &str, span: Option<Range<usize>>) -> Problem {
        let table = DeTable::parse(self.text).ok();
        let table = table.as_ref().map(toml::Spanned::get_ref);
        if let Some((key, expected)) = unknown_key(message) {
            let span = span.unwrap_or_default();
            let path = table.and_then(|table| path_of(table, &span)).unwrap_or(key.to_owned());
            let title = format!("{}: `{path}` is not a key of {}", self.title, self.kind);
            let label = match nearest(key, expected.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if expected.is_empty() => "no key is known here".to_owned(),
                None => format!("expected {}", listed(&expected)),
            };
            return Problem::usage(title).at(self.path, self.text, span, label);
        }
        // The library breaks its lines where it likes.
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        let problem = Problem::usage(format!("{}: {message}", self.title));
        let named = || table.and_then(|table| span_of(table, &message));
        let at_something = span.clone().filter(|span| !span.is_empty());
        match at_something.or_else(named).or(span) {
            // What is missing from the whole file is missing nowhere in particular.
            Some(span) if span == (0..0) || span.len() >= self.text.trim().len() => problem,
            Some(span) => problem.at(self.path, self.text, self.first_line(span), "here".into()),
            None => problem,
        }
    }

    /// A whole table as a place would hide what it is about.
    fn first_line(&self, span: Range<usize>) -> Range<usize> {
        let text = self.text.get(span.clone()).unwrap_or_default();
        let end = text.find('\n').map_or(span.end, |end| span.start + end);
        span.start..end
    }
}

/// The key of an error about an unknown one, and the keys that were expected.
fn unknown_key(message: &str) -> Option<(&str, Vec<&str>)> {
    let (key, rest) = message.strip_prefix("unknown field `")?.split_once('`')?;
    Some((key, rest.split('`').skip(1).step_by(2).collect()))
}

fn listed(keys: &[&str]) -> String {
    let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    match keys.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The dotted path of the key at a place.
fn path_of(table: &DeTable<'_>, span: &Range<usize>) -> Option<String> {
    table.iter().find_map(|(key, value)| {
        if key.span() == *span {
            return Some(key.get_ref().to_string());
        }
        let below = path_in(value.get_ref(), span)?;
        Some(format!("{}.{below}", key.get_ref()))
    })
}

fn path_in(value: &DeValue<'_>, span: &Range<usize>) -> Option<String> {
    match value {
        DeValue::Table(table) => path_of(table, span),
        DeValue::Array(items) => items.iter().find_map(|item| path_in(item.get_ref(), span)),
        _ => None,
    }
}

/// The place of the key that a message begins with, as in "`max-per-search` is 5".
fn span_of(table: &DeTable<'_>, message: &str) -> Option<Range<usize>> {
    let (path, _) = message.strip_prefix('`')?.split_once('`')?;
    let mut table = table;
    let mut keys = path.split('.').map(|key| key.trim_matches('"'));
    // A quoted key may hold dots of its own.
    let (first, rest) = match path.split_once(".\"") {
        Some((first, rest)) => (first, Some(rest.trim_end_matches('"'))),
        None => (keys.next()?, None),
    };
    let mut at = first;
    let mut below: Vec<&str> = rest.map_or_else(|| keys.collect(), |rest| vec![rest]);
    below.reverse();
    loop {
        let (key, value) = table.iter().find(|(key, _)| key.get_ref() == at)?;
        let Some(next) = below.pop() else { return Some(key.span()) };
        table = value.get_ref().as_table()?;
        at = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "max-per-search = 5\n\n[not-claimed]\n\"no.such\" = \"x\"\n\n\
                        [catalog]\nentires = 64\n";

    fn document() -> Document<'static> {
        Document { title: "profile x.toml", kind: "a profile", path: "x.toml", text: TEXT }
    }

    fn span(part: &str) -> Range<usize> {
        let start = TEXT.find(part).unwrap_or_default();
        start..start + part.len()
    }

    #[test]
    fn an_unknown_key_is_named_with_its_path_and_the_one_that_was_meant() {
        let message = "unknown field `entires`, expected one of `heading`, `entry`, `entries`";
        let shown = document().problem(message, Some(span("entires"))).render(false);
        assert!(shown.contains("`catalog.entires` is not a key of a profile"), "{shown}");
        assert!(shown.contains("x.toml:7:1"), "{shown}");
        assert!(shown.contains("did you mean `entries`?"), "{shown}");
    }

    #[test]
    fn a_key_that_resembles_none_gets_all_that_could_stand_there() {
        let message = "unknown field `entires`, expected `a` or `b`";
        let shown = document().problem(message, Some(span("entires"))).render(false);
        assert!(shown.contains("expected `a` or `b`"), "{shown}");
    }

    #[test]
    fn a_message_that_begins_with_a_key_is_shown_at_that_key() {
        let table = DeTable::parse(TEXT).unwrap();
        let place = |message: &str| span_of(table.get_ref(), message).map(|span| &TEXT[span]);
        assert_eq!(place("`max-per-search` is 5"), Some("max-per-search"));
        assert_eq!(place("`not-claimed.\"no.such\"` names no clause"), Some("\"no.such\""));
        assert_eq!(place("`catalog.entires` is odd"), Some("entires"));
        assert_eq!(place("`nothing.at.all`"), None);
        assert_eq!(place("`modes` is empty"), None);
    }
}
