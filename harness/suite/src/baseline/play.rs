//! The baseline of a run on its way: its counterexamples are played first, and what it expects is
//! set aside.

use tacit_contract::baseline::Replay;
use tacit_contract::protocol::Api;
use tacit_contract::runtime::RuntimeError;
use tacit_contract::tally::Trouble;
use tacit_contract::{ClauseId, ProviderKind, Verdict};

use crate::bench::Played;
use crate::corpus::Kept;
use crate::error::RunError;
use crate::hunt::REPETITIONS;
use crate::run::Run;
use crate::scenarios::{Outcome, Selection};

impl Run<'_> {
    /// Plays the counterexample of each entry again.
    pub(crate) fn baseline(&mut self) -> Result<(), RunError> {
        let config = self.config;
        for (place, (entry, kept)) in
            config.baseline.iter().flat_map(|one| &one.entries).enumerate()
        {
            if self.is_over() {
                break;
            }
            let name = kept.path.file_name().unwrap_or_default();
            let is_part = config.hunts(&entry.clause) && config.takes(&name.to_string_lossy());
            if !is_part || !entry.is_of(config.profile.revision) {
                continue;
            }
            let replay = if config.profile.claims(entry.clause.as_str()) {
                self.again(place as u64, &entry.clause, kept)?
            } else {
                Replay::Undecided("the profile does not claim the clause".to_owned())
            };
            if let Some(listed) = &mut self.listed {
                listed.replays[place] = Some(replay);
            }
        }
        Ok(())
    }

    /// Plays a counterexample until it fails: one that fails now and then is not mended.
    fn again(&mut self, number: u64, clause: &ClauseId, kept: &Kept) -> Result<Replay, RunError> {
        for _ in 0..REPETITIONS {
            let case = kept.case.clone();
            let played = self.pool.one(move |bench| {
                bench.fresh();
                bench.play(&case)
            });
            let played = match played.ok_or(RunError::OwnFault)? {
                Ok(played) => played,
                Err(error) => return Ok(Replay::Undecided(error.to_string())),
            };
            let replay = came_to(&played, clause);
            self.still(kept, number, std::slice::from_ref(clause), played)?;
            if replay != Replay::Passes {
                return Ok(replay);
            }
        }
        Ok(Replay::Passes)
    }

    /// Whether the baseline expects a breach of a clause in a case that began over this API.
    pub(crate) fn expects(&self, clause: &ClauseId, api: Api) -> bool {
        let revision = self.config.profile.revision;
        self.listed.as_ref().is_some_and(|listed| listed.expects(clause, api, revision))
    }

    /// A scenario that breaks nothing but what the baseline expects fails as expected.
    pub(crate) fn expect(&self, kind: ProviderKind, outcome: &mut Outcome, played: &Selection) {
        if !matches!(outcome.result.verdict, Verdict::Fail | Verdict::Warn) {
            return;
        }
        let breaches = outcome.result.breaches.iter().chain(&outcome.unmet);
        let mut broken =
            breaches.map(|breach| &breach.clause).filter(|id| self.config.hunts(id)).peekable();
        let expected = match played.properties().next() {
            Some(property) => self.all_expected.contains(property),
            None => broken.peek().is_some() && broken.all(|id| self.expects(id, kind.api)),
        };
        if expected {
            outcome.result.verdict = Verdict::ExpectedFailure;
        }
    }
}

fn came_to(played: &Played, clause: &ClauseId) -> Replay {
    if played.judgement.breaks(clause) {
        return Replay::Fails;
    }
    let why = match (&played.base.cut_short, &played.trouble) {
        (Some(RuntimeError::Unsupported { what }), _) => {
            format!(
                "its counterexample begins with {what}, which the runtime lacks or `--api` leaves out"
            )
        }
        (_, Some(Trouble::Fatal(error))) => error.to_string(),
        _ if played.judgement.exercised.contains_key(clause) => return Replay::Passes,
        _ => "its counterexample does not come near the clause any more".to_owned(),
    };
    Replay::Undecided(why)
}
