//! `registry.fresh`, `registry.reserved` and `registry.collisions`.

use std::sync::Arc;

use crate::common::{
    PLAIN, Story, body, broken, calls, definition, found, found_of, premises, profile, search,
    tools, user,
};
use serde_json::{Value, json};
use tacit_contract::protocol::{Api, Stop};
use tacit_contract::trace::Answered;
use tacit_contract::{Judgement, Mode, Origin, Profile, Seen, Standing, Tool, ToolSpec, update};

const FRESH: &str = "registry.fresh";
const RESERVED: &str = "registry.reserved";
const COLLISIONS: &str = "registry.collisions";

pub fn updated() -> Vec<Tool> {
    update::updated(&tools(), 1, |_| 2)
}

pub fn set(story: &mut Story, tools: Vec<Tool>) {
    let (removed, added, updated) = (Vec::new(), Vec::new(), Vec::new());
    story.see(Seen::ToolsSet { tools: Arc::new(tools), removed, added, updated });
}

fn asked(story: &mut Story, body: &Value) {
    story.prompt();
    story.request(Api::OpenaiChat, body, Answered::Text);
    story.end();
}

/// Another catalog in place of a body's.
pub fn listing(mut body: Value, lines: &[String]) -> Value {
    let list = lines.join("\n");
    let text = format!("You are an agent.\n\n# On-demand tools\nCall ToolSearch.\n\n{list}\n");
    body["messages"][0]["content"] = json!(text);
    body
}

pub fn lines(tools: &[Tool]) -> Vec<String> {
    tools.iter().map(|tool| format!("- {}: {}", tool.name, tool.description)).collect()
}

/// A tool's definition as Chat Completions has it.
pub fn sent(tool: &Tool) -> Value {
    json!({"type": "function", "function": {
        "name": tool.name, "description": tool.description, "parameters": tool.input_schema,
    }})
}

pub fn with(mut body: Value, further: Vec<Value>) -> Value {
    body["tools"].as_array_mut().unwrap().extend(further);
    body
}

/// A prompt, an update, and a prompt whose catalog is this.
fn listed_after_the_update(lines: &[String]) -> Judgement {
    let mut story = Story::over(PLAIN);
    asked(&mut story, &body(&[], vec![user(1)]));
    set(&mut story, updated());
    asked(&mut story, &listing(body(&[], vec![user(2)]), lines));
    story.judged()
}

#[test]
fn a_catalog_that_lists_what_there_is_now_is_right_and_counted() {
    let judgement = listed_after_the_update(&lines(&updated()));
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    // Two changed descriptions, and one tool more.
    assert_eq!(premises(&judgement, FRESH), 3);
}

#[test]
fn a_line_with_the_old_description_is_told_for_each_tool() {
    let mut lines = lines(&tools());
    lines.push("- acme_v2: An addition".to_owned());
    let judgement = listed_after_the_update(&lines);
    assert_eq!(broken(&judgement), [FRESH]);
    assert_eq!(
        found_of(&judgement, FRESH),
        "acme_tickets has the line in the catalog of an earlier version; \
         acme_weather has the line in the catalog of an earlier version"
    );
}

#[test]
fn a_description_that_the_runtime_words_itself_is_not_judged() {
    let own = ["acme_weather", "acme_tickets", "acme_v2"];
    let judgement = listed_after_the_update(&own.map(|name| format!("- {name}: a fine tool")));
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    assert_eq!(premises(&judgement, FRESH), 1);
}

#[test]
fn a_new_tool_that_is_not_listed_though_all_would_fit_is_missed() {
    let judgement = listed_after_the_update(&lines(&updated()[..2]));
    assert!(broken(&judgement).contains(&FRESH));
    assert_eq!(
        found_of(&judgement, FRESH),
        "acme_v2 is not listed, though the registry has it now"
    );
}

#[test]
fn a_new_tool_need_not_be_listed_where_not_all_would_fit_or_it_is_active() {
    let mut story = Story::over(PLAIN);
    set(&mut story, updated());
    let request = listing(body(&[], vec![user(1)]), &lines(&updated()[..2]));
    asked(&mut story, &request);
    let found = |profile: &Profile| {
        let judgement = story.judged_under(profile);
        found_of(&judgement, FRESH).contains("acme_v2 is not listed")
    };
    assert!(found(&profile()));
    let bounded = |entries: usize, bytes: usize| {
        let mut profile = profile();
        let shape = profile.catalog.as_mut().unwrap();
        (shape.entries, shape.bytes) = (entries, bytes);
        profile
    };
    assert!(!found(&bounded(2, 12_000)));
    assert!(!found(&bounded(64, 501)));
    let active = with(request, vec![sent(&updated()[2])]);
    let mut story = Story::over(PLAIN);
    set(&mut story, updated());
    asked(&mut story, &active);
    assert!(!found_of(&story.judged(), FRESH).contains("acme_v2"));
}

/// A search that activates a tool, an update, and a prompt that restores it like this.
fn restored_as(tool: &Tool) -> Judgement {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let asks = calls(vec![search("call-1", "acme_weather")]);
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), asks);
    story.searched("call-1", &["acme_weather"]);
    let rows = [vec![user(1)], found("call-1", &[])].concat();
    story.request(Api::OpenaiChat, &body(&["acme_weather"], rows.clone()), Answered::Text);
    story.end();
    set(&mut story, updated());
    let now = listing(body(&[], [rows, vec![user(2)]].concat()), &lines(&updated()));
    asked(&mut story, &with(now, vec![sent(tool)]));
    story.judged()
}

#[test]
fn a_restored_tool_is_the_present_one() {
    let judgement = restored_as(&updated()[0]);
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    assert_eq!(premises(&judgement, FRESH), 5);
}

#[test]
fn a_restored_tool_with_the_schema_of_before_is_stale_and_its_old_words_leak_nothing() {
    let stale = Tool { input_schema: tools()[0].input_schema.clone(), ..updated()[0].clone() };
    let judgement = restored_as(&stale);
    assert_eq!(broken(&judgement), [FRESH]);
    assert_eq!(found_of(&judgement, FRESH), "acme_weather has the schema of an earlier version");
}

#[test]
fn a_restored_tool_with_the_description_of_before_is_stale() {
    let stale = Tool { description: tools()[0].description.clone(), ..updated()[0].clone() };
    let judgement = restored_as(&stale);
    assert_eq!(broken(&judgement), [FRESH]);
    assert_eq!(
        found_of(&judgement, FRESH),
        "acme_weather has the description of an earlier version"
    );
}

/// An update, and a search for a tool that then shows these.
fn searched_after_the_update(name: &str, shown: Vec<Value>) -> Judgement {
    let mut story = Story::over(PLAIN);
    set(&mut story, updated());
    story.prompt();
    let listed = |conversation| listing(body(&[], conversation), &lines(&updated()));
    let asks = calls(vec![search("call-1", name)]);
    story.request(Api::OpenaiChat, &listed(vec![user(1)]), asks);
    story.searched("call-1", if shown.is_empty() { &[] } else { &["acme_weather"] });
    let after = with(listed([vec![user(1)], found("call-1", &[])].concat()), shown);
    story.request(Api::OpenaiChat, &after, Answered::Text);
    story.end();
    story.judged()
}

#[test]
fn a_schema_of_before_that_a_search_activates_is_stale_and_not_torn() {
    let stale = Tool { input_schema: tools()[0].input_schema.clone(), ..updated()[0].clone() };
    assert_eq!(broken(&searched_after_the_update("acme_weather", vec![sent(&stale)])), [FRESH]);
}

#[test]
fn a_schema_of_no_version_is_torn_and_not_stale() {
    let mut torn = updated()[0].clone();
    torn.input_schema["properties"].as_object_mut().unwrap().shift_remove("note");
    let judgement = searched_after_the_update("acme_weather", vec![sent(&torn)]);
    assert_eq!(broken(&judgement), ["activation.next-request"]);
}

#[test]
fn a_new_tool_that_a_search_for_its_name_does_not_find_is_missed() {
    let judgement = searched_after_the_update("acme_v2", Vec::new());
    assert!(broken(&judgement).contains(&FRESH));
    assert_eq!(
        found_of(&judgement, FRESH),
        "acme_v2 was not found, though the registry has it now"
    );
}

fn plugin_tool(name: &str, description: &str, plugin: &str) -> Tool {
    ToolSpec::deferred(name, description, Origin::plugin(plugin), &Mode::ALL).tool(1)
}

/// A registry in which a plugin has a tool named Read, and a request whose Read is this.
fn read_is(definition: Value) -> Judgement {
    let mut story = Story::over(PLAIN);
    let foreign = plugin_tool("Read", "opens every file", "acme");
    set(&mut story, [tools(), vec![foreign]].concat());
    let mut request = body(&[], vec![user(1)]);
    request["tools"][0] = definition;
    asked(&mut story, &request);
    story.judged()
}

#[test]
fn a_plugin_that_takes_the_name_of_a_core_tool_is_told() {
    let judgement = read_is(sent(&plugin_tool("Read", "opens every file", "acme")));
    assert_eq!(broken(&judgement), [RESERVED]);
    assert_eq!(
        found_of(&judgement, RESERVED),
        "Read is a plugin's tool, and not the runtime's own"
    );
}

#[test]
fn a_name_that_the_runtime_may_send_beside_is_a_plugin_s_to_take() {
    let mut story = Story::over(PLAIN);
    let foreign = plugin_tool("asktool", "asks somebody else", "acme");
    set(&mut story, [tools(), vec![foreign.clone()]].concat());
    let request = with(body(&[], vec![user(1)]), vec![sent(&foreign)]);
    asked(&mut story, &request);
    let judgement = story.judged();
    assert_eq!((broken(&judgement), premises(&judgement, RESERVED)), (vec![], 0));
}

#[test]
fn a_core_tool_of_the_session_is_known_from_a_plugin_s_by_what_it_says_of_itself() {
    let read = |description| Tool {
        modes: [(Mode::Agent, Standing::Core)].into(),
        ..plugin_tool("Read", description, "session")
    };
    let judged = |core, foreign, shown| {
        let mut story = Story::over(PLAIN);
        story.give_core_tools();
        let registry = vec![read(core), plugin_tool("Read", foreign, "acme")];
        set(&mut story, [registry, tools()].concat());
        let mut request = body(&[], vec![user(1)]);
        request["tools"][0] = sent(&read(shown));
        asked(&mut story, &request);
        found_of(&story.judged(), RESERVED)
    };
    let taken = "Read is a plugin's tool, and not the runtime's own";
    assert_eq!(judged("reads a file", "opens every file", "opens every file"), taken);
    assert_eq!(judged("reads a file", "opens every file", "reads a file"), "");
    assert_eq!(judged("reads a file", "opens every file", "something else"), "");
    // A text that both begin with tells nothing.
    assert_eq!(judged("reads a file", "reads a file, any file", "reads a file"), "");
}

#[test]
fn a_core_tool_that_keeps_its_name_is_right_and_counted() {
    let judgement = read_is(definition("Read"));
    assert_eq!(broken(&judgement), Vec::<&str>::new());
    assert_eq!((premises(&judgement, RESERVED), premises(&judgement, COLLISIONS)), (1, 0));
}

fn first() -> Tool {
    plugin_tool("shared", "the first of its name", "acme")
}

fn other() -> Tool {
    plugin_tool("shared", "the other one", "beta")
}

/// A registry in which two plugins bring one name; each prompt lists these lines.
fn shared_listed(prompts: &[&[Tool]]) -> Judgement {
    let mut story = Story::over(PLAIN);
    set(&mut story, [tools(), vec![first(), other()]].concat());
    for (number, listed) in prompts.iter().enumerate() {
        let listed = lines(&[&tools()[..], listed].concat());
        asked(&mut story, &listing(body(&[], vec![user(number + 1)]), &listed));
    }
    story.judged()
}

#[test]
fn of_two_tools_of_one_name_one_or_neither_is_right() {
    let one = [first()];
    for prompts in [[&one[..], &one], [&[], &[]], [&[other()][..], &[other()]]] {
        let judgement = shared_listed(&prompts);
        assert_eq!(broken(&judgement), Vec::<&str>::new(), "{prompts:?}");
        assert_eq!(premises(&judgement, COLLISIONS), 2);
    }
}

#[test]
fn of_two_tools_of_one_name_both_are_too_many() {
    let judgement = shared_listed(&[&[first(), other()]]);
    assert_eq!(broken(&judgement), [COLLISIONS]);
    assert!(found_of(&judgement, COLLISIONS).starts_with("shared is listed 2 times"));
}

#[test]
fn of_two_tools_of_one_name_now_one_and_now_the_other_is_wrong() {
    let judgement = shared_listed(&[&[first()], &[other()]]);
    assert!(broken(&judgement).contains(&COLLISIONS));
    assert_eq!(
        found_of(&judgement, COLLISIONS),
        "shared is the tool of plugin beta, and was the one of plugin acme"
    );
}

#[test]
fn a_registry_that_has_changed_may_choose_anew() {
    let mut story = Story::over(PLAIN);
    let mut now = |number, chosen: Tool, more: Vec<Tool>| {
        set(&mut story, [tools(), vec![first(), other()], more].concat());
        let listed = lines(&[tools(), vec![chosen]].concat());
        asked(&mut story, &listing(body(&[], vec![user(number)]), &listed));
    };
    now(1, first(), Vec::new());
    now(2, other(), vec![plugin_tool("more", "one more", "beta")]);
    assert!(!broken(&story.judged()).contains(&COLLISIONS));
}

#[test]
fn one_definition_of_a_shared_name_is_right() {
    let mut story = Story::over(PLAIN);
    set(&mut story, [tools(), vec![first(), other()]].concat());
    asked(&mut story, &with(body(&[], vec![user(1)]), vec![sent(&first())]));
    assert_eq!(found_of(&story.judged(), COLLISIONS), "");
}

#[test]
fn two_definitions_of_one_name_are_too_many() {
    let mut story = Story::over(PLAIN);
    set(&mut story, [tools(), vec![first(), other()]].concat());
    let both = vec![sent(&first()), sent(&other())];
    asked(&mut story, &with(body(&[], vec![user(1)]), both));
    let judgement = story.judged();
    assert!(broken(&judgement).contains(&COLLISIONS));
    assert!(found_of(&judgement, COLLISIONS).starts_with("shared is sent 2 times"));
}

#[test]
fn a_prompt_that_one_name_too_many_ends_is_wrong() {
    let mut story = Story::over(PLAIN);
    set(&mut story, [tools(), vec![first(), other()]].concat());
    story.prompt();
    story.request(Api::OpenaiChat, &body(&[], vec![user(1)]), Answered::Text);
    story.end_with(Stop::Error, Some("two tools are named shared"));
    let judgement = story.judged();
    assert!(found_of(&judgement, COLLISIONS).ends_with("two tools are named shared"));
}
