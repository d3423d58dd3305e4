//! The listener: tells conversations apart, and gives each out in pieces that fit into memory.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use tacit_wire::without_catalog;

use crate::Exchange;
use crate::conversation::{Conversation, Heard, asks, states};
use crate::telling::{Setting, alone, tell};
use crate::writer::Piece;

/// How much is held before it is given out.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The bytes of one conversation's requests, above which a new prompt begins a new piece.
    pub window: usize,
    /// The bytes of all conversations' requests.
    pub total: usize,
    /// How many conversations are told apart at a time; of more, the one that was silent longest
    /// is over.
    pub conversations: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { window: 4 << 20, total: 24 << 20, conversations: 1024 }
    }
}

/// What was heard and is in no piece, or in one that shows little.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Passed {
    /// What is no request of a provider's API.
    pub other: u64,
    /// Requests that stand in the middle of a prompt whose beginning the recording does not hold:
    /// their form alone is judged.
    pub midway: u64,
    /// Requests without tools that no conversation with tools has part in: summaries, titles.
    pub helpers: u64,
}

/// Hears requests in their order, and gives out pieces.
pub struct Listener<'s> {
    setting: Setting<'s>,
    limits: Limits,
    conversations: HashMap<usize, Conversation>,
    by_end: HashMap<u64, usize>,
    /// The base prompts of requests with tools, the catalog aside.
    bases: HashSet<u64>,
    begun: usize,
    clock: u64,
    passed: Passed,
    given: &'s mut dyn FnMut(Piece),
}

impl<'s> Listener<'s> {
    /// A listener that hands its pieces to `given`.
    #[must_use]
    pub fn new(setting: Setting<'s>, limits: Limits, given: &'s mut dyn FnMut(Piece)) -> Self {
        Self {
            setting,
            limits,
            conversations: HashMap::new(),
            by_end: HashMap::new(),
            bases: HashSet::new(),
            begun: 0,
            clock: 0,
            passed: Passed::default(),
            given,
        }
    }

    /// Hears the next request.
    pub fn hear(&mut self, exchange: Exchange) {
        let Some(api) = exchange.api else {
            self.passed.other += 1;
            return;
        };
        let read = tacit_wire::read(api, exchange.body.as_bytes());
        let Some(view) = read.ok().filter(|view| view.undecidable.is_none()) else {
            (self.given)(alone(&self.setting, &exchange));
            return;
        };
        let catalog = self.setting.profile.catalog.as_ref();
        let base = hash(&without_catalog(&view.base_prompt, catalog));
        if view.tools.is_empty() && !self.bases.contains(&base) {
            self.passed.helpers += 1;
            (self.given)(alone(&self.setting, &exchange));
            return;
        }
        // A new context begins like any other conversation of its runtime.
        let resumes = !self.bases.insert(base) && self.setting.starts_anew();
        self.clock += 1;
        let states = states(&view.items);
        let known = (1..states.len()).rev().find_map(|old| {
            let number = self.by_end.get(&states[old])?;
            Some((*number, old))
        });
        let (number, old) = known.unwrap_or_else(|| (self.begin(resumes), 0));
        let end = states.last().copied().unwrap_or_default();
        self.add(number, end, Heard { exchange, old, prompted: asks(&view.items[old..]), view });
        self.make_room();
    }

    fn begin(&mut self, resumes: bool) -> usize {
        self.begun += 1;
        let number = self.begun;
        let begun = Conversation { number, resumes, ..Conversation::default() };
        self.conversations.insert(number, begun);
        number
    }

    fn add(&mut self, number: usize, end: u64, heard: Heard) {
        let Some(conversation) = self.conversations.get_mut(&number) else { return };
        self.by_end.remove(&conversation.end);
        self.by_end.insert(end, number);
        (conversation.end, conversation.heard) = (end, self.clock);
        let goes_over =
            conversation.window.last().is_some_and(|last| last.exchange.api != heard.exchange.api);
        let is_full = conversation.resumes || conversation.bytes > self.limits.window;
        if goes_over || heard.prompted && is_full {
            give(&self.setting, conversation, self.given);
        }
        conversation.waits |= conversation.window.is_empty();
        conversation.waits &= !heard.prompted;
        if conversation.waits {
            self.passed.midway += 1;
            (self.given)(alone(&self.setting, &heard.exchange));
            return;
        }
        conversation.bytes += heard.exchange.body.len();
        conversation.window.push(heard);
    }

    /// Gives out what was silent longest, until the rest fits.
    fn make_room(&mut self) {
        loop {
            let total: usize = self.conversations.values().map(|one| one.bytes).sum();
            let many = self.conversations.len() > self.limits.conversations;
            if total <= self.limits.total && !many {
                return;
            }
            let of_interest = self.conversations.values().filter(|one| many || one.bytes > 0);
            let Some(oldest) = of_interest.min_by_key(|one| one.heard).map(|one| one.number) else {
                return;
            };
            let Some(conversation) = self.conversations.get_mut(&oldest) else { return };
            give(&self.setting, conversation, self.given);
            if many {
                self.by_end.remove(&conversation.end);
                self.conversations.remove(&oldest);
            }
        }
    }

    /// The recording is over: gives out the rest, in the order in which it was begun, and says
    /// what is in no piece.
    #[must_use]
    pub fn finish(mut self) -> Passed {
        let mut rest: Vec<Conversation> =
            self.conversations.drain().map(|(_, conversation)| conversation).collect();
        rest.sort_by_key(|conversation| conversation.number);
        for mut conversation in rest {
            give(&self.setting, &mut conversation, self.given);
        }
        self.passed
    }
}

fn give(setting: &Setting<'_>, conversation: &mut Conversation, given: &mut dyn FnMut(Piece)) {
    if !conversation.window.is_empty() {
        given(tell(setting, conversation));
        conversation.bytes = 0;
        conversation.resumes = false;
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
