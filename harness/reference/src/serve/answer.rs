//! From a method and its parameters to a result.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tacit_contract::protocol::{
    ErrorAnswer, InSession, Initialize, Opening, Prompt, Saved, SetMode, SetTools, Transcript,
    VERSION, code, method,
};
use tacit_contract::runtime::{Runtime, RuntimeError};

use super::error;
use crate::http;

/// Carries out one request.
pub(super) async fn answer<R: Runtime>(
    runtime: &R,
    method: &str,
    params: Value,
) -> Result<Value, ErrorAnswer> {
    match method {
        method::INITIALIZE => initialize(runtime, &take(params)?),
        method::OPEN => {
            let opening: Opening = take(params)?;
            let ports = http::ports(&opening);
            done(runtime.open(opening, ports).await)
        }
        method::PROMPT => {
            let Prompt { session_id, text } = take(params)?;
            give(&runtime.prompt(&session_id, &text).await.map_err(told)?)
        }
        method::SAVE => {
            let InSession { session_id } = take(params)?;
            give(&Saved { state: runtime.save(&session_id).await.map_err(told)? })
        }
        method::CLOSE => {
            let InSession { session_id } = take(params)?;
            done(runtime.close(&session_id).await)
        }
        method::TRANSCRIPT => {
            let InSession { session_id } = take(params)?;
            give(&Transcript { rows: runtime.transcript(&session_id).await.map_err(told)? })
        }
        method::ABORT => {
            let InSession { session_id } = take(params)?;
            done(runtime.abort(&session_id).await)
        }
        method::SET_MODE => {
            let SetMode { session_id, mode } = take(params)?;
            done(runtime.set_mode(&session_id, mode).await)
        }
        method::SET_TOOLS => {
            let SetTools { session_id, tools } = take(params)?;
            done(runtime.set_tools(&session_id, tools).await)
        }
        method::COMPACT => {
            let InSession { session_id } = take(params)?;
            done(runtime.compact(&session_id).await)
        }
        _ => Err(error(code::UNKNOWN_METHOD, &format!("there is no method `{method}`"))),
    }
}

fn initialize<R: Runtime>(runtime: &R, asked: &Initialize) -> Result<Value, ErrorAnswer> {
    if asked.protocol_version < VERSION {
        let what = format!("protocol version {}", asked.protocol_version);
        return Err(told(RuntimeError::unsupported(&what)));
    }
    give(runtime.describe())
}

fn take<T: DeserializeOwned>(params: Value) -> Result<T, ErrorAnswer> {
    serde_json::from_value(params).map_err(|problem| {
        error(code::BAD_PARAMS, &format!("the parameters do not fit: {problem}"))
    })
}

fn give(result: &impl Serialize) -> Result<Value, ErrorAnswer> {
    serde_json::to_value(result).map_err(|problem| error(code::INTERNAL, &problem.to_string()))
}

fn done(result: Result<(), RuntimeError>) -> Result<Value, ErrorAnswer> {
    result.map(|()| json!({})).map_err(told)
}

/// The error answer that stands for an error of the trait.
#[allow(clippy::needless_pass_by_value, reason = "it is what an error is mapped with")]
fn told(problem: RuntimeError) -> ErrorAnswer {
    let message = problem.to_string();
    let (code, data) = match problem {
        RuntimeError::Unsupported { what } => (code::UNSUPPORTED, Some(json!({"what": what}))),
        RuntimeError::Refused { reason } => (code::REFUSED, Some(json!({"reason": reason}))),
        RuntimeError::Busy => (code::BUSY, None),
        RuntimeError::UnknownSession { .. } => (code::UNKNOWN_SESSION, None),
        RuntimeError::Failed { code, message } => {
            return ErrorAnswer { code, message, data: None };
        }
        _ => (code::INTERNAL, None),
    };
    ErrorAnswer { code, message, data }
}
