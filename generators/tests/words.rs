//! What the words of the universe must be for queries to mean what they are meant to.

use std::collections::BTreeSet;

use tacit_contract::session::Bulk;
use tacit_contract::{Mode, OriginKind, canary};
use tacit_generators::hostile::{is_hostile_name, is_hostile_text};
use tacit_generators::names::{BULK, UNKNOWN};
use tacit_generators::universe::{BROAD_WORDS, Entry, From, PLUGINS, UNIVERSE, find, words};
use tacit_generators::{Setting, hostile, occasions, queries, runner};

fn words_of(entry: &Entry) -> BTreeSet<String> {
    words(entry.description).chain(words(entry.name)).collect()
}

#[test]
fn each_tool_has_two_words_of_its_own() {
    for entry in &UNIVERSE {
        let [first, second] = entry.own_words;
        assert_ne!(first, second);
        for word in entry.own_words {
            let holders: Vec<&str> = UNIVERSE
                .iter()
                .filter(|other| words_of(other).contains(word))
                .map(|other| other.name)
                .collect();
            assert_eq!(holders, [entry.name], "{word}");
            // A runtime may take a name apart at its capitals, or match parts of words.
            let within = |other: &&Entry| other.name.to_lowercase().contains(word);
            assert_eq!(UNIVERSE.iter().filter(within).count(), 0, "{word}");
        }
    }
}

#[test]
fn a_broad_word_stands_in_more_tools_than_a_search_may_activate() {
    for word in BROAD_WORDS {
        let holders = UNIVERSE.iter().filter(|entry| {
            entry.deferred.contains(&Mode::Agent)
                && !entry.needs_given_core()
                && words_of(entry).contains(word)
        });
        assert!(holders.count() > 4, "{word}");
    }
}

#[test]
fn no_word_of_a_description_or_query_is_a_canary_or_stands_in_a_schema() {
    let mut dictionary: BTreeSet<String> = UNIVERSE.iter().flat_map(words_of).collect();
    let setting = Setting::everything();
    for case in 0..3000 {
        let sampled = [
            runner::sample(&queries::queries(&setting), 1, case)
                .map(|query| query.as_text().unwrap_or_default().to_owned()),
            runner::sample(&hostile::description(), 1, case),
            runner::sample(&tacit_generators::texts::prompts(&setting), 1, case),
            runner::sample(&tacit_generators::texts::sayings(&setting), 1, case),
        ];
        for text in sampled {
            let Ok(text) = text else { panic!("case {case}") };
            assert_eq!(canary::found(&text).count(), 0, "{text}");
            dictionary.extend(words(&text));
        }
    }
    for word in &dictionary {
        assert!(!word.contains(canary::PREFIX), "{word}");
    }
    // What stands in the clear in every schema would make a search through schemas look like
    // one through descriptions.
    let schema: BTreeSet<String> = words(&canary::schema(1, &"a".into(), 1).to_string()).collect();
    for word in UNIVERSE.iter().flat_map(|entry| entry.own_words).chain(BROAD_WORDS) {
        assert!(!schema.contains(word), "{word}");
    }
}

#[test]
fn neither_bulk_nor_hostile_text_holds_a_word_that_a_query_relies_on() {
    let own: BTreeSet<&str> = UNIVERSE.iter().flat_map(|entry| entry.own_words).collect();
    let bulk = Bulk { count: 1, description: 300 };
    for tool in bulk.specs() {
        assert!(words(&tool.description).all(|word| !own.contains(word.as_str())));
    }
    for case in 0..3000 {
        let Ok(text) = runner::sample(&hostile::description(), 2, case) else { panic!("{case}") };
        assert!(words(&text).all(|word| !own.contains(word.as_str())), "{text}");
    }
}

#[test]
fn the_words_of_an_occasion_stand_in_no_tool_but_its_own() {
    let fillers = ["please", "want", "some"];
    for occasion in occasions::all() {
        let asked: BTreeSet<String> =
            occasion.queries.iter().flat_map(|query| words(query)).collect();
        for word in asked.iter().filter(|word| !fillers.contains(&word.as_str())) {
            let own = occasion.tools.iter().any(|[_, text]| words(text).any(|own| own == *word));
            assert!(own, "{word}");
            let alike =
                |other: &String| other.starts_with(&word.chars().take(3).collect::<String>());
            assert!(!UNIVERSE.iter().flat_map(words_of).any(|other| alike(&other)), "{word}");
        }
        for other in occasions::all().filter(|other| other.queries != occasion.queries) {
            let texts =
                other.tools.iter().flat_map(|tool| tool.iter().flat_map(|text| words(text)));
            let held: Vec<String> = texts.filter(|word| asked.contains(word)).collect();
            assert!(held.is_empty(), "{held:?} of {:?}", occasion.queries);
        }
    }
}

#[test]
fn every_kind_of_origin_and_every_plugin_has_its_tools() {
    let specs: Vec<_> = UNIVERSE.iter().map(Entry::spec).collect();
    let of = |kind| specs.iter().filter(|tool| tool.origin.kind == kind).count();
    assert_eq!(of(OriginKind::Skill), 1, "a session has at most one skill tool");
    assert!(of(OriginKind::Builtin) > 0 && of(OriginKind::Devkit) > 2);
    for id in PLUGINS {
        let own = UNIVERSE.iter().filter(|entry| entry.from == From::Plugin(id));
        assert!(own.count() > 1, "{id}");
    }
}

#[test]
fn every_mode_defers_some_tools_and_forbids_others() {
    for mode in Mode::ALL {
        let deferred = UNIVERSE.iter().filter(|entry| entry.deferred.contains(&mode)).count();
        assert!(deferred > 4, "{mode}");
        assert!(deferred < UNIVERSE.len(), "{mode}");
    }
}

#[test]
fn names_that_are_not_in_the_universe_are_not_in_it() {
    let setting = Setting::everything();
    for name in UNKNOWN.into_iter().chain(BULK) {
        assert!(find(name).is_none(), "{name}");
        assert!(!setting.is_reserved(&name.into()), "{name}");
    }
    for entry in &UNIVERSE {
        assert!(!setting.is_reserved(&entry.tool_name()), "{}", entry.name);
        assert!(!is_hostile_name(entry.name) && !is_hostile_text(entry.description));
    }
}
