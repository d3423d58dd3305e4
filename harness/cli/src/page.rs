//! Text in columns, 80 wide.

/// How wide a page is.
pub const WIDTH: usize = 80;

/// A text under a hanging indent: `lead` before its first line, blanks before the others.
pub fn hang(lead: &str, text: &str) -> String {
    let indent = lead.chars().count();
    let room = WIDTH.saturating_sub(indent).max(20);
    let blanks = " ".repeat(indent);
    let mut out = String::new();
    for (place, line) in wrap(text, room).iter().enumerate() {
        let before = if place == 0 { lead } else { &blanks };
        out.push_str(format!("{before}{line}").trim_end());
        out.push('\n');
    }
    out
}

/// The lines of a text, broken at blanks; a word that is longer than a line gets one of its own.
fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in text.split_whitespace() {
        let more = word.chars().count();
        if length > 0 && length + 1 + more > room {
            lines.push(String::new());
            length = 0;
        }
        if let Some(line) = lines.last_mut() {
            if length > 0 {
                line.push(' ');
                length += 1;
            }
            line.push_str(word);
            length += more;
        }
    }
    lines
}

/// A row of columns: each cell padded to its width, the last one wrapped.
pub fn row(cells: &[(&str, usize)], last: &str) -> String {
    let mut lead = String::new();
    for (cell, width) in cells {
        let blanks = " ".repeat(width.saturating_sub(cell.chars().count()) + 2);
        lead.push_str(cell);
        lead.push_str(&blanks);
    }
    hang(&lead, last)
}

/// How wide a column must be for its cells.
pub fn width<'a>(cells: impl IntoIterator<Item = &'a str>) -> usize {
    cells.into_iter().map(|cell| cell.chars().count()).max().unwrap_or_default()
}

/// A named line of a page: `  seen in   owner/name #1`.
pub fn field(name: &str, text: &str) -> String {
    hang(&format!("  {name:11} "), text)
}

/// A named command, in one line however long it is: it is there to be copied.
pub fn command_field(name: &str, command: &str) -> String {
    format!("  {name:11} {command}\n")
}

/// A sentence with a capital letter and a full stop.
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", chars.as_str().trim_end_matches('.'))
}

/// A text without anything that could move the cursor or change colours.
pub fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && c != '\n' {
            clean.extend(c.escape_default());
        } else {
            clean.push(c);
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_hangs_under_its_own_beginning() {
        let text = "word ".repeat(30);
        let shown = row(&[("id", 4)], &text);
        assert!(shown.lines().count() > 1);
        assert!(shown.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(shown.lines().skip(1).all(|line| line.starts_with("      word")));
    }

    #[test]
    fn a_text_from_outside_cannot_steer_the_terminal() {
        assert_eq!(clean("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\n");
    }

    #[test]
    fn a_sentence_ends_in_one_full_stop() {
        assert_eq!(sentence("it holds"), "It holds.");
        assert_eq!(sentence("It holds."), "It holds.");
        assert_eq!(sentence(""), ".");
    }
}
