//! Where two observations of one session differ first.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;
use tacit_contract::protocol::Stop;
use tacit_contract::{Breach, Level};

use super::observe::{Became, CallSeen, Known, Marker, Observation, PromptSeen, RequestSeen};

/// The two sides, as they are told apart in words.
pub const LETTERS: [char; 2] = ['A', 'B'];

/// What two runtimes differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Aspect {
    /// The tools that the model can read in a request.
    Shown,
    /// Whether the provider takes a request.
    Refused,
    /// What became of a call.
    Call,
    /// Whether a prompt goes on with a further request.
    Request,
    /// How a prompt ends.
    End,
    /// Which `must` clauses are broken.
    Clauses,
    /// Which `should` clauses are broken.
    Warnings,
    /// The names in a search's marker.
    Marker,
    /// The tools that the catalog lists.
    Catalog,
}

impl Aspect {
    /// Whether it is what the model can do, or what the contract says of it, as opposed to how
    /// things are told.
    #[must_use]
    pub fn is_strong(self) -> bool {
        !matches!(self, Self::Warnings | Self::Marker | Self::Catalog)
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// In what.
    pub aspect: Aspect,
    /// Whether it is in a session beside the one that was played.
    pub beside: bool,
    /// The prompt, from 1; 0 where none shows it.
    pub prompt: u32,
    /// The request, from 1; 0 where none shows it.
    pub request: u32,
    /// What it is, in a sentence without its end.
    pub says: String,
    /// What is said of each side where the story comes to it.
    pub each: [String; 2],
    /// The entry of each side's trace that shows it; `None` for a side that shows nothing there.
    pub entries: [Option<usize>; 2],
}

/// The differences of two observations, in the order of prompts and requests, up to the first
/// strong one: what comes after follows from it.
#[must_use]
pub fn differences(sides: [&Observation; 2]) -> Vec<Difference> {
    let mut found = Vec::new();
    let [one, other] = sides.map(|side| &side.sessions);
    for (session, (one, other)) in one.iter().zip(other).enumerate() {
        for (one, other) in one.iter().zip(other) {
            let mut prompt = Prompt { beside: session > 0, sides: [one, other], found };
            let over = prompt.compare();
            found = prompt.found;
            if over {
                return found;
            }
        }
    }
    found.extend(clauses(sides, Level::Must, Aspect::Clauses));
    found.extend(clauses(sides, Level::Should, Aspect::Warnings));
    found
}

/// The difference that counts: the first strong one, else the first.
#[must_use]
pub fn first(differences: Vec<Difference>) -> Option<Difference> {
    let strong = differences.iter().position(|difference| difference.aspect.is_strong());
    differences.into_iter().nth(strong.unwrap_or_default())
}

/// One prompt on both sides.
struct Prompt<'a> {
    beside: bool,
    sides: [&'a PromptSeen; 2],
    found: Vec<Difference>,
}

impl Prompt<'_> {
    /// Compares all of the prompt; whether nothing is to be compared after it.
    fn compare(&mut self) -> bool {
        let [one, other] = self.sides;
        for pair in one.requests.iter().zip(&other.requests) {
            if self.request([pair.0, pair.1]) {
                return true;
            }
        }
        let counts = self.sides.map(|side| side.requests.len());
        if counts[0] != counts[1] {
            let further = counts[0].min(counts[1]);
            let entries = self.sides.map(|side| {
                Some(side.requests.get(further).map_or(side.end_entry, |request| request.entry))
            });
            let number = further_number(self.sides, further);
            let goes_on = usize::from(counts[1] > counts[0]);
            let each = self.sides.map(|side| {
                if side.requests.len() > further {
                    "it goes on".to_owned()
                } else {
                    format!("no further request; {}", ended(side.end))
                }
            });
            let says = format!("only {} sends it", LETTERS[goes_on]);
            self.found(Aspect::Request, number, &says, each, entries);
            return true;
        }
        if one.end != other.end {
            let each = self.sides.map(|side| ended(side.end).to_owned());
            let says = format!("with {} {}, with {} {}", LETTERS[0], each[0], LETTERS[1], each[1]);
            let entries = self.sides.map(|side| Some(side.end_entry));
            self.found(Aspect::End, 0, &says, each, entries);
            return true;
        }
        // Nothing was asked after a failure of the runtime.
        one.end.is_none()
    }

    /// Compares one request; whether nothing is to be compared after it.
    fn request(&mut self, sides: [&RequestSeen; 2]) -> bool {
        let entries = sides.map(|side| Some(side.entry));
        let number = sides[0].number;
        let [Some(one), Some(other)] = sides.map(|side| side.shown.as_ref()) else { return true };
        if one != other {
            let (says, each) = only("shows", "only here", [one, other]);
            self.found(Aspect::Shown, number, &says, each, entries);
            return true;
        }
        if sides[0].refused != sides[1].refused {
            let refused = usize::from(sides[1].refused);
            let says = format!("the provider refuses that of {}", LETTERS[refused]);
            let each = sides.map(|side| {
                if side.refused { "the provider refuses it" } else { "the provider takes it" }
                    .to_owned()
            });
            self.found(Aspect::Refused, number, &says, each, entries);
            return true;
        }
        if let [Some(one), Some(other)] = sides.map(|side| side.listed.as_ref())
            && one != other
        {
            let (says, each) = only("lists", "only in this catalog", [one, other]);
            self.found(Aspect::Catalog, number, &says, each, entries);
        }
        for pair in sides[0].calls.iter().zip(&sides[1].calls) {
            if self.call(number, [pair.0, pair.1], entries) {
                return true;
            }
        }
        false
    }

    fn call(&mut self, number: u32, sides: [&CallSeen; 2], entries: [Option<usize>; 2]) -> bool {
        let [one, other] = sides;
        if one.what == other.what && one.became != other.became {
            let each = sides.map(|side| format!("the call of {} {}", side.what, became(side)));
            let says = format!(
                "its call of {} {} by {}, and {} by {}",
                one.what,
                became(one),
                LETTERS[0],
                became(other),
                LETTERS[1]
            );
            self.found(Aspect::Call, number, &says, each, entries);
            return true;
        }
        if let [Some(one), Some(other)] = sides.map(|side| side.marker.as_ref())
            && one != other
        {
            let (says, each) = markers([one, other]);
            self.found(Aspect::Marker, number, &says, each, entries);
        }
        false
    }

    fn found(
        &mut self,
        aspect: Aspect,
        request: u32,
        says: &str,
        each: [String; 2],
        entries: [Option<usize>; 2],
    ) {
        let prompt = self.sides[0].number;
        let (beside, says) = (self.beside, format!("{}{says}", place(prompt, request)));
        let says = if beside { format!("in another session, {says}") } else { says };
        self.found.push(Difference { aspect, beside, prompt, request, says, each, entries });
    }
}

/// The number of the request that one side has and the other has not.
fn further_number(sides: [&PromptSeen; 2], further: usize) -> u32 {
    let request = sides.iter().find_map(|side| side.requests.get(further));
    request.map_or(0, |request| request.number)
}

fn place(prompt: u32, request: u32) -> String {
    match (prompt, request) {
        (0, _) => String::new(),
        (prompt, 0) => format!("prompt {prompt}: "),
        (prompt, request) => format!("prompt {prompt}, request {request}: "),
    }
}

fn ended(end: Option<Stop>) -> &'static str {
    match end {
        Some(Stop::End) => "the prompt ends",
        Some(Stop::Aborted) => "the prompt ends as stopped by the user",
        Some(Stop::Error) => "the prompt ends in error",
        None => "the runtime fails",
    }
}

fn became(call: &CallSeen) -> String {
    match call.became {
        Became::Ran(1) => "is run".to_owned(),
        Became::Ran(times) => format!("is run {times} times"),
        Became::Denied => "is denied".to_owned(),
        Became::Answered if matches!(call.what, Known::Tool(_)) => "is refused".to_owned(),
        Became::Answered => "is answered".to_owned(),
        Became::NotAnswered => "is not answered".to_owned(),
    }
}

/// What only one side has, as a sentence on both and as words on each.
fn only(verb: &str, here: &str, sides: [&BTreeSet<Known>; 2]) -> (String, [String; 2]) {
    let [one, other] = sides;
    let more = [list(one.difference(other)), list(other.difference(one))];
    let mut says = String::new();
    for (letter, names) in LETTERS.iter().zip(&more).filter(|(_, names)| !names.is_empty()) {
        let and = if says.is_empty() { "" } else { ", and " };
        let _ = write!(says, "{and}only {letter} {verb} {names}");
    }
    let each =
        more.map(|names| if names.is_empty() { String::new() } else { format!("{here}: {names}") });
    (says, each)
}

fn markers(sides: [&Marker; 2]) -> (String, [String; 2]) {
    if let [Marker::Names(one), Marker::Names(other)] = sides {
        return only("has in the marker", "only in this marker", [one, other]);
    }
    let has = usize::from(matches!(sides[1], Marker::Names(_)));
    let each = sides.map(|side| match side {
        Marker::Missing => "the search has no marker".to_owned(),
        Marker::Names(names) if names.is_empty() => "the search has an empty marker".to_owned(),
        Marker::Names(names) => format!("the search has a marker: {}", list(names.iter())),
    });
    (format!("with {} {}", LETTERS[has], each[has]), each)
}

/// The most names of a list that is read by people.
const MOST: usize = 6;

fn list<'a>(names: impl Iterator<Item = &'a Known>) -> String {
    let names: Vec<String> = names.map(ToString::to_string).collect();
    let left_out = names.len().saturating_sub(MOST);
    let mut list = names.into_iter().take(MOST).collect::<Vec<_>>().join(", ");
    if left_out > 0 {
        let _ = write!(list, " and {left_out} more");
    }
    list
}

/// The clauses of a level that only one side breaks.
fn clauses(sides: [&Observation; 2], level: Level, aspect: Aspect) -> Option<Difference> {
    let broken = sides.map(|side| side.broken(level));
    let only = |side: usize| -> Option<&Breach> {
        let breach = |breach: &&Breach| {
            broken[side].contains(&breach.clause) && !broken[1 - side].contains(&breach.clause)
        };
        sides[side].broken.iter().find(breach)
    };
    let (side, breach) = [0, 1].into_iter().find_map(|side| Some((side, only(side)?)))?;
    let mut each = [String::new(), String::new()];
    each[side] = format!("{}: {}", breach.clause, breach.found);
    let mut entries = [None, None];
    entries[side] = Some(breach.entry);
    Some(Difference {
        aspect,
        beside: false,
        prompt: breach.prompt,
        request: breach.request,
        says: format!(
            "{}only {} breaks {}",
            place(breach.prompt, breach.request),
            LETTERS[side],
            breach.clause
        ),
        each,
        entries,
    })
}
