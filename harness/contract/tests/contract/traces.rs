//! What a trace holds: scripted calls, and the points of a timeline.

use tacit_contract::timeline::{Point, PromptPoint};
use tacit_contract::trace::Issued;
use tacit_contract::{Call, Mode, ProviderKind, Query};

fn issued(call: Call) -> Issued {
    let arguments = serde_json::Value::Null;
    Issued { id: "call-1".into(), tool: "ToolSearch".into(), arguments, call }
}

fn search(query: Query) -> Issued {
    issued(Call::Search { query })
}

#[test]
fn a_search_has_a_query_where_its_arguments_have_a_text() {
    assert_eq!(search(Query::text("rain")).query(), Some("rain"));
    assert_eq!(search(Query::Missing).query(), None);
    assert_eq!(issued(Call::Read).query(), None);
}

#[test]
fn arguments_that_are_no_json_are_told_from_all_others() {
    let cut = Query::NotJson { text: "{\"query\": \"ra".to_owned() };
    assert!(!search(cut).is_json());
    assert!(search(Query::Missing).is_json() && issued(Call::Read).is_json());
}

#[test]
fn a_point_stands_at_its_entry() {
    let point = Point::Prompt(PromptPoint {
        session: "session-1".into(),
        entry: 5,
        prompt: 1,
        mode: Mode::Agent,
        provider: ProviderKind::PLAINEST,
        text: "now".to_owned(),
    });
    assert_eq!(point.entry(), 5);
}
