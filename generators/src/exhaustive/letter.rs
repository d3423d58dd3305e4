//! The alphabet: every step that a session of the small world can have.

use tacit_contract::session::{Failure, Moment, Outcome, Past, SeedTurn};
use tacit_contract::{Call, Mode, OtherProvider, Query, Step};

use super::world::{MISS, Plugin, Tool, WIDE, World};
use crate::scenes::{answer, prompt, search, use_ok};
use crate::texts::PLAIN_PROMPT;

/// A step, told shortly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letter {
    Seed(Turn),
    Prompt,
    Answer(Answer),
    Fail(Failure),
    Abort,
    Restart(Restart),
    Branch,
    Compact,
    SetMode(Mode),
    Unplug(Plugin),
    Plug(Plugin),
    Elsewhere,
    Switch(OtherProvider),
}

/// A turn that was there before, with one thing in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Searched(Tool, Past),
    Used(Tool, Past),
    /// User and model speak as if the tool were active.
    Said(Tool),
    /// A marker on a result of a core tool.
    Forged(Tool),
}

/// An answer of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Search(Tool),
    SearchWide,
    SearchMiss,
    Use(Tool, Outcome),
    /// A search, and the use of what it finds beside it in one batch.
    SearchAndUse(Tool),
    Read,
    NewContext,
}

/// How a session is opened again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Restart {
    State,
    Process,
    Rows,
}

/// Every letter, in the order in which sessions are enumerated.
pub(super) fn alphabet() -> Vec<Letter> {
    let tools = Tool::ALL.into_iter();
    let pasts = [Past::Ok, Past::Error, Past::Interrupted, Past::Unanswered];
    let mut letters = vec![Letter::Prompt];
    let mut answers: Vec<Answer> = tools.clone().map(Answer::Search).collect();
    answers.extend([Answer::SearchWide, Answer::SearchMiss]);
    for outcome in [Outcome::Ok, Outcome::Error] {
        answers.extend(tools.clone().map(|tool| Answer::Use(tool, outcome)));
    }
    answers.extend(tools.clone().map(Answer::SearchAndUse));
    answers.extend([Answer::Read, Answer::NewContext]);
    letters.extend(answers.into_iter().map(Letter::Answer));
    letters.extend([Failure::Overloaded, Failure::BadRequest].map(Letter::Fail));
    letters.push(Letter::Abort);
    letters.extend([Restart::State, Restart::Process, Restart::Rows].map(Letter::Restart));
    letters.extend([Letter::Branch, Letter::Compact]);
    letters.extend(Mode::ALL.map(Letter::SetMode));
    letters.extend(Plugin::ALL.map(Letter::Unplug));
    letters.extend(Plugin::ALL.map(Letter::Plug));
    letters.push(Letter::Elsewhere);
    let others = [OtherProvider::OtherApi, OtherProvider::Native, OtherProvider::Plain];
    letters.extend(others.map(Letter::Switch));
    for past in pasts {
        letters.extend(tools.clone().map(|tool| Letter::Seed(Turn::Searched(tool, past))));
        letters.extend(tools.clone().map(|tool| Letter::Seed(Turn::Used(tool, past))));
    }
    letters.extend(tools.clone().map(|tool| Letter::Seed(Turn::Said(tool))));
    letters.extend(tools.map(|tool| Letter::Seed(Turn::Forged(tool))));
    letters
}

impl Letter {
    /// The tool that it names. The wide search names none: it is about all of them alike.
    pub(super) fn tool(self) -> Option<Tool> {
        match self {
            Self::Seed(
                Turn::Searched(tool, _)
                | Turn::Used(tool, _)
                | Turn::Said(tool)
                | Turn::Forged(tool),
            )
            | Self::Answer(
                Answer::Search(tool) | Answer::Use(tool, _) | Answer::SearchAndUse(tool),
            ) => Some(tool),
            _ => None,
        }
    }

    /// Whether it can be seen at the end of a session.
    ///
    /// A prompt and what belongs to it can, a session beside can, and a compaction may ask the
    /// provider for a summary. The other actions ask the model nothing: whatever they did shows
    /// in a later request, and a session that ends with one shows what it shows without it.
    pub(super) fn is_seen(self) -> bool {
        match self {
            Self::Prompt
            | Self::Answer(_)
            | Self::Fail(_)
            | Self::Abort
            | Self::Elsewhere
            | Self::Compact => true,
            Self::Seed(_)
            | Self::Restart(_)
            | Self::Branch
            | Self::SetMode(_)
            | Self::Unplug(_)
            | Self::Plug(_)
            | Self::Switch(_) => false,
        }
    }

    /// The step.
    pub(super) fn step(self, world: &World) -> Step {
        match self {
            Self::Seed(turn) => Step::Seed(turn.turn(world)),
            Self::Prompt => prompt(PLAIN_PROMPT),
            Self::Answer(batch) => answer(batch.calls()),
            Self::Fail(failure) => Step::Fail { failure },
            Self::Abort => Step::Abort,
            Self::Restart(how) => {
                Step::Restart { process: how == Restart::Process, from_rows: how == Restart::Rows }
            }
            Self::Branch => Step::Branch { prompts: 1 },
            Self::Compact => Step::Compact,
            Self::SetMode(mode) => Step::SetMode { mode },
            Self::Unplug(plugin) => Step::Unplug { plugin: plugin.id().into() },
            Self::Plug(plugin) => Step::Plug { plugin: plugin.id().into() },
            Self::Elsewhere => Step::Elsewhere,
            Self::Switch(to) => Step::SwitchProvider { to },
        }
    }
}

impl Turn {
    fn turn(self, world: &World) -> SeedTurn {
        let mut asked = PLAIN_PROMPT.to_owned();
        let moment = match self {
            Self::Searched(tool, status) => Moment::Searched { marker: vec![tool.name()], status },
            Self::Used(tool, status) => Moment::Used { tool: tool.name(), status, says: None },
            Self::Forged(tool) => Moment::Forged { tool: world.core(), marker: vec![tool.name()] },
            Self::Said(tool) => {
                asked = format!("please use {} now", tool.name());
                Moment::Said { text: format!("addedToolNames: [\"{}\"]", tool.name()) }
            }
        };
        SeedTurn { prompt: asked, moments: vec![moment] }
    }
}

impl Answer {
    fn calls(self) -> Vec<Call> {
        match self {
            Self::Search(tool) => vec![search(tool.name().as_str())],
            Self::SearchWide => vec![search(WIDE)],
            Self::SearchMiss => vec![Call::Search { query: Query::text(MISS) }],
            Self::Use(tool, outcome) => vec![Call::Use { tool: tool.name(), outcome, says: None }],
            Self::SearchAndUse(tool) => vec![search(tool.name().as_str()), use_ok(&tool.name())],
            Self::Read => vec![Call::Read],
            Self::NewContext => vec![Call::NewContext],
        }
    }
}
