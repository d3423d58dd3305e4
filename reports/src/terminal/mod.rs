//! The end of a run, as a person reads it.
//!
//! The cause comes first, the consequence after it; what matters stands last, where it does not
//! scroll away.

mod blocks;
mod closing;
mod details;
pub mod diff;
mod families;
pub mod matrix;
mod palette;
mod tale;
pub(crate) mod text;
pub(crate) mod timeline;

#[cfg(test)]
mod tests;

use std::io::Write;
use std::str::FromStr;

use crate::at_end::AtEnd;
use crate::reporter::{ReportError, Reporter};
use crate::run::Run;

use palette::Palette;
pub use tale::Tale;
pub(crate) use text::clean;

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colour {
    /// Where a person is likely to look at it.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Colour {
    /// Whether to use colours, on a terminal or not, for someone who asked for none (`NO_COLOR`)
    /// or not.
    #[must_use]
    pub fn is_on(self, terminal: bool, asked_for_none: bool) -> bool {
        match self {
            Self::Auto => terminal && !asked_for_none,
            Self::Always => true,
            Self::Never => false,
        }
    }
}

impl FromStr for Colour {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            "always" => Ok(Self::Always),
            "never" => Ok(Self::Never),
            _ => Err(format!("`{text}` is not a choice: expected auto, always or never")),
        }
    }
}

/// How much is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Detail {
    /// What failed, and the last line.
    Quiet,
    /// The clauses by family, what failed, and the last line.
    #[default]
    Normal,
    /// Every scenario, property and clause as well.
    Verbose,
}

/// How the end of a run is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether with colours.
    pub colour: bool,
    /// How much.
    pub detail: Detail,
    /// How wide, in characters.
    pub width: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { colour: false, detail: Detail::Normal, width: 80 }
    }
}

/// Prints the end of a run, when it is over.
pub fn reporter(out: impl Write + 'static, options: Options) -> impl Reporter {
    AtEnd::new(out, move |run| Ok(render(run, &options)), ReportError::Output)
}

/// The end of a run as text.
#[must_use]
pub fn render(run: &Run, options: &Options) -> String {
    let page = Page {
        run,
        palette: Palette::new(options.colour),
        width: options.width,
        options: *options,
    };
    let mut text = String::new();
    if options.detail != Detail::Quiet {
        text.push_str(&page.header());
        text.push('\n');
        if options.detail == Detail::Verbose {
            text.push_str(&page.details());
        }
        text.push_str(&page.families());
        text.push_str(&page.extents());
    }
    for block in page.blocks(options.detail) {
        text.push_str(&block);
        text.push('\n');
    }
    text.push_str(&page.closing());
    text.push('\n');
    text
}

/// What did not pass, each cause once, causes first, as plain text in blocks of 80 columns.
pub(crate) fn blocks(run: &Run) -> Vec<String> {
    let options = Options::default();
    let palette = Palette::new(options.colour);
    Page { run, palette, width: options.width, options }.blocks(options.detail)
}

/// What all parts of the output need.
struct Page<'a> {
    run: &'a Run,
    palette: Palette,
    width: usize,
    options: Options,
}
