//! What holds of the activation core for any registry, query and transcript.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use quickcheck::{Arbitrary, Gen, quickcheck};
use serde_json::json;
use tacit_contract::{Mode, Origin, Revision, Row, Status, Tool, ToolCall};

use super::deferred;
use crate::activation::{ActiveSet, Placement, Registry, SEARCH, View, restored};
use crate::own;

const NAMES: [&str; 8] = [
    "Skill",
    "acme_weather",
    "acme_tickets",
    "BrowserPreview",
    "PluginPack",
    "zoo",
    "Read",
    "gone",
];
const WORDS: [&str; 8] = ["weather", "city", "page", "pack", "skill", "天気", "погода", "the"];

fn some(g: &mut Gen, from: &[&'static str]) -> &'static str {
    g.choose(from).copied().unwrap_or_default()
}

fn words(g: &mut Gen) -> String {
    let count = usize::arbitrary(g) % 5;
    (0..count).map(|_| some(g, &WORDS)).collect::<Vec<_>>().join(" ")
}

/// A registry of a few tools, some of which a mode forbids.
#[derive(Debug, Clone)]
struct AnyTools(Vec<Tool>);

impl Arbitrary for AnyTools {
    fn arbitrary(g: &mut Gen) -> Self {
        let count = usize::arbitrary(g) % 12;
        let tools = (0..count).map(|n| {
            let name =
                if bool::arbitrary(g) { some(g, &NAMES).to_owned() } else { format!("t{n}") };
            let mut tool = deferred(&name, &words(g), Origin::plugin(some(g, &["acme", "t"])));
            if u8::arbitrary(g) % 4 == 0 {
                tool.modes.remove(&Mode::Agent);
            }
            tool
        });
        Self(tools.collect())
    }
}

impl AnyTools {
    fn view(self) -> View {
        View::new(Rc::new(Registry::new(own::tools(Revision::R3), self.0)), Mode::Agent)
    }
}

/// A query that may be a name, a list of names, words, or nothing at all.
#[derive(Debug, Clone)]
struct AnyQuery(String);

impl Arbitrary for AnyQuery {
    fn arbitrary(g: &mut Gen) -> Self {
        Self(match u8::arbitrary(g) % 4 {
            0 => some(g, &NAMES).to_owned(),
            1 => format!("`{}` and {}.", some(g, &NAMES), some(g, &NAMES)),
            2 => words(g),
            _ => String::arbitrary(g),
        })
    }
}

/// A whole turn of a transcript: one call and what came of it.
#[derive(Debug, Clone)]
struct AnyTurn(Vec<Row>);

impl Arbitrary for AnyTurn {
    fn arbitrary(g: &mut Gen) -> Self {
        let tool = if bool::arbitrary(g) { SEARCH } else { some(g, &NAMES) };
        // Turns are put together in any order: an id of its own tells each from the others.
        let id = u64::arbitrary(g).to_string();
        let call = ToolCall { id: id.as_str().into(), name: tool.into(), arguments: json!({}) };
        let mut rows = vec![
            Row::User { text: words(g) },
            Row::Assistant { text: Some(words(g)), tool_calls: vec![call] },
        ];
        if u8::arbitrary(g) % 5 != 0 {
            let statuses = [Status::Ok, Status::Ok, Status::Error, Status::Interrupted];
            let marker = (0..u8::arbitrary(g) % 6).map(|_| some(g, &NAMES).into()).collect();
            rows.push(Row::ToolResult {
                call_id: id.into(),
                tool_name: tool.into(),
                status: g.choose(&statuses).copied().unwrap_or(Status::Error),
                text: words(g),
                added_tool_names: bool::arbitrary(g).then_some(marker),
            });
        }
        Self(rows)
    }
}

fn rows(turns: &[AnyTurn]) -> Vec<Row> {
    turns.iter().flat_map(|turn| turn.0.clone()).collect()
}

fn set(rows: &[Row], view: &View) -> BTreeSet<String> {
    restored(rows, view).iter().map(|tool| tool.name.to_string()).collect()
}

quickcheck! {
    fn a_search_activates_few_new_tools_of_the_mode(
        tools: AnyTools, query: AnyQuery, active: Vec<u8>, most: u8
    ) -> bool {
        let view = tools.view();
        let most = usize::from(most % 4) + 1;
        let active: ActiveSet = active
            .iter()
            .filter_map(|place| view.deferred().get(usize::from(*place)).cloned())
            .collect();
        let selection = view.select(&query.0, &active, most);
        let names: BTreeSet<_> = selection.activated.iter().map(|tool| &tool.name).collect();
        let text = selection.text();
        names.len() == selection.activated.len()
            && names.len() <= most
            && names.iter().all(|name| {
                view.find_deferred(name.as_str()).is_some()
                    && !active.contains(name.as_str())
                    && text.contains(name.as_str())
            })
            && text.len() < 1000
    }

    fn a_name_activates_its_tool_among_any_others(tools: AnyTools, place: usize) -> bool {
        let view = tools.view();
        let Some(tool) = view.deferred().get(place % view.deferred().len().max(1)) else {
            return true;
        };
        [tool.name.to_string(), format!("\"{}\".", tool.name), tool.name.as_str().to_uppercase()]
            .iter()
            .all(|query| {
                let found = view.select(query, &ActiveSet::default(), 4).activated;
                found.first().is_some_and(|first| first.name.as_str().eq_ignore_ascii_case(tool.name.as_str()))
            })
    }

    fn words_that_one_tool_holds_activate_it(tools: AnyTools, text: AnyQuery) -> bool {
        let mut tools = tools.0;
        let wanted = format!("amber {} harbour", text.0);
        tools.retain(|tool| tool.name != "wanted");
        tools.push(deferred("wanted", &wanted, Origin::plugin("w")));
        let found = AnyTools(tools).view().select("amber harbour", &ActiveSet::default(), 4);
        found.activated.first().is_some_and(|first| first.name == "wanted")
    }

    fn the_order_of_turns_does_not_matter(tools: AnyTools, turns: Vec<AnyTurn>) -> bool {
        let view = tools.view();
        let mut turned = turns.clone();
        turned.reverse();
        set(&rows(&turns), &view) == set(&rows(&turned), &view)
    }

    fn more_evidence_never_removes(tools: AnyTools, turns: Vec<AnyTurn>, more: AnyTurn) -> bool {
        let view = tools.view();
        let before = set(&rows(&turns), &view);
        before.is_subset(&set(&rows(&[turns, vec![more]].concat()), &view))
    }

    fn only_what_the_mode_defers_comes_back(tools: AnyTools, turns: Vec<AnyTurn>) -> bool {
        let view = tools.view();
        set(&rows(&turns), &view).iter().all(|name| view.find_deferred(name).is_some())
    }

    fn nothing_comes_back_from_before_a_checkpoint(
        tools: AnyTools, before: Vec<AnyTurn>, after: Vec<AnyTurn>
    ) -> bool {
        let view = tools.view();
        let mut all = rows(&before);
        all.push(Row::Checkpoint { summary: "Skill".to_owned() });
        all.extend(rows(&after));
        set(&all, &view) == set(&rows(&after), &view)
    }

    fn each_tool_stands_in_one_place_and_later_rows_move_none(
        tools: AnyTools, turns: Vec<AnyTurn>, more: AnyTurn
    ) -> bool {
        let view = tools.view();
        let place = |turns: &[AnyTurn]| {
            let rows = rows(turns);
            let active: ActiveSet = restored(&rows, &view).into_iter().collect();
            let sent: Vec<_> = view.always().iter().chain(&active).cloned().collect();
            let count = sent.len();
            (Placement::native(sent, &active, &rows, 0), count)
        };
        let (before, count) = place(&turns);
        let loaded = before.loaded.values().flatten();
        let once: BTreeSet<_> = before.listed.iter().chain(loaded).map(|tool| &tool.name).collect();
        let (after, _) = place(&[turns.clone(), vec![more]].concat());
        let keeps = |(row, tools): (&usize, &Vec<Arc<Tool>>)| after.loaded.get(row) == Some(tools);
        once.len() == count
            && count == before.listed.len() + before.loaded.values().flatten().count()
            && before.loaded.iter().all(keeps)
    }

    fn prose_and_failures_change_nothing(tools: AnyTools, turns: Vec<AnyTurn>) -> bool {
        let view = tools.view();
        let all = rows(&turns);
        let telling = all.iter().filter_map(|row| match row {
            Row::User { .. } => None,
            Row::Assistant { tool_calls, .. } => {
                Some(Row::Assistant { text: None, tool_calls: tool_calls.clone() })
            }
            Row::ToolResult { status, .. } if *status != Status::Ok => None,
            other => Some(other.clone()),
        });
        set(&all, &view) == set(&telling.collect::<Vec<_>>(), &view)
    }
}
