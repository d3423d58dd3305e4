//! Prompts played on the reference runtime, in process.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::*;
use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_contract::runtime::{HostStatus, Runtime};
use tacit_contract::session::{Failure, Outcome};
use tacit_contract::trace::RequestClass::{self, Helper, Repeat, Turn};
use tacit_contract::trace::{Answered, Seen};
use tacit_contract::{Call, ProviderKind, Query, Session, Step, Trace};

fn issued(trace: &Trace) -> Vec<&tacit_contract::trace::Issued> {
    requests(trace)
        .into_iter()
        .filter_map(|requested| match &requested.answer {
            Answered::Calls { calls, .. } => Some(calls),
            _ => None,
        })
        .flatten()
        .collect()
}

#[test]
fn a_prompt_is_answered_by_its_script_and_then_by_a_text() {
    let trace = played([
        prompt("how warm is it"),
        answer([search("acme_weather")]),
        answer([use_of("acme_weather")]),
    ]);
    assert!(trace.cut_short.is_none(), "{:?}", trace.cut_short);
    let kinds = kinds(&trace);
    let wire: Vec<&str> =
        kinds.iter().map(String::as_str).filter(|kind| !kind.starts_with("tool.")).collect();
    assert_eq!(
        wire,
        [
            "opened",
            "prompted",
            "requested: ToolSearch",
            "requested: acme_weather",
            "requested: text",
            "promptEnded",
            "closed"
        ]
    );
    assert_eq!(classes(&trace), [RequestClass::Turn; 3]);
    assert!(shown(requests(&trace)[1]).contains(&"acme_weather".to_owned()));
}

#[test]
fn the_trace_holds_the_steps_by_their_place() {
    let trace = played([
        Step::Compact,
        prompt("one"),
        answer([search("acme_mail")]),
        prompt("two"),
        answer([use_of("acme_mail")]),
    ]);
    assert_eq!(trace.session.steps.len(), 5);
    let prompts: Vec<usize> = trace
        .log
        .iter()
        .filter_map(|entry| match &entry.seen {
            Seen::Prompted { step, .. } => Some(*step),
            _ => None,
        })
        .collect();
    assert_eq!(prompts, [1, 3]);
    let answers: Vec<usize> = requests(&trace)
        .iter()
        .filter_map(|requested| match &requested.answer {
            Answered::Calls { step, .. } => Some(*step),
            _ => None,
        })
        .collect();
    assert_eq!(answers, [2, 4]);
}

#[test]
fn every_prompt_and_every_call_can_be_told_from_any_other() {
    let trace = played([
        prompt("the same"),
        answer([search("acme_mail"), use_of("acme_mail")]),
        answer([use_of("acme_mail")]),
        prompt("the same"),
        answer([use_of("acme_mail")]),
    ]);
    let mut ids: Vec<_> = issued(&trace).iter().map(|call| call.id.clone()).collect();
    assert_eq!(ids.len(), 4);
    assert!(ids.iter().all(|id| id.as_str().len() <= 40));
    assert!(ids.iter().all(|id| {
        id.as_str().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }));
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 4);
    let mut texts: Vec<_> = trace
        .log
        .iter()
        .filter_map(|entry| match &entry.seen {
            Seen::Prompted { text, .. } => Some(text.clone()),
            _ => None,
        })
        .collect();
    texts.dedup();
    assert_eq!(texts.len(), 2);
}

#[test]
fn the_host_answers_each_call_as_it_was_scripted() {
    let trace = played([
        prompt("all of it"),
        answer([search("acme_weather"), search("acme_mail")]),
        answer([
            using("acme_weather", Outcome::Error),
            Call::Use {
                tool: "acme_mail".into(),
                outcome: Outcome::Ok,
                says: Some("it is on its way".to_owned()),
            },
        ]),
        answer([using("acme_mail", Outcome::Denied)]),
    ]);
    let calls = issued(&trace);
    let of = |place: usize, method: &str| {
        let id = &calls[place].id;
        host_calls(&trace)
            .into_iter()
            .filter(|(call, _)| call.call_id.as_ref() == Some(id) && call.method == method)
            .map(|(_, answer)| (answer.status, answer.text.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(of(2, "tool.execute")[0].0, HostStatus::Error);
    let (status, text) = &of(3, "tool.execute")[0];
    assert_eq!(*status, HostStatus::Ok);
    assert!(text.starts_with("it is on its way ("), "{text}");
    assert!(of(4, "tool.permission").iter().all(|(status, _)| *status == HostStatus::Denied));
    assert!(of(4, "tool.execute").iter().all(|(status, _)| *status == HostStatus::Denied));
}

#[test]
fn a_search_is_spelled_as_its_query_says() {
    let queries = [
        Query::text("weather"),
        Query::Limited { text: "weather".to_owned(), limit: 9 },
        Query::Missing,
        Query::Odd { value: json!([1]) },
        Query::NotJson { text: "{\"query\": \"wea".to_owned() },
    ];
    let calls: Vec<Call> = queries.into_iter().map(|query| Call::Search { query }).collect();
    let trace = played([prompt("find"), answer(calls)]);
    let sent: Vec<&Value> = issued(&trace).iter().map(|call| &call.arguments).collect();
    assert_eq!(*sent[0], json!({"query": "weather"}));
    assert_eq!(sent[1]["query"], "weather");
    assert_eq!(*sent[2], json!({}));
    assert_eq!(*sent[3], json!({"query": [1]}));
    assert_eq!(*sent[4], json!("{\"query\": \"wea"));
}

#[test]
fn a_failing_provider_fails_once_and_then_goes_on() {
    let passing = [
        Failure::Overloaded,
        Failure::RateLimited,
        Failure::ServerError,
        Failure::BreaksOff,
        Failure::Disconnects,
    ];
    for failure in passing {
        let trace = played([
            prompt("try"),
            Step::Fail { failure },
            answer([search("acme_mail")]),
            Step::Fail { failure },
        ]);
        let kinds = kinds(&trace);
        let requested: Vec<&str> =
            kinds.iter().filter_map(|kind| kind.strip_prefix("requested: ")).collect();
        assert_eq!(requested, ["failure", "ToolSearch", "failure", "text"]);
        assert_eq!(classes(&trace), [Turn, Repeat, Turn, Repeat]);
    }
}

#[test]
fn requests_are_told_apart_alike_over_every_provider() {
    let steps = [
        prompt("one"),
        answer([search("acme_weather")]),
        Step::Fail { failure: Failure::BreaksOff },
        answer([use_of("acme_weather"), Call::NewContext]),
        Step::Compact,
        prompt("two"),
        Step::Fail { failure: Failure::Disconnects },
    ];
    let capabilities = faultless().describe().capabilities.clone();
    for provider in ProviderKind::all(&capabilities, &Api::ALL) {
        let session = Session { provider, ..session(steps.clone()) };
        let trace = run(in_process().play(&session)).unwrap();
        let expected = [Turn, Turn, Repeat, Turn, Helper, Turn, Repeat];
        assert_eq!(classes(&trace), expected, "{provider}");
    }
}

#[test]
fn an_abort_withholds_the_next_answer_of_the_provider() {
    let trace = played([prompt("stop"), answer([search("acme_mail")]), Step::Abort]);
    let kinds = kinds(&trace);
    assert_eq!(
        kinds,
        [
            "opened",
            "prompted",
            "requested: ToolSearch",
            "requested: withheld",
            "aborted",
            "promptEnded",
            "closed"
        ]
    );
}

#[test]
fn an_abort_withholds_what_the_host_would_say() {
    let trace = played([
        prompt("stop"),
        answer([search("acme_mail")]),
        answer([use_of("acme_mail")]),
        Step::Abort,
        prompt("and on"),
    ]);
    let kinds = kinds(&trace);
    let at = kinds.iter().position(|kind| kind == "aborted").unwrap();
    assert_eq!(kinds[at - 1], "tool.execute");
    assert_eq!(
        kinds[at + 1..],
        ["promptEnded", "prompted", "requested: text", "promptEnded", "closed"]
    );
}

#[test]
fn a_read_names_a_file_and_a_new_context_is_followed_as_a_turn_request() {
    let trace = played([
        prompt("read"),
        answer([Call::Read]),
        answer([Call::NewContext]),
        answer([search("acme_mail")]),
    ]);
    let calls = issued(&trace);
    assert_eq!(calls[0].tool, "Read");
    assert_eq!(calls[0].arguments, json!({"path": "notes.txt"}));
    assert_eq!(calls[1].tool, "new_context");
    assert_eq!(classes(&trace), [RequestClass::Turn; 4]);
}

#[test]
fn what_does_not_apply_does_nothing() {
    let trace = played([
        answer([search("acme_mail")]),
        Step::Abort,
        Step::Fail { failure: Failure::Overloaded },
        prompt("hello"),
        answer([]),
    ]);
    assert_eq!(kinds(&trace), ["opened", "prompted", "requested: text", "promptEnded", "closed"]);
}

#[test]
fn a_session_played_prompt_by_prompt_has_the_trace_of_one_played_at_once() {
    let steps = [
        prompt("one"),
        answer([search("acme_weather")]),
        Step::Compact,
        restart(true, false),
        prompt("two"),
        answer([use_of("acme_weather")]),
    ];
    let whole = session(steps.clone());
    let at_once = run(in_process().play(&whole)).unwrap();
    let bit_by_bit = run(async {
        let begun = Session { steps: Vec::new(), ..whole.clone() };
        let mut performance = in_process().open(&begun).await.unwrap();
        performance.perform(&steps[..2]).await;
        assert_eq!(requests(&performance.trace()).len(), 2);
        performance.perform(&steps[2..4]).await;
        performance.perform(&steps[4..]).await;
        performance.finish().await
    });
    assert_eq!(bytes(&at_once), bytes(&bit_by_bit));
}

#[test]
fn the_same_session_gives_the_same_trace_in_every_byte() {
    let whole = session([
        prompt("one"),
        answer([search("acme_weather"), Call::Read]),
        Step::Elsewhere,
        prompt("two"),
        answer([use_of("acme_weather")]),
    ]);
    let stage = in_process();
    let first = run(stage.play(&whole)).unwrap();
    assert_eq!(bytes(&first), bytes(&run(stage.play(&whole)).unwrap()));
    assert_eq!(bytes(&first), bytes(&run(in_process().play(&whole)).unwrap()));
}
