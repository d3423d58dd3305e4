//! What is tested, and what it is held to: the flags, then `tacit.toml`, then what is built in.

use std::path::{Path, PathBuf};

use tacit_contract::Profile;
use tacit_contract::protocol::Api;
use tacit_suite::{Exit, Limits, Subject};

use crate::args::{RunArgs, SubjectArgs};
use crate::nearest::did_you_mean;
use crate::problem::Problem;
use crate::settings::{Entry, Settings};
use crate::{output, page, profile, runtime, settings};

/// What is tested, and what it is held to.
#[derive(Debug)]
pub struct Choice {
    /// The runtime.
    pub subject: Subject,
    /// How it was asked for.
    pub spec: String,
    /// Whether nobody asked for it.
    pub by_default: bool,
    /// The profile.
    pub profile: Profile,
    /// The files that say all this.
    pub files: Vec<PathBuf>,
    /// How long it may take.
    pub limits: Limits,
    /// The provider APIs that are used, as far as it speaks them.
    pub apis: Vec<Api>,
    /// What to do if it cannot be used, where that is known beforehand.
    advice: Option<String>,
}

impl Choice {
    /// Says what to do about a runtime that could not be used.
    pub fn advise(advice: Option<&str>, exit: Exit) {
        if let (Exit::Unusable, Some(advice)) = (exit, advice) {
            output::say(&page::hang("help: ", advice));
        }
    }

    /// What to do if the runtime cannot be used.
    pub fn advice(&self) -> Option<String> {
        self.advice.clone()
    }
}

/// Where the command was called: what it depends on beside its arguments.
#[derive(Debug)]
pub struct Surroundings {
    folder: PathBuf,
    settings: Option<Settings>,
    /// Whether this is a job without a person to look at it.
    unattended: bool,
}

impl Surroundings {
    /// Looks around.
    pub fn look() -> Result<Self, Problem> {
        let folder = std::env::current_dir()
            .map_err(|error| Problem::usage(format!("there is no current folder: {error}")))?;
        let settings = Settings::find(&folder)?;
        let unattended = std::env::var_os("CI")
            .is_some_and(|value| !value.is_empty() && !value.eq_ignore_ascii_case("false"));
        Ok(Self { folder, settings, unattended })
    }

    /// Puts what `tacit.toml` says of runs where the arguments say nothing.
    pub fn complete(&self, args: &mut RunArgs) {
        if let Some(settings) = &self.settings {
            settings.run.complete(&settings.folder, args);
        }
    }

    /// Chooses the runtime; the profile is `otherwise` where neither a flag nor `tacit.toml`
    /// names one.
    pub fn choose(&self, args: &SubjectArgs, otherwise: &str) -> Result<Choice, Problem> {
        let by_default = args.runtime.is_none() && self.has_no_runtime()?;
        if by_default && self.unattended {
            return Err(Problem::usage(
                "no runtime is named, and `CI` is set: a job that lost its flag would test the \
                 reference for ever",
            )
            .help(
                "name the runtime with `--runtime SPEC` or in tacit.toml; the reference itself \
                 is `--runtime reference`",
            ));
        }
        let spec = match &args.runtime {
            Some(spec) => spec.as_str(),
            None => self.only_one()?.unwrap_or("reference"),
        };
        let entry = self.entry(spec);
        let named = args.profile.as_deref();
        let in_settings = entry.and_then(|(entry, _)| entry.profile.as_deref());
        let (name, folder) = match (named, in_settings) {
            (None, Some(name)) => (name, self.settings_folder()),
            (named, _) => (named.unwrap_or(otherwise), self.folder.as_path()),
        };
        let profile = profile::load(name, folder)?;
        let settings = self.settings.iter().map(|settings| settings.folder.join(settings::NAME));
        let files = settings.chain(profile::file(name, folder)).collect();
        let limits = Limits::default();
        let step = args.timeout.or_else(|| entry?.0.timeout).unwrap_or(limits.step);
        let start = args.start_timeout.or_else(|| entry?.0.start_timeout).unwrap_or(limits.start);
        let memory = entry.and_then(|(entry, _)| entry.memory).unwrap_or(limits.memory);
        Ok(Choice {
            subject: self.subject(spec, &profile)?,
            spec: spec.to_owned(),
            by_default,
            profile,
            files,
            limits: Limits { step, start, memory },
            apis: args.api.list(),
            advice: entry.and_then(|(entry, folder)| runtime::missing(spec, entry, folder)),
        })
    }

    /// Whether neither a flag nor `tacit.toml` would say which runtime is meant.
    pub fn has_no_runtime(&self) -> Result<bool, Problem> {
        self.only_one().map(|only| only.is_none())
    }

    /// Whether the entry of a runtime, or of the only one, names a profile.
    pub fn names_a_profile(&self, spec: Option<&str>) -> bool {
        let spec = spec.or_else(|| self.only_one().ok().flatten());
        let entry = spec.and_then(|spec| self.entry(spec));
        entry.is_some_and(|(entry, _)| entry.profile.is_some())
    }

    fn entry(&self, spec: &str) -> Option<(&Entry, &Path)> {
        let settings = self.settings.as_ref()?;
        Some((settings.runtimes.get(spec)?, settings.folder.as_path()))
    }

    fn settings_folder(&self) -> &Path {
        self.settings.as_ref().map_or(&self.folder, |settings| &settings.folder)
    }

    /// The one runtime of `tacit.toml`, which needs no flag.
    fn only_one(&self) -> Result<Option<&str>, Problem> {
        let Some(settings) = &self.settings else { return Ok(None) };
        let mut names = settings.names();
        match (names.next(), names.next()) {
            (None, _) => Ok(None),
            (Some(name), None) => Ok(Some(name)),
            (Some(first), Some(_)) => {
                let all = settings.names().collect::<Vec<_>>().join(", ");
                Err(Problem::usage(format!("{} names several runtimes: {all}", settings.file))
                    .help(format!("say which is meant, such as `--runtime {first}`")))
            }
        }
    }

    fn subject(&self, spec: &str, profile: &Profile) -> Result<Subject, Problem> {
        if let Some((entry, folder)) = self.entry(spec) {
            return runtime::entry(entry, folder);
        }
        if let Some(subject) = runtime::reference(spec, profile.revision) {
            return subject;
        }
        if let Some(subject) = runtime::program(spec) {
            return subject;
        }
        let names = self.settings.iter().flat_map(Settings::names);
        let hint = did_you_mean(spec, names.chain(["reference"]));
        Err(Problem::usage(format!("there is no runtime `{spec}`{hint}")).help(
            "expected `reference`, `reference@r2`, `reference+FAULT`, `stdio:COMMAND ARGS…`, \
             `nib:COMMAND ARGS…` or a name from tacit.toml",
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::args::values::Apis;

    fn around(text: &str, unattended: bool) -> (tempfile::TempDir, Surroundings) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("tacit.toml"), text).unwrap();
        let settings = Settings::find(folder.path()).unwrap();
        let around = Surroundings { folder: folder.path().to_owned(), settings, unattended };
        (folder, around)
    }

    fn args(runtime: Option<&str>) -> SubjectArgs {
        SubjectArgs {
            runtime: runtime.map(str::to_owned),
            profile: None,
            api: Apis::All,
            timeout: None,
            start_timeout: None,
        }
    }

    const ONE: &str =
        "[runtimes.mine]\ncommand = [\"x\"]\nprofile = \"nib-r2\"\ntimeout = \"3s\"\n";

    #[test]
    fn without_a_name_the_reference_is_tested_unless_nobody_would_see_it() {
        let (_folder, quiet) = around("", true);
        let error = quiet.choose(&args(None), "nib-r3").unwrap_err();
        assert_eq!(error.exit(), Exit::Usage);
        assert!(quiet.choose(&args(Some("reference")), "nib-r3").is_ok());
        let (_folder, seen) = around("", false);
        let choice = seen.choose(&args(None), "nib-r3").unwrap();
        assert!(choice.by_default);
        assert_eq!(choice.spec, "reference");
    }

    #[test]
    fn the_one_runtime_of_the_file_needs_no_name_and_several_do() {
        let (_folder, one) = around(ONE, true);
        let choice = one.choose(&args(None), "nib-r3").unwrap();
        assert_eq!((choice.spec.as_str(), choice.by_default), ("mine", false));
        let (_folder, two) = around(&format!("{ONE}\n[runtimes.b]\ncommand = [\"y\"]\n"), false);
        let error = two.choose(&args(None), "nib-r3").unwrap_err().to_string();
        assert!(error.contains("b, mine") || error.contains("mine, b"), "{error}");
        assert!(two.choose(&args(Some("b")), "nib-r3").is_ok());
    }

    #[test]
    fn a_flag_wins_over_the_file_and_the_file_over_what_is_built_in() {
        let (_folder, around) = around(ONE, false);
        let choice = around.choose(&args(Some("mine")), "nib-r3").unwrap();
        assert_eq!(choice.profile.id, "nib-r2");
        assert_eq!(choice.limits.step, Duration::from_secs(3));
        assert_eq!(choice.limits.start, Duration::from_mins(1));
        let flags = SubjectArgs {
            profile: Some("nib-r1".to_owned()),
            timeout: Some(Duration::from_secs(7)),
            ..args(Some("mine"))
        };
        let choice = around.choose(&flags, "nib-r3").unwrap();
        assert_eq!(choice.profile.id, "nib-r1");
        assert_eq!(choice.limits.step, Duration::from_secs(7));
    }

    #[test]
    fn the_reference_follows_the_revision_of_the_profile() {
        let (_folder, around) = around("", false);
        let flags = SubjectArgs { profile: Some("nib-r1".to_owned()), ..args(Some("reference")) };
        let choice = around.choose(&flags, "nib-r3").unwrap();
        assert!(matches!(
            choice.subject,
            Subject::Reference { revision: tacit_contract::Revision::R1, .. }
        ));
    }

    #[test]
    fn what_is_no_runtime_gets_the_nearest_name() {
        let (_folder, around) = around(ONE, false);
        let error = |spec| around.choose(&args(Some(spec)), "nib-r3").unwrap_err().to_string();
        assert!(error("mien").contains("did you mean `mine`?"));
        assert!(error("refrence").contains("did you mean `reference`?"));
        assert!(error("nob:sidecar").contains("there is no runtime"));
    }
}
