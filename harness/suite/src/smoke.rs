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
    /// What is wrong with it, and what to do; `None` where it works.
    pub problem: Option<String>,
}

/// What an adapter does first.
const DESCRIBES: &str = "starts and describes itself";

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
            let ability = Ability { what: DESCRIBES.into(), problem: Some(error.to_string()) };
            return Ok((None, vec![ability], Exit::Unusable));
        }
    };
    let mut abilities = vec![Ability { what: DESCRIBES.into(), problem: None }];
    let narrowed = match narrowed(&runtime, &config.apis) {
        Ok(narrowed) => narrowed,
        Err(Lacking::Usage(error)) => return Err(error),
        Err(Lacking::Unusable(error)) => {
            let problem = Some(error.to_string());
            abilities.push(Ability { what: "speaks a provider API".into(), problem });
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
                vec![Ability { what: "opens a session".into(), problem: Some(error.to_string()) }]
            }
        };
        if nth == 0 {
            abilities.extend(shown);
        } else {
            abilities.push(over(provider, shown));
        }
    }
    let works = abilities.iter().all(|ability| ability.problem.is_none());
    let exit = if works { Exit::Conforms } else { Exit::Unusable };
    Ok((Some(runtime), abilities, exit))
}

/// The same over a further kind of provider, in one line: what fails first there.
fn over(provider: ProviderKind, shown: Vec<Ability>) -> Ability {
    let failing = shown.into_iter().find(|ability| ability.problem.is_some());
    Ability {
        what: format!("does all that over {provider}").into(),
        problem: failing
            .map(|ability| format!("{}: {}", ability.what, ability.problem.unwrap_or_default())),
    }
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

fn judge(config: &Config, trace: &Trace) -> Vec<Ability> {
    let account = Account::new(&config.profile, trace);
    let prompts = account.main().map(|session| session.prompts.as_slice()).unwrap_or_default();
    let opened = |from_state: bool| {
        trace.log.iter().any(|entry| match &entry.seen {
            Seen::Opened { from, .. } => from_state == matches!(from, From::State { .. }),
            _ => false,
        })
    };
    let cut = trace.cut_short.as_ref().map(RuntimeError::to_string);
    let failed = trace.log.iter().find_map(|entry| match &entry.seen {
        Seen::Failed { operation, error } => Some(format!("{operation}: {error}")),
        _ => None,
    });
    let because = |otherwise: &str| {
        Some(cut.clone().or_else(|| failed.clone()).unwrap_or_else(|| otherwise.to_owned()))
    };
    let ended = |number: usize| {
        prompts.get(number).and_then(|prompt| prompt.end).is_some_and(|end| end.stop == Stop::End)
    };
    let astray = trace.log.iter().find_map(|entry| match &entry.seen {
        Seen::Requested(request) if request.class == RequestClass::Stray => Some(format!(
            "a request came to `{}`, where the session's provider has nothing: send it where \
                 the API of `provider.api` has it, below `provider.baseUrl`",
            request.path
        )),
        _ => None,
    });
    let asked = prompts.first().is_some_and(|prompt| !prompt.requests.is_empty());
    let searched = prompts.get(1).is_some_and(|prompt| prompt.requests.len() >= 2);
    let called = prompts.get(1).is_some_and(|prompt| prompt.requests.len() >= 3);
    let ran = prompts
        .get(1)
        .is_some_and(|prompt| prompt.host.iter().any(|at| at.call.method == "tool.execute"));
    let check = |what: &'static str, works: bool, otherwise: &str| Ability {
        what: what.into(),
        problem: if works { None } else { because(otherwise) },
    };
    vec![
        check("opens a session", opened(false), "no session was opened"),
        check(
            "asks its provider when it is prompted",
            asked,
            astray.as_deref().unwrap_or(
                "no request that holds the prompt came to `provider.baseUrl`: send the user's \
                 text there as a message of its own",
            ),
        ),
        check(
            "ends a prompt",
            ended(0),
            "`session/prompt` did not answer with `stop: \"end\"` after the model's last text",
        ),
        check(
            "goes on after a search",
            searched,
            "no second request came after the model's search: send the search's result back",
        ),
        check(
            "goes on after a call",
            called,
            "no third request came after the model's call: send the call's result back, also \
             where it is an error",
        ),
        check(
            "asks its host to run a tool",
            ran,
            "no `tool.execute` came to `host.url`: a given tool runs by one POST there. If the \
             runtime did not activate the tool, this is for `tacit run` to judge",
        ),
        check(
            "restarts from its saved state",
            opened(true) && ended(2),
            "after the end of the process the session did not open from what `session/save` gave",
        ),
    ]
}
