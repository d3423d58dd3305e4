//! `OpenAI` Chat Completions.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use tacit_contract::{Tool, ToolCall};

use super::{Answer, Draft, Unreadable};
use crate::activation::is_legal_name;
use crate::context::Message;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Entry<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Function<'a>>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum Entry<'a> {
    System {
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tools: Vec<Function<'a>>,
    },
    User {
        content: &'a str,
    },
    Assistant {
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Called<'a>>,
    },
    Tool {
        tool_call_id: &'a str,
        content: &'a str,
    },
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "function")]
struct Called<'a> {
    id: &'a str,
    function: CalledFunction<'a>,
}

#[derive(Serialize)]
struct CalledFunction<'a> {
    #[serde(serialize_with = "legal_name")]
    name: &'a str,
    #[serde(serialize_with = "as_text")]
    arguments: &'a Value,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "function")]
struct Function<'a> {
    function: Definition<'a>,
}

#[derive(Serialize)]
struct Definition<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
}

/// The arguments of a call are JSON inside a text.
fn as_text<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&value.to_string())
}

/// A name that a model made up stays in the transcript as it was, but the API refuses a whole
/// request for it.
fn legal_name<S: Serializer>(name: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if is_legal_name(name) {
        return serializer.serialize_str(name);
    }
    let legal: String = name
        .chars()
        .take(64)
        .map(|symbol| if symbol.is_ascii_alphanumeric() || symbol == '-' { symbol } else { '_' })
        .collect();
    serializer.serialize_str(if legal.is_empty() { "unnamed" } else { &legal })
}

/// Writes the body of a request.
pub(super) fn encode(model: &str, draft: &Draft<'_>) -> Vec<u8> {
    let mut messages = Vec::with_capacity(draft.messages.len() + 1);
    messages.push(Entry::System { content: Some(draft.system), tools: Vec::new() });
    messages.extend(draft.messages.iter().map(entry));
    let body = Body {
        model,
        messages,
        stream: draft.stream,
        stream_options: draft.stream.then_some(StreamOptions { include_usage: true }),
        tools: draft.tools.iter().map(|tool| function(tool)).collect(),
    };
    // Texts, numbers and JSON values always serialise.
    serde_json::to_vec(&body).unwrap_or_default()
}

fn entry<'a>(message: &'a Message<'a>) -> Entry<'a> {
    match message {
        Message::User(text) => Entry::User { content: text },
        Message::Assistant { text, calls } => Entry::Assistant {
            content: *text,
            tool_calls: calls
                .iter()
                .map(|call| Called {
                    id: call.id.as_str(),
                    function: CalledFunction {
                        name: call.name.as_str(),
                        arguments: &call.arguments,
                    },
                })
                .collect(),
        },
        Message::Loaded(tools) => Entry::System {
            content: None,
            tools: tools.iter().map(|tool| function(tool)).collect(),
        },
        Message::Result { call, text } => {
            Entry::Tool { tool_call_id: call.as_str(), content: text }
        }
    }
}

fn function(tool: &Tool) -> Function<'_> {
    Function {
        function: Definition {
            name: tool.name.as_str(),
            description: &tool.description,
            parameters: &tool.input_schema,
        },
    }
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(alias = "delta", default)]
    message: Part,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize, Default)]
struct Part {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<CallPart>>,
}

#[derive(Deserialize)]
struct CallPart {
    #[serde(default)]
    index: Option<usize>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    function: FunctionPart,
}

#[derive(Deserialize, Default)]
struct FunctionPart {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Option<String>,
}

/// An answer while its parts come in.
#[derive(Default)]
struct Growing {
    text: String,
    calls: Vec<(usize, String, String, String)>,
    finished: bool,
}

impl Growing {
    fn add(&mut self, choice: Choice) {
        self.text.push_str(choice.message.content.as_deref().unwrap_or_default());
        for (nth, part) in choice.message.tool_calls.into_iter().flatten().enumerate() {
            let index = part.index.unwrap_or(nth);
            let place = self.calls.iter().position(|call| call.0 == index).unwrap_or_else(|| {
                self.calls.push((index, String::new(), String::new(), String::new()));
                self.calls.len() - 1
            });
            let (_, id, name, arguments) = &mut self.calls[place];
            // Some providers repeat the id and the name in every part: the first stands.
            if id.is_empty() {
                *id = part.id.unwrap_or_default();
            }
            if name.is_empty() {
                *name = part.function.name.unwrap_or_default();
            }
            arguments.push_str(part.function.arguments.as_deref().unwrap_or_default());
        }
        self.finished |= choice.finish_reason.is_some();
    }

    fn done(mut self) -> Result<Answer, Unreadable> {
        if !self.finished {
            return Err(Unreadable::BrokeOff);
        }
        self.calls.sort_by_key(|call| call.0);
        let calls = self.calls.into_iter().map(|(_, id, name, arguments)| ToolCall {
            id: id.into(),
            name: name.into(),
            arguments: read_arguments(&arguments),
        });
        Ok(Answer { text: Some(self.text).filter(|text| !text.is_empty()), calls: calls.collect() })
    }
}

/// The arguments as the model wrote them. A text that is no JSON is kept as a text, so that the
/// call can be answered and the transcript says what was written.
fn read_arguments(text: &str) -> Value {
    if text.trim().is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// Reads an answer that came in one piece.
pub(super) fn decode(body: &[u8]) -> Result<Answer, Unreadable> {
    let completion: Completion =
        serde_json::from_slice(body).map_err(|error| Unreadable::Senseless(error.to_string()))?;
    let mut answer = Growing::default();
    for choice in completion.choices.into_iter().take(1) {
        answer.add(choice);
    }
    answer.done()
}

/// Reads an answer that came as a stream of events. It is whole once a reason to finish was
/// given; whatever ends it earlier has broken it off.
pub(super) fn decode_stream(body: &[u8]) -> Result<Answer, Unreadable> {
    let mut answer = Growing::default();
    for line in body.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let Some(data) = line.strip_prefix(b"data:") else { continue };
        let data = data.trim_ascii();
        if data == b"[DONE]" {
            break;
        }
        let Ok(chunk) = serde_json::from_slice::<Completion>(data) else { break };
        for choice in chunk.choices.into_iter().take(1) {
            answer.add(choice);
        }
    }
    answer.done()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(id: &str, name: &str, arguments: Value) -> ToolCall {
        ToolCall { id: id.into(), name: name.into(), arguments }
    }

    #[test]
    fn arguments_that_come_in_pieces_are_put_together() {
        let body = concat!(
            "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"tool_calls\":[",
            "{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"Read\",\"arguments\":\"{\\\"pa\"}},",
            "{\"index\":1,\"id\":\"c2\",\"function\":{\"name\":\"Bash\",\"arguments\":\"\"}}]}}]}\r\n\r\n",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":",
            "{\"arguments\":\"th\\\":\\\"a\\\"}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n",
            "data: {\"choices\":[],\"usage\":{}}\n\ndata: [DONE]\n\n",
        );
        let answer = decode_stream(body.as_bytes());
        let calls = vec![call("c1", "Read", json!({"path": "a"})), call("c2", "Bash", json!({}))];
        assert_eq!(answer, Ok(Answer { text: None, calls }));
    }

    #[test]
    fn a_stream_without_a_reason_to_finish_has_broken_off() {
        let body = b"data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\ndata: {\"cho";
        assert_eq!(decode_stream(body), Err(Unreadable::BrokeOff));
        assert_eq!(decode_stream(b""), Err(Unreadable::BrokeOff));
    }

    #[test]
    fn an_answer_in_one_piece_is_read_as_well() {
        let body = json!({"choices": [{"finish_reason": "stop", "message": {"content": "hi"}}]});
        let answer = decode(body.to_string().as_bytes());
        assert_eq!(answer, Ok(Answer { text: Some("hi".into()), calls: Vec::new() }));
    }

    #[test]
    fn arguments_that_are_no_json_are_kept_as_they_were_written() {
        assert_eq!(read_arguments("{oops"), json!("{oops"));
        assert_eq!(read_arguments("null"), Value::Null);
    }

    #[test]
    fn an_illegal_name_in_history_is_made_legal_on_the_wire() {
        let made_up = call("c1", "no such tool!", json!({}));
        let messages = [Message::Assistant { text: None, calls: vec![&made_up] }];
        let draft = Draft { system: "s", messages: &messages, tools: &[], stream: true };
        let body: Value = serde_json::from_slice(&encode("m", &draft)).unwrap_or_default();
        assert_eq!(body["messages"][1]["tool_calls"][0]["function"]["name"], "no_such_tool_");
    }
}
