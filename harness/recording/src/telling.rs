//! Telling a piece of a conversation as a trace.
//!
//! A trace of the stage says what every call came to. A recording says so in part: what a search
//! activated shows in the request that first holds its result, and some APIs mark an error. What is
//! not known is told so that the judge leaves it open: as part of a history that is not whole.

use std::sync::Arc;

use tacit_contract::protocol::{Api, Dialect, PromptEnd, Stop};
use tacit_contract::registry::Registry;
use tacit_contract::trace::{Answered, From, RequestClass};
use tacit_contract::{Mode, Profile, ProviderKind, Row, Seen, Tool, ToolName};
use tacit_wire::{Channel, RequestView, Visibility};

use crate::Exchange;
use crate::answers::answer;
use crate::conversation::{Conversation, Heard};
use crate::outcomes::Outcomes;
use crate::writer::{Piece, Writer, description};

/// What a recording is told under.
#[derive(Clone, Copy)]
pub struct Setting<'s> {
    /// The profile: what the runtime calls things.
    pub profile: &'s Profile,
    /// The mode that it was recorded in.
    pub mode: Mode,
    /// The registry, as far as it is known once these requests have been seen.
    pub tools: &'s dyn Fn(&[&RequestView]) -> Arc<Vec<Tool>>,
}

impl Setting<'_> {
    /// Whether the model can start a new context.
    pub(crate) fn starts_anew(&self) -> bool {
        self.dialect().new_context.is_some()
    }

    fn dialect(&self) -> Dialect {
        self.profile.dialect(&Dialect::default())
    }
}

/// A request that belongs to no conversation: its form alone can be judged.
pub(crate) fn alone(setting: &Setting<'_>, exchange: &Exchange) -> Piece {
    let api = exchange.api.unwrap_or(Api::OpenaiChat);
    let native = tacit_wire::read(api, exchange.body.as_bytes()).is_ok_and(|view| defers(&view));
    let provider = ProviderKind { api, native };
    let mut writer = Writer::new(setting, provider, Arc::default(), From::Nothing);
    writer.request(exchange, RequestClass::Helper, Answered::Text);
    writer.finish()
}

/// Whether a request holds definitions in a form that only a provider takes which defers.
fn defers(view: &RequestView) -> bool {
    let natively =
        |channel, visibility| channel != Channel::Tools || visibility != Visibility::Visible;
    view.tools.iter().any(|tool| natively(tool.channel, tool.visibility))
}

/// Tells the requests of a conversation that are still to be told, and keeps what is known of
/// their calls.
pub(crate) fn tell(setting: &Setting<'_>, conversation: &mut Conversation) -> Piece {
    let window = std::mem::take(&mut conversation.window);
    let views: Vec<&RequestView> = window.iter().map(|heard| &heard.view).collect();
    let tools = (setting.tools)(&views);
    let api = window.first().and_then(|heard| heard.exchange.api).unwrap_or(Api::OpenaiChat);
    let provider = ProviderKind { api, native: views.iter().any(|view| defers(view)) };
    let dialect = setting.dialect();
    let probe = description(setting.mode, provider);
    let registry = Registry::new(Arc::clone(&tools), setting.profile, &probe);
    let outcomes = Outcomes { setting, dialect: &dialect, registry: &registry, window: &window };
    let mut rows = outcomes.before(&conversation.facts);
    if conversation.resumes {
        let deferred: Vec<ToolName> = registry.deferred(setting.mode).cloned().collect();
        rows.extend(outcomes.doubt(&"before".into(), &deferred));
    }
    let answers: Vec<Answered> = (0..window.len())
        .map(|place| answer(&dialect, &window[place], window.get(place + 1)))
        .collect();
    let mut ended: Vec<Vec<Row>> = Vec::new();
    for (place, answer) in answers.iter().enumerate() {
        let mut results = Vec::new();
        if let Answered::Calls { calls, .. } = answer {
            for (call, fact) in outcomes.of(place, calls) {
                results.extend(fact.row(&call));
                rows.extend(outcomes.doubt(&call, &fact.doubted));
                conversation.facts.insert(call, fact);
            }
        }
        ended.push(results);
    }
    let mut writer = Writer::new(setting, provider, tools, From::Recorded { rows });
    let mut prompt: Vec<Row> = Vec::new();
    for (place, (heard, (answer, results))) in
        window.iter().zip(answers.into_iter().zip(ended)).enumerate()
    {
        if heard.prompted {
            if place > 0 {
                end(&mut writer, std::mem::take(&mut prompt), true);
            }
            let text = heard.prompt().map(|(_, text)| text.to_owned()).unwrap_or_default();
            writer.see(Seen::Prompted { step: 0, text });
        }
        let again = place > 0 && heard.new_items().is_empty();
        let class = if again { RequestClass::Repeat } else { RequestClass::Turn };
        prompt.extend(results);
        writer.request(&heard.exchange, class, answer);
    }
    end(&mut writer, prompt, false);
    let goes_on = window.first().is_some_and(Heard::goes_on);
    Piece { goes_on, ..writer.finish() }
}

/// A prompt is over: so much is sure where another begins.
fn end(writer: &mut Writer, rows: Vec<Row>, sure: bool) {
    if sure {
        writer.see(Seen::PromptEnded(PromptEnd {
            stop: Stop::End,
            text: None,
            error: None,
            activity: None,
        }));
    }
    writer.see(Seen::Transcript { rows });
}
