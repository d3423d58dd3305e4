//! What went wrong, each cause once and first, and after it what follows from it.

use maud::{Markup, html};
use tacit_contract::Verdict;
use tacit_contract::event::ScenarioResult;

use super::page::Page;
use super::text::{Said, badge, sentence};
use crate::baseline::outdated;
use crate::causes::{Cause, causes};
use crate::findings::{Place, unexplained};
use crate::run::Failure;
use crate::time;

impl Page<'_> {
    /// The causes; nothing where all is well.
    pub(super) fn causes(&self) -> Option<Markup> {
        let mut all: Vec<Markup> = Vec::new();
        let errors = self.run.with_verdict(Verdict::Error);
        all.extend(self.run.failures.iter().map(|failure| failed(failure, errors.len())));
        // What the runtime's own failure brought about is told with it.
        let errors = if all.is_empty() { errors } else { Vec::new() };
        let told = [
            (Verdict::Error, errors),
            (Verdict::Fail, self.run.with_verdict(Verdict::Fail)),
            (Verdict::Warn, self.run.with_verdict(Verdict::Warn)),
        ];
        for (verdict, clauses) in told {
            if verdict == Verdict::Warn {
                all.extend(unexplained(self.run).map(|one| self.unexplained(one)));
                all.extend(outdated(self.run).map(|(place, told)| over(place, &told)));
            }
            all.extend(causes(self.run, &clauses).iter().map(|cause| self.cause(verdict, cause)));
        }
        (!all.is_empty()).then(|| html! { div.causes { @for cause in all { (cause) } } })
    }

    fn cause(&self, verdict: Verdict, cause: &Cause<'_>) -> Markup {
        let first = cause.clauses[0];
        let wrong = cause.found.map(|found| found.breach.found.as_str());
        let wrong = wrong.or(first.reason.as_deref());
        html! {
            article.cause {
                h3 {
                    (badge(verdict))
                    @for clause in &cause.clauses { " " (self.clause_link(&clause.id)) }
                }
                @if cause.clauses.len() == 1 { p.sentence { (sentence(&first.id)) } }
                @if let Some(wrong) = wrong {
                    p.wrong { span aria-hidden="true" { "✗ " } (Said(wrong)) }
                }
                @if let Some(found) = cause.found {
                    p { (self.counterexample_link(found)) }
                }
                @if !cause.consequences.is_empty() {
                    p.consequences {
                        "The same breaks " (time::grouped(cause.consequences.len() as u64)) " more:"
                        @for clause in &cause.consequences { " " (self.clause_link(&clause.id)) }
                    }
                }
            }
        }
    }

    fn unexplained(&self, scenario: &ScenarioResult) -> Markup {
        html! {
            article.cause {
                h3 {
                    (badge(scenario.verdict)) " "
                    (self.scenario_link(scenario))
                }
                @if let Some(message) = &scenario.message {
                    p.wrong { span aria-hidden="true" { "✗ " } (Said(message)) }
                }
            }
        }
    }
}

/// An entry of the baseline that is over.
fn over(place: Place<'_>, told: &str) -> Markup {
    html! {
        article.cause {
            h3 { "Baseline " (Said(place.file)) ", line " (place.line) }
            p.wrong { span aria-hidden="true" { "✗ " } (Said(told)) }
        }
    }
}

/// How the runtime failed, with the end of its log.
fn failed(failure: &Failure, unjudged: usize) -> Markup {
    const LINES: usize = 20;
    let (what, log) = failure.cause.cause_and_log();
    let lines: Vec<_> = log.trim_end().lines().collect();
    html! {
        article.cause {
            h3 { (badge(Verdict::Error)) " " (Said(what)) }
            p {
                // One that did not even start has no case to fail in.
                @if failure.cases > 0 {
                    "In " (time::counted(u64::from(failure.cases), "case")) ". "
                }
                @if unjudged > 0 {
                    (time::counted(unjudged as u64, "clause")) " could not be judged."
                }
            }
            @if !log.trim().is_empty() {
                p { "Its log ends:" }
                pre tabindex="0" role="region" aria-label="The end of the log" {
                    @for line in &lines[lines.len().saturating_sub(LINES)..] {
                        (Said(line.trim_end())) "\n"
                    }
                }
            }
        }
    }
}
