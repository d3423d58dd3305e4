//! What a parent says of a session with each piece of work, and what the runtime makes of it.

use serde_json::{Value, json};
use tacit_contract::protocol::{Api, HostConfig, Opening, ProviderConfig};
use tacit_contract::{Mode, Origin, OriginKind, Row, Standing, Tool};

use super::{Failure, Spelling};
use crate::activation::MOST_ACTIVATED;

/// A session as it is told with a piece of work. What is built for one is of use for the next as
/// long as the two are equal.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Told {
    pub(super) session: String,
    mode: Mode,
    provider: Value,
    shell: Value,
    /// Their names alone: a description that has changed makes no difference.
    tools: Vec<String>,
}

impl Told {
    /// Reads what every piece of work says.
    pub(super) fn read(params: &Value) -> Result<Self, Failure> {
        let session = params["sessionId"].as_str().filter(|id| !id.is_empty());
        let session = session.ok_or_else(|| Failure::new("INTERNAL", "no session is named"))?;
        let shell = &params["commandShell"];
        if !is_shell(shell) {
            return Err(Failure::new("COMMAND_SHELL_INVALID", "there is no such shell"));
        }
        let provider = &params["provider"];
        let given = |name: &str| provider[name].as_str().is_some_and(|text| !text.is_empty());
        if !given("modelId") || !(given("apiKey") || provider["authKind"] == "none") {
            return Err(Failure::new("MODEL_NOT_CONFIGURED", "no model, or no key for it"));
        }
        let mut tools: Vec<String> = list(&params["pluginTools"])
            .iter()
            .filter_map(|tool| tool["name"].as_str().map(str::to_owned))
            .collect();
        tools.sort_unstable();
        Ok(Self {
            session: session.to_owned(),
            mode: mode(&params["mode"]),
            provider: provider.clone(),
            shell: shell.clone(),
            tools,
        })
    }

    /// How the runtime opens the session.
    pub(super) fn opening(&self, params: &Value, rows: Vec<Row>, spelling: Spelling) -> Opening {
        Opening {
            session_id: self.session.as_str().into(),
            mode: self.mode,
            provider: provider(&self.provider),
            host: HostConfig { url: String::new() },
            // Plugins bring their tools for an agent, and for no other mode.
            tools: list(&params["pluginTools"])
                .iter()
                .filter(|_| self.mode == Mode::Agent)
                .filter_map(|tool| plugin_tool(tool, spelling))
                .collect(),
            max_activated: u32::try_from(MOST_ACTIVATED).unwrap_or(u32::MAX),
            workspace: params["projectPath"].as_str().unwrap_or_default().to_owned(),
            state_dir: String::new(),
            state: None,
            transcript: Some(rows),
        }
    }
}

fn is_shell(shell: &Value) -> bool {
    let dialect = match shell["id"].as_str() {
        Some("bash" | "git-bash") => "posix",
        Some("cmd") => "cmd",
        Some("windows-powershell") => "powershell",
        _ => return false,
    };
    shell["dialect"] == dialect
        && shell["available"] == true
        && shell["label"].is_string()
        && shell["isDefault"].is_boolean()
}

/// A mode that is not known is an agent's.
fn mode(value: &Value) -> Mode {
    match value.as_str() {
        Some("plan" | "chat") => Mode::Plan,
        Some("goal") => Mode::Goal,
        _ => Mode::Agent,
    }
}

fn provider(told: &Value) -> ProviderConfig {
    let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
    let compat = &told["modelConfig"]["compat"];
    let (api, native) = match told["apiStyle"].as_str() {
        Some("anthropic_messages") => {
            (Api::AnthropicMessages, compat["supportsToolReferences"] == true)
        }
        Some("responses") => (Api::OpenaiResponses, compat["supportsToolSearch"] == true),
        _ => (Api::OpenaiChat, compat["deferredToolsMode"] == "kimi"),
    };
    ProviderConfig {
        api,
        base_url: text("baseUrl"),
        api_key: text("apiKey"),
        model: text("modelId"),
        native,
    }
}

fn plugin_tool(told: &Value, spelling: Spelling) -> Option<Tool> {
    let name = told["name"].as_str()?;
    let description = told["description"].as_str().filter(|text| !text.is_empty());
    let schema = match &told["parameters"] {
        Value::Null => json!({"type": "object", "properties": {}}),
        schema => schema.clone(),
    };
    Some(Tool {
        name: spelling.own(name).into(),
        description: description.map_or_else(|| format!("{name} plugin tool"), str::to_owned),
        input_schema: schema,
        origin: Origin::of(OriginKind::Plugin),
        modes: [(Mode::Agent, Standing::Deferred)].into(),
    })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params() -> Value {
        json!({
            "sessionId": "s1", "mode": "chat",
            "provider": {"id": "fake", "name": "Fake", "modelId": "m", "apiKey": "k",
                         "baseUrl": "http://127.0.0.1:1/v1"},
            "commandShell": {"id": "bash", "label": "Bash", "dialect": "posix",
                             "available": true, "isDefault": true},
            "pluginTools": [{"name": "b"}, {"name": "a", "description": "does a"}],
        })
    }

    #[test]
    fn what_is_needed_is_asked_for() {
        let word = |path: &str, value: Value| {
            let mut params = params();
            *params.pointer_mut(path).unwrap() = value;
            Told::read(&params).map(|_| ()).map_err(|failure| failure.word)
        };
        assert_eq!(word("/mode", json!("agent")), Ok(()));
        assert_eq!(word("/sessionId", json!("")), Err("INTERNAL"));
        assert_eq!(word("/provider/modelId", Value::Null), Err("MODEL_NOT_CONFIGURED"));
        assert_eq!(word("/provider/apiKey", json!("")), Err("MODEL_NOT_CONFIGURED"));
        for (path, value) in [
            ("/commandShell/id", json!("zsh")),
            ("/commandShell/dialect", json!("cmd")),
            ("/commandShell/available", json!(false)),
            ("/commandShell/label", Value::Null),
            ("/commandShell/isDefault", Value::Null),
        ] {
            assert_eq!(word(path, value), Err("COMMAND_SHELL_INVALID"), "{path}");
        }
    }

    #[test]
    fn a_session_is_another_with_other_names_of_tools_and_not_with_other_texts() {
        let told = Told::read(&params()).unwrap();
        let mut other = params();
        other["pluginTools"] = json!([{"name": "a", "description": "other"}, {"name": "b"}]);
        assert_eq!(Told::read(&other).unwrap(), told);
        other["pluginTools"] = json!([{"name": "a"}]);
        assert_ne!(Told::read(&other).unwrap(), told);
    }

    #[test]
    fn plugins_bring_their_tools_for_an_agent_alone() {
        let mut params = params();
        let tools = |params: &Value| {
            let told = Told::read(params).unwrap();
            let opening = told.opening(params, Vec::new(), Spelling::Capitals);
            (opening.mode, opening.tools)
        };
        assert_eq!(tools(&params), (Mode::Plan, Vec::new()));
        params["mode"] = json!("anything");
        let (mode, tools) = tools(&params);
        assert_eq!((mode, tools.len()), (Mode::Agent, 2));
        assert_eq!(tools[0].description, "b plugin tool");
    }
}
