//! How texts and names stand in a feature, so that any of them can be read back.
//!
//! Features are read by people, so a text stands there as it is. What could not be seen, or
//! would be taken for the end of a quotation or a cell, is written as `{U+202E}`; a long text
//! that says one thing over and over, as `{5000 characters of: on and on, }`.

use std::fmt::Write as _;

use tacit_contract::ToolName;

/// Writes a text for a table cell, before the escapes that Gherkin itself has.
#[must_use]
pub fn escape(text: &str) -> String {
    escaped(text, false)
}

/// Writes a text between double quotes.
#[must_use]
pub fn quote(text: &str) -> String {
    format!("\"{}\"", escaped(text, true))
}

fn escaped(text: &str, quoted: bool) -> String {
    if let Some((count, unit)) = repetition(text) {
        return format!("{{{count}{OF}{}}}", escaped_char_by_char(unit, true));
    }
    escaped_char_by_char(text, quoted)
}

fn escaped_char_by_char(text: &str, quoted: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let last = text.chars().count().saturating_sub(1);
    for (place, (at, char)) in text.char_indices().enumerate() {
        let at_an_end = place == 0 || place == last;
        let hidden = is_hidden(char)
            || (char == ' ' && at_an_end && !quoted)
            || (char == '"' && quoted)
            || (char == '{' && looks_escaped(&text[at..]));
        if hidden {
            // Writing to a string cannot fail.
            let _ = write!(out, "{{U+{:04X}}}", u32::from(char));
        } else {
            out.push(char);
        }
    }
    out
}

fn looks_escaped(text: &str) -> bool {
    let mut after = text.chars().skip(1);
    after
        .next()
        .is_some_and(|char| char.is_ascii_digit() || (char == 'U' && after.next() == Some('+')))
}

/// What stands between the length of a repetition and what is repeated.
const OF: &str = " characters of: ";

/// From how many characters on a repetition is worth being told as one.
const LONG: usize = 200;

/// How long the part is, at the most, that is repeated.
const LONGEST_UNIT: usize = 24;

/// The length of a long text, and the part that it repeats from its beginning to its end.
fn repetition(text: &str) -> Option<(usize, &str)> {
    if text.len() < LONG {
        return None;
    }
    let chars: Vec<char> = text.chars().collect();
    let repeats =
        |period: &usize| chars.iter().zip(&chars[*period..]).all(|(one, other)| one == other);
    let period = (1..=LONGEST_UNIT).filter(|_| chars.len() >= LONG).find(repeats)?;
    let end = text.char_indices().nth(period).map_or(text.len(), |(at, _)| at);
    let unit = &text[..end];
    (!unit.contains(['{', '}'])).then_some((chars.len(), unit))
}

/// Reads a text that [`escape`] or [`quote`] wrote, quotes aside.
#[must_use]
pub fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        let escape = &rest[at..];
        if let Some((read, after)) = read_char(escape).or_else(|| read_repetition(escape)) {
            out.push_str(&read);
            rest = after;
        } else {
            out.push('{');
            rest = &escape[1..];
        }
    }
    out.push_str(rest);
    out
}

fn read_char(text: &str) -> Option<(String, &str)> {
    let (code, after) = text.strip_prefix("{U+")?.split_once('}')?;
    let char = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
    Some((char.to_string(), after))
}

fn read_repetition(text: &str) -> Option<(String, &str)> {
    let (count, rest) = text.strip_prefix('{')?.split_once(OF)?;
    let count: usize = count.parse().ok()?;
    let mut unit = String::new();
    let mut rest = rest;
    loop {
        if let Some((char, after)) = read_char(rest) {
            unit.push_str(&char);
            rest = after;
            continue;
        }
        let char = rest.chars().next()?;
        rest = &rest[char.len_utf8()..];
        if char == '}' {
            break;
        }
        unit.push(char);
    }
    let is_sane = !unit.is_empty() && count <= MOST_REPEATED;
    is_sane.then(|| (unit.chars().cycle().take(count).collect(), rest))
}

/// How long a repetition may be: a slip of the pen must not fill the memory.
const MOST_REPEATED: usize = 10_000_000;

/// Whether a character cannot be seen, moves others about, or is taken for the end of a line.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || (char.is_whitespace() && char != ' ')
        || matches!(
            char,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{e000}'..='\u{f8ff}'
                | '\u{e0000}'..='\u{e0fff}'
                | '\u{f0000}'..='\u{10ffff}'
        )
}

/// Whether a name can stand bare in a list.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.'))
}

/// Writes one name for a table cell: bare, or in quotes where it would not be read back.
#[must_use]
pub fn write_name(name: &str) -> String {
    if is_plain(name) { name.to_owned() } else { quote(name) }
}

/// Writes names for a table cell, set apart by commas.
#[must_use]
pub fn write_names(names: &[ToolName]) -> String {
    names.iter().map(|name| write_name(name.as_str())).collect::<Vec<_>>().join(", ")
}

/// Reads names, bare or in quotes, set apart by commas or the word *and*.
///
/// # Errors
/// A quotation does not end, or a name is missing.
pub fn read_names(text: &str) -> Result<Vec<ToolName>, String> {
    let mut names = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = read_one(rest)?;
        names.push(ToolName::from(name));
        rest = match after.trim_start() {
            "" => "",
            after => separated(after)
                .ok_or_else(|| format!("expected a comma or `and` before `{after}`"))?,
        };
    }
    Ok(names)
}

fn separated(text: &str) -> Option<&str> {
    let after = text.strip_prefix(',').map_or(text, str::trim_start);
    let after = after.strip_prefix("and ").map_or(after, str::trim_start);
    (after.len() < text.len() && !after.is_empty()).then_some(after)
}

fn read_one(text: &str) -> Result<(String, &str), String> {
    if let Some(quoted) = text.strip_prefix('"') {
        let end = quoted.find('"').ok_or_else(|| format!("the quotation `{text}` has no end"))?;
        return Ok((unescape(&quoted[..end]), &quoted[end + 1..]));
    }
    let end = text.find([',', ' ']).unwrap_or(text.len());
    if end == 0 {
        return Err(format!("expected a name before `{text}`"));
    }
    Ok((unescape(&text[..end]), &text[end..]))
}

/// Reads one name, bare or in quotes.
///
/// # Errors
/// There is none, or more than one.
pub fn read_name(text: &str) -> Result<ToolName, String> {
    match read_names(text)?.as_slice() {
        [name] => Ok(name.clone()),
        [] => Err("expected the name of a tool".to_owned()),
        _ => Err(format!("expected the name of one tool, found `{text}`")),
    }
}

/// A cell as it stands in the text of a feature, with Gherkin's own escapes.
#[must_use]
pub fn write_cell(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|")
}

/// A table, its columns aligned, each line after the given indent.
#[must_use]
pub fn write_table(rows: &[Vec<String>], indent: &str) -> String {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| write_cell(cell)).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default().min(LONGEST_PADDED)
        })
        .collect();
    let mut out = String::new();
    for row in &rows {
        out.push_str(indent);
        out.push('|');
        for (cell, width) in row.iter().zip(&widths) {
            let missing = width.saturating_sub(cell.chars().count());
            // Writing to a string cannot fail.
            let _ = write!(out, " {cell}{} |", " ".repeat(missing));
        }
        out.push('\n');
    }
    out
}

/// The width up to which columns are aligned: one very long cell must not push out the others.
const LONGEST_PADDED: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 14] = [
        "",
        " ",
        "  two at each end  ",
        "\"quoted\"",
        "a\nb\r\nc\u{2028}d",
        "\u{202e}desrever\u{202c}",
        "{U+0041} as it stands, {U+, {U+zz} and {",
        "a | b \\ c \\n d",
        "👩‍👩‍👧‍👦🛠️",
        "tab\tand nul\u{0}",
        "<placeholder>",
        "# no comment",
        "e\u{301}\u{a0}",
        "\"",
    ];

    #[test]
    fn every_text_is_read_back_as_it_was_written() {
        for text in TEXTS {
            assert_eq!(unescape(&escape(text)), text);
            let quoted = quote(text);
            assert_eq!(unescape(&quoted[1..quoted.len() - 1]), text);
            assert!(!quoted[1..quoted.len() - 1].contains('"'), "{quoted}");
        }
    }

    #[test]
    fn a_long_repetition_is_told_as_one() {
        let text: String = "on and on, ".chars().cycle().take(5000).collect();
        assert_eq!(escape(&text), "{5000 characters of: on and on, }");
        for text in [text, "\u{202e}\"".repeat(500), "{5".repeat(200), "}x".repeat(200)] {
            assert_eq!(unescape(&escape(&text)), text);
            let quoted = quote(&text);
            assert_eq!(unescape(&quoted[1..quoted.len() - 1]), text);
        }
        assert_eq!(unescape("{5 characters of: }"), "{5 characters of: }");
        assert_eq!(unescape("{99999999999 characters of: x}"), "{99999999999 characters of: x}");
        assert_eq!(unescape(&escape("{5 characters of: x}")), "{5 characters of: x}");
    }

    #[test]
    fn every_list_of_names_is_read_back_as_it_was_written() {
        let names: Vec<ToolName> = TEXTS.iter().copied().map(ToolName::from).collect();
        assert_eq!(read_names(&write_names(&names)), Ok(names));
        assert_eq!(read_names(""), Ok(Vec::new()));
    }

    #[test]
    fn names_may_be_set_apart_by_and() {
        let names = ["a", "b", "c"].map(ToolName::from).to_vec();
        assert_eq!(read_names("\"a\", \"b\" and \"c\""), Ok(names.clone()));
        assert_eq!(read_names("a, b, and c"), Ok(names));
    }

    #[test]
    fn a_list_that_is_cut_off_is_an_error() {
        assert!(read_names("\"a").is_err());
        assert!(read_names("a,").is_err());
        assert!(read_names("a b").is_err());
        assert!(read_name("a, b").is_err());
    }
}
