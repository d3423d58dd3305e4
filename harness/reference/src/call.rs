//! One tool call: refused, answered by the runtime itself, or taken to the host.

use serde_json::Value;
use tacit_contract::runtime::{HostAnswer, HostCall, HostStatus};
use tacit_contract::{Status, ToolCall, ToolName};

use crate::abort::Aborted;
use crate::activation::SEARCH;
use crate::activation::clean::one_line;
use crate::activation::search::no_match;
use crate::own::{LIMIT, NEW_CONTEXT, QUERY, SUBMIT_GOAL, SUBMIT_PLAN, SUMMARY};
use crate::provider::Halt;
use crate::switches::points::{self, Reach};
use crate::turn::Turn;
use crate::variants::{requests, search};

const PERMISSION: &str = "tool.permission";
const EXECUTE: &str = "tool.execute";
const AUDIT: &str = "tool.audit";

/// How long the host may take over one tool.
const TIMEOUT_MS: u64 = 120_000;

/// The most that is repeated of a name that the model made up.
const LONGEST_NAME: usize = 64;

/// How the result of a call begins that the host denies.
pub(crate) const NOT_ALLOWED: &str = "This is not allowed";

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

    /// The result of a search.
    pub(crate) fn searched(text: String, added: Vec<ToolName>) -> Self {
        Self { added: (!added.is_empty()).then_some(added), ..Self::new(Status::Ok, text) }
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
    pub(crate) async fn call(&mut self, call: &ToolCall) -> Result<Done, Halt> {
        self.session.abort.check()?;
        let name = call.name.as_str();
        if !self.is_runnable(call) {
            return self.refuse(call);
        }
        if name == SEARCH {
            return self.search(call).await;
        }
        if let Some(problem) = self.problem(call) {
            return Ok(Done::error(problem));
        }
        match name {
            NEW_CONTEXT => Ok(new_context(&call.arguments)),
            SUBMIT_PLAN | SUBMIT_GOAL => Ok(Done::new(Status::Ok, "Handed in.")),
            _ => Ok(self.host(call).await?),
        }
    }

    /// Whether the model was shown the tool that it calls.
    fn is_runnable(&self, call: &ToolCall) -> bool {
        let shown = self.shown.iter().any(|tool| tool.name == call.name);
        let session = self.session;
        if session.options.switches.any() {
            return points::is_runnable(session, &session.state.borrow(), call, shown);
        }
        shown
    }

    /// What is wrong with the arguments of a call: no more is checked than what any tool would
    /// stumble over, the rest is the tool's own business.
    fn problem(&self, call: &ToolCall) -> Option<String> {
        let Some(given) = call.arguments.as_object() else {
            return Some("The arguments must be a JSON object.".to_owned());
        };
        let tool = self.shown.iter().find(|tool| tool.name == call.name)?;
        let required = tool.input_schema.get("required").and_then(Value::as_array)?;
        let mut required = required.iter().filter_map(Value::as_str);
        let missing = required.find(|name| !given.contains_key(*name))?;
        Some(format!("The argument `{missing}` is missing."))
    }

    /// The answer to a call of a tool that the model was not shown.
    fn refuse(&self, call: &ToolCall) -> Result<Done, Halt> {
        if self.session.options.switches.any() {
            points::on_refusal(self.session, &mut self.session.state.borrow_mut(), call)
                .map_err(Halt::Failed)?;
        }
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
        let mut done = Done::error(text);
        if self.session.options.switches.any() {
            points::refusal(self.session, &state, call, &mut done);
        }
        Ok(done)
    }

    /// Answers a search. All of it happens here: the host never hears of it.
    async fn search(&mut self, call: &ToolCall) -> Result<Done, Halt> {
        let session = self.session;
        if session.options.switches.any() {
            requests::keep_house(session).await?;
            for method in points::search_host_methods(session) {
                self.ask_host(method, call).await?;
            }
            let mut state = session.state.borrow_mut();
            let selection =
                points::search(session, &state, &call.arguments).map_err(Halt::Failed)?;
            let done = selection.map(|selection| points::selected(session, &mut state, selection));
            drop(state);
            let mut done = done.unwrap_or_else(|| self.find(&call.arguments));
            search::said(session, &session.state.borrow(), &mut done);
            return Ok(done);
        }
        Ok(self.find(&call.arguments))
    }

    fn find(&self, arguments: &Value) -> Done {
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
        let added = selection.activated.iter().map(|tool| tool.name.clone()).collect();
        let done = Done::searched(selection.text(), added);
        state.active.extend(selection.activated);
        done
    }

    /// Takes a call to the host: may it run, run it, write it down. Every tool goes this way, and
    /// nothing about it depends on how the tool came to be shown.
    async fn host(&self, call: &ToolCall) -> Result<Done, Aborted> {
        if self.session.options.switches.any() {
            return self.host_unevenly(call, &points::reach(self.session, call)).await;
        }
        let allowed = self.ask_host(PERMISSION, call).await?;
        let done = match allowed.status {
            HostStatus::Ok => outcome(self.ask_host(EXECUTE, call).await?),
            HostStatus::Error | HostStatus::Denied => outcome(allowed),
        };
        self.ask_host(AUDIT, call).await?;
        Ok(done)
    }

    /// The same way for a runtime that treats activated tools otherwise than core ones.
    async fn host_unevenly(&self, call: &ToolCall, reach: &Reach) -> Result<Done, Aborted> {
        let allowed = if reach.asks {
            self.ask_host(PERMISSION, call).await?
        } else {
            HostAnswer { status: HostStatus::Ok, text: String::new() }
        };
        let done = if allowed.status == HostStatus::Ok || !reach.heeds_denial {
            let mut request = self.host_call(EXECUTE, call);
            request.timeout_ms = request.timeout_ms.filter(|_| reach.limited);
            request.workspace = request.workspace.filter(|_| reach.contained);
            outcome(self.send_host(request).await?)
        } else {
            outcome(allowed)
        };
        if reach.audited {
            self.ask_host(AUDIT, call).await?;
        }
        Ok(done)
    }

    async fn ask_host(&self, method: &str, call: &ToolCall) -> Result<HostAnswer, Aborted> {
        self.send_host(self.host_call(method, call)).await
    }

    fn host_call(&self, method: &str, call: &ToolCall) -> HostCall {
        HostCall {
            session_id: self.session.id.clone(),
            method: method.to_owned(),
            call_id: Some(call.id.clone()),
            tool_name: Some(call.name.clone()),
            arguments: Some(call.arguments.clone()),
            timeout_ms: (method == EXECUTE).then_some(TIMEOUT_MS),
            workspace: Some(self.session.workspace.clone()),
        }
    }

    async fn send_host(&self, request: HostCall) -> Result<HostAnswer, Aborted> {
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
        HostStatus::Denied => Done::error(format!("{NOT_ALLOWED}: {}", answer.text)),
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
