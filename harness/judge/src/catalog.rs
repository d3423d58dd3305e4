//! The catalog, read from a base prompt in the form that the profile describes.

use tacit_contract::profile::{CatalogEnd, CatalogShape};

/// What ends a line for a model, whatever the program that wrote it thinks.
pub const LINE_BREAKS: [char; 7] =
    ['\n', '\r', '\u{0b}', '\u{0c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// Whether a text holds a line break of any kind.
#[must_use]
pub fn breaks_lines(text: &str) -> bool {
    // Most texts hold no byte that could begin one: that is seen much faster.
    let could = |byte| matches!(byte, b'\n' | b'\r' | 0x0b | 0x0c | 0xc2 | 0xe2);
    text.bytes().any(could) && text.contains(LINE_BREAKS)
}

/// The lines of a text, whatever breaks them.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let rare = text.bytes().any(|byte| matches!(byte, b'\r' | 0x0b | 0x0c | 0xc2 | 0xe2));
    let (all, plain) =
        if rare { (Some(text.split(LINE_BREAKS)), None) } else { (None, Some(text.split('\n'))) };
    all.into_iter().flatten().chain(plain.into_iter().flatten())
}

/// The catalog of one base prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalog {
    /// How many lines of the base prompt are its heading.
    pub headings: usize,
    /// Its entries: name and description.
    pub entries: Vec<Entry>,
    /// The whole section, heading included.
    pub text: String,
    /// The lines of the section that are no entry: the heading, an instruction, a count.
    pub notes: Vec<String>,
    /// What else the base prompt holds.
    pub outside: String,
}

/// One entry of a catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The tool's name as it stands there.
    pub name: String,
    /// Its description as it stands there.
    pub description: String,
}

impl Catalog {
    /// Reads the catalog of a base prompt; an empty one where there is none, or where the
    /// profile describes none.
    #[must_use]
    pub fn read(base_prompt: &str, shape: Option<&CatalogShape>) -> Self {
        let Some(shape) = shape else {
            return Self { outside: base_prompt.to_owned(), ..Self::default() };
        };
        let mut catalog = Self::default();
        let mut inside = false;
        for line in lines(base_prompt) {
            let is_heading = line.trim() == shape.heading.trim();
            catalog.headings += usize::from(is_heading);
            if is_heading && !inside {
                inside = true;
            } else if inside && catalog.is_over(shape, line) {
                inside = false;
            }
            if inside {
                catalog.text.push_str(line);
                catalog.text.push('\n');
                match read_entry(shape, line) {
                    Some(entry) => catalog.entries.push(entry),
                    None => catalog.notes.push(line.to_owned()),
                }
            } else {
                catalog.outside.push_str(line);
                catalog.outside.push('\n');
            }
        }
        catalog
    }

    /// A blank line before the first entry sets the heading or an instruction apart; it does
    /// not end the catalog.
    fn is_over(&self, shape: &CatalogShape, line: &str) -> bool {
        match shape.ends {
            CatalogEnd::BlankLine => line.trim().is_empty() && !self.entries.is_empty(),
            CatalogEnd::NextHeading => line.starts_with('#'),
            CatalogEnd::EndOfPrompt => false,
        }
    }

    /// Whether a tool is listed.
    #[must_use]
    pub fn lists(&self, tool: &str) -> bool {
        self.entries.iter().any(|entry| entry.name == tool)
    }

    /// Its length in bytes, digits aside: a count of what is left out may grow.
    #[must_use]
    pub fn size_without_digits(&self) -> usize {
        self.text.bytes().filter(|byte| !byte.is_ascii_digit()).count()
    }
}

fn read_entry(shape: &CatalogShape, line: &str) -> Option<Entry> {
    if shape.overflow.as_ref().is_some_and(|overflow| matches(overflow, "$COUNT", line)) {
        return None;
    }
    let (before, rest) = shape.entry.split_once("$NAME")?;
    let (between, after) = rest.split_once("$DESCRIPTION").unwrap_or((rest, ""));
    let inner = line.strip_prefix(before)?.strip_suffix(after)?;
    let bare = between.trim_end();
    let (name, description) = match inner.split_once(between) {
        Some((name, description)) if !between.is_empty() => (name, description),
        // An empty description may have lost the space before it.
        _ => (inner.strip_suffix(bare)?, ""),
    };
    Some(Entry { name: name.trim().to_owned(), description: description.to_owned() })
}

fn matches(template: &str, hole: &str, line: &str) -> bool {
    let Some((before, after)) = template.split_once(hole) else { return template == line };
    line.strip_prefix(before)
        .and_then(|rest| rest.strip_suffix(after))
        .is_some_and(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape() -> CatalogShape {
        CatalogShape {
            heading: "# On-demand tools".to_owned(),
            entry: "- $NAME: $DESCRIPTION".to_owned(),
            overflow: Some("- and $COUNT more".to_owned()),
            ends: CatalogEnd::BlankLine,
            entries: 64,
            line: 120,
            bytes: 12_000,
        }
    }

    #[test]
    fn entries_are_read_and_the_count_of_the_rest_is_none() {
        let prompt = "Hello.\n\n# On-demand tools\nSearch first.\n- a: one\n- b:\n- and 3 more\n\n- c: not in it";
        let catalog = Catalog::read(prompt, Some(&shape()));
        let names: Vec<_> = catalog.entries.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!((names, catalog.headings), (vec!["a", "b"], 1));
    }

    fn names(shape: &CatalogShape, lines: &[&str]) -> Vec<String> {
        let catalog =
            Catalog::read(&format!("{}\n{}", shape.heading, lines.join("\n")), Some(shape));
        catalog.entries.into_iter().map(|entry| entry.name).collect()
    }

    #[test]
    fn a_count_that_is_written_like_an_entry_is_none() {
        let overflow = Some("- $COUNT more: search for them".to_owned());
        let counted = CatalogShape { overflow, ..shape() };
        let lines = ["3 more", "many more", " more", "3x more"];
        let lines = lines.map(|line| format!("- {line}: search for them"));
        assert_eq!(
            names(&counted, &lines.each_ref().map(String::as_str)),
            ["many more", "more", "3x more"]
        );
        let told = CatalogShape { overflow: Some("- more: search".to_owned()), ..shape() };
        assert_eq!(names(&told, &["- more: search", "- more: look", "- a: one"]), ["more", "a"]);
    }

    #[test]
    fn where_the_profile_has_no_catalog_the_whole_base_prompt_is_outside_of_it() {
        assert_eq!(Catalog::read("# On-demand tools\n- a: one", None).outside.lines().count(), 2);
    }

    #[test]
    fn an_entry_may_be_a_name_alone() {
        let shape = CatalogShape { entry: "- $NAME".to_owned(), overflow: None, ..shape() };
        assert_eq!(names(&shape, &["- a", "- b: two"]), ["a", "b: two"]);
    }

    #[test]
    fn a_description_that_breaks_its_line_makes_a_second_heading() {
        let prompt = "# On-demand tools\n- a: one\u{2028}# On-demand tools\n";
        assert_eq!(Catalog::read(prompt, Some(&shape())).headings, 2);
    }
}
