//! From the rows that a parent kept to those of the runtime.

use serde_json::{Value, json};
use tacit_contract::{Row, Status, ToolCall};

use super::Spelling;

/// What stands in for a result that nobody wrote down.
const NO_RESULT: &str = "[no tool result recorded]";

/// What stands in for a result that never came.
const INTERRUPTED: &str = "[interrupted before there was a result]";

/// The rows of a session, without the one of the prompt that is being sent.
pub(super) fn read(session: &Value, prompt: &Value, spelling: Spelling) -> Vec<Row> {
    let messages = session["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut rows = Vec::new();
    let compaction = &session["compaction"];
    let through = messages.iter().position(|message| {
        !message["id"].is_null() && message["id"] == compaction["throughMessageId"]
    });
    let kept = match through {
        Some(through) => {
            rows.extend(checkpoint(compaction));
            &messages[through + 1..]
        }
        None => messages,
    };
    let kept = match kept.split_last() {
        Some((last, before)) if is_the_prompt(last, prompt) => before,
        _ => kept,
    };
    for message in kept {
        match message["role"].as_str() {
            Some("user") => rows.push(Row::User { text: text(&message["content"]) }),
            Some("assistant") if !is_broken(message) => {
                let text = Some(text(&message["content"])).filter(|text| !text.is_empty());
                rows.push(Row::Assistant { text, tool_calls: Vec::new() });
            }
            Some("tool") => tool(&mut rows, message, spelling),
            _ => {}
        }
    }
    rows.retain(
        |row| !matches!(row, Row::Assistant { text: None, tool_calls } if tool_calls.is_empty()),
    );
    rows
}

/// What a checkpoint left: a summary, and what the user had said last.
fn checkpoint(compaction: &Value) -> Vec<Row> {
    let mut rows = vec![Row::Checkpoint { summary: text(&compaction["summary"]) }];
    let tail = compaction["retainedTail"].as_array().map(Vec::as_slice).unwrap_or_default();
    rows.extend(tail.iter().map(|kept| Row::User { text: text(&kept["content"]) }));
    rows
}

fn is_the_prompt(message: &Value, prompt: &Value) -> bool {
    let told = &prompt["userMessageId"];
    message["role"] == "user"
        && if told.is_null() {
            message["content"] == prompt["content"]
        } else {
            message["id"] == *told
        }
}

/// A message of the model that went wrong is left out; what its tools said is not.
fn is_broken(message: &Value) -> bool {
    message["isError"] == true || !message["error"].is_null() || message["status"] == "error"
}

/// A tool's message is a call and its result, of the nearest message of the model above it.
fn tool(rows: &mut Vec<Row>, message: &Value, spelling: Spelling) {
    let (Some(id), Some(name)) = (message["toolCallId"].as_str(), message["toolName"].as_str())
    else {
        return;
    };
    if message.get("parentToolCallId").is_some() {
        return;
    }
    let mut above = rows.iter().rposition(|row| !matches!(row, Row::ToolResult { .. }));
    if !above.is_some_and(|place| matches!(rows[place], Row::Assistant { .. })) {
        above = Some(rows.len());
        rows.push(Row::Assistant { text: None, tool_calls: Vec::new() });
    }
    let name = spelling.own(name);
    if let Some(Row::Assistant { tool_calls, .. }) = above.and_then(|place| rows.get_mut(place)) {
        let arguments = match &message["toolArgs"] {
            Value::Null => json!({}),
            arguments => arguments.clone(),
        };
        tool_calls.push(ToolCall { id: id.into(), name: name.into(), arguments });
    }
    let status = message["toolStatus"].as_str().unwrap_or("success");
    let failed = message["isError"] == true || matches!(status, "error" | "denied" | "running");
    let result = &message["toolResult"];
    let said = said(result);
    let missing = if status == "running" { INTERRUPTED } else { NO_RESULT };
    let names = result["addedToolNames"].as_array().map(|names| {
        let names = names.iter().filter_map(Value::as_str).filter(|name| !name.is_empty());
        names.map(|name| spelling.own(name).into()).collect()
    });
    rows.push(Row::ToolResult {
        call_id: id.into(),
        tool_name: name.into(),
        status: if failed { Status::Error } else { Status::Ok },
        text: if said.is_empty() { missing.to_owned() } else { said },
        added_tool_names: names,
    });
}

fn said(result: &Value) -> String {
    match (result, result["content"].as_array()) {
        (_, Some(blocks)) => blocks.iter().map(|block| text(&block["text"])).collect(),
        (Value::Null, _) => String::new(),
        (Value::String(text), _) => text.clone(),
        (other, _) => other.to_string(),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(session: &Value, prompt: &Value) -> Vec<Row> {
        read(session, prompt, Spelling::Capitals)
    }

    fn said(text: &str) -> Row {
        Row::Assistant { text: Some(text.to_owned()), tool_calls: Vec::new() }
    }

    #[test]
    fn a_tool_s_message_belongs_to_the_nearest_of_the_model() {
        let session = json!({"messages": [
            {"id": "u1", "role": "user", "content": "find alpha", "status": "complete"},
            {"id": "a1", "role": "assistant", "content": "", "status": "complete"},
            {"id": "c1", "role": "tool", "content": "", "toolCallId": "c1",
             "toolName": "ToolSearch", "toolArgs": {"query": "plugin_alpha"},
             "toolStatus": "success", "isError": false,
             "toolResult": {"content": [{"type": "text", "text": "Activated"}],
                            "addedToolNames": ["plugin_alpha", ""]}},
            {"id": "a2", "role": "assistant", "content": "half", "status": "error"},
            {"id": "c2", "role": "tool", "toolCallId": "c2", "toolName": "plugin_alpha",
             "toolArgs": {}, "toolStatus": "success", "toolResult": null},
            {"id": "c3", "role": "tool", "toolCallId": "c3", "toolName": "plugin_alpha",
             "toolArgs": {}, "toolStatus": "running"},
            {"id": "c4", "role": "tool", "toolName": "plugin_alpha"},
            {"id": "c5", "role": "tool", "toolCallId": "c5", "toolName": "Read",
             "parentToolCallId": "c1"},
            {"id": "a3", "role": "assistant", "content": "done", "status": "complete"},
        ]});
        let rows = rows(&session, &json!({}));
        let Row::Assistant { text: None, tool_calls } = &rows[1] else { panic!("{rows:?}") };
        let calls: Vec<_> = tool_calls.iter().map(|call| call.id.as_str()).collect();
        assert_eq!(calls, ["c1", "c2", "c3"]);
        let results: Vec<_> = rows[2..5]
            .iter()
            .map(|row| match row {
                Row::ToolResult { status, text, added_tool_names, .. } => {
                    (*status, text.as_str(), added_tool_names.as_ref().map_or(0, Vec::len))
                }
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(
            results,
            [
                (Status::Ok, "Activated", 1),
                (Status::Ok, NO_RESULT, 0),
                (Status::Error, INTERRUPTED, 0)
            ]
        );
        assert_eq!(rows[5..], [said("done")]);
    }

    #[test]
    fn a_checkpoint_stands_for_all_up_to_its_message() {
        let message = |id: &str, text: &str| json!({"id": id, "role": "user", "content": text});
        let session = json!({
            "messages": [message("u1", "one"), message("u2", "two"), message("u3", "three")],
            "compaction": {"summary": "short", "throughMessageId": "u2",
                           "retainedTail": [{"role": "user", "content": "kept"}]},
        });
        let user = |text: &str| Row::User { text: text.to_owned() };
        let summary = Row::Checkpoint { summary: "short".to_owned() };
        assert_eq!(rows(&session, &json!({})), [summary, user("kept"), user("three")]);
    }

    #[test]
    fn the_prompt_that_is_being_sent_is_no_history() {
        let session = json!({"messages": [{"id": "u1", "role": "user", "content": "hi"}]});
        assert!(rows(&session, &json!({"userMessageId": "u1", "content": "x"})).is_empty());
        assert!(rows(&session, &json!({"content": "hi"})).is_empty());
        assert_eq!(rows(&session, &json!({"userMessageId": "u2", "content": "hi"})).len(), 1);
        assert_eq!(rows(&session, &json!({"content": "other"})).len(), 1);
        assert!(rows(&Value::Null, &json!({"content": "hi"})).is_empty());
    }
}
