//! From failing cases to counterexamples: hunted down, kept as files, told as events.

use std::path::Path;

use tacit_contract::case::SAVED_VERSION;
use tacit_contract::event::Counterexample;
use tacit_contract::part::Caught;
use tacit_contract::tally::Failing;
use tacit_contract::{ClauseId, Event, PropertyId, Saved};
use tacit_judge::Judge;

use crate::config::Subject;
use crate::corpus;
use crate::error::RunError;
use crate::hunt::{Quarry, hunt};
use crate::pool::Task;
use crate::run::Run;
use crate::story::{story, timeline};

impl Run<'_> {
    /// Hunts each failing case down to its smallest session, and keeps it.
    pub(crate) fn hunt(
        &mut self,
        failing: Vec<(ClauseId, Failing)>,
        kept: Option<&Path>,
    ) -> Result<u32, RunError> {
        let jobs = failing.into_iter().map(|(clause, failing)| {
            let runtime = self.runtime.clone();
            let found_by = failing.property.clone();
            let job: Task<(PropertyId, Quarry)> =
                Box::new(move |bench| (found_by, hunt(bench, &runtime, &clause, &failing)));
            job
        });
        let mut shrinks = 0;
        for quarry in self.pool.all(jobs) {
            let (found_by, mut quarry) = quarry.ok_or(RunError::OwnFault)?;
            shrinks += quarry.evaluations;
            if quarry.needs_a_used_process {
                self.blame_the_process(&mut quarry);
            }
            let paths = match kept {
                Some(path) => {
                    corpus::Paths { data: path.to_owned(), feature: path.with_extension("feature") }
                }
                None => self.keep(&quarry, &found_by).unwrap_or_else(|error| {
                    // What was found is told all the same: a verdict is worth more than its file.
                    let lost = format!("(not kept: {error})").into();
                    corpus::Paths { data: std::path::PathBuf::clone(&lost), feature: lost }
                }),
            };
            let found = self.counterexample(&quarry, &found_by, &paths);
            let caught = self.caught(&quarry, &found_by, found.feature.clone());
            self.counterexamples.insert(quarry.clause.clone(), caught);
            (self.sink)(Event::CounterexampleFound(found));
        }
        Ok(shrinks)
    }

    /// A failure that a fresh process does not show is one of isolation: what was played before
    /// shows in it.
    fn blame_the_process(&mut self, quarry: &mut Quarry) {
        let isolation = ClauseId::from("isolation.sessions");
        if let Some(mut failing) = self.tally.failing.remove(&quarry.clause) {
            let found = format!(
                "a fresh process does not show this: what was played before does ({}: {})",
                quarry.clause, failing.breach.found
            );
            failing.breach.found.clone_from(&found);
            quarry.breach.found = found;
            quarry.breach.clause = isolation.clone();
            quarry.clause = isolation.clone();
            let api = failing.case.session.provider.api;
            if self.expects(&isolation, api) {
                self.tally.expects(isolation, api);
            } else {
                self.tally.failing.entry(isolation).or_insert(failing);
            }
        }
    }

    fn keep(&self, quarry: &Quarry, found_by: &PropertyId) -> Result<corpus::Paths, RunError> {
        // Which of its variants the reference was is said by how it was asked for alone.
        let name = match &self.config.subject {
            Subject::Reference { .. } => &self.config.spec,
            Subject::Own(_) | Subject::Stdio(_) => &self.runtime.runtime.name,
        };
        let runtime = format!("{name} {}", self.runtime.runtime.version);
        let saved = Saved {
            schema_version: SAVED_VERSION,
            clause: quarry.clause.clone(),
            profile: self.config.profile.id.clone(),
            runtime,
            spec: self.config.spec_of_its_own(),
            found_by: found_by.to_string(),
            found: quarry.breach.found.clone(),
            case: quarry.case.clone(),
        };
        Ok(corpus::keep(&self.config.corpus, &saved, self.config.seed, quarry.steps_before)?)
    }

    /// What the end of the run needs of it, to tell causes from consequences.
    fn caught(&self, quarry: &Quarry, found_by: &PropertyId, path: String) -> Caught {
        Caught {
            path,
            found_by: found_by.clone(),
            reproduced: quarry.reproduced,
            evaluations: quarry.evaluations,
            session: quarry.case.session.clone(),
            breach: quarry.breach.clone(),
            all: Judge::new(&self.config.profile).judge(&quarry.trace).breaches,
        }
    }

    fn counterexample(
        &self,
        quarry: &Quarry,
        found_by: &PropertyId,
        paths: &corpus::Paths,
    ) -> Counterexample {
        let count = |steps: usize| u32::try_from(steps).unwrap_or(u32::MAX);
        Counterexample {
            clause: quarry.clause.clone(),
            found_by: found_by.to_string(),
            steps_before: count(quarry.steps_before),
            steps: count(quarry.case.session.length()),
            reproduced: quarry.reproduced,
            data: paths.data.display().to_string(),
            feature: paths.feature.display().to_string(),
            story: story(&self.config.profile, &quarry.trace, &quarry.breach),
            timeline: timeline(&self.config.profile, &quarry.trace, &quarry.breach),
            breach: quarry.breach.clone(),
        }
    }
}
