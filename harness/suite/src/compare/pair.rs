//! Two runtimes side by side: each session is played on both, and what is seen is compared.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tacit_contract::runtime::RuntimeError;
use tacit_contract::{Case, Session};
use tacit_generators::runner::smallest;
use tacit_generators::shrink::SessionTree;

use super::candidates::{Candidate, Common};
use super::differ::{Aspect, Difference, differences, first};
use super::observe::{Eyes, Observation};
use crate::bench::{Bench, Played};
use crate::breaker::Breaker;
use crate::config::Config;
use crate::error::RunError;
use crate::hunt::{REPETITIONS, evaluations};
use crate::pool::{Pool, Task};
use tacit_contract::tally::Trouble;

/// How many sessions a worker takes at a time.
const HANDFUL: usize = 4;

/// After so many sessions without an answer nothing is shrunk any further: each costs a whole
/// time limit.
const HUNG: u32 = 4;

/// What came of a session that was played again on both sides.
#[derive(Debug, Clone, Copy)]
struct Again {
    /// Whether they differ in the same.
    same: bool,
    /// Whether one of them gave no answer.
    hung: bool,
}

/// What one side shows of one session; nothing where it declined to play it.
struct Look {
    observation: Option<Observation>,
    trouble: Option<Trouble>,
}

/// Two runtimes, each with workers of its own.
pub struct Pair<'a> {
    pools: [Pool; 2],
    eyes: [Arc<Eyes>; 2],
    breakers: [Breaker; 2],
    common: &'a Common,
    limit: u32,
    stop: &'a AtomicBool,
    /// How many sessions were played on both.
    pub sessions: u64,
}

/// A session on which two runtimes differ, as small as it was to be had.
pub struct Smallest {
    /// The session.
    pub case: Case,
    /// How they differ.
    pub difference: Difference,
    /// What was seen of each side.
    pub played: [Played; 2],
    /// The steps of the session as it was found.
    pub steps_before: usize,
    /// In how many of three repetitions they differed again.
    pub reproduced: u32,
}

impl<'a> Pair<'a> {
    /// The runtimes of two configurations.
    #[must_use]
    pub fn new(
        configs: [&Arc<Config>; 2],
        eyes: [Eyes; 2],
        common: &'a Common,
        stop: &'a AtomicBool,
    ) -> Self {
        let pool = |config: &Arc<Config>| {
            // Both sides play at the same time.
            let jobs = config.jobs.div_ceil(2);
            Pool::new(&Arc::new(Config { jobs, ..Config::clone(config) }))
        };
        Self {
            pools: configs.map(pool),
            eyes: eyes.map(Arc::new),
            breakers: [Breaker::default(), Breaker::default()],
            common,
            limit: configs
                .map(|config| evaluations(&config.subject))
                .into_iter()
                .min()
                .unwrap_or(0),
            stop,
            sessions: 0,
        }
    }

    /// Whether nothing more is to be played: the user has seen enough, or a runtime fails too
    /// often.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.breakers.iter().any(Breaker::is_open)
    }

    /// Plays sessions on both sides: how they differ in each, in the order of the sessions.
    ///
    /// # Errors
    /// A worker panicked.
    pub fn compare(
        &mut self,
        candidates: &[Candidate],
    ) -> Result<Vec<Option<Difference>>, RunError> {
        let [ones, others] = self.look(candidates)?;
        let mut found = Vec::new();
        for sides in ones.into_iter().zip(others) {
            self.sessions += 1;
            let sides = [sides.0, sides.1];
            for (breaker, side) in self.breakers.iter_mut().zip(&sides) {
                breaker.played(side.trouble.as_ref());
            }
            found.push(between(&sides));
        }
        Ok(found)
    }

    fn look(&self, candidates: &[Candidate]) -> Result<[Vec<Look>; 2], RunError> {
        let cases: Vec<Case> = candidates.iter().map(|candidate| candidate.case.clone()).collect();
        let looks = self.both(|eyes| {
            let handfuls = cases.chunks(HANDFUL).map(|handful| {
                let (handful, eyes) = (handful.to_vec(), Arc::clone(eyes));
                let job: Task<Vec<Look>> = Box::new(move |bench| {
                    handful.iter().map(|case| look(bench, &eyes, case)).collect()
                });
                job
            });
            handfuls.collect()
        })?;
        Ok(looks.map(|looks| looks.into_iter().flatten().collect()))
    }

    /// Does jobs on both sides at the same time.
    fn both<T: Send + 'static>(
        &self,
        jobs: impl Fn(&Arc<Eyes>) -> Vec<Task<T>>,
    ) -> Result<[Vec<T>; 2], RunError> {
        let [one, other] = &self.pools;
        let [ones, others] = self.eyes.each_ref().map(jobs);
        let (ones, others) = std::thread::scope(|scope| {
            let others = scope.spawn(|| other.all(others));
            (one.all(ones), others.join())
        });
        let whole = |results: Vec<Option<T>>| results.into_iter().collect::<Option<Vec<T>>>();
        let others = others.ok().and_then(whole);
        Ok([whole(ones).ok_or(RunError::OwnFault)?, others.ok_or(RunError::OwnFault)?])
    }

    /// Does one job on both sides.
    fn each<T: Send + 'static>(
        &self,
        job: impl Fn(&Bench, &Eyes) -> T + Clone + Send + 'static,
    ) -> Result<[T; 2], RunError> {
        let results = self.both(|eyes| {
            let (job, eyes) = (job.clone(), Arc::clone(eyes));
            let job: Task<T> = Box::new(move |bench| job(bench, &eyes));
            vec![job]
        })?;
        let [one, other] = results.map(|results| results.into_iter().next());
        Ok([one.ok_or(RunError::OwnFault)?, other.ok_or(RunError::OwnFault)?])
    }

    /// Plays a case again on both sides.
    fn again(&self, case: &Case, aspect: Aspect, fresh: bool) -> Result<Again, RunError> {
        let case = case.clone();
        let looks = self.each(move |bench, eyes| {
            if fresh {
                bench.fresh();
            }
            look(bench, eyes, &case)
        })?;
        let same = between(&looks).is_some_and(|difference| difference.aspect == aspect);
        let hung =
            |look: &Look| matches!(look.trouble, Some(Trouble::Fatal(RuntimeError::Hung { .. })));
        Ok(Again { same, hung: looks.iter().any(hung) })
    }

    fn repeat(&self, case: &Case, aspect: Aspect) -> Result<u32, RunError> {
        let mut again = 0;
        for _ in 0..REPETITIONS {
            again += u32::from(self.again(case, aspect, true)?.same);
        }
        Ok(again)
    }

    /// Shrinks a session as long as both sides differ in the same, unless they do not differ each
    /// time; `None` where they differ no more at all.
    ///
    /// # Errors
    /// A worker panicked.
    pub fn smallest(
        &self,
        candidate: &Candidate,
        aspect: Aspect,
    ) -> Result<Option<Smallest>, RunError> {
        let steps_before = candidate.case.session.length();
        let mut case = candidate.case.clone();
        let mut reproduced = self.repeat(&case, aspect)?;
        if reproduced == REPETITIONS {
            case = self.shrunk(case, aspect)?;
            reproduced = self.repeat(&case, aspect)?;
        }
        let again = case.clone();
        let played = self.each(move |bench, eyes| {
            bench.fresh();
            let played: Result<Played, RuntimeError> = bench.play(&again);
            played.ok().map(|played| (eyes.observe(&played), played))
        })?;
        let [Some((Some(one), played_on_one)), Some((Some(other), played_on_other))] = played
        else {
            return Ok(None);
        };
        let difference = first(differences([&one, &other]));
        Ok(difference.map(|difference| Smallest {
            case,
            difference,
            played: [played_on_one, played_on_other],
            steps_before,
            reproduced,
        }))
    }

    fn shrunk(&self, case: Case, aspect: Aspect) -> Result<Case, RunError> {
        let case = self.with_fewer_variants(case, aspect)?;
        let variants = case.variants.clone();
        let (fault, hung) = (Cell::new(false), Cell::new(0));
        let tree = SessionTree::new(case.session, self.common.setting.plainest_mode());
        let smallest = smallest(tree, self.limit, |session: &Session| {
            let enough = fault.get() || hung.get() >= HUNG || self.is_over();
            if enough || !self.common.takes(session) {
                return false;
            }
            let case = Case { session: session.clone(), variants: variants.clone() };
            let again = self.again(&case, aspect, false);
            fault.set(again.is_err());
            hung.set(hung.get() + u32::from(again.as_ref().is_ok_and(|again| again.hung)));
            again.is_ok_and(|again| again.same)
        });
        if fault.get() {
            return Err(RunError::OwnFault);
        }
        self.with_fewer_variants(Case { session: smallest.value, variants }, aspect)
    }

    /// Of the variants those stay that it takes.
    fn with_fewer_variants(&self, mut case: Case, aspect: Aspect) -> Result<Case, RunError> {
        for variant in case.variants.clone().into_iter().rev() {
            let mut fewer = case.clone();
            fewer.variants.retain(|other| *other != variant);
            if self.again(&fewer, aspect, false)?.same {
                case = fewer;
            }
        }
        Ok(case)
    }
}

fn look(bench: &Bench, eyes: &Eyes, case: &Case) -> Look {
    match bench.play(case) {
        Ok(played) => Look { observation: eyes.observe(&played), trouble: played.trouble },
        Err(error) => Look { observation: None, trouble: Some(Trouble::Fatal(error)) },
    }
}

/// How two looks at one session differ. Nothing is said where a side did not play it.
fn between(sides: &[Look; 2]) -> Option<Difference> {
    let [Some(one), Some(other)] = sides.each_ref().map(|side| side.observation.as_ref()) else {
        return None;
    };
    first(differences([one, other]))
}
