//! Words, as a query and a description have them in common.

use std::collections::BTreeSet;

use tacit_contract::ToolName;

/// The whole words of a text in lower case: runs of letters and digits, and those of a name
/// split at its humps.
pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|run| !run.is_empty()).flat_map(
        |run| {
            let mut parts = humps(run);
            if parts.len() > 1 {
                parts.push(run.to_lowercase());
            }
            parts
        },
    )
}

fn humps(run: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut lower = false;
    for letter in run.chars() {
        if letter.is_uppercase() && lower {
            parts.push(String::new());
        }
        lower = letter.is_lowercase();
        if let Some(part) = parts.last_mut() {
            part.extend(letter.to_lowercase());
        }
    }
    parts
}

/// Everything in a text that could be a tool's name.
pub fn names(text: &str) -> impl Iterator<Item = ToolName> + '_ {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'))
        .filter(|run| !run.is_empty())
        .map(ToolName::from)
}

/// The words of a tool's name and description.
#[must_use]
pub fn of_tool(name: &ToolName, description: &str) -> BTreeSet<String> {
    words(name.as_str()).chain(words(description)).collect()
}

/// What stands after a number of tools that are in some way.
#[must_use]
pub fn tools_are(number: usize) -> &'static str {
    if number == 1 { "tool is" } else { "tools are" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_gives_its_parts_and_the_whole_run() {
        let found: Vec<_> = words("PluginCheck acme_weather").collect();
        assert_eq!(found, ["plugin", "check", "plugincheck", "acme", "weather"]);
    }
}
