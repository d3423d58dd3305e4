use tacit_contract::{ClauseId, Event};

use super::*;
use crate::samples;

fn page(events: &[Event]) -> String {
    render(&Run::of(events).unwrap(), &Background::default())
}

fn beside(events: &[Event]) -> String {
    render(&Run::of(events).unwrap(), &samples::background())
}

/// The failing sample, with a text in every place that a runtime or a file can fill.
fn said(text: &str) -> Vec<Event> {
    let mut events = samples::failing();
    for event in &mut events {
        match event {
            Event::RunStarted(started) => {
                text.clone_into(&mut started.name);
                text.clone_into(&mut started.version);
            }
            Event::ScenarioFinished(scenario) => {
                text.clone_into(&mut scenario.name);
                scenario.message = Some(text.to_owned());
                scenario.tags.push(format!("clause:{text}"));
            }
            Event::CounterexampleFound(found) => {
                text.clone_into(&mut found.breach.found);
                for line in &mut found.story {
                    text.clone_into(&mut line.text);
                }
                for point in &mut found.timeline {
                    if let tacit_contract::timeline::Point::Request(request) = point {
                        request.shown.push(text.into());
                    }
                }
            }
            Event::ClauseJudged(clause) => clause.reason = Some(text.to_owned()),
            _ => {}
        }
    }
    events
}

#[test]
fn what_a_runtime_says_is_told_and_never_obeyed() {
    let hostile = "</script><script>alert(1)</script>\"' onx='\u{202e}\u{1b}[2J\u{0}";
    let (plain, hostile) = (page(&said("plain")), page(&said(hostile)));
    assert_eq!(plain.matches("<script").count(), hostile.matches("<script").count());
    assert!(hostile.contains("&lt;script&gt;alert(1)") && hostile.contains("\\u{202e}"));
    assert!(!hostile.contains(['\u{202e}', '\u{1b}', '\u{0}']));
}

#[test]
fn every_link_leads_to_something_on_the_page() {
    for events in samples::all() {
        assert!(holds_together(&page(&events)));
    }
}

#[test]
fn an_entry_of_the_baseline_that_is_over_is_told_with_its_place() {
    let page = page(&samples::outdated());
    assert!(page.contains("known.toml: 1 expected, 1 stale, 1 expired, 1 not judged"), "{page}");
    assert!(page.contains("Baseline known.toml, line 9"), "{page}");
}

#[test]
fn in_a_narrowed_run_what_was_not_played_is_named_and_not_linked() {
    let mut events = samples::failing();
    let kept = |id: &ClauseId| id.family() == "catalog";
    events.retain(|event| match event {
        Event::ClauseJudged(clause) => kept(&clause.id),
        Event::ScenarioFinished(_) => false,
        _ => true,
    });
    let page = page(&events);
    assert!(holds_together(&page));
    assert!(!page.contains("href=\"#clause-restore.use-evidence\""));
    assert!(page.contains("<code>restore.use-evidence</code>"));
}

#[test]
fn the_page_asks_no_host_for_anything() {
    for events in samples::all() {
        let page = page(&events);
        assert!(!page.contains(" src=") && !page.contains("@import") && !page.contains("url("));
    }
}

#[test]
fn the_last_line_stands_at_the_top_and_the_cause_before_the_contract() {
    let page = page(&samples::failing());
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(at("<strong>does not conform:</strong>") < at("id=\"causes\""));
    assert!(at("id=\"causes\"") < at("id=\"clauses\""));
    assert!(at("id=\"clauses\"") < at("id=\"clause-restore.use-evidence\""));
}

#[test]
fn what_follows_from_a_cause_is_told_with_it() {
    let page = page(&samples::flooded());
    let causes = page.split("id=\"clauses\"").next().unwrap();
    assert_eq!(causes.matches("<article class=\"cause\">").count(), 1);
    assert!(causes.contains("The same breaks 2 more:"), "{causes}");
}

#[test]
fn the_broken_line_is_marked_and_its_request_shows_what_is_missing() {
    let page = page(&samples::failing());
    assert!(page.contains("<li class=\"broken\">request 1 shows: read, search_tools"));
    assert!(page.contains("<li class=\"request broken\">"));
    assert!(page.contains("<li class=\"missing\">"));
}

#[test]
fn a_flaky_counterexample_is_marked() {
    assert!(page(&samples::flaky()).contains("flaky: failed again in 1 of 3 repetitions"));
}

#[test]
fn a_clause_names_the_faults_that_prove_it() {
    let page = beside(&samples::passing());
    let clause = page.split("id=\"clause-restore.use-evidence\"").nth(1).unwrap();
    let clause = clause.split("</details>").next().unwrap();
    assert!(clause.contains("brings back a mere half"), "{clause}");
    assert!(clause.contains("https://github.com/owner/name/issues/7"), "{clause}");
    assert!(clause.contains("href=\"#fault-no-restore\""), "{clause}");
}

#[test]
fn matrix_and_table_are_linked_with_the_clauses_that_were_judged() {
    for events in samples::all() {
        assert!(holds_together(&beside(&events)));
    }
    let page = beside(&samples::passing());
    let part = |id: &str| page.split(&format!("<section id=\"{id}\"")).nth(1).unwrap();
    let (table, matrix) = (part("runtimes"), part("matrix"));
    assert!(table.contains("<tr class=\"differs\">") && table.contains("of all prompts (3)"));
    assert!(matrix.contains("1 of 2 faults found") && matrix.contains("survives"));
    assert!(matrix.contains("blamed for") && matrix.contains("No fault was seen to break"));
    assert!(matrix.contains("href=\"#scenario-restore.feature:21\""), "{matrix}");
}
