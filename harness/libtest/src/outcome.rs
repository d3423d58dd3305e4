//! What came of the suite, clause by clause.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use libtest_mimic::{Completion, Failed};
use tacit_contract::clause::clause;
use tacit_contract::event::ClauseResult;
use tacit_contract::{ClauseId, Event, Verdict};
use tacit_suite::Config;

/// What came of one run.
pub(crate) struct Outcome {
    clauses: BTreeMap<ClauseId, ClauseResult>,
    /// Why there is no verdict, or what went wrong beside.
    trouble: Vec<String>,
}

impl Outcome {
    /// Runs the suite.
    pub(crate) fn of(config: &Config) -> Self {
        let (mut clauses, mut trouble) = (BTreeMap::new(), Vec::new());
        let never = AtomicBool::new(false);
        let ran = tacit_suite::run(config.clone(), &never, &mut |event| match event {
            Event::ClauseJudged(result) => {
                clauses.insert(result.id.clone(), result);
            }
            Event::RuntimeFailed { cause, .. } => trouble.push(cause.to_string()),
            _ => {}
        });
        if let Err(error) = ran {
            trouble.push(error.to_string());
        }
        Self { clauses, trouble }
    }

    /// What came of a clause, as a test.
    pub(crate) fn of_clause(&self, id: &ClauseId) -> Result<Completion, Failed> {
        let Some(result) = self.clauses.get(id) else {
            return Err(self.with_trouble("the clause was not judged").into());
        };
        let reason = result.reason.as_deref().unwrap_or_default();
        match result.verdict {
            Verdict::Pass | Verdict::ExpectedFailure => Ok(Completion::Completed),
            Verdict::NotApplicable => Ok(Completion::ignored_with(reason)),
            Verdict::Warn => Ok(Completion::ignored_with(format!("warning: {}", told(result)))),
            Verdict::NotExercised => Err(self.with_trouble("no session exercised it").into()),
            Verdict::Fail => Err(told(result).into()),
            Verdict::Error => Err(self.with_trouble(reason).into()),
        }
    }

    fn with_trouble(&self, what: &str) -> String {
        std::iter::once(what)
            .chain(self.trouble.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join("; ")
    }
}

/// What was found, what the clause asks, and where it plays again.
fn told(result: &ClauseResult) -> String {
    let mut text = result.reason.clone().unwrap_or_default();
    if let Some(clause) = clause(result.id.as_str()) {
        let _ = write!(text, "\nthe clause: {}", clause.sentence);
    }
    for path in &result.counterexamples {
        let _ = write!(text, "\nthe smallest session: {path}");
    }
    text
}
