//! What went wrong, as the user reads it: one sentence, its place, and what to do.

use std::fmt;
use std::ops::Range;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode,
};
use tacit_suite::Exit;

/// Something that ends a command before its work is done.
#[derive(Debug)]
pub struct Problem {
    exit: Exit,
    message: String,
    help: Option<String>,
    place: Option<Place>,
}

#[derive(Debug)]
struct Place {
    source: NamedSource<String>,
    span: Range<usize>,
    label: String,
}

impl Problem {
    /// The command line, the configuration or a file that was named cannot be used.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// A problem with an exit code of its own.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), help: None, place: None }
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Shows where in a file it is.
    #[must_use]
    pub fn at(mut self, file: &str, text: &str, span: Range<usize>, label: String) -> Self {
        let span = on_characters(text, span);
        let source = NamedSource::new(file, text.to_owned());
        self.place = Some(Place { source, span, label });
        self
    }

    /// How the process ends.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// The problem as text, 80 columns wide.
    pub fn render(&self, colour: bool) -> String {
        let mut theme =
            if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        theme.characters.error = "error:".to_owned();
        let handler = GraphicalReportHandler::new_themed(theme)
            .with_width(80)
            .with_links(false)
            .with_context_lines(0);
        let mut text = String::new();
        match handler.render_report(&mut text, self) {
            Ok(()) => dedented(&text),
            Err(fmt::Error) => format!("error: {}\n", self.message),
        }
    }
}

/// The library indents everything by two blanks, source lines by one.
fn dedented(text: &str) -> String {
    let mut out = String::new();
    for line in text.trim_matches('\n').lines() {
        let blanks = line.len() - line.trim_start_matches(' ').len();
        out.push_str(&line[blanks.min(2)..]);
        out.push('\n');
    }
    out
}

/// A span that begins and ends between characters and inside the text, whatever was asked for.
fn on_characters(text: &str, span: Range<usize>) -> Range<usize> {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(span.start);
    start..floor(span.end).max(start)
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

impl Diagnostic for Problem {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.place.as_ref().map(|place| &place.source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let place = self.place.as_ref()?;
        let label = LabeledSpan::new_with_span(Some(place.label.clone()), place.span.clone());
        Some(Box::new(std::iter::once(label)))
    }
}
