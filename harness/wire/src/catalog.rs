//! The base prompt, the catalog aside.

use tacit_contract::profile::{CatalogEnd, CatalogShape};

/// A base prompt without its catalog, and without the blank lines that a catalog leaves behind.
///
/// Two requests have the same base prompt, the catalog aside, when these texts are equal.
#[must_use]
pub fn without_catalog(base_prompt: &str, catalog: Option<&CatalogShape>) -> String {
    let mut left = Vec::new();
    let mut lines = base_prompt.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(shape) = catalog.filter(|shape| line.trim() == shape.heading.trim()) else {
            if !line.trim().is_empty() {
                left.push(line.trim_end());
            }
            continue;
        };
        skip(&mut lines, shape);
    }
    left.join("\n")
}

fn skip<'a>(lines: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>, shape: &CatalogShape) {
    let entry = shape.entry.split('$').next().unwrap_or_default();
    let mut blank = false;
    let mut entries = 0_usize;
    while let Some(line) = lines.peek() {
        let is_entry = !entry.is_empty() && line.starts_with(entry);
        let over = match shape.ends {
            // The blank line that sets the heading or an instruction apart from the entries
            // does not end the catalog; one after which no entry follows does.
            CatalogEnd::BlankLine => {
                blank
                    && (line.starts_with('#')
                        || entries > 0 && !line.trim().is_empty() && !is_entry)
            }
            CatalogEnd::NextHeading => line.starts_with('#'),
            CatalogEnd::EndOfPrompt => false,
        };
        if over {
            return;
        }
        blank = line.trim().is_empty();
        entries += usize::from(is_entry);
        lines.next();
    }
}
