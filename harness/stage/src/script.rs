//! What the model says in one prompt, made from the steps of a session.

use std::collections::VecDeque;

use serde_json::{Value, json};
use tacit_contract::canary::INPUT;
use tacit_contract::profile::ReadTool;
use tacit_contract::protocol::{Capabilities, Description, Dialect};
use tacit_contract::seed::unique_word;
use tacit_contract::session::{Failure, Outcome};
use tacit_contract::trace::Issued;
use tacit_contract::{Call, CallId, Mode, Profile, Query, Step, ToolName};
use tacit_wire::{Reply, ReplyCall};

/// The file of the workspace that a scripted model reads.
pub(crate) const NOTES: &str = "notes.txt";

/// Where the words of results and closing texts begin; the prompts' are counted from one, and
/// seeded turns have theirs in between.
const FURTHER_WORDS: u64 = 2_000_000;

/// How far apart the words of two sessions of one trace are.
const NEXT_SESSION: u64 = 10_000_000;

/// The unique words of one session, in the order in which they are asked for.
#[derive(Debug)]
pub(crate) struct Words {
    seed: u64,
    base: u64,
    further: u64,
}

impl Words {
    /// The words of a trace's first session, or of the n-th beside it.
    pub(crate) fn new(seed: u64, beside: u32) -> Self {
        Self { seed, base: u64::from(beside) * NEXT_SESSION, further: 0 }
    }

    /// The word of the n-th prompt.
    pub(crate) fn of_prompt(&self, n: u64) -> String {
        unique_word(self.seed, self.base + n)
    }

    /// A word that was not used before.
    pub(crate) fn next(&mut self) -> String {
        self.further += 1;
        unique_word(self.seed, self.base + FURTHER_WORDS + self.further)
    }
}

/// What a runtime calls things, as far as a script needs it.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    dialect: Dialect,
    read: Option<ReadTool>,
    /// The modes in which the read tool is core.
    reads_in: Vec<Mode>,
    can_abort: bool,
}

impl Vocabulary {
    pub(crate) fn new(profile: &Profile, runtime: &Description) -> Self {
        let Capabilities { abort, .. } = runtime.capabilities;
        let read = profile.names.read.clone();
        let reads_in = Mode::ALL
            .into_iter()
            .filter(|mode| {
                read.as_ref().is_some_and(|read| profile.mode(*mode).core.contains(&read.tool))
            })
            .collect();
        Self { dialect: profile.dialect(&runtime.dialect), read, reads_in, can_abort: abort }
    }

    pub(crate) fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    fn wire_name(&self, tool: &ToolName) -> String {
        format!("{}{tool}", self.dialect.prefix())
    }

    /// The tool and the arguments of a call; `None` where the runtime has no such thing.
    fn spell(&self, call: &Call, mode: Mode, words: &mut Words) -> Option<(ToolName, Value)> {
        Some(match call {
            Call::Search { query } => (self.dialect.search_tool(), self.search(query)),
            Call::Use { tool, .. } => {
                (tool.clone(), json!({INPUT: format!("this {}", words.next())}))
            }
            Call::Read => {
                let read = self.read.as_ref().filter(|_| self.reads_in.contains(&mode))?;
                let mut arguments = serde_json::Map::new();
                arguments.insert(read.argument.clone(), NOTES.into());
                (read.tool.clone(), arguments.into())
            }
            Call::NewContext => {
                let tool = self.dialect.new_context.as_ref()?;
                (tool.name.clone(), tool.arguments.clone())
            }
        })
    }

    fn search(&self, query: &Query) -> Value {
        match query {
            Query::Text { text } => self.dialect.search_arguments(&text.as_str().into()),
            Query::Limited { text, limit } => {
                let mut arguments = self.dialect.search_arguments(&text.as_str().into());
                if let (Some(argument), Value::Object(members)) =
                    (&self.dialect.limit_argument, &mut arguments)
                {
                    members.insert(argument.clone(), (*limit).into());
                }
                arguments
            }
            Query::Missing => json!({}),
            Query::Odd { value } => self.dialect.search_arguments(value),
            Query::NotJson { text } => text.as_str().into(),
        }
    }
}

/// One thing that happens when the runtime next asks its provider.
#[derive(Debug)]
pub(crate) enum Line {
    /// The model calls.
    Calls(Batch),
    /// The provider fails.
    Fail(Failure),
    /// The user stops the prompt instead.
    Abort,
}

/// One scripted answer.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    /// The step of the session that it is.
    pub(crate) step: usize,
    /// Its calls.
    pub(crate) charges: Vec<Charge>,
    /// The answer, ready to be written.
    pub(crate) reply: Reply,
}

/// A call that was issued, and what the host makes of it.
#[derive(Debug, Clone)]
pub(crate) struct Charge {
    pub(crate) issued: Issued,
    pub(crate) outcome: Outcome,
    /// What the tool says when it is executed.
    pub(crate) says: String,
}

/// The script of one prompt, and how many of the steps it takes up.
pub(crate) fn script(
    steps: &[Step],
    first: usize,
    prompt: u64,
    mode: Mode,
    vocabulary: &Vocabulary,
    words: &mut Words,
) -> (VecDeque<Line>, usize) {
    let mut lines = VecDeque::new();
    let mut taken = 0;
    for step in steps {
        match step {
            Step::Answer { calls } => {
                let mut author = Author { vocabulary, words, mode, prompt, answer: taken };
                lines.extend(author.batch(calls, first + taken).map(Line::Calls));
            }
            Step::Fail { failure } => lines.push_back(Line::Fail(*failure)),
            Step::Abort if vocabulary.can_abort => lines.push_back(Line::Abort),
            Step::Abort => {}
            _ => break,
        }
        taken += 1;
    }
    (lines, taken)
}

struct Author<'a> {
    vocabulary: &'a Vocabulary,
    words: &'a mut Words,
    mode: Mode,
    prompt: u64,
    answer: usize,
}

impl Author<'_> {
    /// A batch; `None` where the runtime has none of its tools.
    fn batch(&mut self, calls: &[Call], step: usize) -> Option<Batch> {
        let charges: Vec<Charge> =
            calls.iter().enumerate().filter_map(|(place, call)| self.charge(call, place)).collect();
        if charges.is_empty() {
            return None;
        }
        let calls = charges
            .iter()
            .map(|charge| ReplyCall {
                id: charge.issued.id.clone(),
                wire_name: self.vocabulary.wire_name(&charge.issued.tool),
                arguments: charge.issued.arguments.clone(),
            })
            .collect();
        Some(Batch { step, charges, reply: Reply::calls(calls) })
    }

    fn charge(&mut self, call: &Call, place: usize) -> Option<Charge> {
        let (tool, arguments) = self.vocabulary.spell(call, self.mode, self.words)?;
        let (outcome, said) = match call {
            Call::Use { outcome, says, .. } => (*outcome, says.clone()),
            Call::Search { .. } | Call::Read | Call::NewContext => (Outcome::Ok, None),
        };
        let said = said.unwrap_or_else(|| match outcome {
            Outcome::Ok => format!("{tool} answered"),
            Outcome::Error => format!("{tool} failed"),
            Outcome::Denied => format!("{tool} was denied by the user"),
        });
        let id = CallId::from(format!("c{}_{}_{place}", self.prompt, self.answer));
        Some(Charge {
            issued: Issued { id, tool, arguments, call: call.clone() },
            outcome,
            says: format!("{said} ({})", self.words.next()),
        })
    }
}
