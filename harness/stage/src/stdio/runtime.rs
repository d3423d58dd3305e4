//! The trait of the contract over the adapter protocol.

use std::path::Path;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tacit_contract::protocol::{
    Description, ErrorAnswer, InSession, Initialize, Opening, Party, Prompt, PromptEnd, Saved,
    SetMode, SetTools, Transcript, VERSION, code, method,
};
use tacit_contract::runtime::{Ports, Runtime, RuntimeError};
use tacit_contract::{Mode, Row, SessionId, Tool};

use crate::child::{Client, Farewell, Program, Spoken};

/// A runtime in a process of its own.
#[derive(Debug)]
pub struct StdioRuntime {
    description: Description,
    client: Client,
    step_limit: Duration,
}

/// A result without members that the harness reads.
#[derive(Deserialize)]
struct Nothing {}

impl Spoken for StdioRuntime {
    async fn start(program: &Program, home: &Path) -> Result<Self, RuntimeError> {
        let client = Client::start(program, home)?;
        let params = Initialize {
            protocol_version: VERSION,
            harness: Party {
                name: "tacit".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                language: None,
                url: None,
            },
        };
        let description: Description =
            call(&client, method::INITIALIZE, &params, program.start_limit).await?;
        if description.protocol_version != VERSION {
            let problem = format!(
                "at `result.protocolVersion`: found {}, expected {VERSION}",
                description.protocol_version
            );
            return Err(client.protocol_error(method::INITIALIZE, problem).await);
        }
        Ok(Self { description, client, step_limit: program.step_limit })
    }

    fn is_alive(&self) -> bool {
        self.client.is_alive()
    }

    async fn shut_down(self) {
        self.client.shut_down(Farewell::Request(method::SHUTDOWN)).await;
    }
}

impl StdioRuntime {
    async fn step<T: DeserializeOwned>(
        &self,
        method: &str,
        params: &impl Serialize,
    ) -> Result<T, RuntimeError> {
        call(&self.client, method, params, self.step_limit).await
    }
}

async fn call<T: DeserializeOwned>(
    client: &Client,
    method: &str,
    params: &impl Serialize,
    limit: Duration,
) -> Result<T, RuntimeError> {
    client.ask(method, params, limit).await?.map_err(|error| meant(error, method, params))
}

/// What an error answer means.
fn meant(error: ErrorAnswer, method: &str, params: &impl Serialize) -> RuntimeError {
    let told = |member: &str| {
        let data = error.data.as_ref().and_then(|data| data.get(member)).and_then(Value::as_str);
        data.map_or_else(|| error.message.clone(), str::to_owned)
    };
    match error.code {
        code::UNKNOWN_METHOD => RuntimeError::unsupported(method),
        code::UNSUPPORTED => RuntimeError::Unsupported { what: told("what") },
        code::REFUSED => RuntimeError::Refused { reason: told("reason") },
        code::BUSY => RuntimeError::Busy,
        code::UNKNOWN_SESSION => {
            let params = serde_json::to_value(params).unwrap_or_default();
            let session = params["sessionId"].as_str().unwrap_or_default();
            RuntimeError::UnknownSession { session: SessionId::from(session) }
        }
        code => RuntimeError::Failed { code, message: error.message },
    }
}

fn in_session(session: &SessionId) -> InSession {
    InSession { session_id: session.clone() }
}

impl Runtime for StdioRuntime {
    fn describe(&self) -> &Description {
        &self.description
    }

    async fn open(&self, opening: Opening, _: Ports) -> Result<(), RuntimeError> {
        self.step(method::OPEN, &opening).await.map(|Nothing {}| ())
    }

    async fn prompt(&self, session: &SessionId, text: &str) -> Result<PromptEnd, RuntimeError> {
        let params = Prompt { session_id: session.clone(), text: text.to_owned() };
        let mut end: PromptEnd = self.step(method::PROMPT, &params).await?;
        end.error = end.error.map(|error| self.client.quotable(&error));
        Ok(end)
    }

    async fn save(&self, session: &SessionId) -> Result<Value, RuntimeError> {
        let saved: Saved = self.step(method::SAVE, &in_session(session)).await?;
        Ok(saved.state)
    }

    async fn close(&self, session: &SessionId) -> Result<(), RuntimeError> {
        self.step(method::CLOSE, &in_session(session)).await.map(|Nothing {}| ())
    }

    async fn transcript(&self, session: &SessionId) -> Result<Vec<Row>, RuntimeError> {
        let exported: Transcript = self.step(method::TRANSCRIPT, &in_session(session)).await?;
        Ok(exported.rows)
    }

    async fn abort(&self, session: &SessionId) -> Result<(), RuntimeError> {
        self.step(method::ABORT, &in_session(session)).await.map(|Nothing {}| ())
    }

    async fn set_mode(&self, session: &SessionId, mode: Mode) -> Result<(), RuntimeError> {
        let params = SetMode { session_id: session.clone(), mode };
        self.step(method::SET_MODE, &params).await.map(|Nothing {}| ())
    }

    async fn set_tools(&self, session: &SessionId, tools: Vec<Tool>) -> Result<(), RuntimeError> {
        let params = SetTools { session_id: session.clone(), tools };
        self.step(method::SET_TOOLS, &params).await.map(|Nothing {}| ())
    }

    async fn compact(&self, session: &SessionId) -> Result<(), RuntimeError> {
        self.step(method::COMPACT, &in_session(session)).await.map(|Nothing {}| ())
    }
}
