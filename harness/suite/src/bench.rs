//! A worker's bench: one thread's runtime, stage and judge.

use std::sync::Arc;

use tacit_contract::protocol::{Description, method};
use tacit_contract::runtime::RuntimeError;
use tacit_contract::tally::{Counts, Trouble};
use tacit_contract::{Case, ClauseId, Judgement, Profile, Seen, Trace, Variant};
use tacit_judge::compare::compare;
use tacit_judge::{Judge, trouble, variants_of};

use crate::config::Config;
use crate::theatre::{self, Theatre};

/// One thread's place to play and judge.
pub struct Bench {
    clock: tokio::runtime::Runtime,
    theatre: Box<dyn Theatre>,
    config: Arc<Config>,
}

/// A case, played and judged.
pub struct Played {
    /// What the judge found in all of its traces.
    pub judgement: Judgement,
    /// The trace of the session itself.
    pub base: Trace,
    /// The traces of its variants.
    pub variants: Vec<(Variant, Trace)>,
    /// What was played.
    pub counts: Counts,
    /// What went wrong that the script did not cause.
    pub trouble: Option<Trouble>,
}

impl Played {
    /// The trace in which a breach of the clause was seen: that of the first session that shows
    /// it by itself, else that of the variant that differs.
    #[must_use]
    pub fn trace_of(&self, clause: &ClauseId, profile: &Profile) -> &Trace {
        let judge = Judge::new(profile);
        let mut all =
            std::iter::once(&self.base).chain(self.variants.iter().map(|(_, trace)| trace));
        if let Some(trace) = all.find(|trace| judge.judge(trace).breaks(clause)) {
            return trace;
        }
        let differs = self
            .variants
            .iter()
            .find(|(variant, trace)| compare(profile, &self.base, *variant, trace).breaks(clause));
        differs.or(self.variants.last()).map_or(&self.base, |(_, trace)| trace)
    }
}

impl Bench {
    /// A bench for a run.
    ///
    /// # Errors
    /// The thread's own runtime could not be made.
    pub fn new(config: Arc<Config>) -> std::io::Result<Self> {
        let clock = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let theatre = {
            let _inside = clock.enter();
            theatre::of(&config)
        };
        Ok(Self { clock, theatre, config })
    }

    /// The settings of the run.
    #[must_use]
    pub fn config(&self) -> &Arc<Config> {
        &self.config
    }

    /// The stage.
    #[must_use]
    pub fn theatre(&self) -> &dyn Theatre {
        &*self.theatre
    }

    /// Runs a future to its end on this thread.
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        let local = tokio::task::LocalSet::new();
        self.clock.block_on(local.run_until(future))
    }

    /// Who the runtime is.
    ///
    /// # Errors
    /// The runtime could not be started.
    pub fn describe(&self) -> Result<Description, RuntimeError> {
        self.block_on(self.theatre.describe())
    }

    /// Makes sure that the next session is played on a new runtime.
    pub fn fresh(&self) {
        self.block_on(self.theatre.fresh());
    }

    /// Plays a case and judges it.
    ///
    /// # Errors
    /// The runtime could not be started.
    pub fn play(&self, case: &Case) -> Result<Played, RuntimeError> {
        self.block_on(async {
            let base = self.theatre.play(&case.session).await?;
            let mut variants = Vec::new();
            for (variant, session) in variants_of(case) {
                variants.push((variant, self.theatre.play(&session).await?));
            }
            Ok(self.judge(base, variants))
        })
    }

    fn judge(&self, base: Trace, variants: Vec<(Variant, Trace)>) -> Played {
        let judge = Judge::new(&self.config.profile);
        let judgement = judge.judge_case(&base, &variants);
        let mut counts = Counts::default();
        let mut found = None;
        for trace in std::iter::once(&base).chain(variants.iter().map(|(_, trace)| trace)) {
            counts.count(trace);
            found = found.or_else(|| trouble_of(trace));
        }
        Played { judgement, base, variants, counts, trouble: found }
    }
}

/// What went wrong in a trace that the script did not cause.
#[must_use]
pub fn trouble_of(trace: &Trace) -> Option<Trouble> {
    match &trace.cut_short {
        Some(error) if error.is_fatal() => Some(Trouble::Fatal(error.clone())),
        // A runtime may decline: that is for the judge to weigh, and no trouble.
        Some(RuntimeError::Refused { .. } | RuntimeError::Unsupported { .. }) => None,
        _ => failed_operation(trace)
            .map(Trouble::Fatal)
            .or_else(|| trouble(trace).map(Trouble::Passing)),
    }
}

/// An operation that answered with an error of the runtime's own. A prompt has no other: it may
/// end in error, and says so in its answer.
fn failed_operation(trace: &Trace) -> Option<RuntimeError> {
    trace.log.iter().find_map(|entry| match &entry.seen {
        Seen::Failed { operation, error } => {
            let declined =
                matches!(error, RuntimeError::Refused { .. } | RuntimeError::Unsupported { .. });
            (!declined || operation == method::PROMPT).then(|| error.clone())
        }
        _ => None,
    })
}
