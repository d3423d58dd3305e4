//! Properties: a mix of sessions, and the variants that each of them is held against.

use tacit_contract::{Case, Profile, PropertyId, ProviderKind, Session, Variant};
use tacit_generators::{MIXES, Mix, Setting};

/// One property.
#[derive(Debug, Clone, Copy)]
pub struct Property {
    /// The sessions.
    pub mix: &'static Mix,
    /// What each of them is compared with, in turn or all at once.
    pub variants: Variants,
}

/// Which variants a property's cases have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variants {
    /// None: each session is judged by itself.
    None,
    /// One of these, in turn with the number of the case.
    Each(&'static [Variant]),
    /// One of the other kinds of provider, in turn.
    OtherProviders,
    /// All of these, in every so many-th case, for they cost much.
    All {
        /// The variants.
        variants: &'static [Variant],
        /// One case in so many has them.
        every: u64,
    },
}

const GROWTH: &[Variant] = &[
    Variant::Grown { tools: 10 },
    Variant::Grown { tools: 100 },
    Variant::Grown { tools: 1000 },
    Variant::Grown { tools: 10_000 },
    Variant::LongTexts { characters: 200 },
    Variant::LongTexts { characters: 100_000 },
];

const VARIANTS: &[(&str, Variants)] = &[
    ("restarts", Variants::Each(&[Variant::Restarted, Variant::FromRows])),
    (
        "evidence-is-all",
        Variants::Each(&[Variant::FromRows, Variant::OtherPast, Variant::Restarted]),
    ),
    ("irrelevant-rows", Variants::Each(&[Variant::WithIrrelevantRows])),
    ("order", Variants::Each(&[Variant::Permuted])),
    ("more-evidence", Variants::Each(&[Variant::WithMoreEvidence])),
    ("registry-texts", Variants::Each(&[Variant::Reordered, Variant::Reworded])),
    ("same-over-apis", Variants::OtherProviders),
    ("growth", Variants::All { variants: GROWTH, every: 64 }),
];

/// Every property, in the order in which they are played.
pub fn properties() -> impl Iterator<Item = Property> {
    MIXES.iter().map(|mix| {
        let variants = VARIANTS.iter().find(|(id, _)| *id == mix.id);
        Property { mix, variants: variants.map_or(Variants::None, |(_, variants)| *variants) }
    })
}

/// The property of an id.
#[must_use]
pub fn property(id: &str) -> Option<Property> {
    properties().find(|property| property.mix.id == id)
}

impl Property {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> PropertyId {
        PropertyId::from(self.mix.id)
    }

    /// The case of a session, on a runtime with these kinds of provider. The kinds take turns
    /// with the number of the case, and the variants with each round of the kinds.
    #[must_use]
    pub fn case(&self, number: u64, session: Session, kinds: &[ProviderKind]) -> Case {
        let turn = |of: usize| {
            let round = number / kinds.len().max(1) as u64;
            usize::try_from(round).unwrap_or_default() % of.max(1)
        };
        let variants = match self.variants {
            Variants::Each(variants) => vec![variants[turn(variants.len())]],
            Variants::OtherProviders => {
                let others: Vec<_> =
                    kinds.iter().filter(|kind| **kind != session.provider).collect();
                let other = others.get(turn(others.len()));
                other.map(|provider| Variant::Over { provider: **provider }).into_iter().collect()
            }
            Variants::All { variants, every } if number.is_multiple_of(every) => variants.to_vec(),
            Variants::None | Variants::All { .. } => Vec::new(),
        };
        Case { session, variants }
    }

    /// Why a runtime has no use for it; `None` where it has.
    #[must_use]
    pub fn lacks(&self, setting: &Setting) -> Option<String> {
        self.mix.lacks(setting).map(|need| format!("the runtime does not have {}", need.as_str()))
    }
}

/// What generators may use of a runtime under a profile.
#[must_use]
pub fn setting(profile: &Profile, runtime: &tacit_contract::protocol::Description) -> Setting {
    let mut capabilities = runtime.capabilities.clone();
    // A mode that the profile does not describe has no core set to be held to.
    capabilities.modes.retain(|mode| profile.modes.contains_key(mode));
    let core = profile.modes.iter().map(|(mode, tools)| (*mode, tools.core.clone())).collect();
    Setting::of(&capabilities, &profile.dialect(&runtime.dialect), core)
}
