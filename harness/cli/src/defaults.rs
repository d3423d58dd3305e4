//! `[run]` of `tacit.toml`: what `tacit run` does where no flag says otherwise.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Deserializer};
use tacit_reports::Target;

use crate::args::RunArgs;
use crate::toml_value;

/// What `tacit run` does where no flag says otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Defaults {
    runtime: Option<String>,
    #[serde(deserialize_with = "toml_value::cases")]
    cases: Option<u32>,
    #[serde(deserialize_with = "toml_value::duration")]
    time_budget: Option<Duration>,
    #[serde(deserialize_with = "toml_value::jobs")]
    jobs: Option<NonZeroUsize>,
    strict: Option<bool>,
    allow_unexercised: Option<bool>,
    baseline: Option<PathBuf>,
    corpus: Option<PathBuf>,
    #[serde(deserialize_with = "targets")]
    report: Vec<Target>,
}

impl Defaults {
    /// Puts them where the arguments say nothing; paths begin at the folder of the file.
    pub fn complete(&self, folder: &Path, args: &mut RunArgs) {
        let amount = &mut args.amount;
        args.subject.runtime = args.subject.runtime.take().or_else(|| self.runtime.clone());
        amount.cases = amount.cases.or(self.cases);
        amount.jobs = amount.jobs.or(self.jobs);
        args.time_budget = args.time_budget.or(self.time_budget);
        args.strict = args.strict.or(self.strict);
        args.allow_unexercised = args.allow_unexercised.or(self.allow_unexercised);
        let from = |path: &PathBuf| folder.join(path);
        args.baseline = args.baseline.take().or_else(|| self.baseline.as_ref().map(from));
        args.corpus = args.corpus.take().or_else(|| self.corpus.as_ref().map(from));
        if args.report.is_empty() {
            let here = |target: &Target| Target { path: from(&target.path), ..target.clone() };
            args.report = self.report.iter().map(here).collect();
        }
    }
}

fn targets<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Target>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| text.parse().map_err(serde::de::Error::custom)).collect()
}
