//! The scripted provider and the host-core of one open session: what they answer, as a state
//! machine without I/O.

use std::collections::VecDeque;

use tacit_contract::profile::CatalogShape;
use tacit_contract::protocol::Api;
use tacit_contract::runtime::{HostAnswer, HostCall, HostStatus, ProviderResponse};
use tacit_contract::session::Failure;
use tacit_contract::trace::{Answered, RequestClass, Requested};
use tacit_contract::{Call, ProviderKind, SessionId};
use tacit_wire::{Memory, Problem, Reply, RequestView, Written};

use crate::host::Book;
use crate::script::{Line, Words};

/// The most that a runtime may ask in one prompt: one that goes round in circles is left waiting,
/// and the time limit ends it. Without this, one in process would never give the clock a turn.
const MOST_ASKED: usize = 2000;

/// What a failing provider says of itself.
const WHY_IT_FAILED: &str = "this failure was scripted";

/// What every helper request is answered.
const HELPER_TEXT: &str = "Noted.";

/// What a runtime gets for what it asked.
#[derive(Debug)]
pub(crate) enum Delivery<T> {
    /// An answer.
    Now(T),
    /// No answer: the connection is cut.
    Cut,
    /// Nothing, until the prompt is over.
    Never,
}

/// One open session, as its provider and its host see it.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) id: SessionId,
    pub(crate) words: Words,
    provider: ProviderKind,
    memory: Memory,
    book: Book,
    prompt: Option<Running>,
}

#[derive(Debug)]
struct Running {
    lines: VecDeque<Line>,
    /// The answer that was delivered last, for a repeat.
    last: Option<(Reply, Answered)>,
    stopped: bool,
    asked: usize,
}

/// What the script has for a turn request.
enum Says {
    Reply(Reply, Answered),
    Fails(Failure),
    Nothing,
}

impl Scene {
    pub(crate) fn new(id: SessionId, words: Words, catalog: Option<CatalogShape>) -> Self {
        Self {
            id,
            words,
            provider: ProviderKind::PLAINEST,
            memory: Memory::new(catalog),
            book: Book::default(),
            prompt: None,
        }
    }

    /// The session is opened with a provider, for the first time or again.
    pub(crate) fn open(&mut self, provider: ProviderKind) {
        self.provider = provider;
    }

    /// A prompt begins, with its script.
    pub(crate) fn begin(&mut self, text: &str, lines: VecDeque<Line>) {
        self.memory.prompted(text);
        self.prompt = Some(Running { lines, last: None, stopped: false, asked: 0 });
    }

    /// The prompt is over; what is left of its script is not played.
    pub(crate) fn end(&mut self) {
        self.memory.prompt_ended();
        self.prompt = None;
    }

    /// Answers a provider request. The third part says whether the user stops the prompt here.
    pub(crate) fn provider(
        &mut self,
        path: &str,
        is_post: bool,
        body: &[u8],
    ) -> (Requested, Delivery<ProviderResponse>, bool) {
        let text = String::from_utf8_lossy(body);
        let own = |api: &Api| is_post && *api == self.provider.api;
        let api = tacit_wire::api_of(path).filter(own);
        let (class, answer, delivery, stops) = match api {
            None => {
                let delivery = Delivery::Now(self.nothing_at(path));
                (RequestClass::Stray, Answered::NotFound, delivery, false)
            }
            Some(api) => match tacit_wire::outline(self.provider, body) {
                Err(error) => {
                    let delivery = Delivery::Now(refused(api, &error.as_problem()));
                    (RequestClass::Helper, Answered::Refused, delivery, false)
                }
                Ok((view, problems)) => self.request(api, &view, &text, problems.first()),
            },
        };
        let requested = Requested { api, path: path.to_owned(), body: text.into(), class, answer };
        if self.asks_too_much() {
            (requested, Delivery::Never, false)
        } else {
            (requested, delivery, stops)
        }
    }

    /// What a path gets that is no request for an answer, such as one of another API than the
    /// session's: whoever wrote the client should learn where it belongs.
    fn nothing_at(&self, path: &str) -> ProviderResponse {
        let api = self.provider.api;
        let message = format!(
            "there is nothing at `{path}`: this is a provider of {}, which takes a POST to its \
             base address and `{}`",
            api.as_str(),
            tacit_wire::path_of(api)
        );
        response(404, tacit_wire::refusal(api, 404, &message))
    }

    fn request(
        &mut self,
        api: Api,
        view: &RequestView,
        body: &str,
        problem: Option<&Problem>,
    ) -> (RequestClass, Answered, Delivery<ProviderResponse>, bool) {
        let class = self.memory.class_of(view, body);
        if let Some(problem) = problem {
            self.memory.saw(view, body, class, true);
            return (class, Answered::Refused, Delivery::Now(refused(api, problem)), false);
        }
        let says = match class {
            RequestClass::Helper | RequestClass::Stray => {
                Says::Reply(Reply::text(HELPER_TEXT), Answered::Text)
            }
            RequestClass::Repeat => self.again(),
            RequestClass::Turn => self.next(),
        };
        let failed = matches!(says, Says::Fails(_));
        self.memory.saw(view, body, class, failed);
        match says {
            Says::Reply(reply, answered) => {
                self.remember(&answered);
                let written = tacit_wire::write(api, &reply, view.stream);
                (class, answered, Delivery::Now(response(200, written)), false)
            }
            Says::Fails(failure) => {
                let delivery = self.failure(api, failure, view.stream);
                (class, Answered::Failure { failure }, delivery, false)
            }
            Says::Nothing => (class, Answered::Withheld, Delivery::Never, self.stop()),
        }
    }

    /// What is said to a repeat: the same, unless the answer before did not arrive whole.
    fn again(&mut self) -> Says {
        match self.prompt.as_ref().and_then(|prompt| prompt.last.clone()) {
            Some((reply, answered)) => Says::Reply(reply, answered),
            None => self.next(),
        }
    }

    fn next(&mut self) -> Says {
        let Some(prompt) = &mut self.prompt else { return Says::Nothing };
        prompt.last = None;
        if prompt.stopped {
            return Says::Nothing;
        }
        let (reply, answered) = match prompt.lines.pop_front() {
            Some(Line::Abort) => {
                prompt.lines.push_front(Line::Abort);
                return Says::Nothing;
            }
            Some(Line::Fail(failure)) => return Says::Fails(failure),
            Some(Line::Calls(batch)) => {
                self.book.enter(&batch);
                let calls = batch.charges.into_iter().map(|charge| charge.issued).collect();
                (batch.reply, Answered::Calls { step: batch.step, calls })
            }
            None => {
                let text = format!("That is all ({}).", self.words.next());
                (Reply::text(text), Answered::Text)
            }
        };
        prompt.last = Some((reply.clone(), answered.clone()));
        Says::Reply(reply, answered)
    }

    fn remember(&mut self, answered: &Answered) {
        let Answered::Calls { calls, .. } = answered else { return };
        for issued in calls {
            self.memory.issued(issued.id.clone());
        }
        if calls.iter().any(|issued| issued.call == Call::NewContext) {
            self.memory.checkpointed();
        }
    }

    fn failure(&mut self, api: Api, failure: Failure, stream: bool) -> Delivery<ProviderResponse> {
        if let Some(status) = failure.status() {
            let mut response = response(status, tacit_wire::refusal(api, status, WHY_IT_FAILED));
            // Whoever asks again shall not be kept waiting: clients have a second of their own.
            if matches!(failure, Failure::RateLimited | Failure::ServerError | Failure::Overloaded)
            {
                response.headers.push(("retry-after".to_owned(), "0".to_owned()));
                response.headers.push(("retry-after-ms".to_owned(), "2".to_owned()));
            }
            return Delivery::Now(response);
        }
        match failure {
            Failure::Empty => {
                let nothing = tacit_wire::write(api, &Reply::default(), stream);
                Delivery::Now(response(200, nothing))
            }
            Failure::BreaksOff => {
                let text = format!("I begin to think about it ({})", self.words.next());
                let half = tacit_wire::broken(api, &Reply::text(text), stream);
                Delivery::Now(response(200, half))
            }
            _ => Delivery::Cut,
        }
    }

    /// Marks the prompt as stopped; whether it was not before.
    fn stop(&mut self) -> bool {
        self.prompt.as_mut().is_some_and(|prompt| !std::mem::replace(&mut prompt.stopped, true))
    }

    /// Answers a host call, likewise.
    pub(crate) fn host(&mut self, call: &HostCall) -> (HostAnswer, Delivery<HostAnswer>, bool) {
        let withheld = self.prompt.as_ref().is_some_and(|prompt| {
            prompt.stopped
                || call.method == "tool.execute"
                    && matches!(prompt.lines.front(), Some(Line::Abort))
        });
        if withheld {
            let answer = HostAnswer {
                status: HostStatus::Error,
                text: "the prompt was stopped before this was answered".to_owned(),
            };
            return (answer, Delivery::Never, self.stop());
        }
        let answer = self.book.answer(call);
        if self.asks_too_much() {
            return (answer, Delivery::Never, false);
        }
        (answer.clone(), Delivery::Now(answer), false)
    }

    fn asks_too_much(&mut self) -> bool {
        self.prompt.as_mut().is_some_and(|prompt| {
            prompt.asked += 1;
            prompt.asked > MOST_ASKED
        })
    }
}

fn response(status: u16, written: Written) -> ProviderResponse {
    ProviderResponse {
        status,
        headers: vec![("content-type".to_owned(), written.content_type.to_owned())],
        body: written.body,
    }
}

/// What a strict endpoint says to a request that it does not take.
fn refused(api: Api, problem: &Problem) -> ProviderResponse {
    response(400, tacit_wire::refusal(api, 400, &problem.to_string()))
}

/// What a path gets that is no request for an answer.
pub(crate) fn not_found() -> ProviderResponse {
    ProviderResponse {
        status: 404,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: br#"{"error":{"message":"there is nothing here","type":"not_found"}}"#.to_vec(),
    }
}
