//! Updates of plugins: what comes with each version.

use tacit_contract::update::{FIRST, added, updated};
use tacit_contract::{Mode, Origin, PluginId, Standing, Tool};

use crate::some::{deferred, names};

fn tool(name: &str, plugin: &str) -> Tool {
    let mut spec = deferred(name);
    spec.origin = Origin::plugin(plugin);
    spec.tool(1)
}

#[test]
fn what_is_added_stands_behind_the_plugin_s_last_tool_and_before_the_next_plugin_s() {
    let registry = [tool("acme_weather", "acme"), tool("beta_notes", "beta")];
    let version = |plugin: &PluginId| if *plugin == "acme" { 2 } else { FIRST };
    assert_eq!(names(&updated(&registry, 1, version)), ["acme_weather", "acme_v2", "beta_notes"]);
}

#[test]
fn what_is_added_is_deferred_wherever_its_plugin_has_a_deferred_tool() {
    let mut like = tool("acme_weather", "acme");
    like.modes = [(Mode::Agent, Standing::Core), (Mode::Chat, Standing::Deferred)].into();
    let all: Vec<Tool> = added(&"acme".into(), &like, 1, 2).collect();
    assert_eq!(all[0].modes, [(Mode::Chat, Standing::Deferred)].into());
}

#[test]
fn what_was_added_is_updated_in_turn() {
    let like = tool("acme_weather", "acme");
    let all: Vec<Tool> = added(&"acme".into(), &like, 1, 4).collect();
    let begins: Vec<&str> = all.iter().map(|tool| &tool.description[..11]).collect();
    assert_eq!(begins, ["Version 3: ", "Version 2: ", "An addition"]);
}
