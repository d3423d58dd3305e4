//! The ways in which a clause can come out otherwise.

use serde::{Deserialize, Serialize};
use tacit_contract::Verdict;
use tacit_contract::event::ClauseResult;

/// In which way a clause came out otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Change {
    /// It was not broken, or was expected to be, and is broken now or could not be judged.
    NewFailure,
    /// It is broken as a baseline expects, and was not broken before.
    NowExpected,
    /// It was broken or could not be judged, and is kept now.
    Fixed,
    /// It had no case, and is kept now.
    NewlyExercised,
    /// It had a case, and has none now.
    NoLongerExercised,
    /// It was not applicable or not there, and is judged now.
    NewlyJudged,
    /// It was judged, and is not applicable or not there now.
    NoLongerJudged,
    /// It is kept as before, in another of the accepted readings.
    ChangedReading,
}

impl Change {
    /// Every kind, in the order in which they are told: what matters most comes first.
    pub const ALL: [Self; 8] = [
        Self::NewFailure,
        Self::NowExpected,
        Self::Fixed,
        Self::NoLongerExercised,
        Self::NewlyExercised,
        Self::NoLongerJudged,
        Self::NewlyJudged,
        Self::ChangedReading,
    ];

    /// Its words.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NewFailure => "new failure",
            Self::NowExpected => "now expected to fail",
            Self::Fixed => "fixed",
            Self::NewlyExercised => "newly exercised",
            Self::NoLongerExercised => "no longer exercised",
            Self::NewlyJudged => "newly judged",
            Self::NoLongerJudged => "no longer judged",
            Self::ChangedReading => "changed reading",
        }
    }

    /// The change from one result of a clause to another; `None` where there is none to tell.
    pub(super) fn of(was: Option<&ClauseResult>, is: Option<&ClauseResult>) -> Option<Self> {
        use State::{Broken, Expected, Kept, Unexercised, Unjudged};
        let state = |clause: Option<&ClauseResult>| {
            clause.map_or(Unjudged, |clause| State::of(clause.verdict))
        };
        Some(match (state(was), state(is)) {
            (Broken, Broken | Expected) | (Expected, Expected) => return None,
            (_, Broken) => Self::NewFailure,
            (_, Expected) => Self::NowExpected,
            (Broken | Expected, Kept) => Self::Fixed,
            (Unexercised, Kept) => Self::NewlyExercised,
            (Broken | Expected | Kept, Unexercised) => Self::NoLongerExercised,
            (Unjudged, Kept | Unexercised) => Self::NewlyJudged,
            (Broken | Expected | Kept | Unexercised, Unjudged) => Self::NoLongerJudged,
            (Kept, Kept) | (Unexercised, Unexercised) | (Unjudged, Unjudged) => {
                let reading = |clause: Option<&ClauseResult>| {
                    clause.and_then(|clause| clause.reading.clone())
                };
                return (reading(was) != reading(is)).then_some(Self::ChangedReading);
            }
        })
    }
}

/// What is known of a clause after a run.
enum State {
    Kept,
    Broken,
    Expected,
    Unexercised,
    Unjudged,
}

impl State {
    fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Kept,
            Verdict::Fail | Verdict::Warn | Verdict::Error => Self::Broken,
            Verdict::ExpectedFailure => Self::Expected,
            Verdict::NotExercised => Self::Unexercised,
            Verdict::NotApplicable => Self::Unjudged,
        }
    }
}
