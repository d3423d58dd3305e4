//! Clauses: where they come from, and what they need.

use tacit_contract::clause::{Clause, Need, clause, clauses};
use tacit_contract::protocol::{Api, CoreTools, NewContext};

use crate::some::runtime;

#[test]
fn every_clause_is_known_by_its_id() {
    assert!(clauses().len() > 60);
    for one in clauses() {
        assert_eq!(clause(one.id.as_str()), Some(one));
    }
    assert_eq!(clause("restore.nothing"), None);
}

#[test]
fn a_clause_is_cited_by_its_paragraph_or_by_what_it_follows_from() {
    let some = |id| clause(id).unwrap().clone();
    let of_the_text = clauses().iter().find(|clause| clause.source.is_some()).unwrap();
    let source = of_the_text.source.as_deref().unwrap();
    assert_eq!(of_the_text.citation(), format!("ADR 0048, {source}"));
    let bare = Clause { source: None, follows: None, ..some("initial.core") };
    assert_eq!(bare.citation(), "public bug reports");
    let follows = Clause { follows: Some("search.row".into()), ..bare };
    assert_eq!(follows.citation(), "follows from search.row");
}

#[test]
fn a_need_is_lacking_until_the_runtime_has_what_is_needed() {
    let mut it = runtime(CoreTools::Own);
    let needs = [
        (Need::Transcript, "the runtime does not show its rows"),
        (Need::SetTools, "the runtime's registry cannot change"),
        (Need::SetToolsOrMode, "neither the runtime's registry nor its mode can change"),
        (Need::NewContext, "the runtime has no new_context"),
        (Need::NativeDeferral, "the runtime has no native deferral"),
        (Need::SeveralApis, "one API alone is used"),
    ];
    for (need, why) in needs {
        assert_eq!(need.lacking(&it, &it.dialect), Some(why));
    }
    it.capabilities.transcript = true;
    it.capabilities.set_tools = true;
    it.capabilities.native_deferral = vec![Api::OpenaiChat];
    it.capabilities.provider_apis = vec![Api::OpenaiChat, Api::AnthropicMessages];
    it.dialect.new_context =
        Some(NewContext { name: "anew".into(), arguments: serde_json::Value::Null });
    for (need, _) in needs {
        assert_eq!(need.lacking(&it, &it.dialect), None, "{need:?}");
    }
}

#[test]
fn a_mode_that_can_change_will_do_where_registry_or_mode_must() {
    let mut it = runtime(CoreTools::Own);
    it.capabilities.set_mode = true;
    assert_eq!(Need::SetToolsOrMode.lacking(&it, &it.dialect), None);
    assert!(Need::SetTools.lacking(&it, &it.dialect).is_some());
}
