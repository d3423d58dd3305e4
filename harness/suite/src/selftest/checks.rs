//! The checks that every fault is tried with, made once.

use std::sync::Arc;

use tacit_contract::profile::built_in as built_in_profile;
use tacit_contract::protocol::Description;
use tacit_contract::{ClauseId, Profile, ProviderKind, Revision};
use tacit_reference::Switches;
use tacit_steps::catalogue::{ScenarioInfo, built_in, catalogue};
use tacit_steps::source::Source;

use super::PROFILE;
use crate::bench::Bench;
use crate::config::{Config, Subject};
use crate::error::RunError;
use crate::generate::Cases;
use crate::order::likeliest_first;
use crate::property::{properties, setting};
use crate::providers::kinds;
use crate::scenarios::Selection;

/// The scenarios and the properties, for the reference under its profile.
#[derive(Debug)]
pub struct Checks {
    profile: Profile,
    sources: Vec<Source>,
    scenarios: Vec<ScenarioInfo>,
    properties: Vec<Cases>,
    cases: u32,
    seed: u64,
    /// Who the reference is, whatever it does wrong.
    pub(super) runtime: Description,
    /// The kinds of provider that it can be played with, the plainest first.
    pub(super) kinds: Vec<ProviderKind>,
}

impl Checks {
    /// The checks of a seed, with so many cases of each property.
    ///
    /// # Errors
    /// The profile or the features cannot be read, or the reference does not start.
    pub fn new(seed: u64, cases: u32) -> Result<Self, RunError> {
        let own_fault = |_: &dyn std::fmt::Display| RunError::OwnFault;
        let profile = Profile::named(PROFILE).map_err(|error| own_fault(&error))?;
        let sources = built_in().map_err(|error| own_fault(&error))?;
        let faultless = config(Switches::none(), &profile, seed, cases);
        let bench = Bench::new(Arc::new(faultless)).map_err(|error| own_fault(&error))?;
        let runtime = bench.describe().map_err(|error| own_fault(&error))?;
        let kinds = kinds(&runtime);
        let setting = setting(&profile, &runtime);
        let properties = properties()
            .filter(|property| property.lacks(&setting).is_none())
            .map(|property| Cases::new(property, &setting, seed, &kinds))
            .collect();
        let scenarios = catalogue(&sources);
        Ok(Self { profile, sources, scenarios, properties, cases, seed, runtime, kinds })
    }

    /// A bench for the reference with these switches.
    ///
    /// # Errors
    /// The thread's own runtime could not be made.
    pub(super) fn bench(&self, switches: Switches) -> Result<Bench, RunError> {
        self.bench_under(switches, None)
    }

    /// The same under a profile in which one line is another.
    ///
    /// # Errors
    /// As [`Self::bench`]; or the line is none of a profile.
    pub(super) fn bench_under(
        &self,
        switches: Switches,
        line: Option<&str>,
    ) -> Result<Bench, RunError> {
        let profile = line.map_or_else(|| Ok(self.profile.clone()), with_line)?;
        let config = config(switches, &profile, self.seed, self.cases);
        Bench::new(Arc::new(config)).map_err(|_| RunError::OwnFault)
    }

    /// How many cases of each property are played at the most.
    pub(super) fn cases(&self) -> u32 {
        self.cases
    }

    /// The scenarios about these clauses, each on its own.
    pub(super) fn scenarios(&self, clauses: &[ClauseId]) -> Vec<Selection> {
        self.playable(|scenario| clauses.iter().any(|clause| scenario.clauses.contains(clause)))
    }

    /// Every scenario, each on its own.
    pub(super) fn all_scenarios(&self) -> Vec<Selection> {
        self.playable(|_| true)
    }

    fn playable(&self, wanted: impl Fn(&ScenarioInfo) -> bool) -> Vec<Selection> {
        self.scenarios
            .iter()
            .filter(|scenario| scenario.property.is_none() && wanted(scenario))
            .map(|scenario| Selection::of(scenario, &self.sources))
            .collect()
    }

    /// Every property.
    pub(super) fn all_properties(&self) -> &[Cases] {
        &self.properties
    }

    /// The properties, the likeliest to break these clauses first.
    pub(super) fn properties(&self, clauses: &[ClauseId]) -> Vec<&Cases> {
        let of = |id| self.properties.iter().find(|cases| cases.property().mix.id == id);
        likeliest_first(clauses, &self.scenarios)
            .into_iter()
            .filter_map(|property| of(property.mix.id))
            .collect()
    }
}

/// The profile with a line in place of the one that says something else of the same.
fn with_line(line: &str) -> Result<Profile, RunError> {
    let text = built_in_profile(PROFILE).ok_or(RunError::OwnFault)?;
    let name = |line: &str| line.split('=').next().map(str::trim).map(str::to_owned);
    let of_same = |other: &&str| name(other) != name(line);
    let rest: Vec<&str> = text.lines().filter(of_same).collect();
    Profile::parse(&format!("{line}\n{}", rest.join("\n"))).map_err(|_| RunError::OwnFault)
}

/// The settings under which faults are tried.
fn config(switches: Switches, profile: &Profile, seed: u64, cases: u32) -> Config {
    let subject = Subject::Reference { revision: Revision::R3, switches };
    Config { cases, seed, info: true, ..Config::new(subject, "reference", profile.clone()) }
}
