//! The catalogue of scenarios: what there is, with its tags.

use std::str::FromStr as _;

use cucumber::tag::Ext as _;
use gherkin::tagexpr::TagOperation;
use include_dir::{Dir, include_dir};
use tacit_contract::{ClauseId, PropertyId};
use thiserror::Error;

use crate::source::{self, FeatureError, Source, scenarios};

static FEATURES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../features");

/// One scenario, before it is run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScenarioInfo {
    /// Its title; of an outline, with the row's values in it.
    pub name: String,
    /// The rule that it stands under, if it stands under one.
    pub rule: Option<String>,
    /// The path of its feature.
    pub feature: String,
    /// Its line there.
    pub line: usize,
    /// Its tags, those of rule and feature included, without `@`.
    pub tags: Vec<String>,
    /// The clauses that it is about: those of its own tags, else its rule's, else its feature's.
    pub clauses: Vec<ClauseId>,
    /// The property that it runs, if it runs one.
    pub property: Option<PropertyId>,
    /// Whether that property is a law.
    pub law: bool,
}

/// The built-in features, in the order of their names.
///
/// # Errors
/// One of them cannot be read: a fault of this crate, which its tests find.
pub fn built_in() -> Result<Vec<Source>, FeatureError> {
    let mut files: Vec<_> = FEATURES
        .files()
        .filter(|file| file.path().extension().is_some_and(|extension| extension == "feature"))
        .collect();
    files.sort_by_key(|file| file.path());
    files
        .into_iter()
        .map(|file| {
            let path = format!("features/{}", file.path().display());
            source::parse(&path, file.contents_utf8().unwrap_or_default())
        })
        .collect()
}

/// Every scenario of some features.
#[must_use]
pub fn catalogue(sources: &[Source]) -> Vec<ScenarioInfo> {
    sources
        .iter()
        .flat_map(|source| {
            scenarios(&source.feature).map(move |(rule, scenario)| info(source, rule, scenario))
        })
        .collect()
}

/// What is known of a scenario before it is run.
#[must_use]
pub fn info(
    source: &Source,
    rule: Option<&gherkin::Rule>,
    scenario: &gherkin::Scenario,
) -> ScenarioInfo {
    let of_rule: &[String] = rule.map_or(&[], |rule| &rule.tags);
    let levels = [scenario.tags.as_slice(), of_rule, source.feature.tags.as_slice()];
    let mut tags: Vec<String> = Vec::new();
    for tag in levels.iter().rev().copied().flatten() {
        if !tags.contains(tag) {
            tags.push(tag.clone());
        }
    }
    let clauses = levels
        .iter()
        .map(|level| values(level, "clause:").map(ClauseId::from).collect::<Vec<_>>())
        .find(|clauses| !clauses.is_empty())
        .unwrap_or_default();
    let property = values(&tags, "property:").next().map(PropertyId::from);
    ScenarioInfo {
        name: scenario.name.clone(),
        rule: rule.map(|rule| rule.name.clone()),
        feature: source.path.clone(),
        line: scenario.position.line,
        clauses,
        property,
        law: tags.iter().any(|tag| tag == "law"),
        tags,
    }
}

impl ScenarioInfo {
    /// The values of its tags that begin with a prefix, such as `needs:`.
    pub fn values<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        values(&self.tags, prefix)
    }
}

fn values<'a>(tags: &'a [String], prefix: &'a str) -> impl Iterator<Item = &'a str> {
    tags.iter().filter_map(move |tag| tag.strip_prefix(prefix))
}

/// Which scenarios are to be run.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    tags: Option<TagOperation>,
    names: Vec<String>,
    clauses: Vec<ClauseId>,
    places: Option<Vec<(String, usize)>>,
}

/// A tag expression that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{expression}` is no tag expression: expected tags such as `@clause:restore.restart`, joined \
     by `and`, `or`, `not` and parentheses"
)]
pub struct TagError {
    expression: String,
}

/// The longest tag expression, in bytes.
const LONGEST_EXPRESSION: usize = 2_000;

impl Selection {
    /// Every scenario.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// Only those whose tags fit an expression, such as `@clause:restore.restart and not @law`.
    ///
    /// # Errors
    /// The expression cannot be read.
    pub fn tagged(mut self, expression: &str) -> Result<Self, TagError> {
        // The library reads nested expressions by recursion: no one writes one that is this long.
        if expression.len() > LONGEST_EXPRESSION {
            let start = expression.chars().take(40).collect();
            return Err(TagError { expression: start });
        }
        let parsed = TagOperation::from_str(expression.trim())
            .map_err(|_| TagError { expression: expression.to_owned() })?;
        self.tags = Some(parsed);
        Ok(self)
    }

    /// Only those with one of these titles, or whose title holds one of these texts.
    #[must_use]
    pub fn named(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.names.extend(names);
        self
    }

    /// Only those that are about one of these clauses.
    #[must_use]
    pub fn about(mut self, clauses: impl IntoIterator<Item = ClauseId>) -> Self {
        self.clauses.extend(clauses);
        self
    }

    /// Only those at these lines of these features.
    #[must_use]
    pub fn at(mut self, places: impl IntoIterator<Item = (String, usize)>) -> Self {
        self.places = Some(places.into_iter().collect());
        self
    }

    /// Whether a scenario is to be run.
    #[must_use]
    pub fn takes(&self, scenario: &ScenarioInfo) -> bool {
        self.tags.as_ref().is_none_or(|tags| tags.eval(&scenario.tags))
            && (self.names.is_empty()
                || self.names.iter().any(|name| scenario.name.contains(name.as_str())))
            && (self.clauses.is_empty()
                || self.clauses.iter().any(|clause| scenario.clauses.contains(clause)))
            && self.places.as_ref().is_none_or(|places| {
                places
                    .iter()
                    .any(|(feature, line)| *feature == scenario.feature && *line == scenario.line)
            })
    }
}
