//! What the APIs have in common.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::Unreadable;
use crate::activation::is_legal_name;

/// The longest name that every API takes.
const LONGEST_NAME: usize = 64;

/// A body as bytes.
pub(super) fn bytes(body: &impl Serialize) -> Vec<u8> {
    // Texts, numbers and JSON values always serialise.
    serde_json::to_vec(body).unwrap_or_default()
}

/// The arguments of a call, where they are JSON inside a text.
pub(super) fn as_text<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// A name that a model made up stays in the transcript as it was, but an API refuses a whole
/// request for it.
pub(super) fn legal_name(name: &str) -> Cow<'_, str> {
    if is_legal_name(name) {
        return Cow::Borrowed(name);
    }
    let legal = |symbol: char| {
        if symbol.is_ascii_alphanumeric() || symbol == '-' { symbol } else { '_' }
    };
    let name: String = name.chars().take(LONGEST_NAME).map(legal).collect();
    Cow::Owned(if name.is_empty() { "unnamed".to_owned() } else { name })
}

/// The arguments as the model wrote them. A text that is no JSON is kept as a text, so that the
/// call can be answered and the transcript says what was written.
pub(super) fn read_arguments(text: &str) -> Value {
    if text.trim().is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// Reads an answer that came in one piece.
pub(super) fn whole<T: DeserializeOwned>(body: &[u8]) -> Result<T, Unreadable> {
    serde_json::from_slice(body).map_err(|error| {
        if error.is_eof() { Unreadable::BrokeOff } else { Unreadable::Senseless(error.to_string()) }
    })
}

/// The events of a stream, up to the first that is not whole.
pub(super) fn events<T: DeserializeOwned>(body: &[u8]) -> impl Iterator<Item = T> {
    body.split(|byte| *byte == b'\n')
        .filter_map(|line| line.strip_suffix(b"\r").unwrap_or(line).strip_prefix(b"data:"))
        .map_while(|data| serde_json::from_slice(data).ok())
}

/// A text, if there is any.
pub(super) fn some(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arguments_that_are_no_json_are_kept_as_they_were_written() {
        assert_eq!(read_arguments("{oops"), json!("{oops"));
        assert_eq!(read_arguments("null"), Value::Null);
        assert_eq!(read_arguments(" "), json!({}));
    }

    #[test]
    fn an_illegal_name_is_made_legal() {
        assert_eq!(legal_name("no such tool!"), "no_such_tool_");
        assert_eq!(legal_name(""), "unnamed");
        assert_eq!(legal_name(&"é".repeat(70)).len(), 64);
    }

    #[test]
    fn events_end_before_the_first_that_is_cut_off() {
        let body = b"event: a\r\ndata: 1\r\n\r\n: hi\ndata:2\n\ndata: {\"a\n\ndata: 3\n\n";
        assert_eq!(events::<u8>(body).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn half_a_document_has_broken_off_and_another_makes_no_sense() {
        assert_eq!(whole::<u8>(b""), Err(Unreadable::BrokeOff));
        assert_eq!(whole::<Vec<u8>>(b"[1,"), Err(Unreadable::BrokeOff));
        assert!(matches!(whole::<u8>(b"{}"), Err(Unreadable::Senseless(_))));
    }
}
