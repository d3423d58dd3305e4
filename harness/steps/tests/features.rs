//! The built-in features: each can be run, and together they cover the contract.

use std::collections::BTreeSet;

use tacit_contract::clause::{Level, clause, clauses};
use tacit_steps::catalogue::{ScenarioInfo, Selection, built_in, catalogue};
use tacit_steps::source::{scenarios, steps};
use tacit_steps::vocabulary::{phrase_of, phrases};

fn all() -> Vec<ScenarioInfo> {
    catalogue(&built_in().unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn every_feature_can_be_read_and_every_step_is_known() {
    for source in built_in().unwrap_or_else(|error| panic!("{error}")) {
        for (rule, scenario) in scenarios(&source.feature) {
            for step in steps(&source.feature, rule, scenario) {
                assert!(phrase_of(step).is_some(), "{}: {}", source.path, step.value);
            }
        }
    }
}

#[test]
fn every_tag_of_a_clause_names_one() {
    for scenario in all() {
        for id in scenario.values("clause:") {
            assert!(clause(id).is_some(), "{}:{}: {id}", scenario.feature, scenario.line);
        }
    }
}

#[test]
fn every_must_clause_has_a_rule_with_a_scenario_of_its_own() {
    let mut ruled = BTreeSet::new();
    for source in built_in().unwrap_or_else(|error| panic!("{error}")) {
        for rule in &source.feature.rules {
            let played =
                rule.scenarios.iter().any(|s| !s.tags.iter().any(|t| t.starts_with("property:")));
            assert!(played, "{}: the rule `{}` plays nothing itself", source.path, rule.name);
            ruled.extend(
                rule.tags.iter().filter_map(|tag| tag.strip_prefix("clause:").map(str::to_owned)),
            );
        }
    }
    for clause in clauses().iter().filter(|clause| clause.level == Level::Must) {
        assert!(ruled.contains(clause.id.as_str()), "{} has no rule", clause.id);
    }
}

#[test]
fn every_rule_stands_in_the_feature_of_its_family() {
    for source in built_in().unwrap_or_else(|error| panic!("{error}")) {
        let family = source.feature.tags.iter().find_map(|tag| tag.strip_prefix("family:"));
        let family = family.unwrap_or_else(|| panic!("{} names no family", source.path));
        for rule in &source.feature.rules {
            for id in rule.tags.iter().filter_map(|tag| tag.strip_prefix("clause:")) {
                assert_eq!(id.split('.').next(), Some(family), "{}: {id}", source.path);
            }
        }
    }
}

#[test]
fn every_property_and_every_law_has_one_scenario() {
    let properties = [
        "sessions",
        "searches",
        "uses",
        "transcripts",
        "restarts",
        "context",
        "modes",
        "plugins",
        "catalogs",
        "providers",
        "same-over-apis",
        "isolation",
    ];
    let laws = [
        "evidence-is-all",
        "irrelevant-rows",
        "order",
        "more-evidence",
        "registry-texts",
        "growth",
    ];
    let all = all();
    for (ids, law) in [(&properties[..], false), (&laws[..], true)] {
        for id in ids {
            let found = all.iter().filter(|s| s.property.as_ref().is_some_and(|p| p == id));
            assert_eq!(found.map(|s| s.law).collect::<Vec<_>>(), vec![law], "{id}");
        }
    }
}

#[test]
fn no_two_scenarios_of_a_feature_have_one_title() {
    let mut seen = BTreeSet::new();
    for scenario in all() {
        let title = (scenario.feature.clone(), scenario.name.clone());
        assert!(seen.insert(title), "{}:{}: {}", scenario.feature, scenario.line, scenario.name);
    }
}

#[test]
fn every_phrase_is_used_in_a_feature_or_is_for_counterexamples() {
    let mut used = BTreeSet::new();
    for source in built_in().unwrap_or_else(|error| panic!("{error}")) {
        for (rule, scenario) in scenarios(&source.feature) {
            used.extend(
                steps(&source.feature, rule, scenario)
                    .filter_map(|s| phrase_of(s).map(|p| p.pattern)),
            );
        }
    }
    let rare = [
        "the seed {text}",
        "a provider of {text}",
        "a provider of {text} that loads tools",
        "the model, though nobody asked,",
        "the session is saved and opened again",
        "the runtime is restarted, and the session opened from its rows",
        "{request} shows no deferred tool but {names}",
    ];
    for phrase in phrases() {
        assert_ne!(
            used.contains(phrase.pattern),
            rare.contains(&phrase.pattern),
            "{}",
            phrase.pattern
        );
    }
}

#[test]
fn scenarios_are_selected_by_tag_title_and_clause() {
    let all = all();
    let count = |selection: Selection| all.iter().filter(|info| selection.takes(info)).count();
    let restart = Selection::all().tagged("@clause:restore.restart and not @property:restarts");
    assert_eq!(count(restart.unwrap()), 4);
    assert_eq!(count(Selection::all().named(["A greeting is".to_owned()])), 1);
    assert!(count(Selection::all().about(["search.exact".into()])) >= 3);
    assert_eq!(count(Selection::all()), all.len());
    assert!(Selection::all().tagged("@a and or").is_err());
}
