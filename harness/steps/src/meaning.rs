//! What a step of a scenario means, once it is understood.

use tacit_contract::profile::ModeTools;
use tacit_contract::session::Bulk;
use tacit_contract::{
    Call, ClauseId, Mode, Origin, ProviderKind, Query, Step, ToolName, ToolSpec, Variant,
};

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
    /// What only a profile can tell: it is about tools of the runtime's own.
    OfItsOwn(Own),
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

/// A step that is about tools of the runtime's own, without their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Own {
    /// The model finds, one by one, all that the runtime itself defers.
    FindsDeferred,
    /// A plugin brings a deferred tool that is named like the first core tool.
    BringsCoreName,
    /// The model searches for the first core tool by its name.
    SearchesCoreName,
}

impl Meaning {
    /// What a step means where the runtime has these tools of its own.
    #[must_use]
    pub fn with(self, tools: &ModeTools) -> Self {
        let Self::OfItsOwn(own) = self else { return self };
        let core = tools.core.first();
        match own {
            Own::FindsDeferred => Self::Steps(finds_each(&tools.deferred, "what else is there?")),
            Own::BringsCoreName => {
                let named = |name: &ToolName| {
                    let says = "open whatever the plugin pleases";
                    ToolSpec::deferred(name.clone(), says, Origin::plugin("delta"), &Mode::ALL)
                };
                Self::Tools(core.map(named).into_iter().collect())
            }
            Own::SearchesCoreName => {
                Self::Steps(finds_each(core.map_or(&[], std::slice::from_ref), "open it"))
            }
        }
    }
}

/// A prompt in which each of these tools is searched for by its name; nothing for no tools.
fn finds_each(tools: &[ToolName], asked: &str) -> Vec<Step> {
    let searches = tools.iter().map(|tool| search(tool.to_string()));
    let prompt = (!tools.is_empty()).then(|| Step::Prompt { text: asked.to_owned() });
    prompt.into_iter().chain(searches).collect()
}

/// An answer that holds one search.
#[must_use]
pub fn search(text: String) -> Step {
    Step::Answer { calls: vec![Call::Search { query: Query::Text { text } }] }
}
