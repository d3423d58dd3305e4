//! A scripted provider and host, and what the runtime does with them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails shall panic")]

mod activation;
mod context;
mod faults;
mod host;
mod laws;
mod restoration;
mod serving;
mod sessions;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::rc::Rc;

use serde_json::{Value, json};
use tacit_contract::protocol::{Api, HostConfig, Opening, PromptEnd, ProviderConfig};
use tacit_contract::runtime::{
    HostAnswer, HostCall, HostCore, HostStatus, PortError, PortFuture, Ports, Provider,
    ProviderRequest, ProviderResponse, Runtime,
};
use tacit_contract::{Mode, Origin, OriginKind, Revision, Row, Standing, Tool, canary};

use crate::{ReferenceOptions, ReferenceRuntime};

/// What the scripted model does next.
#[derive(Debug, Clone)]
pub(crate) enum Next {
    /// It calls tools: id, name, arguments.
    Calls(Vec<(&'static str, &'static str, Value)>),
    /// It says something and is done.
    Says(&'static str),
    /// The provider answers with a status.
    Fails(u16),
    /// The stream ends in the middle.
    BreaksOff,
    /// Nothing comes.
    Hangs,
}

/// One call to search for something.
pub(crate) fn search(id: &'static str, query: &str) -> (&'static str, &'static str, Value) {
    (id, "ToolSearch", json!({"query": query}))
}

/// One call of a generated tool.
pub(crate) fn using(id: &'static str, name: &'static str) -> (&'static str, &'static str, Value) {
    (id, name, json!({"input": "x"}))
}

/// A provider and a host that keep what they were asked.
pub(crate) struct World {
    script: RefCell<VecDeque<Next>>,
    pub(crate) requests: RefCell<Vec<Value>>,
    pub(crate) host_calls: RefCell<Vec<HostCall>>,
    pub(crate) strict: Cell<bool>,
    pub(crate) denies: Cell<bool>,
    pub(crate) host_hangs: Cell<bool>,
    pub(crate) says: RefCell<String>,
}

impl World {
    /// The names of the tools of a request.
    pub(crate) fn tools(&self, request: usize) -> Vec<String> {
        names(&self.requests.borrow()[request])
    }

    /// The names of the tools of the last request.
    pub(crate) fn last_tools(&self) -> Vec<String> {
        names(self.requests.borrow().last().expect("a request"))
    }

    /// The base prompt of the last request.
    pub(crate) fn base_prompt(&self) -> String {
        let requests = self.requests.borrow();
        requests.last().expect("a request")["messages"][0]["content"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn names(request: &Value) -> Vec<String> {
    let tools = request["tools"].as_array().cloned().unwrap_or_default();
    tools.iter().map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect()
}

impl Provider for World {
    fn send(
        &self,
        request: ProviderRequest,
    ) -> PortFuture<'_, Result<ProviderResponse, PortError>> {
        let body: Value = serde_json::from_slice(&request.body).expect("a JSON body");
        if self.strict.get() {
            check_valid(&body);
        }
        let stream = body["stream"] == true;
        self.requests.borrow_mut().push(body);
        let next =
            if stream { self.script.borrow_mut().pop_front() } else { Some(Next::Says("summary")) };
        Box::pin(async move {
            Ok(match next.unwrap_or(Next::Says("done")) {
                Next::Calls(calls) => stream_of(&calls),
                Next::Says(text) if stream => {
                    let event = json!({"choices": [
                        {"index": 0, "delta": {"content": text}, "finish_reason": "stop"}
                    ]});
                    response(
                        200,
                        "text/event-stream",
                        &format!("data: {event}\n\ndata: [DONE]\n\n"),
                    )
                }
                Next::Says(text) => {
                    let body = json!({"choices": [
                        {"index": 0, "message": {"content": text}, "finish_reason": "stop"}
                    ]});
                    response(200, "application/json", &body.to_string())
                }
                Next::Fails(status) => response(status, "application/json", "{}"),
                Next::BreaksOff => response(200, "text/event-stream", "data: {\"choices\":[{\"de"),
                Next::Hangs => std::future::pending().await,
            })
        })
    }
}

fn response(status: u16, kind: &str, body: &str) -> ProviderResponse {
    ProviderResponse {
        status,
        headers: vec![
            ("content-type".to_owned(), kind.to_owned()),
            ("retry-after".to_owned(), "0".to_owned()),
        ],
        body: body.as_bytes().to_vec(),
    }
}

fn stream_of(calls: &[(&str, &str, Value)]) -> ProviderResponse {
    let mut body = String::new();
    for (index, (id, name, arguments)) in calls.iter().enumerate() {
        let arguments = arguments.to_string();
        let (first, second) = arguments.split_at(arguments.len() / 2);
        for (name, part) in [(Some(name), first), (None, second)] {
            let event = json!({"choices": [{"index": 0, "delta": {"tool_calls": [{
                "index": index, "id": id, "type": "function",
                "function": {"name": name, "arguments": part},
            }]}, "finish_reason": null}]});
            body.push_str("data: ");
            body.push_str(&event.to_string());
            body.push_str("\n\n");
        }
    }
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
    body.push_str("data: ");
    body.push_str(&end.to_string());
    body.push_str("\n\ndata: [DONE]\n\n");
    response(200, "text/event-stream", &body)
}

/// What a strict provider insists on.
fn check_valid(body: &Value) {
    let names = names(body);
    let mut unique = names.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), names.len(), "a tool stands twice in {names:?}");
    let mut open: Vec<&str> = Vec::new();
    for message in body["messages"].as_array().expect("messages") {
        if message["role"] == "tool" {
            let id = message["tool_call_id"].as_str().expect("an id");
            let at = open.iter().position(|open| *open == id);
            open.remove(at.unwrap_or_else(|| panic!("{id} answers no call")));
            continue;
        }
        assert!(open.is_empty(), "{open:?} has no result");
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            open.push(call["id"].as_str().expect("an id"));
        }
    }
    assert!(open.is_empty(), "{open:?} has no result");
}

impl HostCore for World {
    fn call(&self, call: HostCall) -> PortFuture<'_, Result<HostAnswer, PortError>> {
        let denied = self.denies.get() && call.method == "tool.permission";
        self.host_calls.borrow_mut().push(call);
        let status = if denied { HostStatus::Denied } else { HostStatus::Ok };
        let text = self.says.borrow().clone();
        Box::pin(async move {
            if self.host_hangs.get() {
                std::future::pending::<()>().await;
            }
            Ok(HostAnswer { status, text })
        })
    }
}

/// A runtime with one session, `s`, in this world.
pub(crate) struct Play {
    pub(crate) world: Rc<World>,
    pub(crate) runtime: ReferenceRuntime,
    pub(crate) opening: Opening,
}

impl Play {
    /// A faultless runtime of the default revision in agent mode.
    pub(crate) fn new() -> Self {
        Self::of(ReferenceOptions::faultless(Revision::R3), Mode::Agent)
    }

    pub(crate) fn of(options: ReferenceOptions, mode: Mode) -> Self {
        let world = World {
            script: RefCell::default(),
            requests: RefCell::default(),
            host_calls: RefCell::default(),
            strict: Cell::new(!options.faults.any()),
            denies: Cell::new(false),
            host_hangs: Cell::new(false),
            says: RefCell::new("fine".to_owned()),
        };
        let play = Self {
            world: Rc::new(world),
            runtime: ReferenceRuntime::new(options),
            opening: Opening {
                session_id: "s".into(),
                mode,
                provider: ProviderConfig {
                    api: Api::OpenaiChat,
                    base_url: "http://127.0.0.1:9/s/v1".to_owned(),
                    api_key: "k".to_owned(),
                    model: "m".to_owned(),
                    native: false,
                },
                host: HostConfig { url: "http://127.0.0.1:9/host".to_owned() },
                tools: registry(),
                max_activated: 4,
                workspace: "w".to_owned(),
                state_dir: "d".to_owned(),
                state: None,
                transcript: None,
            },
        };
        play.open();
        play
    }

    pub(crate) fn ports(&self) -> Ports {
        let provider: Rc<dyn Provider> = self.world.clone();
        Ports { provider, host: self.world.clone() }
    }

    /// Opens the session as the opening stands.
    pub(crate) fn open(&self) {
        wait(self.runtime.open(self.opening.clone(), self.ports())).expect("it opens");
    }

    /// Opens it from rows.
    pub(crate) fn seed(&mut self, rows: Vec<Row>) {
        self.opening.transcript = Some(rows);
        self.open();
        self.opening.transcript = None;
    }

    /// Saves the session and opens it in a new process.
    pub(crate) fn restart(&mut self, options: ReferenceOptions) {
        self.opening.state = Some(self.saved());
        self.runtime = ReferenceRuntime::new(options);
        self.open();
        self.opening.state = None;
    }

    pub(crate) fn saved(&self) -> Value {
        wait(self.runtime.save(&"s".into())).expect("it saves")
    }

    pub(crate) fn script(&self, script: Vec<Next>) {
        self.world.script.borrow_mut().extend(script);
    }

    pub(crate) fn prompt(&self, text: &str, script: Vec<Next>) -> PromptEnd {
        self.script(script);
        wait(self.runtime.prompt(&"s".into(), text)).expect("a prompt")
    }

    /// Searches for something in a prompt of its own: gives the marker.
    pub(crate) fn search(&self, query: &str) -> Vec<String> {
        let args = json!({"query": query});
        self.search_with(args).1
    }

    /// Searches with these arguments: gives the result's text and its marker.
    pub(crate) fn search_with(&self, arguments: Value) -> (String, Vec<String>) {
        self.prompt("p", vec![Next::Calls(vec![("c", "ToolSearch", arguments)])]);
        let result = self.rows().into_iter().rev().find_map(|row| match row {
            Row::ToolResult { text, added_tool_names, .. } => Some((text, added_tool_names)),
            _ => None,
        });
        let (text, marker) = result.expect("a result");
        (text, marker.into_iter().flatten().map(|name| name.to_string()).collect())
    }

    pub(crate) fn rows(&self) -> Vec<Row> {
        wait(self.runtime.transcript(&"s".into())).expect("rows")
    }
}

pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

/// A deferred tool in every mode.
pub(crate) fn deferred(name: &str, description: &str, origin: Origin) -> Tool {
    Tool {
        name: name.into(),
        description: description.to_owned(),
        input_schema: canary::schema(1, &name.into(), 1),
        origin,
        modes: Mode::ALL.map(|mode| (mode, Standing::Deferred)).into(),
    }
}

/// The registry that most tests use.
pub(crate) fn registry() -> Vec<Tool> {
    let mut agent_only = deferred("PluginPack", "packs a plugin", Origin::of(OriginKind::Devkit));
    agent_only.modes.retain(|mode, _| *mode == Mode::Agent);
    vec![
        deferred("BrowserPreview", "shows a page in a browser", Origin::of(OriginKind::Builtin)),
        deferred("Skill", "reads a skill by its title", Origin::of(OriginKind::Skill)),
        agent_only,
        deferred("acme_weather", "tells the forecast for a city", Origin::plugin("acme")),
        deferred("acme_tickets", "buys tickets for a concert", Origin::plugin("acme")),
    ]
}

pub(crate) fn core() -> Vec<String> {
    ["Read", "Bash", "Edit", "Write", "Glob", "Grep", "new_context", "ToolSearch"]
        .map(str::to_owned)
        .to_vec()
}

pub(crate) fn core_and(active: &[&str]) -> Vec<String> {
    core().into_iter().chain(active.iter().map(|name| (*name).to_owned())).collect()
}
