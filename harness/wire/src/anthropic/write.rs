//! Answers in the API's own form.

use crate::reply::{JSON, Reply, Written};

pub(crate) fn write(_reply: &Reply, _stream: bool) -> Written {
    Written { content_type: JSON, body: Vec::new() }
}

pub(crate) fn broken(_reply: &Reply, _stream: bool) -> Written {
    Written { content_type: JSON, body: Vec::new() }
}

pub(crate) fn refusal(_status: u16, _message: &str) -> serde_json::Value {
    serde_json::Value::Null
}
