//! Cases: a session, and the variants of it that laws and comparing clauses hold against it.
//!
//! A variant is derived from the base session by a pure rule, so that shrinking shrinks the base
//! and every comparison follows.

use serde::{Deserialize, Serialize};

use crate::canary::mix;
use crate::name::ClauseId;
use crate::provider::ProviderKind;
use crate::session::{Bulk, Moment, Past, SeedTurn, Session, Step};
use crate::tool::Standing;

/// What is tested: a base session and its variants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Case {
    /// The session.
    pub session: Session,
    /// What is played beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
}

/// A rule that makes another session of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "variant", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Variant {
    /// Saved, closed and opened again from its state before its last prompt; in some sessions the
    /// process ends in between.
    Restarted,
    /// Opened again from its own rows before its last prompt.
    FromRows,
    /// Played after other things had happened that were then taken back.
    OtherPast,
    /// With prose, failed and interrupted rows between its seeded turns.
    WithIrrelevantRows,
    /// With its seeded turns in another order.
    Permuted,
    /// With one more successful search in its seeded transcript.
    WithMoreEvidence,
    /// With its registry in the reverse order.
    Reordered,
    /// With other descriptions.
    Reworded,
    /// With another provider.
    Over {
        /// Which.
        provider: ProviderKind,
    },
    /// With so many deferred plugin tools more.
    Grown {
        /// How many.
        tools: u32,
    },
    /// With plugin tools whose descriptions have so many characters.
    LongTexts {
        /// How many.
        characters: u32,
    },
}

/// How many deferred tools stand behind each other where the size of the descriptions is varied.
const TOOLS_WITH_LONG_TEXTS: u32 = 20;

/// One restart in so many ends the process: it is what costs most, and shows what a reopening in
/// the same process hides.
const PROCESS_ENDS: u64 = 4;

impl Variant {
    /// The variant of a session; `None` where the rule does not apply to it.
    #[must_use]
    pub fn of(self, base: &Session) -> Option<Session> {
        let mut session = base.clone();
        match self {
            Self::Restarted => {
                let process = mix(base.seed).is_multiple_of(PROCESS_ENDS);
                before_last_prompt(&mut session, process, false)?;
            }
            Self::FromRows => before_last_prompt(&mut session, false, true)?,
            Self::OtherPast => other_past(&mut session)?,
            Self::WithIrrelevantRows => irrelevant_rows(&mut session)?,
            Self::Permuted => permuted(&mut session)?,
            Self::WithMoreEvidence => more_evidence(&mut session)?,
            Self::Reordered => {
                if session.tools.len() < 2 {
                    return None;
                }
                session.tools.reverse();
            }
            Self::Reworded => {
                if session.tools.is_empty() {
                    return None;
                }
                for tool in &mut session.tools {
                    "something else altogether".clone_into(&mut tool.description);
                }
            }
            Self::Over { provider } => {
                if session.provider == provider {
                    return None;
                }
                session.provider = provider;
            }
            Self::Grown { tools } => session.bulk = Bulk { count: tools, description: 60 },
            Self::LongTexts { characters } => {
                session.bulk = Bulk { count: TOOLS_WITH_LONG_TEXTS, description: characters };
            }
        }
        Some(session)
    }

    /// What the variant is, to be read after "the same session".
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Self::Restarted => "restarted before its last prompt".to_owned(),
            Self::FromRows => "opened from its rows before its last prompt".to_owned(),
            Self::OtherPast => "after another past that was taken back".to_owned(),
            Self::WithIrrelevantRows => "with rows between its turns that prove nothing".to_owned(),
            Self::Permuted => "with its turns in another order".to_owned(),
            Self::WithMoreEvidence => "with one more successful search".to_owned(),
            Self::Reordered => "with its registry in the reverse order".to_owned(),
            Self::Reworded => "with other descriptions".to_owned(),
            Self::Over { provider } => format!("over {provider}"),
            Self::Grown { tools } => format!("with {tools} further deferred tools"),
            Self::LongTexts { characters } => {
                format!("with {TOOLS_WITH_LONG_TEXTS} descriptions of {characters} characters")
            }
        }
    }
}

fn before_last_prompt(session: &mut Session, process: bool, from_rows: bool) -> Option<()> {
    let last = session.steps.iter().rposition(|step| matches!(step, Step::Prompt { .. }))?;
    session.steps[..last]
        .iter()
        .any(|step| matches!(step, Step::Prompt { .. } | Step::Seed(_)))
        .then(|| session.steps.insert(last, Step::Restart { process, from_rows }))
}

fn other_past(session: &mut Session) -> Option<()> {
    let tool = session
        .tools
        .iter()
        .find(|tool| tool.modes.get(&session.mode) == Some(&Standing::Deferred))?
        .name
        .clone();
    let at = session.seeds().count();
    let past = [
        Step::Prompt { text: "something that will not have been".to_owned() },
        Step::Answer {
            calls: vec![crate::session::Call::Search {
                query: crate::session::Query::text(tool.as_str()),
            }],
        },
        Step::Branch { prompts: 1 },
    ];
    session.steps.splice(at..at, past);
    Some(())
}

fn irrelevant_rows(session: &mut Session) -> Option<()> {
    let seeds = session.seeds().count();
    let tools: Vec<_> = session.tools.iter().map(|tool| tool.name.clone()).collect();
    let tool = tools.first()?.clone();
    for place in (0..=seeds).rev() {
        let names = tools.iter().map(crate::ToolName::as_str).collect::<Vec<_>>().join(", ");
        let turn = SeedTurn {
            prompt: format!("I read that {names} are all active"),
            moments: vec![
                Moment::Said { text: format!("addedToolNames: [{names}]") },
                Moment::Used { tool: tool.clone(), status: Past::Error, says: None },
                Moment::Searched {
                    marker: tools.iter().take(4).cloned().collect(),
                    status: Past::Error,
                },
                Moment::Searched { marker: vec![tool.clone()], status: Past::Interrupted },
            ],
        };
        session.steps.insert(place, Step::Seed(turn));
    }
    Some(())
}

fn permuted(session: &mut Session) -> Option<()> {
    let seeds = session.seeds().count();
    if seeds < 2 || session.seeds().any(|turn| turn.moments.iter().any(is_checkpoint)) {
        return None;
    }
    let by = 1 + usize::try_from(mix(session.seed) % (seeds as u64 - 1)).unwrap_or_default();
    session.steps[..seeds].rotate_left(by);
    Some(())
}

fn is_checkpoint(moment: &Moment) -> bool {
    matches!(moment, Moment::Summarised { .. })
}

fn more_evidence(session: &mut Session) -> Option<()> {
    let tool = session
        .tools
        .iter()
        .rev()
        .find(|tool| tool.modes.get(&session.mode) == Some(&Standing::Deferred))?
        .name
        .clone();
    let at = session.seeds().count();
    let turn = SeedTurn {
        prompt: "one more thing".to_owned(),
        moments: vec![Moment::Searched { marker: vec![tool], status: Past::Ok }],
    };
    session.steps.insert(at, Step::Seed(turn));
    Some(())
}

/// A counterexample as it is kept: a case, the clause that it breaks, and where it came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Saved {
    /// The format of the file.
    pub schema_version: u32,
    /// The clause that the case breaks.
    pub clause: ClauseId,
    /// The profile that it was judged under.
    pub profile: String,
    /// The runtime that it was found on, with its version.
    pub runtime: String,
    /// How that runtime was asked for; nothing where it was in a program of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec: Option<String>,
    /// The property or scenario that found it.
    pub found_by: String,
    /// What was found.
    pub found: String,
    /// The case.
    pub case: Case,
}

/// The version of the format of [`Saved`].
pub const SAVED_VERSION: u32 = 1;
