//! One session as its parent knows it: how it was opened, its history, and the turn that is on.

use serde_json::{Value, json};
use tacit_contract::protocol::{Activity, Opening, PromptEnd, ProviderConfig, Stop};
use tacit_contract::runtime::{Ports, RuntimeError};
use tacit_contract::{Mode, SessionId, Tool};

use super::history::{self, Call, History};
use super::words;

/// What a turn is called that the user stopped, where the sidecar calls it an error.
const STOPPED: &str = "TURN_ABORTED";

/// One session.
pub(super) struct Session {
    pub(super) id: SessionId,
    pub(super) ports: Ports,
    mode: Mode,
    tools: Vec<Tool>,
    pub(super) history: History,
    pub(super) turn: Option<Turn>,
    provider: ProviderConfig,
    /// The tools that the sidecar was told of last.
    told: Option<Vec<Tool>>,
}

impl Session {
    /// A session that is opened.
    ///
    /// # Errors
    /// What it should go on from is none that there could have been.
    pub(super) fn open(opening: Opening, ports: Ports) -> Result<Self, RuntimeError> {
        let refused = |reason: String| RuntimeError::Refused { reason };
        let history = match (opening.state, opening.transcript) {
            (Some(state), _) => serde_json::from_value(state)
                .map_err(|error| refused(format!("the state was not saved here: {error}")))?,
            (None, Some(rows)) => History::import(&rows).map_err(refused)?,
            (None, None) => History::default(),
        };
        takes(&opening.tools, opening.mode)?;
        Ok(Self {
            id: opening.session_id,
            ports,
            mode: opening.mode,
            tools: opening.tools,
            history,
            turn: None,
            provider: opening.provider,
            told: None,
        })
    }

    /// Goes over to another mode.
    ///
    /// # Errors
    /// The sidecar cannot be told of a tool that there is in it.
    pub(super) fn set_mode(&mut self, mode: Mode) -> Result<(), RuntimeError> {
        takes(&self.tools, mode)?;
        self.mode = mode;
        Ok(())
    }

    /// Goes over to another registry.
    ///
    /// # Errors
    /// The sidecar cannot be told of a tool that there is in the present mode.
    pub(super) fn set_tools(&mut self, tools: Vec<Tool>) -> Result<(), RuntimeError> {
        takes(&tools, self.mode)?;
        self.tools = tools;
        Ok(())
    }

    /// The tools that there are in the present mode. The sidecar takes no word of what a tool is in
    /// another one: where it is forbidden, it is not given.
    fn present(&self) -> Vec<Tool> {
        self.tools.iter().filter(|tool| tool.standing(self.mode).is_some()).cloned().collect()
    }

    /// Whether the sidecar would go on with tools as they were: it looks at their names alone.
    pub(super) fn is_stale(&self) -> bool {
        let Some(told) = &self.told else { return false };
        let present = self.present();
        names(&present) == names(told) && present != *told
    }

    /// The sidecar knows nothing of the session any more.
    pub(super) fn forgotten(&mut self) {
        self.told = None;
    }

    /// What every request for work says of the session.
    pub(super) fn work(&mut self) -> Value {
        let tools = self.present();
        let params = json!({
            "sessionId": self.id,
            "mode": self.mode,
            "turnId": self.history.fresh_id(&format!("{}-turn-", self.id)),
            "thinkingLevel": "off",
            "provider": words::provider(&self.provider),
            "commandShell": words::command_shell(),
            "pluginTools": tools.iter().map(words::plugin_tool).collect::<Vec<_>>(),
        });
        self.told = Some(tools);
        params
    }

    /// Begins a prompt; what the sidecar is told of it.
    pub(super) fn begin(&mut self, text: &str) -> Value {
        let mut params = self.work();
        params["content"] = text.into();
        params["userMessageId"] = self.history.user(text).into();
        self.turn = Some(Turn::new(&params["turnId"]));
        params
    }

    /// Takes note of what happened.
    pub(super) fn happened(&mut self, turn: &Value, event: &Value) {
        if let Some(current) = self.turn.as_mut().filter(|current| current.id == *turn) {
            current.happened(event, &mut self.history);
        }
    }
}

/// Whether the sidecar can have these tools in a mode: those that it is given are there for an
/// agent, and in no other mode.
fn takes(tools: &[Tool], mode: Mode) -> Result<(), RuntimeError> {
    let there = |tool: &&Tool| mode != Mode::Agent && tool.standing(mode).is_some();
    match tools.iter().find(there) {
        Some(tool) => Err(RuntimeError::unsupported(&format!(
            "a tool that it is given in mode {mode} (`{}`)",
            tool.name
        ))),
        None => Ok(()),
    }
}

fn names(tools: &[Tool]) -> Vec<&str> {
    let mut names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    names.sort_unstable();
    names
}

/// A prompt that is on.
#[derive(Debug)]
pub(super) struct Turn {
    id: Value,
    text: Option<String>,
    error: Option<String>,
    pub(super) stopped: bool,
    pub(super) ended: bool,
    calls: Vec<Call>,
    activity: Vec<Activity>,
}

impl Turn {
    fn new(id: &Value) -> Self {
        Self {
            id: id.clone(),
            text: None,
            error: None,
            stopped: false,
            ended: false,
            calls: Vec::new(),
            activity: Vec::new(),
        }
    }

    /// Whether it went wrong, so far. That may be the last that is ever heard of it.
    pub(super) fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    fn happened(&mut self, event: &Value, history: &mut History) {
        match event["type"].as_str() {
            Some("message_end") => {
                let message = &event["message"];
                self.said(message);
                history.assistant(message);
            }
            Some("tool_start") => self.begins(event),
            Some("tool_end") => self.ends(event, history),
            Some("error") => {
                let error = &event["error"];
                self.stopped |= error["code"] == STOPPED;
                self.error = Some(in_words(error));
            }
            Some("agent_end") => self.ended = true,
            _ => {}
        }
    }

    fn said(&mut self, message: &Value) {
        self.text = message["content"].as_str().map(str::to_owned);
        match message["status"].as_str() {
            Some("aborted") => self.stopped = true,
            Some("error") => self.error = Some(in_words(&message["error"])),
            // What went wrong before has been got over.
            _ => self.error = None,
        }
    }

    fn begins(&mut self, event: &Value) {
        let call = Call {
            id: event["toolCallId"].as_str().unwrap_or_default().to_owned(),
            name: event["toolName"].as_str().unwrap_or_default().to_owned(),
            arguments: event["args"].clone(),
        };
        self.activity.push(Activity {
            call_id: call.id.as_str().into(),
            tool_name: call.name.as_str().into(),
            status: "running".to_owned(),
        });
        self.calls.push(call);
    }

    fn ends(&mut self, event: &Value, history: &mut History) {
        let id = event["toolCallId"].as_str().unwrap_or_default();
        let Some(place) = self.calls.iter().rposition(|call| call.id == id) else { return };
        let failed = event["isError"] == true;
        history::status(failed).clone_into(&mut self.activity[place].status);
        history.tool(&self.calls[place], event);
    }

    /// How it ended.
    pub(super) fn end(self) -> PromptEnd {
        let (stop, error) = match self.error {
            _ if self.stopped => (Stop::Aborted, None),
            Some(error) => (Stop::Error, Some(error)),
            None => (Stop::End, None),
        };
        let text = self.text.filter(|_| stop == Stop::End);
        PromptEnd { stop, text, error, activity: Some(self.activity) }
    }
}

/// An error as the sidecar tells it.
fn in_words(error: &Value) -> String {
    match (error["code"].as_str(), error["message"].as_str()) {
        (Some(code), Some(message)) => format!("{code}: {message}"),
        (_, Some(message)) => message.to_owned(),
        _ => error.as_str().map_or_else(|| error.to_string(), str::to_owned),
    }
}
