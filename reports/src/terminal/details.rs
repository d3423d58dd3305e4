//! Every scenario, property and clause, for those who ask.

use tacit_contract::Verdict;
use tacit_contract::protocol::Api;

use super::Page;
use super::palette::{Style, style};
use super::text::{clean, hang, width};
use crate::tally::word;
use crate::time;

/// As wide as the longest verdict.
const VERDICT: usize = 16;

impl Page<'_> {
    /// The lists of scenarios, properties, clauses and the distribution of the sessions.
    pub(super) fn details(&self) -> String {
        let mut out = String::new();
        self.list(&mut out, "scenarios", self.scenario_lines());
        self.list(&mut out, "properties", self.property_lines());
        self.list(&mut out, "clauses", self.clause_lines());
        let coverage: Vec<_> = self
            .run
            .finished
            .coverage
            .iter()
            .map(|(label, share)| format!("  {:>5.1} %  {}\n", share * 100.0, clean(label)))
            .collect();
        self.list(&mut out, "generated sessions", coverage);
        out
    }

    fn list(&self, out: &mut String, title: &str, lines: Vec<String>) {
        if !lines.is_empty() {
            out.push_str(&self.palette.paint(Style::Strong, title));
            out.push('\n');
            out.extend(lines);
            out.push('\n');
        }
    }

    fn scenario_lines(&self) -> Vec<String> {
        let line = |one: &tacit_contract::event::ScenarioResult| {
            let time = time::duration(one.duration_ms);
            let place = format!("{}:{}", clean(&one.feature), one.line);
            self.line(one.verdict, &format!("{} · {place} · {time}", clean(&one.name)))
        };
        self.run.scenarios.iter().map(line).collect()
    }

    fn property_lines(&self) -> Vec<String> {
        let line = |one: &tacit_contract::event::PropertyResult| {
            let cases = time::counted(u64::from(one.cases), "case");
            let time = time::duration(one.duration_ms);
            let sentence = clean(&one.sentence);
            let text = format!("{} · {cases} · {time} · {sentence}", clean(one.id.as_str()));
            self.line(one.verdict, text.trim_end_matches(" · "))
        };
        self.run.properties.iter().map(line).collect()
    }

    fn clause_lines(&self) -> Vec<String> {
        let line = |one: &tacit_contract::event::ClauseResult| {
            let mut text = clean(one.id.as_str());
            if one.exercised > 0 {
                text = format!("{text} · {}", time::counted(one.exercised, "time"));
            }
            if !one.exercised_over.is_empty() {
                let count = |(api, count): (&Api, &u64)| format!("{} {count}", api.as_str());
                let over: Vec<_> = one.exercised_over.iter().map(count).collect();
                text = format!("{text} ({})", over.join(", "));
            }
            for more in [&one.reason, &one.reading].into_iter().flatten() {
                text = format!("{text} · {}", clean(more));
            }
            self.line(one.verdict, &text)
        };
        self.run.clauses.iter().map(line).collect()
    }

    fn line(&self, verdict: Verdict, text: &str) -> String {
        let word = word(verdict);
        let lead = format!("  {word}{}  ", " ".repeat(VERDICT - width(word)));
        let lines = hang(&lead, text, self.width);
        lines.replacen(word, &self.palette.paint(style(verdict), word), 1)
    }
}
