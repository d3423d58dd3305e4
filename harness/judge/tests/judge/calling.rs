//! Calls: which are refused, which go to the host, and which of its calls belong to them.

use crate::common::{
    PLAIN, Story, body, broken, called, calls, found, found_of, host_call, premises, result,
    search, user, using,
};
use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_contract::runtime::{HostCall, HostStatus};
use tacit_contract::session::Outcome;
use tacit_contract::trace::{Answered, Issued};
use tacit_contract::{Call, Judgement, Row, Seen, Status, ToolCall};

const EXECUTE: &str = "tool.execute";
const REFUSED: &str = "activation.refused-until";

/// A search, a call of a tool that is not active, and a last request with this conversation.
fn refused(conversation: Vec<Value>) -> String {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    story.searched("call-1", &["acme_weather"]);
    let rows = [vec![user(1)], found("call-1", &[])].concat();
    let asks = calls(vec![using("call-2", "acme_tickets")]);
    story.request(Api::OpenaiChat, &body(&["acme_weather"], rows), asks);
    story.recorded("call-2", "acme_tickets", Status::Error, None);
    story.request(Api::OpenaiChat, &body(&["acme_weather"], conversation), Answered::Text);
    story.end();
    found_of(&story.judged(), REFUSED)
}

#[test]
fn a_refused_call_has_a_result_unless_a_checkpoint_took_it() {
    let silent = "the model got no result for its call of acme_tickets";
    let searched = || [vec![user(1)], found("call-1", &[])].concat();
    let answered = vec![called("call-2", "acme_tickets"), result("call-2")];
    assert_eq!(refused([searched(), answered].concat()), "");
    assert_eq!(refused(searched()), silent);
    // The search is gone: a checkpoint came in between.
    assert_eq!(refused(vec![user(1)]), "");
    assert_eq!(refused(vec![user(1), called("call-2", "acme_tickets")]), silent);
}

/// A search and a call of `acme_weather` in one batch, of which the call gets no result: the clause
/// that asks for one.
fn beside(query: &str, marker: &[&str]) -> Vec<&'static str> {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", query), using("call-2", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    story.searched("call-1", marker);
    let rows = [vec![user(1)], found("call-1", &[])].concat();
    story.request(Api::OpenaiChat, &body(marker, rows), Answered::Text);
    story.end();
    let judgement = story.judged();
    let silent = |clause: &&str| found_of(&judgement, clause).contains("got no result");
    ["activation.same-batch", REFUSED].into_iter().filter(silent).collect()
}

#[test]
fn a_call_stands_beside_its_search_by_the_name_that_is_sought_or_the_marker() {
    assert_eq!(beside("acme_weather", &[]), ["activation.same-batch"]);
    assert_eq!(beside("rain", &["acme_weather"]), ["activation.same-batch"]);
    assert_eq!(beside("acme_tickets", &["acme_tickets"]), [REFUSED]);
}

/// A call of a tool that is not active, where the host is asked this.
fn asked(call: HostCall) -> Judgement {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![using("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    story.host(call, HostStatus::Ok);
    story.recorded("call-1", "acme_weather", Status::Error, None);
    let rows = vec![user(1), called("call-1", "acme_weather"), result("call-1")];
    story.request(Api::OpenaiChat, &body(&[], rows), Answered::Text);
    story.end();
    story.judged()
}

#[test]
fn a_host_call_belongs_to_a_call_by_its_id_or_else_by_its_tool_and_arguments() {
    let run = |call| found_of(&asked(call), REFUSED).contains("acme_weather was run");
    assert!(run(host_call(EXECUTE, Some("call-1"), "acme_weather")));
    assert!(run(host_call(EXECUTE, Some("fc_7|call-1"), "acme_weather")));
    assert!(!run(host_call(EXECUTE, Some("call-2"), "acme_weather")));
    assert!(run(host_call(EXECUTE, None, "acme_weather")));
    assert!(!run(host_call(EXECUTE, None, "acme_tickets")));
    let other = HostCall {
        arguments: Some(json!({"input": "else"})),
        ..host_call(EXECUTE, None, "acme_weather")
    };
    assert!(!run(other));
}

/// A search, and what the host was asked while it ran.
fn searched(call: Option<HostCall>) -> Story {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    if let Some(call) = call {
        story.host(call, HostStatus::Ok);
    }
    let rows = [vec![user(1)], found("call-1", &[])].concat();
    story.request(Api::OpenaiChat, &body(&["acme_weather"], rows), Answered::Text);
    story
}

#[test]
fn a_search_goes_to_the_host_neither_under_its_id_nor_under_its_name() {
    let by_id = HostCall { tool_name: None, ..host_call("log.write", Some("call-1"), "") };
    let by_name = host_call("log.write", None, "ToolSearch");
    for call in [by_id, by_name] {
        let mut story = searched(Some(call));
        story.searched("call-1", &["acme_weather"]);
        story.end();
        let found = found_of(&story.judged(), "search.local");
        assert_eq!(found, "the search made the host call `log.write`");
    }
}

fn call_row(id: &str) -> Row {
    let call = ToolCall { id: id.into(), name: "ToolSearch".into(), arguments: json!({}) };
    Row::Assistant { text: None, tool_calls: vec![call] }
}

fn result_row(id: &str) -> Row {
    Row::ToolResult {
        call_id: id.into(),
        tool_name: "ToolSearch".into(),
        status: Status::Ok,
        text: "done".to_owned(),
        added_tool_names: Some(vec!["acme_weather".into()]),
    }
}

#[test]
fn a_transcript_holds_a_search_by_its_call_and_its_result() {
    let kept = |rows: Vec<Row>| {
        let mut story = searched(None);
        for row in rows {
            story.write(row);
        }
        story.end();
        broken(&story.judged()).iter().all(|clause| *clause != "search.row")
    };
    assert!(kept(vec![call_row("call-1"), result_row("call-1")]));
    assert!(kept(vec![call_row("call-1|fc_7"), result_row("call-1|fc_7")]));
    assert!(!kept(vec![call_row("call-1")]));
    assert!(!kept(vec![result_row("call-1")]));
}

/// What becomes of a tool that is called in a second prompt, after a core tool had gone its way.
struct Used {
    outcome: Outcome,
    active: &'static [&'static str],
    aborted: bool,
    goes_on: bool,
}

impl Used {
    /// How often its way is held against that of the core tool.
    fn held(&self) -> u64 {
        let mut story = Story::over(PLAIN);
        story.prompt();
        let asks = calls(vec![using("call-0", "Read")]);
        story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
        story.host(host_call(EXECUTE, Some("call-0"), "Read"), HostStatus::Ok);
        story.used("call-0", "Read");
        let rows = vec![user(1), called("call-0", "Read"), result("call-0")];
        story.request(Api::OpenaiChat, &body(&[], rows), Answered::Text);
        story.end();
        story.prompt();
        let (tool, outcome, says) = ("acme_weather".into(), self.outcome, None);
        let call = Call::Use { tool, outcome, says };
        let asks = calls(vec![Issued { call, ..using("call-1", "acme_weather") }]);
        story.request(Api::OpenaiChat, &body(self.active, vec![user(2)]), asks);
        story.host(host_call(EXECUTE, Some("call-1"), "acme_weather"), HostStatus::Ok);
        if self.aborted {
            story.see(Seen::Aborted);
        }
        if self.goes_on {
            let rows = vec![user(2), called("call-1", "acme_weather"), result("call-1")];
            story.request(Api::OpenaiChat, &body(self.active, rows), Answered::Text);
        }
        story.end();
        premises(&story.judged(), "host.same-path")
    }
}

#[test]
fn a_way_through_the_host_is_known_of_what_was_active_and_ran_to_its_end() {
    let plain =
        || Used { outcome: Outcome::Ok, active: &["acme_weather"], aborted: false, goes_on: true };
    assert_eq!(plain().held(), 1);
    assert_eq!(Used { outcome: Outcome::Error, ..plain() }.held(), 0);
    assert_eq!(Used { active: &[], ..plain() }.held(), 0);
    assert_eq!(Used { aborted: true, ..plain() }.held(), 0);
    assert_eq!(Used { goes_on: false, ..plain() }.held(), 0);
}

/// A tool that the host denies under these methods, in this order.
fn denied(tool: &str, active: &[&str], asked: &[(&str, HostStatus)]) -> (String, u64) {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![using("call-1", tool)]);
    story.request(Api::OpenaiChat, &body(active, vec![user(1)]), asks);
    for (method, status) in asked {
        story.host(host_call(method, Some("call-1"), tool), *status);
    }
    story.recorded("call-1", tool, Status::Error, None);
    let rows = vec![user(1), called("call-1", tool), result("call-1")];
    story.request(Api::OpenaiChat, &body(active, rows), Answered::Text);
    story.end();
    let judgement = story.judged();
    (found_of(&judgement, "host.no-grant"), premises(&judgement, "host.no-grant"))
}

#[test]
fn an_active_tool_does_not_run_once_the_host_has_denied_it() {
    let active = &["acme_weather"];
    let (no, yes) = (HostStatus::Denied, HostStatus::Ok);
    let run_after = [("tool.permission", no), (EXECUTE, yes)];
    let (found, premises) = denied("acme_weather", active, &run_after);
    assert_eq!(
        (found.as_str(), premises),
        ("acme_weather was run after the host had denied it", 1)
    );
    // The call that is denied is not one that came after.
    assert_eq!(denied("acme_weather", active, &[(EXECUTE, no)]), (String::new(), 1));
    // It is asked of what was activated.
    assert_eq!(denied("Read", &[], &run_after).1, 0);
    assert_eq!(denied("acme_weather", &[], &run_after).1, 0);
}
