//! The search: from a query to the tools that it activates.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use tacit_contract::{Tool, ToolName};

use super::{ActiveSet, words};

/// How good a partial match must be, measured against the best, to be worth its schema.
const WORTH: f64 = 0.5;

/// How much more a word in a name says than one in a description.
const NAME_WEIGHT: f64 = 2.5;

/// The length of a description, in words, from which each further word weighs less.
const USUAL_LENGTH: f64 = 16.0;

/// Everything that can be found in one mode: what it defers, and what is there anyway.
#[derive(Debug)]
pub struct Index {
    tools: Vec<Arc<Tool>>,
    /// From here on the tools are deferred.
    first_deferred: usize,
    names: HashMap<String, Vec<usize>>,
    short_names: HashMap<String, Vec<usize>>,
    words: HashMap<String, Vec<Posting>>,
    /// What a description's words weigh, by tool.
    weights: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Posting {
    tool: usize,
    in_name: bool,
}

/// The tools that a query means, best first; `true` for those that are deferred.
pub type Ranking = Vec<(Arc<Tool>, bool)>;

impl Index {
    /// The index of a mode's tools.
    #[must_use]
    pub fn new(always: &[Arc<Tool>], deferred: &[Arc<Tool>]) -> Self {
        let tools: Vec<_> = always.iter().chain(deferred).cloned().collect();
        let mut index = Self {
            first_deferred: always.len(),
            names: HashMap::with_capacity(tools.len()),
            short_names: HashMap::new(),
            words: HashMap::new(),
            weights: Vec::with_capacity(tools.len()),
            tools: Vec::new(),
        };
        for (place, tool) in tools.iter().enumerate() {
            index.add(place, tool);
        }
        index.tools = tools;
        index
    }

    fn add(&mut self, place: usize, tool: &Tool) {
        let name = tool.name.as_str();
        self.names.entry(words::fold(name)).or_default().push(place);
        if let Some(short) = short_name(tool) {
            self.short_names.entry(words::fold(short)).or_default().push(place);
        }
        for word in words::of_name(name) {
            self.words.entry(word).or_default().push(Posting { tool: place, in_name: true });
        }
        let mut length = 0.0;
        for word in words::of(&tool.description) {
            length += 1.0;
            let postings = self.words.entry(word).or_default();
            if postings.last().is_none_or(|last| last.tool != place) {
                postings.push(Posting { tool: place, in_name: false });
            }
        }
        self.weights.push(1.0 / (1.0 + f64::ln_1p(length / USUAL_LENGTH)));
    }

    /// The tools that a query means, best first.
    ///
    /// A query that is a name, or a list of names, means these tools alone. Otherwise names that
    /// stand in it come first, then tools that hold all of its words, then those that hold enough
    /// of them.
    #[must_use]
    pub fn rank(&self, query: &str) -> Ranking {
        let mut places = Vec::new();
        let alone = self.add_names(query, &mut places);
        if !alone {
            self.add_matches(query, &mut places);
        }
        let mut ranking = Ranking::new();
        let mut seen = std::collections::HashSet::new();
        for place in places {
            if seen.insert(place) {
                ranking.push((Arc::clone(&self.tools[place]), place >= self.first_deferred));
            }
        }
        ranking
    }

    /// Whether a query holds the name of a tool.
    pub(crate) fn holds_a_name(&self, query: &str) -> bool {
        let mut named = Vec::new();
        self.add_names(query, &mut named);
        !named.is_empty()
    }

    /// Adds the tools that a query names; true if it does nothing else.
    fn add_names(&self, query: &str, places: &mut Vec<usize>) -> bool {
        let tokens: Vec<&str> = query
            .split(|symbol: char| !symbol.is_alphanumeric() && !matches!(symbol, '_' | '-'))
            .filter(|token| !token.is_empty())
            .collect();
        if let [token] = tokens[..] {
            let named = self.named(token);
            places.extend(&named);
            if named.is_empty()
                && let Some([place]) = self.short_names.get(&words::fold(token)).map(Vec::as_slice)
            {
                places.push(*place);
            }
            return !named.is_empty();
        }
        // In a sentence a plain word such as `read` names no tool, unless it is spelt like one.
        let mut all = !tokens.is_empty();
        let mut distinctive = false;
        for token in tokens {
            let mut found = false;
            for place in self.named(token) {
                let name = self.tools[place].name.as_str();
                if name == token || is_distinctive(name) {
                    places.push(place);
                    found = true;
                    distinctive |= is_distinctive(name);
                }
            }
            all &= found;
        }
        all || distinctive
    }

    /// The tools of a name: the one that is spelt so, else all that differ in case alone.
    fn named(&self, token: &str) -> Vec<usize> {
        let alike = self.names.get(&words::fold(token)).map(Vec::as_slice).unwrap_or_default();
        match alike.iter().find(|place| self.tools[**place].name == *token) {
            Some(exact) => vec![*exact],
            None => alike.to_vec(),
        }
    }

    /// Adds the tools that hold words of a query.
    fn add_matches(&self, query: &str, places: &mut Vec<usize>) {
        let asked = words::asked(query);
        let mut held: HashMap<usize, (usize, f64)> = HashMap::new();
        for word in &asked {
            let postings = self.postings(word);
            let rarity = f64::ln_1p(ratio(self.tools.len(), postings.len().max(1)));
            for posting in postings {
                let weight = if posting.in_name { NAME_WEIGHT } else { self.weights[posting.tool] };
                let (count, score) = held.entry(posting.tool).or_default();
                *count += 1;
                *score += rarity * weight;
            }
        }
        let mut matches: Vec<(bool, f64, usize)> = held
            .into_iter()
            .map(|(place, (count, score))| (count == asked.len(), score, place))
            .collect();
        matches.sort_by(|a, b| {
            (Reverse(a.0), a.2 < self.first_deferred)
                .cmp(&(Reverse(b.0), b.2 < self.first_deferred))
                .then(b.1.total_cmp(&a.1))
                .then(a.2.cmp(&b.2))
        });
        let best = matches
            .iter()
            .filter(|(_, _, place)| *place >= self.first_deferred)
            .map(|(_, score, _)| *score)
            .fold(0.0, f64::max);
        places.extend(
            matches
                .iter()
                .filter(|(complete, score, place)| {
                    *complete || (*place >= self.first_deferred && *score >= best * WORTH)
                })
                .map(|(_, _, place)| *place),
        );
    }

    /// Where a word stands. In a script without spaces it may stand inside a longer run.
    fn postings(&self, word: &str) -> Vec<Posting> {
        let whole = self.words.get(word).map(Vec::as_slice).unwrap_or_default();
        if !words::is_unspaced(word) {
            return whole.to_vec();
        }
        let mut postings = whole.to_vec();
        for (place, tool) in self.tools.iter().enumerate() {
            if !whole.iter().any(|posting| posting.tool == place)
                && words::fold(&tool.description).contains(word)
            {
                postings.push(Posting { tool: place, in_name: false });
            }
        }
        postings
    }
}

/// Whether a name could not be taken for a word of a sentence.
fn is_distinctive(name: &str) -> bool {
    name.bytes().any(|byte| !byte.is_ascii_alphabetic())
        || name.bytes().skip(1).any(|byte| byte.is_ascii_uppercase())
}

/// A plugin tool's name without its plugin's.
fn short_name(tool: &Tool) -> Option<&str> {
    let plugin = tool.origin.id.as_ref()?.as_str();
    let name = tool.name.as_str();
    let head = name.get(..plugin.len()).filter(|head| head.eq_ignore_ascii_case(plugin))?;
    let rest = &name[head.len()..];
    let short = rest.trim_start_matches(['_', '-']);
    (!short.is_empty() && short.len() < rest.len()).then_some(short)
}

#[allow(clippy::cast_precision_loss, reason = "a registry has far fewer than 2^52 tools")]
fn ratio(all: usize, some: usize) -> f64 {
    all as f64 / some as f64
}

/// What a search comes to.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The tools to activate, best first.
    pub activated: Vec<Arc<Tool>>,
    /// The tools that the query means and that can be called already.
    pub already: Vec<ToolName>,
    /// The tools that match as well and found no place.
    pub left_out: Vec<Arc<Tool>>,
}

impl Selection {
    /// Takes the best of a ranking: at most `most` new ones. What is active already takes no
    /// place; it is told if nothing new stands above it.
    #[must_use]
    pub fn from_ranking(ranking: Ranking, active: &ActiveSet, most: usize) -> Self {
        let mut selection = Self::default();
        for (tool, deferred) in ranking {
            if !deferred || active.contains(tool.name.as_str()) {
                if selection.already.len() < most {
                    selection.already.push(tool.name.clone());
                }
            } else if selection.activated.len() < most {
                selection.activated.push(tool);
            } else {
                selection.left_out.push(tool);
            }
        }
        selection
    }

    /// What the model reads.
    #[must_use]
    pub fn text(&self) -> String {
        let mut parts = Vec::new();
        if !self.activated.is_empty() {
            let names: Vec<_> = self.activated.iter().map(|tool| tool.name.as_str()).collect();
            parts.push(format!(
                "Activated: {}. You can call what is named here from your next step on.",
                names.join(", ")
            ));
        }
        if !self.already.is_empty() {
            let names: Vec<_> = self.already.iter().map(ToolName::as_str).collect();
            parts.push(format!("Already available, no search needed: {}.", names.join(", ")));
        }
        if !self.left_out.is_empty() {
            parts.push(format!(
                "{} more matched and stay inactive: search again with fewer, closer words or an \
                 exact name.",
                self.left_out.len()
            ));
        }
        if parts.is_empty() {
            return no_match();
        }
        parts.join(" ")
    }
}

/// What the model reads when nothing matches.
#[must_use]
pub fn no_match() -> String {
    "No on-demand tool matches that. Nothing was activated; try an exact name from the list of \
     on-demand tools, or other words for what you need."
        .to_owned()
}
