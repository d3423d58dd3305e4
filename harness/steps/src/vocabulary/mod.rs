//! The vocabulary: every phrase that a step can be made of, in one list.
//!
//! The list is all there is: what steps do, how counterexamples are read, the documentation and
//! the hints in error messages are made from it.

mod actions;
mod outcomes;
mod setting;

pub use actions::SOMETHING_ELSE;

use std::sync::LazyLock;

use cucumber::codegen::Regex;
use gherkin::StepType;

use crate::meaning::Meaning;
use crate::nearest::distance;
use crate::pattern::{Found, compile};
use crate::table::Rows;

/// Where a phrase can stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// After `Given`: what there is before anything happens.
    Setting,
    /// After `Given` or `When`: what happens.
    Action,
    /// After `Then`: what is expected.
    Outcome,
}

impl Part {
    /// The kinds of step that it can be.
    #[must_use]
    pub fn step_types(self) -> &'static [StepType] {
        match self {
            Self::Setting => &[StepType::Given],
            Self::Action => &[StepType::Given, StepType::When],
            Self::Outcome => &[StepType::Then],
        }
    }
}

/// What a phrase has below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Below {
    /// Nothing.
    Nothing,
    /// A table of tools.
    Tools,
    /// A table of what a transcript holds.
    Transcript,
    /// A table of what the model answers.
    Script,
}

/// One phrase of the vocabulary.
#[derive(Debug)]
pub struct Phrase {
    /// Its words, with places in braces.
    pub pattern: &'static str,
    /// Where it can stand.
    pub part: Part,
    /// What it has below it.
    pub below: Below,
    /// What it means, for the documentation.
    pub says: &'static str,
    /// A step that uses it, as it stands in a feature, table included.
    pub example: &'static str,
    meaning: fn(&Found<'_>) -> Result<Meaning, String>,
}

/// Every phrase, in the order of the documentation.
pub fn phrases() -> impl Iterator<Item = &'static Phrase> {
    [setting::PHRASES, actions::PHRASES, outcomes::PHRASES].into_iter().flatten()
}

/// Every phrase with the expression that recognises it.
static COMPILED: LazyLock<Vec<(Regex, &'static Phrase)>> = LazyLock::new(|| {
    phrases().filter_map(|phrase| Some((compile(phrase.pattern)?, phrase))).collect()
});

/// The phrase that a step is made of.
#[must_use]
pub fn phrase_of(step: &gherkin::Step) -> Option<&'static Phrase> {
    fitting(step).map(|(_, phrase)| *phrase)
}

fn matching(text: &str) -> impl Iterator<Item = &'static (Regex, &'static Phrase)> {
    COMPILED.iter().filter(move |(pattern, _)| pattern.is_match(text))
}

fn fitting(step: &gherkin::Step) -> Option<&'static (Regex, &'static Phrase)> {
    matching(&step.value).find(|(_, phrase)| phrase.part.step_types().contains(&step.ty))
}

/// What a step means.
///
/// # Errors
/// No phrase fits it, or what stands in its places or its table says nothing: the error says
/// what is wrong and what to write instead.
pub fn understand(step: &gherkin::Step) -> Result<Meaning, String> {
    let (pattern, phrase) = fitting(step).ok_or_else(|| unknown(step))?;
    if step.docstring.is_some() {
        return Err("no step takes a block of text: use a table".to_owned());
    }
    let none = Rows::new();
    let table = step.table.as_ref().map_or(&none, |table| &table.rows);
    match (phrase.below, step.table.is_some()) {
        (Below::Nothing, true) => return Err("this step takes no table".to_owned()),
        (Below::Nothing, false) | (_, true) => {}
        (_, false) => {
            return Err(format!("this step needs a table below it, such as\n{}", phrase.example));
        }
    }
    let captures = pattern.captures(&step.value);
    let places = captures.iter().flat_map(|captures| {
        captures.iter().skip(1).map(|found| found.map_or("", |found| found.as_str()))
    });
    (phrase.meaning)(&Found { places: places.collect(), table })
}

fn unknown(step: &gherkin::Step) -> String {
    if let Some((_, phrase)) = matching(&step.value).next() {
        let keyword = match phrase.part {
            Part::Setting => "Given",
            Part::Action => "Given or When",
            Part::Outcome => "Then",
        };
        return format!("`{}` stands after {keyword}, not after {:?}", step.value, step.ty);
    }
    let bare = without_quotations(&step.value);
    let nearest = phrases()
        .filter(|phrase| phrase.part.step_types().contains(&step.ty))
        .min_by_key(|phrase| distance(&bare, &without_quotations(first_line(phrase))));
    match nearest {
        Some(phrase) => {
            format!("there is no step `{}`; the nearest is\n{}", step.value, phrase.example)
        }
        None => format!("there is no step `{}`", step.value),
    }
}

fn first_line(phrase: &Phrase) -> &str {
    let line = phrase.example.lines().next().unwrap_or_default();
    line.split_once(' ').map_or(line, |(_, rest)| rest)
}

fn without_quotations(text: &str) -> String {
    text.split('"').step_by(2).collect::<Vec<_>>().join("\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::parse_step;

    #[test]
    fn every_pattern_can_be_compiled() {
        assert_eq!(COMPILED.len(), phrases().count());
    }

    #[test]
    fn every_example_is_a_step_of_its_own_phrase_and_of_no_other() {
        for phrase in phrases() {
            let step = parse_step(phrase.example)
                .unwrap_or_else(|error| panic!("{}: {error}", phrase.example));
            let fitting: Vec<_> = matching(&step.value).map(|(_, fit)| fit.pattern).collect();
            assert_eq!(fitting, vec![phrase.pattern], "{}", phrase.example);
            understand(&step).unwrap_or_else(|error| panic!("{}: {error}", phrase.example));
        }
    }

    #[test]
    fn a_step_that_is_nearly_right_is_answered_with_the_nearest_phrase() {
        let step = parse_step("When the user ask \"something\"").unwrap();
        let error = understand(&step).unwrap_err();
        assert!(error.contains("the nearest is\nWhen the user asks"), "{error}");
    }

    #[test]
    fn a_step_after_the_wrong_keyword_is_told_where_it_stands() {
        let step = parse_step("Then an agent session").unwrap();
        let error = understand(&step).unwrap_err();
        assert!(error.contains("stands after Given, not after Then"), "{error}");
    }

    #[test]
    fn a_step_without_its_table_is_an_error() {
        let step = parse_step("When the user asks \"x\", and the model").unwrap();
        assert!(understand(&step).unwrap_err().contains("needs a table"));
    }
}
