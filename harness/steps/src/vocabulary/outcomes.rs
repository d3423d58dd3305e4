//! What is expected: each phrase names an expectation or a clause, and the judge decides.

use super::{Below, Part, Phrase};
use crate::meaning::Meaning;
use crate::pattern::Found;
use tacit_judge::expect::{At, Expectation, WhichPrompt, WhichRequest};

const fn outcome(
    pattern: &'static str,
    says: &'static str,
    example: &'static str,
    meaning: fn(&Found<'_>) -> Result<Meaning, String>,
) -> Phrase {
    Phrase { pattern, part: Part::Outcome, below: Below::Nothing, says, example, meaning }
}

#[allow(clippy::unnecessary_wraps, reason = "the meaning of a phrase may fail, this one cannot")]
fn expects(expectation: Expectation) -> Result<Meaning, String> {
    Ok(Meaning::Expects(expectation))
}

/// Where the catalog is looked at: in the first request of the last prompt.
const BEGINNING: At = At { prompt: WhichPrompt::Last, request: WhichRequest::First };

/// All requests of some prompts.
fn anywhere(prompt: WhichPrompt) -> At {
    At { prompt, request: WhichRequest::Every }
}

fn tool(found: &Found<'_>) -> tacit_contract::ToolName {
    found.text(0).into()
}

/// The phrases.
pub const PHRASES: &[Phrase] = &[
    outcome(
        "{request} shows {names}",
        "The model can read the schemas of these tools.",
        "Then the request after the search shows \"acme_weather\"",
        |found| expects(Expectation::Shows(found.request(0), found.names(1)?)),
    ),
    outcome(
        "{request} does not show {names}",
        "The model can read the schema of none of these tools.",
        "Then the first request does not show \"acme_weather\"",
        |found| expects(Expectation::DoesNotShow(found.request(0), found.names(1)?)),
    ),
    outcome(
        "no request shows {names}",
        "In the whole session the model can never read the schema of any of these tools.",
        "Then no request shows \"acme_weather\"",
        |found| expects(Expectation::DoesNotShow(anywhere(WhichPrompt::Every), found.names(0)?)),
    ),
    outcome(
        "no request of the last prompt shows {names}",
        "The same for the last prompt alone.",
        "Then no request of the last prompt shows \"acme_weather\"",
        |found| expects(Expectation::DoesNotShow(anywhere(WhichPrompt::Last), found.names(0)?)),
    ),
    outcome(
        "{request} shows the core tools of {mode} mode",
        "All that the mode always has, under the runtime's own names.",
        "Then the first request shows the core tools of agent mode",
        |found| expects(Expectation::ShowsCore(found.request(0), found.mode(1)?)),
    ),
    outcome(
        "{request} shows the search tool",
        "The tool by which the model finds deferred ones is there.",
        "Then every request shows the search tool",
        |found| expects(Expectation::ShowsSearch(found.request(0))),
    ),
    outcome(
        "{request} does not show the search tool",
        "It is not there.",
        "Then the first request does not show the search tool",
        |found| expects(Expectation::ShowsNoSearch(found.request(0))),
    ),
    outcome(
        "{request} shows the tool for a new context",
        "The tool by which the model starts afresh is there, where the runtime has one.",
        "Then every request shows the tool for a new context",
        |found| expects(Expectation::ShowsNewContext(found.request(0))),
    ),
    outcome(
        "{request} shows no deferred tool",
        "Of the tools that the mode defers, the model can read the schema of none.",
        "Then the first request shows no deferred tool",
        |found| expects(Expectation::ShowsNoDeferredBut(found.request(0), Vec::new())),
    ),
    outcome(
        "{request} shows no deferred tool but {names}",
        "Of the tools that the mode defers, it can read the schemas of these at the most.",
        "Then the first request shows no deferred tool but \"acme_weather\"",
        |found| expects(Expectation::ShowsNoDeferredBut(found.request(0), found.names(1)?)),
    ),
    outcome(
        "the catalog lists {names}",
        "The catalog, as the last prompt begins, has a line for each of these tools.",
        "Then the catalog lists \"acme_weather\"",
        |found| expects(Expectation::Lists(BEGINNING, found.names(0)?)),
    ),
    outcome(
        "the catalog does not list {names}",
        "It has a line for none of them.",
        "Then the catalog does not list \"acme_weather\"",
        |found| expects(Expectation::DoesNotList(BEGINNING, found.names(0)?)),
    ),
    outcome(
        "there is no catalog",
        "As the last prompt begins, nothing is listed.",
        "Then there is no catalog",
        |_| expects(Expectation::NoCatalog(BEGINNING)),
    ),
    outcome(
        "the search activates {names}",
        "The request after the last search shows these tools, perhaps with others.",
        "Then the search activates \"acme_weather\"",
        |found| expects(Expectation::Activates(found.names(0)?)),
    ),
    outcome(
        "the search activates at most {number} tools",
        "The last search brings no more than so many deferred tools to light.",
        "Then the search activates at most four tools",
        |found| expects(Expectation::ActivatesAtMost(found.number(0)?)),
    ),
    outcome(
        "the search activates nothing",
        "The last search brings no deferred tool to light.",
        "Then the search activates nothing",
        |_| expects(Expectation::ActivatesAtMost(0)),
    ),
    outcome(
        "the call of {text} is refused",
        "The last call of the tool is answered, and never put to the host.",
        "Then the call of \"acme_weather\" is refused",
        |found| expects(Expectation::Refused(tool(found))),
    ),
    outcome(
        "the call of {text} runs",
        "The last call of the tool is run by the host.",
        "Then the call of \"acme_weather\" runs",
        |found| expects(Expectation::Runs(tool(found))),
    ),
    outcome(
        "the call of {text} is denied",
        "The last call of the tool is put to the host, which denies it.",
        "Then the call of \"acme_weather\" is denied",
        |found| expects(Expectation::Denied(tool(found))),
    ),
    outcome(
        "the host is asked nothing for the search",
        "No call of the host belongs to a search.",
        "Then the host is asked nothing for the search",
        |_| expects(Expectation::HostNotAskedForSearch),
    ),
    outcome(
        "the prompt goes on to its end",
        "The last prompt ends as if nothing had been wrong.",
        "Then the prompt goes on to its end",
        |_| expects(Expectation::GoesOn),
    ),
    outcome(
        "the failed request is sent again with the same tools",
        "A request that failed comes a second time, and shows what it showed before.",
        "Then the failed request is sent again with the same tools",
        |_| expects(Expectation::SentAgain),
    ),
    outcome(
        "both show the same tools when the last prompt begins",
        "The session and its variant agree on what the model is shown.",
        "Then both show the same tools when the last prompt begins",
        |_| Ok(Meaning::ShowsTheSame),
    ),
    outcome(
        "the runtime keeps {text}{sentence}",
        "A clause of the contract, by its id, is kept in all that was seen, and was put to the \
         test in it; after a colon the clause may follow in words.",
        "Then the runtime keeps \"search.exact\"",
        |found| {
            let clause = found.clause(0);
            match tacit_contract::clause::clause(clause.as_str()) {
                Some(_) => Ok(Meaning::Keeps(clause)),
                None => Err(no_clause(clause.as_str())),
            }
        },
    ),
    outcome(
        "it holds for every generated session",
        "The scenario's property, named by its tag `@property:…`, is played over generated \
         sessions.",
        "Then it holds for every generated session",
        |_| Ok(Meaning::Holds),
    ),
];

fn no_clause(id: &str) -> String {
    let known = tacit_contract::clause::clauses().iter().map(|clause| clause.id.as_str());
    let hint = crate::nearest::nearest(id, known)
        .map(|near| format!(": did you mean `{near}`?"))
        .unwrap_or_default();
    format!("there is no clause `{id}`{hint}")
}
