//! The shards of a run, put together, are the run.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde_json::Value;
use support::{config, reference};
use tacit_contract::{Event, Revision, Shard};
use tacit_suite::Config;
use tacit_suite::merge::{MergeError, merged};

const CASES: u32 = 2;

/// The cheapest of each kind: scenarios, properties, and scenarios that tell how these came out.
const PART: &str = "@family:restore or @family:catalog or @property:searches or @property:uses \
                    or @property:sessions or @property:transcripts or @property:plugins";

fn run(config: Config) -> Vec<Event> {
    let mut events = Vec::new();
    tacit_suite::run(config, &AtomicBool::new(false), &mut |event| events.push(event)).unwrap();
    events
}

/// A run of the reference with some faults, or a shard of it, each with a corpus of its own.
fn played(faults: &[&str], shard: Option<&str>, folder: &Path) -> Vec<Event> {
    let corpus = folder.join(shard.unwrap_or("whole").replace('/', "-"));
    let config = config(reference(Revision::R3, faults), "nib-r3", CASES, &corpus);
    let shard = shard.map(|shard| shard.parse().unwrap());
    run(Config { tags: Some(PART.to_owned()), shard, ..config })
}

fn shards(faults: &[&str], of: u32, folder: &Path) -> Vec<Vec<Event>> {
    (1..=of).map(|number| played(faults, Some(&format!("{number}/{of}")), folder)).collect()
}

/// What the events say, times and the folders of their files aside, in no order.
fn said(events: &[Event], folder: &Path) -> Vec<String> {
    let folder = folder.display().to_string();
    let mut said: Vec<String> = events
        .iter()
        .map(|event| {
            let mut event = serde_json::to_value(event).unwrap();
            level(&mut event, &folder);
            event.to_string()
        })
        .collect();
    said.sort();
    said
}

fn level(value: &mut Value, folder: &str) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                match key.as_str() {
                    "durationMs" | "startedAt" => *member = Value::Null,
                    _ => level(member, folder),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| level(item, folder)),
        Value::String(text) if text.starts_with(folder) => {
            *text = text.rsplit('/').next().unwrap_or_default().to_owned();
        }
        _ => {}
    }
}

#[test]
fn merged_shards_say_what_one_run_says() {
    for (faults, of) in [
        (&[][..], 3),
        (&["no-restore-on-prompt"][..], 8),
        (&["no-cap", "schema-flood", "error-row-counts"][..], 5),
        (&["catalog-schemas", "keeps-set-across-prompts"][..], 2),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let whole = played(faults, None, folder.path());
        let mut shards = shards(faults, of, folder.path());
        shards.reverse();
        let (merged, _) = merged(shards).unwrap();
        let [whole, merged] = [whole, merged].map(|events| said(&events, folder.path()));
        let differ: Vec<_> = whole.iter().zip(&merged).filter(|(one, two)| one != two).collect();
        assert!(differ.is_empty(), "{faults:?} in {of} shards: {:#?}", differ.first());
        assert_eq!(whole.len(), merged.len(), "{faults:?}");
    }
}

#[test]
fn a_shard_is_not_blamed_for_what_the_others_test() {
    let folder = tempfile::tempdir().unwrap();
    for shard in shards(&[], 4, folder.path()) {
        let Some(Event::RunFinished(finished)) = shard.last() else { panic!("it has no end") };
        assert_eq!(finished.exit_code, 0);
        assert!(finished.narrowed);
    }
}

#[test]
fn what_is_not_all_of_one_run_is_not_put_together() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["1/2", "2/2"].map(|shard| played(&[], Some(shard), folder.path()));
    let shard = |text: &str| text.parse::<Shard>().unwrap();
    let missing = MergeError::Missing { of: 2, missing: "2".to_owned() };
    assert_eq!(merged(vec![one.clone()]), Err(missing));
    let twice = MergeError::Twice { shard: shard("1/2") };
    assert_eq!(merged(vec![one.clone(), two.clone(), one.clone()]), Err(twice));
    let whole = played(&[], None, folder.path());
    assert_eq!(merged(vec![one.clone(), whole.clone()]), Err(MergeError::NoShard { place: 1 }));
    let mut other = two.clone();
    for event in &mut other {
        if let Event::RunStarted(started) = event {
            started.seed += 1;
        }
    }
    let differ = MergeError::Differ { one: shard("1/2"), other: shard("2/2"), what: "the seed" };
    assert_eq!(merged(vec![one.clone(), other]), Err(differ));
    let empty = MergeError::Empty { shard: shard("2/2") };
    let cut = two[..two.len() - 1].to_vec();
    assert_eq!(merged(vec![one, cut]), Err(empty));
    assert_eq!(merged(vec![whole]), Err(MergeError::NoShard { place: 0 }));
}
