//! Recorded traces, as the suite's example `record_traces` packs them.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use tacit_contract::{Entry, Judgement, Profile, Seen, Trace, Variant};
use tacit_judge::Judge;

/// A case as it was played.
#[derive(Clone, Deserialize)]
pub struct Recorded {
    pub name: String,
    pub profile: String,
    pub trace: Trace,
    pub variants: Vec<(Variant, Trace)>,
}

impl Recorded {
    pub fn profile(&self) -> Profile {
        Profile::named(&self.profile).unwrap()
    }

    /// The same, as if the runtime did not show its rows.
    pub fn without_rows(&self) -> Self {
        let mut other = self.clone();
        let variants = other.variants.iter_mut().map(|(_, trace)| trace);
        for trace in std::iter::once(&mut other.trace).chain(variants) {
            trace.runtime.capabilities.transcript = false;
            let is_shown = |entry: &Entry| !matches!(entry.seen, Seen::Transcript { .. });
            trace.log.retain(is_shown);
        }
        other
    }

    pub fn judged_under(&self, profile: &Profile) -> Judgement {
        Judge::new(profile).judge_case(&self.trace, &self.variants)
    }
}

/// Where they are kept.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judge/recorded/traces")
}

/// The cases of one family.
pub fn family(name: &str) -> Vec<Recorded> {
    let path = folder().join(format!("{name}.json"));
    let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let mut shared = Vec::new();
    for value in file["shared"].as_array().unwrap() {
        let value = unpacked(value, &shared);
        shared.push(value);
    }
    serde_json::from_value(unpacked(&file["cases"], &shared)).unwrap()
}

/// `{"$": n}` stands for a shared value, `{"$json": value}` for a text that is this value.
fn unpacked(value: &Value, shared: &[Value]) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| unpacked(item, shared)).collect(),
        Value::Object(members) => {
            if let Some(number) = members.get("$").and_then(Value::as_u64) {
                return shared[usize::try_from(number).unwrap()].clone();
            }
            if let Some(inner) = members.get("$json") {
                return Value::String(unpacked(inner, shared).to_string());
            }
            let members = members.iter().map(|(key, it)| (key.clone(), unpacked(it, shared)));
            Value::Object(members.collect())
        }
        _ => value.clone(),
    }
}

/// A judgement to be read: what was exercised on one line, then each breach, reading and clause
/// that is undecided.
pub fn written(judgement: &Judgement) -> String {
    let exercised = judgement.exercised.iter().map(|(clause, count)| format!("{clause} {count}"));
    let mut lines = vec![exercised.collect::<Vec<_>>().join(", ")];
    for (point, readings) in &judgement.readings {
        let seen: Vec<_> = readings.iter().map(|(seen, count)| format!("{seen} {count}")).collect();
        lines.push(format!("{point}: {}", seen.join(", ")));
    }
    let measures = judgement.measures.iter();
    lines.extend(measures.map(|(clause, it)| format!("{clause}: {} of {}", it.part, it.whole)));
    lines.extend(judgement.undecided.iter().map(|(clause, why)| format!("{clause}? {why}")));
    for breach in &judgement.breaches {
        let tool = breach.tool.as_ref().map_or_else(String::new, |tool| format!(" {tool}"));
        lines.push(format!(
            "! {}{tool} in {} at {} ({}.{}): {}",
            breach.clause,
            breach.session,
            breach.entry,
            breach.prompt,
            breach.request,
            breach.found
        ));
    }
    lines.join("\n  ")
}
