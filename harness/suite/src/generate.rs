//! Generation: the cases of a property, played in rounds.
//!
//! A round is played by all workers and then looked at in the order of its cases, so that where
//! a run stops does not hang on how many workers it has. The first rounds are short: a runtime
//! that fails in every case is found out early.

use std::ops::Range;
use std::sync::Arc;

use proptest::strategy::SBoxedStrategy;
use tacit_contract::runtime::RuntimeError;
use tacit_contract::tally::{Outcome, Place};
use tacit_contract::{Case, ProviderKind, Session};
use tacit_generators::Setting;
use tacit_generators::coverage::labels;
use tacit_generators::runner::{master, sample};

use crate::bench::Bench;
use crate::config::Config;
use crate::error::RunError;
use crate::pool::{Pool, Task};
use crate::property::Property;
use crate::providers::of_case;

/// The longest round.
const LONGEST: u32 = 64;

/// How many cases a worker takes at a time.
const HANDFUL: usize = 4;

/// The rounds of a number of cases: 4, 8, 16, 32, and then 64 each.
pub fn rounds(cases: u32) -> impl Iterator<Item = Range<u32>> {
    let mut from = 0;
    let mut length = 4;
    std::iter::from_fn(move || {
        let to = (from + length).min(cases);
        let round = (from < to).then_some(from..to)?;
        from = to;
        length = (length * 2).min(LONGEST);
        Some(round)
    })
}

/// What a worker brings back from its handful; an error is a runtime that did not start.
pub(crate) type Handful = Vec<Result<Outcome, RuntimeError>>;

/// The cases of a property on a runtime: any of them, in any order, each from its number alone.
#[derive(Debug, Clone)]
pub struct Cases {
    property: Property,
    strategy: SBoxedStrategy<Session>,
    master: u64,
    kinds: Vec<ProviderKind>,
}

impl Cases {
    /// The cases of a property in a run of this seed, for what the runtime can do.
    #[must_use]
    pub fn new(property: Property, setting: &Setting, seed: u64, kinds: &[ProviderKind]) -> Self {
        Self {
            property,
            strategy: property.mix.strategy(setting),
            master: master(seed, property.mix.id),
            kinds: kinds.to_vec(),
        }
    }

    /// The property.
    #[must_use]
    pub fn property(&self) -> Property {
        self.property
    }

    /// The case of a number; `None` if the strategy gives up, which none of ours does.
    #[must_use]
    pub fn case(&self, number: u64) -> Option<Case> {
        let mut session = sample(&self.strategy, self.master, number).ok()?;
        session.provider = of_case(number, &self.kinds);
        Some(self.property.case(number, session, &self.kinds))
    }
}

/// One round of one property.
pub struct Round;

impl Round {
    /// Plays the cases of a round; an error is a runtime that could not be started for a case.
    ///
    /// # Errors
    /// A worker panicked.
    pub(crate) fn play(
        pool: &Pool,
        config: &Arc<Config>,
        (place, property): (u32, Property),
        setting: &Setting,
        kinds: &[ProviderKind],
        round: Range<u32>,
    ) -> Result<Handful, RunError> {
        let cases = Cases::new(property, setting, config.seed, kinds);
        let numbers: Vec<u64> = round.map(u64::from).collect();
        let jobs = numbers.chunks(HANDFUL).map(|handful| {
            let (handful, cases) = (handful.to_vec(), cases.clone());
            let job: Task<Handful> = Box::new(move |bench| {
                let numbered = |number| Some((number, cases.case(number)?));
                let all = handful.into_iter().filter_map(numbered);
                all.map(|(number, case)| play(bench, Place::Property { place, number }, case))
                    .collect()
            });
            job
        });
        let mut outcomes = Vec::new();
        for handful in pool.all(jobs) {
            outcomes.extend(handful.ok_or(RunError::OwnFault)?);
        }
        Ok(outcomes)
    }
}

fn play(bench: &Bench, place: Place, case: Case) -> Result<Outcome, RuntimeError> {
    let labels = labels(&case.session);
    let api = case.session.provider.api;
    let played = bench.play(&case)?;
    let broken = !played.judgement.breaches.is_empty();
    Ok(Outcome {
        place,
        api,
        case: broken.then_some(case),
        judgement: played.judgement,
        labels: Some(labels),
        counts: played.counts,
        trouble: played.trouble,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_hold_every_case_once() {
        for cases in [0, 1, 4, 5, 63, 256, 1000] {
            let all: Vec<u32> = rounds(cases).flatten().collect();
            assert_eq!(all, (0..cases).collect::<Vec<_>>());
        }
    }
}
