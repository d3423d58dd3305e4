//! Which tool a query of words means, where that is beyond doubt.

use std::collections::BTreeSet;

use tacit_contract::ToolName;

use crate::account::{PromptAccount, plainly_deferred};
use crate::hearing::Hearing;
use crate::texts::Spoken;
use crate::words;

/// The most words of a query that is judged: a short one, as the contract has it.
const MOST_WORDS: usize = 6;

/// Words that say nothing of what is wanted: a tool is found without them.
const SMALL: [&str; 12] =
    ["and", "can", "for", "from", "need", "please", "some", "that", "the", "want", "with", "you"];

/// The words of a query, if all are plain Latin ones, so that no runtime takes them for something
/// else.
pub(super) fn latin(text: &str) -> Option<Vec<&str>> {
    let plain = |word: &str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    few(text, plain)
}

/// The words of a query, if all are of letters beyond ASCII, in lower case where there is one.
pub(super) fn of_another_script(text: &str) -> Option<Vec<&str>> {
    let plain = |word: &str| {
        word.chars().count() > 1
            && word.chars().all(|letter| letter.is_alphabetic() && !letter.is_ascii())
            && word.to_lowercase() == word
    };
    few(text, plain)
}

fn few(text: &str, plain: impl Fn(&str) -> bool) -> Option<Vec<&str>> {
    let words: Vec<&str> = text.split(' ').collect();
    (words.len() <= MOST_WORDS && words.iter().all(|word| plain(word))).then_some(words)
}

/// The one deferred tool that holds every word of a query, where no word stands in another's.
pub(super) fn the_only_match(
    hearing: &Hearing<'_>,
    prompt: &PromptAccount<'_>,
    query: &[&str],
) -> Option<ToolName> {
    if names_a_tool(prompt, query) || !stand_aside(hearing, prompt, query) {
        return None;
    }
    let mut only = None;
    for tool in &hearing.vocabulary.of(&prompt.registry).tools {
        if !prompt.registry.is_deferred(&tool.name, prompt.mode) {
            continue;
        }
        let holds = query.iter().filter(|word| tool.words.contains(**word)).count();
        if holds == query.len() && only.is_none() && plainly_deferred(prompt, &tool.name) {
            only = Some(tool.name.clone());
        } else if holds > 0 {
            return None;
        }
    }
    only
}

/// How many deferred tools hold a word of a query in their texts, be it inside a longer word.
pub(super) fn how_many_touch(
    hearing: &Hearing<'_>,
    prompt: &PromptAccount<'_>,
    query: &[&str],
) -> usize {
    let given = hearing.vocabulary.of(&prompt.registry);
    let touches = |tool: &&Spoken| query.iter().any(|word| tool.text.contains(word));
    let deferred = |tool: &&Spoken| prompt.registry.is_deferred(&tool.name, prompt.mode);
    given.tools.iter().filter(touches).filter(deferred).count()
}

/// Whether a word of a query, or all of it, is the name of a tool.
fn names_a_tool(prompt: &PromptAccount<'_>, query: &[&str]) -> bool {
    let is_name = |word: &&str| prompt.registry.standing(&(*word).into(), prompt.mode).is_some();
    query.iter().any(is_name) || prompt.registry.tool(&query.join(" ").into()).is_some()
}

/// Whether no deferred tool of the runtime's own can answer a query. What they say of themselves is
/// known once a request has shown it, at whatever time; one that none has shown could say anything.
fn stand_aside(hearing: &Hearing<'_>, prompt: &PromptAccount<'_>, query: &[&str]) -> bool {
    let mut own =
        prompt.registry.deferred(prompt.mode).filter(|tool| prompt.registry.tool(tool).is_none());
    own.all(|tool| {
        hearing.own.get(tool).is_some_and(|spoken| {
            let holds = |word: &&str| {
                spoken.text.contains(word) || spoken.words.iter().any(|own| are_akin(own, word))
            };
            !query.iter().any(holds)
        })
    })
}

/// The one deferred tool that must be among the `most` best matches of a query if whole words
/// match and nothing else, where a runtime that does otherwise might leave it out.
///
/// It alone holds all words of the query, small ones aside. That it has a place is certain in two
/// cases: so few others could match at all that there is room for every one; or each of the
/// others holds a single word of the query, which is not in its name, in a longer description, and
/// a word of the query stands in none of them.
pub(super) fn the_better_match(
    hearing: &Hearing<'_>,
    prompt: &PromptAccount<'_>,
    query: &[&str],
    most: usize,
) -> Option<ToolName> {
    let (small, telling): (Vec<&str>, Vec<&str>) =
        query.iter().copied().partition(|word| SMALL.contains(word));
    let distinct: BTreeSet<&str> = telling.iter().copied().collect();
    if distinct.len() < 2 || names_a_tool(prompt, query) || !stand_aside(hearing, prompt, query) {
        return None;
    }
    let given = hearing.vocabulary.of(&prompt.registry);
    let holds_all = |tool: &Spoken| telling.iter().all(|word| tool.words.contains(*word));
    let deferred =
        given.tools.iter().filter(|tool| prompt.registry.is_deferred(&tool.name, prompt.mode));
    let (best, others): (Vec<&Spoken>, Vec<&Spoken>) = deferred.partition(|tool| holds_all(tool));
    let [best] = best[..] else { return None };
    if !plainly_deferred(prompt, &best.name) {
        return None;
    }
    let rivals: Vec<Rival<'_>> =
        others.iter().map(|tool| Rival::of(tool, &telling, &small)).collect();
    let matching: Vec<&Rival<'_>> = rivals.iter().filter(|rival| rival.words > 0).collect();
    let certain = if matching.len() < most {
        let lacks_a_small_word = small.iter().any(|word| !best.words.contains(*word));
        let holders = rivals.iter().filter(|rival| rival.words > 0 || rival.inside).count();
        lacks_a_small_word || holders >= most
    } else {
        let of_its_own = telling.iter().any(|word| {
            others.iter().all(|tool| !tool.words.iter().any(|own| are_akin(own, word)))
        });
        let length = |tool: &Spoken| tool.text.split_whitespace().count();
        let is_worse = |rival: &&Rival<'_>| rival.is_weak() && length(rival.tool) > length(best);
        of_its_own && matching.iter().all(is_worse)
    };
    certain.then(|| best.name.clone())
}

/// A tool beside the best one, and what of a query it holds.
struct Rival<'a> {
    tool: &'a Spoken,
    /// How many words of the query it holds, or holds a kindred form of.
    words: usize,
    /// Whether one of them stands in its name.
    in_name: bool,
    /// Whether a word of the query stands inside one of its own.
    inside: bool,
}

impl<'a> Rival<'a> {
    fn of(tool: &'a Spoken, telling: &[&str], small: &[&str]) -> Self {
        let kindred = |own: &BTreeSet<String>| {
            let held = |word: &&&str| own.iter().any(|own| are_akin(own, word));
            telling.iter().filter(held).count()
        };
        let small = small.iter().filter(|word| tool.words.contains(**word)).count();
        let words = kindred(&tool.words) + small;
        let in_name = words > 0 && kindred(&words::words(tool.name.as_str()).collect()) > 0;
        let inside = telling.iter().any(|word| tool.text.contains(word));
        Self { tool, words, in_name, inside }
    }

    fn is_weak(&self) -> bool {
        self.words == 1 && !self.in_name
    }
}

/// Whether a runtime may take one word for a form of another, as `rating` is of `rate`: they
/// begin alike. Words that are asked for have three letters at the least.
fn are_akin(own: &str, asked: &str) -> bool {
    let alike = own.bytes().zip(asked.bytes()).take_while(|(own, asked)| own == asked).count();
    alike >= asked.len().saturating_sub(3).max(3)
}
