//! How an answer is cut into what a client has to put together again.

use std::fmt::Write as _;

use serde_json::Value;

/// Into how many pieces a streamed text is split.
const PIECES: usize = 3;

/// A text in pieces, none of them empty.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    let length = text.chars().count().div_ceil(PIECES).max(1);
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.char_indices().nth(length).map_or(rest.len(), |(end, _)| end);
        let (piece, left) = rest.split_at(end);
        pieces.push(piece);
        rest = left;
    }
    pieces
}

/// The first half of a text.
pub(crate) fn half(text: &str) -> &str {
    let mut end = text.len() / 2;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Events as lines, with their types in lines of their own, for clients that tell them by these.
pub(crate) fn named_events(events: &[Value]) -> String {
    let mut text = String::new();
    for event in events {
        let name = event["type"].as_str().unwrap_or_default();
        let _ = write!(text, "event: {name}\ndata: {event}\n\n");
    }
    text
}

/// Events as lines.
pub(crate) fn events(events: &[Value]) -> String {
    let mut text = String::new();
    for event in events {
        let _ = write!(text, "data: {event}\n\n");
    }
    text
}

/// A stream that breaks off in what was said last, but never in the first event: a client should
/// have begun.
pub(crate) fn broken_off(said: &[Value], lines: fn(&[Value]) -> String) -> String {
    let (whole, last) = said.split_at(said.len().saturating_sub(1));
    lines(whole) + half(&lines(last))
}
