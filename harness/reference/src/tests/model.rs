//! A scripted model that speaks every API, and what it sees of a request.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_contract::runtime::ProviderResponse;

/// One call: id, name, arguments.
pub(crate) type Call = (&'static str, &'static str, Value);

/// The API that a body is written in.
pub(crate) fn api_of(body: &Value) -> Api {
    match (body.get("input"), body.get("max_tokens")) {
        (Some(_), _) => Api::OpenaiResponses,
        (_, Some(_)) => Api::AnthropicMessages,
        (None, None) => Api::OpenaiChat,
    }
}

/// An answer with a body of its own.
pub(crate) fn response(status: u16, kind: &str, body: &str) -> ProviderResponse {
    ProviderResponse {
        status,
        headers: vec![
            ("content-type".to_owned(), kind.to_owned()),
            ("retry-after".to_owned(), "0".to_owned()),
        ],
        body: body.as_bytes().to_vec(),
    }
}

/// A stream of events.
pub(crate) fn stream(events: &[Value]) -> ProviderResponse {
    let line = |event: &Value| format!("data: {event}\n\n");
    response(200, "text/event-stream", &events.iter().map(line).collect::<String>())
}

/// The events of an answer, which holds what it calls in pieces.
pub(crate) fn events(api: Api, text: Option<&str>, calls: &[Call]) -> Vec<Value> {
    match api {
        Api::OpenaiChat => chat_events(text, calls),
        Api::OpenaiResponses => {
            let mut events: Vec<_> = output(text, calls)
                .into_iter()
                .enumerate()
                .map(|(index, item)| {
                    json!({"type": "response.output_item.done", "output_index": index, "item": item})
                })
                .collect();
            let response = json!({"status": "completed", "output": output(text, calls)});
            events.push(json!({"type": "response.completed", "response": response}));
            events
        }
        Api::AnthropicMessages => messages_events(text, calls),
    }
}

fn halves(arguments: &Value) -> [String; 2] {
    let text = arguments.to_string();
    let (first, second) = text.split_at(text.len() / 2);
    [first.to_owned(), second.to_owned()]
}

fn chat_events(text: Option<&str>, calls: &[Call]) -> Vec<Value> {
    let mut deltas: Vec<_> = text.iter().map(|text| json!({"content": text})).collect();
    for (index, (id, name, arguments)) in calls.iter().enumerate() {
        for part in halves(arguments) {
            deltas.push(json!({"tool_calls": [{
                "index": index, "id": id, "type": "function",
                "function": {"name": name, "arguments": part},
            }]}));
        }
    }
    let event = |delta: &Value, end: Option<&str>| json!({"choices": [{"index": 0, "delta": delta, "finish_reason": end}]});
    let mut events: Vec<_> = deltas.iter().map(|delta| event(delta, None)).collect();
    events.push(event(&json!({}), Some(if calls.is_empty() { "stop" } else { "tool_calls" })));
    events
}

fn output(text: Option<&str>, calls: &[Call]) -> Vec<Value> {
    let said = text.map(|text| {
        json!({"type": "message", "role": "assistant",
               "content": [{"type": "output_text", "text": text}]})
    });
    let called = calls.iter().map(|(id, name, arguments)| {
        json!({"type": "function_call", "call_id": id, "name": name,
               "arguments": arguments.to_string()})
    });
    said.into_iter().chain(called).collect()
}

fn messages_events(text: Option<&str>, calls: &[Call]) -> Vec<Value> {
    let mut events = Vec::new();
    let mut block = |block: Value, deltas: Vec<Value>| {
        let index = events.len();
        events.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        events.extend(
            deltas.into_iter().map(
                |delta| json!({"type": "content_block_delta", "index": index, "delta": delta}),
            ),
        );
    };
    if let Some(text) = text {
        let delta = json!({"type": "text_delta", "text": text});
        block(json!({"type": "text", "text": ""}), vec![delta]);
    }
    for (id, name, arguments) in calls {
        let delta = |part| json!({"type": "input_json_delta", "partial_json": part});
        let called = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
        block(called, halves(arguments).map(delta).into());
    }
    events.push(json!({"type": "message_stop"}));
    events
}

/// An answer in one piece that only speaks.
pub(crate) fn document(api: Api, text: &str) -> ProviderResponse {
    let body = match api {
        Api::OpenaiChat => json!({"choices": [
            {"index": 0, "message": {"content": text}, "finish_reason": "stop"}
        ]}),
        Api::OpenaiResponses => json!({"status": "completed", "output": output(Some(text), &[])}),
        Api::AnthropicMessages => json!({"content": [{"type": "text", "text": text}]}),
    };
    response(200, "application/json", &body.to_string())
}

/// An event that says that something went wrong.
pub(crate) fn error_event(api: Api) -> Value {
    match api {
        Api::OpenaiChat => json!({"error": {"message": "overloaded"}}),
        Api::OpenaiResponses => json!({"type": "error", "message": "overloaded"}),
        Api::AnthropicMessages => json!({"type": "error", "error": {"type": "overloaded_error"}}),
    }
}

/// What a model sees of the tools of a request.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Shown {
    /// The names in the ordinary list.
    pub(crate) listed: Vec<String>,
    /// What is loaded: the call behind whose result (over the `OpenAI` APIs the last of the
    /// batch) it stands, and its name.
    pub(crate) loaded: Vec<(String, String)>,
    /// What was declared and never loaded.
    pub(crate) declared: BTreeSet<String>,
    /// What is said of each: description and schema.
    pub(crate) definitions: BTreeMap<String, (Value, Value)>,
}

impl Shown {
    /// The names of all that is shown.
    pub(crate) fn names(&self) -> BTreeSet<&str> {
        let loaded = self.loaded.iter().map(|(_, name)| name);
        self.listed.iter().chain(loaded).map(String::as_str).collect()
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> + Clone {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Reads the tools of a request.
pub(crate) fn shown(body: &Value) -> Shown {
    let mut shown = Shown::default();
    for entry in list(&body["tools"]) {
        let name = shown.define(entry);
        if entry["defer_loading"] == true {
            shown.declared.insert(name);
        } else {
            shown.listed.push(name);
        }
    }
    let items = if body.get("input").is_some() { &body["input"] } else { &body["messages"] };
    let mut last = String::new();
    for item in list(items) {
        for id in [&item["tool_call_id"], &item["call_id"]] {
            if id.is_string() && item["type"] != "tool_search_output" {
                last = text(id);
            }
        }
        if item["type"] == "tool_search_call" {
            last = text(&item["call_id"]).replacen("load_", "", 1);
        }
        for entry in list(&item["tools"]) {
            let name = shown.define(entry);
            shown.loaded.push((last.clone(), name));
        }
        for result in list(&item["content"]) {
            for reference in list(&result["content"]) {
                if reference["type"] == "tool_reference" {
                    let name = text(&reference["tool_name"]);
                    shown.declared.remove(&name);
                    shown.loaded.push((text(&result["tool_use_id"]), name));
                }
            }
        }
    }
    shown
}

impl Shown {
    fn define(&mut self, entry: &Value) -> String {
        let entry = entry.get("function").unwrap_or(entry);
        let schema = entry.get("parameters").unwrap_or(&entry["input_schema"]);
        let name = text(&entry["name"]);
        self.definitions.insert(name.clone(), (entry["description"].clone(), schema.clone()));
        name
    }
}

/// What a strict provider insists on.
pub(crate) fn check_valid(body: &Value, native: bool) {
    let shown = shown(body);
    let names = shown.names();
    let count = shown.listed.len() + shown.loaded.len();
    assert_eq!(count, names.len(), "a tool stands twice in {shown:?}");
    assert!(native || shown.loaded.is_empty(), "{:?} is loaded", shown.loaded);
    assert!(shown.declared.is_empty(), "{:?} is never loaded", shown.declared);
    assert!(shown.listed.is_empty() || body["tools"].is_array());
    match api_of(body) {
        Api::OpenaiChat => check_chat(body),
        Api::OpenaiResponses => check_responses(body),
        Api::AnthropicMessages => check_messages(body),
    }
}

fn check_chat(body: &Value) {
    let mut open: Vec<&Value> = Vec::new();
    for message in list(&body["messages"]) {
        if message["role"] == "tool" {
            close(&mut open, &message["tool_call_id"]);
            continue;
        }
        assert!(open.is_empty(), "{open:?} has no result");
        open.extend(list(&message["tool_calls"]).map(|call| &call["id"]));
    }
    assert!(open.is_empty(), "{open:?} has no result");
}

fn close(open: &mut Vec<&Value>, id: &Value) {
    let at = open.iter().position(|open| *open == id);
    open.remove(at.unwrap_or_else(|| panic!("{id} answers no call")));
}

fn check_responses(body: &Value) {
    let items: Vec<_> = list(&body["input"]).collect();
    let mut open: Vec<&Value> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match item["type"].as_str() {
            Some("function_call") => open.push(&item["call_id"]),
            Some("function_call_output") => close(&mut open, &item["call_id"]),
            Some("tool_search_call") => {
                let output = items[at + 1];
                assert_eq!(output["type"], "tool_search_output");
                for member in ["call_id", "execution", "status"] {
                    assert!(item[member].is_string() && item[member] == output[member]);
                }
                assert!(open.is_empty(), "a load stands between results");
            }
            Some("tool_search_output") => assert_eq!(items[at - 1]["type"], "tool_search_call"),
            Some("message") => assert!(open.is_empty(), "{open:?} has no result"),
            other => panic!("there are no items of type {other:?}"),
        }
    }
    assert!(open.is_empty(), "{open:?} has no result");
}

fn check_messages(body: &Value) {
    let messages: Vec<_> = list(&body["messages"]).collect();
    assert_eq!(messages[0]["role"], "user");
    let mut open: Vec<&Value> = Vec::new();
    for message in &messages {
        let blocks = || list(&message["content"]);
        assert!(blocks().next().is_some(), "a message is empty");
        let of = |kind: &'static str| move |block: &&Value| block["type"] == kind;
        let results = blocks().take_while(of("tool_result"));
        results.for_each(|result| close(&mut open, &result["tool_use_id"]));
        assert!(open.is_empty(), "{open:?} has no result");
        for result in blocks().filter(of("tool_result")) {
            let references = list(&result["content"]).filter(of("tool_reference")).count();
            assert!(references == 0 || references == list(&result["content"]).count());
        }
        assert_eq!(blocks().skip_while(of("tool_result")).find(of("tool_result")), None);
        for block in blocks().filter(of("text")) {
            assert!(!text(&block["text"]).trim().is_empty(), "a text is blank");
        }
        for call in blocks().filter(of("tool_use")) {
            assert!(call["input"].is_object());
            open.push(&call["id"]);
        }
    }
    assert!(open.is_empty(), "{open:?} has no result");
    let marked = list(&body["tools"]).filter(|tool| tool.get("cache_control").is_some());
    assert!(marked.clone().all(|tool| tool.get("defer_loading").is_none()));
    assert_eq!(marked.count(), usize::from(body.get("tools").is_some()));
}
