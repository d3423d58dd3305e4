//! Updates: what a plugin brings in its next versions.
//!
//! A pure rule, so that a session says no more than that a plugin is updated: every tool of the
//! plugin has another description and other parameters, and with each version there is one tool
//! more.

use crate::canary;
use crate::name::{PluginId, ToolName};
use crate::tool::{Origin, Standing, Tool};

/// The version that a plugin begins with.
pub const FIRST: u32 = 1;

/// A tool as a version of its plugin brings it; the first is the tool as it stands.
///
/// The new description begins otherwise than any before, wherever a catalog may cut it.
#[must_use]
pub fn in_version(tool: &Tool, seed: u64, version: u32) -> Tool {
    if version <= FIRST {
        return tool.clone();
    }
    Tool {
        description: format!("Version {version}: {}", tool.description),
        input_schema: canary::schema(seed, &tool.name, version),
        ..tool.clone()
    }
}

/// The name of the tool that a version adds.
#[must_use]
pub fn added_name(plugin: &PluginId, version: u32) -> ToolName {
    format!("{plugin}_v{version}").into()
}

/// The tools that the versions up to this one have added to a plugin, in the form that this one
/// brings. Each is deferred wherever `like`, a tool of the plugin, is.
pub fn added<'a>(
    plugin: &'a PluginId,
    like: &'a Tool,
    seed: u64,
    version: u32,
) -> impl Iterator<Item = Tool> + 'a {
    (FIRST + 1..=version).map(move |since| {
        let name = added_name(plugin, since);
        let deferred = like.modes.iter().filter(|(_, standing)| **standing == Standing::Deferred);
        let tool = Tool {
            description: format!("An addition of number {since} to what {plugin} can do."),
            input_schema: canary::schema(seed, &name, FIRST),
            origin: Origin::plugin(plugin.clone()),
            modes: deferred.map(|(mode, standing)| (*mode, *standing)).collect(),
            name,
        };
        // A tool is in its first version when it is added.
        in_version(&tool, seed, version - since + FIRST)
    })
}

/// A registry in which plugins have come in these versions: each tool in its place, what was
/// added behind the plugin's last, and no name twice because of an update.
#[must_use]
pub fn updated<'a>(
    registry: &[Tool],
    seed: u64,
    version_of: impl Fn(&PluginId) -> u32 + 'a,
) -> Vec<Tool> {
    let mut tools = Vec::with_capacity(registry.len());
    for (place, tool) in registry.iter().enumerate() {
        let Some(plugin) = &tool.origin.id else {
            tools.push(tool.clone());
            continue;
        };
        let version = version_of(plugin);
        tools.push(in_version(tool, seed, version));
        let own = |other: &Tool| other.origin.id.as_ref() == Some(plugin);
        let is_last = version > FIRST && !registry[place + 1..].iter().any(own);
        if is_last && let Some(like) = registry.iter().find(|tool| own(tool)) {
            let free = |tool: &Tool| registry.iter().all(|other| other.name != tool.name);
            tools.extend(added(plugin, like, seed, version).filter(free));
        }
    }
    tools
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::ToolSpec;
    use crate::tool::Mode;

    fn registry() -> Vec<Tool> {
        let tool = |name: &str, plugin: &str| {
            ToolSpec::deferred(name, "what it is for", Origin::plugin(plugin), &[Mode::Agent])
                .tool(1)
        };
        vec![tool("acme_weather", "acme"), tool("beta_notes", "beta"), tool("acme_mail", "acme")]
    }

    fn at(version: u32) -> Vec<Tool> {
        updated(&registry(), 1, |plugin| if *plugin == "acme" { version } else { FIRST })
    }

    fn names(tools: &[Tool]) -> Vec<&str> {
        tools.iter().map(|tool| tool.name.as_str()).collect()
    }

    #[test]
    fn the_first_version_is_the_registry_as_it_was_given() {
        assert_eq!(at(FIRST), registry());
    }

    #[test]
    fn an_update_leaves_each_tool_in_its_place_and_adds_one_to_its_plugin() {
        assert_eq!(names(&at(2)), ["acme_weather", "beta_notes", "acme_mail", "acme_v2"]);
        assert_eq!(
            names(&at(3)),
            ["acme_weather", "beta_notes", "acme_mail", "acme_v2", "acme_v3"]
        );
    }

    #[test]
    fn an_update_changes_every_tool_of_its_plugin_and_no_other() {
        for (new, old) in at(3).iter().zip(at(2)).filter(|(_, old)| old.name != "beta_notes") {
            assert_ne!(new.description, old.description);
            assert_ne!(new.input_schema, old.input_schema);
        }
        assert_eq!(at(3)[1], registry()[1]);
    }

    #[test]
    fn what_is_added_takes_no_name_that_there_is() {
        let mut registry = registry();
        registry[1].name = "acme_v2".into();
        let updated = updated(&registry, 1, |plugin| if *plugin == "acme" { 2 } else { FIRST });
        assert_eq!(names(&updated), ["acme_weather", "acme_v2", "acme_mail"]);
    }
}
