//! `OpenAI` Chat Completions.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tacit_contract::{Tool, ToolCall};

use super::common::{as_text, bytes, events, legal_name, read_arguments, some, whole};
use super::{Answer, Draft, Unreadable};
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
    name: Cow<'a, str>,
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

/// Writes the body of a request.
pub(super) fn encode(model: &str, draft: &Draft<'_>) -> Vec<u8> {
    let mut messages = Vec::with_capacity(draft.messages.len() + 1);
    messages.push(Entry::System { content: Some(draft.system), tools: Vec::new() });
    for message in draft.messages {
        add(&mut messages, message);
    }
    bytes(&Body {
        model,
        messages,
        stream: draft.stream,
        stream_options: draft.stream.then_some(StreamOptions { include_usage: true }),
        tools: draft.tools.iter().map(|tool| function(tool)).collect(),
    })
}

fn add<'a>(entries: &mut Vec<Entry<'a>>, message: &'a Message<'a>) {
    match message {
        Message::User(text) => entries.push(Entry::User { content: text }),
        Message::Assistant { text, calls } => entries.push(Entry::Assistant {
            content: *text,
            tool_calls: calls.iter().map(|call| called(call)).collect(),
        }),
        Message::Results(results) => {
            entries.extend(results.iter().map(|result| Entry::Tool {
                tool_call_id: result.id.as_str(),
                content: result.text,
            }));
            // Nothing may stand between the results of one message.
            let loads = results.iter().flat_map(|result| result.loads);
            let tools: Vec<_> = loads.map(|tool| function(tool)).collect();
            if !tools.is_empty() {
                entries.push(Entry::System { content: None, tools });
            }
        }
    }
}

fn called(call: &ToolCall) -> Called<'_> {
    let name = legal_name(call.name.as_str());
    Called { id: call.id.as_str(), function: CalledFunction { name, arguments: &call.arguments } }
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
        Ok(Answer { text: some(self.text), calls: calls.collect() })
    }
}

/// Reads an answer that came in one piece.
pub(super) fn decode(body: &[u8]) -> Result<Answer, Unreadable> {
    let mut answer = Growing::default();
    for choice in whole::<Completion>(body)?.choices.into_iter().take(1) {
        answer.add(choice);
    }
    answer.done()
}

/// Reads an answer that came as a stream of events. It is whole once a reason to finish was
/// given; whatever ends it earlier has broken it off.
pub(super) fn decode_stream(body: &[u8]) -> Result<Answer, Unreadable> {
    let mut answer = Growing::default();
    for chunk in events::<Completion>(body) {
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
    fn an_error_in_a_stream_breaks_it_off() {
        let body = b"data: {\"error\":{\"message\":\"overloaded\"}}\n\ndata: [DONE]\n\n";
        assert_eq!(decode_stream(body), Err(Unreadable::BrokeOff));
    }
}
