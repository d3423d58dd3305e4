//! Sessions: their tools, their steps, and what the model asks.

use tacit_contract::protocol::Dialect;
use tacit_contract::session::{Bulk, Failure, Outcome};
use tacit_contract::{Call, Query, Step};

use crate::some::{deferred, names, prompt, seeded, session};

#[test]
fn a_registry_is_the_named_tools_and_then_the_bulk() {
    let mut it = session(vec![deferred("weather")], Vec::new());
    it.bulk = Bulk { count: 2, description: 60 };
    let tools = it.registry();
    assert_eq!(names(&tools), ["weather", "bulk_0000", "bulk_0001"]);
    assert_eq!(
        tools[2].description,
        "stock item 0001 of the warehouse and further on and further "
    );
    assert_eq!(tools[0].description, "what it is for");
}

#[test]
fn the_descriptions_of_the_bulk_are_as_long_as_asked_for() {
    for wanted in [1, 33, 34, 46, 49, 50, 200] {
        let specs: Vec<_> = Bulk { count: 1, description: wanted }.specs().collect();
        assert_eq!(specs[0].description.len(), wanted as usize);
    }
}

#[test]
fn no_bulk_needs_no_mention() {
    let mut it = session(Vec::new(), Vec::new());
    assert!(serde_json::to_value(&it).unwrap().get("bulk").is_none());
    it.bulk.count = 1;
    assert_eq!(serde_json::to_value(&it).unwrap()["bulk"]["count"], 1);
}

#[test]
fn the_leading_seeds_stand_before_what_is_played() {
    let steps = vec![seeded("a", &[]), seeded("b", &[]), prompt("c"), seeded("d", &[])];
    let it = session(Vec::new(), steps);
    let seeds: Vec<&str> = it.seeds().map(|turn| turn.prompt.as_str()).collect();
    assert_eq!((it.length(), seeds), (4, vec!["a", "b"]));
    assert_eq!(it.played(), &it.steps[2..]);
    assert_eq!(it.seeded_rows(&Dialect::default()).len(), 8);
}

#[test]
fn a_query_of_the_wrong_shape_has_no_text() {
    assert_eq!(Query::text("rain").as_text(), Some("rain"));
    let limited = Query::Limited { text: "rain".to_owned(), limit: 50 };
    assert_eq!(limited.as_text(), Some("rain"));
    assert_eq!(Query::Missing.as_text(), None);
    assert_eq!(Query::Odd { value: 7.into() }.as_text(), None);
}

#[test]
fn a_use_that_succeeds_needs_no_mention_of_it() {
    let written = |outcome| {
        let call = Call::Use { tool: "weather".into(), outcome, says: None };
        let step = Step::Answer { calls: vec![call] };
        let value = serde_json::to_value(&step).unwrap();
        assert_eq!(serde_json::from_value::<Step>(value.clone()).unwrap(), step);
        value["calls"][0].get("outcome").is_some()
    };
    assert!(!written(Outcome::Ok));
    assert!(written(Outcome::Error) && written(Outcome::Denied));
}

#[test]
fn a_failure_that_is_a_status_has_its_number() {
    let statuses: Vec<_> = Failure::ALL.map(Failure::status).into_iter().flatten().collect();
    assert_eq!(statuses, [529, 429, 500, 400, 401]);
}
