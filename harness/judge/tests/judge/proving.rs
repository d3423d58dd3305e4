//! What proves a tool, and who is to blame for one that nothing proves.

use crate::common::{
    PLAIN, Story, body, called, calls, definition, found, found_of, premises, profile, result,
    search, searched_once, tools, user, using,
};
use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_contract::timeline::{Ended, Point, RequestPoint};
use tacit_contract::trace::{Answered, Issued};
use tacit_contract::{Judgement, Mode, Origin, Profile, Seen, Tool, ToolSpec};
use tacit_judge::timeline::timeline;

fn ask(story: &mut Story, further: &[&str], conversation: Vec<Value>, answer: Answered) {
    let mut request = body(further, conversation);
    let listed = request["tools"].as_array_mut().unwrap();
    for entry in listed.iter_mut().filter(|entry| entry["function"]["name"] == "chatter") {
        entry["function"]["parameters"] = chatter().input_schema;
    }
    story.request(Api::OpenaiChat, &request, answer);
}

/// A use that succeeded, and a second prompt with two requests that do not show the tool.
fn not_restored() -> Judgement {
    let mut story = Story::over(PLAIN);
    story.prompt();
    ask(&mut story, &["acme_weather"], vec![user(1)], calls(vec![using("call-1", "acme_weather")]));
    story.used("call-1", "acme_weather");
    let rows = vec![user(1), called("call-1", "acme_weather"), result("call-1")];
    ask(&mut story, &["acme_weather"], rows.clone(), Answered::Text);
    story.end();
    story.prompt();
    let rows = [rows, vec![user(2)]].concat();
    ask(&mut story, &[], rows.clone(), calls(vec![using("call-2", "Read")]));
    story.used("call-2", "Read");
    let after = vec![called("call-2", "Read"), result("call-2")];
    ask(&mut story, &[], [rows, after].concat(), Answered::Text);
    story.end();
    story.judged()
}

#[test]
fn a_tool_that_is_not_restored_is_missed_once_a_prompt() {
    let clause = "restore.use-evidence";
    let judgement = not_restored();
    assert_eq!(premises(&judgement, clause), 1);
    assert_eq!(judgement.breaches.iter().filter(|breach| breach.clause == clause).count(), 1);
}

/// A search and a use of one tool, in this order or the other, and a prompt that forgets it.
fn proven_twice(use_first: bool) -> Judgement {
    let mut story = Story::over(PLAIN);
    story.prompt();
    let to_search = calls(vec![search("call-1", "acme_weather")]);
    let to_use = calls(vec![using("call-2", "acme_weather")]);
    let (of_search, of_use) =
        (found("call-1", &[]), vec![called("call-2", "acme_weather"), result("call-2")]);
    let (first, second, earlier, rest) = if use_first {
        (to_use, to_search, of_use, of_search)
    } else {
        (to_search, to_use, of_search, of_use)
    };
    let shown = &["acme_weather"];
    ask(&mut story, if use_first { shown } else { &[] }, vec![user(1)], first);
    ask(&mut story, shown, [vec![user(1)], earlier.clone()].concat(), second);
    let rows = [vec![user(1)], earlier, rest].concat();
    ask(&mut story, shown, rows.clone(), Answered::Text);
    story.searched("call-1", shown);
    story.used("call-2", "acme_weather");
    story.end();
    story.prompt();
    ask(&mut story, &[], [rows, vec![user(2)]].concat(), Answered::Text);
    story.end();
    story.judged()
}

#[test]
fn a_tool_that_a_search_proves_is_missed_under_it_whatever_use_was_made_of_it() {
    for use_first in [true, false] {
        let judgement = proven_twice(use_first);
        let missed = ["restore.search-evidence", "restore.use-evidence"]
            .map(|clause| !found_of(&judgement, clause).is_empty());
        assert_eq!(missed, [true, false], "{use_first}");
    }
}

#[test]
fn a_search_is_added_to_what_a_search_of_the_same_prompt_activated_and_to_nothing_else() {
    let union = |first: Issued, proves: &str| {
        let mut story = Story::over(PLAIN);
        story.prompt();
        let (id, tool) = (first.id.clone(), first.tool.clone());
        ask(&mut story, &[], vec![user(1)], calls(vec![first]));
        if tool == "ToolSearch" {
            story.searched(id.as_str(), &[proves]);
        } else {
            story.used(id.as_str(), tool.as_str());
        }
        let rows = vec![user(1), called(id.as_str(), tool.as_str()), result(id.as_str())];
        ask(&mut story, &[proves], rows.clone(), calls(vec![search("call-2", "acme_weather")]));
        story.searched("call-2", &["acme_weather"]);
        let rows = [rows, found("call-2", &[])].concat();
        ask(&mut story, &[proves, "acme_weather"], rows, Answered::Text);
        story.end();
        premises(&story.judged(), "activation.union")
    };
    assert_eq!(union(search("call-1", "acme_tickets"), "acme_tickets"), 1);
    assert_eq!(union(using("call-1", "acme_tickets"), "acme_tickets"), 0);
}

#[test]
fn without_rows_a_search_proves_what_was_not_there_before_it_and_is_deferred() {
    let mut story = Story::over(PLAIN);
    story.hide_rows();
    story.prompt();
    ask(
        &mut story,
        &["acme_tickets"],
        vec![user(1)],
        calls(vec![search("call-1", "acme_weather")]),
    );
    let rows = [vec![user(1)], found("call-1", &[])].concat();
    ask(&mut story, &["acme_tickets", "acme_weather"], rows.clone(), Answered::Text);
    story.end();
    story.prompt();
    ask(&mut story, &[], [rows, vec![user(2)]].concat(), Answered::Text);
    story.end();
    let lost = found_of(&story.judged(), "restore.search-evidence");
    assert!(lost.starts_with("acme_weather is missing"), "{lost}");
    assert!(!lost.contains("acme_tickets is missing"), "{lost}");
}

#[test]
fn where_nothing_is_restored_a_search_of_before_is_no_excuse() {
    let (mut story, rows) = searched_once();
    ask(&mut story, &["acme_weather"], rows.clone(), Answered::Text);
    story.end();
    story.prompt();
    ask(&mut story, &["acme_weather"], [rows, vec![user(2)]].concat(), Answered::Text);
    story.end();
    let judgement = story.judged_under(&Profile::named("nib-r1").unwrap());
    let told = found_of(&judgement, "reset.each-prompt");
    assert!(told.contains("it was active before, and nothing proves it"), "{told}");
}

/// A search in vain, and what the next request shows.
fn in_vain(before: &[&str], after: &[&str]) -> Story {
    let mut story = Story::over(PLAIN);
    story.prompt();
    ask(&mut story, before, vec![user(1)], calls(vec![search("call-1", "quince")]));
    story.searched("call-1", &[]);
    let answered = vec![called("call-1", "ToolSearch"), result("call-1")];
    ask(&mut story, after, [vec![user(1)], answered].concat(), Answered::Text);
    story.end();
    story
}

#[test]
fn what_a_search_in_vain_activates_is_told_under_it() {
    let told = "acme_weather is shown, though the search could find nothing";
    let judgement = in_vain(&[], &["acme_weather"]).judged();
    assert_eq!(found_of(&judgement, "search.no-match"), told);
    assert_eq!(found_of(&judgement, "activation.not-before"), "");
    // A tool that was there before the search is not of its making.
    let judgement = in_vain(&["acme_weather"], &["acme_weather", "acme_tickets"]).judged();
    assert!(found_of(&judgement, "search.no-match").starts_with("acme_tickets"));
    assert!(found_of(&judgement, "activation.not-before").starts_with("acme_weather"));
    // Nor is one that comes two requests later, or with a search that may find it.
    let mut story = Story::over(PLAIN);
    story.prompt();
    ask(&mut story, &[], vec![user(1)], calls(vec![search("call-1", "quince")]));
    story.searched("call-1", &[]);
    let answered = vec![called("call-1", "ToolSearch"), result("call-1")];
    let rows = [vec![user(1)], answered].concat();
    ask(&mut story, &[], rows.clone(), calls(vec![using("call-2", "Read")]));
    story.used("call-2", "Read");
    let rows = [rows, vec![called("call-2", "Read"), result("call-2")]].concat();
    ask(&mut story, &["acme_weather"], rows, Answered::Text);
    story.end();
    let judgement = story.judged();
    assert_eq!(found_of(&judgement, "search.no-match"), "");
    assert!(found_of(&judgement, "activation.not-before").starts_with("acme_weather"));
}

#[test]
fn what_was_active_before_is_told_from_what_never_was() {
    let mut story = Story::over(PLAIN);
    for (number, shown) in [&["acme_weather"][..], &[], &["acme_weather"]].iter().enumerate() {
        story.prompt();
        ask(&mut story, shown, vec![user(number + 1)], Answered::Text);
        story.end();
    }
    let judgement = story.judged();
    assert_eq!(
        found_of(&judgement, "activation.not-before"),
        "acme_weather is shown before there is any evidence for it"
    );
    assert_eq!(
        found_of(&judgement, "reset.each-prompt"),
        "acme_weather is shown: it was active before, and nothing proves it"
    );
}

/// A tool of chat mode.
fn chatter() -> Tool {
    ToolSpec::deferred("chatter", "what it is for", Origin::plugin("beta"), &[Mode::Chat]).tool(1)
}

/// A registry with a tool of chat mode beside the others.
fn with_chatter() -> Vec<Tool> {
    [tools(), vec![chatter()]].concat()
}

/// A prompt of two requests, of which these show a tool that the mode forbids.
fn forbidden(shown: [bool; 2]) -> Judgement {
    let mut story = Story::having(with_chatter());
    story.prompt();
    let names = |shown: bool| if shown { &["chatter"][..] } else { &[] };
    ask(&mut story, names(shown[0]), vec![user(1)], calls(vec![using("call-1", "Read")]));
    story.used("call-1", "Read");
    let rows = vec![user(1), called("call-1", "Read"), result("call-1")];
    ask(&mut story, names(shown[1]), rows, Answered::Text);
    story.end();
    story.judged()
}

#[test]
fn a_tool_that_the_mode_forbids_is_told_at_the_first_request_or_after_it() {
    let clauses = ["initial.minimal", "host.mode-forbids"];
    let told = |shown| clauses.map(|clause| !found_of(&forbidden(shown), clause).is_empty());
    assert_eq!(told([false, true]), [false, true]);
    assert_eq!(told([true, true]), [true, false]);
    assert_eq!(told([false, false]), [false, false]);
}

/// A tool of chat mode that succeeded there; in agent mode it is shown in the second request.
fn carried_over(from_chat: bool) -> String {
    let mut story = Story::having(with_chatter());
    story.see(Seen::ModeSet { mode: Mode::Chat });
    story.prompt();
    let tool = if from_chat { "chatter" } else { "Read" };
    ask(&mut story, &["chatter"], vec![user(1)], calls(vec![using("call-1", tool)]));
    story.used("call-1", tool);
    let rows = vec![user(1), called("call-1", tool), result("call-1")];
    ask(&mut story, &["chatter"], rows.clone(), Answered::Text);
    story.end();
    story.see(Seen::ModeSet { mode: Mode::Agent });
    story.prompt();
    let rows = [rows, vec![user(2)]].concat();
    ask(&mut story, &[], rows.clone(), calls(vec![using("call-2", "Read")]));
    story.used("call-2", "Read");
    let after = vec![called("call-2", "Read"), result("call-2")];
    ask(&mut story, &["chatter"], [rows, after].concat(), Answered::Text);
    story.end();
    found_of(&story.judged(), "host.mode-forbids")
}

#[test]
fn a_forbidden_tool_that_a_success_speaks_for_is_a_matter_of_restoration() {
    assert_eq!(carried_over(true), "");
    assert_eq!(carried_over(false), "chatter is shown, though the mode forbids it");
}

#[test]
fn what_is_none_of_the_session_s_is_too_much_unless_the_profile_leaves_it_open() {
    let mut story = Story::having(with_chatter());
    story.prompt();
    ask(&mut story, &["stranger"], vec![user(1)], Answered::Text);
    story.end();
    let mut open = profile();
    open.modes.get_mut(&Mode::Agent).unwrap().also.push("*".into());
    let told = |story: &Story, profile: &Profile| {
        found_of(&story.judged_under(profile), "initial.minimal")
    };
    assert_eq!(told(&story, &profile()), "stranger is shown in the first request");
    assert_eq!(told(&story, &open), "");
    for (name, found) in [
        ("", "a tool without a name is shown in the first request"),
        (" ", "a tool named \" \" is shown in the first request"),
    ] {
        let mut story = Story::having(with_chatter());
        story.prompt();
        ask(&mut story, &[name], vec![user(1)], Answered::Text);
        story.end();
        assert_eq!(told(&story, &profile()), found);
    }
    // What it knows and the mode forbids is never left open.
    let mut story = Story::having(with_chatter());
    story.prompt();
    ask(&mut story, &["chatter"], vec![user(1)], Answered::Text);
    story.end();
    assert_eq!(told(&story, &open), "chatter is shown in the first request");
}

/// What a request shows of which one definition bears another tool's name.
fn renamed(parameters: &Value) -> Vec<String> {
    let mut request = body(&[], vec![user(1)]);
    let mut borrowed = definition("acme_tickets");
    borrowed["function"]["parameters"] = parameters.clone();
    request["tools"].as_array_mut().unwrap().push(borrowed);
    let mut story = Story::over(PLAIN);
    story.prompt();
    story.request(Api::OpenaiChat, &request, Answered::Text);
    story.end();
    let breaches = story.judged().breaches.into_iter();
    let minimal = breaches.filter(|breach| breach.clause == "initial.minimal");
    minimal.filter_map(|breach| breach.tool.map(|tool| tool.as_str().to_owned())).collect()
}

#[test]
fn a_definition_is_of_the_tool_whose_words_it_holds_wherever_they_stand() {
    let own = &tools()[0].input_schema;
    let properties = own["properties"].as_object().unwrap();
    assert_eq!(renamed(own), ["acme_weather"]);
    for (name, property) in properties {
        let part = json!({"type": "object", "properties": {name: property}});
        assert_eq!(renamed(&part), ["acme_weather"], "{name}");
        // The word of a name alone, of a text alone, of a list alone.
        for key in ["description", "enum", "default", "examples"] {
            let Some(value) = property.get(key).filter(|value| !value.is_number()) else {
                continue;
            };
            if value.to_string().contains(tacit_contract::canary::PREFIX) {
                let part = json!({"type": "object", "properties": {"it": {key: value}}});
                assert_eq!(renamed(&part), ["acme_weather"], "{key}");
            }
        }
    }
    let amount = properties.iter().find(|(_, it)| it["type"] == "integer").unwrap().0;
    assert_eq!(renamed(&json!({"properties": {amount: {"type": "integer"}}})), ["acme_weather"]);
}

fn requests(story: &Story, profile: &Profile) -> Vec<RequestPoint> {
    let points = timeline(profile, story.trace()).into_iter();
    points
        .filter_map(|point| match point {
            Point::Request(request) => Some(request),
            Point::Prompt(_) => None,
        })
        .collect()
}

#[test]
fn a_timeline_says_what_it_could_not_see_and_which_call_stands_without_a_result() {
    let mut story = Story::over(PLAIN);
    story.prompt();
    ask(&mut story, &["stranger"], vec![user(1)], calls(vec![search("call-1", "acme_weather")]));
    story.searched("call-1", &["acme_weather"]);
    let rows = vec![user(1), called("call-1", "ToolSearch")];
    ask(&mut story, &[], rows.clone(), Answered::Text);
    ask(&mut story, &[], rows, Answered::Text);
    story.change_last_body(|_| "{".to_owned());
    story.end();
    let points = requests(&story, &profile());
    let unseen: Vec<Option<&str>> = points.iter().map(|point| point.unseen.as_deref()).collect();
    assert_eq!(unseen, [None, None, Some("it cannot be read")]);
    assert_eq!(points[1].evidence[0].status, Ended::Missing);
    let excess = &points[0].excess;
    assert_eq!((excess.len(), excess[0].tool.as_str()), (1, "stranger"));
    assert_eq!(excess[0].though, ["it is no tool of the session"]);
    let mut open = profile();
    open.modes.get_mut(&Mode::Agent).unwrap().also.push("*".into());
    assert!(requests(&story, &open)[0].excess.is_empty());
}
