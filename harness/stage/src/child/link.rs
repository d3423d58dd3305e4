//! JSON-RPC over a child's pipes: requests go out in order, answers find who waits for them, and
//! what the child asks by itself goes to who listens for it.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tacit_contract::protocol::{ErrorAnswer, LINE_LIMIT, LOG_LIMIT};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::lines::{Line, next_line};
use super::process::Pipes;
use super::ring::{Ring, read_log};
use super::secrets::Secrets;

/// The longest piece of a line that an error quotes, in characters.
const QUOTED: usize = 200;

/// The pipes of a child, each served by a task of its own.
#[derive(Debug)]
pub(super) struct Link {
    shared: Arc<Shared>,
    outgoing: mpsc::UnboundedSender<Outgoing>,
    next: Cell<u64>,
    log: Arc<Ring>,
    secrets: Secrets,
    log_task: Mutex<Option<JoinHandle<()>>>,
    tasks: [JoinHandle<()>; 2],
}

/// A line to write, or the end of the child's input.
type Outgoing = Option<Vec<u8>>;

/// Where goes what the child says by itself; without it, a child may only answer.
pub(super) type Listener = Option<mpsc::UnboundedSender<Incoming>>;

#[derive(Debug, Default)]
struct Shared(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    waiting: HashMap<u64, oneshot::Sender<Heard>>,
    broken: Option<Broken>,
}

/// Why nothing more can come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Broken {
    /// A pipe was closed at the other end.
    Closed,
    /// What came was not the protocol.
    Misfit(String),
}

/// An answer.
#[derive(Debug)]
pub(super) struct Heard {
    /// The result, or the error.
    pub(super) result: Result<Value, ErrorAnswer>,
    /// The line, cut to what an error can hold.
    pub(super) line: String,
}

/// What a child says by itself: a request if it has an id, else a notification.
#[derive(Debug, PartialEq)]
pub(crate) struct Incoming {
    /// What the answer must bear.
    pub(crate) id: Option<Value>,
    /// The method.
    pub(crate) method: String,
    /// Its parameters.
    pub(crate) params: Value,
}

#[derive(Serialize)]
struct Request<'a, P> {
    jsonrpc: &'static str,
    id: u64,
    method: &'a str,
    params: &'a P,
}

#[derive(Deserialize)]
struct Message {
    jsonrpc: String,
    #[serde(default)]
    id: Value,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    params: Value,
    #[serde(default, deserialize_with = "present")]
    result: Option<Value>,
    #[serde(default)]
    error: Option<ErrorAnswer>,
}

/// Tells a member that is `null` from one that is not there.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl Link {
    /// Serves the pipes of a child, with who listens for what it says by itself; what is quoted of
    /// it is without secrets.
    pub(super) fn new(pipes: Pipes, listener: Listener, secrets: Secrets) -> Self {
        let shared = Arc::new(Shared::default());
        let log = Arc::new(Ring::new(LOG_LIMIT));
        let (outgoing, lines) = mpsc::unbounded_channel();
        let reader =
            tokio::spawn(read(pipes.stdout, Arc::clone(&shared), listener, secrets.clone()));
        let writer = tokio::spawn(write(pipes.stdin, lines));
        let ring = Arc::clone(&log);
        let log_task = tokio::spawn(async move { read_log(pipes.stderr, &ring).await });
        Self {
            shared,
            outgoing,
            next: Cell::new(1),
            log,
            secrets,
            log_task: Mutex::new(Some(log_task)),
            tasks: [reader, writer],
        }
    }

    /// Sends a request; the answer comes by the receiver, which closes when none can come.
    ///
    /// # Errors
    /// The line is longer than the protocol allows, or the parameters are no JSON.
    pub(super) fn send(
        &self,
        method: &str,
        params: &impl Serialize,
    ) -> Result<oneshot::Receiver<Heard>, String> {
        let id = self.next.get();
        self.next.set(id + 1);
        let request = Request { jsonrpc: "2.0", id, method, params };
        let mut line = serde_json::to_vec(&request).map_err(|error| error.to_string())?;
        if line.len() > LINE_LIMIT {
            return Err(format!("a request of {} bytes is over the line limit", line.len()));
        }
        line.push(b'\n');
        let (sender, receiver) = oneshot::channel();
        let mut state = self.shared.lock();
        if state.broken.is_none() {
            state.waiting.insert(id, sender);
            // A writer that has ended is told by the missing answer.
            let _ = self.outgoing.send(Some(line));
        }
        drop(state);
        Ok(receiver)
    }

    /// Answers a request of the child.
    pub(super) fn answer(&self, id: &Value, result: Result<Value, ErrorAnswer>) {
        let answer = match result {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
        };
        // One that has ended by now wants no answer.
        let _ = self.outgoing.send(Some(format!("{answer}\n").into_bytes()));
    }

    /// Closes the child's input, once all is written.
    pub(super) fn hang_up(&self) {
        // A writer that has ended has closed it already.
        let _ = self.outgoing.send(None);
    }

    /// Why nothing more can come, if that is so.
    pub(super) fn broken(&self) -> Option<Broken> {
        self.shared.lock().broken.clone()
    }

    /// The end of the child's log, once it is all there or the wait is too long.
    pub(super) async fn log(&self, patience: std::time::Duration) -> String {
        let task = self.log_task.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut task) = task {
            // One that left the group may hold the pipe for ever.
            if tokio::time::timeout(patience, &mut task).await.is_err() {
                task.abort();
            }
        }
        self.log.tail(&self.secrets)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
        if let Some(task) = self.log_task.lock().unwrap_or_else(PoisonError::into_inner).take() {
            task.abort();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing more can come: whoever waits is told by the closed channel.
    fn break_off(&self, why: Broken) {
        let mut state = self.lock();
        state.broken.get_or_insert(why);
        state.waiting.clear();
    }
}

/// Writes until nobody reads any more. That alone proves nothing: whether the child has ended or
/// will never answer, its output and the time limit tell.
async fn write(mut stdin: ChildStdin, mut lines: mpsc::UnboundedReceiver<Outgoing>) {
    while let Some(Some(line)) = lines.recv().await {
        let written = async {
            stdin.write_all(&line).await?;
            stdin.flush().await
        };
        if written.await.is_err() {
            return;
        }
    }
}

async fn read(stdout: ChildStdout, shared: Arc<Shared>, listener: Listener, secrets: Secrets) {
    let mut stream = BufReader::with_capacity(64 * 1024, stdout);
    let mut line = Vec::new();
    let broken = loop {
        match next_line(&mut stream, &mut line, LINE_LIMIT).await {
            Ok(Line::Full) => {
                if let Err(problem) = take(&line, &shared, listener.as_ref(), &secrets) {
                    break Broken::Misfit(problem);
                }
            }
            Ok(Line::TooLong) => {
                break Broken::Misfit(format!(
                    "a line on standard output is over the limit of {LINE_LIMIT} bytes"
                ));
            }
            Ok(Line::End { .. }) | Err(_) => break Broken::Closed,
        }
    };
    shared.break_off(broken);
}

/// Hands a line to who waits for it.
fn take(
    line: &[u8],
    shared: &Shared,
    listener: Option<&mpsc::UnboundedSender<Incoming>>,
    secrets: &Secrets,
) -> Result<(), String> {
    if line.trim_ascii().is_empty() {
        return Ok(());
    }
    let quoted = secrets.first(line, QUOTED);
    let mut deserializer = serde_json::Deserializer::from_slice(line);
    let answer: Message = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        if error.inner().is_data() {
            format!("at `{}`: {}; the line: {quoted}", error.path(), error.inner())
        } else {
            format!("a line that is no JSON: {}; the line: {quoted}", error.inner())
        }
    })?;
    deserializer
        .end()
        .map_err(|error| format!("more than one value in a line: {error}; the line: {quoted}"))?;
    if answer.jsonrpc != "2.0" {
        return Err(format!(
            "at `jsonrpc`: found `{}`, expected `2.0`; the line: {quoted}",
            answer.jsonrpc
        ));
    }
    if let Some(method) = answer.method {
        if let Some(listener) = listener {
            let id = Some(answer.id).filter(|id| !id.is_null());
            // Who does not listen any more has given up on the process.
            let _ = listener.send(Incoming { id, method, params: answer.params });
            return Ok(());
        }
        return Err(format!(
            "at `method`: found `{method}`, and a runtime sends answers only; the line: {quoted}"
        ));
    }
    let result = match (answer.result, answer.error) {
        (Some(result), None) => Ok(result),
        (None, Some(error)) => Err(error),
        (Some(_), Some(_)) => {
            return Err(format!("at `error`: found beside a result; the line: {quoted}"));
        }
        (None, None) => {
            return Err(format!("at `result`: found none, and no error; the line: {quoted}"));
        }
    };
    let waiting = answer.id.as_u64().and_then(|id| shared.lock().waiting.remove(&id));
    let Some(waiting) = waiting else {
        return Err(format!(
            "at `id`: found {}, which no pending request has; the line: {quoted}",
            answer.id
        ));
    };
    // Who does not wait any more has given up on the process.
    let _ = waiting.send(Heard { result, line: quoted });
    Ok(())
}
