//! What a step of a scenario means, once it is understood.

use tacit_contract::session::Bulk;
use tacit_contract::{ClauseId, Mode, ProviderKind, Step, ToolSpec, Variant};

use tacit_judge::expect::Expectation;

/// What a step of a scenario means.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    /// The session begins in this mode.
    Mode(Mode, Vec<ToolSpec>),
    /// The session has these tools as well.
    Tools(Vec<ToolSpec>),
    /// The session has so many tools more.
    Bulk(Bulk),
    /// The provider that the session begins with.
    Provider(ProviderKind),
    /// The session's seed.
    Seed(u64),
    /// This happens.
    Steps(Vec<Step>),
    /// A variant of the session is played as well.
    Variant(Variant),
    /// The model finds, one by one, all that the runtime defers of its own.
    FindsItsOwn,
    /// The session is played over every other provider of the runtime as well.
    OverEveryProvider,
    /// This is expected of what was seen.
    Expects(Expectation),
    /// The session and its variants show the same tools where the last prompt begins.
    ShowsTheSame,
    /// A clause of the contract is kept in all that was seen.
    Keeps(ClauseId),
    /// The scenario's property holds.
    Holds,
}
