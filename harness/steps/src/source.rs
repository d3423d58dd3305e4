//! Feature files: read, checked and expanded, with errors that say where and what to do.

use std::path::PathBuf;

use cucumber::feature::Ext as _;
use gherkin::{Feature, GherkinEnv, LineCol, Scenario};
use thiserror::Error;

use crate::vocabulary::understand;

/// A feature file that can be run.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its path, as it is shown.
    pub path: String,
    /// What it says, outlines expanded; each scenario stands at its own line.
    pub feature: Feature,
    /// What it says as it is written, to be read: each outline with its examples.
    pub written: Feature,
}

/// A feature file that cannot be run: where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{path}:{line}:{column}: {problem}")]
pub struct FeatureError {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong, and what was expected.
    pub problem: String,
}

impl FeatureError {
    fn new(path: &str, at: LineCol, problem: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: at.line, column: at.col, problem: problem.into() }
    }
}

/// Reads a feature file and checks that each of its steps is known.
///
/// # Errors
/// The text is no Gherkin, an outline has no examples, a placeholder has no column, or no phrase
/// of the vocabulary fits a step.
pub fn parse(path: &str, text: &str) -> Result<Source, FeatureError> {
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    check_tables(path, text)?;
    let mut feature = Feature::parse(text, GherkinEnv::default())
        .map_err(|error| not_gherkin(path, text, &error.to_string()))?;
    feature.path = Some(PathBuf::from(path));
    check_tags(path, &feature)?;
    check_outlines(path, &feature)?;
    let written = feature.clone();
    let mut feature = feature.expand_examples().map_err(|error| {
        let problem = format!("no column of the examples is named `{}`", error.name);
        FeatureError::new(path, error.pos, problem)
    })?;
    stand_at_their_rows(&mut feature.scenarios, text);
    for rule in &mut feature.rules {
        stand_at_their_rows(&mut rule.scenarios, text);
    }
    check_steps(path, &feature)?;
    Ok(Source { path: path.to_owned(), feature, written })
}

/// Every scenario of a feature, with the rule that it stands under.
pub fn scenarios(feature: &Feature) -> impl Iterator<Item = (Option<&gherkin::Rule>, &Scenario)> {
    let bare = feature.scenarios.iter().map(|scenario| (None, scenario));
    let ruled = feature
        .rules
        .iter()
        .flat_map(|rule| rule.scenarios.iter().map(move |scenario| (Some(rule), scenario)));
    bare.chain(ruled)
}

/// Every step of a scenario in the order in which it is run: backgrounds first.
pub fn steps<'a>(
    feature: &'a Feature,
    rule: Option<&'a gherkin::Rule>,
    scenario: &'a Scenario,
) -> impl Iterator<Item = &'a gherkin::Step> {
    let of_feature = feature.background.iter().flat_map(|background| &background.steps);
    let of_rule = rule
        .and_then(|rule| rule.background.as_ref())
        .into_iter()
        .flat_map(|background| &background.steps);
    of_feature.chain(of_rule).chain(&scenario.steps)
}

fn check_steps(path: &str, feature: &Feature) -> Result<(), FeatureError> {
    for (rule, scenario) in scenarios(feature) {
        if steps(feature, rule, scenario).next().is_none() {
            let problem = "the scenario has no step: it would pass whatever the runtime does";
            return Err(FeatureError::new(path, scenario.position, problem));
        }
        for step in steps(feature, rule, scenario) {
            understand(step).map_err(|problem| FeatureError::new(path, step.position, problem))?;
        }
    }
    Ok(())
}

fn check_tags(path: &str, feature: &Feature) -> Result<(), FeatureError> {
    let rules = feature.rules.iter().map(|rule| (&rule.tags, rule.position));
    let scenarios = scenarios(feature).map(|(_, scenario)| (&scenario.tags, scenario.position));
    let examples = scenarios_of(feature)
        .flat_map(|scenario| &scenario.examples)
        .map(|examples| (&examples.tags, examples.position));
    let all = std::iter::once((&feature.tags, feature.position));
    for (tags, position) in all.chain(rules).chain(scenarios).chain(examples) {
        if let Some(problem) = tags.iter().find_map(|tag| crate::tags::problem(tag)) {
            return Err(FeatureError::new(path, position, problem));
        }
    }
    Ok(())
}

fn scenarios_of(feature: &Feature) -> impl Iterator<Item = &Scenario> {
    scenarios(feature).map(|(_, scenario)| scenario)
}

fn check_outlines(path: &str, feature: &Feature) -> Result<(), FeatureError> {
    for (_, scenario) in scenarios(feature) {
        if scenario.keyword.contains("Outline") && scenario.examples.is_empty() {
            let problem = "the outline has no `Examples:`: add a table, or call it a `Scenario:`";
            return Err(FeatureError::new(path, scenario.position, problem));
        }
        for examples in &scenario.examples {
            let rows = examples.table.as_ref().map_or(0, |table| table.rows.len());
            if rows < 2 {
                let problem = "the examples have no row below their header: nothing would be run";
                return Err(FeatureError::new(path, examples.position, problem));
            }
        }
    }
    Ok(())
}

/// Puts each expanded scenario at the line of its row: the library counts from the word
/// `Examples:`, and is wrong where a comment or a blank line follows.
fn stand_at_their_rows(scenarios: &mut [Scenario], text: &str) {
    let (mut table, mut row) = (0, 0);
    for scenario in scenarios {
        let Some(line) = scenario
            .examples
            .first()
            .and_then(|examples| examples.table.as_ref())
            .map(|table| table.position.line)
        else {
            continue;
        };
        row = if line == table { row + 1 } else { 1 };
        table = line;
        let lines = text.lines().enumerate().skip(line.saturating_sub(1));
        let rows = lines.filter(|(_, line)| line.trim_start().starts_with('|'));
        if let Some((index, line)) = rows.into_iter().nth(row) {
            let column = line.len() - line.trim_start().len() + 1;
            scenario.position = LineCol { line: index + 1, col: column };
        }
    }
}

/// Checks what the library would drop in silence: cells beyond the header's, and escapes that
/// it does not know.
fn check_tables(path: &str, text: &str) -> Result<(), FeatureError> {
    let mut expected = None;
    for (index, line) in text.lines().enumerate() {
        let cells = line.trim();
        if !cells.starts_with('|') {
            expected = None;
            continue;
        }
        let at = LineCol { line: index + 1, col: line.len() - line.trim_start().len() + 1 };
        let count = count_cells(cells).map_err(|problem| FeatureError::new(path, at, problem))?;
        if *expected.get_or_insert(count) != count {
            let problem = format!(
                "the row has {count} cells, the first of its table {}: write `\\|` for a bar \
                 that belongs to a text",
                expected.unwrap_or_default()
            );
            return Err(FeatureError::new(path, at, problem));
        }
    }
    Ok(())
}

fn count_cells(line: &str) -> Result<usize, String> {
    let mut bars = 0;
    let mut ends_in_bar = false;
    let mut chars = line.chars();
    while let Some(char) = chars.next() {
        ends_in_bar = char == '|';
        match char {
            '|' => bars += 1,
            '\\' => match chars.next() {
                Some('n' | '|' | '\\') => {}
                _ => return Err("a backslash in a table is written `\\\\`".to_owned()),
            },
            _ => {}
        }
    }
    if ends_in_bar && bars > 1 {
        Ok(bars - 1)
    } else {
        Err("a row of a table ends with `|`".to_owned())
    }
}

fn not_gherkin(path: &str, text: &str, error: &str) -> FeatureError {
    let place = error.strip_prefix("Error at ").and_then(|rest| {
        let mut numbers = rest.split(':').map(|number| number.trim().parse().ok());
        Some(LineCol { line: numbers.next()??, col: numbers.next()?? })
    });
    let stray = stray_line(text);
    let at = stray.or(place).unwrap_or(LineCol { line: 1, col: 1 });
    let line = text.lines().nth(at.line.saturating_sub(1)).unwrap_or_default().trim();
    let problem = if text.trim().is_empty() {
        "the file is empty: expected `Feature:` and a scenario".to_owned()
    } else if line.is_empty() {
        "the file ends too early: expected a step, a scenario or a rule".to_owned()
    } else {
        format!(
            "`{line}` cannot stand here: a line of a scenario begins with Given, When, Then, And \
             or But, a new part with `Background:`, `Scenario:`, `Scenario Outline:`, \
             `Examples:` or `Rule:`"
        )
    };
    FeatureError::new(path, at, problem)
}

/// The first line among steps that is none: the library only says how far it got, which is
/// often the end of the file.
fn stray_line(text: &str) -> Option<LineCol> {
    const STEPS: [&str; 6] = ["Given ", "When ", "Then ", "And ", "But ", "* "];
    let mut among_steps = false;
    for (index, line) in text.lines().enumerate() {
        let words = line.trim_start();
        if STEPS.iter().any(|keyword| words.starts_with(keyword)) {
            among_steps = true;
        } else if words.split_once(':').is_some_and(|(word, _)| PARTS.contains(&word)) {
            among_steps = false;
        } else if among_steps && !words.is_empty() && !words.starts_with(['#', '@', '|']) {
            return Some(LineCol { line: index + 1, col: line.len() - words.len() + 1 });
        }
    }
    None
}

/// What a part of a feature begins with, before its colon.
const PARTS: [&str; 10] = [
    "Feature",
    "Rule",
    "Background",
    "Scenario",
    "Scenario Outline",
    "Scenario Template",
    "Example",
    "Examples",
    "Scenarios",
    "Ability",
];

/// Reads one step, table included.
///
/// # Errors
/// The text is no step.
pub fn parse_step(text: &str) -> Result<gherkin::Step, FeatureError> {
    let name = "a step";
    let feature = format!("Feature: one\nScenario: one\n{text}\n");
    check_tables(name, &feature)?;
    let feature = Feature::parse(&feature, GherkinEnv::default())
        .map_err(|error| not_gherkin(name, &feature, &error.to_string()))?;
    let step = feature.scenarios.into_iter().flat_map(|scenario| scenario.steps).next();
    step.ok_or_else(|| {
        FeatureError::new(name, LineCol { line: 1, col: 1 }, format!("`{text}` is no step"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse("x.feature", text).unwrap_err().to_string()
    }

    #[test]
    fn a_step_that_nobody_knows_is_an_error_with_its_place() {
        let error = error("Feature: x\n\n  Scenario: y\n    Given an agent sesion\n");
        assert!(error.starts_with("x.feature:4:5: there is no step `an agent sesion`"), "{error}");
        assert!(error.contains("the nearest is\nGiven an agent session"), "{error}");
    }

    #[test]
    fn an_outline_without_rows_is_an_error() {
        let head = "Feature: x\nScenario Outline: y\nGiven an agent session\n";
        let error = error(&format!("{head}Examples:\n| a |\n"));
        assert!(error.contains("no row below their header"), "{error}");
        let error = parse("x.feature", head).unwrap_err();
        assert!(error.problem.contains("no `Examples:`"), "{error}");
    }

    #[test]
    fn an_unknown_placeholder_is_an_error() {
        let text =
            "Feature: x\nScenario Outline: y\nGiven an <b> session\nExamples:\n| a |\n| c |\n";
        assert!(error(text).contains("no column of the examples is named `b`"));
    }

    #[test]
    fn a_row_with_a_cell_too_many_is_an_error_with_its_place() {
        let text = "Feature: x\nScenario: y\nGiven a transcript in which\n| the user asked | a |\n\
                    | the model said | b | c |\n";
        assert!(error(text).starts_with("x.feature:5:1: the row has 3 cells"), "{}", error(text));
    }

    #[test]
    fn a_line_without_a_keyword_is_an_error_with_its_place() {
        let text = "Feature: x\n  Scenario: y\n    Given an agent session\n    nonsense\n";
        assert!(error(text).starts_with("x.feature:4:"), "{}", error(text));
    }

    #[test]
    fn a_slip_in_a_tag_is_an_error_with_its_place() {
        let text =
            "Feature: x\n\n  @clause:search.exacd\n  Scenario: y\n    Given an agent session\n";
        let error = error(text);
        assert!(error.starts_with("x.feature:4:3: there is no clause `search.exacd`"), "{error}");
    }

    #[test]
    fn an_empty_file_and_a_scenario_without_steps_are_errors() {
        assert!(error("").contains("the file is empty"));
        assert!(error("Feature: x\nScenario: y\n").contains("has no step"));
    }

    #[test]
    fn a_row_of_an_outline_stands_at_its_own_line() {
        let text = "Feature: x\n\n  Scenario Outline: y\n    Given an <mode> session\n\n    \
                    Examples: some\n      a description\n\n      | mode  |\n      | agent |\n      \
                    | chat  |\n";
        let text = text.replace("an <mode>", "a <mode>").replace("agent", "plan");
        let source = parse("x.feature", &text).unwrap();
        let lines: Vec<usize> =
            scenarios(&source.feature).map(|(_, scenario)| scenario.position.line).collect();
        assert_eq!(lines, vec![10, 11]);
    }
}
