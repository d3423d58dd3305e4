//! From steps to a case: what a scenario plays, as data.

use tacit_contract::profile::ModeTools;
use tacit_contract::session::Bulk;
use tacit_contract::{Case, ClauseId, Mode, Profile, ProviderKind, Session};
use thiserror::Error;

use crate::catalogue::{ScenarioInfo, info};
use crate::meaning::Meaning;
use crate::source::{self, FeatureError, Source};
use crate::vocabulary::understand;
use crate::write::SPEC;

/// The seed of a session where its feature names none.
pub const USUAL_SEED: u64 = 1;

/// A case that is being put together, step by step.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The case so far.
    pub case: Case,
}

impl Default for Draft {
    fn default() -> Self {
        let session = Session {
            seed: USUAL_SEED,
            mode: Mode::Agent,
            provider: ProviderKind::PLAINEST,
            tools: Vec::new(),
            bulk: Bulk::default(),
            steps: Vec::new(),
        };
        Self { case: Case { session, variants: Vec::new() } }
    }
}

impl Draft {
    /// A case that begins with a provider, unless a step names another.
    #[must_use]
    pub fn over(provider: ProviderKind) -> Self {
        let mut draft = Self::default();
        draft.case.session.provider = provider;
        draft
    }

    /// What the runtime has of its own in the session's mode, as a profile says.
    #[must_use]
    pub fn own_tools<'a>(&self, profile: &'a Profile) -> &'a ModeTools {
        profile.mode(self.case.session.mode)
    }

    /// Takes in what a step means; what is expected changes nothing.
    pub fn take(&mut self, meaning: &Meaning) {
        let session = &mut self.case.session;
        match meaning {
            Meaning::Mode(mode, tools) => {
                session.mode = *mode;
                session.tools.extend(tools.iter().cloned());
            }
            Meaning::Tools(tools) => session.tools.extend(tools.iter().cloned()),
            Meaning::Bulk(bulk) => session.bulk = *bulk,
            Meaning::Provider(provider) => session.provider = *provider,
            Meaning::Seed(seed) => session.seed = *seed,
            Meaning::Steps(steps) => session.steps.extend(steps.iter().cloned()),
            Meaning::Variant(variant) => self.case.variants.push(*variant),
            // Which providers there are, only the runtime can tell, and which tools of its own
            // only its profile.
            Meaning::OverEveryProvider
            | Meaning::OfItsOwn(_)
            | Meaning::Expects(_)
            | Meaning::ShowsTheSame
            | Meaning::Keeps(_)
            | Meaning::Holds => {}
        }
    }
}

/// What each scenario of some features plays under a profile, with what is known of it, in
/// the order of the features. One that runs a property plays nothing by itself, and is left out.
#[must_use]
pub fn cases(sources: &[Source], profile: &Profile) -> Vec<(ScenarioInfo, Case)> {
    let mut cases = Vec::new();
    for source in sources {
        for (rule, scenario) in source::scenarios(&source.feature) {
            let info = info(source, rule, scenario);
            if info.property.is_some() {
                continue;
            }
            let mut draft = Draft::default();
            // Every step of a source is known: it was read.
            for meaning in source::steps(&source.feature, rule, scenario).flat_map(understand) {
                draft.take(&meaning.with(draft.own_tools(profile)));
            }
            cases.push((info, draft.case));
        }
    }
    cases
}

/// A counterexample, read back.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// The title of its scenario.
    pub name: String,
    /// What is played.
    pub case: Case,
    /// The clauses that are said to be broken: those of its last steps, else those of its tags.
    pub clauses: Vec<ClauseId>,
    /// How the runtime was asked for on which it was found, where its comment says so.
    pub spec: Option<String>,
}

/// Why a feature cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// It cannot be read.
    #[error(transparent)]
    Feature(#[from] FeatureError),
    /// It holds another number of scenarios than one.
    #[error("{path} holds {found} scenarios: a counterexample holds one")]
    NotOne {
        /// The file.
        path: String,
        /// How many there are.
        found: usize,
    },
}

/// Reads a counterexample.
///
/// # Errors
/// The text is no feature, or holds not one scenario but none or several.
pub fn read_case(path: &str, text: &str) -> Result<Replay, ReplayError> {
    let source = source::parse(path, text)?;
    let all: Vec<_> = source::scenarios(&source.feature).collect();
    let [(rule, scenario)] = all.as_slice() else {
        return Err(ReplayError::NotOne { path: path.to_owned(), found: all.len() });
    };
    let mut draft = Draft::default();
    let mut clauses = Vec::new();
    for step in source::steps(&source.feature, *rule, scenario) {
        let meaning = understand(step).and_then(named).map_err(|problem| FeatureError {
            path: path.to_owned(),
            line: step.position.line,
            column: step.position.col,
            problem,
        })?;
        draft.take(&meaning);
        if let Meaning::Keeps(clause) = meaning {
            clauses.push(clause);
        }
    }
    if clauses.is_empty() {
        clauses = info(&source, *rule, scenario).clauses;
    }
    let mut comments = text.lines().take_while(|line| line.starts_with('#'));
    let spec = comments.find_map(|line| line.strip_prefix(SPEC));
    Ok(Replay {
        name: scenario.name.clone(),
        case: draft.case,
        clauses,
        spec: spec.map(|spec| spec.trim().to_owned()),
    })
}

/// A counterexample is played as it is written, whatever the profile.
fn named(meaning: Meaning) -> Result<Meaning, String> {
    if matches!(meaning, Meaning::OfItsOwn(_)) {
        return Err("a counterexample names the tools that it is about: this step would mean \
                    another one under another profile"
            .to_owned());
    }
    Ok(meaning)
}
