//! Every short session: enumerated, played in order of length, judged like any other.

use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tacit_contract::event::Extent;
use tacit_contract::protocol::Description;
use tacit_contract::runtime::RuntimeError;
use tacit_contract::tally::{Outcome, Place};
use tacit_contract::{Case, Event, Mode, Profile, PropertyId, ProviderKind, Session};
use tacit_generators::exhaustive::{Exhaustive, World};
use tacit_generators::runner::master;

use crate::bench::Bench;
use crate::error::RunError;
use crate::generate::Handful;
use crate::pool::Task;
use crate::property::setting;
use crate::run::Run;

/// What the search is called where properties are.
pub const ID: &str = "exhaustive";

/// What it is, in a sentence.
pub const ABOUT: &str =
    "Every session of up to some number of steps, over three deferred tools of two plugins.";

/// How many sessions the workers play before what they found is looked at.
const ROUND: u64 = 128;

/// After how many sessions it is said how long the rest will take.
const FIRST: u64 = 100;

/// How many sessions a worker takes at a time.
const HANDFUL: u64 = 8;

/// The world of a runtime under a profile. Its sessions begin with the first of these kinds of
/// provider.
#[must_use]
pub fn world(profile: &Profile, runtime: &Description, kinds: &[ProviderKind]) -> World {
    let read = profile.names.read.as_ref();
    let reads =
        |mode: &Mode| read.is_some_and(|read| profile.mode(*mode).core.contains(&read.tool));
    let reads = Mode::ALL.into_iter().filter(reads).collect();
    World::new(setting(profile, runtime), kinds.to_vec(), reads)
}

impl Run<'_> {
    /// Plays every session of up to so many steps.
    pub(crate) fn exhaustive(&mut self, depth: NonZeroU32) -> Result<(), RunError> {
        let world = world(&self.config.profile, self.runtime, &self.kinds);
        let all = Arc::new(Exhaustive::new(world, depth.get()));
        let extent = Extent { depth: depth.get(), cases: all.count() };
        let cases = u32::try_from(extent.cases).unwrap_or(u32::MAX);
        let mut course = self.begin(PropertyId::from(ID), cases);
        let begun = Instant::now();
        let mut is_forecast = false;
        for round in rounds(0..extent.cases) {
            if self.is_over() {
                break;
            }
            if round.start >= FIRST && !std::mem::replace(&mut is_forecast, true) {
                self.forecast(extent, round.start, begun.elapsed());
            }
            let outcomes = self.round(&all, round)?;
            self.take(&mut course, outcomes);
        }
        self.finish(course, ABOUT.to_owned(), Some(extent))
    }

    /// Says how much is still to come, given how long the first sessions took.
    fn forecast(&mut self, extent: Extent, done: u64, took: Duration) {
        let cases = extent.cases - done;
        let expected = took.as_millis().saturating_mul(u128::from(cases)) / u128::from(done.max(1));
        (self.sink)(Event::Forecast {
            id: PropertyId::from(ID),
            extent,
            duration_ms: u64::try_from(expected).unwrap_or(u64::MAX),
        });
    }

    fn round(&self, all: &Arc<Exhaustive>, round: Range<u64>) -> Result<Handful, RunError> {
        // Each session has a seed of its own, and with it an id that no other session of the run
        // has: what one process keeps of a session must not be found by the next.
        let master = master(self.config.seed, ID) & u64::from(u32::MAX);
        let jobs = chunks(round, HANDFUL).map(|numbers| {
            let all = Arc::clone(all);
            let job: Task<Handful> = Box::new(move |bench| {
                numbers
                    .filter_map(|number| {
                        let session = all.session(number, master.wrapping_add(number))?;
                        Some(play(bench, number, session))
                    })
                    .collect()
            });
            job
        });
        let mut outcomes = Vec::new();
        for handful in self.pool.all(jobs) {
            outcomes.extend(handful.ok_or(RunError::OwnFault)?);
        }
        Ok(outcomes)
    }
}

fn play(bench: &Bench, number: u64, session: Session) -> Result<Outcome, RuntimeError> {
    let api = session.provider.api;
    let case = Case { session, variants: Vec::new() };
    let played = bench.play(&case)?;
    let broken = !played.judgement.breaches.is_empty();
    Ok(Outcome {
        place: Place::Exhaustive { number },
        api,
        case: broken.then_some(case),
        judgement: played.judgement,
        // The shares of labels are those of random sessions.
        labels: None,
        counts: played.counts,
        trouble: played.trouble,
    })
}

/// The rounds of a range. The first are short: a runtime that fails in every session is found out
/// early.
fn rounds(range: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let mut from = range.start;
    let mut length = HANDFUL;
    std::iter::from_fn(move || {
        let to = from.saturating_add(length).min(range.end);
        let round = (from < to).then_some(from..to)?;
        from = to;
        length = (length * 2).min(ROUND);
        Some(round)
    })
}

fn chunks(range: Range<u64>, length: u64) -> impl Iterator<Item = Range<u64>> {
    let end = range.end;
    let starts = std::iter::successors(Some(range.start), move |from| from.checked_add(length));
    starts
        .take_while(move |from| *from < end)
        .map(move |from| from..from.saturating_add(length).min(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_hold_every_session_once_up_to_the_last_number() {
        for range in [0..0, 0..1, 5..1000, u64::MAX - 3..u64::MAX] {
            let all: Vec<u64> =
                rounds(range.clone()).flat_map(|round| chunks(round, 8)).flatten().collect();
            assert_eq!(all, range.collect::<Vec<_>>());
        }
    }
}
