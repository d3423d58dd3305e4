//! Sidecars of a few lines of Python, and a parent's host to answer them.

use std::cell::RefCell;
use std::fs;
use std::rc::Rc;
use std::time::Duration;

use serde_json::{Value, json};
use tacit_contract::protocol::{Api, HostConfig, Opening, ProviderConfig};
use tacit_contract::runtime::{
    HostAnswer, HostCall, HostCore, HostStatus, PortError, PortFuture, Ports, Provider,
    ProviderRequest, ProviderResponse,
};
use tacit_contract::{Mode, Origin, Standing, Tool};
use tacit_stage::{Nib, Program};
use tempfile::TempDir;

/// A sidecar that writes down each line that it gets. What it does when it is prompted stands in
/// for `AT_PROMPT`; it answers the prompt after that.
const SIDECAR: &str = r#"
import json, os, sys, time

def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()

def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    with open(os.environ["LINES"], "a") as lines:
        lines.write(line)
    return json.loads(line)

def event(kind, **more):
    send({"method": "agent.event", "params": {
        "sessionId": params["sessionId"], "turnId": params.get("turnId"), "ts": 1,
        "event": {"type": kind, **more}}})

calls = 0

def host(method, **more):
    global calls
    calls += 1
    id = f"uuid-{calls}"
    send({"id": id, "method": "host.proxy", "params": {"method": method, "params": more}})
    while True:
        heard = hear()
        if heard.get("id") == id:
            return heard
        answer(heard)

def said(text, status="complete", **more):
    event("message_end", message={"id": f"m{prompts}", "role": "assistant", "content": text,
                                  "createdAt": "2026-09-01T00:00:02Z", "status": status, **more})

def tool(id, name, args, result, failed=False):
    event("tool_start", toolCallId=id, toolName=name, args=args)
    event("tool_end", toolCallId=id, result=result, isError=failed)

prompts = 0
known = set()
running = 0
AT_START

def answer(message):
    global params, prompts, running
    method, id = message.get("method"), message["id"]
    if method == "agent.getStatus":
        running -= 1
        send({"id": id, "result": {"status": {"isRunning": running >= 0}}})
    elif method == "agent.disposeSession":
        known.discard(message["params"]["sessionId"])
        send({"id": id, "result": {"ok": True}})
    elif method in ("agent.prompt", "agent.compact"):
        params = message["params"]
        if params["sessionId"] not in known:
            host("session.get", id=params["sessionId"])
            known.add(params["sessionId"])
        if method == "agent.compact":
            AT_COMPACT
            send({"id": id, "result": {"accepted": True}})
            return
        prompts += 1
        event("status", status="running")
        event("agent_start")
        AT_PROMPT
        send({"id": id, "result": {"accepted": True, "turnId": params.get("turnId")}})
    elif method == "agent.abort":
        host("plans.abort", sessionId=message["params"]["sessionId"])
        said("", "aborted")
        event("turn_end")
        event("agent_end", messageIds=[])
        send({"id": id, "result": {"ok": True}})
    else:
        send({"id": id, "result": {"ok": True}})

while True:
    answer(hear())
"#;

/// What ends a prompt well.
pub const DONE: &str = "said('done'); event('turn_end'); event('agent_end', messageIds=[])";

/// A sidecar to be spoken to, and what it was told.
pub struct Sidecar {
    folder: TempDir,
    program: Program,
}

impl Sidecar {
    /// One that does this when it is prompted.
    pub fn at_prompt(code: &str) -> Self {
        Self::with("pass", code, "pass")
    }

    pub fn with(at_start: &str, at_prompt: &str, at_compact: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let script = SIDECAR
            .replace("AT_START", at_start)
            .replace("AT_PROMPT", at_prompt)
            .replace("AT_COMPACT", at_compact);
        let path = folder.path().join("sidecar.py");
        fs::write(&path, script).unwrap();
        let mut program = Program::new(["python3", path.to_str().unwrap()]);
        let lines = folder.path().join("lines").to_str().unwrap().to_owned();
        program.env = vec![("LINES".to_owned(), lines)];
        program.step_limit = Duration::from_mins(1);
        Self { folder, program }
    }

    /// The same with another limit for a step.
    pub fn limited(mut self, step: Duration) -> Self {
        self.program.step_limit = step;
        self
    }

    /// The same with another limit for the start.
    pub fn limited_start(mut self, start: Duration) -> Self {
        self.program.start_limit = start;
        self
    }

    pub fn connector(&self) -> Nib {
        Nib::new(self.program.clone())
    }

    /// Every line that it got.
    pub fn lines(&self) -> Vec<Value> {
        let lines = fs::read_to_string(self.folder.path().join("lines")).unwrap_or_default();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The parameters of every request of a method.
    pub fn asked(&self, method: &str) -> Vec<Value> {
        let asked = self.lines().into_iter().filter(|line| line["method"] == method);
        asked.map(|line| line["params"].clone()).collect()
    }

    /// The answers to its host calls, in order.
    pub fn answers(&self) -> Vec<Value> {
        let answers = self.lines().into_iter().filter(|line| line.get("method").is_none());
        answers.map(|line| line.get("result").unwrap_or(&line["error"]).clone()).collect()
    }
}

/// A host that answers by the name of the tool, and remembers what it was asked.
#[derive(Default)]
pub struct Host(RefCell<Vec<HostCall>>);

impl Host {
    pub fn ports(self: &Rc<Self>) -> Ports {
        Ports { provider: Rc::new(NoProvider), host: Rc::clone(self) as Rc<dyn HostCore> }
    }

    pub fn calls(&self) -> Vec<HostCall> {
        self.0.borrow().clone()
    }
}

impl HostCore for Host {
    fn call(&self, call: HostCall) -> PortFuture<'_, Result<HostAnswer, PortError>> {
        let tool = call.tool_name.as_ref().map_or("", |name| name.as_str()).to_owned();
        self.0.borrow_mut().push(call);
        Box::pin(async move {
            let status = match tool.as_str() {
                "never" => std::future::pending().await,
                "broken" => {
                    return Err(PortError { whom: "the host", problem: "it is away".to_owned() });
                }
                "failing" => HostStatus::Error,
                "forbidden" => HostStatus::Denied,
                _ => HostStatus::Ok,
            };
            Ok(HostAnswer { status, text: format!("{tool} says") })
        })
    }
}

/// A sidecar of these tests asks no provider.
struct NoProvider;

impl Provider for NoProvider {
    fn send(&self, _: ProviderRequest) -> PortFuture<'_, Result<ProviderResponse, PortError>> {
        Box::pin(async {
            Err(PortError { whom: "the provider", problem: "there is none".to_owned() })
        })
    }
}

/// An agent session with two plugin tools, over Chat Completions.
pub fn opening() -> Opening {
    Opening {
        session_id: "s1".into(),
        mode: Mode::Agent,
        provider: provider(Api::OpenaiChat, false),
        host: HostConfig { url: "http://127.0.0.1:1/host".to_owned() },
        tools: vec![
            plugin_tool("plugin_alpha", "does alpha things"),
            plugin_tool("plugin_beta", "does beta things"),
        ],
        max_activated: 4,
        workspace: "/workspace".to_owned(),
        state_dir: "/state".to_owned(),
        state: None,
        transcript: None,
    }
}

pub fn provider(api: Api, native: bool) -> ProviderConfig {
    let base = "http://127.0.0.1:18080".to_owned();
    ProviderConfig {
        api,
        base_url: if api == Api::AnthropicMessages { base } else { base + "/v1" },
        api_key: "sk-fake".to_owned(),
        model: "fake-model".to_owned(),
        native,
    }
}

pub fn plugin_tool(name: &str, description: &str) -> Tool {
    Tool {
        name: name.into(),
        description: description.to_owned(),
        input_schema: json!({"type": "object", "properties": {"x": {"type": "string"}}}),
        origin: Origin::plugin("plugin"),
        modes: [(Mode::Agent, Standing::Deferred)].into(),
    }
}
