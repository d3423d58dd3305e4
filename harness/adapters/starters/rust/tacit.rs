//! my-agent under test: each clause of the contract is a test of `cargo test`.
//!
//! What stands here is a runtime of its own, as plain as there can be: it sends every tool with every
//! request. It works, and it does not keep the contract. Put your runtime in its place.

use std::cell::RefCell;
use std::collections::HashMap;
use std::process::ExitCode;

use serde_json::{Value, json};
use tacit_libtest::contract::protocol::{Description, Opening, PromptEnd};
use tacit_libtest::contract::runtime::{HostCall, HostStatus, ProviderRequest};
use tacit_libtest::contract::{CallId, SessionId, ToolName};
use tacit_libtest::{Ports, Runtime, RuntimeError};

fn main() -> ExitCode {
    tacit_libtest::main("my-agent.toml", MyAgent::new)
}

/// How many requests one prompt may take, so that a runtime gone astray ends.
const STEPS: usize = 50;

/// The runtime: the part to replace.
pub struct MyAgent {
    description: Description,
    sessions: RefCell<HashMap<SessionId, Session>>,
}

/// One conversation.
struct Session {
    opening: Opening,
    ports: Ports,
    messages: Vec<Value>,
}

impl MyAgent {
    /// A runtime without sessions: one is made for each test.
    pub fn new() -> Self {
        // What your runtime does not have is not applicable, which is no shame: claim only what is
        // there.
        let description = json!({
            "protocolVersion": 1,
            "runtime": {"name": "my-agent", "version": "0.1.0", "language": "rust"},
            "capabilities": {"providerApis": ["openai-chat"], "modes": ["agent"], "coreTools": "given"},
        });
        let description = serde_json::from_value(description).expect("the members are all there");
        Self { description, sessions: RefCell::default() }
    }

    /// Takes a session out of the others while it is used.
    fn take(&self, id: &SessionId) -> Result<Session, RuntimeError> {
        let unknown = || RuntimeError::UnknownSession { session: id.clone() };
        self.sessions.borrow_mut().remove(id).ok_or_else(unknown)
    }
}

impl Session {
    async fn prompt(&mut self, text: &str) -> Result<String, String> {
        self.messages.push(json!({"role": "user", "content": text}));
        for _ in 0..STEPS {
            let message = self.ask().await?;
            self.messages.push(message.clone());
            let calls = message["tool_calls"].as_array().cloned().unwrap_or_default();
            if calls.is_empty() {
                return Ok(message["content"].as_str().unwrap_or_default().to_owned());
            }
            for call in calls {
                let content = self.run(&call).await?;
                self.messages.push(json!({
                    "role": "tool", "tool_call_id": call["id"], "content": content,
                }));
            }
        }
        Err(format!("no end after {STEPS} requests"))
    }

    async fn ask(&self) -> Result<Value, String> {
        // The contract would have the core tools and a search tool here, a catalog in the system
        // message, and further tools only once a search has activated them.
        let tools = self.opening.tools.iter().map(|tool| {
            json!({"type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.input_schema,
            }})
        });
        let body = json!({
            "model": self.opening.provider.model,
            "messages": self.messages,
            "tools": tools.collect::<Vec<_>>(),
        });
        // Through the port, in process. A runtime with a client of its own may as well send it over
        // HTTP, to `provider.base_url`.
        let request = ProviderRequest {
            path: "/v1/chat/completions".to_owned(),
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: body.to_string().into_bytes(),
        };
        let answer = self.ports.provider.send(request).await.map_err(|error| error.to_string())?;
        if answer.status != 200 {
            return Err(format!("the provider answered with status {}", answer.status));
        }
        let answer: Value =
            serde_json::from_slice(&answer.body).map_err(|error| error.to_string())?;
        Ok(answer["choices"][0]["message"].clone())
    }

    async fn run(&self, call: &Value) -> Result<String, String> {
        let name = call["function"]["name"].as_str().unwrap_or_default();
        if !self.opening.tools.iter().any(|tool| tool.name == name) {
            return Ok(format!("error: there is no tool {name}"));
        }
        let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
        let call = HostCall {
            session_id: self.opening.session_id.clone(),
            method: "tool.execute".to_owned(),
            call_id: call["id"].as_str().map(CallId::from),
            tool_name: Some(ToolName::from(name)),
            arguments: serde_json::from_str(arguments).ok(),
            timeout_ms: None,
            workspace: None,
        };
        let answer = self.ports.host.call(call).await.map_err(|error| error.to_string())?;
        Ok(match answer.status {
            HostStatus::Ok => answer.text,
            HostStatus::Error | HostStatus::Denied => format!("error: {}", answer.text),
        })
    }
}

impl Runtime for MyAgent {
    fn describe(&self) -> &Description {
        &self.description
    }

    async fn open(&self, opening: Opening, ports: Ports) -> Result<(), RuntimeError> {
        let saved = opening.state.clone().and_then(|state| serde_json::from_value(state).ok());
        let begins = || vec![json!({"role": "system", "content": "You are my-agent."})];
        let messages = saved.unwrap_or_else(begins);
        let id = opening.session_id.clone();
        self.sessions.borrow_mut().insert(id, Session { opening, ports, messages });
        Ok(())
    }

    async fn prompt(&self, id: &SessionId, text: &str) -> Result<PromptEnd, RuntimeError> {
        let mut session = self.take(id)?;
        let end = match session.prompt(text).await {
            Ok(text) => json!({"stop": "end", "text": text}),
            // Whatever ends a prompt is told in the runtime's own words.
            Err(error) => json!({"stop": "error", "error": error}),
        };
        self.sessions.borrow_mut().insert(id.clone(), session);
        Ok(serde_json::from_value(end).expect("the members are all there"))
    }

    async fn save(&self, id: &SessionId) -> Result<Value, RuntimeError> {
        let sessions = self.sessions.borrow();
        let session = sessions.get(id);
        let unknown = || RuntimeError::UnknownSession { session: id.clone() };
        // All that a restart needs.
        Ok(json!(session.ok_or_else(unknown)?.messages))
    }

    async fn close(&self, id: &SessionId) -> Result<(), RuntimeError> {
        self.take(id).map(drop)
    }
}
