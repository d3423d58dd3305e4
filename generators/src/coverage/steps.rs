//! Labels of the steps.

use std::collections::BTreeSet;

use tacit_contract::session::{Bulk, Failure, Moment, Outcome, Past, SeedTurn};
use tacit_contract::{Call, Mode, PluginId, Query, Session, Standing, Step, ToolName, ToolSpec};

use super::{Found, names_of};
use crate::occasions::{self, Occasion};
use crate::setting::RESERVED;
use crate::texts::names_a_tool;
use crate::universe::{find, words};

/// How many tools a bounded catalog is sure to leave out some of.
const BOUND: u32 = 64;

pub(super) fn look(session: &Session, found: &mut Found) {
    let mut walk = Walk {
        session,
        found,
        mode: session.mode,
        modes: vec![session.mode],
        prompts: 0,
        open: None,
        searched: BTreeSet::new(),
        before: BTreeSet::new(),
        succeeded: BTreeSet::new(),
        switched: false,
    };
    let seeds: Vec<&SeedTurn> = session.seeds().collect();
    walk.seeds(&seeds);
    for step in session.played() {
        walk.step(step);
    }
    walk.close();
    let beside = |pair: &[Step]| {
        matches!(
            pair,
            [Step::SwitchProvider { .. }, Step::Restart { .. }]
                | [Step::Restart { .. }, Step::SwitchProvider { .. }]
        )
    };
    let beside = session.played().windows(2).any(beside);
    walk.found.add_if(beside, "provider switch beside a restart");
    let several = walk.prompts > 1;
    walk.found.add_if(several, "several prompts");
}

struct Walk<'a, 'f> {
    session: &'a Session,
    found: &'f mut Found,
    mode: Mode,
    /// The modes so far, in order.
    modes: Vec<Mode>,
    prompts: usize,
    /// The answers of the prompt that is open, if one is.
    open: Option<usize>,
    /// The names that were searched for exactly, in this prompt or an earlier one.
    searched: BTreeSet<&'a str>,
    /// Those of earlier prompts.
    before: BTreeSet<&'a str>,
    /// The tools whose use succeeded.
    succeeded: BTreeSet<&'a str>,
    /// Whether the provider was changed.
    switched: bool,
}

impl<'a> Walk<'a, '_> {
    fn seeds(&mut self, seeds: &[&'a SeedTurn]) {
        self.found.add_if(!seeds.is_empty(), "seeded transcript");
        let moments: Vec<&Moment> = seeds.iter().flat_map(|turn| &turn.moments).collect();
        let marked: BTreeSet<&ToolName> = moments
            .iter()
            .filter_map(|moment| match moment {
                Moment::Searched { marker, status: Past::Ok } => Some(marker),
                _ => None,
            })
            .flatten()
            .collect();
        for turn in seeds {
            self.text(&turn.prompt, "prompt names a tool");
        }
        for moment in moments {
            self.moment(moment, &marked);
        }
    }

    fn moment(&mut self, moment: &'a Moment, marked: &BTreeSet<&ToolName>) {
        let label = match moment {
            Moment::Searched { marker, status } => {
                self.found.add_if(marker.len() > 4, "five names in a marker");
                match status {
                    _ if marker.is_empty() => None,
                    Past::Ok => Some("seeded search evidence"),
                    Past::Error => Some("failed search"),
                    Past::Interrupted => Some("interrupted search"),
                    Past::Unanswered => Some("unanswered call"),
                }
            }
            Moment::Used { tool, status, says } => {
                self.text(says.as_deref().unwrap_or_default(), "imitated evidence");
                match status {
                    Past::Ok => (self.deferred(tool.as_str()) && !marked.contains(tool))
                        .then_some("evidence by use alone"),
                    Past::Error => Some("failed use"),
                    Past::Interrupted => Some("interrupted use"),
                    Past::Unanswered => Some("unanswered call"),
                }
            }
            Moment::Forged { .. } => Some("forged marker"),
            Moment::Orphaned { .. } => Some("orphaned result"),
            Moment::Said { text } => {
                self.text(text, "imitated evidence");
                None
            }
            Moment::Summarised { summary } => {
                self.text(summary, "imitated evidence");
                Some("seeded checkpoint")
            }
        };
        if let Some(label) = label {
            self.found.add(label);
        }
        for name in names_of(moment) {
            let name = name.as_str();
            self.found.add_if(RESERVED.contains(&name), "core name in evidence");
            self.found.add_if(self.forbidden(name), "forbidden name in evidence");
            let unknown = !RESERVED.contains(&name) && !self.has(name);
            self.found.add_if(unknown, "unknown name in evidence");
        }
    }

    fn text(&mut self, text: &str, label: &'static str) {
        self.found.add_if(names_a_tool(text), label);
        self.found.add_if(text.contains("addedToolNames"), "imitated evidence");
    }

    fn step(&mut self, step: &'a Step) {
        match step {
            Step::Prompt { text } => {
                self.close();
                self.prompts += 1;
                self.open = Some(0);
                self.before.extend(&self.searched);
                self.text(text, "prompt names a tool");
            }
            Step::Answer { calls } if self.open.is_some() => {
                self.open = self.open.map(|answers| answers + 1);
                self.batch(calls);
            }
            Step::Fail { failure } if self.open.is_some() => self.found.add(match failure {
                Failure::BadRequest => "bad request",
                Failure::Unauthorized => "unauthorized",
                Failure::RateLimited => "rate limited",
                Failure::ServerError => "server error",
                Failure::Overloaded => "overloaded",
                Failure::BreaksOff => "broken stream",
                Failure::Empty => "empty answer",
                Failure::Disconnects => "cut connection",
            }),
            Step::Abort if self.open.is_some() => self.found.add("abort"),
            Step::Seed(_) | Step::Answer { .. } | Step::Fail { .. } | Step::Abort => {}
            action => {
                self.close();
                self.action(action);
            }
        }
    }

    fn close(&mut self) {
        let plain = self.open.take() == Some(0);
        self.found.add_if(plain, "plain prompt");
    }

    fn action(&mut self, step: &Step) {
        match step {
            Step::Restart { process, from_rows } => {
                self.found.add("restart");
                self.found.add_if(*process, "restart ends process");
                self.found.add_if(*from_rows, "restart from rows");
            }
            Step::RestartLate { plugin } => {
                self.found.add_if(self.brings_tools(plugin), "plugin registers late");
            }
            Step::Branch { .. } => self.found.add_if(self.prompts > 0, "branch"),
            Step::Compact => self.found.add_if(self.prompts > 0, "compaction"),
            Step::SetMode { mode } if *mode != self.mode => {
                self.found.add("mode change");
                self.found.add_if(self.modes.contains(mode), "mode change and back");
                self.modes.push(*mode);
                self.mode = *mode;
            }
            Step::Unplug { plugin } => {
                self.found.add_if(self.brings_tools(plugin), "unplugged plugin");
            }
            Step::Plug { .. } => self.found.add("plugin comes back"),
            Step::Update { plugin } => {
                self.found.add_if(self.brings_tools(plugin), "updated plugin");
            }
            Step::SwitchProvider { .. } => {
                self.found.add("provider switch");
                self.found.add_if(!self.searched.is_empty(), "provider switch after a search");
                self.found.add_if(self.switched, "provider switch and another");
                self.switched = true;
            }
            Step::Elsewhere => self.found.add("elsewhere"),
            Step::ElsewhereAhead { plugin } => {
                self.found.add("elsewhere");
                self.found.add_if(self.brings_tools(plugin), "elsewhere with a newer plugin");
            }
            _ => {}
        }
    }

    /// Whether the session has a tool of a plugin.
    fn brings_tools(&self, plugin: &PluginId) -> bool {
        self.session.tools.iter().any(|tool| tool.origin.id.as_ref() == Some(plugin))
    }

    fn batch(&mut self, calls: &'a [Call]) {
        let queries = calls.iter().filter_map(|call| match call {
            Call::Search { query } => Some(query),
            _ => None,
        });
        self.found.add_if(queries.clone().count() > 1, "several searches in a batch");
        let in_batch: BTreeSet<&str> = queries.clone().filter_map(Query::as_text).collect();
        for call in calls {
            match call {
                Call::Use { tool, outcome, .. } => self.used(tool.as_str(), *outcome, &in_batch),
                Call::Read => self.found.add("read"),
                Call::NewContext => self.found.add("new context"),
                Call::Search { .. } => {}
            }
            if let Call::Use { says: Some(text), .. } = call {
                self.text(text, "imitated evidence");
            }
        }
        for query in queries {
            self.query(query);
        }
    }

    fn used(&mut self, name: &'a str, outcome: Outcome, in_batch: &BTreeSet<&str>) {
        let searched = self.searched.contains(name);
        let label = if in_batch.contains(name) && !searched {
            "use in the batch of its search"
        } else if self.before.contains(name) {
            "use in the next prompt"
        } else if searched {
            "use after its search"
        } else {
            "use without a search"
        };
        self.found.add(label);
        match outcome {
            Outcome::Ok => {
                self.succeeded.insert(name);
            }
            Outcome::Error => self.found.add("failing use"),
            Outcome::Denied => self.found.add("denied use"),
        }
        let late = !outcome.is_ok() && self.succeeded.contains(name);
        self.found.add_if(late, "failure after success");
    }

    fn query(&mut self, query: &'a Query) {
        self.found.add_if(matches!(query, Query::Limited { .. }), "limited query");
        let Some(text) = query.as_text() else {
            let no_json = matches!(query, Query::NotJson { .. });
            self.found.add(if no_json { "arguments without JSON" } else { "odd query" });
            return;
        };
        self.occasion(text, &occasions::SCRIPTS, "query in another script");
        self.occasion(text, &occasions::WORDS, "sure best match");
        self.behind_forbidden(text);
        if text.trim().is_empty() {
            self.found.add("blank query");
        } else if self.deferred(text) {
            self.found.add("exact search");
            self.found.add_if(self.searched.contains(text), "search again");
            self.found.add_if(self.beyond(text), "search beyond the catalog");
        } else if RESERVED.contains(&text) {
            self.found.add("search for a core tool");
        } else if self.forbidden(text) {
            self.found.add("search for a forbidden tool");
        } else if find(text).is_some() {
            self.found.add("exact search for a missing tool");
        } else {
            self.described(text);
        }
        self.searched.insert(text);
    }

    /// A query of an occasion whose tools are all there.
    fn occasion(&mut self, text: &str, of: &'static [Occasion], label: &'static str) {
        let asked = of.iter().find(|occasion| occasion.queries.contains(&text));
        let there = asked
            .is_some_and(|occasion| occasion.tools.iter().all(|[name, _]| self.deferred(name)));
        self.found.add_if(there, label);
    }

    /// A query of an occasion whose last tool can be found, and whose others are forbidden.
    fn behind_forbidden(&mut self, text: &str) {
        let asked = occasions::FORBIDDEN.iter().find(|occasion| occasion.queries.contains(&text));
        let names = asked.map_or(&[][..], |occasion| occasion.tools);
        let hidden = names.split_last().is_some_and(|([last, _], others)| {
            self.deferred(last) && others.iter().all(|[name, _]| self.forbidden(name))
        });
        self.found.add_if(hidden, "match behind forbidden ones");
    }

    fn described(&mut self, text: &str) {
        let tools = &self.session.tools;
        let held = |name: &str| text.contains(name);
        let several = tools.iter().filter(|tool| held(tool.name.as_str())).count() > 1;
        let bare = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let decorated = tools.iter().any(|tool| tool.name.as_str().to_lowercase() == bare);
        let wanted: Vec<String> = words(text).collect();
        let all = self.holders(|own| wanted.iter().all(|word| own.contains(word)));
        let matches =
            self.holders(|own| wanted.iter().any(|word| word.len() > 3 && own.contains(word)));
        self.found.add_if(several, "several names in one query");
        self.found.add_if(decorated, "decorated name");
        self.found.add_if(wanted.len() > 1 && all == 1, "capability search");
        self.found.add_if(matches > 4, "five matches");
        self.found.add_if(matches == 0, "search without a match");
    }

    /// How many deferred tools hold words that will do, in their names and descriptions.
    fn holders(&self, will_do: impl Fn(&BTreeSet<String>) -> bool) -> usize {
        let holds = |name: &str, description: &str| {
            will_do(&words(description).chain(words(name)).collect())
        };
        let tools = self.session.tools.iter().filter(|tool| self.is_deferred(tool));
        let held = tools.filter(|tool| holds(tool.name.as_str(), &tool.description)).count();
        // The tools of the bulk are alike, their numbers aside.
        let bulk = Bulk { count: self.session.bulk.count.min(1), ..self.session.bulk };
        let all_bulk = bulk.specs().any(|tool| holds(tool.name.as_str(), &tool.description));
        held + if all_bulk { self.session.bulk.count as usize } else { 0 }
    }

    fn has(&self, name: &str) -> bool {
        self.session.tools.iter().any(|tool| tool.name == name) || self.bulk(name).is_some()
    }

    fn deferred(&self, name: &str) -> bool {
        let named = |tool: &ToolSpec| tool.name == name && self.is_deferred(tool);
        self.session.tools.iter().any(named) || self.bulk(name).is_some()
    }

    fn is_deferred(&self, tool: &ToolSpec) -> bool {
        tool.modes.get(&self.mode) == Some(&Standing::Deferred)
    }

    fn forbidden(&self, name: &str) -> bool {
        let mut named = self.session.tools.iter().filter(|tool| tool.name == name).peekable();
        named.peek().is_some() && named.all(|tool| !tool.modes.contains_key(&self.mode))
    }

    fn bulk(&self, name: &str) -> Option<u32> {
        let number = name.strip_prefix("bulk_")?.parse().ok()?;
        (number < self.session.bulk.count).then_some(number)
    }

    fn beyond(&self, name: &str) -> bool {
        self.bulk(name).is_some_and(|number| number >= BOUND)
    }
}
