//! One long request per API, with the forms in which tools reach a model.

use serde_json::{Value, json};
use tacit_contract::ProviderKind;
use tacit_contract::protocol::Api;

/// The requests, each with the kind of provider that takes it.
pub fn all() -> Vec<(ProviderKind, Value)> {
    [
        (Api::OpenaiChat, chat()),
        (Api::OpenaiResponses, responses()),
        (Api::AnthropicMessages, messages()),
    ]
    .map(|(api, body)| (ProviderKind::native(api), body))
    .into()
}

fn schema() -> Value {
    json!({"type": "object", "properties": {"input": {"type": "string"}}})
}

fn function(name: &str) -> Value {
    let description = format!("what {name} is for");
    json!({"name": name, "description": description, "parameters": schema(), "strict": false})
}

/// Chat Completions: tools of a system message.
pub fn chat() -> Value {
    let tool = |name: &str| json!({"type": "function", "function": function(name)});
    let call = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    json!({
        "model": "some-model",
        "messages": [
            {"role": "system", "content": "You help."},
            {"role": "developer", "content": [{"type": "text", "text": "In this folder."}]},
            {"role": "user", "content": [{"type": "text", "text": "How warm is it?"}]},
            {"role": "assistant", "content": null, "tool_calls": [
                call("c1", "ToolSearch", "{\"query\":\"weather\"}")]},
            {"role": "tool", "content": "activated: weather", "tool_call_id": "c1"},
            {"role": "system", "tools": [tool("weather")]},
            {"role": "assistant", "content": "Let me see.", "tool_calls": [
                call("c2", "weather", "{\"input\":\"Oslo\"}")]},
            {"role": "tool", "content": [{"type": "text", "text": "Mild."}], "tool_call_id": "c2"},
        ],
        "stream": true,
        "stream_options": {"include_usage": true},
        "store": false,
        "tools": [tool("read"), tool("ToolSearch")],
    })
}

/// A tool of the Responses API.
pub fn flat(name: &str) -> Value {
    let mut tool = function(name);
    tool["type"] = json!("function");
    tool
}

/// Responses: a deferred list, a namespace, hosted searches, additional tools.
pub fn responses() -> Value {
    let mut hidden = flat("hidden");
    hidden["defer_loading"] = json!(true);
    let search = |kind: &str| json!({"type": kind, "call_id": "s1", "execution": "client", "status": "completed"});
    let mut searched = search("tool_search_call");
    searched["arguments"] = json!({"query": "weather"});
    let mut found = search("tool_search_output");
    found["tools"] = json!([flat("weather")]);
    json!({
        "model": "some-model",
        "instructions": "You help.",
        "input": [
            {"role": "developer", "content": "In this folder."},
            {"role": "user", "content": [{"type": "input_text", "text": "How warm is it?"}]},
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "message", "role": "assistant", "id": "msg_1", "status": "completed",
                "content": [{"type": "output_text", "text": "Let me see.", "annotations": []}]},
            {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "ToolSearch",
                "arguments": "{\"query\":\"weather\"}"},
            {"type": "custom_tool_call", "call_id": "c2", "name": "shell", "input": "date"},
            {"type": "custom_tool_call_output", "call_id": "c2", "output": "noon"},
            {"type": "function_call_output", "call_id": "c1", "output": [
                {"type": "input_text", "text": "activated: weather"}]},
            searched,
            found,
            {"type": "function_call", "call_id": "c3", "name": "inner", "namespace": "far",
                "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c3", "output": "Mild."},
            {"type": "additional_tools", "role": "developer", "tools": [flat("more")]},
            {"role": "user", "content": "Thanks."},
        ],
        "tools": [
            flat("ToolSearch"),
            {"type": "custom", "name": "shell", "description": "runs", "format": {"type": "text"}},
            hidden,
            {"type": "namespace", "name": "far", "description": "far away", "tools": [
                flat("inner")]},
            {"type": "tool_search"},
            {"type": "web_search"},
        ],
        "tool_choice": "auto",
        "store": false,
        "stream": true,
    })
}

/// Messages: references, additions by reference and by value, a removal, a hosted search.
pub fn messages() -> Value {
    let tool = |name: &str, deferred: bool| {
        let mut tool = json!({"name": name, "description": "some", "input_schema": schema()});
        if deferred {
            tool["defer_loading"] = json!(true);
        }
        tool
    };
    let addition = |tool: Value| json!({"type": "tool_addition", "tool": tool});
    let named = |name: &str| json!({"type": "tool_reference", "name": name});
    json!({
        "model": "some-model",
        "max_tokens": 1000,
        "system": [{"type": "text", "text": "You help."}],
        "messages": [
            {"role": "user", "content": "How warm is it?"},
            {"role": "assistant", "content": [
                {"type": "text", "text": "Let me see."},
                {"type": "tool_use", "id": "c1", "name": "ToolSearch",
                    "input": {"query": "weather"}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "is_error": false, "content": [
                    {"type": "tool_reference", "tool_name": "weather"}]},
                {"type": "text", "text": "activated: weather"}]},
            {"role": "system", "content": [
                addition(named("other")),
                addition(json!({"type": "tool_definition", "definition": tool("third", false)})),
                {"type": "tool_removal", "tool": named("weather")}]},
            {"role": "assistant", "content": [
                {"type": "server_tool_use", "id": "s1", "name": "tool_search_tool_bm25",
                    "input": {"query": "far"}},
                {"type": "tool_search_tool_result", "tool_use_id": "s1", "content": {
                    "type": "tool_search_tool_search_result",
                    "tool_references": [{"type": "tool_reference", "tool_name": "far"}]}},
                {"type": "text", "text": "Mild."}]},
            {"role": "user", "content": [{"type": "text", "text": "Thanks."}]},
        ],
        "tools": [
            tool("ToolSearch", false),
            tool("weather", true),
            tool("other", true),
            tool("far", true),
            {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"},
        ],
        "stream": true,
    })
}
