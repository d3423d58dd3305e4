//! Programs that speak the protocol of Nib's sidecar, sound ones and broken ones.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::rc::Rc;
use std::time::Duration;

use common::run;
use common::sidecar::{DONE, Host, Sidecar, opening, plugin_tool, provider};
use serde_json::{Value, json};
use tacit_contract::protocol::{Api, Opening, PromptEnd, Stop};
use tacit_contract::runtime::{Runtime, RuntimeError};
use tacit_contract::{Mode, Row, SessionId, Standing, Status, ToolCall};
use tacit_stage::{Connector, NibRuntime};

const SHORT: Duration = Duration::from_secs(2);

/// A search that finds one tool, as it is told in events.
const SEARCH: &str = "
        said('')
        tool('call_1', 'ToolSearch', {'query': 'plugin_alpha'}, {
            'content': [{'type': 'text', 'text': 'Activated on-demand tools: plugin_alpha.'}],
            'details': {'query': 'plugin_alpha', 'activated': ['plugin_alpha']},
            'addedToolNames': ['plugin_alpha']})
        event('turn_end')
        ";

fn s1() -> SessionId {
    "s1".into()
}

/// Opens a session on a new process and does something there.
fn with<T>(
    sidecar: &Sidecar,
    opening: Opening,
    then: impl AsyncFnOnce(&NibRuntime, Rc<Host>) -> T,
) -> T {
    run(async {
        let runtime = sidecar.connector().acquire().await.unwrap();
        let host = Rc::new(Host::default());
        runtime.open(opening, host.ports()).await.unwrap();
        then(&runtime, host).await
    })
}

/// What comes of one prompt.
fn prompted(sidecar: &Sidecar) -> Result<PromptEnd, RuntimeError> {
    with(sidecar, opening(), async |runtime, _| runtime.prompt(&s1(), "hello").await)
}

#[test]
fn a_prompt_is_told_with_all_that_the_protocol_needs() {
    let sidecar = Sidecar::at_prompt(DONE);
    let end = prompted(&sidecar).unwrap();
    assert_eq!((end.stop, end.text.as_deref()), (Stop::End, Some("done")));
    let told = &sidecar.asked("agent.prompt")[0];
    let named = |name: &str| told[name].clone();
    assert_eq!(named("sessionId"), "s1");
    assert_eq!(named("content"), "hello");
    assert_eq!(named("mode"), "agent");
    assert_eq!(named("thinkingLevel"), "off");
    let shell = json!({"id": "bash", "label": "Bash", "dialect": "posix", "available": true,
                       "isDefault": true});
    assert_eq!(named("commandShell"), shell);
    assert_eq!(told["provider"]["modelId"], "fake-model");
    assert_eq!(told["provider"]["apiKey"], "sk-fake");
    assert_eq!(told["pluginTools"][0]["name"], "plugin_alpha");
    assert_eq!(told["pluginTools"][1]["description"], "does beta things");
    assert_eq!(told["pluginTools"][1]["parameters"]["properties"]["x"]["type"], "string");
    assert!(told["turnId"].is_string() && told["userMessageId"].is_string());
}

#[test]
fn each_provider_is_told_in_its_own_style() {
    for (api, style, base, key, value) in [
        (Api::OpenaiChat, Value::Null, "/v1", "deferredToolsMode", json!("kimi")),
        (Api::OpenaiResponses, json!("responses"), "/v1", "supportsToolSearch", json!(true)),
        (
            Api::AnthropicMessages,
            json!("anthropic_messages"),
            "",
            "supportsToolReferences",
            json!(true),
        ),
    ] {
        for native in [false, true] {
            let sidecar = Sidecar::at_prompt(DONE);
            let opening = Opening { provider: provider(api, native), ..opening() };
            with(&sidecar, opening, async |runtime, _| runtime.prompt(&s1(), "hello").await)
                .unwrap();
            let told = &sidecar.asked("agent.prompt")[0]["provider"];
            assert_eq!(told["apiStyle"], style);
            assert_eq!(told["baseUrl"], format!("http://127.0.0.1:18080{base}"));
            assert_eq!(told["modelConfig"]["compat"][key] == value, native, "{told}");
            // Nothing is compacted that nobody asked for.
            assert!(told["modelConfig"]["contextWindow"].as_u64() > Some(1_000_000));
        }
    }
}

#[test]
fn rows_are_kept_as_they_are_told_and_given_back_when_a_session_is_rebuilt() {
    let sidecar = Sidecar::at_prompt(&format!("{SEARCH}{DONE}"));
    let rows = with(&sidecar, opening(), async |runtime, host| {
        runtime.prompt(&s1(), "find alpha").await.unwrap();
        let state = runtime.save(&s1()).await.unwrap();
        runtime.close(&s1()).await.unwrap();
        let again = Opening { state: Some(state), ..opening() };
        runtime.open(again, host.ports()).await.unwrap();
        runtime.prompt(&s1(), "again").await.unwrap();
        runtime.transcript(&s1()).await.unwrap()
    });
    let [first, second] = &sidecar.answers()[..] else { panic!("{:?}", sidecar.answers()) };
    let messages = |got: &Value| got["session"]["messages"].as_array().unwrap().clone();
    // The prompt that is being sent is a row already, and is told by its id.
    assert_eq!(messages(first).len(), 1);
    let prompts = sidecar.asked("agent.prompt");
    assert_eq!(messages(first)[0]["id"], prompts[0]["userMessageId"]);
    assert_eq!(messages(first)[0]["content"], "find alpha");
    let kept = messages(second);
    let roles: Vec<_> = kept.iter().map(|row| row["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant", "user"]);
    assert_eq!(kept[4]["id"], prompts[1]["userMessageId"]);
    let tool = &kept[2];
    assert_eq!(tool["id"], "call_1");
    assert_eq!(tool["toolCallId"], "call_1");
    assert_eq!(tool["toolName"], "ToolSearch");
    assert_eq!(tool["toolArgs"], json!({"query": "plugin_alpha"}));
    assert_eq!((&tool["toolStatus"], &tool["isError"]), (&json!("success"), &json!(false)));
    assert_eq!(tool["toolResult"]["addedToolNames"], json!(["plugin_alpha"]));
    assert_eq!(tool["toolResult"]["details"]["query"], "plugin_alpha");
    let search = ToolCall {
        id: "call_1".into(),
        name: "ToolSearch".into(),
        arguments: json!({"query": "plugin_alpha"}),
    };
    assert_eq!(
        rows[..3],
        [
            Row::User { text: "find alpha".to_owned() },
            Row::Assistant { text: None, tool_calls: vec![search] },
            Row::ToolResult {
                call_id: "call_1".into(),
                tool_name: "ToolSearch".into(),
                status: Status::Ok,
                text: "Activated on-demand tools: plugin_alpha.".to_owned(),
                added_tool_names: Some(vec!["plugin_alpha".into()]),
            },
        ]
    );
}

#[test]
fn a_session_is_opened_from_rows_of_the_contract() {
    let sidecar = Sidecar::at_prompt(DONE);
    let call = ToolCall { id: "c1".into(), name: "plugin_alpha".into(), arguments: json!({}) };
    let rows = vec![
        Row::User { text: "use it".to_owned() },
        Row::Assistant { text: None, tool_calls: vec![call] },
        Row::ToolResult {
            call_id: "c1".into(),
            tool_name: "plugin_alpha".into(),
            status: Status::Interrupted,
            text: "cut off".to_owned(),
            added_tool_names: None,
        },
        Row::Checkpoint { summary: "in short".to_owned() },
    ];
    let opening = Opening { transcript: Some(rows.clone()), ..opening() };
    let exported = with(&sidecar, opening, async |runtime, _| {
        let exported = runtime.transcript(&s1()).await.unwrap();
        runtime.prompt(&s1(), "hello").await.unwrap();
        exported
    });
    assert_eq!(exported, rows);
    let session = &sidecar.answers()[0]["session"];
    assert_eq!(session["messages"][2]["toolStatus"], "running");
    assert_eq!(session["compaction"]["summary"], "in short");
    assert_eq!(session["compaction"]["throughMessageId"], "c1");
}

#[test]
fn a_tool_s_call_goes_to_the_host_and_its_answer_comes_back_in_the_sidecar_s_words() {
    let sidecar = Sidecar::at_prompt(&format!(
        "
        for n, name in enumerate(['plugin_alpha', 'failing', 'forbidden', 'broken']):
            host('tools.execute', sessionId='s1', turnId=params['turnId'], toolCallId=f'c{{n}}|fc',
                 toolName=name, args={{'x': n}}, mode='agent', timeoutMs=7)
        {DONE}"
    ));
    let calls = with(&sidecar, opening(), async |runtime, host| {
        runtime.prompt(&s1(), "hello").await.unwrap();
        host.calls()
    });
    assert_eq!(calls.len(), 4);
    assert_eq!(calls[0].method, "tool.execute");
    assert_eq!(calls[1].call_id, Some("c1|fc".into()));
    assert_eq!(calls[1].tool_name, Some("failing".into()));
    assert_eq!(calls[1].arguments, Some(json!({"x": 1})));
    assert_eq!(calls[1].timeout_ms, Some(7));
    let answers = sidecar.answers();
    assert_eq!(answers[1], json!({"ok": true, "content": "plugin_alpha says"}));
    assert_eq!(
        answers[2],
        json!({"ok": false, "content": "failing says", "errorCode": "TOOL_FAILED"})
    );
    assert_eq!(answers[3], json!({"ok": false, "denied": true, "content": "forbidden says"}));
    assert_eq!(answers[4]["code"], -32000);
    assert!(answers[4]["message"].as_str().unwrap().contains("it is away"));
}

#[test]
fn whatever_else_it_asks_is_answered_at_once_and_recorded() {
    let sidecar = Sidecar::at_prompt(&format!(
        "
        host('project.instructions.resolve', sessionId='s1', path='a/b')
        host('plans.enter', sessionId='s1', toolCallId='c1', kind='plan')
        host('plans.submit', sessionId='s1', toolCallId='c2', kind='plan', markdown='')
        host('weather.ask', sessionId='s1')
        host('tools.execute', sessionId='another', toolName='plugin_alpha', args={{}})
        send({{'id': 'odd', 'method': 'no.proxy', 'params': {{}}}})
        send({{'method': 'something.new', 'params': {{}}}})
        {DONE}"
    ));
    let calls = with(&sidecar, opening(), async |runtime, host| {
        runtime.prompt(&s1(), "hello").await.unwrap();
        host.calls()
    });
    let methods: Vec<_> = calls.iter().map(|call| call.method.as_str()).collect();
    let known = ["project.instructions.resolve", "plans.enter", "plans.submit", "weather.ask"];
    assert_eq!(methods, known);
    let answers = sidecar.answers();
    assert_eq!(answers[1], Value::Null);
    assert_eq!(answers[2]["ok"], true);
    assert_eq!(answers[3]["status"], "pending");
    assert_eq!(answers[4]["code"], -32601);
    assert_eq!(answers[5]["code"], -32000);
}

#[test]
fn what_the_user_was_shown_is_told_call_by_call() {
    let sidecar = Sidecar::at_prompt(&format!(
        "{SEARCH}
        tool('c2|fc2', 'plugin_beta', {{}}, {{'content': []}}, failed=True)
        event('tool_start', toolCallId='c3', toolName='Read', args={{}})
        {DONE}"
    ));
    let activity = prompted(&sidecar).unwrap().activity.unwrap();
    let shown: Vec<_> = activity
        .iter()
        .map(|row| (row.call_id.as_str(), row.tool_name.as_str(), row.status.as_str()))
        .collect();
    assert_eq!(
        shown,
        [
            ("call_1", "ToolSearch", "success"),
            ("c2|fc2", "plugin_beta", "error"),
            ("c3", "Read", "running")
        ]
    );
}

#[test]
fn a_turn_that_fails_is_over_when_it_says_so_or_runs_no_more() {
    let error = "event('error', error={'code': 'PROVIDER_ERROR', 'message': 'no'})";
    for code in [
        // It says so.
        format!("{error}; event('turn_end'); event('agent_end', messageIds=[])"),
        // It was rejected before it ran, and says no more.
        error.to_owned(),
        // It is heard of no more, once it has ended.
        format!("running = 2; {error}"),
    ] {
        let end = prompted(&Sidecar::at_prompt(&code)).unwrap();
        assert_eq!(end.stop, Stop::Error, "{code}");
        assert_eq!(end.error.as_deref(), Some("PROVIDER_ERROR: no"));
        assert_eq!(end.text, None);
    }
}

#[test]
fn an_error_that_was_got_over_is_none() {
    let sidecar = Sidecar::at_prompt(&format!(
        "running = 9; event('error', error={{'code': 'X', 'message': 'no'}}); {DONE}"
    ));
    assert_eq!(prompted(&sidecar).unwrap().stop, Stop::End);
}

#[test]
fn a_prompt_is_stopped_while_a_tool_never_answers() {
    let sidecar = Sidecar::at_prompt(
        "send({'id': id, 'result': {'accepted': True}})
        host('tools.execute', sessionId='s1', toolCallId='c1', toolName='never', args={})",
    );
    let (aborted, end) = with(&sidecar, opening(), async |runtime, host| {
        let session = s1();
        let stop = async {
            while host.calls().is_empty() {
                tokio::task::yield_now().await;
            }
            runtime.abort(&session).await
        };
        tokio::join!(stop, runtime.prompt(&session, "hello"))
    });
    assert_eq!(aborted, Ok(()));
    assert_eq!(end.unwrap().stop, Stop::Aborted);
    assert_eq!(sidecar.asked("agent.abort"), [json!({"sessionId": "s1"})]);
}

#[test]
fn tools_with_other_texts_are_taken_by_a_session_that_is_built_anew() {
    let sidecar = Sidecar::at_prompt(DONE);
    with(&sidecar, opening(), async |runtime, _| {
        runtime.prompt(&s1(), "one").await.unwrap();
        let same_names = vec![
            plugin_tool("plugin_alpha", "other"),
            plugin_tool("plugin_beta", "does beta things"),
        ];
        runtime.set_tools(&s1(), same_names).await.unwrap();
        runtime.prompt(&s1(), "two").await.unwrap();
        runtime.set_tools(&s1(), vec![plugin_tool("plugin_alpha", "other")]).await.unwrap();
        runtime.prompt(&s1(), "three").await.unwrap();
    });
    // At the opening, and for the texts; a sidecar sees other names for itself.
    assert_eq!(sidecar.asked("agent.disposeSession").len(), 2);
    let prompts = sidecar.asked("agent.prompt");
    assert_eq!(prompts[1]["pluginTools"][0]["description"], "other");
    assert_eq!(prompts[2]["pluginTools"].as_array().unwrap().len(), 1);
}

#[test]
fn a_mode_is_told_with_the_next_prompt_and_has_no_tools_that_a_plugin_brings() {
    let sidecar = Sidecar::at_prompt(DONE);
    let mut everywhere = plugin_tool("plugin_gamma", "is everywhere");
    everywhere.modes.insert(Mode::Plan, Standing::Deferred);
    let in_plan = Opening { mode: Mode::Plan, tools: vec![everywhere.clone()], ..opening() };
    with(&sidecar, opening(), async |runtime, host| {
        let unsupported = |result: Result<(), RuntimeError>| {
            matches!(result, Err(RuntimeError::Unsupported { .. }))
        };
        assert!(unsupported(runtime.open(in_plan, host.ports()).await));
        runtime.set_mode(&s1(), Mode::Plan).await.unwrap();
        runtime.prompt(&s1(), "one").await.unwrap();
        assert!(unsupported(runtime.set_tools(&s1(), vec![everywhere.clone()]).await));
        runtime.set_mode(&s1(), Mode::Agent).await.unwrap();
        runtime.set_tools(&s1(), vec![everywhere]).await.unwrap();
        assert_eq!(runtime.set_mode(&s1(), Mode::Goal).await, Ok(()));
        assert!(unsupported(runtime.set_mode(&s1(), Mode::Plan).await));
    });
    let prompt = &sidecar.asked("agent.prompt")[0];
    assert_eq!(prompt["mode"], "plan");
    assert_eq!(prompt["pluginTools"], json!([]));
}

#[test]
fn a_checkpoint_is_kept_where_it_was_made() {
    let append = "host('session.appendCompaction', sessionId='s1', compaction={\
                  'id': 'k1', 'summary': 'in short', 'throughMessageId': 'm1',\
                  'retainedTail': [], 'details': {}})";
    let sidecar = Sidecar::with("pass", DONE, append);
    let rows = with(&sidecar, opening(), async |runtime, host| {
        runtime.prompt(&s1(), "one").await.unwrap();
        runtime.compact(&s1()).await.unwrap();
        runtime.prompt(&s1(), "two").await.unwrap();
        let state = runtime.save(&s1()).await.unwrap();
        runtime.open(Opening { state: Some(state), ..opening() }, host.ports()).await.unwrap();
        runtime.prompt(&s1(), "three").await.unwrap();
        runtime.transcript(&s1()).await.unwrap()
    });
    assert_eq!(rows[2], Row::Checkpoint { summary: "in short".to_owned() });
    assert_eq!(rows[3], Row::User { text: "two".to_owned() });
    let asked = &sidecar.asked("agent.compact")[0];
    assert!(asked.get("content").is_none() && asked["provider"].is_object());
    let rebuilt = sidecar.answers().pop().unwrap();
    assert_eq!(rebuilt["session"]["compaction"]["throughMessageId"], "m1");
}

#[test]
fn errors_are_told_apart_by_their_words() {
    for (code, word, expected) in [
        (-32000, "AGENT_BUSY", RuntimeError::Busy),
        (-32601, "INTERNAL", RuntimeError::unsupported("agent.prompt")),
        (
            -32000,
            "MODEL_NOT_CONFIGURED",
            RuntimeError::Failed { code: -32000, message: "MODEL_NOT_CONFIGURED: no".to_owned() },
        ),
        (-32000, "CONTEXT_COMPACTION_FAILED", RuntimeError::Refused { reason: "no".to_owned() }),
    ] {
        let sidecar = Sidecar::at_prompt(&format!(
            "send({{'id': id, 'error': {{'code': {code}, 'message': 'no',\
             'data': {{'errorCode': '{word}'}}}}}}); return"
        ));
        assert_eq!(prompted(&sidecar), Err(expected));
    }
    let sidecar = Sidecar::at_prompt(DONE);
    let unknown = with(&sidecar, opening(), async |runtime, _| {
        runtime.prompt(&"s2".into(), "hello").await.unwrap_err()
    });
    assert!(matches!(unknown, RuntimeError::UnknownSession { .. }));
    let foreign = Opening { state: Some(json!("x")), ..opening() };
    let refused = run(async {
        let runtime = sidecar.connector().acquire().await.unwrap();
        runtime.open(foreign, Rc::new(Host::default()).ports()).await
    });
    assert!(matches!(refused, Err(RuntimeError::Refused { .. })));
}

#[test]
fn a_sidecar_that_is_broken_is_found_broken_as_any_other_runtime() {
    let broken = |code: &str| prompted(&Sidecar::at_prompt(code).limited(SHORT)).unwrap_err();
    let error = broken("print('no more', file=sys.stderr, flush=True); sys.exit(3)");
    let RuntimeError::Crashed { during, status, log } = error else { panic!("{error}") };
    assert_eq!((during.as_str(), status.as_str()), ("agent.prompt", "exit status: 3"));
    assert_eq!(log, "no more");
    let error = broken("time.sleep(60)");
    assert!(matches!(error, RuntimeError::Hung { limit_ms: 2000, .. }), "{error}");
    let error = broken("print('Traceback', flush=True)");
    assert!(error.to_string().contains("no JSON"), "{error}");
    let error = broken("os.close(1); time.sleep(60)");
    assert!(matches!(error, RuntimeError::Crashed { .. }), "{error}");
    let error = broken("send({'id': 999, 'result': {}}); time.sleep(60)");
    assert!(error.to_string().contains("no pending request"), "{error}");
    // It accepts, and breaks while the turn is on.
    let accepted = "send({'id': id, 'result': {'accepted': True}})";
    let error = broken(&format!("{accepted}; sys.exit(4)"));
    assert!(matches!(error, RuntimeError::Crashed { .. }), "{error}");
    let error = broken(&format!("{accepted}; time.sleep(60)"));
    assert!(matches!(error, RuntimeError::Hung { .. }), "{error}");
    let error = broken(&format!("{accepted}; print('Traceback', flush=True); time.sleep(60)"));
    assert!(matches!(error, RuntimeError::Protocol { .. }), "{error}");
}

#[test]
fn a_process_that_does_not_answer_has_not_started() {
    let silent = Sidecar::with("time.sleep(60)", DONE, "pass").limited_start(SHORT);
    let mut error = None;
    run(async {
        let connector = silent.connector();
        error = connector.acquire().await.err();
    });
    assert!(matches!(error, Some(RuntimeError::Hung { .. })), "{error:?}");
}

#[test]
fn the_end_of_its_input_is_its_end() {
    let sidecar = Sidecar::at_prompt(DONE);
    run(async {
        let connector = sidecar.connector();
        let first = connector.acquire().await.unwrap();
        connector.release(first).await;
        let again = connector.acquire().await.unwrap();
        assert_eq!(sidecar.asked("sidecar.health").len(), 1);
        let next = connector.restart(again).await.unwrap();
        assert_eq!(sidecar.asked("sidecar.health").len(), 2);
        connector.release(next).await;
        connector.end().await;
    });
}
