//! The features as reports show them.

use tacit_contract::ClauseId;
use tacit_reports::feature::{Feature, Rule, Scenario, Step, Table};
use tacit_steps::catalogue::{ScenarioInfo, built_in, info};
use tacit_steps::source::{Source, scenarios};
use tacit_suite::Exit;

use crate::problem::Problem;

/// The built-in features.
///
/// # Errors
/// One of them cannot be read: a fault of tacit itself.
pub fn features() -> Result<Vec<Feature>, Problem> {
    let sources = built_in().map_err(|error| Problem::new(Exit::OwnFault, error.to_string()))?;
    Ok(sources.iter().map(feature).collect())
}

fn feature(source: &Source) -> Feature {
    let written = &source.written;
    // What is played stands in the order of what is written, an outline as one for each row.
    let mut played =
        scenarios(&source.feature).map(|(rule, scenario)| info(source, rule, scenario));
    let bare = Rule { scenarios: all(&written.scenarios, &mut played), ..Rule::default() };
    let ruled = written.rules.iter().map(|rule| Rule {
        name: rule.name.clone(),
        text: text(rule.description.as_ref()),
        clauses: clauses(&rule.tags),
        background: steps(rule.background.as_ref()),
        scenarios: all(&rule.scenarios, &mut played),
    });
    let ruled: Vec<Rule> = ruled.collect();
    Feature {
        path: source.path.clone(),
        name: written.name.clone(),
        text: text(written.description.as_ref()),
        background: steps(written.background.as_ref()),
        rules: Some(bare)
            .filter(|rule| !rule.scenarios.is_empty())
            .into_iter()
            .chain(ruled)
            .collect(),
    }
}

fn all(
    written: &[gherkin::Scenario],
    played: &mut impl Iterator<Item = ScenarioInfo>,
) -> Vec<Scenario> {
    written.iter().map(|scenario| one(scenario, played)).collect()
}

fn one(written: &gherkin::Scenario, played: &mut impl Iterator<Item = ScenarioInfo>) -> Scenario {
    let examples: Vec<Table> = written
        .examples
        .iter()
        .filter_map(|examples| Some(examples.table.as_ref()?.rows.clone()))
        .collect();
    let rows: usize = examples.iter().map(|table| table.len().saturating_sub(1)).sum();
    let played: Vec<ScenarioInfo> =
        played.take(if examples.is_empty() { 1 } else { rows }).collect();
    let first = played.first();
    Scenario {
        name: written.name.clone(),
        text: text(written.description.as_ref()),
        line: written.position.line,
        clauses: first.map(|one| one.clauses.clone()).unwrap_or_default(),
        property: first.and_then(|one| one.property.clone()),
        played: played.iter().map(|one| one.line).collect(),
        steps: written.steps.iter().map(step).collect(),
        examples,
    }
}

fn steps(background: Option<&gherkin::Background>) -> Vec<Step> {
    background.into_iter().flat_map(|background| &background.steps).map(step).collect()
}

fn step(written: &gherkin::Step) -> Step {
    Step {
        keyword: written.keyword.trim().to_owned(),
        text: written.value.clone(),
        quoted: written.docstring.clone(),
        table: written.table.as_ref().map(|table| table.rows.clone()),
    }
}

fn clauses(tags: &[String]) -> Vec<ClauseId> {
    tags.iter().filter_map(|tag| tag.strip_prefix("clause:")).map(ClauseId::from).collect()
}

/// A description, without the indent of its file.
fn text(description: Option<&String>) -> String {
    let lines = description.map(String::as_str).unwrap_or_default().lines().map(str::trim);
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}
