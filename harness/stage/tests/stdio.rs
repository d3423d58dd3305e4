//! Runtimes in processes of their own, sound ones and all kinds of broken ones.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::time::{Duration, Instant};

use common::child::{Child, is_alive};
use common::*;
use tacit_contract::runtime::RuntimeError;
use tacit_contract::session::Bulk;
use tacit_contract::trace::{RequestClass, Seen};
use tacit_contract::{Session, Step, Trace};
use tacit_stage::{Connector, Program, Stage, Stdio};

/// A limit that is reached; a machine with much else to do answers within it all the same.
const SHORT: Duration = Duration::from_secs(2);
const START: Duration = Duration::from_secs(30);
/// Half of what those sleep who are not to be waited for.
const SOON: Duration = Duration::from_secs(30);

fn three_prompts() -> Session {
    session([prompt("one"), prompt("two"), prompt("three")])
}

/// Plays a session on a child, and how long that took.
fn played(child: &Child, session: &Session) -> (Trace, Duration) {
    let stage = child.stage();
    run(async {
        let begun = Instant::now();
        let trace = stage.play(session).await.unwrap();
        (trace, begun.elapsed())
    })
}

/// The reason for which a session was cut short, in no time, and with nobody left behind.
fn cut_short(child: &Child, session: &Session) -> RuntimeError {
    let (trace, took) = played(child, session);
    assert!(took < SOON, "{took:?}");
    child.assert_gone();
    trace.cut_short.unwrap()
}

#[test]
fn a_sound_runtime_is_played_to_the_end() {
    let child = Child::sound();
    let (trace, _) = played(&child, &three_prompts());
    assert!(trace.cut_short.is_none(), "{:?}", trace.cut_short);
    assert_eq!(classes(&trace), [RequestClass::Turn; 3]);
    assert_eq!(host_calls(&trace).len(), 3);
    assert_eq!(requests(&trace)[0].path, "/v1/chat/completions");
    child.assert_gone();
}

#[test]
fn a_process_is_used_again_until_a_new_one_is_asked_for() {
    let child = Child::sound();
    let stage = child.stage();
    run(async {
        stage.play(&three_prompts()).await.unwrap();
        stage.play(&three_prompts()).await.unwrap();
        assert_eq!(child.pids().len(), 1);
        stage.fresh().await;
        child.assert_gone();
        stage.play(&session([prompt("one"), restart(true, false), prompt("two")])).await.unwrap();
        assert_eq!(child.pids().len(), 3);
        stage.connector().end().await;
    });
    child.assert_gone();
}

#[test]
fn a_prompt_is_stopped_while_it_is_pending() {
    // Asks its provider in a thread of its own, and waits for the next line meanwhile.
    let child = Child::at_prompt(
        "
        import threading
        pending, session = message['id'], sessions[params['sessionId']]
        body = json.dumps({'model': 'm', 'messages': [{'role': 'user', 'content': params['text']}],
                           'tools': [{'type': 'function', 'function': {'name': 'Read'}}]})
        url = session['provider']['baseUrl'] + '/chat/completions'
        threading.Thread(target=lambda: urllib.request.urlopen(url, body.encode()),
                         daemon=True).start()
        continue",
    );
    let stop = [prompt("stop"), Step::Abort, prompt("and again"), Step::Abort];
    let (trace, took) = played(&child, &session(stop));
    assert!(trace.cut_short.is_none(), "{:?}", trace.cut_short);
    assert!(took < SOON, "{took:?}");
    let one = ["prompted", "requested: withheld", "aborted", "promptEnded"];
    let kinds = kinds(&trace);
    assert_eq!(kinds[1..9], [one, one].concat());
}

#[test]
fn a_crash_tells_its_step_its_status_and_its_last_lines() {
    let child = Child::at_prompt(
        "if prompts == 3: print('no more', file=sys.stderr, flush=True); sys.exit(3)",
    );
    let (trace, _) = played(&child, &three_prompts());
    child.assert_gone();
    assert_eq!(classes(&trace).len(), 2);
    let Some(RuntimeError::Crashed { during, status, log }) = trace.cut_short else {
        panic!("{:?}", trace.cut_short)
    };
    assert_eq!((during.as_str(), status.as_str()), ("session/prompt", "exit status: 3"));
    assert_eq!(log, "no more");
}

#[test]
fn after_a_crash_the_next_session_gets_a_new_process() {
    let child = Child::at_prompt("if 'die' in params['text']: os.abort()");
    let stage = child.stage();
    run(async {
        let trace = stage.play(&session([prompt("die")])).await.unwrap();
        assert!(matches!(trace.cut_short, Some(RuntimeError::Crashed { .. })));
        let trace = stage.play(&three_prompts()).await.unwrap();
        assert!(trace.cut_short.is_none());
    });
    drop(stage);
    child.assert_gone();
}

#[test]
fn a_runtime_that_never_answers_is_hung() {
    let child = Child::at_prompt("time.sleep(60)").limited(START, SHORT);
    let RuntimeError::Hung { during, limit_ms, .. } = cut_short(&child, &three_prompts()) else {
        panic!()
    };
    assert_eq!((during.as_str(), limit_ms), ("session/prompt", 2000));
}

#[test]
fn a_runtime_that_never_starts_is_hung_at_its_start() {
    // Long enough for the child to note its process on a machine that has much else to do.
    let child = Child::at_start("time.sleep(60)").limited(Duration::from_secs(3), SHORT);
    let stage = child.stage();
    let error = run(stage.play(&three_prompts())).unwrap_err();
    assert!(matches!(error, RuntimeError::Hung { ref during, .. } if during == "initialize"));
    child.assert_gone();
}

#[test]
fn a_line_without_end_is_over_the_limit() {
    let child = Child::at_prompt(
        "\n        for _ in range(100): sys.stdout.write('x' * 1000000)\n        sys.stdout.flush()",
    );
    let RuntimeError::Protocol { during, problem, .. } = cut_short(&child, &three_prompts()) else {
        panic!()
    };
    assert_eq!(during, "session/prompt");
    assert!(problem.contains("over the limit"), "{problem}");
}

#[test]
fn a_line_that_is_no_json_is_quoted() {
    let child = Child::at_prompt("print('Traceback: ' + 'x' * 5000, flush=True)");
    let error = cut_short(&child, &three_prompts());
    let RuntimeError::Protocol { problem, .. } = &error else { panic!("{error}") };
    assert!(problem.contains("no JSON") && problem.contains("Traceback: xxx"), "{problem}");
    assert!(problem.len() < 500, "{}", problem.len());
}

#[test]
fn an_answer_of_the_wrong_shape_is_told_by_its_field() {
    let send = |result: &str| {
        Child::at_prompt(&format!(
            "send({{'jsonrpc': '2.0', 'id': message['id'], {result}}}); continue"
        ))
    };
    for (result, field, expected) in [
        ("'result': {'stop': 'maybe'}", "`result.stop`", "unknown variant `maybe`"),
        ("'result': {'stop': 'end', 'activity': [{}]}", "`result.activity[0]`", "callId"),
        ("'result': None", "`result`", "null"),
        ("'error': {'message': 'no code'}", "`error`", "missing field `code`"),
        ("'result': {}, 'error': {'code': 1, 'message': ''}", "`error`", "beside a result"),
        ("'nothing': 1", "`result`", "found none"),
        ("'method': 'log', 'result': {}", "`method`", "answers only"),
    ] {
        let error = cut_short(&send(result), &three_prompts());
        let RuntimeError::Protocol { problem, .. } = &error else { panic!("{result}: {error}") };
        assert!(problem.contains(field) && problem.contains(expected), "{result}: {problem}");
    }
}

#[test]
fn an_answer_that_nobody_waits_for_is_a_protocol_error() {
    let child = Child::at_prompt("send({'jsonrpc': '2.0', 'id': 999, 'result': {}})");
    let error = cut_short(&child, &three_prompts());
    assert!(error.to_string().contains("found 999, which no pending request has"), "{error}");
}

#[test]
fn errors_of_the_protocol_are_told_apart_and_the_session_goes_on() {
    let child = Child::at_prompt(
        "\n        errors = [(1, {'what': 'prompts'}), (2, {'reason': 'not today'}), (3, None),\
         (4, None), (-32601, None), (77, None)]\n        \
         code, data = errors[prompts - 1]\n        \
         send({'jsonrpc': '2.0', 'id': message['id'],\
         'error': {'code': code, 'message': 'words', 'data': data}}); continue",
    );
    let prompts: Vec<_> = (0..6).map(|n| prompt(&n.to_string())).collect();
    let (trace, _) = played(&child, &session(prompts));
    let errors: Vec<RuntimeError> = trace
        .log
        .iter()
        .filter_map(|entry| match &entry.seen {
            Seen::Failed { error, .. } => Some(error.clone()),
            _ => None,
        })
        .collect();
    assert!(trace.cut_short.is_none());
    assert_eq!(
        errors,
        [
            RuntimeError::unsupported("prompts"),
            RuntimeError::Refused { reason: "not today".to_owned() },
            RuntimeError::Busy,
            RuntimeError::UnknownSession { session: trace.log[0].session.clone() },
            RuntimeError::unsupported("session/prompt"),
            RuntimeError::Failed { code: 77, message: "words".to_owned() },
        ]
    );
}

#[test]
fn a_runtime_that_stops_reading_is_hung() {
    // More than a pipe holds.
    let mut large = three_prompts();
    large.bulk = Bulk { count: 3000, description: 100 };
    let (trace, _) = played(&Child::sound(), &large);
    assert!(trace.cut_short.is_none(), "{:?}", trace.cut_short);
    let deaf = Child::at_start("sys.stdin = Once(sys.stdin)").limited(START, SHORT);
    let RuntimeError::Hung { during, .. } = cut_short(&deaf, &large) else { panic!() };
    assert_eq!(during, "session/open");
}

#[test]
fn a_runtime_that_closes_its_output_has_crashed() {
    let child = Child::at_prompt("os.close(1); time.sleep(60)");
    let RuntimeError::Crashed { status, .. } = cut_short(&child, &three_prompts()) else {
        panic!()
    };
    assert_eq!(status, "it closed its output and did not exit");
}

#[test]
fn a_process_that_ignores_signals_is_ended_with_all_that_it_started() {
    let deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)";
    let child = Child::with(
        &format!("signal.signal(signal.SIGTERM, signal.SIG_IGN); sleeper({deaf:?}); sleeper()"),
        "pass",
        "time.sleep(60)",
    );
    let stage = child.stage();
    run(async {
        stage.play(&three_prompts()).await.unwrap();
        assert!(child.pids().iter().all(|pid| is_alive(*pid)));
        let begun = Instant::now();
        stage.connector().end().await;
        assert!(begun.elapsed() < SOON);
    });
    assert_eq!(child.pids().len(), 3);
    child.assert_gone();
}

#[test]
fn a_crash_shows_although_a_grandchild_holds_the_pipes() {
    let child = Child::at_prompt("sleeper(); os._exit(4)");
    let (trace, took) = played(&child, &three_prompts());
    assert!(took < SOON, "{took:?}");
    let Some(RuntimeError::Crashed { status, .. }) = trace.cut_short else { panic!() };
    assert_eq!(status, "exit status: 4");
    child.assert_gone();
}

#[test]
fn a_grandchild_that_left_the_group_holds_nobody_up() {
    let child = Child::at_prompt(
        "sleeper('import time; time.sleep(60)', start_new_session=True); os._exit(5)",
    );
    let (trace, took) = played(&child, &three_prompts());
    assert!(took < SOON, "{took:?}");
    assert!(matches!(trace.cut_short, Some(RuntimeError::Crashed { .. })));
}

#[test]
fn a_grandchild_that_left_the_group_ends_with_the_runtime() {
    for end in ["", "os._exit(5)"] {
        let child = Child::at_prompt(&format!("sleeper(start_new_session=True); {end}"));
        let stage = child.stage();
        run(async {
            stage.play(&session([prompt("one")])).await.unwrap();
            stage.connector().end().await;
        });
        child.assert_gone();
    }
}

#[test]
fn a_chatty_log_holds_nobody_up() {
    let child = Child::at_prompt("sys.stderr.write('word ' * 1000000)");
    let (trace, _) = played(&child, &three_prompts());
    assert!(trace.cut_short.is_none(), "{:?}", trace.cut_short);
}

#[test]
fn a_performance_that_is_dropped_leaves_no_process_behind() {
    let child = Child::at_start("sleeper()");
    let stage = child.stage();
    run(async {
        let mut performance = stage.open(&session([])).await.unwrap();
        performance.perform(&[prompt("one")]).await;
        drop(performance);
    });
    assert_eq!(child.pids().len(), 2);
    child.assert_gone();
}

#[test]
fn a_child_has_a_home_of_its_own() {
    let child = Child::at_prompt(
        "send({'jsonrpc': '2.0', 'id': message['id'],\
         'result': {'stop': 'end', 'text': os.environ['HOME']}}); continue",
    );
    let (trace, _) = played(&child, &session([prompt("where do you live")]));
    let home = trace.log.iter().find_map(|entry| match &entry.seen {
        Seen::PromptEnded(end) => end.text.clone(),
        _ => None,
    });
    assert!(home.is_some_and(|home| home.contains("tacit-home-")));
}

#[test]
fn a_host_call_of_the_wrong_shape_is_refused_and_recorded() {
    let child = Child::at_prompt(
        "\n        try: urllib.request.urlopen(sessions[params['sessionId']]['host']['url'],\
         b'{\"sessionId\": 1}')\n        except urllib.error.HTTPError as error: pass",
    );
    let (trace, _) = played(&child, &session([prompt("call")]));
    let failed = trace.log.iter().find_map(|entry| match &entry.seen {
        Seen::Failed { operation, error } => Some((operation.as_str(), error.to_string())),
        _ => None,
    });
    let (operation, error) = failed.unwrap();
    assert_eq!(operation, "host call");
    assert!(error.contains("sessionId"), "{error}");
}

#[test]
fn a_program_that_is_not_there_did_not_start() {
    let stage = Stage::new(Stdio::new(Program::new(["/no/such/program"])), settings());
    let error = run(stage.describe()).unwrap_err();
    let RuntimeError::NotStarted { problem } = &error else { panic!("{error}") };
    assert!(problem.contains("/no/such/program") && problem.contains("check the command"));
    let none: [&str; 0] = [];
    let error = run(Stdio::new(Program::new(none)).acquire()).err().unwrap();
    assert!(error.to_string().contains("command is empty"));
}
