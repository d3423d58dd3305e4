//! One process that speaks JSON-RPC: whatever is awaited of it comes, or the process is ended with
//! the reason why not.

use std::cell::RefCell;
use std::future::Future;
use std::path::Path;
use std::pin::{Pin, pin};
use std::process::ExitStatus;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tacit_contract::protocol::{ErrorAnswer, code};
use tacit_contract::runtime::RuntimeError;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::Program;
use super::link::{Broken, Incoming, Link, Listener};
use super::process::{Process, in_words};
use super::secrets::Secrets;

/// How often a process is looked at while an answer is awaited: one whose grandchild holds its
/// output open does not show its end there.
const LOOK: Duration = Duration::from_millis(50);

/// How long the last lines of a process that has ended are awaited.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// How long a process that closed its output has to exit by itself.
const EXIT: Duration = Duration::from_millis(500);

/// How long a process has to answer a farewell, and then again to exit.
const SHUTDOWN: Duration = Duration::from_secs(2);

/// A process that speaks JSON-RPC.
#[derive(Debug)]
pub(crate) struct Client {
    link: Link,
    secrets: Secrets,
    /// `None` once it is being ended.
    process: RefCell<Option<Process>>,
    /// Why it is of no use any more.
    failed: RefCell<Option<RuntimeError>>,
}

/// How a process is told that it is over.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Farewell {
    /// By a request of this method.
    Request(&'static str),
    /// By the end of its input.
    EndOfInput,
}

/// What came of waiting.
enum Waited<T> {
    Done(T),
    Broken(Broken),
    Exited,
    TooLong,
}

impl Client {
    /// Starts a process that may only answer.
    pub(crate) fn start(program: &Program, home: &Path) -> Result<Self, RuntimeError> {
        Self::of(program, home, None)
    }

    /// Starts a process that may ask and tell by itself; what it does comes by the receiver.
    pub(crate) fn start_and_listen(
        program: &Program,
        home: &Path,
    ) -> Result<(Self, UnboundedReceiver<Incoming>), RuntimeError> {
        let (listener, incoming) = unbounded_channel();
        Ok((Self::of(program, home, Some(listener))?, incoming))
    }

    fn of(program: &Program, home: &Path, listener: Listener) -> Result<Self, RuntimeError> {
        let (process, pipes) = Process::spawn(program, home)?;
        let secrets = Secrets::of(&program.env, std::env::vars_os());
        Ok(Self {
            link: Link::new(pipes, listener, secrets.clone()),
            secrets,
            process: RefCell::new(Some(process)),
            failed: RefCell::new(None),
        })
    }

    /// A text of the process as it may be quoted.
    pub(crate) fn quotable(&self, text: &str) -> String {
        self.secrets.hidden(text)
    }

    /// Whether it can be used for another session.
    pub(crate) fn is_alive(&self) -> bool {
        !self.exited() && self.failed().is_none() && self.link.broken().is_none()
    }

    /// Tells the process that it is over, and makes it end if it does not.
    pub(crate) async fn shut_down(self, farewell: Farewell) {
        let Some(mut process) = self.process.borrow_mut().take() else { return };
        match farewell {
            Farewell::Request(method) => {
                if let Ok(answer) = self.link.send(method, &json!({})) {
                    // Whatever it answers, it has the same time to exit.
                    let _ = timeout(SHUTDOWN, answer).await;
                }
            }
            Farewell::EndOfInput => self.link.hang_up(),
        }
        process.wait(SHUTDOWN).await;
        process.terminate().await;
    }

    fn failed(&self) -> Option<RuntimeError> {
        self.failed.borrow().clone()
    }

    /// Sends a request and waits for what is answered.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        method: &str,
        params: &impl Serialize,
        limit: Duration,
    ) -> Result<Result<T, ErrorAnswer>, RuntimeError> {
        if let Some(error) = self.failed() {
            return Err(error);
        }
        let answer = self
            .link
            .send(method, params)
            .map_err(|message| RuntimeError::Failed { code: code::INVALID_REQUEST, message })?;
        let heard = self.attend(method, limit, async { answer.await.ok() }).await?;
        let result = match heard.result {
            Ok(result) => result,
            Err(error) => return Ok(Err(self.secrets.hidden_in(error))),
        };
        match serde_path_to_error::deserialize(result) {
            Ok(result) => Ok(Ok(result)),
            Err(error) => {
                let place = format!("result.{}", error.path());
                let problem = format!(
                    "at `{}`: {}; the line: {}",
                    place.trim_end_matches('.'),
                    error.inner(),
                    heard.line
                );
                Err(self.protocol_error(method, problem).await)
            }
        }
    }

    /// Waits for something that comes of what the process says; `None` where nothing more comes.
    pub(crate) async fn attend<T>(
        &self,
        during: &str,
        limit: Duration,
        awaited: impl Future<Output = Option<T>>,
    ) -> Result<T, RuntimeError> {
        if let Some(error) = self.failed() {
            return Err(error);
        }
        match self.wait(pin!(awaited), limit).await {
            Waited::Done(done) => Ok(done),
            Waited::Broken(Broken::Misfit(problem)) => {
                Err(self.protocol_error(during, problem).await)
            }
            Waited::Broken(Broken::Closed) | Waited::Exited => Err(self.crashed(during).await),
            Waited::TooLong => Err(self.hung(during, limit).await),
        }
    }

    /// Answers a request of the process.
    pub(crate) fn answer(&self, id: &Value, result: Result<Value, ErrorAnswer>) {
        self.link.answer(id, result);
    }

    async fn wait<T, F: Future<Output = Option<T>>>(
        &self,
        mut awaited: Pin<&mut F>,
        limit: Duration,
    ) -> Waited<T> {
        let deadline = Instant::now() + limit;
        loop {
            tokio::select! {
                biased;
                done = awaited.as_mut() => return self.received(done),
                () = sleep_until(deadline) => return Waited::TooLong,
                () = sleep(LOOK) => {}
            }
            if self.exited() {
                return match timeout(LAST_WORDS, awaited).await {
                    Ok(done) => self.received(done),
                    Err(_) => Waited::Exited,
                };
            }
        }
    }

    fn received<T>(&self, done: Option<T>) -> Waited<T> {
        match done {
            Some(done) => Waited::Done(done),
            None => Waited::Broken(self.link.broken().unwrap_or(Broken::Closed)),
        }
    }

    fn exited(&self) -> bool {
        self.process.borrow_mut().as_mut().is_none_or(|process| process.exited().is_some())
    }

    async fn crashed(&self, during: &str) -> RuntimeError {
        self.give_up(EXIT, |status, log| RuntimeError::Crashed {
            during: during.to_owned(),
            status: in_words(status),
            log,
        })
        .await
    }

    async fn hung(&self, during: &str, limit: Duration) -> RuntimeError {
        let limit_ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        self.give_up(Duration::ZERO, |_, log| RuntimeError::Hung {
            during: during.to_owned(),
            limit_ms,
            log,
        })
        .await
    }

    pub(crate) async fn protocol_error(&self, during: &str, problem: String) -> RuntimeError {
        self.give_up(Duration::ZERO, |_, log| RuntimeError::Protocol {
            during: during.to_owned(),
            problem: self.secrets.hidden(&problem),
            log,
        })
        .await
    }

    /// Ends the process and keeps the reason. Two operations can fail at a time: the reason that
    /// was found first is that of both, and what the end of the one does to the other is none.
    async fn give_up(
        &self,
        patience: Duration,
        why: impl Fn(Option<ExitStatus>, String) -> RuntimeError,
    ) -> RuntimeError {
        if let Some(error) = self.failed() {
            return error;
        }
        *self.failed.borrow_mut() = Some(why(None, String::new()));
        let process = self.process.borrow_mut().take();
        let mut status = None;
        if let Some(mut process) = process {
            status = process.wait(patience).await;
            process.kill().await;
        }
        let error = why(status, self.link.log(LAST_WORDS).await);
        *self.failed.borrow_mut() = Some(error.clone());
        error
    }
}
