//! How the runtime's own tools are spelled outside: Nib wrote them with capitals, and later in
//! lower case.
//!
//! Names are spelled anew on their way in and out. What is said is not: a search for the very name
//! that one of these tools has in the other spelling finds that tool.

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

/// Where a catalog begins.
const CATALOG: &str = "# On-demand tools";

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
    /// The name that the runtime itself has for what is called so outside. Two tools stay two: a
    /// plugin's that is called as the runtime itself calls one of its own has that one's name.
    pub(super) fn own(self, outside: &str) -> &str {
        self.other(outside)
    }

    /// The name outside for what the runtime calls so.
    pub(super) fn outside(self, own: &str) -> &str {
        self.other(own)
    }

    fn other(self, name: &str) -> &str {
        if self == Self::Capitals {
            return name;
        }
        let other = |(capitals, lower): &(&'static str, &'static str)| match name {
            name if name == *capitals => Some(*lower),
            name if name == *lower => Some(*capitals),
            _ => None,
        };
        NAMES.iter().find_map(other).unwrap_or(name)
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
                *prompt = self.catalog(prompt);
            }
        }
        serde_json::to_vec(&value).unwrap_or(body)
    }

    /// A base prompt with its catalog as it is spelled outside. What a user says has none.
    fn catalog(self, prompt: &str) -> String {
        let Some(start) = prompt.find(CATALOG) else { return prompt.to_owned() };
        let (before, catalog) = prompt.split_at(start);
        let (own, outside) = NAMES[0];
        let lines = catalog.split('\n').map(|line| {
            let entry = line.strip_prefix("- ").and_then(|entry| entry.split_once(": "));
            match entry {
                Some((name, rest)) => format!("- {}: {rest}", self.outside(name)),
                None => line.replace(own, outside),
            }
        });
        before.to_owned() + &lines.collect::<Vec<_>>().join("\n")
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_name_has_one_other_and_stays_another_s_no_more() {
        for (capitals, lower) in NAMES {
            assert_eq!(Spelling::LowerCase.outside(capitals), lower);
            assert_eq!(Spelling::LowerCase.own(lower), capitals);
            assert_eq!(Spelling::LowerCase.own(Spelling::LowerCase.outside(lower)), lower);
            assert_eq!(Spelling::Capitals.outside(capitals), capitals);
        }
        assert_eq!(Spelling::LowerCase.outside("plugin_alpha"), "plugin_alpha");
    }

    #[test]
    fn requests_and_answers_are_spelled_anew_and_what_is_said_is_not() {
        let body = json!({
            "messages": [
                {"role": "system", "content": "x\n\n# On-demand tools\nToolSearch\n- Glob: finds"},
                {"role": "user", "content": "ToolSearch"},
            ],
            "tools": [{"function": {"name": "ToolSearch", "description": "Read"}}],
        });
        let written = Spelling::LowerCase.request(body.to_string().into_bytes());
        let written: Value = serde_json::from_slice(&written).unwrap();
        let prompt = "x\n\n# On-demand tools\ntool_search\n- glob: finds";
        assert_eq!(written["messages"][0]["content"], prompt);
        assert_eq!(written["messages"][1]["content"], "ToolSearch");
        assert_eq!(written["tools"][0]["function"]["name"], "tool_search");
        assert_eq!(written["tools"][0]["function"]["description"], "Read");
        let stream = b"event: a\ndata: {\"name\":\"read\"}\n\ndata: [DONE]\n".to_vec();
        let read = String::from_utf8(Spelling::LowerCase.answer(stream)).unwrap();
        assert_eq!(read, "event: a\ndata:{\"name\":\"Read\"}\n\ndata: [DONE]\n");
    }
}
