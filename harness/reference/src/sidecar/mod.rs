//! The reference behind the protocol of Nib's sidecar, as if it were one: a parent starts it, tells
//! it what to do, keeps its transcripts, and answers its host calls.
//!
//! It writes rows and events and reads rows with code of its own, and shares none with whoever
//! plays the parent: what both got wrong would cancel out.

mod history;
mod params;
mod parent;
mod room;
mod spelling;
mod watch;

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::rc::Rc;

use serde_json::{Value, json};
use tacit_contract::protocol::LINE_LIMIT;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::LocalSet;

use crate::serve::lines::{Line, Lines};
use crate::{ReferenceOptions, ReferenceRuntime};
use parent::Parent;
use room::Room;

pub use spelling::Spelling;

/// Speaks the sidecar's protocol for a reference runtime until the input ends.
///
/// # Errors
/// The input cannot be read or the output cannot be written.
pub async fn serve_sidecar(
    options: ReferenceOptions,
    spelling: Spelling,
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let (lines, outgoing) = unbounded_channel();
    let sidecar = Rc::new(Sidecar {
        runtime: ReferenceRuntime::new(options),
        parent: Parent::new(lines),
        spelling,
        rooms: RefCell::default(),
    });
    let here = LocalSet::new();
    let reading = here.run_until(async {
        let read = read(&sidecar, input).await;
        sidecar.parent.hang_up();
        read
    });
    let (read, written) = tokio::join!(reading, write(outgoing, output));
    read.and(written)
}

/// A sidecar: a runtime, and what is known of each session that it has built.
pub(crate) struct Sidecar {
    runtime: ReferenceRuntime,
    parent: Parent,
    spelling: Spelling,
    rooms: RefCell<HashMap<String, Rc<Room>>>,
}

/// An error as a parent is told of it.
#[derive(Debug)]
pub(crate) struct Failure {
    code: i64,
    word: &'static str,
    message: String,
}

impl Failure {
    fn new(word: &'static str, message: impl Into<String>) -> Self {
        Self { code: -32000, word, message: message.into() }
    }
}

async fn write(
    mut outgoing: UnboundedReceiver<Option<Value>>,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    while let Some(Some(line)) = outgoing.recv().await {
        output.write_all(format!("{line}\n").as_bytes()).await?;
        output.flush().await?;
    }
    Ok(())
}

async fn read(sidecar: &Rc<Sidecar>, input: impl AsyncRead + Unpin) -> io::Result<()> {
    let mut lines = Lines::new(BufReader::new(input), LINE_LIMIT);
    loop {
        let line = match lines.next().await? {
            Line::End => return Ok(()),
            Line::TooLong => continue,
            Line::Whole(line) => line,
        };
        // What is no message of the protocol is passed over without a word.
        let Ok(mut message) = serde_json::from_slice::<Value>(line) else { continue };
        let id = message["id"].take();
        if id.is_null() || sidecar.parent.has_answered(&id, &mut message) {
            continue;
        }
        let Some(method) = message["method"].as_str().map(str::to_owned) else { continue };
        let params = message["params"].take();
        let sidecar = Rc::clone(sidecar);
        tokio::task::spawn_local(async move {
            let result = sidecar.answer(&id, &method, params).await;
            if let Some(result) = result.transpose() {
                sidecar.parent.answer(&id, result);
            }
        });
        tokio::task::yield_now().await;
    }
}

impl Sidecar {
    /// Carries out a request; `None` where the answer was given already.
    async fn answer(
        self: &Rc<Self>,
        id: &Value,
        method: &str,
        params: Value,
    ) -> Result<Option<Value>, Failure> {
        let done = Ok(Some(json!({"ok": true})));
        let session = params["sessionId"].as_str().unwrap_or_default().to_owned();
        match method {
            "sidecar.health" => {
                Ok(Some(json!({"ok": true, "runtimes": self.rooms.borrow().len()})))
            }
            "sidecar.configure" => Ok(Some(json!({"ok": true, "mode": "host-proxy"}))),
            "agent.getStatus" => Ok(Some(self.status(&session))),
            "agent.prompt" => self.prompt(id, &params).await.map(|()| None),
            "agent.compact" => {
                self.compact(&params).await?;
                Ok(Some(json!({"accepted": true})))
            }
            "agent.abort" => {
                // Whatever the parent says to that.
                let _ = self.parent.ask("plans.abort", json!({"sessionId": session})).await;
                self.abort(&session).await;
                done
            }
            "agent.disposeSession" => {
                self.dispose(&session).await;
                done
            }
            _ => Err(Failure {
                code: -32601,
                word: "INTERNAL",
                message: format!("method not found: {method}"),
            }),
        }
    }
}
