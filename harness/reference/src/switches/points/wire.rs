//! What a body says when it is sent, where an encoder is to blame.

use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_contract::{Row, ToolName};

use crate::activation::SEARCH;
use crate::activation::evidence::effective;
use crate::session::{Session, State};
use crate::switches::{Switch, Switches};

/// What a fault does to a body of an API.
type Change = fn(Api, &mut Value);

/// The faults that need nothing but the body.
const CHANGES: [(Switch, Change); 5] = [
    (Switch::MixedBatchPairing, mix_up),
    (Switch::NativePairBroken, break_pair),
    (Switch::NativeInNeither, load_nothing),
    (Switch::CacheBreakpointOnDeferred, mark_last),
    (Switch::ReplayLosesNamespace, drop_identifiers),
];

/// Changes the body of a turn request.
pub(crate) fn on_body(session: &Session, state: &State, body: &mut Vec<u8>) {
    let (faults, api) = (session.options.switches, session.provider.api);
    let falls_back = faults.has(Switch::FallbackCarriesNativeLoader)
        && !session.provider.native
        && state.memory.saved_with.is_some_and(|saved| saved.native);
    if !falls_back && !is_wanted(faults) {
        return;
    }
    let Ok(mut changed) = serde_json::from_slice(body) else { return };
    for (_, change) in CHANGES.iter().filter(|(switch, _)| faults.has(*switch)) {
        change(api, &mut changed);
    }
    if faults.has(Switch::OwnMemberLeaks) {
        leak_markers(api, &mut changed, effective(&state.rows));
    }
    if falls_back {
        carry_loader(api, &mut changed);
    }
    *body = changed.to_string().into();
}

fn is_wanted(faults: Switches) -> bool {
    faults.has(Switch::OwnMemberLeaks) || CHANGES.iter().any(|(switch, _)| faults.has(*switch))
}

/// The conversation of a body.
fn conversation(api: Api, body: &mut Value) -> Option<&mut Vec<Value>> {
    let member = match api {
        Api::OpenaiChat | Api::AnthropicMessages => "messages",
        Api::OpenaiResponses => "input",
    };
    body.get_mut(member)?.as_array_mut()
}

/// The ordinary list of a body.
fn listed(body: &mut Value) -> Option<&mut Vec<Value>> {
    body.as_object_mut()?.entry("tools").or_insert_with(|| json!([])).as_array_mut()
}

fn is(item: &Value, kind: &str) -> bool {
    item["type"] == kind
}

/// Whether a message of Chat Completions loads tools.
fn loads(message: &Value) -> bool {
    message["role"] == "system" && message.get("tools").is_some()
}

/// Takes away what loads tools, and gives the definitions that stood with it. Over Messages these
/// stand in the list and stay there.
fn unload(api: Api, body: &mut Value) -> Vec<Value> {
    let mut definitions = Vec::new();
    let mut take = |tools: &mut Value| {
        definitions.append(tools.as_array_mut().unwrap_or(&mut Vec::new()));
    };
    let Some(items) = conversation(api, body) else { return definitions };
    match api {
        Api::OpenaiChat => items.retain_mut(|message| {
            let loads = loads(message);
            if loads {
                take(&mut message["tools"]);
            }
            !loads
        }),
        Api::OpenaiResponses => items.retain_mut(|item| {
            if is(item, "tool_search_output") {
                take(&mut item["tools"]);
            }
            !is(item, "tool_search_output") && !is(item, "tool_search_call")
        }),
        Api::AnthropicMessages => {
            for result in blocks(items).filter(|block| is(block, "tool_result")) {
                if result["content"].as_array().into_iter().flatten().any(is_reference) {
                    result["content"] = "Loaded.".into();
                }
            }
        }
    }
    definitions
}

fn blocks(messages: &mut [Value]) -> impl Iterator<Item = &mut Value> {
    let contents = messages.iter_mut().filter_map(|message| message["content"].as_array_mut());
    contents.flatten()
}

fn is_reference(block: &Value) -> bool {
    is(block, "tool_reference")
}

/// Sends one half of a native form.
fn break_pair(api: Api, body: &mut Value) {
    if api == Api::AnthropicMessages {
        if let Some(list) = listed(body) {
            list.retain(|tool| tool["defer_loading"] != true);
        }
        return;
    }
    let mut definitions = unload(api, body);
    for definition in &mut definitions {
        definition["defer_loading"] = true.into();
    }
    if let Some(list) = listed(body) {
        list.append(&mut definitions);
    }
}

/// Declares tools where the API has a form for that, and loads none.
fn load_nothing(api: Api, body: &mut Value) {
    let mut definitions = unload(api, body);
    if api == Api::OpenaiResponses
        && !definitions.is_empty()
        && let Some(list) = listed(body)
    {
        list.append(&mut definitions);
        list.push(loader(api));
    }
}

/// The loader that an API has of its own.
fn loader(api: Api) -> Value {
    match api {
        Api::OpenaiChat | Api::OpenaiResponses => json!({"type": "tool_search"}),
        Api::AnthropicMessages => {
            json!({"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"})
        }
    }
}

/// Puts the cache mark on the last tool.
fn mark_last(api: Api, body: &mut Value) {
    let Some(list) = listed(body).filter(|_| api == Api::AnthropicMessages) else { return };
    let mut marks = list.iter_mut().filter_map(Value::as_object_mut);
    let mark = marks.find_map(|tool| tool.remove("cache_control"));
    if let (Some(last), Some(mark)) = (list.last_mut(), mark) {
        last["cache_control"] = mark;
    }
}

/// Takes from native items what they are known by.
fn drop_identifiers(api: Api, body: &mut Value) {
    let Some(items) = conversation(api, body) else { return };
    let forget = |item: &mut Value, members: &[&str]| {
        if let Some(item) = item.as_object_mut() {
            item.retain(|name, _| !members.contains(&name.as_str()));
        }
    };
    match api {
        Api::OpenaiChat => {}
        Api::OpenaiResponses => {
            for output in items.iter_mut().filter(|item| is(item, "tool_search_output")) {
                forget(output, &["call_id", "execution"]);
            }
        }
        Api::AnthropicMessages => {
            let results = blocks(items).filter_map(|block| block["content"].as_array_mut());
            for reference in results.flatten().filter(|block| is_reference(block)) {
                forget(reference, &["tool_name"]);
            }
        }
    }
}

/// Puts what a search loads before the results of the other calls of its message, or in the
/// wrong order.
fn mix_up(api: Api, body: &mut Value) {
    let Some(items) = conversation(api, body) else { return };
    match api {
        Api::OpenaiChat => {
            for at in 0..items.len() {
                if loads(&items[at])
                    && let Some(result) = items[..at].iter().rposition(calls_search)
                    && at - result > 2
                {
                    items[result + 1..=at].rotate_right(1);
                    items[result + 1..=result + 2].swap(0, 1);
                }
            }
        }
        Api::OpenaiResponses => {
            for at in 2..items.len().saturating_sub(1) {
                let answers = |item: &Value| is(item, "function_call_output");
                let mixed = answers(&items[at - 1]) && answers(&items[at - 2]);
                if mixed && is(&items[at], "tool_search_call") {
                    items.swap(at, at + 1);
                }
            }
        }
        Api::AnthropicMessages => {
            for content in items.iter_mut().filter_map(|item| item["content"].as_array_mut()) {
                let references = |block: &Value| {
                    block["content"].as_array().into_iter().flatten().any(is_reference)
                };
                let text = content.iter().position(|block| is(block, "text"));
                if let (Some(result), Some(text)) = (content.iter().position(references), text)
                    && result < text
                {
                    content[result + 1..=text].rotate_right(1);
                }
            }
        }
    }
}

/// Whether a message of Chat Completions calls for a search.
fn calls_search(message: &Value) -> bool {
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    calls.into_iter().any(|call| call["function"]["name"] == SEARCH)
}

/// Sends markers as members of the results.
fn leak_markers(api: Api, body: &mut Value, rows: &[Row]) {
    let marker = |id: &Value| {
        rows.iter().find_map(|row| match row {
            Row::ToolResult { call_id, added_tool_names: Some(names), .. }
                if *id == call_id.as_str() =>
            {
                Some(names)
            }
            _ => None,
        })
    };
    let leak = |result: &mut Value, id: &str| {
        let names: Option<&Vec<ToolName>> = marker(&result[id]);
        if let Some(names) = names {
            result["addedToolNames"] = json!(names);
        }
    };
    let Some(items) = conversation(api, body) else { return };
    match api {
        Api::OpenaiChat => items.iter_mut().for_each(|item| leak(item, "tool_call_id")),
        Api::OpenaiResponses => {
            let outputs = items.iter_mut().filter(|item| is(item, "function_call_output"));
            outputs.for_each(|item| leak(item, "call_id"));
        }
        Api::AnthropicMessages => blocks(items).for_each(|block| leak(block, "tool_use_id")),
    }
}

/// Keeps the loader of a provider that loads tools.
fn carry_loader(api: Api, body: &mut Value) {
    let Some(list) = listed(body) else { return };
    if api != Api::OpenaiChat {
        list.push(loader(api));
        return;
    }
    // There the loader is a tool as any other, and the form is where it stands.
    let search = list.iter().position(|tool| tool["function"]["name"] == SEARCH);
    let search = search.map(|at| list.remove(at));
    if let (Some(search), Some(items)) = (search, conversation(api, body)) {
        items.insert(1, json!({"role": "system", "tools": [search]}));
    }
}
