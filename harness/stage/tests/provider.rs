//! What the scripted provider answers to a runtime that sends whatever a test wants.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use common::*;
use serde_json::{Value, json};
use tacit_contract::protocol::{Description, Opening, PromptEnd, Stop};
use tacit_contract::runtime::{Ports, ProviderRequest, ProviderResponse, Runtime, RuntimeError};
use tacit_contract::session::Failure;
use tacit_contract::trace::Answered;
use tacit_contract::trace::RequestClass::{Helper, Repeat, Stray, Turn};
use tacit_contract::{Mode, SessionId, Step, Trace};
use tacit_stage::{InProcess, Stage};

/// What a runtime sends in each prompt: paths and bodies, made from the prompt's text.
type Sends = fn(&str) -> Vec<(&'static str, Value)>;

/// Sends what it is told, and notes what it hears.
struct Puppet {
    description: Description,
    sends: Sends,
    ports: RefCell<Option<Ports>>,
    heard: Rc<RefCell<Vec<ProviderResponse>>>,
}

impl Runtime for Puppet {
    fn describe(&self) -> &Description {
        &self.description
    }

    async fn open(&self, _: Opening, ports: Ports) -> Result<(), RuntimeError> {
        *self.ports.borrow_mut() = Some(ports);
        Ok(())
    }

    async fn prompt(&self, _: &SessionId, text: &str) -> Result<PromptEnd, RuntimeError> {
        let ports = self.ports.borrow().clone().unwrap();
        for (path, body) in (self.sends)(text) {
            let body = match body {
                Value::String(text) => text.into_bytes(),
                body => body.to_string().into_bytes(),
            };
            let request = ProviderRequest { path: path.to_owned(), headers: Vec::new(), body };
            // A connection that is cut leaves nothing to hear.
            let response = ports.provider.send(request).await;
            self.heard.borrow_mut().extend(response);
        }
        Ok(PromptEnd { stop: Stop::End, text: None, error: None, activity: None })
    }

    async fn save(&self, _: &SessionId) -> Result<Value, RuntimeError> {
        Ok(Value::Null)
    }

    async fn close(&self, _: &SessionId) -> Result<(), RuntimeError> {
        Ok(())
    }
}

const CHAT: &str = "/v1/chat/completions?trace=1";

fn played(steps: impl Into<Vec<Step>>, sends: Sends) -> (Trace, Vec<ProviderResponse>) {
    let heard = Rc::new(RefCell::new(Vec::new()));
    let noted = Rc::clone(&heard);
    let mut description = faultless().describe().clone();
    description.capabilities.transcript = false;
    let make = move || Puppet {
        description: description.clone(),
        sends,
        ports: RefCell::new(None),
        heard: Rc::clone(&noted),
    };
    let connector = InProcess::new(make).without_folders().with_limit(Duration::from_millis(200));
    let stage = Stage::new(connector, settings());
    let trace = run(stage.play(&session(steps))).unwrap();
    let heard = heard.borrow().clone();
    (trace, heard)
}

fn turn(text: &str) -> Value {
    request("base", text, true)
}

fn request(base: &str, text: &str, with_tools: bool) -> Value {
    let mut body = json!({"model": "m", "stream": false, "messages": [
        {"role": "system", "content": base}, {"role": "user", "content": text}]});
    if with_tools {
        body["tools"] = json!([{"type": "function", "function": {"name": "Read"}}]);
    }
    body
}

fn text_of(response: &ProviderResponse) -> String {
    let document: Value = serde_json::from_slice(&response.body).unwrap();
    document["choices"][0]["message"]["content"].as_str().unwrap_or_default().to_owned()
}

fn said_of(response: &ProviderResponse) -> String {
    let document: Value = serde_json::from_slice(&response.body).unwrap();
    document["error"]["message"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_repeat_gets_the_same_answer_again_and_the_script_stays_where_it_is() {
    let (trace, heard) = played(
        [prompt("one"), answer([search("acme_mail")]), answer([search("acme_weather")])],
        |text| {
            let more = request("base, still", text, true);
            vec![(CHAT, turn(text)), (CHAT, turn(text)), (CHAT, more)]
        },
    );
    assert_eq!(classes(&trace), [Turn, Repeat, Turn]);
    assert_eq!(heard[0].body, heard[1].body);
    assert!(String::from_utf8_lossy(&heard[2].body).contains("acme_weather"));
}

#[test]
fn a_helper_request_gets_a_fixed_text_and_leaves_the_script_alone() {
    let (trace, heard) = played([prompt("one"), answer([search("acme_mail")])], |text| {
        vec![
            (CHAT, request("You name conversations.", text, false)),
            (CHAT, turn(text)),
            (CHAT, request("You summarise.", &format!("[user]: {text}"), false)),
        ]
    });
    assert_eq!(classes(&trace), [Helper, Turn, Helper]);
    assert_eq!(text_of(&heard[0]), text_of(&heard[2]));
    assert!(String::from_utf8_lossy(&heard[1].body).contains("acme_mail"));
}

#[test]
fn past_the_end_of_the_script_each_answer_is_a_text_of_its_own() {
    let (_, heard) = played([prompt("one")], |text| {
        vec![(CHAT, turn(text)), (CHAT, request("base, still", text, true))]
    });
    assert!(text_of(&heard[0]).starts_with("That is all ("));
    assert_ne!(text_of(&heard[0]), text_of(&heard[1]));
}

#[test]
fn another_path_is_recorded_and_not_found() {
    let (trace, heard) = played([prompt("one")], |text| {
        vec![
            ("/v1/models", json!({})),
            ("/v1/messages/count_tokens", turn(text)),
            ("/v1/completions", turn(text)),
        ]
    });
    assert_eq!(classes(&trace), [Stray; 3]);
    assert!(heard.iter().all(|response| response.status == 404));
    let paths: Vec<&str> = requests(&trace).iter().map(|request| request.path.as_str()).collect();
    assert_eq!(paths, ["/v1/models", "/v1/messages/count_tokens", "/v1/completions"]);
}

#[test]
fn a_body_that_cannot_be_read_is_kept_as_it_came_and_no_turn_request() {
    let (trace, heard) =
        played([prompt("one"), answer([search("acme_mail")])], |_| vec![(CHAT, json!("{half"))]);
    assert_eq!(classes(&trace), [Helper]);
    assert_eq!(&*requests(&trace)[0].body, "{half");
    assert_eq!(requests(&trace)[0].path, "/v1/chat/completions");
    assert_eq!(heard[0].status, 400);
    assert!(said_of(&heard[0]).contains("a body is JSON"), "{}", said_of(&heard[0]));
}

#[test]
fn a_request_that_is_not_well_formed_is_refused_and_the_script_waits() {
    let (trace, heard) = played([prompt("one"), answer([search("acme_mail")])], |text| {
        let mut twice = turn(text);
        let tools = twice["tools"].as_array().cloned().unwrap_or_default();
        twice["tools"] = tools.iter().chain(&tools).cloned().collect();
        vec![(CHAT, twice), (CHAT, turn(text))]
    });
    assert_eq!(classes(&trace), [Turn, Repeat]);
    assert!(matches!(requests(&trace)[0].answer, Answered::Refused));
    assert_eq!(heard[0].status, 400);
    assert!(said_of(&heard[0]).contains("differ in name"), "{}", said_of(&heard[0]));
    assert!(String::from_utf8_lossy(&heard[1].body).contains("acme_mail"));
}

#[test]
fn each_failure_is_what_it_is_called() {
    for failure in Failure::ALL {
        let steps = [prompt("one"), Step::Fail { failure }];
        let (trace, heard) = played(steps, |text| vec![(CHAT, turn(text)), (CHAT, turn(text))]);
        assert_eq!(classes(&trace), [Turn, Repeat], "{failure:?}");
        let (first, last) = (heard.first().unwrap(), heard.last().unwrap());
        assert!(text_of(last).starts_with("That is all ("), "{failure:?}");
        match failure {
            Failure::Disconnects => assert_eq!(heard.len(), 1),
            Failure::BreaksOff | Failure::Empty => assert_eq!(first.status, 200),
            _ => {
                assert_eq!(Some(first.status), failure.status());
                assert_eq!(said_of(first), "this failure was scripted");
            }
        }
    }
}

#[test]
fn an_overloaded_provider_asks_to_be_left_alone_for_a_moment() {
    let steps = [prompt("one"), Step::Fail { failure: Failure::Overloaded }];
    let (trace, heard) = played(steps, |text| vec![(CHAT, turn(text)), (CHAT, turn(text))]);
    assert_eq!(classes(&trace), [Turn, Repeat]);
    assert_eq!(heard[0].status, 529);
    let header = |name: &str| {
        heard[0].headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    };
    assert_eq!((header("retry-after"), header("retry-after-ms")), (Some("0"), Some("2")));
    assert_eq!(heard[1].status, 200);
}

#[test]
fn a_runtime_that_goes_round_in_circles_is_hung() {
    let (trace, heard) = played([prompt("one")], |text| vec![(CHAT, turn(text)); 5000]);
    assert!(matches!(trace.cut_short, Some(RuntimeError::Hung { .. })), "{:?}", trace.cut_short);
    assert_eq!(heard.len(), 2000);
}

#[test]
fn a_mode_that_the_runtime_does_not_have_is_not_opened() {
    let mut description = faultless().describe().clone();
    description.capabilities.modes = vec![Mode::Chat];
    let make = move || Puppet {
        description: description.clone(),
        sends: |_| Vec::new(),
        ports: RefCell::new(None),
        heard: Rc::default(),
    };
    let stage = Stage::new(InProcess::new(make).without_folders(), settings());
    let trace = run(stage.play(&session([prompt("one")]))).unwrap();
    assert_eq!(trace.cut_short, Some(RuntimeError::unsupported("mode agent")));
    assert!(trace.log.is_empty());
}

#[test]
fn a_step_that_needs_what_the_runtime_does_not_have_does_nothing() {
    let mut description = faultless().describe().clone();
    let has = &mut description.capabilities;
    (has.transcript, has.abort, has.set_mode, has.set_tools, has.compact) =
        (false, false, false, false, false);
    let make = move || Puppet {
        description: description.clone(),
        sends: |text| vec![(CHAT, turn(text))],
        ports: RefCell::new(None),
        heard: Rc::default(),
    };
    let stage = Stage::new(InProcess::new(make).without_folders(), settings());
    let steps = [
        Step::Compact,
        Step::SetMode { mode: Mode::Chat },
        Step::Unplug { plugin: "acme".into() },
        Step::Plug { plugin: "acme".into() },
        restart(true, true),
        prompt("one"),
        Step::Abort,
    ];
    let trace = run(stage.play(&session(steps))).unwrap();
    assert_eq!(kinds(&trace), ["opened", "prompted", "requested: text", "promptEnded", "closed"]);
}
