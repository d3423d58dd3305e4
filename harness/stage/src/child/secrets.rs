//! What a child was told in confidence, and nobody else is to read.

use std::ffi::OsString;
use std::sync::Arc;

use serde_json::Value;
use tacit_contract::protocol::ErrorAnswer;

/// What the name of a variable holds whose value is a secret.
const TELLING: [&str; 4] = ["KEY", "TOKEN", "SECRET", "PASSWORD"];

/// Anything shorter stands in too many texts, and is no secret.
const SHORTEST: usize = 4;

/// The values that stay out of whatever is quoted of a child: those of the variables that it was
/// given on purpose, and of what the caller has under a telling name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Secrets(Arc<[Secret]>);

#[derive(Debug)]
struct Secret {
    value: String,
    /// What stands in its place.
    shown: String,
}

impl Secrets {
    /// The secrets among what was given to a child, and among the caller's variables.
    pub(super) fn of(
        given: &[(String, String)],
        caller: impl Iterator<Item = (OsString, OsString)>,
    ) -> Self {
        let caller = caller
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, _)| tells(name));
        let mut secrets = Vec::new();
        for (name, value) in given.iter().cloned().chain(caller) {
            let escaped = Value::from(value.trim()).to_string();
            let escaped = escaped[1..escaped.len() - 1].to_owned();
            for value in [value.trim().to_owned(), escaped] {
                let known = secrets.iter().any(|secret: &Secret| secret.value == value);
                if value.len() >= SHORTEST && !known {
                    secrets.push(Secret { value, shown: format!("[{name}]") });
                }
            }
        }
        // One may be a part of another.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.value.len()));
        Self(secrets.into())
    }

    /// A text with each secret replaced by the name of its variable.
    pub(crate) fn hidden(&self, text: &str) -> String {
        let replace = |text: String, secret: &Secret| text.replace(&secret.value, &secret.shown);
        self.0.iter().fold(text.to_owned(), replace)
    }

    /// The error of an answer without what it tells of them.
    pub(super) fn hidden_in(&self, mut error: ErrorAnswer) -> ErrorAnswer {
        error.message = self.hidden(&error.message);
        if let Some(data) = &mut error.data {
            self.hide_in(data);
        }
        error
    }

    fn hide_in(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.hidden(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.hide_in(item)),
            Value::Object(members) => members.values_mut().for_each(|item| self.hide_in(item)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// The first characters of a text, of which no part of a secret is left where it was cut.
    pub(super) fn first(&self, text: &[u8], characters: usize) -> String {
        let window = (characters * 4).saturating_add(self.longest());
        let whole = text.len() <= window;
        let mut head = self.hidden(&String::from_utf8_lossy(&text[..text.len().min(window)]));
        if !whole {
            head.truncate(head.floor_char_boundary(head.len().saturating_sub(self.longest())));
        }
        let first: String = head.chars().take(characters).collect();
        if whole && first.len() == head.len() { first } else { first + "…" }
    }

    /// The last bytes of a text, likewise.
    pub(super) fn last(&self, text: &[u8], bytes: usize) -> String {
        let window = bytes.saturating_add(self.longest());
        let whole = text.len() <= window;
        let tail = &text[text.len().saturating_sub(window)..];
        let mut tail = self.hidden(&String::from_utf8_lossy(tail));
        if !whole {
            tail.drain(..tail.ceil_char_boundary(self.longest().min(tail.len())));
        }
        let begin = tail.ceil_char_boundary(tail.len().saturating_sub(bytes));
        tail.split_off(begin)
    }

    /// The length of the longest, in bytes.
    fn longest(&self) -> usize {
        self.0.first().map_or(0, |secret| secret.value.len())
    }
}

fn tells(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    TELLING.iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(given: &[(&str, &str)], caller: &[(&str, &str)]) -> Secrets {
        let given: Vec<_> =
            given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Secrets::of(&given, caller.iter().map(|(name, value)| (name.into(), value.into())))
    }

    #[test]
    fn what_was_given_and_what_has_a_telling_name_is_replaced_by_the_name() {
        let given = [("ENDPOINT", "https://x.test"), ("SHORT", "abc")];
        let caller = [("npm_token", "npm_123"), ("LANG", "C.UTF-8"), ("My_Password", "pass word")];
        let secrets = secrets(&given, &caller);
        assert_eq!(
            secrets.hidden("npm_123 at https://x.test, pass word, C.UTF-8, abc"),
            "[npm_token] at [ENDPOINT], [My_Password], C.UTF-8, abc"
        );
    }

    #[test]
    fn one_that_is_part_of_another_leaves_nothing_of_it() {
        let secrets = secrets(&[("A", "swordfish"), ("B", "swordfish-and-more")], &[]);
        assert_eq!(secrets.hidden("swordfish-and-more, swordfish"), "[B], [A]");
    }

    #[test]
    fn one_with_quotes_and_breaks_is_found_as_json_too() {
        let secrets = secrets(&[("A", "two\nlines \"quoted\"\n")], &[]);
        assert_eq!(secrets.hidden("two\nlines \"quoted\""), "[A]");
        assert_eq!(secrets.hidden(r#"{"x":"two\nlines \"quoted\"\n"}"#), r#"{"x":"[A]\n"}"#);
    }

    #[test]
    fn where_a_text_is_cut_no_part_of_a_secret_is_left() {
        let secrets = secrets(&[("A", "0123456789")], &[]);
        for before in 0..80 {
            let text = format!("{}0123456789{}", "x".repeat(before), "y".repeat(80 - before));
            let cut = [secrets.first(text.as_bytes(), 8), secrets.last(text.as_bytes(), 32)];
            for cut in cut {
                let rest = cut.replace("[A]", "");
                assert!(rest.chars().all(|c| !c.is_ascii_digit()), "{before}: {cut}");
            }
        }
    }

    #[test]
    fn without_secrets_a_text_is_cut_and_nothing_more() {
        let none = Secrets::default();
        assert_eq!(none.first("äöü".as_bytes(), 3), "äöü");
        assert_eq!(none.first("äöüx".as_bytes(), 3), "äöü…");
        assert_eq!(none.last(b"one two", 3), "two");
    }

    #[test]
    fn an_error_is_told_without_them_however_deep_they_are() {
        let secrets = secrets(&[("A", "swordfish")], &[]);
        let data = Some(serde_json::json!({"why": [{"it": "is swordfish"}], "n": 1}));
        let error = ErrorAnswer { code: 1, message: "no swordfish".to_owned(), data };
        let hidden = secrets.hidden_in(error);
        assert_eq!(hidden.message, "no [A]");
        assert_eq!(hidden.data, Some(serde_json::json!({"why": [{"it": "is [A]"}], "n": 1})));
    }
}
