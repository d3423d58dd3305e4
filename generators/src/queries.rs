//! Queries: what the scripted model gives the search tool.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::SBoxedStrategy;
use serde_json::{Value, json};
use tacit_contract::Query;

use crate::hostile::{self, OTHER_SCRIPTS};
use crate::names::{BULK, UNKNOWN, core, known, weighted};
use crate::occasions;
use crate::setting::Setting;
use crate::universe::{BROAD_WORDS, PLUGINS, UNIVERSE};

/// Queries that no description or name answers.
const MISSES: [&str; 5] =
    ["quantum trombone", "zebra", "xylophone lessons", "umbrella", "vacuum cleaner repair"];

const BLANKS: [&str; 5] = ["", " ", "   \t", "\n", "\u{a0}"];

/// Queries that hold a broad word.
const BROAD: [&str; 8] = [
    "project",
    "team",
    "page",
    "project team",
    "PROJECT",
    "anything for the project",
    "every page of the team",
    "Plugin",
];

/// Numbers above the four that a search may activate.
const LIMITS: [u32; 6] = [5, 6, 10, 50, 1000, u32::MAX];

fn texts(texts: &[&str]) -> SBoxedStrategy<Query> {
    select(texts.iter().copied().map(Query::text).collect::<Vec<_>>()).sboxed()
}

/// The exact name of a tool of the universe.
pub fn exact() -> SBoxedStrategy<Query> {
    known().prop_map(|name| Query::text(name.as_str())).sboxed()
}

/// Two words that stand in one tool's description and in no other's.
pub fn capability() -> SBoxedStrategy<Query> {
    let queries: Vec<Query> = UNIVERSE
        .iter()
        .flat_map(|entry| {
            let [first, second] = entry.own_words;
            let both = [format!("{first} {second}"), format!("{second} {first}")];
            std::iter::repeat_n(both, entry.weight).flatten()
        })
        .map(Query::text)
        .collect();
    select(queries).sboxed()
}

/// A query with more matches than a search may activate, where the registry has them.
pub fn broad() -> SBoxedStrategy<Query> {
    weighted(vec![
        (5, select(BROAD_WORDS.map(Query::text).to_vec()).sboxed()),
        (3, texts(&BROAD)),
        (1, texts(&["stock warehouse", "item"])),
    ])
}

/// All of one plugin.
pub fn plugin_wide() -> SBoxedStrategy<Query> {
    texts(&PLUGINS)
}

/// Several exact names in one query.
pub fn several() -> SBoxedStrategy<Query> {
    (known(), known(), select(vec![" ", ", ", "\n"]))
        .prop_map(|(first, second, between)| Query::text(format!("{first}{between}{second}")))
        .sboxed()
}

/// A name that is decorated, or cut down to what stands after its plugin's prefix.
pub fn decorated() -> SBoxedStrategy<Query> {
    let decorate = |name: &str, how: u8| match how {
        0 => format!("\"{name}\""),
        1 => format!("`{name}`"),
        2 => format!("{name}."),
        3 => name.to_lowercase(),
        4 => name.to_uppercase(),
        5 => format!("  {name} "),
        6 => format!("select:{name}"),
        _ => name.split_once('_').map_or(name, |(_, rest)| rest).to_owned(),
    };
    (known(), 0_u8..=7)
        .prop_map(move |(name, how)| Query::text(decorate(name.as_str(), how)))
        .sboxed()
}

/// A name with exactly one thing about it that is not as it is spelt: quotes, a full stop, another
/// letter case, or no prefix.
pub fn disguised() -> SBoxedStrategy<Query> {
    let disguise = |name: &str, how: u8| match how {
        0 => format!("\"{name}\""),
        1 => format!("`{name}`"),
        2 => format!("{name}."),
        3 => name.to_lowercase(),
        4 => name.to_uppercase(),
        _ => name.split_once('_').map_or_else(|| name.to_lowercase(), |(_, rest)| rest.to_owned()),
    };
    (known(), 0_u8..=5)
        .prop_map(move |(name, how)| Query::text(disguise(name.as_str(), how)))
        .sboxed()
}

/// Two to four distinct names in one query.
pub fn list() -> SBoxedStrategy<Query> {
    (proptest::collection::vec(known(), 2..=4), select(vec![" ", ", ", "\n"]))
        .prop_map(|(names, between)| {
            let mut once: Vec<&str> = Vec::new();
            for name in &names {
                if !once.contains(&name.as_str()) {
                    once.push(name.as_str());
                }
            }
            Query::text(once.join(between))
        })
        .sboxed()
}

/// A query in another script, for a tool that is described in it.
pub fn in_another_script() -> SBoxedStrategy<Query> {
    texts(&occasions::queries(&occasions::SCRIPTS))
}

/// A query whose best match is sure, among tools that only seem to match.
pub fn in_words() -> SBoxedStrategy<Query> {
    texts(&occasions::queries(&occasions::WORDS))
}

/// A query for a tool that matches behind several which most modes forbid.
pub fn behind_forbidden() -> SBoxedStrategy<Query> {
    texts(&occasions::queries(&occasions::FORBIDDEN))
}

/// Arguments that are no JSON: cut off, in another notation, or no arguments at all.
pub fn without_json() -> SBoxedStrategy<Query> {
    let texts = ["", "{\"query\": \"Skill\"", "{'query': 'Skill'}", "query: Skill", "{", "Skill"];
    select(texts.map(|text| Query::NotJson { text: text.to_owned() }).to_vec()).sboxed()
}

/// A query that asks for nothing: blank, missing, or of another JSON type.
pub fn empty() -> SBoxedStrategy<Query> {
    weighted(vec![(3, texts(&BLANKS)), (1, Just(Query::Missing).sboxed()), (3, odd())])
}

fn odd() -> SBoxedStrategy<Query> {
    let values: Vec<Value> = vec![
        // Twice, since it is what most clients send for an argument that is not there.
        Value::Null,
        Value::Null,
        json!(7),
        json!(-0.5),
        json!(true),
        json!([]),
        json!(["Skill"]),
        json!(["acme_weather", "PluginCheck"]),
        json!({}),
        json!({"query": "Skill"}),
    ];
    select(values).prop_map(|value| Query::Odd { value }).sboxed()
}

/// A query that matches no tool, or only what a search must not find.
pub fn miss(setting: &Setting) -> SBoxedStrategy<Query> {
    let named = core(setting).prop_map(|name| Query::text(name.as_str()));
    let own = Query::text(setting.search_tool.as_str());
    weighted(vec![
        (4, texts(&MISSES)),
        (2, texts(&UNKNOWN)),
        (3, named.sboxed()),
        (1, Just(own).sboxed()),
    ])
}

/// The same query, asking for more matches than the contract allows.
fn limited() -> SBoxedStrategy<Query> {
    let text = weighted(vec![(7, broad()), (1, exact())]);
    (text, select(LIMITS.to_vec()))
        .prop_map(|(query, limit)| match query {
            Query::Text { text } => Query::Limited { text, limit },
            other => other,
        })
        .sboxed()
}

fn hostile() -> SBoxedStrategy<Query> {
    hostile::short_text().prop_map(Query::text).sboxed()
}

/// Every kind of query, those that find something most.
pub fn queries(setting: &Setting) -> SBoxedStrategy<Query> {
    weighted(vec![
        (40, exact()),
        (14, capability()),
        (12, broad()),
        (4, plugin_wide()),
        (7, several()),
        (9, decorated()),
        (6, empty()),
        (6, miss(setting)),
        (if setting.limit { 8 } else { 0 }, limited()),
        (2, texts(&BULK)),
        (1, hostile()),
        (1, texts(&OTHER_SCRIPTS.map(|[_, _, query]| query))),
    ])
}
