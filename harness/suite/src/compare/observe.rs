//! What is compared of two runtimes: an observation, made of a trace and the profile that it is
//! told under, and of nothing else. Names of the dialect are told by what they stand for.

use std::collections::BTreeSet;
use std::fmt;

use tacit_contract::clause::clause;
use tacit_contract::protocol::{Description, Dialect, Stop};
use tacit_contract::runtime::{HostStatus, RuntimeError};
use tacit_contract::trace::{Answered, Issued};
use tacit_contract::{Breach, Call, ClauseId, Level, Mode, Profile, Registry, Row, ToolName};
use tacit_judge::Account;
use tacit_judge::account::{PromptAccount, RequestAccount, SessionAccount, same_call};

use crate::bench::Played;

/// A tool as both sides know it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// By its name: the session gave it, or both profiles name it.
    Tool(ToolName),
    /// The search tool, whatever it is called.
    Search,
    /// The tool that starts a new context, whatever it is called.
    NewContext,
    /// All core tools that go by other names on the other side.
    Core,
    /// The core tool that reads a file, whatever it is called.
    Read,
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tool(name) => f.write_str(&name.in_words()),
            Self::Search => f.write_str("the search tool"),
            Self::NewContext => f.write_str("the tool for a new context"),
            Self::Core => f.write_str("the core tools"),
            Self::Read => f.write_str("the tool that reads"),
        }
    }
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Became {
    /// The host ran it, so many times.
    Ran(usize),
    /// The host was asked, and denied it.
    Denied,
    /// It was answered without the host.
    Answered,
    /// No later request of its prompt holds a result.
    NotAnswered,
}

/// One scripted call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallSeen {
    /// What was called.
    pub what: Known,
    /// What became of it.
    pub became: Became,
    /// Its marker, for a search of a runtime that shows its rows.
    pub marker: Option<Marker>,
}

/// The marker of a search's row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Marker {
    /// There is none.
    Missing,
    /// It holds these names, or no name.
    Names(BTreeSet<Known>),
}

/// One turn request, and all that followed until the next.
#[derive(Debug, Clone)]
pub struct RequestSeen {
    /// The entry of the trace.
    pub entry: usize,
    /// Its number in the prompt, repeats counted.
    pub number: u32,
    /// The tools that the model can read; `None` where the request does not say it by itself.
    pub shown: Option<BTreeSet<Known>>,
    /// The tools that the catalog lists; `None` where the profile describes no catalog.
    pub listed: Option<BTreeSet<Known>>,
    /// Whether the provider refused it for its form.
    pub refused: bool,
    /// The calls that it was answered with.
    pub calls: Vec<CallSeen>,
}

/// One prompt.
#[derive(Debug, Clone)]
pub struct PromptSeen {
    /// Its number in its session.
    pub number: u32,
    /// The entry of the trace in which it ended.
    pub end_entry: usize,
    /// Its turn requests, repeats aside.
    pub requests: Vec<RequestSeen>,
    /// How it ended; `None` where the runtime failed first.
    pub end: Option<Stop>,
}

/// All that is compared of one side.
#[derive(Debug, Clone)]
pub struct Observation {
    /// The prompts of the session that was played, then of each session beside it.
    pub sessions: Vec<Vec<PromptSeen>>,
    /// The breaches of clauses that both sides claim, the first of each clause.
    pub broken: Vec<Breach>,
}

impl Observation {
    /// The broken clauses of a level.
    #[must_use]
    pub fn broken(&self, level: Level) -> BTreeSet<&ClauseId> {
        let of_level = |breach: &&Breach| {
            clause(breach.clause.as_str()).is_some_and(|clause| clause.level == level)
        };
        self.broken.iter().filter(of_level).map(|breach| &breach.clause).collect()
    }
}

/// What one side's traces are looked at with.
#[derive(Debug, Clone)]
pub struct Eyes {
    profile: Profile,
    other: Profile,
    dialect: Dialect,
    /// The runtime's own tools that go by one name on both sides.
    shared: BTreeSet<ToolName>,
    wanted: Vec<ClauseId>,
}

impl Eyes {
    /// Eyes for the traces of a runtime, which are to be compared with another profile's. Of the
    /// clauses only these are looked at, or all where there are none.
    #[must_use]
    pub fn new(
        profile: &Profile,
        runtime: &Description,
        other: &Profile,
        wanted: &[ClauseId],
    ) -> Self {
        let others = own_names(other);
        Self {
            profile: profile.clone(),
            other: other.clone(),
            dialect: profile.dialect(&runtime.dialect),
            shared: own_names(profile).intersection(&others).cloned().collect(),
            wanted: wanted.to_vec(),
        }
    }

    /// Looks at a case that was played; `None` where the runtime declined to play it.
    #[must_use]
    pub fn observe(&self, played: &Played) -> Option<Observation> {
        let trace = &played.base;
        let declined = matches!(
            trace.cut_short,
            Some(RuntimeError::Unsupported { .. } | RuntimeError::Refused { .. })
        );
        if declined {
            return None;
        }
        let account = Account::new(&self.profile, trace);
        let sessions = account.sessions.iter().map(|session| {
            session.prompts.iter().map(|prompt| self.prompt(&account, session, prompt)).collect()
        });
        let mut broken: Vec<Breach> = Vec::new();
        for breach in &played.judgement.breaches {
            let id = &breach.clause;
            let both = self.profile.claims(id.as_str()) && self.other.claims(id.as_str());
            let wanted = self.wanted.is_empty() || self.wanted.contains(id);
            if both && wanted && !broken.iter().any(|known| known.clause == *id) {
                broken.push(breach.clone());
            }
        }
        Some(Observation { sessions: sessions.collect(), broken })
    }

    fn prompt(
        &self,
        account: &Account<'_>,
        session: &SessionAccount<'_>,
        prompt: &PromptAccount<'_>,
    ) -> PromptSeen {
        let turns: Vec<&RequestAccount<'_>> = prompt.turns().collect();
        let mut requests: Vec<RequestSeen> = Vec::new();
        for (place, turn) in turns.iter().enumerate() {
            // What a repeat was answered belongs to the request that it repeats.
            let until = turns.get(place + 1).map_or(u32::MAX, |next| next.number);
            let calls = prompt
                .issued()
                .filter(|(asked, _)| (turn.number..until).contains(&asked.number))
                .map(|(asked, issued)| self.call(account, session, prompt, asked, issued));
            requests.push(RequestSeen {
                entry: turn.entry,
                number: turn.number,
                shown: turn.view.as_ref().map(|_| self.shown(prompt, turn)),
                listed: self.listed(prompt, turn),
                refused: matches!(turn.raw.answer, Answered::Refused),
                calls: calls.collect(),
            });
        }
        PromptSeen {
            number: prompt.number,
            end_entry: prompt.end_entry,
            requests,
            end: prompt.end.map(|end| end.stop),
        }
    }

    fn shown(&self, prompt: &PromptAccount<'_>, request: &RequestAccount<'_>) -> BTreeSet<Known> {
        let shown = request.shown.names().filter_map(|name| self.known(prompt, name));
        let mut shown: BTreeSet<Known> = shown.collect();
        let mut unshared = self.unshared(&self.profile, prompt.mode).peekable();
        let comparable =
            unshared.peek().is_some() && self.unshared(&self.other, prompt.mode).next().is_some();
        if comparable && unshared.all(|name| request.shown.contains(name)) {
            shown.insert(Known::Core);
        }
        shown
    }

    /// The core tools of a profile that the other side does not know by that name.
    fn unshared<'a>(
        &'a self,
        profile: &'a Profile,
        mode: Mode,
    ) -> impl Iterator<Item = &'a ToolName> {
        profile.mode(mode).core.iter().filter(|name| !self.shared.contains(*name))
    }

    fn listed(
        &self,
        prompt: &PromptAccount<'_>,
        request: &RequestAccount<'_>,
    ) -> Option<BTreeSet<Known>> {
        if self.profile.catalog.is_none() || self.other.catalog.is_none() {
            return None;
        }
        let names = request.catalog.entries.iter().map(|entry| ToolName::from(entry.name.as_str()));
        Some(names.filter_map(|name| self.known(prompt, &name)).collect())
    }

    /// A tool as both sides know it; `None` for what a runtime sends beside what is compared.
    fn known(&self, prompt: &PromptAccount<'_>, name: &ToolName) -> Option<Known> {
        if *name == self.dialect.search_tool() {
            return Some(Known::Search);
        }
        if self.dialect.new_context.as_ref().is_some_and(|tool| tool.name == *name) {
            return Some(Known::NewContext);
        }
        let registry: &Registry = &prompt.registry;
        if registry.is_doubtful(name) {
            // It may be renamed, refused or left out.
            return None;
        }
        let own = own_tools(&self.profile, prompt.mode).any(|own| own == name);
        let given = registry.tool(name).is_some() || prompt.gone.contains(name);
        let by_name = if own { self.shared.contains(name) } else { given };
        by_name.then(|| Known::Tool(name.clone()))
    }

    fn call(
        &self,
        account: &Account<'_>,
        session: &SessionAccount<'_>,
        prompt: &PromptAccount<'_>,
        asked: &RequestAccount<'_>,
        issued: &Issued,
    ) -> CallSeen {
        let next = prompt.next(asked);
        let answered = next.is_some_and(|next| next.result(&issued.id).is_some());
        let otherwise = if answered { Became::Answered } else { Became::NotAnswered };
        let (what, became) = match &issued.call {
            Call::Search { .. } => (Known::Search, otherwise),
            Call::NewContext => (Known::NewContext, otherwise),
            // Whether it goes through the host is the runtime's own choice.
            Call::Read => (Known::Read, otherwise),
            Call::Use { tool, .. } => {
                (Known::Tool(tool.clone()), by_the_host(prompt, issued).unwrap_or(otherwise))
            }
        };
        let has_marker = what == Known::Search && account.has_transcript();
        let marker = has_marker.then(|| self.marker(session, prompt, issued)).flatten();
        CallSeen { what, became, marker }
    }

    /// The marker of a search, from the last rows that hold its result.
    fn marker(
        &self,
        session: &SessionAccount<'_>,
        prompt: &PromptAccount<'_>,
        issued: &Issued,
    ) -> Option<Marker> {
        let rows = session.rows.iter().rev().filter(|rows| !rows.seeded);
        let names = rows.flat_map(|rows| rows.rows).find_map(|row| match row {
            Row::ToolResult { call_id, added_tool_names, .. } if same_call(call_id, &issued.id) => {
                Some(added_tool_names)
            }
            _ => None,
        })?;
        Some(names.as_ref().map_or(Marker::Missing, |names| {
            Marker::Names(names.iter().filter_map(|name| self.known(prompt, name)).collect())
        }))
    }
}

/// What the host made of a call; `None` where it was not asked.
fn by_the_host(prompt: &PromptAccount<'_>, issued: &Issued) -> Option<Became> {
    let tool_calls = || prompt.host_calls(issued).filter(|at| at.call.is_tool_call());
    if tool_calls().any(|at| at.answer.status == HostStatus::Denied) {
        return Some(Became::Denied);
    }
    let ran = tool_calls().filter(|at| at.call.method == "tool.execute").count();
    (ran > 0).then_some(Became::Ran(ran))
}

fn own_tools(profile: &Profile, mode: Mode) -> impl Iterator<Item = &ToolName> {
    let tools = profile.mode(mode);
    tools.core.iter().chain(&tools.deferred)
}

/// The names of a profile's own tools, core and deferred, in whatever mode.
fn own_names(profile: &Profile) -> BTreeSet<ToolName> {
    Mode::ALL.into_iter().flat_map(|mode| own_tools(profile, mode).cloned()).collect()
}
