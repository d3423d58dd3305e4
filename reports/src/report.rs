//! The report that scripts read: one JSON document of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tacit_contract::baseline::Baselined;
use tacit_contract::event::{
    ClauseResult, Counterexample, Extent, PropertyResult, RunFinished, RunStarted, SCHEMA_VERSION,
    ScenarioResult,
};
use tacit_contract::protocol::{Api, Capabilities};
use tacit_contract::{Breach, ClauseId, Event, Level, Part, PropertyId, Revision, Shard, Verdict};

use crate::outcome::TOO_LITTLE;
use crate::run::{Failure, Run};
use crate::tally::{Claims, Tally};
use crate::time;

/// A run as one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The version of this format.
    pub schema_version: u32,
    /// The harness.
    pub tool: Tool,
    /// The runtime under test.
    pub runtime: Runtime,
    /// The profile that it was held to.
    pub profile: Profile,
    /// The run.
    pub run: Facts,
    /// Every clause, in the order of the contract.
    pub clauses: Vec<Clause>,
    /// Every scenario, by feature and line.
    pub scenarios: Vec<Scenario>,
    /// Every property.
    pub properties: Vec<Property>,
    /// The smallest session of each broken clause, with its story and its timeline.
    #[serde(default)]
    pub counterexamples: Vec<Counterexample>,
    /// How the runtime failed, each cause once; where it did not start, why.
    #[serde(default)]
    pub failures: Vec<Failure>,
    /// The share of generated sessions under each label.
    pub coverage: BTreeMap<String, f64>,
    /// Whether every claimed `must` clause was kept.
    pub conforms: bool,
    /// The `must` clauses that the profile claims and that the runtime can be judged on.
    pub claimed: Vec<ClauseId>,
    /// The exit code of the run.
    pub exit_code: u8,
    /// All clauses, of every level, counted by verdict.
    pub summary: Tally,
    /// What came of the baseline, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baselined>,
    /// What the other shards are put together with, where this is one of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Box<Part>>,
}

/// The harness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The runtime under test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Runtime {
    /// How it was asked for.
    pub spec: String,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What it can do; null where it did not start.
    pub capabilities: Option<Capabilities>,
}

/// The profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Profile {
    /// Its name.
    pub id: String,
    /// The revision of the contract.
    pub revision: Revision,
}

/// The run's own facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// The seed, in hexadecimal digits, as `--seed` takes it.
    pub seed: String,
    /// When it began, RFC 3339 in UTC.
    pub started_at: String,
    /// How long it took.
    pub duration_ms: u64,
    /// Cases per property.
    pub cases: u32,
    /// Prompts that were sent.
    pub prompts: u64,
    /// Provider requests that were seen.
    pub requests: u64,
    /// Which part of the run this was, as `K/N`; null where it was the whole.
    pub shard: Option<Shard>,
    /// The APIs that were used.
    pub apis: Vec<Api>,
}

/// A clause and its verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clause {
    /// Which.
    pub id: ClauseId,
    /// How much a breach weighs.
    pub level: Level,
    /// Its verdict.
    pub verdict: Verdict,
    /// How often its premise occurred.
    pub exercised: u64,
    /// How often it occurred over each API, where several were used.
    #[serde(default, rename = "exercisedOver", skip_serializing_if = "BTreeMap::is_empty")]
    pub exercised_over: BTreeMap<Api, u64>,
    /// Why the verdict is what it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The clause whose breach is the cause of this one's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<ClauseId>,
    /// The accepted readings that were seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// In how many of three repetitions its counterexample failed again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reproduced: Option<u32>,
    /// Paths of its counterexamples.
    pub counterexamples: Vec<String>,
}

/// A scenario and its verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Scenario {
    /// Its title.
    pub name: String,
    /// Its feature file.
    pub feature: String,
    /// Its line there.
    pub line: usize,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its verdict.
    pub verdict: Verdict,
    /// How long it took.
    pub duration_ms: u64,
    /// Why it did not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The step that failed, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// What was broken in it: of each clause what came first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breaches: Vec<Breach>,
}

/// A property and its verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Property {
    /// Which.
    pub id: PropertyId,
    /// The clauses whose premise occurred in it.
    pub clauses: Vec<ClauseId>,
    /// How many cases were played.
    pub cases: u32,
    /// Its verdict.
    pub verdict: Verdict,
    /// How many evaluations shrinking took.
    pub shrinks: u32,
    /// The counterexample of each broken clause, by path.
    pub counterexamples: BTreeMap<ClauseId, String>,
    /// How many cases there are, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extent: Option<Extent>,
}

impl From<&Run> for Report {
    fn from(run: &Run) -> Self {
        let (started, finished) = (&run.started, &run.finished);
        Self {
            schema_version: SCHEMA_VERSION,
            tool: Tool { name: "tacit".to_owned(), version: started.tool_version.clone() },
            runtime: Runtime {
                spec: started.spec.clone(),
                name: started.name.clone(),
                version: started.version.clone(),
                capabilities: started.capabilities.clone(),
            },
            profile: Profile { id: started.profile.clone(), revision: started.revision },
            run: Facts {
                seed: time::seed(started.seed),
                started_at: time::rfc3339(started.started_at),
                duration_ms: finished.duration_ms,
                cases: started.cases,
                prompts: finished.prompts,
                requests: finished.requests,
                shard: started.shard,
                apis: started.apis.clone(),
            },
            clauses: run.clauses.iter().cloned().map(Clause::from).collect(),
            scenarios: run.scenarios.iter().cloned().map(Scenario::from).collect(),
            properties: run.properties.iter().cloned().map(Property::from).collect(),
            counterexamples: run.counterexamples.clone(),
            failures: run.failures.clone(),
            coverage: finished.coverage.clone(),
            conforms: finished.conforms,
            claimed: Claims::of(&run.clauses).claimed.iter().map(|c| c.id.clone()).collect(),
            exit_code: finished.exit_code,
            summary: Tally::of(&run.clauses),
            baseline: finished.baseline.clone(),
            part: run.part.clone(),
        }
    }
}

impl From<ClauseResult> for Clause {
    fn from(clause: ClauseResult) -> Self {
        Self {
            id: clause.id,
            level: clause.level,
            verdict: clause.verdict,
            exercised: clause.exercised,
            exercised_over: clause.exercised_over.clone(),
            reason: clause.reason,
            because: clause.because,
            reading: clause.reading,
            reproduced: clause.reproduced,
            counterexamples: clause.counterexamples,
        }
    }
}

impl From<ScenarioResult> for Scenario {
    fn from(scenario: ScenarioResult) -> Self {
        Self {
            name: scenario.name,
            feature: scenario.feature,
            line: scenario.line,
            tags: scenario.tags,
            verdict: scenario.verdict,
            duration_ms: scenario.duration_ms,
            message: scenario.message,
            step: scenario.step,
            breaches: scenario.breaches,
        }
    }
}

impl From<PropertyResult> for Property {
    fn from(property: PropertyResult) -> Self {
        Self {
            id: property.id,
            clauses: property.clauses,
            cases: property.cases,
            verdict: property.verdict,
            shrinks: property.shrinks,
            counterexamples: property.counterexamples,
            extent: property.extent,
        }
    }
}

impl Report {
    /// The events that the report was made of, as far as it holds them.
    ///
    /// A report does not keep how many sessions were played; the NDJSON record does. What is here
    /// makes the same report again.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        let mut events = vec![Event::RunStarted(self.started())];
        events.extend(self.scenarios.iter().map(|scenario| {
            Event::ScenarioFinished(ScenarioResult {
                name: scenario.name.clone(),
                feature: scenario.feature.clone(),
                line: scenario.line,
                tags: scenario.tags.clone(),
                verdict: scenario.verdict,
                duration_ms: scenario.duration_ms,
                message: scenario.message.clone(),
                step: scenario.step.clone(),
                breaches: scenario.breaches.clone(),
            })
        }));
        events.extend(self.properties.iter().map(|property| {
            Event::PropertyFinished(PropertyResult {
                id: property.id.clone(),
                sentence: String::new(),
                clauses: property.clauses.clone(),
                cases: property.cases,
                verdict: property.verdict,
                shrinks: property.shrinks,
                counterexamples: property.counterexamples.clone(),
                duration_ms: 0,
                extent: property.extent,
            })
        }));
        events.extend(self.counterexamples.iter().cloned().map(Event::CounterexampleFound));
        events.extend(self.failures.iter().map(|failure| Event::RuntimeFailed {
            cause: failure.cause.clone(),
            cases: failure.cases,
        }));
        events.extend(self.clauses.iter().map(|clause| Event::ClauseJudged(self.judged(clause))));
        events.extend(self.part.clone().map(Event::ShardPlayed));
        events.push(Event::RunFinished(self.finished()));
        events
    }

    fn started(&self) -> RunStarted {
        RunStarted {
            schema_version: self.schema_version,
            tool_version: self.tool.version.clone(),
            spec: self.runtime.spec.clone(),
            by_default: false,
            name: self.runtime.name.clone(),
            version: self.runtime.version.clone(),
            capabilities: self.runtime.capabilities.clone(),
            profile: self.profile.id.clone(),
            revision: self.profile.revision,
            seed: u64::from_str_radix(&self.run.seed, 16).unwrap_or_default(),
            started_at: time::from_rfc3339(&self.run.started_at).unwrap_or_default(),
            shard: self.run.shard,
            cases: self.run.cases,
            scenarios: u32::try_from(self.scenarios.len()).unwrap_or(u32::MAX),
            properties: self.properties.iter().map(|property| property.id.clone()).collect(),
            apis: self.run.apis.clone(),
        }
    }

    fn judged(&self, clause: &Clause) -> ClauseResult {
        ClauseResult {
            id: clause.id.clone(),
            level: clause.level,
            verdict: clause.verdict,
            exercised: clause.exercised,
            exercised_over: clause.exercised_over.clone(),
            // A report does not say whether a clause that is not applicable was claimed.
            claimed: self.profile_claims(clause),
            reason: clause.reason.clone(),
            because: clause.because.clone(),
            reading: clause.reading.clone(),
            reproduced: clause.reproduced,
            counterexamples: clause.counterexamples.clone(),
        }
    }

    fn profile_claims(&self, clause: &Clause) -> bool {
        if clause.verdict != Verdict::NotApplicable {
            return true;
        }
        let Some(known) = tacit_contract::clause::clause(clause.id.as_str()) else { return false };
        let profile = tacit_contract::Profile::named(&self.profile.id);
        known.revisions.contains(&self.profile.revision)
            && profile.map_or(true, |profile| profile.why_not_claimed(known).is_none())
    }

    fn finished(&self) -> RunFinished {
        const INTERRUPTED: u8 = 130;
        RunFinished {
            duration_ms: self.run.duration_ms,
            sessions: 0,
            prompts: self.run.prompts,
            requests: self.run.requests,
            coverage: self.coverage.clone(),
            conforms: self.conforms,
            exit_code: self.exit_code,
            // Only a run that nothing narrowed ends with this code.
            narrowed: self.summary.not_exercised > 0 && self.exit_code != TOO_LITTLE,
            interrupted: self.exit_code == INTERRUPTED,
            baseline: self.baseline.clone(),
        }
    }
}
