//! Other sessions, and changes of the registry.

use super::{must, should};
use crate::faults::Fault;
use crate::switches::Switch;

pub(super) const ROWS: &[Fault] = &[
    must(
        Switch::NewSessionInherits,
        "new-session-inherits",
        &["can1357/oh-my-pi PR #453"],
        &["isolation.sessions"],
        Some(3),
        "A new session begins with what was last active in another.",
    ),
    must(
        Switch::CrossSessionLeak,
        "cross-session-leak",
        &["everruns/everruns PR #2130"],
        &["isolation.sessions"],
        Some(2),
        "All sessions of a process share one active set.",
    ),
    must(
        Switch::RestoreUnknownNameThrows,
        "restore-unknown-name-throws",
        &["fastagent-sh/fastagent PR #234"],
        &["registry.removed"],
        Some(4),
        "Evidence for a tool that is gone ends every prompt with an error.",
    ),
    must(
        Switch::RemovedToolLingers,
        "removed-tool-lingers",
        &["anthropics/claude-code #82004"],
        &["registry.removed"],
        Some(4),
        "An activated tool of a removed plugin stays listed and sent.",
    ),
    should(
        Switch::ReconnectNotReadded,
        "reconnect-not-readded",
        &["anthropics/claude-code #38043"],
        &["registry.fresh"],
        Some(5),
        "A tool that was removed once is never taken again.",
    ),
    should(
        Switch::ListChangedIgnored,
        "list-changed-ignored",
        &["microsoft/wassette #259"],
        &["registry.fresh"],
        Some(4),
        "Tools that are added to an open session are not taken up.",
    ),
    should(
        Switch::PluginShadowsCore,
        "plugin-shadows-core",
        &[],
        &["registry.reserved"],
        None,
        "A plugin's tool takes the place of an own tool of that name.",
    ),
    should(
        Switch::CollisionSendsBoth,
        "collision-sends-both",
        &[],
        &["registry.collisions"],
        None,
        "Of two tools of one name both are sent.",
    ),
    should(
        Switch::RandomOrder,
        "random-order",
        &[
            "SamSaffron/term-llm PR #113",
            "whoz-oss/coday #1322",
            "redpanda-data/ai-sdk-go PR #157",
            "topcheer/ggcode PR #2445",
        ],
        &["order.stable"],
        Some(3),
        "The order of the tools differs from request to request.",
    ),
    must(
        Switch::DefaultKeySharing,
        "default-key-sharing",
        &["mastra-ai/mastra PR #17691"],
        &["isolation.sessions"],
        Some(2),
        "Sessions that were never saved share one active set.",
    ),
    must(
        Switch::RemovedToolExecutes,
        "removed-tool-executes",
        &[],
        &["registry.removed"],
        None,
        "A call of a removed plugin's tool is executed.",
    ),
];
