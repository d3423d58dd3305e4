//! Features as data: what spec authors read, without the library that reads it from files.

use tacit_contract::{ClauseId, PropertyId};

/// One feature: what is asked for in one part of the contract.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Feature {
    /// The path of its file, as runs name it.
    pub path: String,
    /// Its title.
    pub name: String,
    /// What it says beneath its title.
    pub text: String,
    /// What is given in all of its scenarios.
    pub background: Vec<Step>,
    /// Its rules, in their order.
    pub rules: Vec<Rule>,
}

/// Scenarios that show one thing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rule {
    /// What they show; empty for those that stand under no rule.
    pub name: String,
    /// What it says beneath its title.
    pub text: String,
    /// The clauses that it is about.
    pub clauses: Vec<ClauseId>,
    /// What is given in all of its scenarios.
    pub background: Vec<Step>,
    /// The scenarios.
    pub scenarios: Vec<Scenario>,
}

/// One scenario, or an outline with its examples.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scenario {
    /// Its title.
    pub name: String,
    /// What it says beneath its title.
    pub text: String,
    /// Its line in the file, from 1.
    pub line: usize,
    /// The lines that a run knows it by: its own, or those of the rows of its examples.
    pub played: Vec<usize>,
    /// The clauses that it is about: its own, else those of its rule, else those of its feature.
    pub clauses: Vec<ClauseId>,
    /// The property that it runs, if it runs one.
    pub property: Option<PropertyId>,
    /// Its steps.
    pub steps: Vec<Step>,
    /// The tables of its examples, each with a head.
    pub examples: Vec<Table>,
}

/// One step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    /// `Given`, `When`, `Then`, `And` or `But`.
    pub keyword: String,
    /// What follows.
    pub text: String,
    /// The text beneath it, if there is one.
    pub quoted: Option<String>,
    /// The table beneath it, if there is one.
    pub table: Option<Table>,
}

/// Rows of cells.
pub type Table = Vec<Vec<String>>;

impl Feature {
    /// The name of its file, without folders and ending.
    #[must_use]
    pub fn stem(&self) -> &str {
        let name = self.path.rsplit(['/', '\\']).next().unwrap_or(&self.path);
        name.strip_suffix(".feature").unwrap_or(name)
    }

    /// Its scenarios, each with its rule.
    pub fn scenarios(&self) -> impl Iterator<Item = (&Rule, &Scenario)> {
        self.rules.iter().flat_map(|rule| rule.scenarios.iter().map(move |one| (rule, one)))
    }
}
