//! `isolation.sessions`: two sessions that have one tool in two versions.

use std::sync::Arc;

use crate::common::{PLAIN, Story, body, found_of, premises, tools, user};
use crate::registry::{lines, listing, sent, set, updated, with};
use serde_json::Value;
use tacit_contract::protocol::Api;
use tacit_contract::trace::{Answered, From};
use tacit_contract::{Mode, Seen, Tool};

const CLAUSE: &str = "isolation.sessions";

/// What is found of a request, where another session has these tools.
fn beside(others: Vec<Tool>, had_before: bool, request: &Value) -> (String, u64) {
    let mut story = Story::over(PLAIN);
    if had_before {
        set(&mut story, updated());
        set(&mut story, tools());
    }
    story.go_to("session-2");
    let (api, native, from) = (Api::OpenaiChat, false, From::Nothing);
    story.see(Seen::Opened { mode: Mode::Agent, tools: Arc::new(others), api, native, from });
    story.prompt();
    story.end();
    story.go_to("session-1");
    story.prompt();
    story.request(Api::OpenaiChat, request, Answered::Text);
    story.end();
    let judgement = story.judged();
    (found_of(&judgement, CLAUSE), premises(&judgement, CLAUSE))
}

fn listed(tools: &[Tool]) -> Value {
    listing(body(&[], vec![user(2)]), &lines(tools))
}

#[test]
fn a_session_lists_and_shows_its_own_version_of_a_tool() {
    assert_eq!(beside(updated(), false, &listed(&tools())), (String::new(), 2));
    let one_of_each = [updated()[0].clone(), tools()[1].clone()];
    let (found, _) = beside(updated(), false, &listed(&one_of_each));
    assert_eq!(found, "acme_weather has the line in the catalog that it has in another session");
    let (found, premises) = beside(updated(), false, &listed(&updated()));
    assert_eq!(premises, 2);
    assert!(
        found.contains("acme_weather has the line in the catalog that it has in another session")
    );
    let theirs = with(listed(&tools()), vec![sent(&updated()[0])]);
    let (found, _) = beside(updated(), false, &theirs);
    for what in ["the schema", "the description"] {
        let told = format!("acme_weather has {what} that it has in another session");
        assert!(found.contains(&told), "{found}");
    }
}

#[test]
fn a_version_that_both_have_or_that_was_here_before_is_none_of_another_session_s() {
    assert_eq!(beside(tools(), false, &listed(&tools())), (String::new(), 0));
    assert_eq!(beside(updated(), true, &listed(&updated())), (String::new(), 0));
}
