//! The TAP report: the Test Anything Protocol, version 14.

use std::fmt::Write as _;

use tacit_contract::Verdict;
use tacit_contract::clause::clause;
use tacit_contract::event::{ClauseResult, PropertyResult, ScenarioResult};

use crate::baseline::outdated;
use crate::findings::{NO_CASE, is_held_against, story};
use crate::reporter::ReportError;
use crate::run::{Failure, Run};
use crate::tally::word;

/// One test point.
struct Point {
    description: String,
    verdict: Verdict,
    /// Why the verdict is what it is, the first line of what is told.
    reason: String,
    /// What else there is to know of one that did not pass.
    more: String,
}

/// The report of a run as text: a test point for the runtime, one for the end of the run, then one
/// for each scenario, property and clause.
///
/// # Errors
/// A text cannot be put into JSON, which every text can.
pub fn render(run: &Run) -> Result<String, ReportError> {
    let mut points = vec![usable(run), ended(run)];
    points.extend(run.finished.baseline.as_ref().map(|_| up_to_date(run)));
    points.extend(run.scenarios.iter().map(scenario));
    points.extend(run.properties.iter().map(property));
    points.extend(run.clauses.iter().map(|one| judged(run, one)));
    let mut text = format!("TAP version 14\n1..{}\n", points.len());
    for (place, point) in points.iter().enumerate() {
        text.push_str(&point.render(place + 1)?);
    }
    Ok(text)
}

fn usable(run: &Run) -> Point {
    let told: Vec<String> = run.failures.iter().map(Failure::told).collect();
    Point {
        description: "run: the runtime can be used".to_owned(),
        verdict: if told.is_empty() { Verdict::Pass } else { Verdict::Error },
        reason: told.first().and_then(|told| told.lines().next()).unwrap_or_default().to_owned(),
        more: told.join("\n\n"),
    }
}

fn ended(run: &Run) -> Point {
    let interrupted = run.finished.interrupted;
    Point {
        description: "run: the run comes to its end".to_owned(),
        verdict: if interrupted { Verdict::Error } else { Verdict::Pass },
        reason: if interrupted { "the run was interrupted".to_owned() } else { String::new() },
        more: String::new(),
    }
}

fn up_to_date(run: &Run) -> Point {
    let told: Vec<String> = outdated(run).map(|(_, told)| told).collect();
    Point {
        description: "run: the baseline is up to date".to_owned(),
        verdict: if told.is_empty() { Verdict::Pass } else { Verdict::Fail },
        reason: told.first().cloned().unwrap_or_default(),
        more: told.join("\n"),
    }
}

fn scenario(one: &ScenarioResult) -> Point {
    let mut more = one.step.clone().unwrap_or_default();
    for breach in &one.breaches {
        let _ = write!(more, "\n{}: {}", breach.clause, breach.found);
    }
    Point {
        description: format!("scenario {}:{}: {}", one.feature, one.line, one.name),
        verdict: one.verdict,
        reason: one.message.clone().unwrap_or_else(|| without_reason(one.verdict).to_owned()),
        more,
    }
}

fn property(one: &PropertyResult) -> Point {
    let files = one.counterexamples.iter().map(|(clause, path)| format!("{clause}: {path}"));
    Point {
        description: format!("property {}", one.id),
        verdict: one.verdict,
        reason: without_reason(one.verdict).to_owned(),
        more: files.collect::<Vec<_>>().join("\n"),
    }
}

fn judged(run: &Run, one: &ClauseResult) -> Point {
    let sentence = clause(one.id.as_str()).map_or("", |known| known.sentence.as_str());
    // What is held against the run must not look like what was left out on purpose.
    let verdict = if is_held_against(run, one) { Verdict::Fail } else { one.verdict };
    let found = run.counterexample(&one.id);
    let reason = match (&one.reason, found) {
        (Some(reason), _) => reason.clone(),
        (None, Some(found)) => found.breach.found.clone(),
        (None, None) => without_reason(one.verdict).to_owned(),
    };
    Point {
        description: format!("clause {}: {sentence}", one.id),
        verdict,
        reason,
        more: found.map(story).unwrap_or_default(),
    }
}

fn without_reason(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::NotExercised => NO_CASE,
        Verdict::Pass => "",
        _ => word(verdict),
    }
}

impl Point {
    fn render(&self, number: usize) -> Result<String, ReportError> {
        let passes =
            !matches!(self.verdict, Verdict::Fail | Verdict::Error | Verdict::ExpectedFailure);
        let not = if passes { "" } else { "not " };
        let mut text = format!("{not}ok {number} - {}", escaped(&self.description));
        let directive = match self.verdict {
            Verdict::NotExercised | Verdict::NotApplicable => " # SKIP ",
            Verdict::ExpectedFailure => " # TODO ",
            _ => "",
        };
        if !directive.is_empty() {
            let _ = write!(text, "{directive}{}", escaped(&self.reason));
        }
        text.push('\n');
        if matches!(self.verdict, Verdict::Fail | Verdict::Error | Verdict::Warn) {
            text.push_str("  ---\n");
            let _ = writeln!(text, "  severity: {}", word(self.verdict));
            let _ = writeln!(text, "  message: {}", quoted(&self.reason)?);
            if !self.more.trim().is_empty() {
                let _ = writeln!(text, "  details: {}", quoted(self.more.trim())?);
            }
            text.push_str("  ...\n");
        }
        Ok(text)
    }
}

/// A text in one line in which nothing begins a directive.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim_end().chars() {
        match c {
            '\\' | '#' => out.extend(['\\', c]),
            _ if c.is_control() => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

/// A text as YAML: a text of JSON is one in double quotes.
fn quoted(text: &str) -> Result<String, ReportError> {
    serde_json::to_string(text).map_err(|error| ReportError::Format(error.to_string()))
}

/// Whether a text is what the protocol says of a stream: a version, a plan, and as many points, in
/// their order, each with a block of YAML or without.
#[cfg(test)]
pub(crate) fn keeps_to_the_protocol(text: &str) -> bool {
    let mut lines = text.lines();
    let begins = lines.next() == Some("TAP version 14");
    let planned = lines.next().and_then(|line| line.strip_prefix("1..")?.parse().ok());
    let (mut seen, mut inside, mut sound) = (0, false, true);
    for line in lines {
        match line {
            "  ---" => inside = true,
            "  ..." => inside = false,
            _ if inside => {
                let field = line.strip_prefix("  ").and_then(|line| line.split_once(": "));
                sound &= field.is_some_and(|(key, value)| match key {
                    "severity" => value.chars().all(|c| c.is_ascii_alphabetic() || c == ' '),
                    "message" | "details" => serde_json::from_str::<String>(value).is_ok(),
                    _ => false,
                });
            }
            _ => {
                seen += 1;
                let point = line.strip_prefix("not ").unwrap_or(line);
                sound &= point.starts_with(&format!("ok {seen} - "));
            }
        }
    }
    begins && planned == Some(seen) && sound && !inside
}

#[cfg(test)]
mod tests {
    use tacit_contract::Event;

    use super::*;
    use crate::samples;

    fn rendered(events: &[Event]) -> String {
        render(&Run::of(events).unwrap()).unwrap()
    }

    fn lines_of<'a>(text: &'a str, what: &str) -> Vec<&'a str> {
        let lines = text.lines().skip_while(|line| !line.contains(what));
        let mut block = lines.enumerate();
        let first = block.next().map(|(_, line)| line);
        first
            .into_iter()
            .chain(block.map_while(|(_, line)| line.starts_with(' ').then_some(line)))
            .collect()
    }

    #[test]
    fn every_report_keeps_to_the_protocol() {
        assert!(samples::all().iter().all(|events| keeps_to_the_protocol(&rendered(events))));
        let text = rendered(&samples::failing());
        assert!(!keeps_to_the_protocol(&text.replacen("ok 2 -", "ok 3 -", 1)));
        assert!(!keeps_to_the_protocol(&text.replacen("  ...\n", "", 1)));
    }

    #[test]
    fn a_broken_clause_is_not_ok_and_tells_its_story() {
        let text = rendered(&samples::failing());
        insta::assert_snapshot!(lines_of(&text, "clause restore.use-evidence").join("\n"));
    }

    #[test]
    fn what_is_expected_to_fail_is_to_do_and_a_warning_is_ok() {
        let text = rendered(&samples::failing());
        let expected = lines_of(&text, "clause restore.ignores-failed")[0];
        assert!(
            expected.starts_with("not ok ") && expected.contains(" # TODO expected by"),
            "{expected}"
        );
        let warned = lines_of(&text, "clause search.decorated");
        assert!(warned[0].starts_with("ok "), "{warned:?}");
        assert_eq!(warned[2], "  severity: warn");
    }

    #[test]
    fn a_clause_without_a_case_is_not_ok_unless_the_run_was_narrowed() {
        let mut events = samples::unexercised();
        let text = rendered(&events);
        assert!(lines_of(&text, "clause provider.retry")[0].starts_with("not ok "), "{text}");
        let Some(Event::RunFinished(finished)) = events.last_mut() else { panic!("a run ends") };
        finished.narrowed = true;
        let text = rendered(&events);
        let line = lines_of(&text, "clause provider.retry")[0];
        assert!(
            line.starts_with("ok ") && line.ends_with("# SKIP no case reached its premise"),
            "{line}"
        );
    }

    #[test]
    fn a_runtime_that_did_not_start_is_not_ok() {
        let text = rendered(&samples::not_started());
        assert!(text.contains("\nnot ok 1 - run: the runtime can be used\n"), "{text}");
    }

    #[test]
    fn a_baseline_that_is_out_of_date_is_not_ok() {
        let text = rendered(&samples::outdated());
        let lines = lines_of(&text, "run: the baseline is up to date");
        assert!(lines[0].starts_with("not ok 3 "), "{lines:?}");
        assert!(lines[4].contains("search.exact: expired"), "{lines:?}");
    }

    #[test]
    fn nothing_in_a_title_is_a_directive_or_another_line() {
        assert_eq!(escaped("a # SKIP \\ b\nok 9"), "a \\# SKIP \\\\ b ok 9");
    }
}
