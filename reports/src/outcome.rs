//! How a run came out, in the words of the last line.

use std::fmt::Write as _;

use tacit_contract::event::RunFinished;

use crate::run::Run;
use crate::tally::{Claims, Tally};
use crate::time;

/// The exit code of a run in which a clause failed, or warned where warnings fail.
const DOES_NOT_CONFORM: u8 = 1;

/// The exit code of a run whose runtime could not be used.
pub(crate) const UNUSABLE: u8 = 3;

/// The exit code of a run in which too little was tested.
pub(crate) const TOO_LITTLE: u8 = 4;

/// How a run came out, as its end says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Every claimed `must` clause was kept.
    Conforms,
    /// The same, but for warnings that were to fail the run.
    Warned,
    /// Nothing failed that the baseline does not list, and it lists what is over.
    Outdated,
    /// A run that was narrowed on purpose: it reaches only a part, and need not reach more.
    NothingFailed,
    /// A claimed clause was left without a case.
    TooLittle,
    /// A clause failed or ended in error.
    DoesNotConform,
    /// The runtime did not start.
    Unusable,
    /// The user stopped the run.
    Interrupted,
}

/// How good an outcome is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// Nothing is wrong.
    Good,
    /// Nothing is known to be wrong, and not enough is known.
    Doubtful,
    /// Something is wrong.
    Bad,
}

impl Outcome {
    /// The outcome of a run.
    #[must_use]
    pub fn of(finished: &RunFinished) -> Self {
        match finished.exit_code {
            _ if finished.interrupted => Self::Interrupted,
            UNUSABLE => Self::Unusable,
            DOES_NOT_CONFORM if is_outdated(finished) => Self::Outdated,
            DOES_NOT_CONFORM if finished.conforms => Self::Warned,
            _ if finished.conforms => Self::Conforms,
            TOO_LITTLE => Self::TooLittle,
            0 => Self::NothingFailed,
            _ => Self::DoesNotConform,
        }
    }

    /// The outcome in words, without the colon that the last line has after most.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Conforms => "conforms",
            Self::Warned => "conforms, but with warnings, which --strict lets fail",
            Self::Outdated => "the baseline is out of date",
            Self::NothingFailed => "nothing failed",
            Self::TooLittle => "too little was tested",
            Self::DoesNotConform => "does not conform",
            Self::Unusable => "the runtime could not be used",
            Self::Interrupted => "interrupted",
        }
    }

    /// The beginning of the last line, which the counts follow.
    #[must_use]
    pub fn lead(self) -> String {
        match self {
            Self::Conforms => "conforms to".to_owned(),
            _ => format!("{}:", self.as_str()),
        }
    }

    /// How good it is.
    #[must_use]
    pub fn worth(self) -> Worth {
        match self {
            Self::Conforms | Self::NothingFailed => Worth::Good,
            Self::TooLittle | Self::Interrupted => Worth::Doubtful,
            Self::Warned | Self::Outdated | Self::DoesNotConform | Self::Unusable => Worth::Bad,
        }
    }
}

/// Whether the baseline alone fails the run.
fn is_outdated(finished: &RunFinished) -> bool {
    let baseline = finished.baseline.as_ref();
    baseline.is_some_and(|one| !one.regressed && one.outdated().next().is_some())
}

/// How many of the claimed clauses were kept, what else the reader should know, and how much was
/// played: the rest of the last line.
#[must_use]
pub fn counts(run: &Run) -> String {
    let finished = &run.finished;
    let claims = Claims::of(&run.clauses);
    let tally = claims.tally();
    let mut line = format!(
        "{} of {} claimed clauses ({} not applicable, {} not claimed)",
        tally.pass,
        claims.claimed.len(),
        claims.not_applicable,
        claims.not_claimed,
    );
    for part in beside(&Tally::of(&run.clauses), &tally) {
        line.push_str(", ");
        line.push_str(&part);
    }
    let sessions = if finished.sessions > 0 {
        format!("{} in ", time::counted(finished.sessions, "session"))
    } else {
        String::new()
    };
    let _ = write!(line, " · {sessions}{}", time::duration(finished.duration_ms));
    if run.started.by_default {
        line.push_str(" · no runtime was named: this is the reference");
    }
    line
}

/// Of all clauses the warnings, of the claimed ones what is neither kept nor broken.
fn beside(all: &Tally, claimed: &Tally) -> Vec<String> {
    let plural = |count: u32, what: &str| time::counted(u64::from(count), what);
    [
        (all.warn, plural(all.warn, "warning")),
        (claimed.error, plural(claimed.error, "error")),
        (claimed.not_exercised, format!("{} not exercised", claimed.not_exercised)),
        (claimed.expected_failure, plural(claimed.expected_failure, "expected failure")),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(_, text)| text)
    .collect()
}
