//! What changed from one run to another, clause by clause and check by check.
//!
//! Two runs may be of one runtime at two times, of two runtimes, or under two revisions.

mod change;

use serde::{Deserialize, Serialize};
use tacit_contract::event::{ClauseResult, SCHEMA_VERSION};
use tacit_contract::{ClauseId, Level, Revision, Verdict};

use crate::outcome::{Outcome, UNUSABLE};
use crate::run::Run;
use crate::time;

pub use change::Change;

/// What changed from one run to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Diff {
    /// The version of this format.
    pub schema_version: u32,
    /// The earlier run.
    pub old: Side,
    /// The later run.
    pub new: Side,
    /// The clauses that changed, in the order of the contract.
    pub clauses: Vec<ClauseChange>,
    /// The scenarios that changed, by feature and line of the later run, then those that are gone.
    pub scenarios: Vec<CheckChange>,
    /// The properties that changed, in the order in which the later run played them, then those
    /// that are gone.
    pub properties: Vec<CheckChange>,
    /// Whether something got worse.
    pub worse: bool,
}

/// One of the two runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Side {
    /// How the runtime was asked for.
    pub spec: String,
    /// The runtime's name.
    pub name: String,
    /// The runtime's version.
    pub version: String,
    /// The profile.
    pub profile: String,
    /// Its revision of the contract.
    pub revision: Revision,
    /// The seed, in hexadecimal digits, as `--seed` takes it.
    pub seed: String,
    /// When it began, RFC 3339 in UTC.
    pub started_at: String,
    /// How it came out, in the words of its last line.
    pub outcome: String,
    /// Its exit code.
    pub exit_code: u8,
}

/// A clause that came out otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ClauseChange {
    /// Which.
    pub id: ClauseId,
    /// How much a breach weighs.
    pub level: Level,
    /// What kind of change it is.
    pub change: Change,
    /// Whether it makes the runtime worse.
    pub worse: bool,
    /// Its verdict before; `None` where the earlier run did not have the clause.
    pub was: Option<Verdict>,
    /// Its verdict after; `None` where the later run does not have the clause.
    pub is: Option<Verdict>,
    /// Why its verdict is what it is after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The reading that was seen before, where that changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<String>,
    /// The reading that is seen after, where that changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads: Option<String>,
    /// Counterexamples: those of the run that it failed in, the later one if it failed in both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counterexamples: Vec<String>,
}

/// A scenario or a property that came out otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckChange {
    /// The property's id, or the scenario's feature and title.
    pub name: String,
    /// Its verdict before; `None` where the earlier run did not play it.
    pub was: Option<Verdict>,
    /// Its verdict after; `None` where the later run did not play it.
    pub is: Option<Verdict>,
}

impl Diff {
    /// What changed from an earlier run to a later one; `strict` is whether a new warning is worse.
    ///
    /// A clause that the later run was not to test, as it was narrowed, is no worse for that.
    #[must_use]
    pub fn of(old: &Run, new: &Run, strict: bool) -> Self {
        let before = |id: &ClauseId| old.clauses.iter().find(|clause| clause.id == *id);
        let after = |id: &ClauseId| new.clauses.iter().find(|clause| clause.id == *id);
        let gone = old.clauses.iter().filter(|clause| after(&clause.id).is_none());
        let pairs = new.clauses.iter().map(|clause| (before(&clause.id), Some(clause)));
        let pairs = pairs.chain(gone.map(|clause| (Some(clause), None)));
        let mut clauses: Vec<ClauseChange> =
            pairs.filter_map(|(was, is)| clause(was, is, new, strict)).collect();
        clauses.sort_by_cached_key(|change| crate::run::place(&change.id));
        let scenario = |run: &Run| {
            let name = |feature: &str, title: &str| format!("{feature}: {title}");
            let all = run.scenarios.iter();
            all.map(|one| (name(&one.feature, &one.name), one.verdict)).collect::<Vec<_>>()
        };
        let property = |run: &Run| {
            let all = run.properties.iter();
            all.map(|one| (one.id.to_string(), one.verdict)).collect::<Vec<_>>()
        };
        let lost = old.finished.exit_code != UNUSABLE && new.finished.exit_code == UNUSABLE;
        let worse = lost || clauses.iter().any(|change| change.worse);
        Self {
            schema_version: SCHEMA_VERSION,
            old: Side::of(old),
            new: Side::of(new),
            clauses,
            scenarios: checks(&scenario(old), &scenario(new)),
            properties: checks(&property(old), &property(new)),
            worse,
        }
    }

    /// What it comes to, in words: `worse:`, `changed:` or `no difference in any clause`, and the
    /// changes counted by kind.
    #[must_use]
    pub fn in_words(&self) -> (&'static str, String) {
        let counts = Change::ALL.into_iter().filter_map(|kind| {
            let count = self.of_kind(kind).count() as u64;
            (count > 0).then(|| match kind {
                Change::NewFailure | Change::ChangedReading => time::counted(count, kind.as_str()),
                _ => format!("{count} {}", kind.as_str()),
            })
        });
        let counts: Vec<String> = counts.collect();
        let lead = match (self.worse, counts.is_empty()) {
            (true, true) => "worse: the runtime could not be used",
            (true, false) => "worse:",
            (false, true) => "no difference in any clause",
            (false, false) => "changed:",
        };
        (lead, counts.join(", "))
    }

    /// The clauses that changed in one way.
    pub fn of_kind(&self, kind: Change) -> impl Iterator<Item = &ClauseChange> {
        self.clauses.iter().filter(move |change| change.change == kind)
    }
}

impl Side {
    fn of(run: &Run) -> Self {
        let started = &run.started;
        Self {
            spec: started.spec.clone(),
            name: started.name.clone(),
            version: started.version.clone(),
            profile: started.profile.clone(),
            revision: started.revision,
            seed: time::seed(started.seed),
            started_at: time::rfc3339(started.started_at),
            outcome: Outcome::of(&run.finished).as_str().to_owned(),
            exit_code: run.finished.exit_code,
        }
    }
}

fn clause(
    was: Option<&ClauseResult>,
    is: Option<&ClauseResult>,
    new: &Run,
    strict: bool,
) -> Option<ClauseChange> {
    let known = is.or(was)?;
    let change = Change::of(was, is)?;
    let of_failing = is.filter(|clause| !clause.counterexamples.is_empty()).or(was);
    let reading = |clause: Option<&ClauseResult>| clause.and_then(|clause| clause.reading.clone());
    let (read, reads) = (reading(was), reading(is));
    let differ = read != reads;
    let must = known.level == Level::Must;
    Some(ClauseChange {
        id: known.id.clone(),
        level: known.level,
        change,
        worse: match change {
            Change::NewFailure => must || strict,
            Change::NoLongerExercised => must && !new.finished.narrowed,
            _ => false,
        },
        was: was.map(|clause| clause.verdict),
        is: is.map(|clause| clause.verdict),
        reason: is.and_then(|clause| clause.reason.clone()),
        read: read.filter(|_| differ),
        reads: reads.filter(|_| differ),
        counterexamples: of_failing.map(|one| one.counterexamples.clone()).unwrap_or_default(),
    })
}

/// The checks of two runs that came out otherwise, or are in one of them alone.
fn checks(old: &[(String, Verdict)], new: &[(String, Verdict)]) -> Vec<CheckChange> {
    let verdict = |run: &[(String, Verdict)], name: &str| {
        run.iter().find(|(other, _)| other == name).map(|(_, verdict)| *verdict)
    };
    let gone = old.iter().filter(|(name, _)| verdict(new, name).is_none());
    let names = new.iter().chain(gone).map(|(name, _)| name);
    let changes = names.map(|name| CheckChange {
        name: name.clone(),
        was: verdict(old, name),
        is: verdict(new, name),
    });
    changes.filter(|change| change.was != change.is).collect()
}

#[cfg(test)]
mod tests;
