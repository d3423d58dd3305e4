//! What changed from one run to another, as a person reads it: what got worse first.

use tacit_contract::Verdict;
use tacit_contract::clause::clause;

use super::Options;
use super::palette::{Palette, Style};
use super::text::{clean, hang};
use crate::diff::{Change, CheckChange, ClauseChange, Diff, Side};
use crate::tally::word;

const INDENT: &str = "      ";

/// What changed, as text; the last line counts the changes, and begins with `worse:`, `changed:`
/// or `no difference`.
#[must_use]
pub fn render(diff: &Diff, options: &Options) -> String {
    let page = Page { diff, palette: Palette::new(options.colour), width: options.width };
    let mut text = page.side("old", &diff.old);
    text.push_str(&page.side("new", &diff.new));
    for kind in Change::ALL {
        text.push_str(&page.kind(kind));
    }
    text.push_str(&page.checks("scenarios", &diff.scenarios));
    text.push_str(&page.checks("properties", &diff.properties));
    text.push('\n');
    text.push_str(&page.last());
    text.push('\n');
    text
}

struct Page<'a> {
    diff: &'a Diff,
    palette: Palette,
    width: usize,
}

impl Page<'_> {
    fn side(&self, which: &str, side: &Side) -> String {
        let parts = [
            format!("{} {}", side.name, side.version).trim().to_owned(),
            format!("asked for as {}", side.spec),
            format!("profile {} ({})", side.profile, side.revision),
            format!("seed {}", side.seed),
            side.started_at.clone(),
            side.outcome.clone(),
        ];
        hang(&format!("{which}  "), &clean(&parts.join(" · ")), self.width)
    }

    /// All changes of one kind: in full what got worse or was mended, by name the rest.
    fn kind(&self, kind: Change) -> String {
        let changes: Vec<&ClauseChange> = self.diff.of_kind(kind).collect();
        if changes.is_empty() {
            return String::new();
        }
        let style = match kind {
            _ if changes.iter().any(|change| change.worse) => Style::Bad,
            Change::NewFailure | Change::NowExpected | Change::NoLongerExercised => Style::Doubtful,
            Change::Fixed => Style::Good,
            _ => Style::Strong,
        };
        let mut text = format!("\n{}\n", self.palette.paint(style, kind.as_str()));
        for change in changes {
            text.push_str(&self.clause(change));
        }
        text
    }

    fn clause(&self, change: &ClauseChange) -> String {
        let id = clean(change.id.as_str());
        let verdict = |verdict: Option<Verdict>| verdict.map_or("not there", word);
        let mut text = match change.change {
            Change::ChangedReading => {
                let reading = |one: &Option<String>| clean(one.as_deref().unwrap_or("none"));
                let both = format!("{} → {}", reading(&change.read), reading(&change.reads));
                return hang(&format!("  {id}  "), &both, self.width);
            }
            Change::NewFailure | Change::NowExpected | Change::Fixed => {
                let sentence = clause(&id).map(|clause| clause.sentence.as_str());
                hang(&format!("  {id}  "), sentence.unwrap_or_default(), self.width)
            }
            _ => format!("  {id}  {} → {}\n", verdict(change.was), verdict(change.is)),
        };
        if let Some(reason) = &change.reason {
            text.push_str(&hang(INDENT, &clean(reason), self.width));
        }
        for path in &change.counterexamples {
            text.push_str(&hang(INDENT, &clean(path), self.width));
        }
        if change.change == Change::Fixed && self.diff.old.seed != self.diff.new.seed {
            let doubt = "or not met: the seeds differ, and `tacit replay` tells";
            text.push_str(&self.palette.paint(Style::Faint, &hang(INDENT, doubt, self.width)));
        }
        text
    }

    /// The checks that came out otherwise, and how many are new or gone.
    fn checks(&self, what: &str, changes: &[CheckChange]) -> String {
        if changes.is_empty() {
            return String::new();
        }
        let mut text = format!("\n{}\n", self.palette.paint(Style::Strong, what));
        let (mut new, mut gone) = (0, 0);
        for change in changes {
            match (change.was, change.is) {
                (Some(was), Some(is)) => {
                    let line = format!("{}: {} → {}", clean(&change.name), word(was), word(is));
                    text.push_str(&hang("  ", &line, self.width));
                }
                (None, _) => new += 1,
                (Some(_), None) => gone += 1,
            }
        }
        for (count, how) in [(new, "in the new run alone"), (gone, "in the old run alone")] {
            if count > 0 {
                text.push_str(&hang("  ", &format!("{count} {how}"), self.width));
            }
        }
        text
    }

    fn last(&self) -> String {
        let (lead, counts) = self.diff.in_words();
        let lead = match (self.diff.worse, counts.is_empty()) {
            (true, _) => self.palette.paint(Style::Bad, lead),
            (false, true) => lead.to_owned(),
            (false, false) => self.palette.paint(Style::Strong, lead),
        };
        format!("{lead} {counts}").trim_end().to_owned()
    }
}
