//! Registries: what each tool is in each mode, and of which tools nothing is required.

use std::sync::Arc;

use tacit_contract::profile::Profile;
use tacit_contract::protocol::CoreTools;
use tacit_contract::registry::{LONGEST_NAME, is_legal, tools_for};
use tacit_contract::{Mode, Registry, Standing, ToolName, ToolSpec};

use crate::some::{deferred, in_mode, names, runtime, session};

fn registry(specs: &[ToolSpec]) -> Registry {
    let mut profile = Profile::named("nib-r3").unwrap();
    profile.modes.get_mut(&Mode::Agent).unwrap().deferred = vec!["BrowserPreview".into()];
    let tools = specs.iter().map(|spec| spec.tool(1)).collect();
    Registry::new(Arc::new(tools), &profile, &runtime(CoreTools::Own))
}

fn of<'a>(tools: impl Iterator<Item = &'a ToolName>) -> Vec<&'a str> {
    tools.map(ToolName::as_str).collect()
}

#[test]
fn a_tool_of_the_runtime_s_own_wins_over_a_given_one() {
    let it = registry(&[deferred("Read"), deferred("BrowserPreview"), deferred("weather")]);
    let standing = |name: &str, mode| it.standing(&name.into(), mode);
    assert_eq!(standing("Read", Mode::Agent), Some(Standing::Core));
    assert_eq!(standing("BrowserPreview", Mode::Agent), Some(Standing::Deferred));
    assert_eq!(standing("weather", Mode::Agent), Some(Standing::Deferred));
    assert_eq!(standing("nobody", Mode::Agent), None);
    assert!(it.is_deferred(&"weather".into(), Mode::Agent));
    assert!(!it.is_deferred(&"Read".into(), Mode::Agent));
    assert!(!it.is_deferred(&"nobody".into(), Mode::Agent));
}

#[test]
fn the_lists_of_a_mode_hold_what_is_plainly_of_that_standing() {
    let it = registry(&[
        deferred("weather"),
        deferred("Read"),
        deferred("twice"),
        deferred("twice"),
        in_mode("chatter", Mode::Chat, Standing::Deferred),
        in_mode("always", Mode::Agent, Standing::Core),
    ]);
    assert_eq!(of(it.deferred(Mode::Agent)), ["BrowserPreview", "weather"]);
    assert_eq!(of(it.deferred(Mode::Chat)), ["weather", "chatter"]);
    let core = ["Bash", "Edit", "Glob", "Grep", "Read", "Write", "always"];
    assert_eq!(of(it.core(Mode::Agent)), core);
}

#[test]
fn given_core_tools_are_listed_once_and_are_not_doubtful() {
    let profile = Profile::named("nib-r3").unwrap();
    let given = runtime(CoreTools::Given);
    let it = session(vec![deferred("weather")], Vec::new());
    let tools = tools_for(&it, &profile, &given);
    let registry = Registry::new(Arc::new(tools), &profile, &given);
    assert!(!registry.is_doubtful(&"Read".into()));
    assert_eq!(of(registry.core(Mode::Chat)), ["Glob", "Grep", "Read"]);
    assert_eq!(of(registry.deferred(Mode::Chat)), ["weather"]);
}

#[test]
fn a_name_that_is_taken_or_illegal_or_brought_twice_is_doubtful() {
    let taken = ["ToolSearch", "new_context", "Read", "asktool", "SubmitPlan", "BrowserPreview"];
    let specs: Vec<ToolSpec> =
        taken.iter().chain(&["a b", "twice", "twice", "fine"]).map(|name| deferred(name)).collect();
    let it = registry(&specs);
    for name in taken.iter().chain(&["a b", "twice"]) {
        assert!(it.is_doubtful(&(*name).into()), "{name}");
    }
    assert!(!it.is_doubtful(&"fine".into()) && !it.is_doubtful(&"nobody".into()));
}

#[test]
fn a_mode_has_doubtful_tools_where_it_allows_one() {
    let it = registry(&[in_mode("a b", Mode::Chat, Standing::Deferred), deferred("fine")]);
    assert!(it.has_doubtful(Mode::Chat));
    assert!(!it.has_doubtful(Mode::Agent));
    assert!(!registry(&[deferred("fine")]).has_doubtful(Mode::Agent));
}

#[test]
fn given_tools_are_found_by_their_names() {
    let it = registry(&[deferred("weather"), deferred("tickets")]);
    assert_eq!(it.tool(&"tickets".into()).unwrap().name.as_str(), "tickets");
    assert_eq!(it.tool(&"Read".into()), None);
    assert_eq!(names(it.given()), ["weather", "tickets"]);
}

#[test]
fn a_name_is_legal_where_every_api_takes_it_with_its_prefix() {
    let long = "a".repeat(LONGEST_NAME);
    for (prefix, name) in [("", "a_Z-9"), ("", &long), ("my_", &long[3..])] {
        assert!(is_legal(prefix, &name.into()), "{prefix} {name}");
    }
    let longer = format!("{long}a");
    for (prefix, name) in
        [("", ""), ("my_", ""), ("", &longer), ("m", &long), ("", "a b"), ("my.", "a"), ("", "ä")]
    {
        assert!(!is_legal(prefix, &name.into()), "{prefix} {name}");
    }
}

#[test]
fn a_runtime_with_core_tools_of_its_own_is_given_the_others() {
    let profile = Profile::named("nib-r3").unwrap();
    let core = in_mode("always", Mode::Chat, Standing::Core);
    let it = session(vec![core, deferred("weather")], Vec::new());
    let own = tools_for(&it, &profile, &runtime(CoreTools::Own));
    assert_eq!(names(&own), ["weather"]);
    let given = tools_for(&it, &profile, &runtime(CoreTools::Given));
    let all = ["Read", "Bash", "Edit", "Write", "Glob", "Grep", "always", "weather"];
    assert_eq!(names(&given), all);
    let read = &given[0];
    assert_eq!(Mode::ALL.map(|mode| read.standing(mode)), [Some(Standing::Core); 4]);
    assert_eq!(given[1].standing(Mode::Chat), None);
}

#[test]
fn names_that_are_taken_and_names_that_are_shared_are_told_apart() {
    let mut second = deferred("twice");
    second.description = "the other".to_owned();
    let it = registry(&[
        deferred("Read"),
        deferred("Read"),
        deferred("twice"),
        second,
        deferred("fine"),
        deferred("a b"),
    ]);
    assert_eq!(of(it.taken()), ["Read"]);
    assert_eq!(of(it.shared()), ["twice"]);
    let twice = "twice".into();
    let told: Vec<&str> = it.namesakes(&twice).map(|tool| tool.description.as_str()).collect();
    assert_eq!(told, ["what it is for", "the other"]);
    assert_eq!(it.namesakes(&"nobody".into()).count(), 0);
}
