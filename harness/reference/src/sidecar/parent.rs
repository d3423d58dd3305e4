//! The line to the parent: answers, events, and calls to its host.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use super::Failure;

/// What came of a host call: a result, or what the parent says went wrong.
pub(super) type Answer = Result<Value, String>;

/// The line to the parent.
pub(super) struct Parent {
    lines: UnboundedSender<Option<Value>>,
    calls: Cell<u64>,
    waiting: RefCell<HashMap<String, oneshot::Sender<Answer>>>,
}

impl Parent {
    pub(super) fn new(lines: UnboundedSender<Option<Value>>) -> Self {
        Self { lines, calls: Cell::new(0), waiting: RefCell::default() }
    }

    fn say(&self, line: Value) {
        // Nobody listens any more once the output has failed; reading ends then as well.
        let _ = self.lines.send(Some(line));
    }

    /// There is nothing more to say.
    pub(super) fn hang_up(&self) {
        let _ = self.lines.send(None);
    }

    /// Answers a request.
    pub(super) fn answer(&self, id: &Value, result: Result<Value, Failure>) {
        self.say(match result {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(Failure { code, word, message }) => {
                let data = json!({"errorCode": word});
                let error = json!({"code": code, "message": message, "data": data});
                json!({"jsonrpc": "2.0", "id": id, "error": error})
            }
        });
    }

    /// Tells what happened in a turn.
    pub(super) fn tell(&self, session: &str, turn: &str, event: Value) {
        let mut params = json!({"sessionId": session, "turnId": turn, "ts": 0});
        params["event"] = event;
        self.say(json!({"jsonrpc": "2.0", "method": "agent.event", "params": params}));
    }

    /// Asks the parent's host for something.
    pub(super) async fn ask(&self, method: &str, params: Value) -> Answer {
        let number = self.calls.get();
        self.calls.set(number + 1);
        let id = format!("h-{number}");
        let (sender, answer) = oneshot::channel();
        self.waiting.borrow_mut().insert(id.clone(), sender);
        let params = json!({"method": method, "params": params});
        self.say(json!({"jsonrpc": "2.0", "id": id, "method": "host.proxy", "params": params}));
        answer.await.unwrap_or_else(|_| Err("the parent is gone".to_owned()))
    }

    /// Whether a message is an answer to a host call; who waits for it gets it.
    pub(super) fn has_answered(&self, id: &Value, message: &mut Value) -> bool {
        let (result, error) = (message.get("result").is_some(), message.get("error").is_some());
        if !result && !error {
            return false;
        }
        let waiting = id.as_str().and_then(|id| self.waiting.borrow_mut().remove(id));
        if let Some(waiting) = waiting {
            let answer = if error {
                Err(message["error"]["message"].as_str().unwrap_or("no reason given").to_owned())
            } else {
                Ok(message["result"].take())
            };
            // Who does not wait any more was stopped.
            let _ = waiting.send(answer);
        }
        true
    }
}
