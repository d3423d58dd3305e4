//! The tools that a model can read in a request, recognised by their canaries.

use std::collections::BTreeMap;

use serde_json::Value;
use tacit_contract::canary;
use tacit_contract::{Registry, ToolName};
use tacit_wire::{Channel, RequestView};

/// What a request shows, by the name that the registry has for it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shown {
    tools: BTreeMap<ToolName, Definition>,
}

/// One visible definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// Its description.
    pub description: String,
    /// Its parameters.
    pub schema: Value,
    /// Where in the request it stands.
    pub channel: Channel,
    /// Its place among the request's tools.
    pub place: usize,
    /// The canaries in its parameters.
    pub words: Vec<String>,
}

impl Shown {
    /// Reads what a request shows.
    ///
    /// A tool that the harness gave is shown where a word of its schema stands; an entry that
    /// bears its name and no word of it shows nothing of it. A tool of the runtime's own is
    /// known by its name.
    #[must_use]
    pub fn read(view: &RequestView, prefix: &str, registry: &Registry) -> Self {
        let mut tools = BTreeMap::new();
        for (place, tool) in view.visible().enumerate() {
            let bare = tool.wire_name.strip_prefix(prefix).unwrap_or(&tool.wire_name);
            let name = ToolName::from(bare);
            let text = tool.schema.to_string();
            let words: Vec<&str> = canary::found(&text).collect();
            let definition = || Definition {
                description: tool.description.clone(),
                schema: tool.schema.clone(),
                channel: tool.channel,
                place,
                words: words.iter().map(|word| (*word).to_owned()).collect(),
            };
            if words.is_empty() {
                if registry.tool(&name).is_none() || registry.is_doubtful(&name) {
                    tools.insert(name, definition());
                }
            } else if registry.tool(&name).is_some_and(|own| carries(&own.input_schema, &words)) {
                tools.insert(name, definition());
            } else {
                let owners =
                    registry.given().iter().filter(|own| carries(&own.input_schema, &words));
                let mut known = false;
                for owner in owners {
                    known = true;
                    tools.insert(owner.name.clone(), definition());
                }
                // The words of a tool that is no longer in the registry: shown by its name.
                if !known {
                    tools.insert(name, definition());
                }
            }
        }
        Self { tools }
    }

    /// Whether the tool is shown.
    #[must_use]
    pub fn contains(&self, tool: &ToolName) -> bool {
        self.tools.contains_key(tool)
    }

    /// The definition of a shown tool.
    #[must_use]
    pub fn get(&self, tool: &ToolName) -> Option<&Definition> {
        self.tools.get(tool)
    }

    /// The names of what is shown, in the order of names.
    pub fn names(&self) -> impl Iterator<Item = &ToolName> {
        self.tools.keys()
    }

    /// What is shown, with its definitions.
    pub fn iter(&self) -> impl Iterator<Item = (&ToolName, &Definition)> {
        self.tools.iter()
    }

    /// The names as a list to be read.
    #[must_use]
    pub fn list(&self) -> String {
        let mut names: Vec<_> = self.tools.iter().collect();
        names.sort_by_key(|(_, definition)| definition.place);
        names.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

fn carries(schema: &Value, words: &[&str]) -> bool {
    match schema {
        Value::String(text) => words.iter().any(|word| text.contains(word)),
        Value::Array(items) => items.iter().any(|item| carries(item, words)),
        Value::Object(members) => members
            .iter()
            .any(|(key, value)| words.contains(&key.as_str()) || carries(value, words)),
        _ => false,
    }
}

/// What of a tool's schema a shown one lacks: every property with its type, description and
/// enum, and what is required. `None` where it is whole.
#[must_use]
pub fn lacks(given: &Value, shown: &Value) -> Option<String> {
    let members = |schema: &Value| schema.get("properties").and_then(Value::as_object).cloned();
    let shown_members = members(shown).unwrap_or_default();
    for (name, property) in members(given).unwrap_or_default() {
        let Some(found) = shown_members.get(&name) else {
            return Some(format!("property `{name}` is missing"));
        };
        for key in ["type", "description", "enum"] {
            if property.get(key) != found.get(key) {
                return Some(format!("`{key}` of property `{name}` is not the tool's own"));
            }
        }
    }
    let required = |schema: &Value| {
        let mut names: Vec<String> = schema
            .get("required")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
            .unwrap_or_default();
        names.sort();
        names
    };
    (required(given) != required(shown))
        .then(|| "what is required is not the tool's own".to_owned())
}
