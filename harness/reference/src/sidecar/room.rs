//! What a sidecar builds for a session, and what it does there.

use std::cell::Cell;
use std::rc::Rc;

use serde_json::{Value, json};
use tacit_contract::SessionId;
use tacit_contract::protocol::Stop;
use tacit_contract::runtime::{Ports, Runtime};

use super::history;
use super::params::Told;
use super::watch::{Watch, Watched};
use super::{Failure, Sidecar};
use crate::http;

/// What was built for a session.
pub(super) struct Room {
    told: Told,
    watch: Rc<Watch>,
    running: Cell<bool>,
}

impl Room {
    fn busy(&self) -> Result<(), Failure> {
        if self.running.get() {
            return Err(Failure::new("AGENT_BUSY", "a turn is running"));
        }
        Ok(())
    }
}

impl Sidecar {
    fn known(&self, session: &str) -> Option<Rc<Room>> {
        self.rooms.borrow().get(session).cloned()
    }

    /// The room of a session: the one that there is if it is still of use, else a new one, built
    /// from what the parent has kept.
    async fn room(self: &Rc<Self>, params: &Value) -> Result<Rc<Room>, Failure> {
        let told = Told::read(params)?;
        if let Some(room) = self.known(&told.session) {
            room.busy()?;
            if room.told == told {
                return Ok(room);
            }
            self.dispose(&told.session).await;
        }
        // Without an answer it begins with nothing, as a session that nobody has kept.
        let asked = self.parent.ask("session.get", json!({"id": told.session})).await;
        let got = asked.unwrap_or_default();
        let session = &got["session"];
        let rows = history::read(session, params, self.spelling);
        let opening = told.opening(params, rows.clone(), self.spelling);
        let Ports { provider, .. } = http::ports(&opening);
        let last = session["messages"].as_array().and_then(|messages| messages.last());
        let last = last.map_or(Value::Null, |message| message["id"].clone());
        let watch = Watch::new(Rc::clone(self), &told.session, provider, rows.len(), last);
        let watch = Rc::new(watch);
        let ports = Ports {
            provider: Rc::new(Watched(Rc::clone(&watch))),
            host: Rc::new(Watched(Rc::clone(&watch))),
        };
        let opened = self.runtime.open(opening, ports).await;
        opened.map_err(|error| Failure::new("INTERNAL", error.to_string()))?;
        let room = Rc::new(Room { told, watch, running: Cell::new(false) });
        self.rooms.borrow_mut().insert(room.told.session.clone(), Rc::clone(&room));
        Ok(room)
    }

    /// Runs a prompt; it is accepted before it is over, and after it has begun.
    pub(super) async fn prompt(self: &Rc<Self>, id: &Value, params: &Value) -> Result<(), Failure> {
        let room = self.room(params).await?;
        room.running.set(true);
        let turn = params["turnId"].as_str().unwrap_or("turn");
        room.watch.begin(turn, &params["userMessageId"]);
        self.parent.answer(id, Ok(json!({"accepted": true, "turnId": turn})));
        let text = params["content"].as_str().unwrap_or_default();
        let session = SessionId::from(room.told.session.as_str());
        let (stopped, error) = match self.runtime.prompt(&session, text).await {
            Ok(end) => (end.stop == Stop::Aborted, end.error),
            Err(error) => (false, Some(error.to_string())),
        };
        room.watch.end(stopped, error.as_deref()).await;
        room.running.set(false);
        Ok(())
    }

    /// Makes a checkpoint.
    pub(super) async fn compact(self: &Rc<Self>, params: &Value) -> Result<(), Failure> {
        let room = self.room(params).await?;
        let session = SessionId::from(room.told.session.as_str());
        let compacted = self.runtime.compact(&session).await;
        let failed = |why: String| Failure::new("CONTEXT_COMPACTION_FAILED", why);
        compacted.map_err(|error| failed(error.to_string()))?;
        if room.watch.catch_up().await {
            Ok(())
        } else {
            Err(failed("there is nothing to compact".to_owned()))
        }
    }

    /// Stops the turn that is on.
    pub(super) async fn abort(&self, session: &str) {
        // One that nothing was built for has no turn.
        let _ = self.runtime.abort(&session.into()).await;
    }

    /// Forgets a session.
    pub(super) async fn dispose(&self, session: &str) {
        if self.rooms.borrow_mut().remove(session).is_some() {
            // It was there, so that it can be closed.
            let _ = self.runtime.close(&session.into()).await;
        }
    }

    pub(super) fn status(&self, session: &str) -> Value {
        let running = self.known(session).is_some_and(|room| room.running.get());
        json!({"status": {
            "sessionId": session,
            "isRunning": running,
            "pendingToolConfirmations": [],
        }})
    }
}
