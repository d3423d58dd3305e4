//! One process under the adapter protocol: every request is answered, or ends the process with
//! the reason.

use std::cell::RefCell;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tacit_contract::SessionId;
use tacit_contract::protocol::{ErrorAnswer, code, method};
use tacit_contract::runtime::RuntimeError;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::Program;
use super::link::{Broken, Heard, Link};
use super::process::{Process, in_words};

/// How often a process is looked at while an answer is awaited: one whose grandchild holds its
/// output open does not show its end there.
const LOOK: Duration = Duration::from_millis(50);

/// How long the last lines of a process that has ended are awaited.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// How long a process that closed its output has to exit by itself.
const EXIT: Duration = Duration::from_millis(500);

/// How long a process has to answer `shutdown`, and then again to exit.
const SHUTDOWN: Duration = Duration::from_secs(2);

/// A process that speaks the protocol.
#[derive(Debug)]
pub(super) struct Client {
    link: Link,
    /// `None` once it is being ended.
    process: RefCell<Option<Process>>,
    /// Why it is of no use any more.
    failed: RefCell<Option<RuntimeError>>,
}

/// What came of waiting for an answer.
enum Waited {
    Heard(Heard),
    Broken(Broken),
    Exited,
    TooLong,
}

impl Client {
    pub(super) fn start(program: &Program, home: &Path) -> Result<Self, RuntimeError> {
        let (process, pipes) = Process::spawn(program, home)?;
        Ok(Self {
            link: Link::new(pipes),
            process: RefCell::new(Some(process)),
            failed: RefCell::new(None),
        })
    }

    /// Whether it can be used for another session.
    pub(super) fn is_alive(&self) -> bool {
        !self.exited() && self.failed().is_none() && self.link.broken().is_none()
    }

    /// Asks the process to end, and makes it end if it does not.
    pub(super) async fn shut_down(self) {
        let Some(mut process) = self.process.borrow_mut().take() else { return };
        if let Ok(answer) = self.link.send(method::SHUTDOWN, &json!({})) {
            // Whatever it answers, it has the same time to exit.
            let _ = timeout(SHUTDOWN, answer).await;
            process.wait(SHUTDOWN).await;
        }
        process.terminate().await;
    }

    fn failed(&self) -> Option<RuntimeError> {
        self.failed.borrow().clone()
    }

    /// Sends a request and waits for its result.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: &str,
        params: &impl Serialize,
        limit: Duration,
    ) -> Result<T, RuntimeError> {
        if let Some(error) = self.failed() {
            return Err(error);
        }
        let answer = self
            .link
            .send(method, params)
            .map_err(|message| RuntimeError::Failed { code: code::INVALID_REQUEST, message })?;
        let heard = match self.wait(answer, limit).await {
            Waited::Heard(heard) => heard,
            Waited::Broken(Broken::Misfit(problem)) => {
                return Err(self.protocol_error(method, problem).await);
            }
            Waited::Broken(Broken::Closed) | Waited::Exited => {
                return Err(self.crashed(method).await);
            }
            Waited::TooLong => return Err(self.hung(method, limit).await),
        };
        let result = heard.result.map_err(|error| meant(error, method, params))?;
        match serde_path_to_error::deserialize(result) {
            Ok(result) => Ok(result),
            Err(error) => {
                let problem = format!(
                    "at `result.{}`: {}; the line: {}",
                    error.path(),
                    error.inner(),
                    heard.line
                );
                Err(self.protocol_error(method, problem).await)
            }
        }
    }

    async fn wait(&self, mut answer: oneshot::Receiver<Heard>, limit: Duration) -> Waited {
        let deadline = Instant::now() + limit;
        loop {
            tokio::select! {
                biased;
                heard = &mut answer => return self.received(heard),
                () = sleep_until(deadline) => return Waited::TooLong,
                () = sleep(LOOK) => {}
            }
            if self.exited() {
                return match timeout(LAST_WORDS, &mut answer).await {
                    Ok(heard) => self.received(heard),
                    Err(_) => Waited::Exited,
                };
            }
        }
    }

    fn received(&self, heard: Result<Heard, oneshot::error::RecvError>) -> Waited {
        match heard {
            Ok(heard) => Waited::Heard(heard),
            Err(_) => Waited::Broken(self.link.broken().unwrap_or(Broken::Closed)),
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

    pub(super) async fn protocol_error(&self, during: &str, problem: String) -> RuntimeError {
        self.give_up(Duration::ZERO, |_, log| RuntimeError::Protocol {
            during: during.to_owned(),
            problem: problem.clone(),
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
