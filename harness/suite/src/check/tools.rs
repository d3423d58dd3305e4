//! The registry that a recording is judged under: as a file gives it, or as the requests name it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use tacit_contract::protocol::Dialect;
use tacit_contract::{
    Mode, Origin, OriginKind, Profile, Row, Standing, Standings, Status, Tool, ToolName,
};
use tacit_judge::catalog::Catalog;
use tacit_wire::RequestView;
use thiserror::Error;

/// Who brings the tools of a recording, as far as that is known.
const PLUGIN: &str = "recorded";

/// What stands among the tools of a mode that may be sent beside for: whatever the runtime likes.
const ANYTHING: &str = "*";

/// Why a file is no registry; to be read after its name.
#[derive(Debug, Error)]
#[error("{place}{found}; expected the tools as a list, or an object with it under `tools`")]
pub struct RegistryError {
    place: String,
    found: String,
}

/// A tool as people write it down: as the contract has it, or as MCP lists it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    name: ToolName,
    #[serde(default)]
    description: String,
    #[serde(default = "no_parameters", alias = "input_schema", alias = "parameters")]
    input_schema: Value,
    origin: Option<Origin>,
    /// Deferred in every mode, where nothing is said.
    modes: Option<Standings>,
}

fn no_parameters() -> Value {
    json!({"type": "object", "properties": {}})
}

#[derive(Deserialize)]
struct Listed {
    tools: Vec<Written>,
}

/// Reads a registry: a JSON list of tools, or an object that holds it under `tools`.
///
/// # Errors
/// It is no JSON, or none of a registry: the error names the field.
pub fn registry(text: &str) -> Result<Vec<Tool>, RegistryError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let tools: Vec<Written> = if text.trim_start().starts_with('[') {
        serde_path_to_error::deserialize(&mut deserializer).map_err(misfit)?
    } else {
        let listed: Listed = serde_path_to_error::deserialize(&mut deserializer).map_err(misfit)?;
        listed.tools
    };
    Ok(tools.into_iter().map(Written::tool).collect())
}

fn misfit(error: serde_path_to_error::Error<serde_json::Error>) -> RegistryError {
    let path = error.path().to_string();
    // What is no JSON at all is so in no field.
    let place =
        if [".", "?"].contains(&path.as_str()) { String::new() } else { format!("at `{path}`: ") };
    RegistryError { place, found: error.into_inner().to_string() }
}

impl Written {
    fn tool(self) -> Tool {
        let Self { name, description, input_schema, origin, modes } = self;
        let origin = origin.unwrap_or_else(|| Origin::plugin(PLUGIN));
        let modes = modes.unwrap_or_else(everywhere);
        Tool { name, description, input_schema, origin, modes }
    }
}

fn everywhere() -> Standings {
    Mode::ALL.into_iter().map(|mode| (mode, Standing::Deferred)).collect()
}

/// The skill tool is known by its name alone: the contract lets a runtime take it for core.
fn deferred(name: ToolName, description: String) -> Tool {
    let is_skill = name.as_str().eq_ignore_ascii_case("skill");
    let origin = if is_skill { Origin::of(OriginKind::Skill) } else { Origin::plugin(PLUGIN) };
    Tool { name, description, input_schema: Value::Null, origin, modes: everywhere() }
}

/// The profile where the registry is not known: a tool that no catalog lists may be anything, so
/// that nothing is said of it.
pub(super) fn without_registry(profile: &Profile) -> Profile {
    let mut profile = profile.clone();
    for mode in profile.modes.values_mut() {
        mode.also.push(ANYTHING.into());
    }
    profile
}

/// The deferred tools that requests name in their catalog, with what their definitions say of
/// them. Where no catalog lists any, they are whatever the profile does not say is always sent.
pub(super) fn inferred(profile: &Profile, mode: Mode, views: &[&RequestView]) -> Arc<Vec<Tool>> {
    let own = Own::of(profile, mode);
    let mut known: BTreeMap<ToolName, String> = BTreeMap::new();
    let mut listed: BTreeSet<ToolName> = BTreeSet::new();
    let mut last = None;
    for view in views {
        if last != Some(&view.base_prompt) {
            last = Some(&view.base_prompt);
            for entry in Catalog::read(&view.base_prompt, profile.catalog.as_ref()).entries {
                let name = ToolName::from(entry.name);
                listed.insert(name.clone());
                known.entry(name).or_insert(entry.description);
            }
        }
        // What a runtime may send beside says nothing of what is deferred.
        for tool in view.tools.iter().filter(|_| !own.anything) {
            let name = ToolName::from(own.dialect.unprefixed(&tool.wire_name));
            let text = known.entry(name).or_default();
            if tool.description.len() > text.len() {
                text.clone_from(&tool.description);
            }
        }
    }
    let tools = known.into_iter().filter(|(name, _)| {
        let is_listed = listed.contains(name);
        (is_listed || listed.is_empty()) && (!own.has(name) || is_listed && own.may_send(name))
    });
    Arc::new(tools.map(|(name, description)| deferred(name, description)).collect())
}

/// The deferred tools that a transcript proves: those that a marker names, or that were used and
/// are not the runtime's own.
pub(super) fn of_rows(profile: &Profile, mode: Mode, rows: &[Row]) -> Arc<Vec<Tool>> {
    let own = Own::of(profile, mode);
    let mut names: Vec<&ToolName> = Vec::new();
    for row in rows {
        if let Row::ToolResult { tool_name, status: Status::Ok, added_tool_names, .. } = row {
            names.extend(added_tool_names.iter().flatten().chain([tool_name]));
        }
    }
    names.retain(|name| !own.has(name));
    names.sort();
    names.dedup();
    Arc::new(names.into_iter().map(|name| deferred(name.clone(), String::new())).collect())
}

/// What is always sent.
struct Own<'p> {
    profile: &'p Profile,
    mode: Mode,
    dialect: Dialect,
    anything: bool,
}

impl<'p> Own<'p> {
    fn of(profile: &'p Profile, mode: Mode) -> Self {
        let dialect = profile.dialect(&Dialect::default());
        Self { profile, mode, dialect, anything: profile.mode(mode).sends_anything() }
    }

    fn has(&self, name: &ToolName) -> bool {
        let mode = self.profile.mode(self.mode);
        let always = mode.core.iter().chain(&mode.also).chain(&mode.deferred);
        always.into_iter().any(|own| own == name)
            || *name == self.dialect.search_tool()
            || self.dialect.new_context.as_ref().is_some_and(|new| new.name == *name)
    }

    /// Whether the profile lets the runtime send it beside, should it have it: a plugin's tool of
    /// that name is in the catalog.
    fn may_send(&self, name: &ToolName) -> bool {
        self.profile.mode(self.mode).also.contains(name)
    }
}
