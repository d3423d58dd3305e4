//! One correct variant of the reference runtime.

use serde_json::json;
use tacit_reference::CorrectVariant;

use super::Explanation;
use crate::page::{command_field, field, hang};

/// Explains a correct variant: what it does, and what of the contract leaves it free.
pub fn explain(variant: &CorrectVariant) -> Explanation {
    let mut text = format!("{} · a correct variant of the reference runtime\n\n", variant.key);
    text.push_str(&hang("  ", variant.behaviour));
    text.push('\n');
    text.push_str(&field("free by", variant.freedom));
    if let Some(line) = variant.profile {
        text.push_str(&field("needs", &format!("a profile with `{line}`")));
    }
    let command = format!("tacit run --runtime reference+{}", variant.key);
    text.push_str(&command_field("try it", &command));
    let value = json!({
        "kind": "variant",
        "key": variant.key,
        "behaviour": variant.behaviour,
        "freedom": variant.freedom,
        "profile": variant.profile,
        "tryIt": command,
    });
    Explanation { text, value }
}
