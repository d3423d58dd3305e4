//! Kinds of recordings, and how they are told apart.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Traces, as tacit records them: a JSON value each.
    Trace,
    /// A HAR file, as a browser or a recording proxy writes it.
    Har,
    /// Requests, a JSON value each: a body alone, or one with its `path` or `url`.
    Requests,
    /// The session file of pi: an entry a line.
    Pi,
    /// The transcript of Nib's sidecar: a row a line.
    Nib,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Trace, Self::Har, Self::Requests, Self::Pi, Self::Nib];

    /// The name that `--kind` knows it by.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Har => "har",
            Self::Requests => "requests",
            Self::Pi => "pi-session",
            Self::Nib => "nib-rows",
        }
    }

    /// What it is, in words.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Trace => "a trace of tacit",
            Self::Har => "a HAR file",
            Self::Requests => "a log of requests",
            Self::Pi => "a session file of pi",
            Self::Nib => "the transcript of Nib's sidecar",
        }
    }

    /// The kinds as a list to be read.
    pub(crate) fn expected() -> String {
        Self::ALL.map(Self::describe).join(", ")
    }

    /// Whether a file that begins like this is a HAR file. These are told before anything of them
    /// is parsed: their first value is the whole file.
    pub(crate) fn begins_har(beginning: &[u8]) -> bool {
        let inside = beginning.trim_ascii_start().strip_prefix(b"{");
        let key = inside.and_then(|inside| inside.trim_ascii_start().strip_prefix(b"\"log\""));
        key.is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"))
    }

    /// What a file is whose first value is this; `None` where nothing says so.
    pub(crate) fn of(first: &Value) -> Option<Self> {
        let has = |key: &str| first.get(key).is_some();
        let says = |key: &str, value: &str| first.get(key).is_some_and(|found| found == value);
        if has("runtime") && has("session") && has("log") {
            Some(Self::Trace)
        } else if says("type", "session") && has("version")
            || says("type", "message") && has("message") && has("parentId")
        {
            Some(Self::Pi)
        } else if has("messages") || has("input") || has("body") || has("request") {
            Some(Self::Requests)
        } else if has("role") && has("id") || has("throughMessageId") {
            Some(Self::Nib)
        } else {
            None
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or_else(|| {
            format!("there is no such kind: expected {}", Self::ALL.map(Self::as_str).join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_file_begins_with_tells_its_kind() {
        let told = [
            (json!({"runtime": {}, "session": {}, "log": []}), Some(Kind::Trace)),
            (json!({"model": "m", "messages": []}), Some(Kind::Requests)),
            (json!({"url": "https://x/v1/responses", "request": {}}), Some(Kind::Requests)),
            (json!({"type": "session", "version": 3}), Some(Kind::Pi)),
            (json!({"id": "m1", "role": "user", "content": ""}), Some(Kind::Nib)),
            (json!({"hello": 1}), None),
            (json!([1, 2]), None),
        ];
        for (first, kind) in told {
            assert_eq!(Kind::of(&first), kind, "{first}");
        }
        assert!(Kind::begins_har(b" {\n \"log\" : {"));
        assert!(!Kind::begins_har(b"{\"logs\": 1}"));
    }
}
