//! The small world of the exhaustive search: three deferred tools of two plugins.

use tacit_contract::{Mode, Origin, ProviderKind, ToolName, ToolSpec};

use crate::setting::Setting;

/// A query that each of the three tools answers: the word stands in every description.
pub(super) const WIDE: &str = "team";

/// A query that none of them answers.
pub(super) const MISS: &str = "quantum trombone";

/// A tool of the small world.
///
/// The first two are of one plugin and alike in all but their names: a session in which they
/// change places is the same session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Tool {
    First,
    Second,
    Other,
}

impl Tool {
    pub(super) const ALL: [Self; 3] = [Self::First, Self::Second, Self::Other];

    pub(super) fn name(self) -> ToolName {
        match self {
            Self::First => "acme_weather",
            Self::Second => "acme_tickets",
            Self::Other => "beta_notes",
        }
        .into()
    }

    fn plugin(self) -> Plugin {
        match self {
            Self::First | Self::Second => Plugin::OfTwo,
            Self::Other => Plugin::OfOne,
        }
    }

    /// One mode defers all three, one the first two, one the other, and one none: each tool meets
    /// a mode that forbids it, and there is a catalog with nothing in it.
    fn spec(self) -> ToolSpec {
        let (description, modes) = match self {
            Self::First => ("Forecast rain and wind for the team.", [Mode::Agent, Mode::Plan]),
            Self::Second => ("List the defects that the team filed.", [Mode::Agent, Mode::Plan]),
            Self::Other => ("Jot a reminder on a page of the team.", [Mode::Agent, Mode::Chat]),
        };
        ToolSpec::deferred(self.name(), description, Origin::plugin(self.plugin().id()), &modes)
    }
}

/// A plugin of the small world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Plugin {
    OfTwo,
    OfOne,
}

impl Plugin {
    pub(super) const ALL: [Self; 2] = [Self::OfTwo, Self::OfOne];

    pub(super) fn id(self) -> &'static str {
        match self {
            Self::OfTwo => "acme",
            Self::OfOne => "beta",
        }
    }
}

/// The tools of every session.
pub(super) fn tools() -> Vec<ToolSpec> {
    Tool::ALL.map(Tool::spec).to_vec()
}

/// What a runtime can do, as far as the exhaustive search depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    pub(super) setting: Setting,
    /// The kinds of provider that there are; sessions begin with the first.
    pub(super) kinds: Vec<ProviderKind>,
    /// The modes in which a file can be read with a core tool.
    pub(super) reads: Vec<Mode>,
}

impl World {
    /// The world of a runtime: what it can do, the kinds of provider that it is played with, of
    /// which sessions begin with the first, and the modes in which it reads files with a core
    /// tool whose name is known.
    #[must_use]
    pub fn new(setting: Setting, kinds: Vec<ProviderKind>, reads: Vec<Mode>) -> Self {
        Self { setting, kinds, reads }
    }

    pub(super) fn provider(&self) -> ProviderKind {
        self.kinds.first().copied().unwrap_or_default()
    }

    /// The modes that sessions begin in: the plainest, since a step leads to the others; where
    /// there is no such step, each.
    pub(super) fn beginnings(&self) -> &[Mode] {
        let modes = &self.setting.modes;
        if self.setting.set_mode { &modes[..modes.len().min(1)] } else { modes }
    }

    /// A tool that is always there: what a forged marker stands on.
    pub(super) fn core(&self) -> ToolName {
        let name = self.setting.all_core_names().into_iter().next();
        name.unwrap_or_else(|| "Read".into())
    }
}
