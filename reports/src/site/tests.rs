use std::collections::{BTreeMap, BTreeSet};

use tacit_contract::clause::clauses;

use super::*;
use crate::feature::{Rule, Scenario, Step};
use crate::samples;

/// What stands between an attribute's quotes, all over a page.
fn all<'a>(page: &'a str, attribute: &'a str) -> impl Iterator<Item = &'a str> {
    page.split(attribute).skip(1).filter_map(|rest| rest.split('"').next())
}

/// The links that lead nowhere, and the addresses that are there twice.
fn loose_ends(files: &[SiteFile]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut there: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in files {
        let ids = there.entry(&file.path).or_default();
        for id in all(&file.text, " id=\"") {
            if !ids.insert(id) {
                problems.push(format!("{}: {id} is there twice", file.path));
            }
        }
    }
    for file in files {
        for link in all(&file.text, " href=\"") {
            if link.starts_with("https://") || link.starts_with("data:") {
                continue;
            }
            let (path, id) = link.split_once('#').unwrap_or((link, ""));
            let up = path.strip_prefix("../").map(str::to_owned);
            let path = match (path, up, file.path.rsplit_once('/')) {
                ("", ..) => file.path.clone(),
                (_, Some(path), Some(_)) => path,
                (_, None, Some((folder, _))) => format!("{folder}/{path}"),
                (path, ..) => path.to_owned(),
            };
            let is_there =
                there.get(path.as_str()).is_some_and(|ids| id.is_empty() || ids.contains(id));
            if !is_there {
                problems.push(format!("{}: {link} leads nowhere", file.path));
            }
        }
    }
    problems
}

fn text<'a>(files: &'a [SiteFile], path: &str) -> &'a str {
    &files.iter().find(|file| file.path == path).unwrap().text
}

/// Everything that can be known beside a run, with features of which one is hostile.
fn beside(said: &str) -> Background {
    let step = Step {
        keyword: "Given".to_owned(),
        text: format!("a \"{said}\" tool"),
        quoted: Some(said.to_owned()),
        table: Some(vec![vec![said.to_owned()]]),
    };
    let scenario = Scenario {
        name: said.to_owned(),
        text: said.to_owned(),
        line: 21,
        played: vec![21, 22],
        clauses: vec!["restore.use-evidence".into()],
        property: Some("sessions".into()),
        steps: vec![step.clone()],
        examples: vec![vec![
            vec!["what".to_owned()],
            vec![said.to_owned()],
            vec!["other".to_owned()],
        ]],
    };
    let rule = Rule {
        name: said.to_owned(),
        clauses: vec!["restore.use-evidence".into()],
        background: vec![step],
        scenarios: vec![scenario],
        ..Rule::default()
    };
    let feature = Feature {
        path: "features/restore.feature".to_owned(),
        name: said.to_owned(),
        rules: vec![rule],
        ..Feature::default()
    };
    Background { features: vec![feature], ..samples::background() }
}

#[test]
fn every_link_leads_to_something_that_is_there() {
    let about = beside("acme_weather");
    assert_eq!(loose_ends(&files(None, &about)), Vec::<String>::new());
    for events in samples::all() {
        let run = Run::of(&events).unwrap();
        for about in [&Background::default(), &about] {
            assert_eq!(loose_ends(&files(Some(&run), about)), Vec::<String>::new());
        }
    }
}

#[test]
fn every_clause_has_a_page_with_what_it_asks_for_and_where_that_is_said() {
    let files = files(None, &Background::default());
    for clause in clauses() {
        let page = text(&files, &clause_path(&clause.id));
        assert!(page.contains(&clause.sentence), "{page}");
        let says = clause.follows.as_ref().map_or_else(|| clause.citation(), ToString::to_string);
        assert!(page.contains(&says) || clause.source.is_some(), "{page}");
    }
}

#[test]
fn a_clause_s_page_tells_its_history_its_readings_its_scenarios_and_its_faults() {
    let run = Run::of(&samples::failing()).unwrap();
    let files = files(Some(&run), &beside("acme_weather"));
    let page = text(&files, "clauses/restore.use-evidence.html");
    for part in [
        "<td>not asked for</td><td>asked for</td><td>asked for</td>",
        "a runtime of r1 fails it under r3",
        "of all prompts (3)",
        "href=\"../features/restore.html\"",
        "<span class=\"value\">&quot;acme_weather&quot;</span>",
        "href=\"../faults.html#fault-no-restore\"",
        "href=\"../report.html#counterexample-restore.use-evidence-1\"",
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
}

#[test]
fn without_a_run_nothing_has_a_verdict() {
    let about = Background { matrix: None, table: None, ..beside("acme_weather") };
    for file in files(None, &about).iter().filter(|file| file.path != "style.css") {
        assert!(!file.text.contains("badge"), "{}", file.path);
    }
}

#[test]
fn what_is_said_is_told_and_never_obeyed() {
    let hostile = "<script>alert(1)</script> \" onload=\"x";
    let run = Run::of(&samples::failing()).unwrap();
    for file in files(Some(&run), &beside(hostile)) {
        assert!(!file.text.contains("<script>alert"), "{}", file.path);
        assert!(!file.text.contains("\" onload=\"x"), "{}", file.path);
    }
}

#[test]
fn the_same_run_makes_the_same_site() {
    let run = Run::of(&samples::failing()).unwrap();
    assert_eq!(files(Some(&run), &beside("x")), files(Some(&run), &beside("x")));
}
