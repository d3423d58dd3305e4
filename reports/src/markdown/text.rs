//! Texts and tables in Markdown, within the room that there is.

use crate::terminal::clean;

/// How much of one text in a line is shown, in characters.
const INLINE: usize = 300;

/// Adds parts under a title as far as there is room, and gives how many are left.
pub(super) fn fill(
    text: &mut String,
    room: usize,
    title: &str,
    parts: &[String],
    end: &str,
) -> usize {
    let room = room.saturating_sub(text.len() + title.len() + end.len());
    let mut used = 0;
    let fits = |part: &&String| {
        used += part.len();
        used <= room
    };
    let fitting: Vec<&str> = parts.iter().take_while(fits).map(String::as_str).collect();
    if !fitting.is_empty() {
        text.push_str(title);
        text.push_str(&fitting.concat());
        text.push_str(end);
    }
    parts.len() - fitting.len()
}

/// A text of several lines, shown as it is: no fence in it is as long as the one around it.
pub(super) fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("\n{fence}text\n{}\n{fence}\n", text.trim_end())
}

/// A text in one line, shown as it is: neither formatted nor taken for a mention.
pub(super) fn code(text: &str) -> String {
    let mut text = clean(&text.replace(['\n', '\r'], " "));
    if let Some((end, _)) = text.char_indices().nth(INLINE) {
        text.truncate(end);
        text.push('…');
    }
    if text.trim().is_empty() {
        return String::new();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    // A backtick at either end would be read as part of the fence.
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// The same inside a table, where a bar ends a cell in code as well.
pub(super) fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_runtime_says_leaves_its_code() {
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`x`"), "`` `x` ``");
        assert_eq!(cell("@someone | <b>\n#1"), "`@someone \\| <b> #1`");
        assert_eq!(code(""), "");
        assert_eq!(fenced("a\n```\nb"), "\n````text\na\n```\nb\n````\n");
        assert_eq!(code(&"ä".repeat(INLINE + 1)).chars().count(), INLINE + 3);
    }
}
