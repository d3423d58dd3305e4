//! The few colours there are.

use tacit_contract::Verdict;

/// A style of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Good,
    Bad,
    Doubtful,
    Strong,
    Faint,
    Plain,
}

/// Paints, or leaves text as it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Palette {
    on: bool,
}

impl Palette {
    pub(super) fn new(on: bool) -> Self {
        Self { on }
    }

    pub(super) fn paint(self, style: Style, text: &str) -> String {
        let code = match style {
            _ if !self.on || text.is_empty() => return text.to_owned(),
            Style::Plain => return text.to_owned(),
            Style::Good => "32",
            Style::Bad => "1;31",
            Style::Doubtful => "33",
            Style::Strong => "1",
            Style::Faint => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// The style of a verdict.
pub(super) fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Pass => Style::Good,
        Verdict::Fail | Verdict::Error => Style::Bad,
        Verdict::Warn | Verdict::NotExercised | Verdict::ExpectedFailure => Style::Doubtful,
        Verdict::NotApplicable => Style::Faint,
    }
}
