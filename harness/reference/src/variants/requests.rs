//! What a request may hold otherwise, and what may be asked beside.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;
use tacit_contract::runtime::HostCall;
use tacit_contract::{Revision, Row, Tool};

use crate::abort::Aborted;
use crate::activation::evidence::effective;
use crate::activation::{ActiveSet, SEARCH};
use crate::context::Message;
use crate::encoder::{self, Draft};
use crate::provider::{self, Halt};
use crate::session::{Session, State};
use crate::switches::{Switch, Switches, points};

/// The system prompt of the request that asks for a title.
const TITLE: &str = "Give the conversation that begins like this a title of five words.";

/// The own method of the host that is told what goes on.
const NOTE: &str = "session.note";

/// A tool as it is sent.
pub(crate) fn sent_as(switches: Switches, mut tool: Arc<Tool>) -> Arc<Tool> {
    if switches.has(Switch::SchemasClosed)
        && let Value::Object(schema) = &mut Arc::make_mut(&mut tool).input_schema
    {
        schema.insert("additionalProperties".to_owned(), false.into());
    }
    if switches.has(Switch::OtherTexts) && tool.name == SEARCH {
        Arc::make_mut(&mut tool).description = super::search::description();
    }
    tool
}

/// What is active in the next request, where it is read from the rows each time.
pub(crate) fn stateless(session: &Session, state: &State) -> Option<ActiveSet> {
    if !session.options.switches.has(Switch::StatelessSet) {
        return None;
    }
    let rows = match session.options.revision {
        // There only this prompt's evidence counts.
        Revision::R1 => {
            let begun = state.rows.iter().rposition(|row| matches!(row, Row::User { .. }));
            &state.rows[begun.unwrap_or_default()..]
        }
        Revision::R2 | Revision::R3 => effective(&state.rows),
    };
    Some(points::restored_from(session, state, rows).into_iter().collect())
}

/// Tells the host that something goes on, by a call that belongs to no tool.
pub(crate) async fn keep_house(session: &Session) -> Result<(), Aborted> {
    if !session.options.switches.has(Switch::HousekeepingCalls) {
        return Ok(());
    }
    let note = HostCall {
        session_id: session.id.clone(),
        method: NOTE.to_owned(),
        call_id: None,
        tool_name: None,
        arguments: None,
        timeout_ms: None,
        workspace: None,
    };
    // Nothing hangs on what the host makes of it.
    session.abort.or(session.ports.host.call(note)).await.map(drop)
}

/// Asks for a title, in a request of its own.
pub(crate) async fn ask_title(session: &Session, prompt: &str) -> Result<(), Halt> {
    let messages = [Message::User(Cow::Borrowed(prompt))];
    let draft = Draft { system: TITLE, messages: &messages, tools: &[], stream: false };
    let request = encoder::encode(&session.provider, &draft);
    match provider::ask(session, request, |_| None).await {
        Err(Halt::Aborted) => Err(Halt::Aborted),
        // A session can do without.
        Ok(_) | Err(Halt::Failed(_)) => Ok(()),
    }
}
