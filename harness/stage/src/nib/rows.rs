//! Between the rows of the contract and those of the sidecar.
//!
//! The sidecar's rows hold no calls: a tool's row is a call and its result in one, and belongs to
//! the nearest model's row above it.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};
use tacit_contract::{CallId, Row, Status, ToolCall};

use super::history::{self, History};

/// The row before a checkpoint that nothing stands before.
const NOTHING_BEFORE: &str = "before";

/// The word for a call that nothing answered.
const RUNNING: &str = "running";

impl History {
    /// The rows in the words of the contract.
    pub(super) fn export(&self) -> Vec<Row> {
        let mut rows = Vec::with_capacity(self.rows.len());
        let mut model = None;
        for row in &self.rows {
            let id = row["id"].as_str().unwrap_or_default();
            match row["role"].as_str() {
                Some("user") if id == NOTHING_BEFORE => {}
                Some("user") => {
                    model = None;
                    rows.push(Row::User { text: text(&row["content"]).unwrap_or_default() });
                }
                Some("assistant") if !is_broken(row) => {
                    model = Some(rows.len());
                    let text = text(&row["content"]);
                    rows.push(Row::Assistant { text, tool_calls: Vec::new() });
                }
                Some("tool") => tool(&mut rows, &mut model, row),
                _ => {}
            }
            for checkpoint in self.checkpoints.iter().filter(|c| c["throughMessageId"] == id) {
                model = None;
                let summary = text(&checkpoint["summary"]).unwrap_or_default();
                rows.push(Row::Checkpoint { summary });
            }
        }
        rows.retain(|row| {
            !matches!(row, Row::Assistant { text: None, tool_calls } if tool_calls.is_empty())
        });
        rows
    }

    /// The history that these rows are.
    ///
    /// # Errors
    /// They say what no history can: why.
    pub(super) fn import(rows: &[Row]) -> Result<Self, String> {
        let mut history = Self::default();
        let mut results = results(rows)?;
        for row in rows {
            match row {
                Row::User { text } => {
                    history.user(text);
                }
                Row::Assistant { text, tool_calls } => {
                    let id = history.fresh_id("a");
                    history.push(&id, "assistant", text.as_deref().unwrap_or_default());
                    for call in tool_calls {
                        let result = results.remove(&(&call.id, call.name.as_str()));
                        history.answered(&call.id, call.name.as_str(), &call.arguments, result);
                    }
                }
                // What answers a call stands with it by now.
                Row::ToolResult { call_id, tool_name, .. } => {
                    let key = (call_id, tool_name.as_str());
                    if let Some(result) = results.remove(&key) {
                        history.answered(call_id, tool_name.as_str(), &json!({}), Some(result));
                    }
                }
                Row::Checkpoint { summary } => history.summarise(summary),
            }
        }
        Ok(history)
    }

    fn answered(&mut self, id: &CallId, name: &str, arguments: &Value, result: Option<&Row>) {
        let Some(Row::ToolResult { status, text, added_tool_names, .. }) = result else {
            self.call(id.as_str(), name, arguments, RUNNING, false);
            return;
        };
        let failed = *status == Status::Error;
        let word = if *status == Status::Interrupted { RUNNING } else { history::status(failed) };
        let mut result = json!({"content": [{"type": "text", "text": text}]});
        if let Some(added) = added_tool_names {
            result["addedToolNames"] = json!(added);
        }
        self.call(id.as_str(), name, arguments, word, failed)["toolResult"] = result;
    }

    fn summarise(&mut self, summary: &str) {
        if self.rows.is_empty() {
            self.push(NOTHING_BEFORE, "user", "");
        }
        let checkpoint = json!({
            "id": self.fresh_id("k"),
            "summary": summary,
            "throughMessageId": self.rows.last().map(|row| &row["id"]),
            "tokensBefore": 0,
            "createdAt": self.time(),
            "retainedTail": [],
            "details": {},
        });
        self.checkpoint(checkpoint);
    }
}

/// The results by the call that they answer.
fn results(rows: &[Row]) -> Result<HashMap<(&CallId, &str), &Row>, String> {
    let (mut results, mut answered) = (HashMap::new(), HashSet::new());
    for row in rows {
        let Row::ToolResult { call_id, tool_name, .. } = row else { continue };
        if !answered.insert(call_id) {
            return Err(format!("`{call_id}` has two results, and a row is a call and its result"));
        }
        results.insert((call_id, tool_name.as_str()), row);
    }
    Ok(results)
}

/// A tool's row: a call of the model's row above it, and the result.
fn tool(rows: &mut Vec<Row>, model: &mut Option<usize>, row: &Value) {
    let (Some(id), Some(name)) = (row["toolCallId"].as_str(), row["toolName"].as_str()) else {
        return;
    };
    let place = *model.get_or_insert_with(|| {
        rows.push(Row::Assistant { text: None, tool_calls: Vec::new() });
        rows.len() - 1
    });
    if let Some(Row::Assistant { tool_calls, .. }) = rows.get_mut(place) {
        let arguments = row["toolArgs"].clone();
        tool_calls.push(ToolCall { id: id.into(), name: name.into(), arguments });
    }
    let result = &row["toolResult"];
    let running = row["toolStatus"] == RUNNING;
    if running && result.is_null() {
        return;
    }
    let failed =
        row["isError"] == true || matches!(row["toolStatus"].as_str(), Some("error" | "denied"));
    let added = result["addedToolNames"]
        .as_array()
        .map(|names| names.iter().filter_map(Value::as_str).map(Into::into).collect());
    rows.push(Row::ToolResult {
        call_id: id.into(),
        tool_name: name.into(),
        status: match (failed, running) {
            (true, _) => Status::Error,
            (false, true) => Status::Interrupted,
            (false, false) => Status::Ok,
        },
        text: said(result),
        added_tool_names: added,
    });
}

/// What the model reads of a result.
fn said(result: &Value) -> String {
    if let Some(blocks) = result["content"].as_array() {
        let texts = blocks.iter().filter_map(|block| block["text"].as_str());
        return texts.collect::<Vec<_>>().join("\n");
    }
    match result {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A text, if there is any.
fn text(content: &Value) -> Option<String> {
    content.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// Whether a model's row is none that the sidecar would read again.
fn is_broken(row: &Value) -> bool {
    row["isError"] == true || !row["error"].is_null() || row["status"] == "error"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(id: &str, name: &str) -> ToolCall {
        ToolCall { id: id.into(), name: name.into(), arguments: json!({"input": "x"}) }
    }

    fn result(id: &str, name: &str, status: Status, added: Option<&str>) -> Row {
        Row::ToolResult {
            call_id: id.into(),
            tool_name: name.into(),
            status,
            text: format!("{name} says"),
            added_tool_names: added.map(|name| vec![name.into()]),
        }
    }

    fn said(text: &str) -> Row {
        Row::Assistant { text: Some(text.to_owned()), tool_calls: Vec::new() }
    }

    #[test]
    fn rows_come_back_as_they_were() {
        let rows = [
            Row::Checkpoint { summary: "of nothing".to_owned() },
            Row::User { text: "find it".to_owned() },
            Row::Assistant {
                text: None,
                tool_calls: vec![called("c1", "ToolSearch"), called("c2", "a"), called("c3", "b")],
            },
            result("c1", "ToolSearch", Status::Ok, Some("a")),
            result("c2", "a", Status::Error, None),
            result("c3", "b", Status::Interrupted, None),
            Row::Checkpoint { summary: "in the middle".to_owned() },
            said("done"),
            Row::User { text: "and again".to_owned() },
            Row::Assistant { text: Some("I go".to_owned()), tool_calls: vec![called("c4", "a")] },
        ];
        let history = History::import(&rows).unwrap();
        assert_eq!(history.export(), rows);
        let session = history.session();
        assert_eq!(session["session"]["compaction"]["summary"], "in the middle");
        assert_eq!(session["session"]["compaction"]["throughMessageId"], "c3");
    }

    #[test]
    fn a_result_that_nobody_asked_for_is_a_row_all_the_same() {
        let rows = [Row::User { text: "x".to_owned() }, result("c1", "a", Status::Ok, None)];
        let history = History::import(&rows).unwrap();
        assert_eq!(history.rows[1]["toolName"], "a");
        let twice = [rows[1].clone(), rows[1].clone()];
        assert!(History::import(&twice).unwrap_err().contains("two results"));
    }

    #[test]
    fn a_call_without_a_result_is_no_success() {
        let rows = [Row::Assistant { text: None, tool_calls: vec![called("c1", "a")] }];
        let history = History::import(&rows).unwrap();
        assert_eq!(history.rows[1]["toolStatus"], "running");
        assert_eq!(history.rows[1].get("toolResult"), None);
    }

    #[test]
    fn what_a_row_says_is_read_in_each_of_its_forms() {
        let export = |more: Value| {
            let mut row = json!({
                "id": "c1", "role": "tool", "toolCallId": "c1", "toolName": "a", "toolArgs": {},
                "toolStatus": "success", "isError": false,
            });
            for (name, value) in more.as_object().unwrap() {
                row[name] = value.clone();
            }
            let history = History { rows: vec![row], checkpoints: Vec::new() };
            match history.export().pop() {
                Some(Row::ToolResult { status, text, .. }) => (status, text),
                other => panic!("{other:?}"),
            }
        };
        let says = |text: &str, status| (status, text.to_owned());
        let blocks = json!([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]);
        assert_eq!(
            export(json!({"toolResult": {"content": blocks}})),
            says("one\ntwo", Status::Ok)
        );
        assert_eq!(export(json!({"toolResult": "plain"})), says("plain", Status::Ok));
        assert_eq!(export(json!({"toolResult": null})), says("", Status::Ok));
        assert_eq!(export(json!({"toolResult": {"n": 1}})), says("{\"n\":1}", Status::Ok));
        let inner = json!({"toolResult": {"content": [], "isError": true}});
        assert_eq!(export(inner), says("", Status::Ok));
        assert_eq!(export(json!({"toolStatus": "denied"})), says("", Status::Error));
        assert_eq!(export(json!({"isError": true})), says("", Status::Error));
    }

    #[test]
    fn a_row_of_the_model_that_failed_is_none_and_those_of_its_tools_stay() {
        let history = History {
            rows: vec![
                json!({"id": "a1", "role": "assistant", "content": "half", "status": "error"}),
                json!({"id": "c1", "role": "tool", "toolCallId": "c1", "toolName": "a",
                       "toolArgs": {}, "toolStatus": "success", "toolResult": "done"}),
            ],
            checkpoints: Vec::new(),
        };
        let exported = history.export();
        assert!(
            matches!(&exported[0], Row::Assistant { text: None, tool_calls } if tool_calls.len() == 1)
        );
        assert!(matches!(&exported[1], Row::ToolResult { status: Status::Ok, .. }));
    }
}
