//! What strict endpoints of all APIs refuse alike.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tacit_contract::ProviderKind;

use crate::body::Schema;
use crate::error::cut;
use crate::place::Place;
use crate::problem::{Problem, Rule};

/// What differs from API to API in rules that are otherwise the same.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The longest name of a tool, in bytes.
    pub(crate) name: usize,
    /// The longest id of a call, in bytes.
    pub(crate) call_id: usize,
}

/// The problems of one body, in the order in which they are found.
pub(crate) struct Found {
    limits: Limits,
    provider: ProviderKind,
    problems: Vec<Problem>,
}

impl Found {
    /// No problem yet, but for the members that the API does not have.
    pub(crate) fn new(limits: Limits, provider: ProviderKind, unknown: Vec<String>) -> Self {
        let unknown = unknown.into_iter().map(|place| Problem {
            rule: Rule::UnknownKey,
            place,
            found: "this one is not".to_owned(),
        });
        Self { limits, provider, problems: unknown.collect() }
    }

    /// All of them.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// One more.
    pub(crate) fn add(&mut self, rule: Rule, place: Place<'_>, found: impl Into<String>) {
        self.add_at(rule, place.to_string(), found);
    }

    /// One more, in a place that was written down before.
    pub(crate) fn add_at(&mut self, rule: Rule, place: String, found: impl Into<String>) {
        self.problems.push(Problem { rule, place, found: found.into() });
    }

    /// A form of native deferral, which a plain provider refuses.
    pub(crate) fn native(&mut self, place: Place<'_>, form: &str) {
        if !self.provider.native {
            self.add(Rule::NativeWhereOff, place, form);
        }
    }

    /// A type that the API does not have in this place, or none.
    pub(crate) fn kind(&mut self, kind: Option<&str>, owner: Place<'_>) {
        let found = kind.map_or_else(|| "none".to_owned(), cut);
        self.add(Rule::Type, owner.member("type"), found);
    }

    /// The name of what stands in a place.
    pub(crate) fn name(&mut self, name: &str, owner: Place<'_>) {
        let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if name.is_empty() || name.len() > self.limits.name || !name.bytes().all(legal) {
            self.add(Rule::Name, owner.member("name"), quoted(name));
        }
    }

    /// The id of a call.
    pub(crate) fn call_id(&mut self, id: &str, place: Place<'_>) {
        if id.is_empty() || id.len() > self.limits.call_id {
            self.add(Rule::CallId, place, quoted(id));
        }
    }

    /// A parameter schema.
    pub(crate) fn schema<S: Schema>(&mut self, schema: &S, place: Place<'_>) {
        if !schema.is_object() {
            self.add(Rule::Schema, place, "another");
        }
    }

    /// Arguments, which are a text.
    pub(crate) fn arguments(&mut self, arguments: &Value, place: Place<'_>) {
        if !arguments.is_string() {
            self.add(Rule::Arguments, place, cut(&arguments.to_string()));
        }
    }
}

/// A name or an id as an error shows it.
pub(crate) fn quoted(text: &str) -> String {
    format!("`{}`", cut(text))
}

/// Names or ids of which no two may be equal.
#[derive(Default)]
pub(crate) struct Distinct<'a>(BTreeSet<&'a str>);

impl<'a> Distinct<'a> {
    /// The name of one more definition.
    pub(crate) fn name(&mut self, name: &'a str, owner: Place<'_>, found: &mut Found) {
        if !self.0.insert(name) {
            found.add(Rule::DuplicateName, owner.member("name"), quoted(name));
        }
    }

    /// The id of one more call.
    pub(crate) fn id(&mut self, id: &'a str, place: Place<'_>, found: &mut Found) {
        if !self.0.insert(id) {
            found.add(Rule::DuplicateCallId, place, quoted(id));
        }
    }
}

/// A batch of calls and which of them are answered.
#[derive(Default)]
pub(crate) struct Batch<'a> {
    open: BTreeMap<&'a str, String>,
    answered: BTreeSet<&'a str>,
}

impl<'a> Batch<'a> {
    /// A call that waits for its result.
    pub(crate) fn call(&mut self, id: &'a str, place: Place<'_>) {
        self.open.insert(id, place.to_string());
    }

    /// A result, in whatever order.
    pub(crate) fn result(&mut self, id: &'a str, place: Place<'_>, found: &mut Found) {
        if self.open.remove(id).is_some() {
            self.answered.insert(id);
        } else if self.answered.contains(id) {
            found.add(Rule::AnsweredTwice, place, quoted(id));
        } else {
            found.add(Rule::ResultWithoutCall, place, quoted(id));
        }
    }

    /// The conversation goes on: what is open stays without a result.
    pub(crate) fn close(&mut self, found: &mut Found) {
        for (id, place) in std::mem::take(&mut self.open) {
            found.add_at(Rule::CallWithoutResult, place, quoted(id));
        }
        self.answered.clear();
    }
}
