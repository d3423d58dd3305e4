//! Canaries: unguessable words in the schemas that the harness makes.
//!
//! A schema that leaks is found by looking for its words in the raw request. They stand in
//! property names, descriptions, enums, defaults and examples, never in the tool's own
//! description, a query or a scripted argument (`catalog.no-schema`).

use serde_json::{Value, json};

use crate::name::ToolName;

/// What every canary begins with: three letters that no language puts together.
pub const PREFIX: &str = "qzj";

/// The length of a canary in bytes; each byte is a lower-case letter.
pub const LENGTH: usize = 16;

/// The one property that every generated schema has in the clear, so that a scripted call has
/// something to say; it alone may be required.
pub const INPUT: &str = "input";

/// How many canaries one schema carries.
pub const PER_SCHEMA: usize = 7;

/// A step of the `SplitMix64` sequence: a fixed, well-mixed function, so that what is derived
/// from a seed never hangs on the version of a random number crate.
#[must_use]
pub fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Folds a text into a seed.
#[must_use]
pub fn mix_text(seed: u64, text: &str) -> u64 {
    text.bytes().fold(mix(seed ^ text.len() as u64), |state, byte| mix(state ^ u64::from(byte)))
}

/// `count` lower-case letters that follow from a seed; 13 at the most carry its whole entropy.
#[must_use]
pub fn letters(seed: u64, count: usize) -> String {
    let mut state = mix(seed);
    (0..count)
        .map(|_| {
            let letter = char::from(b'a' + u8::try_from(state % 26).unwrap_or_default());
            state = if state < 26 { mix(seed ^ 0xa5a5) } else { state / 26 };
            letter
        })
        .collect()
}

/// The canaries of one tool's schema, in the order of the places they stand in.
#[must_use]
pub fn words(seed: u64, tool: &ToolName, version: u32) -> [String; PER_SCHEMA] {
    let base = mix_text(seed, tool.as_str()) ^ mix(u64::from(version).wrapping_add(7));
    std::array::from_fn(|place| {
        format!("{PREFIX}{}", letters(mix(base ^ place as u64), LENGTH - PREFIX.len()))
    })
}

/// A parameter schema that carries a tool's canaries in every place in which a schema can leak.
///
/// The version changes every word: an updated plugin brings a schema that can be told from the
/// old one.
#[must_use]
pub fn schema(seed: u64, tool: &ToolName, version: u32) -> Value {
    let [described, choice, option, hint, amount, default, example] = words(seed, tool, version);
    json!({
        "type": "object",
        "properties": {
            INPUT: {"type": "string", "description": format!("what to work on, {described}")},
            choice: {
                "type": "string",
                "description": format!("which way to take, {hint}"),
                "enum": [option, "other"],
            },
            amount: {"type": "integer", "default": 3, "examples": [1, 2]},
            "note": {"type": "string", "default": default, "examples": [example]},
        },
        "required": [INPUT],
    })
}

/// Every canary in a text, in order, repeats included.
pub fn found(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(PREFIX).filter_map(|(at, _)| {
        let word = text.get(at..at + LENGTH)?;
        word.bytes().all(|byte| byte.is_ascii_lowercase()).then_some(word)
    })
}

/// Whether any canary stands in a schema.
#[must_use]
pub fn stands_in(schema: &Value) -> bool {
    found(&schema.to_string()).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_canary_of_a_schema_is_found_in_its_text() {
        let tool = ToolName::from("acme_weather");
        let text = schema(1, &tool, 1).to_string();
        let found: Vec<&str> = found(&text).collect();
        for word in words(1, &tool, 1) {
            assert!(found.contains(&word.as_str()), "{word} is not in {text}");
        }
    }

    #[test]
    fn canaries_differ_by_seed_tool_version_and_place() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..20 {
            for tool in ["a", "b", "ab"] {
                for version in 1..4 {
                    seen.extend(words(seed, &tool.into(), version));
                }
            }
        }
        assert_eq!(seen.len(), 20 * 3 * 3 * PER_SCHEMA);
    }

    #[test]
    fn a_word_that_only_begins_like_a_canary_is_none() {
        assert_eq!(found("qzj qzjabc qzjABCDEFGHIJKLM").count(), 0);
    }
}
