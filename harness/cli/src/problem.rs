//! What went wrong, as the user reads it: one sentence, its place, and what to do.

use std::fmt;
use std::ops::Range;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode,
};
use tacit_suite::Exit;

use crate::page::{self, clean, hang};

/// Something that ends a command before its work is done.
#[derive(Debug)]
pub struct Problem {
    exit: Exit,
    message: String,
    help: Option<String>,
    place: Option<Box<Place>>,
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

    /// The same of an error that is read after "failed to".
    pub fn failed_to(error: &impl fmt::Display) -> Self {
        Self::usage(format!("failed to {error}"))
    }

    /// A problem with an exit code of its own.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), help: None, place: None }
    }

    /// Says of which of several runtimes it is, unless it does already.
    #[must_use]
    pub fn of_runtime(mut self, spec: &str) -> Self {
        if !self.message.contains(spec) {
            self.message = format!("runtime `{spec}`: {}", self.message);
        }
        self
    }

    /// Says which file it is about.
    #[must_use]
    pub fn of(mut self, file: &str) -> Self {
        self.message = format!("{file}: {}", self.message);
        self
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
        self.place = Some(Box::new(Place { source, span, label }));
        self
    }

    /// How the process ends.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// The problem as text, 80 columns wide.
    pub fn render(&self, colour: bool) -> String {
        let mut text = paragraphs("error: ", &self.message);
        if colour {
            text = text.replacen("error:", "\u{1b}[1;31merror:\u{1b}[0m", 1);
        }
        if let Some(place) = &self.place {
            text.push_str(&place.render(colour));
        }
        if let Some(help) = &self.help {
            text.push_str(&paragraphs("help: ", help));
        }
        text
    }
}

/// Each line of a text under its lead; what comes from outside cannot steer the terminal.
fn paragraphs(lead: &str, text: &str) -> String {
    let blanks = " ".repeat(lead.len());
    let lines = text.lines().enumerate();
    lines.map(|(place, line)| hang(if place == 0 { lead } else { &blanks }, &clean(line))).collect()
}

/// The longest line of a file that is shown.
const LONGEST: usize = 200;

impl Place {
    /// The lines around the place, and where in the file it is.
    fn surroundings(&self) -> (impl Iterator<Item = &str>, usize, usize) {
        let text = self.source.inner();
        let before = text.get(..self.span.start).unwrap_or_default();
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        (text.lines().skip(line.saturating_sub(1)).take(3), line + 1, column + 1)
    }

    fn render(&self, colour: bool) -> String {
        let (mut lines, line, column) = self.surroundings();
        if lines.any(|line| line.len() > LONGEST) {
            let name = self.source.name();
            return paragraphs("  at ", &format!("{name}:{line}:{column}: {}", self.label));
        }
        let theme =
            if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let handler = GraphicalReportHandler::new_themed(theme)
            .with_width(page::WIDTH)
            .with_links(false)
            .with_context_lines(1);
        let mut text = String::new();
        // Without the picture the problem is still told.
        let _ = handler.render_report(&mut text, self);
        let picture = text.lines().skip_while(|line| !line.contains("╭─"));
        let mut out = String::new();
        for line in picture.filter(|line| !line.trim().is_empty()) {
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
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

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label)
    }
}

impl std::error::Error for Place {}

impl Diagnostic for Place {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = LabeledSpan::new_with_span(Some(self.label.clone()), self.span.clone());
        Some(Box::new(std::iter::once(label)))
    }
}
