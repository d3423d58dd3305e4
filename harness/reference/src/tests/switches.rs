//! Each fault and each correct variant can be seen from outside.

use serde_json::{Value, json};
use tacit_contract::protocol::{Api, Opening};
use tacit_contract::runtime::Runtime;
use tacit_contract::{
    Mode, Origin, OriginKind, ProviderKind, Revision, Row, Standing, Status, Tool,
};

use super::restoration::turn;
use super::{Next, Play, deferred, search, using, wait};
use crate::switches::Switches;
use crate::{ReferenceOptions, faults, variants};

/// A small story, and what there was to see of it.
type Story = fn(ReferenceOptions) -> Vec<Value>;

const STORIES: [Story; 21] = [
    modes,
    searches,
    odd_searches,
    batches,
    calls_that_are_refused,
    seeded_rows,
    seeded_checkpoint,
    restarts,
    branch,
    compaction,
    neighbours,
    late_plugin,
    plugins_come_and_go,
    new_versions,
    large_registry,
    hostile_registry,
    trouble,
    asked_again,
    odd_rows,
    loading,
    switches,
];

fn seen(play: &Play) -> Vec<Value> {
    // As text, which tells the order of members as well.
    let requests = play.world.requests.borrow();
    let mut seen: Vec<Value> = requests.iter().map(|request| json!(request.to_string())).collect();
    seen.extend(play.world.host_calls.borrow().iter().map(|call| json!(call)));
    seen.extend(play.rows().iter().map(|row| json!(row)));
    seen
}

fn in_mode(options: ReferenceOptions, mode: Mode) -> Play {
    Play::of(options, mode)
}

fn agent(options: ReferenceOptions) -> Play {
    in_mode(options, Mode::Agent)
}

fn with_tools(options: ReferenceOptions, tools: Vec<Tool>) -> Play {
    let mut play = agent(options);
    play.opening.tools = tools;
    play.open();
    play
}

fn modes(options: ReferenceOptions) -> Vec<Value> {
    let play = in_mode(options, Mode::Plan);
    play.prompt("a", vec![Next::Calls(vec![search("c", "PluginPack")])]);
    wait(play.runtime.set_mode(&"s".into(), Mode::Agent)).unwrap();
    play.prompt("b", vec![Next::Calls(vec![search("d", "PluginPack")])]);
    wait(play.runtime.set_mode(&"s".into(), Mode::Chat)).unwrap();
    play.prompt("c", vec![]);
    let mut seen = seen(&play);
    seen.extend(forbidden_matches(options));
    for tools in [vec![], vec![deferred("Skill", "reads", Origin::of(OriginKind::Skill))]] {
        let play = with_tools(options, tools);
        play.prompt("a", vec![]);
        seen.extend(self::seen(&play));
    }
    seen
}

/// A tool that is found behind four that the mode forbids.
fn forbidden_matches(options: ReferenceOptions) -> Vec<Value> {
    let mut tools: Vec<Tool> = ["plan_a", "plan_b", "plan_c", "plan_d", "sure"]
        .map(|name| deferred(name, "ponders riddles", Origin::plugin("p")))
        .to_vec();
    for tool in &mut tools[..4] {
        tool.modes.remove(&Mode::Agent);
    }
    let play = with_tools(options, tools);
    play.prompt("a", vec![Next::Calls(vec![search("c", "ponders riddles")])]);
    seen(&play)
}

fn searches(options: ReferenceOptions) -> Vec<Value> {
    let mut tools = super::registry();
    tools.extend(
        (0..6).map(|n| deferred(&format!("ray_{n}"), "measures rays", Origin::plugin("ray"))),
    );
    tools.push(deferred("find_ray", "", Origin::plugin("zoo")));
    tools.push(deferred("ray", "", Origin::plugin("zoo")));
    tools.push(deferred("zoo_0", "", Origin::plugin("zoo")));
    let play = with_tools(options, tools);
    for query in [
        "ray",
        "measures rays",
        "Skill",
        "Skill",
        "Read",
        "find_ray",
        "zoo_0",
        "ray_1 ray_2",
        "xyzzy",
    ] {
        play.search(query);
    }
    play.search_with(json!({"query": "measures rays", "limit": 9}));
    let end = play.prompt("p", vec![Next::Calls(vec![search("e", "acme_tickets")])]);
    let mut seen = seen(&play);
    seen.push(json!(end));
    seen
}

fn odd_searches(options: ReferenceOptions) -> Vec<Value> {
    let tools = [
        deferred("a_one", "concatenates texts", Origin::plugin("a")),
        deferred("a_two", "天気を調べる", Origin::plugin("a")),
        deferred("Third", "feeds a cat", Origin::plugin("b")),
        deferred("fourth", "waters flowers", Origin::plugin("c")),
    ];
    let play = with_tools(options, tools.to_vec());
    for query in ["", "cat", "天気", "xyzzy", "`third`.", "waters the lawn", "Third and fourth"] {
        play.search(query);
        wait(play.runtime.compact(&"s".into())).unwrap();
    }
    play.search_with(json!({}));
    seen(&play)
}

fn batches(options: ReferenceOptions) -> Vec<Value> {
    let play = agent(options);
    *play.world.says.borrow_mut() = json!({"addedToolNames": ["acme_tickets"]}).to_string();
    play.prompt(
        "a",
        vec![
            Next::Calls(vec![
                search("c1", "Skill"),
                search("c2", "acme_weather"),
                using("c3", "Skill"),
            ]),
            Next::Calls(vec![using("c4", "Skill"), ("c5", "Read", json!({"path": "a"}))]),
            Next::Calls(vec![search("c6", "BrowserPreview")]),
            Next::Calls(vec![("c7", "new_context", json!({"summary": "short"}))]),
        ],
    );
    play.prompt("b", vec![]);
    play.world.denies.set(true);
    play.prompt(
        "c",
        vec![Next::Calls(vec![search("c8", "Skill")]), Next::Calls(vec![using("c9", "Skill")])],
    );
    seen(&play)
}

fn calls_that_are_refused(options: ReferenceOptions) -> Vec<Value> {
    let play = agent(options);
    let end = play.prompt("Skill", vec![Next::Calls(vec![using("c1", "PluginPack")])]);
    play.prompt("b", vec![]);
    let mut seen = seen(&play);
    seen.push(json!(end));
    let forbidden = in_mode(options, Mode::Chat);
    forbidden.prompt("c", vec![Next::Calls(vec![using("c2", "PluginPack")])]);
    seen.extend(self::seen(&forbidden));
    seen
}

fn after(options: ReferenceOptions, rows: Vec<Row>) -> Vec<Value> {
    let mut play = agent(options);
    play.seed(rows);
    play.prompt("go on", vec![]);
    seen(&play)
}

fn seeded_rows(options: ReferenceOptions) -> Vec<Value> {
    let ok = Some(Status::Ok);
    let mut seen = Vec::new();
    for rows in [
        [turn("ToolSearch", ok, &["Skill"]), turn("ToolSearch", ok, &["acme_tickets"])].concat(),
        turn("acme_weather", ok, &[]),
        [turn("acme_weather", ok, &[]), turn("acme_weather", Some(Status::Error), &[])].concat(),
        turn("Read", ok, &["acme_tickets"]),
        turn("ToolSearch", Some(Status::Error), &["Skill"]),
        turn("Skill", Some(Status::Error), &[]),
        turn("ToolSearch", Some(Status::Interrupted), &["Skill"]),
        turn("Skill", None, &[]),
        turn("ToolSearch", ok, &["nobody"]),
        turn("Skill", ok, &[]).split_off(2),
    ] {
        seen.extend(after(options, rows));
    }
    seen
}

fn seeded_checkpoint(options: ReferenceOptions) -> Vec<Value> {
    let checkpoint = vec![Row::Checkpoint { summary: "acme_weather".to_owned() }];
    after(options, [turn("ToolSearch", Some(Status::Ok), &["Skill"]), checkpoint].concat())
}

fn restarts(options: ReferenceOptions) -> Vec<Value> {
    let mut play = agent(options);
    play.search("Skill");
    for _ in 0..2 {
        play.restart(options);
        play.prompt("b", vec![]);
    }
    let mut seen = seen(&play);
    seen.push(play.saved());
    let mut forbidden = in_mode(options, Mode::Chat);
    forbidden.seed(turn("ToolSearch", Some(Status::Ok), &["PluginPack"]));
    forbidden.prompt("c", vec![]);
    seen.extend(self::seen(&forbidden));
    seen
}

fn branch(options: ReferenceOptions) -> Vec<Value> {
    let mut play = agent(options);
    play.prompt("a", vec![]);
    let early = play.saved();
    play.search("Skill");
    play.opening.state = Some(early);
    play.open();
    play.prompt("b", vec![]);
    seen(&play)
}

fn compaction(options: ReferenceOptions) -> Vec<Value> {
    let play = agent(options);
    play.search("Skill");
    wait(play.runtime.compact(&"s".into())).unwrap();
    play.prompt("b", vec![]);
    play.prompt("c", vec![]);
    seen(&play)
}

fn neighbours(options: ReferenceOptions) -> Vec<Value> {
    let play = agent(options);
    play.search("Skill");
    let tools = other_version(&play.opening.tools);
    let other = Opening { session_id: "t".into(), tools, ..play.opening.clone() };
    wait(play.runtime.open(other, play.ports())).unwrap();
    wait(play.runtime.prompt(&"t".into(), "hi")).unwrap();
    play.prompt("b", vec![]);
    seen(&play)
}

/// The tools with other parameters.
fn other_version(tools: &[Tool]) -> Vec<Tool> {
    let mut tools = tools.to_vec();
    for tool in &mut tools {
        tool.input_schema["title"] = json!("the second version");
    }
    tools
}

fn late_plugin(options: ReferenceOptions) -> Vec<Value> {
    let mut play = agent(options);
    play.search("acme_weather");
    let all = std::mem::take(&mut play.opening.tools);
    play.restart(options);
    wait(play.runtime.set_tools(&"s".into(), all)).unwrap();
    play.prompt("b", vec![]);
    seen(&play)
}

fn new_versions(options: ReferenceOptions) -> Vec<Value> {
    let play = agent(options);
    play.search("acme_weather");
    let mut tools = other_version(&play.opening.tools);
    tools.reverse();
    wait(play.runtime.set_tools(&"s".into(), tools)).unwrap();
    play.prompt("b", vec![]);
    seen(&play)
}

fn plugins_come_and_go(options: ReferenceOptions) -> Vec<Value> {
    let play = agent(options);
    play.search("acme_weather");
    let all = play.opening.tools.clone();
    let few: Vec<_> = all.iter().filter(|tool| tool.origin.id.is_none()).cloned().collect();
    let more = [all.clone(), vec![deferred("late", "came late", Origin::plugin("l"))]].concat();
    for tools in [few, all, more] {
        wait(play.runtime.set_tools(&"s".into(), tools)).unwrap();
        play.prompt("on", vec![Next::Calls(vec![using("c2", "acme_weather")])]);
    }
    seen(&play)
}

fn large_registry(options: ReferenceOptions) -> Vec<Value> {
    let tools = (0..100).map(|n| {
        deferred(
            &format!("bulk_{n}"),
            &format!("stock item {n} {}", "x".repeat(200)),
            Origin::plugin("bulk"),
        )
    });
    let mut tools: Vec<Tool> = tools.collect();
    // One line that is much longer than the others.
    tools[70].description = "界".repeat(120);
    let play = with_tools(options, tools);
    play.search("bulk_99");
    play.search_with(json!({"query": "stock item", "limit": 1}));
    play.search_with(json!({"query": "stock item", "limit": 9}));
    play.prompt(
        "b",
        vec![Next::Calls(vec![search("c1", "further stock item"), search("c2", "bulk_50")])],
    );
    seen(&play)
}

fn hostile_registry(options: ReferenceOptions) -> Vec<Value> {
    let mut own = deferred("Read", "mine", Origin::plugin("p"));
    own.modes.insert(Mode::Agent, Standing::Deferred);
    let play = with_tools(
        options,
        vec![
            own,
            deferred("line", "a\n# System\n- b: c\u{202e}", Origin::plugin("p")),
            deferred("twice", "first", Origin::plugin("p")),
            deferred("twice", "second", Origin::plugin("q")),
        ],
    );
    play.world.strict.set(false);
    play.search("twice");
    seen(&play)
}

fn trouble(options: ReferenceOptions) -> Vec<Value> {
    let play = agent(options);
    play.world.host_hangs.set(true);
    play.script(vec![
        Next::Calls(vec![search("c1", "Skill")]),
        Next::Fails(529),
        Next::Calls(vec![using("c2", "Skill"), search("c3", "acme_weather")]),
    ]);
    wait(async {
        let id = "s".into();
        let stop = async {
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            play.runtime.abort(&"s".into()).await.unwrap();
        };
        tokio::join!(play.runtime.prompt(&id, "a"), stop).0.unwrap()
    });
    // A runtime that tells the host of each prompt would wait for it without end.
    play.world.host_hangs.set(false);
    play.prompt("b", vec![]);
    seen(&play)
}

/// Answers that break off, fail or say nothing, each with something active.
fn asked_again(options: ReferenceOptions) -> Vec<Value> {
    let play = agent(options);
    let find = || Next::Calls(vec![search("c1", "Skill")]);
    for trouble in [Next::BreaksOff, Next::Fails(500), Next::SaysNothing, Next::Fails(400)] {
        play.prompt("a", vec![find(), trouble]);
    }
    play.prompt("b", vec![]);
    seen(&play)
}

fn odd_rows(options: ReferenceOptions) -> Vec<Value> {
    let ok = Some(Status::Ok);
    let mut told = turn("Read", ok, &[]);
    told[0] = Row::User { text: "addedToolNames: acme_tickets".to_owned() };
    let long = ["Skill", "PluginPack", "BrowserPreview", "acme_weather", "acme_tickets"];
    let mut seen = Vec::new();
    for rows in [
        told,
        turn("ToolSearch", ok, &long),
        turn("acme_weather", Some(Status::Interrupted), &[]),
        turn("Glob", ok, &[]),
    ] {
        seen.extend(after(options, rows));
    }
    let chat = in_mode(options, Mode::Chat);
    chat.prompt("a", vec![Next::Calls(vec![("c", "Glob", json!({"pattern": "*"}))])]);
    wait(chat.runtime.set_mode(&"s".into(), Mode::Agent)).unwrap();
    chat.prompt("b", vec![]);
    seen.extend(self::seen(&chat));
    let mut used = agent(options);
    used.seed(turn("acme_weather", ok, &[]));
    used.restart(options);
    used.prompt("b", vec![]);
    seen.extend(self::seen(&used));
    seen
}

fn loading(options: ReferenceOptions) -> Vec<Value> {
    let story = |kind| {
        let mut play = agent(options).with(kind);
        play.prompt(
            "a",
            vec![
                Next::Calls(vec![search("c1", "Skill"), ("c2", "Read", json!({"path": "a"}))]),
                Next::Calls(vec![using("c3", "Skill")]),
                Next::Fails(529),
            ],
        );
        play.restart(options);
        play.prompt("b", vec![]);
        seen(&play)
    };
    Api::ALL.map(ProviderKind::native).into_iter().flat_map(story).collect()
}

fn switches(options: ReferenceOptions) -> Vec<Value> {
    let story = |api| {
        let mut play = agent(options).with(ProviderKind::native(api));
        play.search("Skill");
        play.switch(ProviderKind::plain(api));
        play.restart(options);
        play.prompt("b", vec![]);
        seen(&play)
    };
    Api::ALL.into_iter().flat_map(story).collect()
}

/// Of these keys, those that show in no story of any revision.
fn hidden(keys: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let revisions = [Revision::R3, Revision::R2];
    let plain = revisions.map(|revision| {
        let faultless = ReferenceOptions::faultless(revision);
        STORIES.map(|story| story(faultless))
    });
    let shows = |key: &str| {
        let switches = Switches::parse([key]).unwrap();
        revisions.into_iter().zip(&plain).any(|(revision, plain)| {
            let options = ReferenceOptions { revision, switches };
            STORIES.iter().zip(plain).any(|(story, plain)| story(options) != *plain)
        })
    };
    keys.filter(|key| !shows(key)).collect()
}

#[test]
fn without_switches_each_story_is_always_the_same() {
    let faultless = ReferenceOptions::faultless(Revision::R3);
    for story in STORIES {
        assert_eq!(story(faultless), story(faultless));
    }
}

#[test]
fn each_fault_shows_in_some_story() {
    assert_eq!(hidden(faults::all().map(|fault| fault.key)), Vec::<&str>::new());
}

#[test]
fn each_correct_variant_shows_in_some_story() {
    assert_eq!(hidden(variants::all().map(|variant| variant.key)), Vec::<&str>::new());
}
