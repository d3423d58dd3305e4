//! Asking the provider, and asking again where that can help.

use std::time::Duration;

use tacit_contract::protocol::Api;
use tacit_contract::runtime::{PortError, ProviderRequest, ProviderResponse};

use crate::abort::Aborted;
use crate::encoder::{self, Answer, Unreadable};
use crate::session::Session;
use crate::switches::Switch;

/// How often a request is sent again.
const MOST_RETRIES: u32 = 3;

/// The longest pause before a retry: a reference runtime is there to be tested, not to be kind
/// to a provider.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// The pause where the provider names none, doubled each time.
const FIRST_PAUSE: Duration = Duration::from_millis(5);

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The user stopped the prompt.
    Aborted,
    /// The runtime gives up.
    Failed(String),
}

impl From<Aborted> for Halt {
    fn from(_: Aborted) -> Self {
        Self::Aborted
    }
}

/// Sends a request until it is answered. A retry is the same request, unless `again` has
/// another.
pub(crate) async fn ask(
    session: &Session,
    request: ProviderRequest,
    again: impl Fn(&Trouble) -> Option<ProviderRequest>,
) -> Result<Answer, Halt> {
    let mut request = request;
    let mut pause = FIRST_PAUSE;
    let mut retries = 0;
    loop {
        let sent = session.abort.or(session.ports.provider.send(request.clone())).await?;
        let trouble = match read(session.provider.api, sent) {
            Ok(answer) if session.options.switches.has(Switch::AsksTwice) => {
                return Ok(once_more(session, request).await?.unwrap_or(answer));
            }
            Ok(answer) => return Ok(answer),
            Err(trouble) => trouble,
        };
        let gives_up = session.options.switches.has(Switch::NeverRetries);
        if gives_up || !trouble.passing || retries == MOST_RETRIES {
            return Err(Halt::Failed(trouble.what));
        }
        let pause_now = trouble.pause.unwrap_or(pause).min(LONGEST_PAUSE);
        if !pause_now.is_zero() {
            session.abort.or(tokio::time::sleep(pause_now)).await?;
        }
        retries += 1;
        pause *= 2;
        if let Some(other) = again(&trouble) {
            request = other;
        }
    }
}

/// The answer to a request that was answered already; `None` where it fails this time.
async fn once_more(session: &Session, request: ProviderRequest) -> Result<Option<Answer>, Aborted> {
    let sent = session.abort.or(session.ports.provider.send(request)).await?;
    Ok(read(session.provider.api, sent).ok())
}

/// What went wrong with one attempt.
pub(crate) struct Trouble {
    what: String,
    /// The status that the provider answered with, where that was the trouble.
    pub(crate) status: Option<u16>,
    /// Whether an answer began and never ended.
    pub(crate) broke_off: bool,
    /// Whether it may be gone next time.
    passing: bool,
    /// How long the provider wants to be left alone.
    pause: Option<Duration>,
}

impl Trouble {
    fn of(what: String, passing: bool) -> Self {
        Self { what, status: None, broke_off: false, passing, pause: None }
    }
}

fn read(api: Api, sent: Result<ProviderResponse, PortError>) -> Result<Answer, Trouble> {
    let response = sent.map_err(|error| Trouble::of(error.to_string(), true))?;
    if !(200..300).contains(&response.status) {
        let what = format!("the provider answered with status {}", response.status);
        let passing = matches!(response.status, 429 | 500 | 502 | 503 | 529);
        return Err(Trouble {
            status: Some(response.status),
            pause: wanted_pause(&response),
            ..Trouble::of(what, passing)
        });
    }
    encoder::decode(api, &response.body).map_err(|error| {
        let broke_off = error == Unreadable::BrokeOff;
        Trouble { broke_off, ..Trouble::of(error.to_string(), broke_off) }
    })
}

/// The pause that the provider asks for, in milliseconds or in seconds.
fn wanted_pause(response: &ProviderResponse) -> Option<Duration> {
    let header = |wanted: &str| {
        let found = response.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted))?;
        found.1.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0)
    };
    let seconds =
        header("retry-after-ms").map(|ms| ms / 1000.0).or_else(|| header("retry-after"))?;
    Some(Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST_PAUSE))
}
