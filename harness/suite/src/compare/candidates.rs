//! The sessions on which two runtimes are tried.

use std::ops::Range;

use tacit_contract::protocol::Description;
use tacit_contract::{Call, Case, Mode, Profile, ProviderKind, Query, Session, Step, Variant};
use tacit_generators::Setting;
use tacit_generators::runner::{master, sample};
use tacit_steps::case::cases;
use tacit_steps::catalogue::built_in;

use crate::error::RunError;
use crate::property::{properties, setting};
use crate::providers::{kinds, of_case};

/// A session that may show a difference, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The session, and its variants for clauses that compare.
    pub case: Case,
    /// A property's id, a scenario's title, or what it was kept as.
    pub found_by: String,
}

impl Candidate {
    /// A session by itself.
    #[must_use]
    pub fn of(session: Session, found_by: impl Into<String>) -> Self {
        Self { case: Case { session, variants: Vec::new() }, found_by: found_by.into() }
    }
}

/// What both runtimes can be played with.
#[derive(Debug, Clone)]
pub struct Common {
    /// What both can do.
    pub setting: Setting,
    /// The kinds of provider that both have.
    pub kinds: Vec<ProviderKind>,
    /// The first one's profile: scenarios speak of a runtime's own tools without names.
    pub profile: Profile,
}

impl Common {
    /// What two runtimes have in common under their profiles.
    #[must_use]
    pub fn of(profiles: [&Profile; 2], runtimes: [&Description; 2]) -> Self {
        let [one, other] = [0, 1].map(|side| setting(profiles[side], runtimes[side]));
        let others = kinds(runtimes[1]);
        let mut kinds = kinds(runtimes[0]);
        kinds.retain(|kind| others.contains(kind));
        Self { setting: one.meet(&other), kinds, profile: profiles[0].clone() }
    }

    /// Whether a session can be played on both from its beginning. A step that one of them
    /// cannot take does nothing there, and would be a difference of what they can do.
    #[must_use]
    pub fn takes(&self, session: &Session) -> bool {
        let can = &self.setting;
        let mode = |mode: &Mode| can.modes.contains(mode);
        let call = |call: &Call| match call {
            Call::NewContext => can.new_context,
            Call::Search { query: Query::Limited { .. } } => can.limit,
            _ => true,
        };
        let step = |step: &Step| match step {
            Step::Seed(_) | Step::Restart { from_rows: true, .. } => can.transcript,
            Step::Abort => can.abort,
            Step::Compact => can.compact,
            Step::SetMode { mode: to } => can.set_mode && mode(to),
            Step::Unplug { .. }
            | Step::Plug { .. }
            | Step::Update { .. }
            | Step::RestartLate { .. } => can.set_tools,
            Step::Answer { calls } => calls.iter().all(call),
            Step::SwitchProvider { to } => to.than(session.provider, &self.kinds).is_some(),
            _ => true,
        };
        mode(&session.mode)
            && self.kinds.contains(&session.provider)
            && session.steps.iter().all(step)
    }
}

/// The sessions of the built-in scenarios and their variants, the shortest first: they are
/// short, and each is about one thing that runtimes get wrong.
///
/// # Errors
/// A feature cannot be read: a fault of the harness.
pub fn of_scenarios(common: &Common) -> Result<Vec<Candidate>, RunError> {
    let sources = built_in().map_err(|error| RunError::Usage(error.to_string()))?;
    let mut candidates: Vec<Candidate> = Vec::new();
    for (scenario, mut case) in cases(&sources, &common.profile) {
        if !common.kinds.contains(&case.session.provider) {
            let Some(kind) = common.kinds.first() else { break };
            case.session.provider = *kind;
        }
        let name = &scenario.name;
        candidates.extend(with_variants(case).map(|session| Candidate::of(session, name)));
    }
    candidates.retain(|candidate| common.takes(&candidate.case.session));
    candidates.sort_by_key(|candidate| candidate.case.session.length());
    Ok(candidates)
}

/// A case's session and what its variants make of it, each as a session of its own.
pub fn with_variants(case: Case) -> impl Iterator<Item = Session> {
    let base = case.session.clone();
    let of = move |variant: Variant| variant.of(&base);
    std::iter::once(case.session).chain(case.variants.into_iter().filter_map(of))
}

/// The sessions of all mixes in a round of cases.
#[must_use]
pub fn generated(seed: u64, common: &Common, round: &Range<u32>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for property in properties().filter(|property| property.lacks(&common.setting).is_none()) {
        let strategy = property.mix.strategy(&common.setting);
        let master = master(seed, property.mix.id);
        for number in round.clone().map(u64::from) {
            let Ok(mut session) = sample(&strategy, master, number) else { continue };
            session.provider = of_case(number, &common.kinds);
            candidates.push(Candidate::of(session, property.mix.id));
        }
    }
    candidates
}

/// Whether two profiles leave a mode in which both can be played, said of the modes of both.
#[must_use]
pub fn no_common_mode(profiles: [&Profile; 2], common: &Common) -> Option<String> {
    common.setting.modes.is_empty().then(|| {
        let of = |profile: &Profile| {
            profile.modes.keys().map(|mode| mode.as_str()).collect::<Vec<_>>().join(", ")
        };
        format!("no mode is common to both ({}; {})", of(profiles[0]), of(profiles[1]))
    })
}
