//! The trait of the contract over the protocol of Nib's sidecar.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tacit_contract::protocol::{Description, ErrorAnswer, Opening, PromptEnd, code};
use tacit_contract::runtime::{Ports, Runtime, RuntimeError};
use tacit_contract::{Mode, Row, SessionId, Tool};
use tokio::time::sleep;

use super::desk::Desk;
use super::session::{Session, Turn};
use super::words::{description, method};
use crate::child::{Client, Farewell, Program, Spoken};

/// How often a turn that went wrong is asked about: it may end without another word.
const LOOK: Duration = Duration::from_millis(50);

/// A sidecar in a process of its own: any number of sessions, one prompt at a time.
pub struct NibRuntime {
    description: Description,
    client: Client,
    desk: Desk,
    step_limit: Duration,
}

/// A result without members that a parent reads.
#[derive(Deserialize)]
struct Anything {}

#[derive(Deserialize)]
struct StatusAnswer {
    status: TurnStatus,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TurnStatus {
    is_running: bool,
}

impl Spoken for NibRuntime {
    async fn start(program: &Program, home: &Path) -> Result<Self, RuntimeError> {
        let (client, incoming) = Client::start_and_listen(program, home)?;
        let runtime = Self {
            description: description(),
            client,
            desk: Desk::new(incoming),
            step_limit: program.step_limit,
        };
        // It greets nobody: that it answers shows that it is there.
        let health = runtime.client.ask(method::HEALTH, &json!({}), program.start_limit).await?;
        let Anything {} = health.map_err(|error| meant(error, method::HEALTH))?;
        Ok(runtime)
    }

    fn is_alive(&self) -> bool {
        self.client.is_alive()
    }

    async fn shut_down(self) {
        self.client.shut_down(Farewell::EndOfInput).await;
    }
}

impl NibRuntime {
    async fn ask<T: DeserializeOwned>(
        &self,
        method: &str,
        params: &Value,
    ) -> Result<T, RuntimeError> {
        // Boxed, as the prompt's is: each would else be a part of every step of every session.
        let asked = Box::pin(self.client.ask(method, params, self.step_limit));
        self.desk.attended(&self.client, asked).await?.map_err(|error| meant(error, method))
    }

    /// Makes the sidecar forget a session, so that it rebuilds it from the rows.
    async fn dispose(&self, session: &SessionId) -> Result<(), RuntimeError> {
        let Anything {} = self.ask(method::DISPOSE, &json!({"sessionId": session})).await?;
        Ok(())
    }

    fn with<T>(
        &self,
        session: &SessionId,
        f: impl FnOnce(&mut Session) -> T,
    ) -> Result<T, RuntimeError> {
        let unknown = || RuntimeError::UnknownSession { session: session.clone() };
        self.desk.with(session, f).ok_or_else(unknown)
    }

    /// Sees to it that the sidecar has the tools as they are now.
    async fn refresh(&self, session: &SessionId) -> Result<(), RuntimeError> {
        if self.with(session, |session| session.is_stale())? {
            self.dispose(session).await?;
            self.with(session, Session::forgotten)?;
        }
        Ok(())
    }

    /// Runs a prompt whose turn is begun.
    async fn run(&self, session: &SessionId, params: &Value) -> Result<(), RuntimeError> {
        let asked = self.client.ask(method::PROMPT, params, self.step_limit).await?;
        let Anything {} = asked.map_err(|error| meant(error, method::PROMPT))?;
        let ended = self.end_of_turn(session);
        self.client.attend(method::PROMPT, self.step_limit, ended).await?
    }

    /// Waits for the end of a turn; `None` where nothing more can be heard of it.
    async fn end_of_turn(&self, session: &SessionId) -> Option<Result<(), RuntimeError>> {
        loop {
            let turn = |told: fn(&Turn) -> bool| {
                self.with(session, |session| session.turn.as_ref().is_none_or(told))
            };
            match turn(|turn| turn.ended) {
                Ok(false) => {}
                ended => return Some(ended.map(drop)),
            }
            if turn(Turn::has_failed) != Ok(true) {
                if !self.desk.news().await {
                    return None;
                }
                continue;
            }
            let params = json!({"sessionId": session});
            let asked = self.client.ask::<StatusAnswer>(method::STATUS, &params, self.step_limit);
            match asked.await.and_then(|answer| answer.map_err(|e| meant(e, method::STATUS))) {
                Ok(answer) if answer.status.is_running => {}
                answer => return Some(answer.map(drop)),
            }
            tokio::select! {
                more = self.desk.news() => if !more { return None },
                () = sleep(LOOK) => {}
            }
        }
    }
}

impl Runtime for NibRuntime {
    fn describe(&self) -> &Description {
        &self.description
    }

    async fn open(&self, opening: Opening, ports: Ports) -> Result<(), RuntimeError> {
        let session = Session::open(opening, ports)?;
        // One of the same id may be there: it is replaced.
        self.dispose(&session.id).await?;
        self.desk.put(session);
        Ok(())
    }

    async fn prompt(&self, session: &SessionId, text: &str) -> Result<PromptEnd, RuntimeError> {
        self.refresh(session).await?;
        let params = self.with(session, |session| session.begin(text))?;
        let ran = self.desk.attended(&self.client, Box::pin(self.run(session, &params))).await;
        let turn = self.with(session, |session| session.turn.take())?;
        ran?;
        let mut end = turn.map(Turn::end).ok_or(RuntimeError::Busy)?;
        end.error = end.error.map(|error| self.client.quotable(&error));
        Ok(end)
    }

    async fn save(&self, session: &SessionId) -> Result<Value, RuntimeError> {
        let saved = self.with(session, |session| serde_json::to_value(&session.history))?;
        saved.map_err(|error| RuntimeError::Failed {
            code: code::INTERNAL,
            message: error.to_string(),
        })
    }

    async fn close(&self, session: &SessionId) -> Result<(), RuntimeError> {
        self.with(session, |_| ())?;
        self.dispose(session).await?;
        self.desk.remove(session);
        Ok(())
    }

    async fn transcript(&self, session: &SessionId) -> Result<Vec<Row>, RuntimeError> {
        self.with(session, |session| session.history.export())
    }

    async fn abort(&self, session: &SessionId) -> Result<(), RuntimeError> {
        self.with(session, |session| {
            if let Some(turn) = &mut session.turn {
                turn.stopped = true;
            }
        })?;
        let Anything {} = self.ask(method::ABORT, &json!({"sessionId": session})).await?;
        Ok(())
    }

    async fn set_mode(&self, session: &SessionId, mode: Mode) -> Result<(), RuntimeError> {
        self.with(session, |session| session.set_mode(mode))?
    }

    async fn set_tools(&self, session: &SessionId, tools: Vec<Tool>) -> Result<(), RuntimeError> {
        self.with(session, |session| session.set_tools(tools))?
    }

    async fn compact(&self, session: &SessionId) -> Result<(), RuntimeError> {
        self.refresh(session).await?;
        let params = self.with(session, Session::work)?;
        let Anything {} = self.ask(method::COMPACT, &params).await?;
        Ok(())
    }
}

/// What an error answer means.
fn meant(error: ErrorAnswer, method: &str) -> RuntimeError {
    let word = error.data.as_ref().and_then(|data| data["errorCode"].as_str());
    match (error.code, word) {
        (code::UNKNOWN_METHOD, _) => RuntimeError::unsupported(method),
        (_, Some("AGENT_BUSY")) => RuntimeError::Busy,
        // So it declines where there is nothing to compact.
        (_, Some("CONTEXT_COMPACTION_FAILED")) => RuntimeError::Refused { reason: error.message },
        (code, Some(word)) => {
            let message = format!("{word}: {}", error.message);
            RuntimeError::Failed { code, message }
        }
        (code, None) => RuntimeError::Failed { code, message: error.message },
    }
}
