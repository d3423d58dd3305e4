//! Traces made by hand: what a runtime might have done, entry by entry.

pub mod world;

use std::sync::Arc;

use serde_json::{Value, json};
use tacit_contract::protocol::{
    Api, Capabilities, CoreTools, Description, Dialect, Party, PromptEnd, Stop,
};
use tacit_contract::runtime::{HostAnswer, HostCall, HostStatus};
use tacit_contract::trace::{Answered, From, Issued, RequestClass};
use tacit_contract::{
    Call, CallId, Entry, Judgement, Mode, Origin, Profile, ProviderKind, Query, Requested, Row,
    Seen, Session, Status, Tool, ToolCall, ToolName, ToolSpec, Trace, Variant,
};
use tacit_judge::Judge;

/// What the profile has in agent mode, whatever the registry.
pub const ALWAYS: [&str; 8] =
    ["Read", "Bash", "Edit", "Write", "Glob", "Grep", "ToolSearch", "new_context"];

/// The deferred tools of every story.
pub const DEFERRED: [&str; 2] = ["acme_weather", "acme_tickets"];

pub const PLAIN: ProviderKind = ProviderKind::PLAINEST;
pub const NATIVE: ProviderKind = ProviderKind::native(Api::OpenaiChat);

/// A session as it went, told entry by entry.
pub struct Story {
    trace: Trace,
    session: &'static str,
    prompts: usize,
    rows: Vec<Row>,
    tools: Vec<Tool>,
}

pub fn profile() -> Profile {
    Profile::named("nib-r3").unwrap()
}

pub fn tools() -> Vec<Tool> {
    session().registry()
}

fn session() -> Session {
    let spec = |name: &&str| {
        ToolSpec::deferred(*name, "what it is for", Origin::plugin("acme"), &Mode::ALL)
    };
    Session {
        seed: 1,
        mode: Mode::Agent,
        provider: PLAIN,
        tools: DEFERRED.iter().map(spec).collect(),
        bulk: tacit_contract::session::Bulk::default(),
        steps: Vec::new(),
    }
}

impl Story {
    pub fn over(provider: ProviderKind) -> Self {
        Self::begun(provider, tools())
    }

    /// A session over the plainest provider with a registry of its own.
    pub fn having(tools: Vec<Tool>) -> Self {
        Self::begun(PLAIN, tools)
    }

    fn begun(provider: ProviderKind, tools: Vec<Tool>) -> Self {
        let runtime = Description {
            protocol_version: 1,
            runtime: Party {
                name: "by hand".to_owned(),
                version: "1".to_owned(),
                language: None,
                url: None,
            },
            capabilities: Capabilities {
                provider_apis: Api::ALL.to_vec(),
                native_deferral: Api::ALL.to_vec(),
                modes: Mode::ALL.to_vec(),
                core_tools: CoreTools::Own,
                concurrent: false,
                activity: false,
                transcript: true,
                abort: true,
                set_mode: true,
                set_tools: true,
                compact: true,
            },
            dialect: Dialect::default(),
        };
        let trace = Trace { runtime, session: session(), log: Vec::new(), cut_short: None };
        let mut story = Self { trace, session: "session-1", prompts: 0, rows: Vec::new(), tools };
        story.open(provider, From::Nothing);
        story
    }

    /// The core tools are the session's own, given to the runtime.
    pub fn give_core_tools(&mut self) {
        self.trace.runtime.capabilities.core_tools = CoreTools::Given;
    }

    /// What follows is of this session.
    pub fn go_to(&mut self, session: &'static str) {
        self.session = session;
    }

    /// The runtime does not show its rows.
    pub fn hide_rows(&mut self) {
        self.trace.runtime.capabilities.transcript = false;
    }

    pub fn see(&mut self, seen: Seen) {
        self.trace.log.push(Entry { session: self.session.into(), seen });
    }

    fn open(&mut self, provider: ProviderKind, from: From) {
        self.see(Seen::Opened {
            mode: Mode::Agent,
            tools: Arc::new(self.tools.clone()),
            api: provider.api,
            native: provider.native,
            from,
        });
    }

    /// Saved and opened again.
    pub fn reopen(&mut self, provider: ProviderKind) {
        self.see(Seen::Closed);
        self.open(provider, From::State { process: false });
    }

    /// A prompt, whose text is its number.
    pub fn prompt(&mut self) {
        self.prompts += 1;
        let text = asked(self.prompts);
        self.rows.push(Row::User { text: text.clone() });
        self.see(Seen::Prompted { step: self.prompts, text });
    }

    /// A request of the prompt, and what it was answered.
    pub fn request(&mut self, api: Api, body: &Value, answer: Answered) {
        self.request_of(RequestClass::Turn, api, body, answer);
    }

    pub fn request_of(&mut self, class: RequestClass, api: Api, body: &Value, answer: Answered) {
        let path = "/v1/chat/completions".to_owned();
        let body = body.to_string().into();
        self.see(Seen::Requested(Requested { api: Some(api), path, body, class, answer }));
    }

    /// Another body in place of the last request's.
    pub fn replace_last_request(&mut self, body: &Value) {
        self.change_last_body(|_| body.to_string());
    }

    /// The text of the last request's body, changed.
    pub fn change_last_body(&mut self, change: impl FnOnce(&str) -> String) {
        let mut seen = self.trace.log.iter_mut().rev().map(|entry| &mut entry.seen);
        if let Some(Seen::Requested(request)) = seen.find(|seen| matches!(seen, Seen::Requested(_)))
        {
            request.body = change(&request.body).into();
        }
    }

    /// The host is asked, and answers.
    pub fn host(&mut self, call: HostCall, status: HostStatus) {
        let answer = HostAnswer { status, text: "done".to_owned() };
        self.see(Seen::HostCalled { call, answer });
    }

    /// A row is recorded.
    pub fn write(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// A search is issued, and its result recorded with a marker.
    pub fn searched(&mut self, id: &str, marker: &[&str]) {
        let marker = marker.iter().copied().map(ToolName::from).collect();
        self.recorded(id, "ToolSearch", Status::Ok, Some(marker));
    }

    /// A use is issued, and its success recorded.
    pub fn used(&mut self, id: &str, tool: &str) {
        self.recorded(id, tool, Status::Ok, None);
    }

    /// A call is recorded with its result.
    pub fn recorded(
        &mut self,
        id: &str,
        tool: &str,
        status: Status,
        added_tool_names: Option<Vec<ToolName>>,
    ) {
        let call = ToolCall { id: id.into(), name: tool.into(), arguments: json!({}) };
        self.rows.push(Row::Assistant { text: None, tool_calls: vec![call] });
        self.rows.push(Row::ToolResult {
            call_id: id.into(),
            tool_name: tool.into(),
            status,
            text: "done".to_owned(),
            added_tool_names,
        });
    }

    /// The prompt ends well, and the rows are exported.
    pub fn end(&mut self) {
        self.end_with(Stop::End, None);
    }

    pub fn end_with(&mut self, stop: Stop, error: Option<&str>) {
        let error = error.map(str::to_owned);
        self.see(Seen::PromptEnded(PromptEnd { stop, text: None, error, activity: None }));
        if self.trace.runtime.capabilities.transcript {
            self.see(Seen::Transcript { rows: self.rows.clone() });
        }
    }

    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    pub fn judged(&self) -> Judgement {
        self.judged_under(&profile())
    }

    pub fn judged_under(&self, profile: &Profile) -> Judgement {
        Judge::new(profile).judge(&self.trace)
    }

    /// What is found where this is held against the same session over another provider.
    pub fn judged_beside(&self, provider: ProviderKind, other: &Self) -> Judgement {
        let variants = [(Variant::Over { provider }, other.trace.clone())];
        Judge::new(&profile()).judge_case(&self.trace, &variants)
    }
}

/// A first prompt in which a search has found one tool, with what the next request holds.
pub fn searched_once() -> (Story, Vec<Value>) {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    story.searched("call-1", &["acme_weather"]);
    (story, [vec![user(1)], found("call-1", &[])].concat())
}

/// What the user asked in a prompt.
pub fn asked(prompt: usize) -> String {
    format!("prompt number {prompt}")
}

/// What the model was scripted to do.
pub fn search(id: &str, tool: &str) -> Issued {
    Issued {
        id: CallId::from(id),
        tool: "ToolSearch".into(),
        arguments: json!({"query": tool}),
        call: Call::Search { query: Query::text(tool) },
    }
}

/// A use of a tool that the host would let succeed.
pub fn using(id: &str, tool: &str) -> Issued {
    let tool = ToolName::from(tool);
    let (outcome, says) = (tacit_contract::session::Outcome::Ok, None);
    let call = Call::Use { tool: tool.clone(), outcome, says };
    Issued { id: CallId::from(id), tool, arguments: json!({}), call }
}

/// What a runtime asks the host about a call.
pub fn host_call(method: &str, id: Option<&str>, tool: &str) -> HostCall {
    HostCall {
        session_id: "session-1".into(),
        method: method.to_owned(),
        call_id: id.map(CallId::from),
        tool_name: Some(tool.into()),
        arguments: Some(json!({})),
        timeout_ms: None,
        workspace: None,
    }
}

pub fn calls(calls: Vec<Issued>) -> Answered {
    Answered::Calls { step: 0, calls }
}

/// A definition as Chat Completions has it.
pub fn definition(name: &str) -> Value {
    let given = tools().into_iter().find(|tool| tool.name == name);
    let schema = given.map_or_else(|| json!({"type": "object"}), |tool| tool.input_schema);
    json!({"type": "function", "function": {
        "name": name, "description": "what it is for", "parameters": schema,
    }})
}

pub fn definitions(names: &[&str]) -> Value {
    names.iter().map(|name| definition(name)).collect()
}

/// A body of Chat Completions: what is always sent, further tools in the ordinary list, and the
/// conversation.
pub fn body(further: &[&str], conversation: Vec<Value>) -> Value {
    let listed: Vec<&str> = ALWAYS.iter().chain(further).copied().collect();
    let entries: Vec<String> =
        DEFERRED.iter().map(|name| format!("- {name}: what it is for")).collect();
    let base = format!(
        "You are an agent.\n\n# On-demand tools\nCall ToolSearch first.\n\n{}\n",
        entries.join("\n")
    );
    let mut messages = vec![json!({"role": "system", "content": base})];
    messages.extend(conversation);
    json!({"model": "scripted", "messages": messages, "tools": definitions(&listed)})
}

pub fn user(prompt: usize) -> Value {
    json!({"role": "user", "content": asked(prompt)})
}

pub fn called(id: &str, tool: &str) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": id, "type": "function", "function": {"name": tool, "arguments": "{}"}},
    ]})
}

pub fn result(id: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": "done"})
}

/// The message by which tools are loaded.
pub fn loads(names: &[&str]) -> Value {
    json!({"role": "system", "tools": definitions(names)})
}

/// The result of a search, which names whatever it may have found.
pub fn found_some(id: &str) -> Value {
    let text = DEFERRED.join(" or ");
    json!({"role": "tool", "tool_call_id": id, "content": text})
}

/// A search with its result, and what it loads.
pub fn found(id: &str, loaded: &[&str]) -> Vec<Value> {
    let mut messages = vec![called(id, "ToolSearch"), found_some(id)];
    if !loaded.is_empty() {
        messages.push(loads(loaded));
    }
    messages
}

/// The clauses that a judgement finds broken, each once, in the order of their names.
pub fn broken(judgement: &Judgement) -> Vec<&str> {
    let mut clauses: Vec<&str> =
        judgement.breaches.iter().map(|breach| breach.clause.as_str()).collect();
    clauses.sort_unstable();
    clauses.dedup();
    clauses
}

/// How often a clause's premise occurred.
pub fn premises(judgement: &Judgement, clause: &str) -> u64 {
    judgement.exercised.get(clause).copied().unwrap_or_default()
}

/// What was found of a clause.
pub fn found_of(judgement: &Judgement, clause: &str) -> String {
    let of_clause = judgement.breaches.iter().filter(|breach| breach.clause == clause);
    of_clause.map(|breach| breach.found.as_str()).collect::<Vec<_>>().join("; ")
}
