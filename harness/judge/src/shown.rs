//! The tools that a model can read in a request, recognised by their canaries.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tacit_contract::canary;
use tacit_contract::{Registry, ToolName};
use tacit_wire::{Channel, RequestView, ShownTool, Visibility};

/// What a request shows, by the name that the registry has for it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shown {
    tools: BTreeMap<ToolName, Definition>,
    places: BTreeMap<ToolName, Vec<Placed>>,
}

/// One visible definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// Its description.
    pub description: String,
    /// Its parameters.
    pub schema: Value,
    /// Its place among the request's tools.
    pub place: usize,
    /// The canaries in its parameters.
    pub words: Vec<String>,
}

/// One place in which a request holds a definition of a tool, readable or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// What part of the request it is.
    pub channel: Channel,
    /// Whether the model can read it there.
    pub visibility: Visibility,
    /// Where it was loaded: how many items of the conversation come before; `None` for the
    /// ordinary list.
    pub loaded_at: Option<usize>,
}

impl Shown {
    /// Reads what a request shows.
    ///
    /// A tool that the harness gave is shown where a word of its schema stands; an entry that
    /// bears its name and no word of it shows nothing of it. A tool of the runtime's own is
    /// known by its name, and so is one of a recording, whose schema holds no such word.
    #[must_use]
    pub fn read(view: &RequestView, prefix: &str, registry: &Registry) -> Self {
        let mut shown = Self::default();
        let mut place = 0;
        for tool in &view.tools {
            let text = tool.schema.to_string();
            let words: Vec<&str> = canary::found(&text).collect();
            for name in owners(tool, &words, prefix, registry) {
                shown.places.entry(name.clone()).or_default().push(Placed {
                    channel: tool.channel,
                    visibility: tool.visibility,
                    loaded_at: tool.loaded_at,
                });
                if tool.visibility == Visibility::Visible {
                    shown.tools.insert(
                        name,
                        Definition {
                            description: tool.description.clone(),
                            schema: tool.schema.clone(),
                            place,
                            words: words.iter().map(|word| (*word).to_owned()).collect(),
                        },
                    );
                }
            }
            place += usize::from(tool.visibility == Visibility::Visible);
        }
        shown
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

    /// Every place in which the request holds a definition of the tool, in order, those included
    /// that the model cannot read.
    #[must_use]
    pub fn places(&self, tool: &ToolName) -> &[Placed] {
        self.places.get(tool).map_or(&[], Vec::as_slice)
    }

    /// Whether the tool was taken back in words only: neither visible nor not.
    #[must_use]
    pub fn is_withdrawn(&self, tool: &ToolName) -> bool {
        let withdrawn = |placed: &Placed| placed.visibility == Visibility::Withdrawn;
        !self.contains(tool) && self.places(tool).iter().any(withdrawn)
    }

    /// The names of what is shown, in the order of names.
    pub fn names(&self) -> impl Iterator<Item = &ToolName> {
        self.tools.keys()
    }

    /// What is shown, with its definitions.
    pub fn iter(&self) -> impl Iterator<Item = (&ToolName, &Definition)> {
        self.tools.iter()
    }

    /// The names of what is shown, in the order in which it stands in the request.
    #[must_use]
    pub fn in_order(&self) -> Vec<&ToolName> {
        let mut names: Vec<_> = self.tools.iter().collect();
        names.sort_by_key(|(_, definition)| definition.place);
        names.into_iter().map(|(name, _)| name).collect()
    }

    /// The names as a list to be read.
    #[must_use]
    pub fn list(&self) -> String {
        self.in_order().into_iter().map(ToolName::in_words).collect::<Vec<_>>().join(", ")
    }
}

/// The tools whose definition an entry is: by its words, else by its name.
fn owners(tool: &ShownTool, words: &[&str], prefix: &str, registry: &Registry) -> Vec<ToolName> {
    let name = ToolName::from(tool.wire_name.strip_prefix(prefix).unwrap_or(&tool.wire_name));
    if words.is_empty() {
        let says_nothing = registry.tool(&name).is_some_and(|own| {
            !registry.is_doubtful(&name) && canary::stands_in(&own.input_schema)
        });
        return if says_nothing { Vec::new() } else { vec![name] };
    }
    if registry.tool(&name).is_some_and(|own| carries(&own.input_schema, words)) {
        return vec![name];
    }
    let given = registry.given().iter().filter(|own| carries(&own.input_schema, words));
    let owners: Vec<ToolName> = given.map(|own| own.name.clone()).collect();
    // The words of a tool that is no longer in the registry: shown by its name.
    if owners.is_empty() { vec![name] } else { owners }
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
    (required(given) != required(shown))
        .then(|| "what is required is not the tool's own".to_owned())
}

/// The names of the properties that a schema requires.
pub(crate) fn required(schema: &Value) -> BTreeSet<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).collect()
}
