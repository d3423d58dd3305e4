//! Scenarios, by title or by place.

use std::fmt::Write as _;

use gherkin::{Rule, Scenario};
use serde_json::json;
use tacit_contract::{ClauseId, PropertyId};
use tacit_steps::catalogue::{ScenarioInfo, built_in, info};
use tacit_steps::source::{Source, scenarios, steps};
use tacit_steps::words::write_table;
use tacit_suite::Exit;

use super::Explanation;
use crate::page::{command_field, field, hang};
use crate::problem::Problem;

/// The most places that an error lists.
const SHOWN: usize = 8;

/// Every scenario there is.
pub struct Scenarios {
    all: Vec<(ScenarioInfo, String)>,
}

impl Scenarios {
    /// Reads the built-in features.
    pub fn all() -> Result<Self, Problem> {
        let sources =
            built_in().map_err(|error| Problem::new(Exit::OwnFault, error.to_string()))?;
        let all = sources.iter().flat_map(|source| {
            scenarios(&source.feature).map(move |(rule, scenario)| {
                (info(source, rule, scenario), written(source, rule, scenario))
            })
        });
        Ok(Self { all: all.collect() })
    }

    /// Those that are about a clause.
    pub fn about(&self, clause: &ClauseId) -> Vec<&ScenarioInfo> {
        self.infos().filter(|scenario| scenario.clauses.contains(clause)).collect()
    }

    /// Those that run a property.
    pub fn running(&self, property: &PropertyId) -> Vec<&ScenarioInfo> {
        self.infos().filter(|scenario| scenario.property.as_ref() == Some(property)).collect()
    }

    /// The titles.
    pub fn titles(&self) -> impl Iterator<Item = &str> {
        self.infos().map(|scenario| scenario.name.as_str())
    }

    fn infos(&self) -> impl Iterator<Item = &ScenarioInfo> {
        self.all.iter().map(|(info, _)| info)
    }

    /// Explains the scenario at a place, of a title, or of a part of one; `None` if there is
    /// none.
    pub fn explain(&self, id: &str) -> Result<Option<Explanation>, Problem> {
        let same = |name: &str| name.eq_ignore_ascii_case(id);
        let part = id.to_lowercase();
        let holds = |name: &str| part.len() > 2 && name.to_lowercase().contains(&part);
        let found = [
            self.those(|scenario| is_at(scenario, id)),
            self.those(|scenario| same(&scenario.name)),
            self.those(|scenario| holds(&scenario.name)),
        ];
        let Some(found) = found.into_iter().find(|found| !found.is_empty()) else {
            return Ok(None);
        };
        if let [one] = found.as_slice() {
            return Ok(Some(explanation(&one.0, &one.1)));
        }
        let infos: Vec<&ScenarioInfo> = found.iter().map(|(info, _)| info).collect();
        let mut list = places(&infos);
        let more = list.len().saturating_sub(SHOWN);
        list.truncate(SHOWN);
        if more > 0 {
            list.push(format!("and {more} more"));
        }
        Err(Problem::usage(format!("`{id}` is the title of {} scenarios", found.len()))
            .help(format!("name one by its place:\n{}", list.join("\n"))))
    }

    fn those(&self, wanted: impl Fn(&ScenarioInfo) -> bool) -> Vec<&(ScenarioInfo, String)> {
        self.all.iter().filter(|(info, _)| wanted(info)).collect()
    }
}

/// Where scenarios stand, each with its title.
pub fn places(scenarios: &[&ScenarioInfo]) -> Vec<String> {
    scenarios.iter().map(|scenario| format!("{} · {}", place(scenario), scenario.name)).collect()
}

fn place(scenario: &ScenarioInfo) -> String {
    let feature = scenario.feature.strip_prefix("features/").unwrap_or(&scenario.feature);
    format!("{feature}:{}", scenario.line)
}

/// Whether an id such as `initial.feature:9` or `features/initial.feature:9` names the place.
fn is_at(scenario: &ScenarioInfo, id: &str) -> bool {
    let Some((feature, line)) = id.rsplit_once(':') else { return false };
    let ends = scenario.feature == feature
        || scenario.feature.strip_suffix(feature).is_some_and(|rest| rest.ends_with('/'));
    ends && line.parse() == Ok(scenario.line)
}

fn explanation(info: &ScenarioInfo, written: &str) -> Explanation {
    let mut text = format!("{} · a scenario\n\n{written}\n", info.name);
    text.push_str(&field("stands in", &format!("{}:{}", info.feature, info.line)));
    if !info.clauses.is_empty() {
        let clauses: Vec<&str> = info.clauses.iter().map(ClauseId::as_str).collect();
        text.push_str(&field("tests", &clauses.join(", ")));
    }
    if let Some(property) = &info.property {
        text.push_str(&field("property", property.as_str()));
    }
    let quoted = info.name.replace('\'', "'\\''");
    let command = format!("tacit run --scenario '{quoted}'");
    text.push_str(&command_field("try it", &command));
    let value = json!({
        "kind": "scenario",
        "name": info.name,
        "feature": info.feature,
        "line": info.line,
        "tags": info.tags,
        "clauses": info.clauses,
        "property": info.property,
        "law": info.law,
        "text": written,
        "tryIt": command,
    });
    Explanation { text, value }
}

/// A scenario as it is played: backgrounds first, outlines filled in.
fn written(source: &Source, rule: Option<&Rule>, scenario: &Scenario) -> String {
    let mut out = String::new();
    if let Some(rule) = rule {
        out.push_str(&hang("  ", &format!("Rule: {}", rule.name)));
    }
    if let Some(description) = &scenario.description {
        out.push_str(&hang("  ", description));
    }
    for step in steps(&source.feature, rule, scenario) {
        let _ = writeln!(out, "    {} {}", step.keyword.trim(), step.value);
        if let Some(table) = &step.table {
            out.push_str(&write_table(&table.rows, "      "));
        }
        if let Some(text) = &step.docstring {
            let _ = writeln!(out, "      \"\"\"\n{text}\n      \"\"\"");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_is_found_by_its_place_and_by_its_title() {
        let scenarios = Scenarios::all().unwrap();
        for (info, _) in &scenarios.all {
            for id in [place(info), format!("{}:{}", info.feature, info.line)] {
                let found = scenarios.explain(&id).unwrap().unwrap();
                assert_eq!(found.value["name"], info.name.as_str(), "{id}");
            }
        }
        assert!(scenarios.explain("no such title").unwrap().is_none());
    }

    #[test]
    fn an_explanation_shows_every_step_of_the_scenario() {
        let scenarios = Scenarios::all().unwrap();
        for (info, text) in &scenarios.all {
            assert!(text.contains("    Then "), "{}", info.name);
        }
    }
}
