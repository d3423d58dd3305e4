//! How the runtime's own tools are spelled outside: Nib wrote them with capitals, and later in
//! lower case.

use std::str::FromStr;

use serde_json::Value;

/// A spelling of the runtime's own tools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Spelling {
    /// `ToolSearch`, `Read`, as in 0.10.0.
    #[default]
    Capitals,
    /// `tool_search`, `read`.
    LowerCase,
}

/// Each tool in both spellings.
const NAMES: [(&str, &str); 9] = [
    ("ToolSearch", "tool_search"),
    ("Read", "read"),
    ("Bash", "bash"),
    ("Edit", "edit"),
    ("Write", "write"),
    ("Glob", "glob"),
    ("Grep", "grep"),
    ("SubmitPlan", "submit_plan"),
    ("SubmitGoal", "submit_goal"),
];

/// The members of provider messages that hold the name of a tool.
const MEMBERS: [&str; 2] = ["name", "tool_name"];

impl FromStr for Spelling {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "0.10.0" => Ok(Self::Capitals),
            "lower-case" => Ok(Self::LowerCase),
            _ => Err(format!("`{text}` is no spelling: expected 0.10.0 or lower-case")),
        }
    }
}

impl Spelling {
    /// The name that the runtime itself has for what is called so outside.
    pub(super) fn own(self, outside: &str) -> &str {
        let known = NAMES.iter().find(|(_, lower)| *lower == outside);
        known.filter(|_| self == Self::LowerCase).map_or(outside, |(own, _)| own)
    }

    /// The name outside for what the runtime calls so.
    pub(super) fn outside(self, own: &str) -> &str {
        let known = NAMES.iter().find(|(capitals, _)| *capitals == own);
        known.filter(|_| self == Self::LowerCase).map_or(own, |(_, lower)| lower)
    }

    /// The body of a request as it is spelled outside.
    pub(super) fn request(self, body: Vec<u8>) -> Vec<u8> {
        let mut value = match serde_json::from_slice(&body) {
            Ok(value) if self == Self::LowerCase => value,
            _ => return body,
        };
        rename(&mut value, &|name| self.outside(name).to_owned());
        for place in ["/instructions", "/system", "/system/0/text", "/messages/0/content"] {
            if let Some(Value::String(prompt)) = value.pointer_mut(place) {
                // What the runtime says to the model; a user says nothing there.
                if prompt.contains("# On-demand tools") {
                    *prompt = prompt.replace(NAMES[0].0, NAMES[0].1);
                }
            }
        }
        serde_json::to_vec(&value).unwrap_or(body)
    }

    /// The body of an answer, in one piece or as a stream of events, as the runtime spells it.
    pub(super) fn answer(self, body: Vec<u8>) -> Vec<u8> {
        if self == Self::Capitals {
            return body;
        }
        let text = String::from_utf8_lossy(&body);
        let lines = text.split('\n').map(|line| {
            let (head, json) =
                line.strip_prefix("data:").map_or(("", line), |json| ("data:", json));
            match serde_json::from_str(json) {
                Ok(mut value) => {
                    rename(&mut value, &|name| self.own(name).to_owned());
                    format!("{head}{value}")
                }
                Err(_) => line.to_owned(),
            }
        });
        lines.collect::<Vec<_>>().join("\n").into_bytes()
    }
}

fn rename(value: &mut Value, name: &dyn Fn(&str) -> String) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, name)),
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::String(text) if MEMBERS.contains(&key.as_str()) => {
                        *text = name(text);
                    }
                    _ => rename(member, name),
                }
            }
        }
        _ => {}
    }
}
