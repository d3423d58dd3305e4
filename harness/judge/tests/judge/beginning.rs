//! `initial.core`: what the first request of a prompt may not hold back.

use crate::common::found_of;
use crate::common::world::with_base;

const CLAUSE: &str = "initial.core";

/// What is found of a prompt whose request lists this tool in the catalog, and shows these.
fn found_where(listed: &str, shown: &[&str]) -> String {
    let tools = [("acme_weather", "Forecast rain.")];
    let base = format!(
        "You are an agent.\n\n# On-demand tools\n- acme_weather: Forecast rain.\n- {listed}: \
         Something else.\n"
    );
    found_of(&with_base(&tools, &base, shown), CLAUSE)
}

#[test]
fn a_tool_that_the_profile_says_is_always_sent_is_not_held_back_in_the_catalog() {
    let found = found_where("asktool", &[]);
    assert!(
        found.starts_with(
            "asktool, which the profile says is always sent in agent mode, is in the catalog \
             instead; shown: "
        ),
        "{found}"
    );
}

#[test]
fn one_that_is_sent_or_that_the_runtime_does_not_have_is_not_held_back() {
    assert_eq!(found_where("asktool", &["asktool"]), "");
    assert_eq!(found_where("acme_maps", &[]), "");
}

#[test]
fn nor_is_a_plugin_s_tool_of_the_same_name() {
    let tools = [("asktool", "Ask a friend.")];
    let base = "# On-demand tools\n- asktool: Ask a friend.\n";
    assert_eq!(found_of(&with_base(&tools, base, &[]), CLAUSE), "");
}
