//! What the tests of all APIs share.

#![allow(dead_code, clippy::unwrap_used, reason = "each file of tests uses some of it")]

pub mod bodies;

use serde_json::{Value, json};
use tacit_contract::ProviderKind;
use tacit_wire::{Item, Reply, ReplyCall, RequestView, Rule, well_formed};

/// A rule that is broken, and where.
pub type Broken = (Rule, String);

/// A request that a strict endpoint takes, to be changed in one place.
pub struct Taken {
    /// The endpoint.
    pub kind: ProviderKind,
    /// The body.
    pub body: Value,
}

impl Taken {
    /// What the request breaks once one place holds something else.
    pub fn changed(&self, pointer: &str, new: &Value) -> Vec<Broken> {
        let mut body = self.body.clone();
        match body.pointer_mut(pointer) {
            Some(slot) => *slot = new.clone(),
            None => panic!("no {pointer}"),
        }
        self.found(&body)
    }

    /// What it breaks once one member or entry is gone.
    pub fn removed(&self, parent: &str, key: &str) -> Vec<Broken> {
        let mut body = self.body.clone();
        match body.pointer_mut(parent) {
            Some(Value::Object(members)) => drop(members.shift_remove(key).unwrap()),
            Some(Value::Array(items)) => drop(items.remove(key.parse().unwrap())),
            _ => panic!("no {parent}"),
        }
        self.found(&body)
    }

    /// What it breaks once there is one more member, or one more entry before another.
    pub fn with(&self, parent: &str, key: &str, new: Value) -> Vec<Broken> {
        let mut body = self.body.clone();
        match body.pointer_mut(parent) {
            Some(Value::Object(members)) => drop(members.insert(key.to_owned(), new)),
            Some(Value::Array(items)) => items.insert(key.parse().unwrap(), new),
            _ => panic!("no {parent}"),
        }
        self.found(&body)
    }

    /// What another body breaks at the same endpoint.
    pub fn found(&self, body: &Value) -> Vec<Broken> {
        well_formed(self.kind, body.to_string().as_bytes())
            .into_iter()
            .map(|problem| (problem.rule, problem.place))
            .collect()
    }

    /// What the request breaks at an endpoint that loads nothing.
    pub fn found_where_plain(&self) -> Vec<Broken> {
        let plain = Self { kind: ProviderKind::plain(self.kind.api), body: Value::Null };
        plain.found(&self.body)
    }
}

/// An answer that speaks and calls twice.
pub fn reply() -> Reply {
    Reply {
        text: Some("I look — at once.".to_owned()),
        calls: vec![
            ReplyCall {
                id: "c1_0_0".into(),
                wire_name: "ToolSearch".to_owned(),
                arguments: json!({"query": "weather in Tromsø"}),
            },
            ReplyCall { id: "c1_0_1".into(), wire_name: "Read".to_owned(), arguments: json!({}) },
        ],
    }
}

/// What the items of a view are, in order.
pub fn kinds(view: &RequestView) -> Vec<&'static str> {
    let kind = |item: &Item| match item {
        Item::System { .. } => "system",
        Item::User { .. } => "user",
        Item::Assistant { .. } => "assistant",
        Item::Result { .. } => "result",
    };
    view.items.iter().map(kind).collect()
}
