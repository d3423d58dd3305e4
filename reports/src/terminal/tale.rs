//! A counterexample, told: its story, and beside the step that breaks the clause what the clause
//! asks for and what that request had to show.

use tacit_contract::Breach;
use tacit_contract::event::{Counterexample, StoryLine};
use tacit_contract::timeline::{Point, RequestPoint};

use super::palette::{Palette, Style};
use super::text::{clean, hang, width};
use super::timeline::{self, due};
use super::{Detail, Options};

/// A story with its timeline, and the breach that it ends in.
#[derive(Debug, Clone, Copy)]
pub struct Tale<'a> {
    /// What happened, step by step.
    pub story: &'a [StoryLine],
    /// What each request showed and had to show.
    pub timeline: &'a [Point],
    /// What is wrong.
    pub breach: &'a Breach,
}

impl<'a> From<&'a Counterexample> for Tale<'a> {
    fn from(found: &'a Counterexample) -> Self {
        Self { story: &found.story, timeline: &found.timeline, breach: &found.breach }
    }
}

impl Tale<'_> {
    /// The story as text, each line after `indent`; with all details the whole timeline below.
    #[must_use]
    pub fn render(&self, indent: &str, options: &Options) -> String {
        let teller = Teller { palette: Palette::new(options.colour), width: options.width };
        let mut out = teller.story(self, indent);
        if options.detail == Detail::Verbose {
            out.push_str(&timeline::whole(self.timeline, indent, options.width));
        }
        out
    }

    /// The request that shows the breach, where one does.
    fn request(&self) -> Option<&RequestPoint> {
        self.timeline.iter().find_map(|point| match point {
            Point::Request(request) if request.entry == self.breach.entry => Some(request),
            _ => None,
        })
    }

    /// Whether a line of the story says what the clause asks for.
    pub(super) fn says_what_is_asked(&self) -> bool {
        self.story.iter().any(|line| line.asks.is_some())
    }
}

struct Teller {
    palette: Palette,
    width: usize,
}

impl Teller {
    fn story(&self, tale: &Tale<'_>, indent: &str) -> String {
        let mut out = String::new();
        let places = tale.story.len().to_string().len().max(1);
        let mut marked = false;
        for (place, line) in tale.story.iter().enumerate() {
            let lead = format!("{indent}  {:>places$}  ", place + 1);
            let text = hang(&lead, &clean(&line.text), self.width);
            let Some(wrong) = &line.wrong else {
                out.push_str(&text);
                continue;
            };
            marked = true;
            let below = " ".repeat(width(&lead));
            out.push_str(&self.marked(&text, &clean(wrong), &below));
            if let Some(asks) = &line.asks {
                out.push_str(&hang(&format!("{below}the clause: "), &clean(asks), self.width));
            }
            out.push_str(&self.due(&tale.request().map(due).unwrap_or_default(), &below));
        }
        if !marked {
            let lead = format!("{indent}  ");
            out.push_str(&cross(self.palette, &lead, &clean(&tale.breach.found), self.width));
        }
        out
    }

    /// The parts in one line if they fit, else each in its own.
    fn due(&self, parts: &[String], below: &str) -> String {
        let one = clean(&parts.join(" · "));
        if parts.is_empty() {
            return String::new();
        }
        if width(below) + width(&one) <= self.width {
            return format!("{below}{one}\n");
        }
        parts.iter().map(|part| hang(below, &clean(part), self.width)).collect()
    }

    /// A line of the story and what is wrong with it, beside it or below.
    fn marked(&self, text: &str, wrong: &str, below: &str) -> String {
        const BESIDE: usize = 46;
        let line = text.trim_end();
        let start = width(line).max(BESIDE) + 2;
        if !line.contains('\n') && start + width(wrong) + 2 <= self.width {
            let gap = " ".repeat(start - width(line));
            return format!(
                "{line}{gap}{}\n",
                self.palette.paint(Style::Bad, &format!("✗ {wrong}"))
            );
        }
        format!("{line}\n{}", cross(self.palette, below, wrong, self.width))
    }
}

/// What is wrong, with its mark.
pub(super) fn cross(palette: Palette, lead: &str, wrong: &str, columns: usize) -> String {
    let text = hang(&format!("{lead}✗ "), wrong, columns);
    text.lines().fold(String::new(), |out, line| out + &palette.paint(Style::Bad, line) + "\n")
}
