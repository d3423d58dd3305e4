//! The breaker: a runtime that fails over and over is not asked for ever.

use tacit_contract::runtime::RuntimeError;
use tacit_contract::tally::Trouble;

/// After so many steps without an answer nothing more is asked: each costs a whole time limit.
const HUNG: u32 = 4;

/// After so many failures, nothing more is asked if they are more than half of all cases.
const FAILED: u32 = 24;

/// Counts the failures of a runtime, in the order of the cases.
#[derive(Debug, Default)]
pub struct Breaker {
    cases: u32,
    failed: u32,
    hung: u32,
}

impl Breaker {
    /// A case was played.
    pub fn played(&mut self, trouble: Option<&Trouble>) {
        self.cases += 1;
        if let Some(Trouble::Fatal(error)) = trouble {
            self.failed += 1;
            self.hung += u32::from(matches!(error, RuntimeError::Hung { .. }));
        }
    }

    /// Whether to stop asking.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.hung >= HUNG || (self.failed >= FAILED && self.failed * 2 > self.cases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crash() -> Trouble {
        Trouble::Fatal(RuntimeError::Crashed {
            during: "session/prompt".to_owned(),
            status: "exit status: 1".to_owned(),
            log: String::new(),
        })
    }

    #[test]
    fn a_few_crashes_among_many_cases_stop_nothing() {
        let mut breaker = Breaker::default();
        for case in 0..1000 {
            breaker.played((case % 10 == 0).then(crash).as_ref());
        }
        assert!(!breaker.is_open());
    }

    #[test]
    fn a_runtime_that_crashes_in_every_case_is_soon_left_alone() {
        let mut breaker = Breaker::default();
        let played = (1..1000).find(|_| {
            breaker.played(Some(&crash()));
            breaker.is_open()
        });
        assert_eq!(played, Some(FAILED));
    }
}
