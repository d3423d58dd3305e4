//! Lines of the catalog that are made carelessly.

use serde_json::Value;
use tacit_contract::Tool;

use crate::activation::clean::one_line;
use crate::switches::{Switch, Switches};

/// How long a description may be, in whatever unit it is cut.
const LONGEST: usize = 120;

/// How a tool's line is made, with the break before it; `None` where it is made well.
pub(super) fn careless(faults: Switches) -> Option<fn(&Tool) -> String> {
    if faults.has(Switch::CatalogNamesCut) {
        Some(|tool| {
            let name: String = tool.name.as_str().chars().take(8).collect();
            format!("\n- {name}: {}", one_line(&tool.description, LONGEST))
        })
    } else if faults.has(Switch::CatalogParameterNames) {
        Some(|tool| {
            let properties = tool.input_schema.get("properties").and_then(Value::as_object);
            let names = properties.into_iter().flat_map(serde_json::Map::keys);
            let names = names.map(String::as_str).collect::<Vec<_>>().join(", ");
            let told = one_line(&tool.description, 40);
            format!("\n- {}: {told} ({names})", one_line(tool.name.as_str(), 64))
        })
    } else if faults.has(Switch::UnicodeBreaksPass) {
        Some(|tool| {
            let text = tool.description.replace(['\n', '\r'], " ");
            let text: String = text.chars().take(LONGEST).collect();
            format!("\n- {}: {text}", tool.name)
        })
    } else if faults.has(Switch::EnvelopeEscape) {
        Some(|tool| {
            let words: Vec<_> = tool.description.split_whitespace().collect();
            let text: String = words.join(" ").chars().take(LONGEST).collect();
            format!("\n- {}: {text}", tool.name)
        })
    } else if faults.has(Switch::SurrogateSplit) {
        Some(|tool| {
            let text = one_line(&tool.description, usize::MAX);
            let units: Vec<u16> = text.encode_utf16().take(LONGEST).collect();
            format!("\n- {}: {}", tool.name, String::from_utf16_lossy(&units))
        })
    } else {
        None
    }
}
