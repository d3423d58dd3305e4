//! The HTTP lane: one server a worker, sessions told apart by a token in the path.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use tacit_contract::runtime::{HostCall, ProviderResponse};
use wiremock::http::Method;
use wiremock::{Match, Mock, MockServer, Request, Respond, ResponseTemplate};

use crate::backstage::Door;
use crate::ports::own_path;
use crate::scene::{Delivery, not_found};

/// The most bytes of requests that a server may take before it is cleared: it keeps a copy of
/// each, whether its recording is on or off.
const MOST_KEPT: usize = 32 * 1024 * 1024;

/// What a request takes up beside its body.
const PER_REQUEST: usize = 4096;

/// A server of the scripted provider and the host-core.
pub(crate) struct Server {
    mock: MockServer,
    doors: Arc<Doors>,
    tokens: Cell<u64>,
}

struct Doors {
    open: RwLock<HashMap<String, Door>>,
    kept: AtomicUsize,
    /// The answer to the request that is being matched: the server takes one at a time.
    answer: Mutex<Option<ResponseTemplate>>,
    /// How long an answer is held back that never comes.
    never: Duration,
}

/// A session's place on a server, until this is dropped.
pub(crate) struct Place {
    doors: Arc<Doors>,
    token: String,
    uri: String,
}

impl Server {
    /// Starts a server; an answer that is withheld is held back longer than the limit.
    pub(crate) async fn start(limit: Duration) -> Self {
        let mock = MockServer::builder().disable_request_recording().start().await;
        let never = limit.saturating_add(Duration::from_secs(5));
        let doors = Doors {
            open: RwLock::default(),
            kept: AtomicUsize::new(0),
            answer: Mutex::default(),
            never,
        };
        let server = Self { mock, doors: Arc::new(doors), tokens: Cell::new(0) };
        server.mount().await;
        server
    }

    async fn mount(&self) {
        // Whoever answers cannot cut the connection; whoever matches can choose who answers.
        let router = || Router(Arc::clone(&self.doors));
        let cut = |_: &Request| std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        Mock::given(router()).respond_with_err(cut).mount(&self.mock).await;
        Mock::given(wiremock::matchers::any()).respond_with(router()).mount(&self.mock).await;
    }

    /// Gives a session its place.
    pub(crate) fn place(&self, door: Door) -> Place {
        let number = self.tokens.get() + 1;
        self.tokens.set(number);
        let token = format!("session-{number}");
        let mut open = self.doors.open.write().unwrap_or_else(PoisonError::into_inner);
        open.insert(token.clone(), door);
        Place { doors: Arc::clone(&self.doors), token, uri: self.mock.uri() }
    }

    /// Lets go of the copies that the server keeps, once they are many and nobody is there.
    pub(crate) async fn clear(&self) {
        let kept = self.doors.kept.load(Ordering::Relaxed);
        let alone = self.doors.open.read().unwrap_or_else(PoisonError::into_inner).is_empty();
        if kept > MOST_KEPT && alone {
            self.mock.reset().await;
            self.mount().await;
            self.doors.kept.store(0, Ordering::Relaxed);
        }
    }
}

impl Place {
    /// The provider's address, without an API's own part.
    pub(crate) fn provider(&self) -> String {
        format!("{}/s/{}", self.uri, self.token)
    }

    /// The host-core's address.
    pub(crate) fn host(&self) -> String {
        format!("{}/h/{}", self.uri, self.token)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.doors.open.write().unwrap_or_else(PoisonError::into_inner);
        open.remove(&self.token);
    }
}

struct Router(Arc<Doors>);

impl Match for Router {
    /// Whether the connection is cut; else the answer lies ready.
    fn matches(&self, request: &Request) -> bool {
        let answer = self.answer(request);
        let cut = answer.is_none();
        *self.0.answer.lock().unwrap_or_else(PoisonError::into_inner) = answer;
        cut
    }
}

impl Respond for Router {
    fn respond(&self, _: &Request) -> ResponseTemplate {
        let mut answer = self.0.answer.lock().unwrap_or_else(PoisonError::into_inner);
        answer.take().unwrap_or_else(|| template(not_found()))
    }
}

impl Router {
    /// The answer to a request; `None` where the connection is cut.
    fn answer(&self, request: &Request) -> Option<ResponseTemplate> {
        self.0.kept.fetch_add(request.body.len() + PER_REQUEST, Ordering::Relaxed);
        let mut parts = request.url.path().split('/').skip(1);
        let (kind, token) = (parts.next(), parts.next().unwrap_or_default());
        let door = {
            let open = self.0.open.read().unwrap_or_else(PoisonError::into_inner);
            open.get(token).cloned()
        };
        match (door, kind) {
            (Some(door), Some("s")) => self.provider(&door, request),
            (Some(door), Some("h")) => self.host(&door, request),
            _ => Some(template(not_found())),
        }
    }

    fn provider(&self, door: &Door, request: &Request) -> Option<ResponseTemplate> {
        let path = own_path(request.url.path());
        let is_post = request.method == Method::POST;
        self.deliver(door.provider(path, is_post, &request.body), template)
    }

    fn host(&self, door: &Door, request: &Request) -> Option<ResponseTemplate> {
        let mut deserializer = serde_json::Deserializer::from_slice(&request.body);
        match serde_path_to_error::deserialize::<_, HostCall>(&mut deserializer) {
            Ok(call) => self.deliver(door.host(call), |answer| {
                ResponseTemplate::new(200).set_body_json(answer)
            }),
            Err(error) => {
                let problem = format!("at `{}`: {}", error.path(), error.inner());
                door.misfit(problem.clone());
                let said = serde_json::json!({"error": problem});
                Some(ResponseTemplate::new(400).set_body_json(said))
            }
        }
    }

    fn deliver<T>(
        &self,
        delivery: Delivery<T>,
        write: impl FnOnce(T) -> ResponseTemplate,
    ) -> Option<ResponseTemplate> {
        match delivery {
            Delivery::Now(answer) => Some(write(answer)),
            Delivery::Never => Some(ResponseTemplate::new(503).set_delay(self.0.never)),
            Delivery::Cut => None,
        }
    }
}

fn template(response: ProviderResponse) -> ResponseTemplate {
    let content_type = response
        .headers
        .iter()
        .find(|(name, _)| name == "content-type")
        .map_or("application/json", |(_, value)| value.as_str());
    let template = ResponseTemplate::new(response.status).set_body_raw(response.body, content_type);
    response
        .headers
        .iter()
        .filter(|(name, _)| name != "content-type")
        .fold(template, |template, (name, value)| {
            template.insert_header(name.as_str(), value.as_str())
        })
}
