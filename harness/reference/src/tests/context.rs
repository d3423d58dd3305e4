//! Requests stay valid whatever the transcript holds.

use serde_json::json;
use tacit_contract::{Row, Status, ToolCall};

use super::{Play, kinds};
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
                added_tool_names: bool::arbitrary(g).then(|| vec![name(g).into()]),
            },
            _ if bool::arbitrary(g) => Row::Checkpoint { summary: "s".to_owned() },
            _ => Row::Assistant { text: Some("t".to_owned()), tool_calls: Vec::new() },
        })
    }
}

#[test]
fn a_request_is_valid_over_any_rows_and_every_kind_of_provider() {
    // The world checks each request as a strict provider would.
    fn holds(rows: Vec<AnyRow>) -> bool {
        let rows: Vec<_> = rows.into_iter().map(|row| row.0).collect();
        let shown = kinds().into_iter().map(|kind| {
            let mut play = Play::over(kind);
            play.seed(rows.clone());
            play.prompt("p", vec![]);
            play.world.last_shown().definitions
        });
        let shown: Vec<_> = shown.collect();
        shown.iter().all(|other| *other == shown[0])
    }
    QuickCheck::new().tests(100).quickcheck(holds as fn(Vec<AnyRow>) -> bool);
}
