//! How an answer is cut into what a client has to put together again.

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
