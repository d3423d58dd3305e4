//! A scripted provider and host, and what the runtime does with them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails shall panic")]

mod activation;
mod context;
mod host;
mod laws;
mod loading;
mod model;
mod providers;
mod restoration;
mod serving;
mod sessions;
mod switches;
mod wire_faults;

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
use tacit_contract::{
    Mode, Origin, OriginKind, ProviderKind, Revision, Row, Standing, Tool, canary,
};

use model::{Call, Shown};

use crate::{ReferenceOptions, ReferenceRuntime};

/// What the scripted model does next.
#[derive(Debug, Clone)]
pub(crate) enum Next {
    /// It calls tools.
    Calls(Vec<Call>),
    /// It says something and is done.
    Says(&'static str),
    /// The provider answers with a status.
    Fails(u16),
    /// The answer ends in the middle.
    BreaksOff,
    /// Something goes wrong in the middle of the answer.
    ErrorEvent,
    /// It neither says nor calls anything.
    SaysNothing,
    /// The connection is cut.
    Disconnects,
    /// Nothing comes.
    Hangs,
}

/// One call to search for something.
pub(crate) fn search(id: &'static str, query: &str) -> Call {
    (id, "ToolSearch", json!({"query": query}))
}

/// One call of a generated tool.
pub(crate) fn using(id: &'static str, name: &'static str) -> Call {
    (id, name, json!({"input": "x"}))
}

/// A provider and a host that keep what they were asked.
pub(crate) struct World {
    script: RefCell<VecDeque<Next>>,
    pub(crate) requests: RefCell<Vec<Value>>,
    pub(crate) host_calls: RefCell<Vec<HostCall>>,
    pub(crate) strict: Cell<bool>,
    /// Whether the provider loads tools.
    pub(crate) native: Cell<bool>,
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

    /// What the model sees of the tools of each request.
    pub(crate) fn shown(&self) -> Vec<Shown> {
        self.requests.borrow().iter().map(model::shown).collect()
    }

    /// What the model sees of the tools of the last request.
    pub(crate) fn last_shown(&self) -> Shown {
        model::shown(self.requests.borrow().last().expect("a request"))
    }

    /// The base prompt of the last request.
    pub(crate) fn base_prompt(&self) -> String {
        let requests = self.requests.borrow();
        requests.last().expect("a request")["messages"][0]["content"].as_str().unwrap().to_owned()
    }
}

/// The names in the ordinary list of a request.
pub(crate) fn names(request: &Value) -> Vec<String> {
    model::shown(request).listed
}

impl Provider for World {
    fn send(
        &self,
        request: ProviderRequest,
    ) -> PortFuture<'_, Result<ProviderResponse, PortError>> {
        let body: Value = serde_json::from_slice(&request.body).expect("a JSON body");
        if self.strict.get() {
            model::check_valid(&body, self.native.get());
        }
        let api = model::api_of(&body);
        let path = match api {
            Api::OpenaiChat => "/s/v1/chat/completions",
            Api::OpenaiResponses => "/s/v1/responses",
            Api::AnthropicMessages => "/s/v1/messages",
        };
        assert_eq!(request.path, path);
        let stream = body["stream"] == true;
        self.requests.borrow_mut().push(body);
        let next = if stream { self.script.borrow_mut().pop_front() } else { None };
        Box::pin(async move {
            let mut half = model::events(api, Some("half"), &[]);
            half.pop();
            Ok(match next.unwrap_or(Next::Says("done")) {
                _ if !stream => model::document(api, "summary"),
                Next::Calls(calls) => model::stream(&model::events(api, None, &calls)),
                Next::Says(text) => model::stream(&model::events(api, Some(text), &[])),
                Next::SaysNothing => model::stream(&model::events(api, None, &[])),
                Next::Fails(status) => model::response(status, "application/json", "{}"),
                Next::BreaksOff => model::stream(&half),
                Next::ErrorEvent => {
                    half.push(model::error_event(api));
                    model::stream(&half)
                }
                Next::Disconnects => {
                    let problem = "connection reset".to_owned();
                    return Err(PortError { whom: "the provider", problem });
                }
                Next::Hangs => std::future::pending().await,
            })
        })
    }
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
            strict: Cell::new(options.switches.faults().next().is_none()),
            native: Cell::new(false),
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

    /// A faultless runtime with a provider of this kind.
    pub(crate) fn over(kind: ProviderKind) -> Self {
        Self::new().with(kind)
    }

    /// The same session opened with a provider of this kind.
    pub(crate) fn with(mut self, kind: ProviderKind) -> Self {
        self.switch(kind);
        self.open();
        self
    }

    /// Has the next opening name a provider of this kind.
    pub(crate) fn switch(&mut self, kind: ProviderKind) {
        let version = if kind.api == Api::AnthropicMessages { "" } else { "/v1" };
        self.opening.provider = ProviderConfig {
            api: kind.api,
            base_url: format!("http://127.0.0.1:9/s{version}"),
            api_key: "k".to_owned(),
            model: "m".to_owned(),
            native: kind.native,
        };
    }

    /// Opens the session as the opening stands.
    pub(crate) fn open(&self) {
        self.world.native.set(self.opening.provider.native);
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

/// Every kind of provider.
pub(crate) fn kinds() -> Vec<ProviderKind> {
    let plain = Api::ALL.map(ProviderKind::plain);
    plain.into_iter().chain(Api::ALL.map(ProviderKind::native)).collect()
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
