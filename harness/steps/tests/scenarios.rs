//! The built-in features on the reference runtime: one that keeps the contract passes, one that
//! has a fault fails where the fault is, and one that lacks something is told so.

mod common;

use std::collections::BTreeSet;
use std::rc::Rc;

use common::{
    Bare, faultless, kinds, on, play_at_once, play_built_in, play_built_in_over, reference, told,
};
use tacit_contract::{ClauseId, Level, Revision, Verdict};
use tacit_reference::ReferenceOptions;
use tacit_reference::Switches;
use tacit_reference::faults::all;
use tacit_steps::catalogue::{Selection, built_in};
use tacit_steps::port::NoProperties;
use tacit_steps::run::Config;
use tacit_steps::world::Outcome;

#[test]
fn the_reference_keeps_the_contract_of_each_revision_over_every_provider() {
    for revision in Revision::ALL {
        let profile = format!("nib-{revision}");
        for provider in kinds() {
            let port = reference(ReferenceOptions::faultless(revision), &profile);
            let bad: Vec<String> = play_built_in_over(provider, port)
                .iter()
                .filter(|o| !matches!(o.result.verdict, Verdict::Pass | Verdict::NotApplicable))
                .map(told)
                .collect();
            assert!(bad.is_empty(), "{profile} over {provider}:\n{}", bad.join("\n"));
        }
    }
}

#[test]
fn every_scenario_is_played_by_the_reference_over_some_provider() {
    let mut played: BTreeSet<(String, usize)> = BTreeSet::new();
    let mut all = BTreeSet::new();
    for provider in kinds() {
        for outcome in play_built_in_over(provider, faultless()) {
            let of_another = outcome.scenario.tags.iter().any(|tag| tag.starts_with("until:"));
            if of_another || outcome.scenario.property.is_some() {
                continue;
            }
            let place = (outcome.result.feature, outcome.result.line);
            if outcome.result.verdict != Verdict::NotApplicable {
                played.insert(place.clone());
            }
            all.insert(place);
        }
    }
    assert_eq!(all.difference(&played).collect::<Vec<_>>(), Vec::<&(String, usize)>::new());
}

#[test]
fn every_scenario_counts_for_the_clauses_that_it_is_about() {
    let outcomes = kinds().into_iter().flat_map(|kind| play_built_in_over(kind, faultless()));
    for outcome in outcomes {
        let played = outcome.result.verdict == Verdict::Pass && outcome.scenario.property.is_none();
        for clause in outcome.scenario.clauses.iter().filter(|_| played) {
            assert!(outcome.counts_for(clause), "{}: {clause}", told(&outcome));
        }
    }
}

#[test]
fn every_fault_of_a_must_clause_fails_a_scenario_about_that_clause() {
    let sources = built_in().unwrap();
    let mut survivors = Vec::new();
    for fault in all().filter(|fault| fault.level == Level::Must) {
        let switches = Switches::parse([fault.key]).unwrap();
        let port = reference(ReferenceOptions { revision: Revision::R3, switches }, "nib-r3");
        let meant: Vec<ClauseId> = fault.clauses.iter().copied().map(ClauseId::from).collect();
        let selection = Selection::all().about(meant.clone());
        let shows = |outcome: &Outcome| {
            outcome.result.verdict == Verdict::Fail
                && outcome.judgement.breaches.iter().any(|breach| meant.contains(&breach.clause))
        };
        // With most faults the plainest provider is enough.
        let killed = kinds().into_iter().any(|provider| {
            let config = Config::new(Rc::clone(&port)).over(provider);
            play_at_once(&sources, &selection, config).iter().any(shows)
        });
        if !killed {
            survivors.push(fault.key);
        }
    }
    assert!(survivors.is_empty(), "{survivors:?}");
}

#[test]
fn a_runtime_of_an_older_revision_fails_what_has_changed_since() {
    let across = tacit_contract::clause::contract().across.iter();
    for across in across.filter(|across| across.runtime == Revision::R1) {
        let profile = format!("nib-{}", across.under);
        let port = reference(ReferenceOptions::faultless(across.runtime), &profile);
        let broken: BTreeSet<ClauseId> = play_built_in(port)
            .iter()
            .flat_map(|outcome| &outcome.judgement.breaches)
            .map(|breach| breach.clause.clone())
            .collect();
        for clause in &across.must {
            assert!(broken.contains(clause), "{profile}: {clause} is not broken: {broken:?}");
        }
        for clause in &broken {
            let named = across.must.contains(clause) || across.may.contains(clause);
            assert!(named, "{profile}: {clause} is broken as well");
        }
    }
}

#[test]
fn a_runtime_with_the_least_there_can_be_is_not_blamed_for_what_it_lacks() {
    let outcomes = play_built_in(on(Bare::new, "nib-r3", Rc::new(NoProperties)));
    for outcome in &outcomes {
        let fine = matches!(outcome.result.verdict, Verdict::Pass | Verdict::NotApplicable);
        assert!(fine, "{}", told(outcome));
        let reason = outcome.result.message.is_some();
        assert_eq!(outcome.result.verdict == Verdict::NotApplicable, reason, "{}", told(outcome));
    }
    let passed = outcomes.iter().filter(|o| o.result.verdict == Verdict::Pass).count();
    assert!(passed > 60, "{passed}");
}

#[test]
fn several_at_once_come_out_as_one_after_the_other() {
    let verdicts = |at_once| {
        let config = Config { at_once, ..Config::new(faultless()) };
        let selection = Selection::all().tagged("@family:restore or @family:activation").unwrap();
        let mut all: Vec<_> = play_at_once(&built_in().unwrap(), &selection, config)
            .into_iter()
            .map(|outcome| (outcome.result.feature, outcome.result.line, outcome.result.verdict))
            .collect();
        all.sort_by_key(|(feature, line, _)| (feature.clone(), *line));
        all
    };
    assert_eq!(verdicts(8), verdicts(1));
}
