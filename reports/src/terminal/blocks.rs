//! What did not pass, each cause once, with the smallest session that shows it.

use std::fmt::Write as _;

use tacit_contract::baseline::Entry;
use tacit_contract::clause::clause;
use tacit_contract::event::{Counterexample, ScenarioResult};
use tacit_contract::{ClauseId, Level, Verdict};

use super::palette::Style;
use super::tale::{Tale, cross};
use super::text::{clean, hang, joined, width};
use super::{Detail, Page};
use crate::baseline;
use crate::causes::{Cause, causes};
use crate::findings::unexplained;
use crate::run::Failure;
use crate::time;

const INDENT: &str = "      ";

impl Page<'_> {
    /// The blocks, causes first.
    pub(super) fn blocks(&self, detail: Detail) -> Vec<String> {
        let mut blocks = Vec::new();
        let errors = self.run.with_verdict(Verdict::Error);
        for failure in &self.run.failures {
            blocks.push(self.failure(failure, errors.len()));
        }
        if self.run.failures.is_empty() {
            for cause in causes(self.run, &errors) {
                blocks.push(self.broken("ERROR", Style::Bad, &cause));
            }
        }
        for cause in causes(self.run, &self.run.with_verdict(Verdict::Fail)) {
            blocks.push(self.broken("FAIL", Style::Bad, &cause));
        }
        blocks.extend(unexplained(self.run).map(|one| self.unexplained(one)));
        if detail == Detail::Quiet {
            blocks.extend(self.baseline(detail));
            return blocks;
        }
        for cause in causes(self.run, &self.run.with_verdict(Verdict::Warn)) {
            blocks.push(self.broken("WARN", Style::Doubtful, &cause));
        }
        for cause in causes(self.run, &self.run.with_verdict(Verdict::ExpectedFailure)) {
            blocks.push(self.expected(&cause));
        }
        blocks.extend(self.baseline(detail));
        blocks.extend(self.unexercised());
        blocks
    }

    fn failure(&self, failure: &Failure, unjudged: usize) -> String {
        let (what, log) = failure.cause.cause_and_log();
        let mut out = self.title("ERROR", Style::Bad, "", &clean(&what));
        let mut facts = Vec::new();
        // One that did not even start has no case to fail in.
        if failure.cases > 0 {
            facts.push(format!("in {}", time::counted(u64::from(failure.cases), "case")));
        }
        if unjudged > 0 {
            let clauses = time::counted(unjudged as u64, "clause");
            facts.push(format!("{clauses} could not be judged"));
        }
        if !facts.is_empty() {
            out.push_str(&joined(INDENT, &facts, self.width));
        }
        if !log.trim().is_empty() {
            const LINES: usize = 8;
            let _ = writeln!(out, "{INDENT}its log ends:");
            let lines: Vec<_> = log.trim_end().lines().collect();
            for line in &lines[lines.len().saturating_sub(LINES)..] {
                let line = clean(line);
                let text = format!("{INDENT}  {}", line.trim_end());
                out.push_str(&self.palette.paint(Style::Faint, text.trim_end()));
                out.push('\n');
            }
        }
        out
    }

    fn broken(&self, label: &str, style: Style, cause: &Cause<'_>) -> String {
        let mut out = self.titles(label, style, cause);
        match cause.found {
            Some(found) => out.push_str(&self.counterexample(found)),
            None => out.push_str(&self.scenarios_of(cause)),
        }
        out.push_str(&self.consequences(cause));
        let mut last: Vec<String> = Vec::new();
        for result in &cause.clauses {
            let citation = clause(result.id.as_str()).map(tacit_contract::Clause::citation);
            last.extend(citation.filter(|citation| !last.contains(citation)));
        }
        last.push(format!("tacit explain {}", cause.clauses[0].id));
        out.push_str(&joined(INDENT, &last, self.width));
        out
    }

    fn counterexample(&self, found: &Counterexample) -> String {
        let steps = time::counted(u64::from(found.steps), "step");
        let head = if found.is_flaky() {
            format!(
                "flaky: failed again in {} of 3 repetitions ({steps}, not shrunk)",
                found.reproduced
            )
        } else {
            format!("smallest session ({steps}), reproduced {}/3", found.reproduced)
        };
        let mut out = joined(INDENT, &[head, clean(&found.feature)], self.width);
        out.push_str(&Tale::from(found).render(INDENT, &self.options));
        out
    }

    /// What else is broken by the same, a line for each.
    fn consequences(&self, cause: &Cause<'_>) -> String {
        let mut out = String::new();
        if cause.consequences.is_empty() {
            return out;
        }
        let count = time::counted(cause.consequences.len() as u64, "clause");
        let _ = writeln!(out, "{INDENT}the same breaks {count} more:");
        let ids = cause.consequences.iter().map(|result| width(result.id.as_str()));
        let column = ids.max().unwrap_or_default();
        for result in &cause.consequences {
            let lead = format!("{INDENT}  {:column$}  ", result.id.as_str());
            let found = result.reason.as_deref().unwrap_or_default();
            let found = found.split("; shown: ").next().unwrap_or_default();
            out.push_str(&hang(&lead, &clean(found), self.width));
        }
        out
    }

    fn cross(&self, lead: &str, wrong: &str) -> String {
        cross(self.palette, lead, wrong, self.width)
    }

    /// Where there is no smallest session: the reason, and the scenarios that broke.
    fn scenarios_of(&self, cause: &Cause<'_>) -> String {
        let mut out = String::new();
        if let Some(reason) = &cause.clauses[0].reason {
            out.push_str(&self.cross(&format!("{INDENT}  "), &clean(reason)));
        }
        let ids: Vec<_> = cause.clauses.iter().map(|clause| &clause.id).collect();
        for scenario in &self.run.scenarios {
            let Some(breach) = scenario.breaches.iter().find(|one| ids.contains(&&one.clause))
            else {
                continue;
            };
            out.push_str(&self.scenario(scenario));
            out.push_str(&self.cross(&format!("{INDENT}  "), &clean(&breach.found)));
        }
        out
    }

    fn scenario(&self, scenario: &ScenarioResult) -> String {
        let place = format!("{}:{}", clean(&scenario.feature), scenario.line);
        joined(INDENT, &[clean(&scenario.name), place], self.width)
    }

    /// A scenario that did not pass, though no clause above says why.
    fn unexplained(&self, scenario: &ScenarioResult) -> String {
        let label = if scenario.verdict == Verdict::Error { "ERROR" } else { "FAIL" };
        let mut out =
            self.title(label, Style::Bad, "", &format!("scenario: {}", clean(&scenario.name)));
        let _ = writeln!(out, "{INDENT}{}:{}", clean(&scenario.feature), scenario.line);
        if let Some(step) = &scenario.step {
            out.push_str(&hang(&format!("{INDENT}  "), &clean(step), self.width));
        }
        if let Some(message) = &scenario.message {
            out.push_str(&self.cross(&format!("{INDENT}  "), &clean(message)));
        }
        out
    }

    fn expected(&self, cause: &Cause<'_>) -> String {
        let mut out = self.titles("EXPECTED", Style::Doubtful, cause);
        if let Some(reason) = &cause.clauses[0].reason {
            out.push_str(&hang(INDENT, &clean(reason), self.width));
        }
        out
    }

    /// What the entries of the baseline came to, and what there is to do about them.
    fn baseline(&self, detail: Detail) -> Option<String> {
        let baseline = self.run.finished.baseline.as_ref()?;
        let fails = baseline.outdated().next().is_some();
        if !fails && detail == Detail::Quiet {
            return None;
        }
        let style = if fails { Style::Bad } else { Style::Doubtful };
        let what = format!("{}: {}", clean(&baseline.file), baseline::counts(baseline));
        let mut out = self.title("BASELINE", style, "", &what);
        let noted = |entry: &&Entry| {
            entry.note.is_some() && (entry.standing.fails() || detail != Detail::Quiet)
        };
        for entry in baseline.entries.iter().filter(noted) {
            let told = format!("line {}, {}", entry.expectation.line, baseline::told(entry));
            out.push_str(&hang(INDENT, &clean(&told), self.width));
        }
        Some(out)
    }

    /// The `must` clauses without a single case, by name.
    fn unexercised(&self) -> Option<String> {
        let all = self.run.with_verdict(Verdict::NotExercised);
        let ids: Vec<_> = all
            .iter()
            .filter(|clause| clause.level == Level::Must)
            .map(|clause| clause.id.as_str())
            .collect();
        if ids.is_empty() {
            return None;
        }
        let mut out = self.palette.paint(Style::Doubtful, "NOT EXERCISED");
        let count = time::counted(ids.len() as u64, "must clause");
        let finished = &self.run.finished;
        if finished.prompts > 0 && finished.requests == 0 {
            // One cause, and no need to name all that it leaves open.
            let _ = writeln!(out, "  {count}: the runtime never asked its provider");
            let why = "every session is opened with a provider of the harness: its address is to \
                       be used for each request";
            out.push_str(&hang(INDENT, why, self.width));
            return Some(out);
        }
        let _ = writeln!(out, "  {count}: no case reached the premise");
        out.push_str(&hang(INDENT, &ids.join(", "), self.width));
        Some(out)
    }

    /// The clause and its sentence; of several clauses, their names.
    fn titles(&self, label: &str, style: Style, cause: &Cause<'_>) -> String {
        if let [one] = cause.clauses[..] {
            // Where the story says beside the step what the clause asks for, once is enough.
            if cause.found.is_some_and(|found| Tale::from(found).says_what_is_asked()) {
                return self.title(label, style, one.id.as_str(), "");
            }
            return self.title(label, style, one.id.as_str(), sentence(&one.id));
        }
        let ids: Vec<_> = cause.clauses.iter().map(|clause| clause.id.as_str()).collect();
        self.title(label, style, "", &ids.join(", "))
    }

    /// `LABEL  id   sentence`, the sentence below where the line is too short for it.
    fn title(&self, label: &str, style: Style, id: &str, text: &str) -> String {
        let column = width(label).max(4);
        let label =
            format!("{}{}", self.palette.paint(style, label), " ".repeat(column - width(label)));
        let head = width(id) + column + 2;
        let id_shown = self.palette.paint(Style::Strong, id);
        if id.is_empty() {
            let text = hang(&" ".repeat(column + 2), text, self.width);
            // Of an empty text only the end of the line is left.
            return format!("{label}{}", text.get(column..).unwrap_or("\n"));
        }
        if text.is_empty() {
            return format!("{label}  {id_shown}\n");
        }
        if head + 3 + width(text) <= self.width {
            return format!("{label}  {id_shown}   {text}\n");
        }
        format!("{label}  {id_shown}\n{}", hang(INDENT, text, self.width))
    }
}

fn sentence(id: &ClauseId) -> &'static str {
    clause(id.as_str()).map_or("", |clause| clause.sentence.as_str())
}
