//! Smoke: does the adapter work at all? Tells a broken adapter from a runtime that does not keep
//! the contract.

use std::borrow::Cow;
use std::sync::Arc;

use tacit_contract::protocol::{Description, Stop};
use tacit_contract::runtime::RuntimeError;
use tacit_contract::session::{Bulk, Outcome};
use tacit_contract::trace::{From, RequestClass};
use tacit_contract::{
    Call, Mode, Origin, ProviderKind, Query, Seen, Session, Step, ToolSpec, Trace,
};
use tacit_judge::Account;
use tacit_judge::account::PromptAccount;

use crate::config::Config;
use crate::error::RunError;
use crate::exit::Exit;
use crate::pool::Pool;
use crate::providers::{Lacking, kinds, narrowed};

/// One thing that an adapter must be able to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ability {
    /// What it is.
    pub what: Cow<'static, str>,
    /// Whether it has it.
    pub state: State,
}

/// Whether an adapter has an ability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It works.
    Works,
    /// It does not.
    Fails {
        /// What is wrong with it, and what to do.
        problem: String,
        /// The end of the runtime's log, where it broke off; may be empty.
        log: String,
    },
    /// What it needs does not work, so that nothing is known of it.
    NotReached,
}

impl State {
    fn broken(error: &RuntimeError) -> Self {
        let (problem, log) = error.cause_and_log();
        Self::Fails { problem, log: log.to_owned() }
    }
}

/// What an adapter does first.
const DESCRIBES: &str = "starts and describes itself";

/// What it does next.
const OPENS: &str = "opens a session";

/// The tool that the smoke session searches for and calls.
const TOOL: &str = "acme_weather";

/// Tries what every adapter must be able to do.
///
/// # Errors
/// A worker panicked.
pub fn smoke(config: Config) -> Result<(Option<Description>, Vec<Ability>, Exit), RunError> {
    let config = Arc::new(Config { jobs: 1, ..config });
    let pool = Pool::new(&config);
    let described = pool.one(super::bench::Bench::describe).ok_or(RunError::OwnFault)?;
    let runtime = match described {
        Ok(runtime) => runtime,
        Err(error) => {
            let ability = Ability { what: DESCRIBES.into(), state: State::broken(&error) };
            return Ok((None, vec![ability], Exit::Unusable));
        }
    };
    let mut abilities = vec![Ability { what: DESCRIBES.into(), state: State::Works }];
    let narrowed = match narrowed(&runtime, &config.apis) {
        Ok(narrowed) => narrowed,
        Err(Lacking::Usage(error)) => return Err(error),
        Err(Lacking::Unusable(error)) => {
            let state = State::broken(&error);
            abilities.push(Ability { what: "speaks a provider API".into(), state });
            return Ok((Some(runtime), abilities, Exit::Unusable));
        }
    };
    let mode = mode(&config, &runtime);
    for (nth, provider) in kinds(&narrowed).into_iter().enumerate() {
        let played = pool
            .one(move |bench| bench.block_on(bench.theatre().play(&session(mode, provider))))
            .ok_or(RunError::OwnFault)?;
        let shown = match played {
            Ok(trace) => judge(&config, &trace),
            Err(error) => {
                vec![Ability { what: OPENS.into(), state: State::broken(&error) }]
            }
        };
        if nth == 0 {
            abilities.extend(shown);
        } else {
            abilities.push(over(provider, shown));
        }
    }
    let works = abilities.iter().all(|ability| ability.state == State::Works);
    let exit = if works { Exit::Conforms } else { Exit::Unusable };
    Ok((Some(runtime), abilities, exit))
}

/// The same over a further kind of provider, in one line: what fails first there.
fn over(provider: ProviderKind, shown: Vec<Ability>) -> Ability {
    let failing = shown.into_iter().find(|ability| ability.state != State::Works);
    let state = failing.map_or(State::Works, |ability| match ability.state {
        State::Fails { problem, log } => {
            State::Fails { problem: format!("{}: {problem}", ability.what), log }
        }
        other => other,
    });
    Ability { what: format!("does all that over {provider}").into(), state }
}

fn mode(config: &Config, runtime: &Description) -> Mode {
    let described = |mode: &&Mode| config.profile.modes.contains_key(mode);
    runtime.capabilities.modes.iter().find(described).copied().unwrap_or(Mode::Agent)
}

fn session(mode: Mode, provider: ProviderKind) -> Session {
    let tool = ToolSpec::deferred(
        TOOL,
        "look up the weather for a city",
        Origin::plugin("acme"),
        &Mode::ALL,
    );
    let search = Call::Search { query: Query::text(TOOL) };
    let call = Call::Use { tool: TOOL.into(), outcome: Outcome::Ok, says: None };
    let prompt = |text: &str| Step::Prompt { text: text.to_owned() };
    Session {
        seed: 1,
        mode,
        provider,
        tools: vec![tool],
        bulk: Bulk::default(),
        steps: vec![
            prompt("hello"),
            prompt("what is the weather like?"),
            Step::Answer { calls: vec![search] },
            Step::Answer { calls: vec![call] },
            Step::Restart { process: true, from_rows: false },
            prompt("and now?"),
        ],
    }
}

/// What the smoke session has come to.
struct Played<'t> {
    trace: &'t Trace,
    prompts: &'t [PromptAccount<'t>],
}

fn judge(config: &Config, trace: &Trace) -> Vec<Ability> {
    let account = Account::new(&config.profile, trace);
    let prompts = account.main().map(|session| session.prompts.as_slice()).unwrap_or_default();
    let played = Played { trace, prompts };
    let asked = played.requests(0) >= 1;
    let searched = played.requests(1) >= 2;
    let restarted = played.opened(true) && played.ended(2);
    let mut shown = Shown { broke: played.broke(), abilities: Vec::new() };
    let opened = shown.next(OPENS, true, played.opened(false), || NOT_OPENED.into());
    let asked =
        shown.next("asks its provider when it is prompted", opened, asked, || played.unasked());
    let ended = shown.next("ends a prompt", asked, played.ended(0), || NOT_ENDED.into());
    let searched =
        shown.next("goes on after a search", ended, searched, || NOT_AFTER_A_SEARCH.into());
    let called = shown.next("goes on after a call", searched, played.requests(1) >= 3, || {
        NOT_AFTER_A_CALL.into()
    });
    shown.next("asks its host to run a tool", called, played.ran(), || played.not_run());
    let restarted =
        shown.next("restarts from its saved state", ended, restarted, || NOT_RESTARTED.into());
    shown.next(
        "remembers what was before",
        called && restarted,
        restarted && played.remembers(),
        || NOT_REMEMBERED.into(),
    );
    shown.abilities
}

const NOT_OPENED: &str = "no session was opened";
const NOT_ENDED: &str =
    "`session/prompt` did not answer with `stop: \"end\"` after the model's last text";
const NOT_AFTER_A_SEARCH: &str =
    "no second request came after the model's search: send the search's result back";
const NOT_AFTER_A_CALL: &str = "no third request came after the model's call: send the call's \
                                result back, also where it is an error";
const NOT_RESTARTED: &str =
    "after the end of the process the session did not open from what `session/save` gave";
const NOT_REMEMBERED: &str = "the request after the restart holds no call and no result of \
                              before: all that a restart needs belongs in the `state` of \
                              `session/save`";

/// The abilities so far, in the order in which a session needs them.
struct Shown {
    /// Where the session broke off; told once, of the first ability that it kept from working.
    broke: Option<State>,
    abilities: Vec<Ability>,
}

impl Shown {
    /// Adds an ability, which needs another to be `reached`, and says whether it works.
    fn next(
        &mut self,
        what: &'static str,
        reached: bool,
        works: bool,
        otherwise: impl FnOnce() -> Cow<'static, str>,
    ) -> bool {
        let state = if works {
            State::Works
        } else if !reached {
            State::NotReached
        } else {
            let own = || State::Fails { problem: otherwise().into_owned(), log: String::new() };
            self.broke.replace(State::NotReached).unwrap_or_else(own)
        };
        self.abilities.push(Ability { what: what.into(), state });
        works
    }
}

impl Played<'_> {
    fn opened(&self, from_state: bool) -> bool {
        self.trace.log.iter().any(|entry| match &entry.seen {
            Seen::Opened { from, .. } => from_state == matches!(from, From::State { .. }),
            _ => false,
        })
    }

    fn requests(&self, prompt: usize) -> usize {
        self.prompts.get(prompt).map_or(0, |prompt| prompt.requests.len())
    }

    fn ended(&self, prompt: usize) -> bool {
        let end = self.prompts.get(prompt).and_then(|prompt| prompt.end);
        end.is_some_and(|end| end.stop == Stop::End)
    }

    /// What ended the session before its time, or else kept a step from being taken.
    fn broke(&self) -> Option<State> {
        self.trace.cut_short.as_ref().map(State::broken).or_else(|| {
            self.trace.log.iter().find_map(|entry| match &entry.seen {
                Seen::Failed { operation, error } => {
                    let problem = format!("{operation}: {error}");
                    Some(State::Fails { problem, log: String::new() })
                }
                _ => None,
            })
        })
    }

    fn unasked(&self) -> Cow<'static, str> {
        let astray = self.trace.log.iter().find_map(|entry| match &entry.seen {
            Seen::Requested(request) if request.class == RequestClass::Stray => Some(format!(
                "a request came to `{}`, where the session's provider has nothing: send it where \
                 the API of `provider.api` has it, below `provider.baseUrl`",
                request.path
            )),
            _ => None,
        });
        astray.map_or(
            "no request that holds the prompt came to `provider.baseUrl`: send the user's text \
             there as a message of its own"
                .into(),
            Cow::Owned,
        )
    }

    fn host_calls(&self) -> impl Iterator<Item = &str> {
        self.prompts.get(1).into_iter().flat_map(|prompt| &prompt.host).map(|at| &*at.call.method)
    }

    fn ran(&self) -> bool {
        self.host_calls().any(|method| method == EXECUTE)
    }

    fn not_run(&self) -> Cow<'static, str> {
        let advice = "a given tool runs by one POST there. If the runtime did not activate the \
                      tool, this is for `tacit run` to judge";
        let other = self.host_calls().find(|method| !method.starts_with("tool."));
        match other {
            Some(method) => format!(
                "`{method}` came to `host.url`, which is taken for housekeeping, and no \
                 `{EXECUTE}`: {advice}"
            ),
            None => format!("no `{EXECUTE}` came to `host.url`: {advice}"),
        }
        .into()
    }

    /// Whether the request after the restart holds anything of what was called before it.
    fn remembers(&self) -> bool {
        let first = self.prompts.get(2).and_then(|prompt| prompt.first());
        first.is_some_and(|request| !request.held.is_empty())
    }
}

/// The host call by which a tool runs.
const EXECUTE: &str = "tool.execute";
