//! The stdio protocol, with a provider and a host behind real sockets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use tacit_contract::Revision;
use tacit_contract::protocol::{code, request};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::{registry, wait};
use crate::{Switches, serve};

/// Reads one HTTP request: its path and its body. `None` once the client is gone.
async fn incoming(stream: &mut BufReader<TcpStream>) -> Option<(String, Value)> {
    let mut first = String::new();
    let mut length = 0;
    let mut line = String::new();
    while stream.read_line(&mut line).await.ok()? > 2 {
        if first.is_empty() {
            first.clone_from(&line);
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        line.clear();
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    let path = first.split(' ').nth(1)?.to_owned();
    Some((path, serde_json::from_slice(&body).ok()?))
}

/// Answers the host with `ok`, and the provider with a search, then a broken stream, then a call,
/// then a text; every connection ends after two answers.
async fn world(listener: TcpListener) {
    let asked = Arc::new(AtomicU32::new(0));
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        tokio::spawn(connection(BufReader::new(stream), Arc::clone(&asked)));
    }
}

async fn connection(mut stream: BufReader<TcpStream>, asked: Arc<AtomicU32>) {
    for _ in 0..2 {
        let Some((path, body)) = incoming(&mut stream).await else { return };
        let (kind, answer, missing) = if path == "/host" {
            assert_eq!(body["workspace"], "w");
            let answer = json!({"status": "ok", "text": "fine"});
            ("application/json", answer.to_string(), 0)
        } else {
            assert_eq!(path, "/s/v1/chat/completions");
            let asked = asked.fetch_add(1, Ordering::Relaxed) + 1;
            ("text/event-stream", event(asked), if asked == 2 { 50 } else { 0 })
        };
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n",
            answer.len() + missing
        );
        stream.write_all((head + &answer).as_bytes()).await.unwrap();
        if missing > 0 {
            return;
        }
    }
}

fn event(asked: u32) -> String {
    let call = |name: &str, arguments: &Value| {
        json!({"delta": {"tool_calls": [{
            "index": 0, "id": format!("c{asked}"), "function": {"name": name, "arguments": arguments.to_string()},
        }]}, "finish_reason": "tool_calls"})
    };
    let choice = match asked {
        1 => call("ToolSearch", &json!({"query": "Skill"})),
        2 => json!({"delta": {"content": "ha"}}),
        3 => call("Skill", &json!({"input": "x"})),
        _ => json!({"delta": {"content": "done"}, "finish_reason": "stop"}),
    };
    format!("data: {}\n\n", json!({"choices": [choice]}))
}

#[test]
fn a_session_runs_over_the_protocol() {
    wait(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (input, output) = tokio::io::split(theirs);
        let serving = serve(Revision::R3, Switches::none(), input, output);
        let talking = async {
            let (answers, mut out) = tokio::io::split(ours);
            let mut answers = BufReader::new(answers).lines();
            let s = json!({"sessionId": "s"});
            let mut id = 0;
            let mut ask = async |method: &str, params: Value| -> Value {
                id += 1;
                let line = request(id, method, &params).to_string() + "\r\n";
                out.write_all(line.as_bytes()).await.unwrap();
                let answer: Value =
                    serde_json::from_str(&answers.next_line().await.unwrap().unwrap()).unwrap();
                assert_eq!(answer["id"], id);
                answer.get("result").or(answer.get("error")).unwrap().clone()
            };
            let harness = json!({"name": "h", "version": "1"});
            let hello = json!({"protocolVersion": 1, "harness": harness, "more": 1});
            let described = ask("initialize", hello).await;
            assert_eq!(described["runtime"]["name"], "reference");
            let apis = json!(["openai-chat", "openai-responses", "anthropic-messages"]);
            assert_eq!(described["capabilities"]["providerApis"], apis);
            assert_eq!(described["capabilities"]["nativeDeferral"], apis);
            let opening = json!({
                "sessionId": "s", "mode": "agent", "maxActivated": 4, "workspace": "w", "stateDir": "d",
                "provider": {"api": "openai-chat", "baseUrl": format!("http://{address}/s/v1"),
                             "apiKey": "k", "model": "m", "native": false},
                "host": {"url": format!("http://{address}/host")}, "tools": registry(),
            });
            assert_eq!(ask("session/open", opening).await, json!({}));
            let end = ask("session/prompt", json!({"sessionId": "s", "text": "hi"})).await;
            assert_eq!(end["stop"], "end", "{end}");
            assert_eq!(end["text"], "done");
            assert_eq!(
                end["activity"][1],
                json!({"callId": "c3", "toolName": "Skill", "status": "ok"})
            );
            let rows = ask("session/transcript", s.clone()).await;
            assert_eq!(rows["rows"][2]["addedToolNames"], json!(["Skill"]));
            assert_eq!(
                ask("session/compact", json!({"sessionId": "t"})).await["code"],
                code::UNKNOWN_SESSION
            );
            assert_eq!(ask("session/save", json!({})).await["code"], code::BAD_PARAMS);
            assert_eq!(ask("session/fly", s.clone()).await["code"], code::UNKNOWN_METHOD);
            assert_eq!(ask("session/abort", s.clone()).await, json!({}));
            assert!(ask("session/save", s.clone()).await["state"]["rows"].is_array());
            assert_eq!(ask("session/close", s).await, json!({}));
            assert_eq!(ask("shutdown", Value::Null).await, json!({}));
        };
        tokio::select! {
            (served, ()) = async { tokio::join!(serving, talking) } => served.unwrap(),
            () = world(listener) => {}
        }
    });
}

#[test]
fn lines_that_are_no_requests_are_answered_and_do_not_end_it() {
    wait(async {
        let input: &[u8] = b"{oops\n[1]\n\n{\"id\":7,\"method\":\"session/save\"}\n{\"id\":8,\"method\":\"shutdown\"}\n";
        let mut output = Vec::new();
        serve(Revision::R3, Switches::none(), input, &mut output).await.unwrap();
        let codes: Vec<_> = String::from_utf8(output)
            .unwrap()
            .lines()
            .map(|line| {
                let answer: Value = serde_json::from_str(line).unwrap();
                (answer["id"].clone(), answer["error"]["code"].clone())
            })
            .collect();
        assert_eq!(
            codes,
            [
                (Value::Null, json!(code::PARSE)),
                (Value::Null, json!(code::INVALID_REQUEST)),
                (json!(7), json!(code::BAD_PARAMS)),
                (json!(8), Value::Null),
            ]
        );
    });
}
