//! Both lanes lead to the same provider and the same host.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::time::Duration;

use common::over_http::OverHttp;
use common::*;
use serde_json::Value;
use tacit_contract::protocol::{Api, Description, Opening, PromptEnd};
use tacit_contract::runtime::{Ports, Runtime, RuntimeError};
use tacit_contract::session::{Failure, Outcome};
use tacit_contract::{Call, OtherProvider, ProviderKind, Session, SessionId, Step};
use tacit_stage::{InProcess, Stage};

fn full(provider: ProviderKind) -> Session {
    let steps = [
        prompt("one — über alles"),
        answer([search("acme_weather"), Call::Read]),
        Step::Fail { failure: Failure::Overloaded },
        answer([use_of("acme_weather"), using("acme_mail", Outcome::Error)]),
        Step::Fail { failure: Failure::BreaksOff },
        prompt("two"),
        answer([using("acme_weather", Outcome::Denied)]),
        Step::Elsewhere,
        restart(true, false),
        prompt("three"),
        answer([search("acme_mail")]),
        Step::Abort,
        Step::Compact,
        Step::Branch { prompts: 1 },
        prompt("four"),
        answer([use_of("BrowserPreview")]),
        Step::Abort,
        Step::SwitchProvider { to: OtherProvider::OtherApi },
        prompt("five"),
        answer([search("acme_mail")]),
        Step::Fail { failure: Failure::Disconnects },
        answer([use_of("acme_mail")]),
        Step::Fail { failure: Failure::Empty },
        prompt("six"),
        Step::Fail { failure: Failure::Unauthorized },
    ];
    Session { provider, ..session(steps) }
}

#[test]
fn a_session_has_the_same_trace_on_both_lanes() {
    let over_http = Stage::new(
        InProcess::new(|| OverHttp(faultless())).over_http().without_folders(),
        settings(),
    );
    let capabilities = faultless().describe().capabilities.clone();
    for kind in ProviderKind::all(&capabilities, &Api::ALL) {
        let session = full(kind);
        let (http, ports) = run(async {
            let http = over_http.play(&session).await.unwrap();
            let again = over_http.play(&session).await.unwrap();
            assert_eq!(bytes(&http), bytes(&again), "{kind}");
            (http, in_process().play(&session).await.unwrap())
        });
        assert!(ports.cut_short.is_none(), "{:?}", ports.cut_short);
        for (http, ports) in http.log.iter().zip(&ports.log) {
            assert_eq!(serde_json::to_value(http).unwrap(), serde_json::to_value(ports).unwrap());
        }
        assert_eq!(bytes(&http), bytes(&ports), "{kind}");
    }
}

/// Opens, and then never comes back from anything.
struct Silent(Description);

impl Runtime for Silent {
    fn describe(&self) -> &Description {
        &self.0
    }

    async fn open(&self, _: Opening, _: Ports) -> Result<(), RuntimeError> {
        Ok(())
    }

    async fn prompt(&self, _: &SessionId, _: &str) -> Result<PromptEnd, RuntimeError> {
        std::future::pending().await
    }

    async fn save(&self, _: &SessionId) -> Result<Value, RuntimeError> {
        std::future::pending().await
    }

    async fn close(&self, _: &SessionId) -> Result<(), RuntimeError> {
        std::future::pending().await
    }
}

#[test]
fn a_runtime_that_never_comes_back_is_hung_and_the_trace_says_where() {
    let connector = InProcess::new(|| Silent(faultless().describe().clone()))
        .with_limit(Duration::from_millis(20));
    let steps = [prompt("hello"), prompt("never played")];
    let trace = run(Stage::new(connector, settings()).play(&session(steps))).unwrap();
    let Some(RuntimeError::Hung { during, limit_ms, .. }) = &trace.cut_short else {
        panic!("{:?}", trace.cut_short)
    };
    assert_eq!((during.as_str(), *limit_ms), ("session/prompt", 20));
    assert_eq!(kinds(&trace), ["opened", "prompted"]);
}
