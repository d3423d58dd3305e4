//! The session on which two runtimes differ, told of both.

use serde::Serialize;
use tacit_contract::event::StoryLine;
use tacit_contract::{Breach, ClauseId, Profile};

use super::differ::Difference;
use crate::bench::Played;
use crate::story::story;

/// Of whom a line is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Of {
    /// Of both runtimes.
    #[serde(rename = "both")]
    Both,
    /// Of the first.
    A,
    /// Of the second.
    B,
}

/// One line of the story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Told {
    /// Of whom.
    pub of: Of,
    /// What happened.
    pub text: String,
    /// What the difference is, on the line that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differs: Option<String>,
}

/// Tells what was played on both, up to the difference: what happened on both once, what
/// happened otherwise of each.
#[must_use]
pub fn told(profiles: [&Profile; 2], played: &[Played; 2], difference: &Difference) -> Vec<Told> {
    let story = |side: usize| {
        let entry = difference.entries[side].unwrap_or(usize::MAX);
        let trace = &played[side].base;
        let shows = Breach {
            clause: ClauseId::from(""),
            session: trace.log.first().map_or_else(|| "".into(), |entry| entry.session.clone()),
            entry,
            prompt: difference.prompt,
            request: difference.request,
            tool: None,
            found: difference.each[side].clone(),
        };
        story(profiles[side], trace, &shows)
    };
    together(story(0), story(1))
}

fn together(one: Vec<StoryLine>, other: Vec<StoryLine>) -> Vec<Told> {
    let mut told = Vec::new();
    let (mut ones, mut others) = (one.into_iter(), other.into_iter());
    loop {
        match (ones.next(), others.next()) {
            (None, None) => return told,
            (Some(one), Some(other)) if one.text == other.text && !differs(&one, &other) => {
                told.push(line(Of::Both, one));
            }
            (one, other) => {
                told.extend(one.map(|one| line(Of::A, one)));
                told.extend(other.map(|other| line(Of::B, other)));
            }
        }
    }
}

fn differs(one: &StoryLine, other: &StoryLine) -> bool {
    one.wrong.is_some() || other.wrong.is_some()
}

fn line(of: Of, line: StoryLine) -> Told {
    Told { of, text: line.text, differs: line.wrong.filter(|wrong| !wrong.is_empty()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[&str]) -> Vec<StoryLine> {
        let line = |text: &&str| StoryLine { text: (*text).to_owned(), wrong: None, asks: None };
        texts.iter().map(line).collect()
    }

    #[test]
    fn what_happened_on_both_is_told_once() {
        let mut one = lines(&["the user asks", "request 1 shows: x"]);
        one[1].wrong = Some("only here: x".to_owned());
        let mut other = lines(&["the user asks", "request 1 shows: ", "then"]);
        other[1].wrong = Some(String::new());
        let told = together(one, other);
        let of: Vec<Of> = told.iter().map(|told| told.of).collect();
        assert_eq!(of, [Of::Both, Of::A, Of::B, Of::B]);
        assert_eq!(told[1].differs.as_deref(), Some("only here: x"));
        assert_eq!(told[2].differs, None);
    }
}
