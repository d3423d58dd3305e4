//! Packs recorded cases: what stands in them more than once is written once.
//!
//! A file holds `{"shared": […], "cases": …}`. `{"$": n}` stands for the shared value n, which
//! may hold others of lower numbers, and `{"$json": value}` for a text that is this value
//! written without blanks.

use std::collections::HashMap;

use serde_json::{Value, json};

/// What is shorter than this is written each time.
const SHORTEST: usize = 24;

/// A file of cases.
pub fn pack(cases: &Value) -> String {
    let cases = opened(cases);
    let mut counted = HashMap::new();
    count(&cases, &mut counted);
    let mut shared = Shared { counted, numbers: HashMap::new(), values: Vec::new() };
    let cases = shared.replaced(&cases);
    // A shared value a line, so that a change of one case shows as one.
    let lines =
        |values: &[Value]| values.iter().map(Value::to_string).collect::<Vec<_>>().join(",\n");
    let cases = cases.as_array().map_or(&[][..], Vec::as_slice);
    format!("{{\"shared\":[\n{}\n],\"cases\":[\n{}\n]}}\n", lines(&shared.values), lines(cases))
}

/// Bodies are texts that hold JSON: as values they have much in common.
fn opened(value: &Value) -> Value {
    match value {
        Value::String(text) if text.starts_with(['{', '[']) => match serde_json::from_str(text) {
            Ok(inner) if text == &Value::to_string(&inner) => json!({"$json": inner}),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(opened).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), opened(value))).collect()
        }
        _ => value.clone(),
    }
}

fn count(value: &Value, counted: &mut HashMap<String, u32>) {
    let text = value.to_string();
    if text.len() < SHORTEST {
        return;
    }
    let times = counted.entry(text).or_default();
    *times += 1;
    // What stands in a value that was seen before is shared with it.
    if *times > 1 {
        return;
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| count(item, counted)),
        Value::Object(members) => members.values().for_each(|member| count(member, counted)),
        _ => {}
    }
}

struct Shared {
    counted: HashMap<String, u32>,
    numbers: HashMap<String, usize>,
    values: Vec<Value>,
}

impl Shared {
    fn replaced(&mut self, value: &Value) -> Value {
        let text = value.to_string();
        if self.counted.get(&text).is_none_or(|times| *times < 2) {
            return self.within(value);
        }
        if let Some(number) = self.numbers.get(&text) {
            return json!({"$": number});
        }
        let within = self.within(value);
        let number = self.values.len();
        self.values.push(within);
        self.numbers.insert(text, number);
        json!({"$": number})
    }

    fn within(&mut self, value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(|item| self.replaced(item)).collect(),
            Value::Object(members) => {
                members.iter().map(|(key, member)| (key.clone(), self.replaced(member))).collect()
            }
            _ => value.clone(),
        }
    }
}
