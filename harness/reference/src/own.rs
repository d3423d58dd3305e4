//! The runtime's own tools, by revision.

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use tacit_contract::{Mode, Origin, OriginKind, Revision, Standing, Standings, Tool};

use crate::activation::SEARCH;

/// The tool that starts a new context.
pub(crate) const NEW_CONTEXT: &str = "new_context";

/// The argument of the search tool that holds the query.
pub(crate) const QUERY: &str = "query";

/// The argument of the search tool by which a model can ask for fewer tools.
pub(crate) const LIMIT: &str = "limit";

/// The argument of `new_context` that holds what is worth keeping.
pub(crate) const SUMMARY: &str = "summary";

/// The tool by which a plan is handed in.
pub(crate) const SUBMIT_PLAN: &str = "SubmitPlan";

/// The tool by which a goal is handed in.
pub(crate) const SUBMIT_GOAL: &str = "SubmitGoal";

const READERS: [Mode; 3] = [Mode::Chat, Mode::Plan, Mode::Goal];

static FIRST: LazyLock<Vec<Arc<Tool>>> = LazyLock::new(|| make(Standing::Deferred));
static AMENDED: LazyLock<Vec<Arc<Tool>>> = LazyLock::new(|| make(Standing::Core));

/// The own tools of a revision, in the order in which they are sent; shared by all sessions.
pub(crate) fn tools(revision: Revision) -> &'static [Arc<Tool>] {
    match revision {
        Revision::R1 | Revision::R2 => &FIRST,
        Revision::R3 => &AMENDED,
    }
}

/// The revisions differ in one thing: what Glob and Grep are to an agent.
fn make(file_search_in_agent: Standing) -> Vec<Arc<Tool>> {
    let core = |modes: &[Mode]| modes.iter().map(|mode| (*mode, Standing::Core)).collect();
    let file_search = || {
        let mut modes: Standings = core(&READERS);
        modes.insert(Mode::Agent, file_search_in_agent);
        modes
    };
    [
        tool(
            "Read",
            "Reads a file of the workspace.",
            core(&Mode::ALL),
            &["path"],
            json!({
                "path": text("The file, relative to the workspace."),
                "offset": number("The line to begin with."),
                "limit": number("The most lines to read."),
            }),
        ),
        tool(
            "Bash",
            "Runs a shell command in the workspace.",
            core(&[Mode::Agent]),
            &["command"],
            json!({"command": text("The command line.")}),
        ),
        tool(
            "Edit",
            "Replaces a passage of a file.",
            core(&[Mode::Agent]),
            &["path", "old", "new"],
            json!({
                "path": text("The file, relative to the workspace."),
                "old": text("The passage as it stands, unique in the file."),
                "new": text("What takes its place."),
            }),
        ),
        tool(
            "Write",
            "Writes a file, new or anew.",
            core(&[Mode::Agent]),
            &["path", "content"],
            json!({
                "path": text("The file, relative to the workspace."),
                "content": text("All that the file shall hold."),
            }),
        ),
        tool(
            "Glob",
            "Lists the files whose paths fit a pattern.",
            file_search(),
            &["pattern"],
            json!({"pattern": text("The pattern, such as src/**/*.rs.")}),
        ),
        tool(
            "Grep",
            "Finds lines in the workspace by a regular expression.",
            file_search(),
            &["pattern"],
            json!({
                "pattern": text("The regular expression."),
                "path": text("Where to look; everywhere if left out."),
            }),
        ),
        tool(
            SUBMIT_PLAN,
            "Hands in the finished plan.",
            core(&[Mode::Plan]),
            &["plan"],
            json!({"plan": text("The plan.")}),
        ),
        tool(
            SUBMIT_GOAL,
            "Hands in the goal as it was understood.",
            core(&[Mode::Goal]),
            &["goal"],
            json!({"goal": text("The goal, and how to tell that it is reached.")}),
        ),
        tool(
            NEW_CONTEXT,
            "Leaves the conversation so far behind and goes on from a summary of it.",
            core(&Mode::ALL),
            &[SUMMARY],
            json!({SUMMARY: text("All that is worth keeping.")}),
        ),
        tool(
            SEARCH,
            "Finds on-demand tools and loads them for the next step.",
            core(&Mode::ALL),
            &[QUERY],
            json!({
                QUERY: text("One or more exact names, or a few words on what you need."),
                LIMIT: number("The most tools to load; four, if left out, and never more."),
            }),
        ),
    ]
    .map(Arc::new)
    .into()
}

fn tool(
    name: &str,
    description: &str,
    modes: Standings,
    required: &[&str],
    properties: Value,
) -> Tool {
    let mut input_schema = json!({"type": "object"});
    input_schema["properties"] = properties;
    input_schema["required"] = required.into();
    Tool {
        name: name.into(),
        description: description.to_owned(),
        input_schema,
        origin: Origin::of(OriginKind::Builtin),
        modes,
    }
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn number(description: &str) -> Value {
    json!({"type": "integer", "description": description})
}
