//! One tool call: refused, answered by the runtime itself, or taken to the host.

use serde_json::Value;
use tacit_contract::runtime::{HostAnswer, HostCall, HostStatus};
use tacit_contract::{Status, ToolCall, ToolName};

use crate::abort::Aborted;
use crate::activation::clean::one_line;
use crate::activation::search::no_match;
use crate::activation::{SEARCH, Selection};
use crate::own::{LIMIT, NEW_CONTEXT, QUERY, SUBMIT_GOAL, SUBMIT_PLAN, SUMMARY};
use crate::turn::Turn;

/// How long the host may take over one tool.
const TIMEOUT_MS: u64 = 120_000;

/// The most that is repeated of a name that the model made up.
const LONGEST_NAME: usize = 64;

/// What came of a call.
pub(crate) struct Done {
    pub(crate) status: Status,
    pub(crate) text: String,
    /// The activation marker.
    pub(crate) added: Option<Vec<ToolName>>,
    /// The context shall go on from this.
    pub(crate) summary: Option<String>,
}

impl Done {
    fn new(status: Status, text: impl Into<String>) -> Self {
        Self { status, text: text.into(), added: None, summary: None }
    }

    fn error(text: impl Into<String>) -> Self {
        Self::new(Status::Error, text)
    }

    /// The result of a call that the user cut off.
    pub(crate) fn interrupted() -> Self {
        Self::new(Status::Interrupted, "The user stopped this before it was done.")
    }
}

impl Turn<'_> {
    /// Runs one call.
    pub(crate) async fn call(&mut self, call: &ToolCall) -> Result<Done, Aborted> {
        self.session.abort.check()?;
        let name = call.name.as_str();
        let Some(tool) = self.shown.iter().find(|tool| tool.name == call.name) else {
            return Ok(self.refuse(call));
        };
        if name == SEARCH {
            return Ok(self.search(&call.arguments));
        }
        if let Some(problem) = problem(&tool.input_schema, &call.arguments) {
            return Ok(Done::error(problem));
        }
        match name {
            NEW_CONTEXT => Ok(new_context(&call.arguments)),
            SUBMIT_PLAN | SUBMIT_GOAL => Ok(Done::new(Status::Ok, "Handed in.")),
            _ => self.host(call).await,
        }
    }

    /// The answer to a call of a tool that the model was not shown.
    fn refuse(&self, call: &ToolCall) -> Done {
        let name = one_line(call.name.as_str(), LONGEST_NAME);
        let state = self.session.state.borrow();
        let text = if state.view.find_deferred(call.name.as_str()).is_some() {
            format!(
                "{name} was not run: its schema was not loaded when you called it. Call {SEARCH} \
                 with its exact name if you have not yet, then call it in a step of its own."
            )
        } else if state.view.is_always(SEARCH) {
            format!("There is no tool {name} here. {SEARCH} finds what can be loaded.")
        } else {
            format!("There is no tool {name} here.")
        };
        Done::error(text)
    }

    /// Answers a search. All of it happens here: the host never hears of it.
    fn search(&mut self, arguments: &Value) -> Done {
        let Some(query) = arguments.get(QUERY).and_then(Value::as_str) else {
            return Done::error(format!("{SEARCH} needs a text `{QUERY}`; nothing was activated."));
        };
        if query.trim().is_empty() {
            return Done::new(Status::Ok, no_match());
        }
        let asked = arguments.get(LIMIT).and_then(Value::as_u64).filter(|limit| *limit > 0);
        let most = asked
            .and_then(|limit| usize::try_from(limit).ok())
            .map_or(self.session.most, |limit| limit.min(self.session.most));
        let mut state = self.session.state.borrow_mut();
        let selection = state.view.select(query, &state.active, most);
        let text = selection.text();
        let Selection { activated, .. } = selection;
        let added: Vec<_> = activated.iter().map(|tool| tool.name.clone()).collect();
        state.active.extend(activated);
        Done { added: (!added.is_empty()).then_some(added), ..Done::new(Status::Ok, text) }
    }

    /// Takes a call to the host: may it run, run it, write it down. Every tool goes this way, and
    /// nothing about it depends on how the tool came to be shown.
    async fn host(&self, call: &ToolCall) -> Result<Done, Aborted> {
        let allowed = self.ask_host("tool.permission", call).await?;
        let done = match allowed.status {
            HostStatus::Ok => outcome(self.ask_host("tool.execute", call).await?),
            HostStatus::Error | HostStatus::Denied => outcome(allowed),
        };
        self.ask_host("tool.audit", call).await?;
        Ok(done)
    }

    async fn ask_host(&self, method: &str, call: &ToolCall) -> Result<HostAnswer, Aborted> {
        let request = HostCall {
            session_id: self.session.id.clone(),
            method: method.to_owned(),
            call_id: Some(call.id.clone()),
            tool_name: Some(call.name.clone()),
            arguments: Some(call.arguments.clone()),
            timeout_ms: (method == "tool.execute").then_some(TIMEOUT_MS),
            workspace: Some(self.session.workspace.clone()),
        };
        let answer = self.session.abort.or(self.session.ports.host.call(request)).await?;
        Ok(answer.unwrap_or_else(|error| HostAnswer {
            status: HostStatus::Error,
            text: error.to_string(),
        }))
    }
}

/// What the model reads of the host's answer.
fn outcome(answer: HostAnswer) -> Done {
    match answer.status {
        HostStatus::Ok => Done::new(Status::Ok, answer.text),
        HostStatus::Error => Done::error(format!("The tool failed: {}", answer.text)),
        HostStatus::Denied => Done::error(format!("This is not allowed: {}", answer.text)),
    }
}

fn new_context(arguments: &Value) -> Done {
    match arguments.get(SUMMARY).and_then(Value::as_str) {
        Some(summary) => Done {
            summary: Some(summary.to_owned()),
            ..Done::new(Status::Ok, "The conversation goes on from the summary.")
        },
        None => Done::error(format!("{NEW_CONTEXT} needs a text `{SUMMARY}`.")),
    }
}

/// What is wrong with the arguments of a call: no more is checked than what any tool would
/// stumble over, the rest is the tool's own business.
fn problem(schema: &Value, arguments: &Value) -> Option<String> {
    let Some(given) = arguments.as_object() else {
        return Some("The arguments must be a JSON object.".to_owned());
    };
    let required = schema.get("required").and_then(Value::as_array)?;
    let missing =
        required.iter().filter_map(Value::as_str).find(|name| !given.contains_key(*name))?;
    Some(format!("The argument `{missing}` is missing."))
}
