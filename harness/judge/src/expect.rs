//! Expectations: what a scenario says of one point of a session, held against the account.
//!
//! An expectation is weaker than a clause and easier to read: it names the request and the
//! tools. Whatever it says, the whole trace still goes through the judge.

mod calls;

use std::fmt;

use tacit_contract::protocol::Stop;
use tacit_contract::trace::Issued;
use tacit_contract::{Mode, ToolName};

use crate::account::{Account, PromptAccount, RequestAccount, is_search};

/// Which prompt is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichPrompt {
    /// The last one so far.
    Last,
    /// The one before it.
    Previous,
    /// The first.
    First,
    /// All of them.
    Every,
}

/// Which request of a prompt is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichRequest {
    /// The first.
    First,
    /// The one that holds the result of the prompt's last search for the first time.
    AfterSearch,
    /// The last.
    Last,
    /// All of them.
    Every,
}

/// One request, or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    /// Of which prompt.
    pub prompt: WhichPrompt,
    /// Which of its requests.
    pub request: WhichRequest,
}

/// What is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expectation {
    /// The model can read the schemas of these tools.
    Shows(At, Vec<ToolName>),
    /// It can read the schema of none of these.
    DoesNotShow(At, Vec<ToolName>),
    /// It can read the schemas of the mode's whole core set.
    ShowsCore(At, Mode),
    /// The search tool is there.
    ShowsSearch(At),
    /// The search tool is not there.
    ShowsNoSearch(At),
    /// The tool that starts a new context is there.
    ShowsNewContext(At),
    /// It can read the schemas of no deferred tools but these.
    ShowsNoDeferredBut(At, Vec<ToolName>),
    /// The catalog lists these tools.
    Lists(At, Vec<ToolName>),
    /// The catalog lists none of these.
    DoesNotList(At, Vec<ToolName>),
    /// There is no catalog.
    NoCatalog(At),
    /// The last search activated these tools, and perhaps others.
    Activates(Vec<ToolName>),
    /// The last search activated no more than so many.
    ActivatesAtMost(u32),
    /// The last call of this tool was answered without being run.
    Refused(ToolName),
    /// The last call of this tool was run.
    Runs(ToolName),
    /// The last call of this tool was put to the host, and the host denied it.
    Denied(ToolName),
    /// No call of the host belongs to a search.
    HostNotAskedForSearch,
    /// The last prompt came to its end without an error.
    GoesOn,
    /// A request that failed was sent again with the same tools.
    SentAgain,
}

/// Why an expectation is not met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unmet {
    /// Something else was found.
    Otherwise(String),
    /// What it speaks of did not happen.
    NothingThere(&'static str),
    /// The runtime does not have what it speaks of.
    NotApplicable(String),
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Otherwise(found) => f.write_str(found),
            Self::NothingThere(what) => write!(f, "there was {what}"),
            Self::NotApplicable(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Unmet {}

type Met = Result<(), Unmet>;

impl Expectation {
    /// Holds what was seen against the expectation.
    ///
    /// # Errors
    /// It is not met: what was found instead, and what was expected.
    pub fn met(&self, account: &Account<'_>) -> Met {
        match self {
            Self::Shows(at, tools) => each(account, *at, |at| at.shows(tools)),
            Self::DoesNotShow(at, tools) => each(account, *at, |at| at.does_not_show(tools)),
            Self::ShowsCore(at, mode) => each(account, *at, |at| at.shows_core(*mode)),
            Self::ShowsSearch(at) => {
                let search = [account.dialect.search_tool()];
                each(account, *at, |at| at.shows(&search))
            }
            Self::ShowsNoSearch(at) => {
                let search = [account.dialect.search_tool()];
                each(account, *at, |at| at.does_not_show(&search))
            }
            Self::ShowsNewContext(at) => match &account.dialect.new_context {
                Some(tool) => each(account, *at, |at| at.shows(std::slice::from_ref(&tool.name))),
                None => Err(not_applicable("the runtime has no tool for a new context")),
            },
            Self::ShowsNoDeferredBut(at, tools) => each(account, *at, |at| at.no_deferred(tools)),
            Self::Lists(at, tools) => each(account, *at, |at| at.lists(account, tools)),
            Self::DoesNotList(at, tools) => {
                each(account, *at, |at| at.does_not_list(account, tools))
            }
            Self::NoCatalog(at) => each(account, *at, |at| at.no_catalog(account)),
            Self::Activates(tools) => each(account, AFTER_SEARCH, |at| at.shows(tools)),
            Self::ActivatesAtMost(most) => calls::activates_at_most(account, *most),
            Self::Refused(tool) => calls::refused(account, tool),
            Self::Runs(tool) => calls::runs(account, tool),
            Self::Denied(tool) => calls::denied(account, tool),
            Self::HostNotAskedForSearch => calls::host_not_asked(account),
            Self::GoesOn => goes_on(account),
            Self::SentAgain => calls::sent_again(account),
        }
    }
}

const AFTER_SEARCH: At = At { prompt: WhichPrompt::Last, request: WhichRequest::AfterSearch };

fn otherwise(found: impl Into<String>) -> Met {
    Err(Unmet::Otherwise(found.into()))
}

fn not_applicable(why: impl Into<String>) -> Unmet {
    Unmet::NotApplicable(why.into())
}

fn prompts<'a, 't>(account: &'a Account<'t>, which: WhichPrompt) -> &'a [PromptAccount<'t>] {
    let all = account.main().map_or(&[][..], |session| session.prompts.as_slice());
    let last = all.len().saturating_sub(1);
    match which {
        WhichPrompt::Every => all,
        WhichPrompt::First => &all[..all.len().min(1)],
        WhichPrompt::Last => &all[last..],
        WhichPrompt::Previous => &all[last.saturating_sub(1)..last],
    }
}

/// The last search of a prompt, with the request that it answers.
fn last_search<'a, 't>(
    prompt: &'a PromptAccount<'t>,
) -> Option<(&'a RequestAccount<'t>, &'t Issued)> {
    prompt.issued().filter(|(_, issued)| is_search(issued)).last()
}

/// The request that first holds the result of a search; where none does, the one that came next.
fn after<'a, 't>(
    prompt: &'a PromptAccount<'t>,
    asked: &RequestAccount<'t>,
    search: &Issued,
) -> Option<&'a RequestAccount<'t>> {
    let later = || prompt.turns().filter(|request| request.number > asked.number);
    later().find(|request| request.result(&search.id).is_some()).or_else(|| later().next())
}

/// A request that is looked at.
struct Looked<'a, 't> {
    prompt: &'a PromptAccount<'t>,
    request: &'a RequestAccount<'t>,
}

/// Holds each request that is meant against an expectation; there must be one.
fn each(account: &Account<'_>, at: At, expect: impl Fn(&Looked<'_, '_>) -> Met) -> Met {
    let mut seen = false;
    for prompt in prompts(account, at.prompt) {
        let requests: Vec<&RequestAccount<'_>> = match at.request {
            WhichRequest::First => prompt.turns().next().into_iter().collect(),
            WhichRequest::Last => prompt.turns().last().into_iter().collect(),
            WhichRequest::Every => prompt.turns().collect(),
            WhichRequest::AfterSearch => last_search(prompt)
                .and_then(|(asked, search)| after(prompt, asked, search))
                .into_iter()
                .collect(),
        };
        for request in requests {
            seen = true;
            let undecidable = account.main().and_then(|main| main.undecidable.get(&request.entry));
            if let Some(why) = undecidable {
                return Err(not_applicable(why));
            }
            expect(&Looked { prompt, request })?;
        }
    }
    match (seen, at.request) {
        (true, _) => Ok(()),
        (false, WhichRequest::AfterSearch) => Err(Unmet::NothingThere("no request after a search")),
        (false, _) => Err(Unmet::NothingThere("no request of that prompt")),
    }
}

impl Looked<'_, '_> {
    /// Where this is, to be read after "request".
    fn place(&self) -> String {
        format!("{} of prompt {}", self.request.number, self.prompt.number)
    }

    fn found(&self, what: &str) -> Met {
        let shown = match &self.request.view {
            Some(_) => self.request.shown.list(),
            None => "nothing that could be read".to_owned(),
        };
        otherwise(format!("request {} {what}; it shows: {shown}", self.place()))
    }

    fn shows(&self, tools: &[ToolName]) -> Met {
        match tools.iter().find(|tool| !self.request.shows(tool)) {
            Some(tool) => self.found(&format!("does not show {tool}")),
            None => Ok(()),
        }
    }

    fn does_not_show(&self, tools: &[ToolName]) -> Met {
        match tools.iter().find(|tool| self.request.shows(tool)) {
            Some(tool) => self.found(&format!("shows {tool}")),
            None => Ok(()),
        }
    }

    fn shows_core(&self, mode: Mode) -> Met {
        match self.prompt.registry.core(mode).find(|tool| !self.request.shows(tool)) {
            Some(tool) => self.found(&format!("does not show {tool}, a core tool of {mode} mode")),
            None => Ok(()),
        }
    }

    fn no_deferred(&self, but: &[ToolName]) -> Met {
        let extra = self.request.shown.names().find(|tool| {
            self.prompt.registry.is_deferred(tool, self.prompt.mode) && !but.contains(tool)
        });
        match extra {
            Some(tool) => self.found(&format!("shows {tool}, a deferred tool")),
            None => Ok(()),
        }
    }

    fn lists(&self, account: &Account<'_>, tools: &[ToolName]) -> Met {
        has_catalog(account)?;
        let catalog = &self.request.catalog;
        match tools.iter().find(|tool| !catalog.lists(tool.as_str())) {
            Some(tool) => otherwise(format!(
                "the catalog of request {} does not list {tool}; it lists: {}",
                self.place(),
                self.listed()
            )),
            None => Ok(()),
        }
    }

    fn does_not_list(&self, account: &Account<'_>, tools: &[ToolName]) -> Met {
        has_catalog(account)?;
        match tools.iter().find(|tool| self.request.catalog.lists(tool.as_str())) {
            Some(tool) => {
                otherwise(format!("the catalog of request {} lists {tool}", self.place()))
            }
            None => Ok(()),
        }
    }

    fn no_catalog(&self, account: &Account<'_>) -> Met {
        has_catalog(account)?;
        if self.request.catalog.headings == 0 {
            return Ok(());
        }
        otherwise(format!("request {} has a catalog; it lists: {}", self.place(), self.listed()))
    }

    fn listed(&self) -> String {
        let names = self.request.catalog.entries.iter().map(|entry| entry.name.as_str());
        let names = names.take(20).collect::<Vec<_>>().join(", ");
        if names.is_empty() { "nothing".to_owned() } else { names }
    }
}

fn has_catalog(account: &Account<'_>) -> Met {
    match account.profile.catalog {
        Some(_) => Ok(()),
        None => Err(not_applicable("the profile promises no catalog")),
    }
}

fn goes_on(account: &Account<'_>) -> Met {
    let end = prompts(account, WhichPrompt::Last).first().and_then(|prompt| prompt.end);
    let end = end.ok_or(Unmet::NothingThere("no end of the prompt"))?;
    match end.stop {
        Stop::End => Ok(()),
        Stop::Aborted => otherwise("the prompt was stopped"),
        Stop::Error => {
            let error = end.error.as_deref().unwrap_or("no reason given");
            otherwise(format!("the prompt ended in error: {error}"))
        }
    }
}

/// Holds two sessions against each other: both show the same tools where the last prompt begins.
///
/// # Errors
/// They differ, or one has no prompt.
pub fn same_at_last_prompt(one: &Account<'_>, other: &Account<'_>) -> Met {
    let first = |account| {
        let prompt = prompts(account, WhichPrompt::Last).first()?;
        prompt.turns().next()
    };
    let (Some(left), Some(right)) = (first(one), first(other)) else {
        return Err(Unmet::NothingThere("no prompt to compare"));
    };
    if left.shown.names().eq(right.shown.names()) {
        return Ok(());
    }
    otherwise(format!(
        "the last prompt begins with {}; of the session itself with {}",
        right.shown.list(),
        left.shown.list()
    ))
}
