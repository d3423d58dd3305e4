//! Mixes: one strategy of sessions for each property of the suite.

use proptest::strategy::SBoxedStrategy;
use tacit_contract::Session;

use crate::registries::Wanted;
use crate::scenes::Scene;
use crate::sessions::{Recipe, sessions};
use crate::setting::Setting;
use crate::transcripts::Turns;

/// The sessions of one property.
#[derive(Debug, Clone)]
pub struct Mix {
    /// The property's id.
    pub id: &'static str,
    /// What its sessions are about, in one sentence.
    pub about: &'static str,
    /// The capability without which its sessions would say nothing of their own.
    pub needs: Option<Need>,
    /// What its sessions are made of.
    pub recipe: Recipe,
}

/// A capability that a whole mix is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Opening from rows that the harness wrote.
    Transcript,
    /// A change of mode.
    SetMode,
    /// A change of the registry.
    SetTools,
    /// More than one kind of provider: a second API, or native deferral.
    SeveralProviders,
}

impl Need {
    /// The capability's name in the protocol, or what it takes where that is not one capability.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Transcript => "transcript",
            Self::SetMode => "setMode",
            Self::SetTools => "setTools",
            Self::SeveralProviders => "a second kind of provider",
        }
    }
}

impl Mix {
    /// The mix's sessions, for what a runtime can do.
    pub fn strategy(&self, setting: &Setting) -> SBoxedStrategy<Session> {
        sessions(&self.recipe, setting)
    }

    /// What the runtime lacks for this mix to be about anything; `None` if it has it.
    #[must_use]
    pub fn lacks(&self, setting: &Setting) -> Option<Need> {
        self.needs.filter(|need| match need {
            Need::Transcript => !setting.transcript,
            Need::SetMode => !setting.set_mode,
            Need::SetTools => !setting.set_tools,
            Need::SeveralProviders => !setting.several_providers(),
        })
    }
}

/// The mix of a property.
#[must_use]
pub fn mix(id: &str) -> Option<&'static Mix> {
    MIXES.iter().find(|mix| mix.id == id)
}

const fn recipe(scenes: &'static [(Scene, u32)]) -> Recipe {
    Recipe {
        scenes,
        count: 1..=4,
        seeded: 20,
        turns: 1..=3,
        kind: Turns::Any,
        registry: Wanted::Usual,
        spotlight: 20,
    }
}

const fn mix_of(id: &'static str, about: &'static str, recipe: Recipe) -> Mix {
    Mix { id, about, needs: None, recipe }
}

/// What makes evidence, in the proportions that most mixes want.
const EVIDENCE: [(Scene, u32); 8] = [
    (Scene::Find, 12),
    (Scene::Capability, 3),
    (Scene::NextPrompt, 5),
    (Scene::Failing, 4),
    (Scene::Union, 3),
    (Scene::Unsearched, 2),
    (Scene::Plain, 4),
    (Scene::Naming, 2),
];

/// Scenes of a mix's own after those of [`EVIDENCE`].
const fn with_evidence<const OWN: usize, const ALL: usize>(
    own: [(Scene, u32); OWN],
) -> [(Scene, u32); ALL] {
    assert!(EVIDENCE.len() + OWN == ALL, "the lengths must add up");
    let mut all = [(Scene::Plain, 0); ALL];
    let mut at = 0;
    while at < EVIDENCE.len() {
        all[at] = EVIDENCE[at];
        at += 1;
    }
    while at < ALL {
        all[at] = own[at - EVIDENCE.len()];
        at += 1;
    }
    all
}

const ALL_SCENES: [(Scene, u32); 33] = [
    (Scene::Plain, 8),
    (Scene::Naming, 4),
    (Scene::Find, 12),
    (Scene::Capability, 5),
    (Scene::NextPrompt, 5),
    (Scene::Unsearched, 4),
    (Scene::SameBatch, 4),
    (Scene::Union, 4),
    (Scene::Broad, 5),
    (Scene::PluginWide, 3),
    (Scene::Again, 2),
    (Scene::Miss, 4),
    (Scene::Failing, 5),
    (Scene::HostPath, 2),
    (Scene::Saying, 3),
    (Scene::Script, 8),
    (Scene::Provider, 6),
    (Scene::Switch, 4),
    (Scene::Abort, 3),
    (Scene::NewContext, 4),
    (Scene::Restart, 10),
    (Scene::Branch, 4),
    (Scene::Compact, 5),
    (Scene::Mode, 6),
    (Scene::Unplug, 3),
    (Scene::Replug, 4),
    (Scene::Update, 3),
    (Scene::Late, 2),
    (Scene::Elsewhere, 3),
    (Scene::Ahead, 2),
    (Scene::Demanding, 5),
    (Scene::Already, 2),
    (Scene::Unreadable, 1),
];

/// The scenes in which nothing happens but prompts, searches and uses.
const SEARCHES: [(Scene, u32); 15] = [
    (Scene::Plain, 24),
    (Scene::Broad, 15),
    (Scene::PluginWide, 5),
    (Scene::Find, 8),
    (Scene::Capability, 10),
    (Scene::Union, 8),
    (Scene::Again, 5),
    (Scene::Miss, 20),
    (Scene::SameBatch, 3),
    (Scene::NextPrompt, 3),
    (Scene::Script, 22),
    (Scene::Naming, 3),
    (Scene::Demanding, 40),
    (Scene::Already, 8),
    (Scene::Unreadable, 4),
];

const USES: [(Scene, u32); 11] = [
    (Scene::Plain, 10),
    (Scene::Unsearched, 14),
    (Scene::SameBatch, 12),
    (Scene::Failing, 14),
    (Scene::HostPath, 12),
    (Scene::Find, 8),
    (Scene::NextPrompt, 8),
    (Scene::Saying, 8),
    (Scene::Naming, 4),
    (Scene::Script, 8),
    (Scene::Restart, 2),
];

const AFTER_SEEDS: [(Scene, u32); 8] = [
    (Scene::Plain, 14),
    (Scene::Naming, 4),
    (Scene::Find, 6),
    (Scene::Unsearched, 6),
    (Scene::Broad, 2),
    (Scene::Miss, 1),
    (Scene::Restart, 4),
    (Scene::Script, 3),
];

const RESTARTS: [(Scene, u32); 15] = with_evidence([
    (Scene::Restart, 26),
    (Scene::Late, 4),
    (Scene::Switch, 5),
    (Scene::Branch, 6),
    (Scene::Compact, 2),
    (Scene::Replug, 2),
    (Scene::Mode, 2),
]);

const CONTEXT: [(Scene, u32); 13] = with_evidence([
    (Scene::Compact, 14),
    (Scene::NewContext, 12),
    (Scene::Abort, 10),
    (Scene::Branch, 10),
    (Scene::Restart, 4),
]);

const MODES: [(Scene, u32); 11] =
    with_evidence([(Scene::Mode, 30), (Scene::Restart, 4), (Scene::Broad, 3)]);

const PLUGINS: [(Scene, u32); 14] = with_evidence([
    (Scene::Unplug, 12),
    (Scene::Replug, 22),
    (Scene::Update, 16),
    (Scene::Late, 8),
    (Scene::Restart, 5),
    (Scene::PluginWide, 4),
]);

const CATALOGS: [(Scene, u32); 5] = [
    (Scene::Plain, 12),
    (Scene::Find, 6),
    (Scene::Capability, 3),
    (Scene::Broad, 4),
    (Scene::Miss, 3),
];

const PROVIDERS: [(Scene, u32); 12] = with_evidence([
    (Scene::Plain, 6),
    (Scene::Provider, 40),
    (Scene::Switch, 16),
    (Scene::Restart, 3),
]);

/// What every API has a form of its own for: several calls in one batch, failing ones, loads in
/// turn, evidence from before.
const OVER_APIS: [(Scene, u32); 16] = with_evidence([
    (Scene::SameBatch, 5),
    (Scene::Union, 3),
    (Scene::Broad, 4),
    (Scene::Again, 3),
    (Scene::Script, 6),
    (Scene::NewContext, 2),
    (Scene::Restart, 5),
    (Scene::Replug, 2),
]);

const ISOLATION: [(Scene, u32); 11] =
    with_evidence([(Scene::Elsewhere, 26), (Scene::Ahead, 10), (Scene::Restart, 6)]);

const HISTORIES: [(Scene, u32); 13] = with_evidence([
    (Scene::Broad, 3),
    (Scene::Compact, 3),
    (Scene::Branch, 3),
    (Scene::Restart, 5),
    (Scene::Replug, 3),
]);

const TURNS: [(Scene, u32); 8] = EVIDENCE;

const FEW: [(Scene, u32); 4] =
    [(Scene::Plain, 10), (Scene::Find, 8), (Scene::Capability, 4), (Scene::Broad, 3)];

/// Every mix: first those of the properties, then those whose sessions the laws vary.
pub const MIXES: &[Mix] = &[
    mix_of(
        "sessions",
        "Everything that a session can hold.",
        Recipe { count: 1..=5, seeded: 25, ..recipe(&ALL_SCENES) },
    ),
    mix_of(
        "searches",
        "Searches of every kind, alone, in turn and in batches.",
        Recipe { count: 2..=5, seeded: 8, spotlight: 35, ..recipe(&SEARCHES) },
    ),
    mix_of(
        "uses",
        "Calls of tools, active or not, allowed or denied, failing or not.",
        Recipe { seeded: 10, ..recipe(&USES) },
    ),
    Mix {
        needs: Some(Need::Transcript),
        ..mix_of(
            "transcripts",
            "Sessions opened from rows, with evidence true and false.",
            Recipe { count: 1..=3, seeded: 100, turns: 1..=6, ..recipe(&AFTER_SEEDS) },
        )
    },
    mix_of(
        "restarts",
        "Evidence, and then the session saved and opened again.",
        Recipe { count: 2..=5, ..recipe(&RESTARTS) },
    ),
    mix_of(
        "context",
        "Evidence that leaves the context, or was cut off.",
        Recipe { count: 2..=4, ..recipe(&CONTEXT) },
    ),
    Mix {
        needs: Some(Need::SetMode),
        ..mix_of(
            "modes",
            "Modes that change, with evidence that they forbid or allow.",
            Recipe { count: 2..=4, ..recipe(&MODES) },
        )
    },
    Mix {
        needs: Some(Need::SetTools),
        ..mix_of(
            "plugins",
            "Plugins that go, come back and are updated, with evidence of their tools.",
            Recipe { count: 1..=4, ..recipe(&PLUGINS) },
        )
    },
    mix_of(
        "catalogs",
        "Names, descriptions and numbers of tools that strain a catalog.",
        Recipe {
            count: 1..=2,
            seeded: 0,
            registry: Wanted::Catalogs,
            spotlight: 45,
            ..recipe(&CATALOGS)
        },
    ),
    mix_of(
        "providers",
        "Providers that fail before any of their answers, and that change.",
        Recipe { count: 1..=3, seeded: 10, ..recipe(&PROVIDERS) },
    ),
    Mix {
        needs: Some(Need::SeveralProviders),
        ..mix_of(
            "same-over-apis",
            "The same session over every API and both ways of loading.",
            Recipe { count: 1..=3, seeded: 25, ..recipe(&OVER_APIS) },
        )
    },
    mix_of(
        "isolation",
        "A second session in the same process, before, between and after.",
        Recipe { count: 2..=4, ..recipe(&ISOLATION) },
    ),
    mix_of(
        "evidence-is-all",
        "Histories of every kind, of which only the evidence counts.",
        Recipe { count: 2..=4, seeded: 35, ..recipe(&HISTORIES) },
    ),
    mix_of(
        "irrelevant-rows",
        "Turns between which rows can be put that prove nothing.",
        Recipe { count: 1..=3, seeded: 70, turns: 1..=4, kind: Turns::Complete, ..recipe(&TURNS) },
    ),
    mix_of(
        "order",
        "Complete turns that can change places.",
        Recipe {
            count: 1..=3,
            seeded: 90,
            turns: 2..=5,
            kind: Turns::Complete,
            spotlight: 0,
            ..recipe(&TURNS)
        },
    ),
    mix_of(
        "more-evidence",
        "Turns to which more evidence can be added.",
        Recipe { count: 1..=3, seeded: 70, turns: 1..=4, kind: Turns::Complete, ..recipe(&TURNS) },
    ),
    mix_of(
        "registry-texts",
        "Registries whose order and texts can be changed.",
        Recipe { count: 1..=2, seeded: 10, registry: Wanted::Texts, ..recipe(&FEW) },
    ),
    mix_of(
        "growth",
        "Small sessions whose registry can grow.",
        Recipe {
            count: 1..=2,
            seeded: 0,
            registry: Wanted::Growing,
            spotlight: 10,
            ..recipe(&FEW)
        },
    ),
];
