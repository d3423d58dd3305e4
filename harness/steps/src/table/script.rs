//! A prompt's script: what the model answers, request by request, one row for each call.

use tacit_contract::session::{Failure, Outcome};
use tacit_contract::{Call, Query, Step};

use super::{Rows, no_such_row, pair, row};
use crate::words::{escape, read_name, unescape, write_name};

/// What a row begins with that stands in the same answer as the one before.
const AT_ONCE: &str = "and at once ";

const SEARCHES: &str = "searches for";
const SEARCHES_NOTHING: &str = "searches without a query";
const SEARCHES_ODDLY: &str = "searches with the value";
const SEARCHES_UNREADABLY: &str = "searches, in no JSON, with";
const LIMITED: (&str, &str) = ("searches for up to ", " matches of");
const SAYS: &str = "which answers";
const READS: &str = "reads a file";
const RENEWS: &str = "starts a new context";
const SILENT: &str = "answers without a call";
const STOPPED: &str = "is stopped by the user";

/// What a failure of the model's provider is called.
const FAILURES: [(&str, Failure); 8] = [
    ("is overloaded", Failure::Overloaded),
    ("asks for patience", Failure::RateLimited),
    ("fails inside", Failure::ServerError),
    ("breaks off", Failure::BreaksOff),
    ("is cut off", Failure::Disconnects),
    ("answers nothing", Failure::Empty),
    ("refuses the request", Failure::BadRequest),
    ("refuses the key", Failure::Unauthorized),
];

/// What a call that comes out in some way is called.
const USES: [(&str, Outcome); 3] = [
    ("calls", Outcome::Ok),
    ("calls, in vain,", Outcome::Error),
    ("calls, though the host denies it,", Outcome::Denied),
];

/// The words of every row, for hints and for the documentation.
#[must_use]
pub fn vocabulary() -> Vec<&'static str> {
    let mut all = vec![SEARCHES, "searches for up to 10 matches of", SEARCHES_NOTHING];
    all.extend([SEARCHES_ODDLY, SEARCHES_UNREADABLY]);
    all.extend(USES.iter().map(|(word, _)| *word));
    all.extend([SAYS, READS, RENEWS, SILENT]);
    all.extend(FAILURES.iter().map(|(word, _)| *word));
    all.push(STOPPED);
    all
}

/// Reads a prompt's script as the steps that follow the prompt.
///
/// # Errors
/// A row is unknown, or joins or changes a row that is not there.
pub fn read(rows: &Rows) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    for cells in rows {
        let (what, of) = pair(cells)?;
        if let Some(what) = what.strip_prefix(AT_ONCE) {
            let call = read_call(what, of)?;
            match steps.last_mut() {
                Some(Step::Answer { calls }) => calls.push(call),
                _ => return Err(format!("expected a call before `{AT_ONCE}{what}`")),
            }
        } else if what == SAYS {
            answers(&mut steps, unescape(of))?;
        } else {
            steps.push(read_step(what, of)?);
        }
    }
    Ok(steps)
}

fn read_step(what: &str, of: &str) -> Result<Step, String> {
    if let Some((_, failure)) = FAILURES.iter().find(|(word, _)| *word == what) {
        return Ok(Step::Fail { failure: *failure });
    }
    Ok(match what {
        SILENT => Step::Answer { calls: Vec::new() },
        STOPPED => Step::Abort,
        _ => Step::Answer { calls: vec![read_call(what, of)?] },
    })
}

fn read_call(what: &str, of: &str) -> Result<Call, String> {
    if let Some((_, outcome)) = USES.iter().find(|(word, _)| *word == what) {
        return Ok(Call::Use { tool: read_name(of)?, outcome: *outcome, says: None });
    }
    if let Some(limit) = between(what, LIMITED) {
        let limit = limit.parse().map_err(|_| format!("`{limit}` is no number of matches"))?;
        return Ok(Call::Search { query: Query::Limited { text: unescape(of), limit } });
    }
    let query = match what {
        SEARCHES => Query::text(unescape(of)),
        SEARCHES_NOTHING => Query::Missing,
        SEARCHES_ODDLY => Query::Odd { value: read_value(of)? },
        SEARCHES_UNREADABLY => Query::NotJson { text: read_no_json(of)? },
        READS => return Ok(Call::Read),
        RENEWS => return Ok(Call::NewContext),
        _ => return Err(no_such_row(what, &vocabulary())),
    };
    Ok(Call::Search { query })
}

fn between<'a>(text: &'a str, (before, after): (&str, &str)) -> Option<&'a str> {
    text.strip_prefix(before)?.strip_suffix(after)
}

fn read_value(text: &str) -> Result<serde_json::Value, String> {
    let text = unescape(text);
    serde_json::from_str(&text).map_err(|error| {
        format!(
            "`{text}` is no value: expected a number, true, null, a list or an object ({error})"
        )
    })
}

fn read_no_json(text: &str) -> Result<String, String> {
    let text = unescape(text);
    match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(_) => Err(format!("`{text}` is JSON: `{SEARCHES_ODDLY}` is for that")),
        Err(_) => Ok(text),
    }
}

fn answers(steps: &mut [Step], text: String) -> Result<(), String> {
    let last = match steps.last_mut() {
        Some(Step::Answer { calls }) => calls.last_mut(),
        _ => None,
    };
    match last {
        Some(Call::Use { says, .. }) => {
            *says = Some(text);
            Ok(())
        }
        _ => Err(format!("expected a call before `{SAYS}`: it says what the called tool says")),
    }
}

/// Whether a step belongs to a script.
#[must_use]
pub fn is_script(step: &Step) -> bool {
    matches!(step, Step::Answer { .. } | Step::Fail { .. } | Step::Abort)
}

/// Writes the steps of a script; other steps are left out.
#[must_use]
pub fn write(steps: &[Step]) -> Rows {
    let mut rows = Rows::new();
    for step in steps {
        match step {
            Step::Answer { calls } if calls.is_empty() => rows.push(row(SILENT, "")),
            Step::Answer { calls } => {
                for (place, call) in calls.iter().enumerate() {
                    write_call(call, if place == 0 { "" } else { AT_ONCE }, &mut rows);
                }
            }
            Step::Fail { failure } => {
                let named = FAILURES.iter().find(|(_, known)| known == failure);
                rows.extend(named.map(|(word, _)| row(*word, "")));
            }
            Step::Abort => rows.push(row(STOPPED, "")),
            _ => {}
        }
    }
    rows
}

fn write_call(call: &Call, before: &str, rows: &mut Rows) {
    let mut push = |what: &str, of: String| rows.push(row(format!("{before}{what}"), of));
    match call {
        Call::Search { query: Query::Text { text } } => push(SEARCHES, escape(text)),
        Call::Search { query: Query::Limited { text, limit } } => {
            push(&format!("{}{limit}{}", LIMITED.0, LIMITED.1), escape(text));
        }
        Call::Search { query: Query::Missing } => push(SEARCHES_NOTHING, String::new()),
        Call::Search { query: Query::Odd { value } } => {
            push(SEARCHES_ODDLY, escape(&value.to_string()));
        }
        Call::Search { query: Query::NotJson { text } } => push(SEARCHES_UNREADABLY, escape(text)),
        Call::Use { tool, outcome, says } => {
            let word = USES.iter().find(|(_, known)| known == outcome).map_or("calls", |u| u.0);
            push(word, write_name(tool.as_str()));
            rows.extend(says.as_ref().map(|says| row(SAYS, escape(says))));
        }
        Call::Read => push(READS, String::new()),
        Call::NewContext => push(RENEWS, String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn uses(tool: &str, outcome: Outcome, says: Option<&str>) -> Call {
        Call::Use { tool: tool.into(), outcome, says: says.map(str::to_owned) }
    }

    #[test]
    fn every_script_is_read_back_as_it_was_written() {
        let odd = |value| Call::Search { query: Query::Odd { value } };
        let steps = vec![
            Step::Fail { failure: Failure::Overloaded },
            Step::Answer {
                calls: vec![
                    Call::Search { query: Query::text("a | \\ \n b ") },
                    uses("x, \"y\"", Outcome::Denied, Some("")),
                    Call::Search { query: Query::Missing },
                    uses("z", Outcome::Ok, Some(" ok ")),
                ],
            },
            Step::Answer { calls: Vec::new() },
            Step::Answer { calls: vec![Call::Read, Call::NewContext] },
            Step::Answer { calls: vec![odd(json!(["a", 1.5, null])), odd(json!({"q": "\u{0}"}))] },
            Step::Answer {
                calls: ["", "{\"query\": \"| a"]
                    .map(|text| Call::Search { query: Query::NotJson { text: text.to_owned() } })
                    .to_vec(),
            },
            Step::Answer {
                calls: vec![
                    Call::Search { query: Query::Limited { text: String::new(), limit: u32::MAX } },
                    uses("", Outcome::Error, None),
                ],
            },
            Step::Abort,
        ];
        assert_eq!(read(&write(&steps)), Ok(steps));
        let failures = Failure::ALL.map(|failure| Step::Fail { failure });
        assert_eq!(read(&write(&failures)), Ok(failures.to_vec()));
    }

    #[test]
    fn a_row_that_joins_nothing_is_an_error() {
        assert!(read(&vec![row("and at once calls", "a")]).is_err());
        assert!(read(&vec![row("which answers", "a")]).is_err());
        assert!(read(&vec![row("is stopped by the user", ""), row("which answers", "a")]).is_err());
    }

    #[test]
    fn arguments_that_are_json_are_not_said_to_be_none() {
        assert!(read(&vec![row("searches, in no JSON, with", "{}")]).is_err());
    }

    #[test]
    fn a_row_that_is_misspelt_is_an_error_that_names_the_right_one() {
        let error = read(&vec![row("serches for", "a")]).unwrap_err();
        assert!(error.contains("did you mean `searches for`?"), "{error}");
    }
}
