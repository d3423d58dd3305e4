//! Tells the requests of a session apart: turn requests, repeats, helper requests.

use std::collections::BTreeSet;

use tacit_contract::CallId;
use tacit_contract::profile::CatalogShape;
use tacit_contract::trace::RequestClass;

use crate::catalog::without_catalog;
use crate::view::{Item, RequestView};

/// What has to be known of a session to tell its next request.
///
/// The scripted provider keeps one for each open session, and so can whoever reads a recording:
/// [`class_of`](Self::class_of) decides, the other methods take down what happens.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    catalog: Option<CatalogShape>,
    /// The base prompts of requests with tools, the catalog aside.
    bases: BTreeSet<String>,
    prompt: Option<Prompt>,
}

#[derive(Debug, Clone, Default)]
struct Prompt {
    text: String,
    calls: BTreeSet<CallId>,
    /// The body of the last turn request or repeat.
    last: Option<String>,
    last_failed: bool,
    /// How often the last turn request was said again.
    repeats: u32,
    /// The base prompts of this prompt's turn requests, the catalog aside.
    bases: BTreeSet<String>,
    /// Something since the last turn request may have taken the prompt out of the context.
    checkpoint: bool,
}

impl Memory {
    /// The memory of a session whose runtime writes such a catalog, if it writes one.
    #[must_use]
    pub fn new(catalog: Option<CatalogShape>) -> Self {
        Self { catalog, ..Self::default() }
    }

    /// A prompt begins.
    pub fn prompted(&mut self, text: &str) {
        self.prompt = Some(Prompt { text: text.trim().to_owned(), ..Prompt::default() });
    }

    /// The prompt is over.
    pub fn prompt_ended(&mut self) {
        self.prompt = None;
    }

    /// The prompt's script issues a call.
    pub fn issued(&mut self, call: CallId) {
        if let Some(prompt) = &mut self.prompt {
            prompt.calls.insert(call);
        }
    }

    /// A checkpoint in the middle of the prompt is known from elsewhere: the script started a
    /// new context. (A helper request is taken for a sign of one without being told.)
    pub fn checkpointed(&mut self) {
        if let Some(prompt) = &mut self.prompt {
            prompt.checkpoint = true;
        }
    }

    /// What class a request has.
    #[must_use]
    pub fn class_of(&self, request: &RequestView, body: &str) -> RequestClass {
        let Some(prompt) = &self.prompt else { return RequestClass::Helper };
        let base = without_catalog(&request.base_prompt, self.catalog.as_ref());
        if request.tools.is_empty() && !self.bases.contains(&base) {
            return RequestClass::Helper;
        }
        // What comes right after a checkpoint need not hold the prompt, nor need its repeats.
        let said_before = || prompt.last.as_deref() == Some(body);
        let goes_on = || (prompt.checkpoint || said_before()) && prompt.bases.contains(&base);
        if !prompt.is_held_by(request) && !goes_on() {
            return RequestClass::Helper;
        }
        match &prompt.last {
            Some(last) if prompt.last_failed || last == body && !prompt.begins_alike() => {
                RequestClass::Repeat
            }
            _ => RequestClass::Turn,
        }
    }

    /// Takes down a request, as [`class_of`](Self::class_of) had it, and whether its answer
    /// failed or broke off.
    pub fn saw(&mut self, request: &RequestView, body: &str, class: RequestClass, failed: bool) {
        let is_turn = matches!(class, RequestClass::Turn | RequestClass::Repeat);
        let base = without_catalog(&request.base_prompt, self.catalog.as_ref());
        if let Some(prompt) = &mut self.prompt {
            if is_turn {
                prompt.last = Some(body.to_owned());
                prompt.last_failed = failed;
                prompt.repeats = if class == RequestClass::Repeat { prompt.repeats + 1 } else { 0 };
                prompt.checkpoint = false;
                prompt.bases.insert(base.clone());
            } else if class == RequestClass::Helper {
                prompt.checkpoint = true;
            }
        }
        if !request.tools.is_empty() {
            self.bases.insert(base);
        }
    }
}

impl Prompt {
    /// Whether the same body once more is a new context that begins with the words of the last
    /// one. It cannot be told from a request that is sent twice, but by its number.
    fn begins_alike(&self) -> bool {
        self.checkpoint && self.repeats > 0
    }

    fn is_held_by(&self, request: &RequestView) -> bool {
        request.items.iter().rev().any(|item| match item {
            Item::User { texts } => {
                texts.last().is_some_and(|text| text.trim() == self.text)
                    || texts.len() > 1 && texts.concat().trim() == self.text
            }
            Item::Assistant { calls, .. } => {
                calls.iter().any(|call| parts(&call.id).any(|id| self.calls.contains(id)))
            }
            // Over Messages, a text behind results of references alone is read as what the
            // first of them says, and may yet be the prompt.
            Item::Result { text, .. } => text.trim() == self.text,
            Item::System { .. } => false,
        })
    }
}

/// The ids that a call may go by: runtimes join the provider's own with another by `|`.
fn parts(id: &CallId) -> impl Iterator<Item = &str> {
    std::iter::once(id.as_str()).chain(id.as_str().split('|'))
}
