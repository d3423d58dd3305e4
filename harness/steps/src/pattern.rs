//! Patterns: a phrase with places in braces, such as `the user asks {text}`.

use cucumber::codegen::Regex;
use tacit_contract::session::Past;
use tacit_contract::{ClauseId, Mode, OriginKind, ProviderKind, ToolName, Variant};

use crate::table::{Rows, tools};
use crate::words::{read_names, unescape};
use tacit_judge::expect::{At, WhichPrompt, WhichRequest};

/// Each kind of place: its name in a pattern, what it matches, and what to write there.
pub const PLACES: [(&str, &str, &str); 11] = [
    ("a", "an?", "`a` or `an`"),
    ("tools", "tools?", "`tool` or `tools`"),
    ("text", r#""[^"]*""#, "a text in double quotes"),
    ("names", r#""[^"]*"(?:(?:, and |, | and )"[^"]*")*"#, "names of tools, each in double quotes"),
    ("number", r"\d+|no|one|two|three|four|five|six|ten", "a number"),
    ("mode", "agent|chat|plan|goal", "a mode: agent, chat, plan or goal"),
    (
        "kind",
        "(?:plugin tool|product tool|skill|plugin-development helper)s?",
        "what kind of tool it is: plugin tool, product tool, skill, plugin-development helper",
    ),
    (
        "ending",
        "successful|an error|interrupted|never answered",
        "how it ended: successful, an error, interrupted, never answered",
    ),
    (
        "request",
        "(?:the first request|the request after the search|the last request|every request)\
         (?: of the last prompt| of the prompt before| of the first prompt)?",
        "which request: the first request, the request after the search, the last request (each \
         of the last prompt, unless ` of the prompt before` or ` of the first prompt` follows), \
         or every request of the session",
    ),
    ("variant", ".+", "one of the variants below; a number may be another"),
    ("sentence", "(?:: .*)?", "nothing, or a colon and the clause in words"),
];

/// The expression of a pattern; `None` where it names a place that there is not.
#[must_use]
pub fn compile(pattern: &str) -> Option<Regex> {
    let mut out = "(?s)^".to_owned();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(&escape(before));
        let (name, after) = after.split_once('}')?;
        let (_, expression, _) = PLACES.iter().find(|(known, _, _)| *known == name)?;
        out.extend(["(", expression, ")"]);
        rest = after;
    }
    out.push_str(&escape(rest));
    out.push('$');
    Regex::new(&out).ok()
}

fn escape(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, char| {
        if !char.is_alphanumeric() && char != ' ' && char != ',' && char != '"' {
            out.push('\\');
        }
        out.push(char);
        out
    })
}

/// What stood in the places of a phrase, and the table below it.
#[derive(Debug)]
pub struct Found<'a> {
    /// The places, in order.
    pub places: Vec<&'a str>,
    /// The rows of its table; empty where it has none.
    pub table: &'a Rows,
}

impl Found<'_> {
    /// A place as it stands.
    #[must_use]
    pub fn raw(&self, place: usize) -> &str {
        self.places.get(place).copied().unwrap_or_default()
    }

    /// A quoted text.
    #[must_use]
    pub fn text(&self, place: usize) -> String {
        let quoted = self.raw(place);
        let inner = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        unescape(inner.unwrap_or(quoted))
    }

    /// Quoted names.
    ///
    /// # Errors
    /// A name is missing.
    pub fn names(&self, place: usize) -> Result<Vec<ToolName>, String> {
        read_names(self.raw(place))
    }

    /// A number, in figures or as a word.
    ///
    /// # Errors
    /// It is too large.
    pub fn number(&self, place: usize) -> Result<u32, String> {
        let words = ["no", "one", "two", "three", "four", "five", "six"];
        match self.raw(place) {
            "ten" => Ok(10),
            text => match words.iter().position(|word| *word == text) {
                Some(number) => u32::try_from(number).map_err(|error| error.to_string()),
                None => text.parse().map_err(|_| format!("`{text}` is too large a number")),
            },
        }
    }

    /// A mode.
    ///
    /// # Errors
    /// There is no such mode.
    pub fn mode(&self, place: usize) -> Result<Mode, String> {
        self.raw(place).parse()
    }

    /// A kind of tool.
    ///
    /// # Errors
    /// There is no such kind.
    pub fn kind(&self, place: usize) -> Result<OriginKind, String> {
        tools::kind(self.raw(place))
    }

    /// How a call of the past ended.
    ///
    /// # Errors
    /// There is no such ending.
    pub fn ending(&self, place: usize) -> Result<Past, String> {
        match self.raw(place) {
            "successful" => Ok(Past::Ok),
            "an error" => Ok(Past::Error),
            "interrupted" => Ok(Past::Interrupted),
            "never answered" => Ok(Past::Unanswered),
            other => Err(format!("`{other}` is no ending")),
        }
    }

    /// Which request is meant.
    #[must_use]
    pub fn request(&self, place: usize) -> At {
        let text = self.raw(place);
        let request = if text.starts_with("the first request") {
            WhichRequest::First
        } else if text.starts_with("the request after the search") {
            WhichRequest::AfterSearch
        } else if text.starts_with("the last request") {
            WhichRequest::Last
        } else {
            WhichRequest::Every
        };
        let prompt = if text.ends_with(" of the first prompt") {
            WhichPrompt::First
        } else if text.ends_with(" of the prompt before") {
            WhichPrompt::Previous
        } else if text == "every request" {
            WhichPrompt::Every
        } else {
            WhichPrompt::Last
        };
        At { prompt, request }
    }

    /// The id of a clause, in quotes.
    #[must_use]
    pub fn clause(&self, place: usize) -> ClauseId {
        ClauseId::from(self.text(place))
    }

    /// A variant, as it describes itself.
    ///
    /// # Errors
    /// There is no such variant.
    pub fn variant(&self, place: usize) -> Result<Variant, String> {
        let text = self.raw(place);
        let number = text
            .rsplit(|char: char| !char.is_ascii_digit())
            .find(|digits| !digits.is_empty())
            .and_then(|digits| digits.parse().ok())
            .unwrap_or_default();
        variants(number).into_iter().find(|variant| variant.describe() == text).ok_or_else(|| {
            let all: Vec<String> = variants(100).iter().map(|v| v.describe()).collect();
            format!("there is no variant `{text}`: expected one of `{}`", all.join("`, `"))
        })
    }
}

/// Every variant, those that take a number with this one.
#[must_use]
pub fn variants(number: u32) -> Vec<Variant> {
    let mut all = vec![
        Variant::Restarted,
        Variant::FromRows,
        Variant::OtherPast,
        Variant::WithIrrelevantRows,
        Variant::Permuted,
        Variant::WithMoreEvidence,
        Variant::Reordered,
        Variant::Reworded,
        Variant::Grown { tools: number },
        Variant::LongTexts { characters: number },
    ];
    all.extend(ProviderKind::EVERY.map(|provider| Variant::Over { provider }));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_is_known_by_its_own_description() {
        for variant in variants(1234) {
            let text = variant.describe();
            let found = Found { places: vec![&text], table: &Rows::new() };
            assert_eq!(found.variant(0), Ok(variant));
        }
    }

    #[test]
    fn what_is_no_place_is_taken_as_it_stands() {
        let pattern = compile("a (b) {number}.").unwrap();
        assert!(pattern.is_match("a (b) 12."));
        assert!(!pattern.is_match("a b 12x"));
        assert!(compile("{nowhere}").is_none());
    }
}
