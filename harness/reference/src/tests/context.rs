//! Requests stay valid whatever the transcript holds.

use serde_json::json;
use tacit_contract::{Row, Status, ToolCall};

use super::Play;
use quickcheck::{Arbitrary, Gen, QuickCheck};

/// A row of a small world, so that ids and names meet often.
#[derive(Debug, Clone)]
struct AnyRow(Row);

impl Arbitrary for AnyRow {
    fn arbitrary(g: &mut Gen) -> Self {
        let id = |g: &mut Gen| *g.choose(&["a", "b", "c"]).unwrap();
        let name = |g: &mut Gen| *g.choose(&["Skill", "ToolSearch", "Read", "no one!"]).unwrap();
        Self(match u8::arbitrary(g) % 5 {
            0 => Row::User { text: "u".to_owned() },
            1 | 2 => {
                let mut ids = vec!["a", "b", "c"];
                ids.truncate(usize::arbitrary(g) % 4);
                let calls = ids.into_iter().map(|id| ToolCall {
                    id: id.into(),
                    name: name(g).into(),
                    arguments: json!({}),
                });
                Row::Assistant { text: None, tool_calls: calls.collect() }
            }
            3 => Row::ToolResult {
                call_id: id(g).into(),
                tool_name: name(g).into(),
                status: *g.choose(&[Status::Ok, Status::Error, Status::Interrupted]).unwrap(),
                text: String::new(),
                added_tool_names: None,
            },
            _ if bool::arbitrary(g) => Row::Checkpoint { summary: "s".to_owned() },
            _ => Row::Assistant { text: Some("t".to_owned()), tool_calls: Vec::new() },
        })
    }
}

#[test]
fn a_request_is_valid_over_any_rows() {
    // The world checks each request as a strict provider would.
    fn holds(rows: Vec<AnyRow>) -> bool {
        let mut play = Play::new();
        play.seed(rows.into_iter().map(|row| row.0).collect());
        play.prompt("p", vec![]);
        true
    }
    QuickCheck::new().tests(200).quickcheck(holds as fn(Vec<AnyRow>) -> bool);
}
