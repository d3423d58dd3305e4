//! Text that fits: cleaned, measured, wrapped.

use std::fmt::Write as _;

/// A text without anything that could move the cursor, change colours or turn the direction of
/// writing: names and logs come from the runtime under test.
pub(crate) fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\t' {
            clean.push(' ');
        } else if c.is_control() || is_invisible(c) {
            let _ = write!(clean, "{}", c.escape_default());
        } else {
            clean.push(c);
        }
    }
    clean
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
        | '\u{061c}' | '\u{feff}')
}

/// How wide a text is, as far as that can be told without tables of the scripts of the world.
pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}

/// The lines of a text, broken at blanks; a word that is longer than a line gets one of its own.
pub(super) fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && width(&line) + 1 + width(word) > room {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// A text under a hanging indent: `lead` before its first line, blanks before the others.
pub(super) fn hang(lead: &str, text: &str, columns: usize) -> String {
    let indent = width(lead);
    let room = columns.saturating_sub(indent).max(20);
    let lines = wrap(text, room);
    let blanks = " ".repeat(indent);
    let mut out = String::new();
    for (place, line) in lines.iter().enumerate() {
        let before = if place == 0 { lead } else { &blanks };
        out.push_str(format!("{before}{line}").trim_end());
        out.push('\n');
    }
    out
}

/// Parts joined by ` · `, in as many lines as they need; no part is broken.
pub(super) fn joined(lead: &str, parts: &[String], columns: usize) -> String {
    let blanks = " ".repeat(width(lead));
    let mut out = String::from(lead);
    let mut used = width(lead);
    for (place, part) in parts.iter().enumerate() {
        let needed = width(part) + 3;
        if place > 0 && used + needed > columns {
            out.push('\n');
            out.push_str(if blanks.is_empty() { "  " } else { &blanks });
            used = width(&blanks).max(2);
        } else if place > 0 {
            out.push_str(" · ");
            used += 3;
        }
        out.push_str(part);
        used += width(part);
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runtime_cannot_paint_the_terminal() {
        assert_eq!(clean("a\u{1b}[2Jb\u{202e}c\td"), "a\\u{1b}[2Jb\\u{202e}c d");
    }

    #[test]
    fn lines_break_at_blanks_and_no_word_is_lost() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a wide-word-alone b", 6), ["a", "wide-word-alone", "b"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn parts_are_kept_whole() {
        let parts = ["tacit 0.1.0".to_owned(), "seed 1".to_owned()];
        assert_eq!(joined("", &parts, 80), "tacit 0.1.0 · seed 1\n");
        assert_eq!(joined("", &parts, 12), "tacit 0.1.0\n  seed 1\n");
    }
}
