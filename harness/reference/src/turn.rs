//! One prompt, from the user's words to the model's last.

use std::sync::Arc;

use tacit_contract::protocol::{Activity, PromptEnd, Stop};
use tacit_contract::runtime::ProviderRequest;
use tacit_contract::{Revision, Row, Status, Tool, ToolCall};

use crate::activation::evidence::effective;
use crate::activation::{ActiveSet, Placement, restored};
use crate::call::Done;
use crate::context::{self, Message};
use crate::encoder::{self, Answer, Draft};
use crate::prompts;
use crate::provider::{self, Halt, Trouble};
use crate::session::{Session, State};
use crate::switches::{Switch, points};
use crate::variants::{requests, rows};

/// The most requests of one prompt: a model that never stops shall not keep the user for ever.
const MOST_STEPS: usize = 500;

/// A prompt that is running.
pub(crate) struct Turn<'a> {
    pub(crate) session: &'a Session,
    /// What the user said.
    prompt: &'a str,
    /// The tools of the request that was last answered. A call is judged by these, not by what
    /// became active while its batch runs: the model wrote it without seeing any other schema.
    pub(crate) shown: Vec<Arc<Tool>>,
    activity: Vec<Activity>,
}

impl<'a> Turn<'a> {
    /// Runs a prompt to its end.
    pub(crate) async fn run(session: &'a Session, prompt: &'a str) -> PromptEnd {
        let mut turn = Self { session, prompt, shown: Vec::new(), activity: Vec::new() };
        let begun = session.state.borrow().rows.len();
        let went = match turn.begin() {
            Ok(()) => turn.go().await,
            Err(why) => Err(Halt::Failed(why)),
        };
        if let Err(halt) = &went
            && session.options.switches.any()
        {
            rows::drop_prompt(session, halt, begun);
        }
        points::on_end(session, &went);
        let (stop, text, error) = match went {
            Ok(text) => (Stop::End, text, None),
            Err(Halt::Aborted) => (Stop::Aborted, None, None),
            Err(Halt::Failed(why)) => (Stop::Error, None, Some(why)),
        };
        PromptEnd { stop, text, error, activity: Some(turn.activity) }
    }

    /// Forgets what was active, and brings back what the effective context is evidence for.
    fn begin(&mut self) -> Result<(), String> {
        let session = self.session;
        let mut state = session.state.borrow_mut();
        let begun = if session.options.switches.any() {
            points::begin(session, &mut state, self.prompt)
        } else {
            state.active = match session.options.revision {
                Revision::R1 => ActiveSet::default(),
                Revision::R2 | Revision::R3 => {
                    restored(&state.rows, &state.view).into_iter().collect()
                }
            };
            Ok(())
        };
        state.rows.push(Row::User { text: self.prompt.to_owned() });
        begun
    }

    async fn go(&mut self) -> Result<Option<String>, Halt> {
        let switches = self.session.options.switches;
        if switches.has(Switch::TitleBeforePrompt) {
            requests::ask_title(self.session, self.prompt).await?;
        }
        for _ in 0..MOST_STEPS {
            requests::keep_house(self.session).await?;
            let (request, shown) = self.compose(false);
            let again = |trouble: &Trouble| self.retry(trouble);
            let mut answer = provider::ask(self.session, request, again).await?;
            if answer.text.is_none()
                && answer.calls.is_empty()
                && points::reruns_silence(self.session)
            {
                let (request, _) = self.compose(true);
                answer = provider::ask(self.session, request, |_| None).await?;
            }
            let answer = self.record(answer);
            self.shown = shown;
            if answer.calls.is_empty() {
                if switches.has(Switch::TitleAfterPrompt) && self.is_first() {
                    requests::ask_title(self.session, self.prompt).await?;
                }
                return Ok(answer.text);
            }
            self.batch(&answer.calls).await?;
        }
        Err(Halt::Failed(format!("the model was not done after {MOST_STEPS} requests")))
    }

    /// Whether the user has said nothing before.
    fn is_first(&self) -> bool {
        let state = self.session.state.borrow();
        state.rows.iter().filter(|row| matches!(row, Row::User { .. })).count() == 1
    }

    /// The next request, and the tools in it; `again` where the one before has failed.
    fn compose(&self, again: bool) -> (ProviderRequest, Vec<Arc<Tool>>) {
        let session = self.session;
        points::before_request(session);
        let state = session.state.borrow();
        let faulty = session.options.switches.any();
        let (system, shown, placement) = if faulty {
            let tools = points::tools(session, &state);
            let placement = points::place(session, &state, tools.clone(), again);
            (points::base_prompt(session, &state), tools, placement)
        } else {
            let tools = visible(&state);
            let placement = place(session, &state, tools.clone(), session.provider.native);
            (prompts::base(state.view.catalog()), tools, placement)
        };
        let mut messages = context::messages(effective(&state.rows), &placement.loaded);
        if faulty {
            points::messages(session, &state, &mut messages);
        }
        let tools = &placement.listed;
        let draft = Draft { system: &system, messages: &messages, tools, stream: true };
        let mut request = encoder::encode(&session.provider, &draft);
        if faulty {
            points::on_body(session, &state, &mut request.body);
        }
        (request, shown)
    }

    /// The request that is sent in place of one that failed, where it is another.
    fn retry(&self, trouble: &Trouble) -> Option<ProviderRequest> {
        points::retries_otherwise(self.session, trouble).then(|| self.compose(true).0)
    }

    /// Writes an answer into the transcript, and gives calls that have no id one of ours.
    fn record(&self, mut answer: Answer) -> Answer {
        let mut state = self.session.state.borrow_mut();
        let row = state.rows.len();
        for (nth, call) in answer.calls.iter_mut().enumerate() {
            if call.id.as_str().is_empty() {
                call.id = format!("call_{row}_{nth}").into();
            }
        }
        if answer.text.is_some() || !answer.calls.is_empty() {
            let (text, tool_calls) = (answer.text.clone(), answer.calls.clone());
            state.rows.push(Row::Assistant { text, tool_calls });
        }
        answer
    }

    /// Runs the calls of one message in order. If the user stops the prompt, each call that has
    /// no result gets one that says so: the transcript stays whole.
    async fn batch(&mut self, calls: &[ToolCall]) -> Result<(), Halt> {
        let mut summary = None;
        let switches = self.session.options.switches;
        if self.session.options.switches.any() {
            points::before_batch(&mut self.session.state.borrow_mut());
        }
        let ordered = points::ordered(self.session, calls);
        let calls = ordered.as_deref().unwrap_or(calls);
        for (nth, call) in calls.iter().enumerate() {
            match self.call(call).await {
                Ok(mut done) => {
                    summary = done.summary.take().or(summary);
                    self.answer(call, done);
                }
                Err(halt) if switches.has(Switch::AbortLeavesCallsOpen) => return Err(halt),
                Err(halt) => {
                    for call in &calls[nth..] {
                        self.answer(call, Done::interrupted());
                    }
                    return Err(halt);
                }
            }
        }
        if let Some(summary) = summary {
            // The prompt is said again, so that the model knows what it is at, and so that the
            // rows alone tell what the request holds.
            let mut state = self.session.state.borrow_mut();
            state.rows.push(Row::Checkpoint { summary });
            if !switches.has(Switch::CheckpointWithoutPrompt) {
                state.rows.push(Row::User { text: self.prompt.to_owned() });
            }
        }
        Ok(())
    }

    /// Writes the result of a call into the transcript and shows it to the user.
    fn answer(&mut self, call: &ToolCall, done: Done) {
        let session = self.session;
        let mut done = done;
        if session.options.switches.any() {
            points::on_answer(session, &mut session.state.borrow_mut(), call, &mut done);
        }
        if points::is_shown(session, call) {
            self.activity.push(Activity {
                call_id: call.id.clone(),
                tool_name: call.name.clone(),
                status: word(done.status).to_owned(),
            });
        }
        session.state.borrow_mut().rows.push(Row::ToolResult {
            call_id: call.id.clone(),
            tool_name: call.name.clone(),
            status: done.status,
            text: done.text,
            added_tool_names: done.added,
        });
    }
}

/// The tools whose schemas a request carries.
fn visible(state: &State) -> Vec<Arc<Tool>> {
    state.view.always().iter().chain(&state.active).cloned().collect()
}

/// Where they stand; `loads` where the provider loads tools.
pub(crate) fn place(
    session: &Session,
    state: &State,
    tools: Vec<Arc<Tool>>,
    loads: bool,
) -> Placement {
    if !loads {
        return Placement::plain(tools);
    }
    let rows = effective(&state.rows);
    let since = match session.options.revision {
        // What an earlier prompt found is forgotten, so that its markers load nothing any more.
        Revision::R1 => rows.iter().rposition(|row| matches!(row, Row::User { .. })),
        Revision::R2 | Revision::R3 => None,
    };
    Placement::native(tools, &state.active, rows, since.unwrap_or_default())
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Error => "error",
        Status::Interrupted => "interrupted",
    }
}

/// Replaces all that was said by a summary, which the provider writes. Of what stood before
/// nothing is kept, so that no evidence outlives its row.
pub(crate) async fn compact(session: &Session) -> Result<(), String> {
    let request = {
        let state = session.state.borrow();
        if !effective(&state.rows).iter().any(|row| !matches!(row, Row::Checkpoint { .. })) {
            return Ok(());
        }
        let retold = context::retold(&state.rows);
        let messages = [Message::User(retold.into())];
        let tools = points::helper_tools(session, &state);
        let draft =
            Draft { system: prompts::CONDENSE, messages: &messages, tools: &tools, stream: false };
        encoder::encode(&session.provider, &draft)
    };
    match provider::ask(session, request, |_| None).await {
        Ok(answer) => {
            let summary = answer.text.unwrap_or_default();
            let mut state = session.state.borrow_mut();
            let place = rows::place_of_checkpoint(session, &state.rows);
            state.rows.insert(place, Row::Checkpoint { summary });
            points::on_compacted(session, &mut state);
            Ok(())
        }
        Err(Halt::Aborted) => Err("the user stopped the compaction".to_owned()),
        Err(Halt::Failed(why)) => Err(why),
    }
}
