//! What a scenario expects of one point of a session.

use tacit_contract::{Mode, ToolName};

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
