//! The words of the protocol, and what the connector says of itself and of a session in them.

use serde_json::{Value, json};
use tacit_contract::protocol::{
    Api, Capabilities, CoreTools, Description, Dialect, Party, ProviderConfig, VERSION,
};
use tacit_contract::{Mode, Tool};

/// What a parent asks of the sidecar.
pub(super) mod method {
    pub(crate) const HEALTH: &str = "sidecar.health";
    pub(crate) const PROMPT: &str = "agent.prompt";
    pub(crate) const STATUS: &str = "agent.getStatus";
    pub(crate) const ABORT: &str = "agent.abort";
    pub(crate) const DISPOSE: &str = "agent.disposeSession";
    pub(crate) const COMPACT: &str = "agent.compact";
}

/// What the sidecar says by itself.
pub(super) mod says {
    pub(crate) const HOST: &str = "host.proxy";
    pub(crate) const EVENT: &str = "agent.event";
}

/// What the sidecar asks of its host.
pub(super) mod host {
    pub(crate) const GET: &str = "session.get";
    pub(crate) const APPEND_COMPACTION: &str = "session.appendCompaction";
    pub(crate) const EXECUTE: &str = "tools.execute";
}

/// The code of an error that has a word of its own in `data.errorCode`.
pub(super) const FAILED: i64 = -32000;

/// More than any session here comes near, so that nothing is compacted that nobody asked for.
const CONTEXT_WINDOW: u64 = 100_000_000;

/// What the sidecar can do. It introduces itself with no word, so that this is said for it; what
/// it calls things is for the profile to say.
pub(super) fn description() -> Description {
    Description {
        protocol_version: VERSION,
        runtime: Party {
            name: "nib-sidecar".to_owned(),
            version: "(no version told)".to_owned(),
            language: None,
            url: None,
        },
        capabilities: Capabilities {
            provider_apis: Api::ALL.to_vec(),
            native_deferral: Api::ALL.to_vec(),
            // `chat` is another word for `plan` there, and no mode of its own.
            modes: vec![Mode::Agent, Mode::Plan, Mode::Goal],
            core_tools: CoreTools::Own,
            concurrent: false,
            activity: true,
            transcript: true,
            abort: true,
            set_mode: true,
            set_tools: true,
            compact: true,
        },
        dialect: Dialect::default(),
    }
}

/// What the host of a real parent says to a housekeeping call; `None` where it has no such method.
pub(super) fn housekeeping(method: &str) -> Option<Value> {
    match method {
        "project.instructions.resolve" => Some(Value::Null),
        "tools.abort" | "plans.abort" | "plans.enter" => Some(json!({"ok": true})),
        "plans.submit" => Some(json!({
            "status": "pending",
            "proposal": {
                "id": "proposal",
                "artifact": {"relativePath": "plan.md", "sha256": "0", "sizeBytes": 0},
            },
        })),
        _ => None,
    }
}

/// A provider as the sidecar is told of it.
pub(super) fn provider(config: &ProviderConfig) -> Value {
    let ProviderConfig { api, base_url, api_key, model, native } = config;
    let mut provider = json!({
        "id": "tacit",
        "name": "tacit",
        "modelId": model,
        "baseUrl": base_url,
        "apiKey": api_key,
        "supportsReasoning": false,
        "supportedThinkingLevels": ["off"],
        "modelConfig": {
            "source": "pi",
            "name": model,
            "baseUrl": base_url,
            "reasoning": false,
            "input": ["text"],
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
            "contextWindow": CONTEXT_WINDOW,
            "maxTokens": 8192,
        },
    });
    let (style, compat) = match api {
        Api::OpenaiChat => (None, json!({"deferredToolsMode": "kimi"})),
        Api::OpenaiResponses => (Some("responses"), json!({"supportsToolSearch": true})),
        Api::AnthropicMessages => {
            (Some("anthropic_messages"), json!({"supportsToolReferences": true}))
        }
    };
    if let Some(style) = style {
        provider["apiStyle"] = style.into();
    }
    if *native {
        provider["modelConfig"]["compat"] = compat;
    }
    provider
}

/// A tool as a plugin brings it. The protocol has one way in for a tool with a schema, whatever
/// its origin.
pub(super) fn plugin_tool(tool: &Tool) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.input_schema,
    })
}

/// The shell that a session has; nothing here ever runs one.
pub(super) fn command_shell() -> Value {
    json!({"id": "bash", "label": "Bash", "dialect": "posix", "available": true, "isDefault": true})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(api: Api, native: bool) -> Value {
        provider(&ProviderConfig {
            api,
            base_url: "http://127.0.0.1:1/v1".to_owned(),
            api_key: "k".to_owned(),
            model: "m".to_owned(),
            native,
        })
    }

    #[test]
    fn each_api_has_its_style_and_its_word_for_native_deferral() {
        for (api, style, compat) in [
            (Api::OpenaiChat, Value::Null, json!({"deferredToolsMode": "kimi"})),
            (Api::OpenaiResponses, json!("responses"), json!({"supportsToolSearch": true})),
            (
                Api::AnthropicMessages,
                json!("anthropic_messages"),
                json!({"supportsToolReferences": true}),
            ),
        ] {
            let plain = told(api, false);
            assert_eq!(plain["apiStyle"], style);
            assert_eq!(plain["modelConfig"].get("compat"), None);
            assert_eq!(told(api, true)["modelConfig"]["compat"], compat);
        }
    }
}
