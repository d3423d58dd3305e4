//! Events: the one stream that every report is made of.
//!
//! The NDJSON of it is the record of a run; any other report can be made again from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::baseline::Baselined;
use crate::clause::Level;
use crate::name::{ClauseId, PropertyId};
use crate::part::Part;
use crate::protocol::{Api, Capabilities};
use crate::revision::Revision;
use crate::runtime::RuntimeError;
use crate::shard::Shard;
use crate::timeline::Point;
use crate::verdict::{Breach, Verdict};

/// The version of the events' and the report's format.
pub const SCHEMA_VERSION: u32 = 1;

/// What stands in place of a runtime where recorded traffic is judged without one.
pub const RECORDED: &str = "recorded traffic";

/// One thing that happened in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// The run began.
    RunStarted(RunStarted),
    /// A scenario was played to its end.
    ScenarioFinished(ScenarioResult),
    /// A property began.
    PropertyStarted {
        /// Which.
        id: PropertyId,
        /// How many cases it will play.
        cases: u32,
    },
    /// Some cases of a property were played.
    Progress {
        /// Which property.
        id: PropertyId,
        /// How many so far.
        done: u32,
    },
    /// How long the cases of a property will take whose cases are enumerated.
    Forecast {
        /// Which property.
        id: PropertyId,
        /// How many there are.
        extent: Extent,
        /// How long those will take that are left, at the speed of the first.
        duration_ms: u64,
    },
    /// A property was played to its end.
    PropertyFinished(PropertyResult),
    /// A failing case was shrunk.
    CounterexampleFound(Counterexample),
    /// The runtime failed; each cause comes once.
    RuntimeFailed {
        /// The cause.
        cause: RuntimeError,
        /// How many cases ended with it when it was reported.
        cases: u32,
    },
    /// The cases of one shard were played; it comes where a run is divided.
    ShardPlayed(Box<Part>),
    /// A clause was judged, after all cases.
    ClauseJudged(ClauseResult),
    /// The run was over.
    RunFinished(RunFinished),
}

/// What is run on what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunStarted {
    /// The format of the events.
    pub schema_version: u32,
    /// The version of the harness.
    pub tool_version: String,
    /// How the runtime was asked for.
    pub spec: String,
    /// Whether nobody named a runtime, so that the reference is tested.
    pub by_default: bool,
    /// The runtime's name.
    pub name: String,
    /// The runtime's version.
    pub version: String,
    /// What it can do; `None` where it did not start.
    pub capabilities: Option<Capabilities>,
    /// The profile.
    pub profile: String,
    /// Its revision.
    pub revision: Revision,
    /// The seed of the run.
    pub seed: u64,
    /// When it began, as seconds since 1970-01-01 UTC.
    pub started_at: u64,
    /// Which shard of a run it is; `None` where it is the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Cases per property.
    pub cases: u32,
    /// How many scenarios will be played.
    pub scenarios: u32,
    /// The properties that will be played.
    pub properties: Vec<PropertyId>,
    /// The APIs that are used.
    pub apis: Vec<Api>,
}

/// How a scenario came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ScenarioResult {
    /// Its title.
    pub name: String,
    /// Its feature file.
    pub feature: String,
    /// Its line there.
    pub line: usize,
    /// Its tags, those of rule and feature included, without `@`.
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
    /// What the whole judge found in its traces: of each clause what came first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breaches: Vec<Breach>,
}

/// How a property came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PropertyResult {
    /// Which.
    pub id: PropertyId,
    /// What it is, in a sentence.
    pub sentence: String,
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
    /// How long it took.
    pub duration_ms: u64,
    /// How many cases there are, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extent: Option<Extent>,
}

/// All the cases of a property whose cases are enumerated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Extent {
    /// The most steps of a case.
    pub depth: u32,
    /// How many cases there are of up to so many steps; [`u64::MAX`] stands for more as well.
    pub cases: u64,
}

/// The smallest session that was found to break a clause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Counterexample {
    /// The clause.
    pub clause: ClauseId,
    /// Where the failing case came from: a property's id, or a scenario's title.
    pub found_by: String,
    /// The steps of the session as it was found.
    pub steps_before: u32,
    /// The steps of the shrunk session.
    pub steps: u32,
    /// In how many of three repetitions it failed again.
    pub reproduced: u32,
    /// The session as data.
    pub data: String,
    /// The session as a scenario.
    pub feature: String,
    /// The session, told step by step.
    pub story: Vec<StoryLine>,
    /// What each of its requests showed and had to show, up to the one that shows the breach.
    #[serde(default)]
    pub timeline: Vec<Point>,
    /// What was found.
    pub breach: Breach,
}

impl Counterexample {
    /// Whether it did not fail each time.
    #[must_use]
    pub fn is_flaky(&self) -> bool {
        self.reproduced < 3
    }
}

/// One line of a counterexample's story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoryLine {
    /// What happened.
    pub text: String,
    /// What is wrong with it, on the line that shows the breach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
    /// What the clause asks for, on the same line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<String>,
}

/// How a clause came out, after all cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ClauseResult {
    /// Which.
    pub id: ClauseId,
    /// Its level.
    pub level: Level,
    /// Its verdict.
    pub verdict: Verdict,
    /// How often its premise occurred.
    pub exercised: u64,
    /// How often it occurred over each API, where several were used.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub exercised_over: BTreeMap<Api, u64>,
    /// Whether the profile claims it.
    pub claimed: bool,
    /// Why the verdict is what it is, where that needs saying.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The clause whose breach is the cause of this one's: its smallest session stands in this
    /// one's, and is broken there in the same tool.
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

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunFinished {
    /// How long it took.
    pub duration_ms: u64,
    /// How many sessions were played, variants and scenarios included, shrinking aside.
    pub sessions: u64,
    /// How many prompts were sent.
    pub prompts: u64,
    /// How many provider requests were seen.
    pub requests: u64,
    /// The share of generated sessions under each label.
    pub coverage: BTreeMap<String, f64>,
    /// Whether every claimed `must` clause was kept, but for those that a baseline lists.
    pub conforms: bool,
    /// The exit code.
    pub exit_code: u8,
    /// Whether the run was cut short by its budget, a filter or the user.
    pub narrowed: bool,
    /// Whether the user stopped it.
    pub interrupted: bool,
    /// What came of its baseline, where it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baselined>,
}
