//! Simpler forms of the pieces of a session, the simplest first.

use tacit_contract::session::{Failure, Moment, Outcome, Past, SeedTurn};
use tacit_contract::{Call, OtherProvider, Query, Step, ToolSpec};

use super::text::shorter;
use crate::texts::PLAIN_PROMPT;

/// The description that tools shrink towards.
pub(super) const PLAIN_DESCRIPTION: &str = "A tool.";

/// A list without one of its elements, for each element, the last first.
fn without_one<T: Clone>(list: &[T]) -> impl Iterator<Item = Vec<T>> {
    (0..list.len()).rev().map(|at| {
        let mut fewer = list.to_vec();
        fewer.remove(at);
        fewer
    })
}

/// A list with one of its elements in a simpler form, for each element and form.
fn with_one_simpler<T: Clone>(list: &[T], simpler: fn(&T) -> Vec<T>) -> Vec<Vec<T>> {
    let with = |at: usize| {
        simpler(&list[at]).into_iter().map(move |form| {
            let mut changed = list.to_vec();
            changed[at] = form;
            changed
        })
    };
    (0..list.len()).flat_map(with).collect()
}

/// The step with plain text and nothing else changed.
pub(super) fn plain_step(step: &Step) -> Step {
    match step {
        Step::Prompt { .. } => Step::Prompt { text: PLAIN_PROMPT.to_owned() },
        Step::Answer { calls } => Step::Answer { calls: calls.iter().map(quiet).collect() },
        Step::Seed(turn) => Step::Seed(SeedTurn {
            prompt: PLAIN_PROMPT.to_owned(),
            moments: turn.moments.iter().map(quiet_moment).collect(),
        }),
        other => other.clone(),
    }
}

fn quiet(call: &Call) -> Call {
    match call {
        Call::Use { tool, outcome, .. } => {
            Call::Use { tool: tool.clone(), outcome: *outcome, says: None }
        }
        other => other.clone(),
    }
}

fn quiet_moment(moment: &Moment) -> Moment {
    match moment {
        Moment::Used { tool, status, .. } => {
            Moment::Used { tool: tool.clone(), status: *status, says: None }
        }
        other => other.clone(),
    }
}

/// Texts that are simpler than this one: the plain one, then shorter ones.
fn simpler_text(text: &str, plain: &str) -> Vec<String> {
    if text == plain {
        return Vec::new();
    }
    std::iter::once(plain.to_owned()).chain(shorter(text)).collect()
}

/// Simpler forms of a step. Every one is of the same kind, or of the plainer kind that it is a form
/// of: that a step is not needed at all is found by cutting it.
pub(crate) fn simpler_step(step: &Step) -> Vec<Step> {
    match step {
        Step::Seed(turn) => simpler_turn(turn).into_iter().map(Step::Seed).collect(),
        Step::Prompt { text } => {
            simpler_text(text, PLAIN_PROMPT).into_iter().map(|text| Step::Prompt { text }).collect()
        }
        Step::Answer { calls } => {
            let fewer = without_one(calls).filter(|calls| !calls.is_empty());
            let simpler = with_one_simpler(calls, simpler_call);
            fewer.chain(simpler).map(|calls| Step::Answer { calls }).collect()
        }
        Step::Fail { failure } => Failure::ALL
            .into_iter()
            .take_while(|simpler| simpler != failure)
            .map(|failure| Step::Fail { failure })
            .collect(),
        Step::Restart { process, from_rows } => {
            let (process, from_rows) = (*process, *from_rows);
            [(false, false), (false, from_rows), (process, false)]
                .into_iter()
                .filter(|form| *form != (process, from_rows))
                .map(|(process, from_rows)| Step::Restart { process, from_rows })
                .collect()
        }
        // A change of loading alone is simpler than one of the whole API.
        Step::SwitchProvider { to } => [OtherProvider::Plain, OtherProvider::Native]
            .into_iter()
            .take_while(|simpler| simpler != to)
            .map(|to| Step::SwitchProvider { to })
            .collect(),
        Step::Branch { prompts } if *prompts > 1 => vec![Step::Branch { prompts: 1 }],
        Step::RestartLate { .. } => vec![Step::Restart { process: false, from_rows: false }],
        Step::ElsewhereAhead { .. } => vec![Step::Elsewhere],
        Step::Branch { .. }
        | Step::Abort
        | Step::Compact
        | Step::SetMode { .. }
        | Step::Unplug { .. }
        | Step::Plug { .. }
        | Step::Update { .. }
        | Step::Elsewhere => Vec::new(),
    }
}

fn simpler_call(call: &Call) -> Vec<Call> {
    match call {
        Call::Search { query } => {
            simpler_query(query).into_iter().map(|query| Call::Search { query }).collect()
        }
        Call::Use { tool, outcome, says } => {
            let form = |outcome, says| Call::Use { tool: tool.clone(), outcome, says };
            let mut forms = Vec::new();
            if !outcome.is_ok() {
                forms.push(form(Outcome::Ok, says.clone()));
            }
            if *outcome == Outcome::Denied {
                forms.push(form(Outcome::Error, says.clone()));
            }
            if let Some(text) = says {
                forms.push(form(*outcome, None));
                forms.extend(shorter(text).map(|text| form(*outcome, Some(text))));
            }
            forms
        }
        Call::Read | Call::NewContext => Vec::new(),
    }
}

/// Simpler forms of a query.
pub(crate) fn simpler_query(query: &Query) -> Vec<Query> {
    match query {
        Query::Text { text } => {
            let words: Vec<&str> = text.split_whitespace().collect();
            let fewer = without_one(&words)
                .filter(|fewer| !fewer.is_empty())
                .map(|fewer| Query::text(fewer.join(" ")));
            // A name as it stands is as simple as a query gets.
            let known = crate::universe::find(text).is_some();
            fewer
                .chain((!known).then(|| shorter(text)).into_iter().flatten().map(Query::text))
                .collect()
        }
        Query::Limited { text, limit } => {
            let mut forms = vec![Query::text(text)];
            if *limit > 5 {
                forms.push(Query::Limited { text: text.clone(), limit: 5 });
            }
            forms
        }
        Query::Odd { value } if !value.is_null() => {
            vec![Query::Missing, Query::Odd { value: serde_json::Value::Null }]
        }
        Query::Odd { .. } => vec![Query::Missing],
        Query::NotJson { text } => {
            let is_json = |text: &String| serde_json::from_str::<serde_json::Value>(text).is_ok();
            let shorter = shorter(text).filter(|text| !is_json(text));
            shorter.map(|text| Query::NotJson { text }).collect()
        }
        Query::Missing => Vec::new(),
    }
}

/// Simpler forms of a seeded turn.
pub(crate) fn simpler_turn(turn: &SeedTurn) -> Vec<SeedTurn> {
    let fewer = without_one(&turn.moments);
    let simpler = with_one_simpler(&turn.moments, simpler_moment);
    let moments =
        fewer.chain(simpler).map(|moments| SeedTurn { prompt: turn.prompt.clone(), moments });
    let prompts = simpler_text(&turn.prompt, PLAIN_PROMPT)
        .into_iter()
        .map(|prompt| SeedTurn { prompt, moments: turn.moments.clone() });
    moments.chain(prompts).collect()
}

fn simpler_moment(moment: &Moment) -> Vec<Moment> {
    match moment {
        Moment::Searched { marker, status } => {
            let form = |marker, status| Moment::Searched { marker, status };
            without_one(marker)
                .map(|fewer| form(fewer, *status))
                .chain((*status != Past::Ok).then(|| form(marker.clone(), Past::Ok)))
                .collect()
        }
        Moment::Used { tool, status, says } => {
            let form = |status, says| Moment::Used { tool: tool.clone(), status, says };
            let mut forms = Vec::new();
            if *status != Past::Ok {
                forms.push(form(Past::Ok, says.clone()));
            }
            if let Some(text) = says {
                forms.push(form(*status, None));
                forms.extend(shorter(text).map(|text| form(*status, Some(text))));
            }
            forms
        }
        Moment::Forged { tool, marker } => {
            let plain = Moment::Used { tool: tool.clone(), status: Past::Ok, says: None };
            let fewer =
                without_one(marker).map(|marker| Moment::Forged { tool: tool.clone(), marker });
            std::iter::once(plain).chain(fewer).collect()
        }
        Moment::Said { text } => shorter(text).map(|text| Moment::Said { text }).collect(),
        Moment::Summarised { summary } => {
            shorter(summary).map(|summary| Moment::Summarised { summary }).collect()
        }
        Moment::Orphaned { .. } => Vec::new(),
    }
}

/// Simpler forms of a tool: fewer modes, a plainer description, or a shorter name where it is
/// long.
pub(crate) fn simpler_tool(tool: &ToolSpec) -> Vec<ToolSpec> {
    let described = simpler_text(&tool.description, PLAIN_DESCRIPTION)
        .into_iter()
        .filter(|_| crate::universe::find(tool.name.as_str()).is_none())
        .map(|description| ToolSpec { description, ..tool.clone() });
    let modes = tool.modes.keys().filter(|_| tool.modes.len() > 1).map(|mode| {
        let mut modes = tool.modes.clone();
        modes.remove(mode);
        ToolSpec { modes, ..tool.clone() }
    });
    let name = tool.name.as_str();
    let long = (name.chars().count() > 24).then(|| shorter(name)).into_iter().flatten();
    let renamed = long.map(|name| ToolSpec { name: name.into(), ..tool.clone() });
    modes.chain(described).chain(renamed).collect()
}
