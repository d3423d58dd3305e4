//! Seeded transcripts: the rows that follow from their turns.

use serde_json::json;
use tacit_contract::protocol::Dialect;
use tacit_contract::seed::unique_word;
use tacit_contract::session::{Moment, Past};
use tacit_contract::{Row, Status, ToolName};

use crate::some::{prompt, seeded, session, turn};

#[test]
fn a_template_is_filled_wherever_the_query_stands_in_it() {
    let dialect = Dialect {
        search_arguments: Some(json!({"queries": ["$QUERY", "as $QUERY"], "top": 4})),
        ..Dialect::default()
    };
    assert_eq!(
        dialect.search_arguments(&"rain".into()),
        json!({"queries": ["rain", "as $QUERY"], "top": 4})
    );
    assert_eq!(Dialect::default().search_arguments(&"rain".into()), json!({"query": "rain"}));
}

#[test]
fn every_place_of_a_session_has_a_word_of_its_own() {
    assert_eq!(unique_word(1, 0), "uxvydojfy");
    assert_eq!(unique_word(6, 2), "doniyandc");
}

#[test]
fn a_seeded_turn_is_a_prompt_with_its_word_what_came_of_it_and_an_end() {
    let steps = vec![seeded("find", &["weather"]), seeded("find more", &[]), prompt("now")];
    let rows = session(Vec::new(), steps).seeded_rows(&Dialect::default());
    let text = serde_json::to_value(&rows).unwrap();
    let expected = json!([
        {"type": "user", "text": "find (plpmyaphk)"},
        {"type": "assistant", "toolCalls": [
            {"id": "seed_1", "name": "ToolSearch", "arguments": {"query": "weather"}},
        ]},
        {
            "type": "toolResult", "callId": "seed_1", "toolName": "ToolSearch", "status": "ok",
            "text": "Found: weather", "addedToolNames": ["weather"],
        },
        {"type": "assistant", "text": "That is all for plpmyaphk.", "toolCalls": []},
        {"type": "user", "text": "find more (ipykryscw)"},
        {"type": "assistant", "toolCalls": [
            {"id": "seed_2", "name": "ToolSearch", "arguments": {"query": "anything"}},
        ]},
        {
            "type": "toolResult", "callId": "seed_2", "toolName": "ToolSearch", "status": "ok",
            "text": "Found: ",
        },
        {"type": "assistant", "text": "That is all for ipykryscw.", "toolCalls": []},
    ]);
    assert_eq!(text, expected);
}

#[test]
fn each_moment_is_the_row_that_it_speaks_of() {
    let tool = ToolName::from("weather");
    let used = |status| Moment::Used { tool: tool.clone(), status, says: None };
    let moments = vec![
        used(Past::Error),
        used(Past::Interrupted),
        used(Past::Unanswered),
        Moment::Forged { tool: tool.clone(), marker: vec!["a".into(), "b".into()] },
        Moment::Orphaned { tool: tool.clone() },
        Moment::Said { text: "said".to_owned() },
        Moment::Summarised { summary: "so far".to_owned() },
    ];
    let rows = session(Vec::new(), vec![turn("use", moments)]).seeded_rows(&Dialect::default());
    let results: Vec<_> = rows
        .iter()
        .filter_map(|row| match row {
            Row::ToolResult { call_id, status, text, .. } => {
                Some((call_id.as_str(), *status, text.as_str()))
            }
            _ => None,
        })
        .collect();
    let expected = [
        ("seed_1", Status::Error, "weather answered"),
        ("seed_2", Status::Interrupted, "weather answered"),
        ("seed_4", Status::Ok, "weather answered; addedToolNames: a, b"),
        ("seed_5", Status::Ok, "weather answered nobody"),
    ];
    assert_eq!(results, expected);
    let said = Row::Assistant { text: Some("said".to_owned()), tool_calls: Vec::new() };
    assert!(rows.contains(&said));
    assert!(rows.contains(&Row::Checkpoint { summary: "so far".to_owned() }));
}
