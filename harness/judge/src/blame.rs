//! Who is to blame: a required tool that is missing breaks the clause of the evidence that
//! required it; a tool shown outside of what is allowed breaks the clause of the evidence that
//! was rejected for it.

use std::collections::BTreeSet;

use tacit_contract::{Standing, Status, ToolName};

use crate::account::{PromptAccount, RequestAccount, plainly_deferred};
use crate::evidence::{Ground, Sets};
use crate::hearing::{Findings, Hearing, Place};
use crate::known::Ending;
use crate::rejected::{Rejections, rejections};
use crate::shown;

/// Holds every turn request of a session against its sets.
pub fn judge(hearing: &Hearing<'_>, findings: &mut Findings) {
    let mut active_before: BTreeSet<ToolName> = BTreeSet::new();
    let mut end_of_last: Option<&RequestAccount<'_>> = None;
    for prompt in &hearing.session.prompts {
        let mut earlier: Option<&RequestAccount<'_>> = None;
        for request in prompt.turns().filter(|request| request.view.is_some()) {
            let rejected = rejections(hearing, prompt, request);
            let at = Bench {
                hearing,
                prompt,
                request,
                earlier,
                sets: hearing.sets(request),
                rejected,
                place: Place::request(hearing.session, prompt, request),
            };
            at.required(findings);
            at.rejected(findings);
            at.extra(&active_before, findings);
            if at.is_first() {
                at.reset(end_of_last, findings);
                at.only_catalog(findings);
            }
            active_before.extend(at.shown_deferred().cloned());
            earlier = Some(request);
        }
        end_of_last = earlier.or(end_of_last);
    }
}

struct Bench<'a> {
    hearing: &'a Hearing<'a>,
    prompt: &'a PromptAccount<'a>,
    request: &'a RequestAccount<'a>,
    /// The turn request before, in the same prompt.
    earlier: Option<&'a RequestAccount<'a>>,
    sets: &'a Sets,
    rejected: Rejections,
    place: Place,
}

impl<'a> Bench<'a> {
    /// Whether this is the prompt's first request. It is not where one that could not be looked
    /// into came before.
    fn is_first(&self) -> bool {
        self.prompt.first().is_some_and(|first| first.number == self.request.number)
    }

    fn shown_deferred(&self) -> impl Iterator<Item = &'a ToolName> {
        let prompt = self.prompt;
        self.request
            .shown
            .names()
            .filter(move |tool| prompt.registry.is_deferred(tool, prompt.mode))
    }

    fn missing(&self, clause: &str, tool: &ToolName, why: &str, findings: &mut Findings) {
        let shown = self.request.shown.list();
        findings.breach(
            clause,
            &self.place,
            Some(tool),
            format!("{tool} is missing: {why}; shown: {shown}"),
        );
    }

    fn required(&self, findings: &mut Findings) {
        let searches: BTreeSet<_> = self
            .sets
            .required
            .values()
            .filter_map(|ground| match ground {
                Ground::Activated { by } => Some(by),
                _ => None,
            })
            .collect();
        for (tool, ground) in &self.sets.required {
            let shown = self.request.shows(tool);
            if self.request.shown.is_withdrawn(tool) {
                continue;
            }
            match ground {
                Ground::Activated { by } => {
                    if self.earlier.is_some_and(|earlier| earlier.result(by).is_some()) {
                        continue;
                    }
                    findings.premise("activation.next-request");
                    let why = "the search whose result stands here activated it";
                    if !shown {
                        self.missing("activation.next-request", tool, why, findings);
                    }
                    self.whole(tool, findings);
                    let others = searches.len() > 1 || self.was_activated_before();
                    if others {
                        findings.premise("activation.union");
                        if !shown {
                            self.missing("activation.union", tool, why, findings);
                        }
                    }
                }
                Ground::Carried => {
                    findings.premise("activation.lasts");
                    if !shown {
                        let why = "it was active in the request before";
                        self.missing("activation.lasts", tool, why, findings);
                    }
                }
                Ground::SearchEvidence if self.is_first() => {
                    findings.premise("restore.search-evidence");
                    if !shown {
                        let why = "a successful search in the context names it";
                        self.missing("restore.search-evidence", tool, why, findings);
                    }
                    self.later_failure(tool, shown, findings);
                }
                Ground::UseEvidence if self.is_first() => {
                    findings.premise("restore.use-evidence");
                    if !shown {
                        let why = "a successful use in the context proves it";
                        self.missing("restore.use-evidence", tool, why, findings);
                    }
                    self.later_failure(tool, shown, findings);
                }
                Ground::SearchEvidence | Ground::UseEvidence => {}
            }
        }
    }

    /// Whether an earlier search of this prompt had activated something already.
    fn was_activated_before(&self) -> bool {
        self.earlier.is_some_and(|earlier| {
            earlier.held.iter().any(|held| {
                self.hearing.known.get(&held.id).is_some_and(|fact| {
                    fact.search && fact.prompt == self.prompt.number && !fact.proves().is_empty()
                })
            })
        })
    }

    fn whole(&self, tool: &ToolName, findings: &mut Findings) {
        let given = self.prompt.registry.tool(tool);
        let shown = self.request.shown.get(tool);
        // The whole schema of an earlier version is for `registry.fresh` to name, that of another
        // session's for `isolation.sessions`.
        let is_another_version = |given, schema| {
            let elsewhere = self.hearing.elsewhere(self.prompt, given);
            let mut others = self.prompt.former(given).chain(elsewhere);
            others.any(|other| shown::lacks(&other.input_schema, schema).is_none())
        };
        if let (Some(given), Some(shown)) = (given, shown)
            && let Some(lack) = shown::lacks(&given.input_schema, &shown.schema)
            && !is_another_version(given, &shown.schema)
        {
            let found = format!("the schema of {tool} is not whole: {lack}");
            findings.breach("activation.next-request", &self.place, Some(tool), found);
        }
    }

    /// A later failure takes nothing away from an earlier success.
    fn later_failure(&self, tool: &ToolName, shown: bool, findings: &mut Findings) {
        let failed = self.request.held.iter().any(|held| {
            self.hearing.known.get(&held.id).is_some_and(|fact| {
                fact.ending == Ending::Result(Status::Error) && fact.speaks_of().contains(&tool)
            })
        });
        if failed {
            findings.premise("restore.ignores-failed");
            if !shown {
                let why = "a failure takes nothing away from its success";
                self.missing("restore.ignores-failed", tool, why, findings);
            }
        }
    }

    /// Counts the rejected evidence that is the only evidence of its tool.
    fn rejected(&self, findings: &mut Findings) {
        for (tool, kinds) in &self.rejected {
            if !plainly_deferred(self.prompt, tool) || self.sets.allows(tool) || kinds.len() != 1 {
                continue;
            }
            for kind in kinds {
                let clause = kind.clause();
                let at_first = clause.starts_with("restore.") || clause.starts_with("isolation.");
                if at_first && !self.is_first() {
                    continue;
                }
                findings.premise(clause);
            }
        }
        let inactive =
            self.prompt.registry.deferred(self.prompt.mode).any(|tool| !self.sets.allows(tool));
        if inactive {
            findings.premise("activation.not-before");
        }
        if self.is_first() && Hearing::has_deferred(self.prompt) {
            findings.premise("initial.minimal");
        }
    }

    /// Holds what is shown against what is allowed. A tool that was shown in the request before
    /// was held against it there.
    fn extra(&self, active_before: &BTreeSet<ToolName>, findings: &mut Findings) {
        for tool in self.request.shown.names() {
            let lately = self.earlier.is_some_and(|earlier| earlier.shows(tool));
            if lately || self.hearing.is_always_sent(self.prompt, tool) {
                continue;
            }
            match self.prompt.registry.standing(tool, self.prompt.mode) {
                Some(Standing::Deferred) if self.sets.allows(tool) => continue,
                Some(Standing::Deferred) => self.unproven(tool, active_before, findings),
                Some(Standing::Core) => continue,
                None => {
                    let known = self.prompt.registry.tool(tool).is_some()
                        || self.prompt.gone.contains(tool);
                    let free = self.hearing.account.profile.mode(self.prompt.mode).sends_anything();
                    if !known && free {
                        continue;
                    }
                    self.outside(tool, known, findings);
                }
            }
            if self.is_first() {
                let found = format!("{tool} is shown in the first request");
                findings.breach("initial.minimal", &self.place, Some(tool), found);
            }
        }
    }

    fn unproven(
        &self,
        tool: &ToolName,
        active_before: &BTreeSet<ToolName>,
        findings: &mut Findings,
    ) {
        let kinds = self.rejected.get(tool);
        match kinds.map_or(0, BTreeSet::len) {
            0 if active_before.contains(tool) => {
                let found = format!("{tool} is shown: it was active before, and nothing proves it");
                findings.breach("reset.each-prompt", &self.place, Some(tool), found);
            }
            0 => {
                let found = format!("{tool} is shown before there is any evidence for it");
                findings.breach("activation.not-before", &self.place, Some(tool), found);
            }
            1 => {
                for kind in kinds.into_iter().flatten() {
                    let found = format!("{tool} is shown, though {}", kind.describe());
                    findings.breach(kind.clause(), &self.place, Some(tool), found);
                }
            }
            _ => {}
        }
    }

    /// A tool that is not in the mode's deferred catalog at all.
    fn outside(&self, tool: &ToolName, known: bool, findings: &mut Findings) {
        if self.prompt.gone.contains(tool) {
            let found = format!("{tool} is shown, though its plugin was removed");
            findings.breach("registry.removed", &self.place, Some(tool), found);
        } else if known && !self.proven_before(tool) && !self.is_first() {
            let found = format!("{tool} is shown, though the mode forbids it");
            findings.breach("host.mode-forbids", &self.place, Some(tool), found);
        }
    }

    /// Whether a success in the context speaks for a tool.
    fn proven_before(&self, tool: &ToolName) -> bool {
        self.request.held.iter().filter(|held| held.result.is_some()).any(|held| {
            self.hearing.known.get(&held.id).is_some_and(|fact| {
                fact.prompt != self.prompt.number && fact.proves().contains(&tool)
            })
        })
    }

    /// What was visible at the end of the last prompt, and is not proven now, is forgotten.
    fn reset(&self, end_of_last: Option<&RequestAccount<'_>>, findings: &mut Findings) {
        let Some(last) = end_of_last else { return };
        for tool in last.shown.names() {
            if !plainly_deferred(self.prompt, tool) || self.sets.allows(tool) {
                continue;
            }
            findings.premise("reset.each-prompt");
            if self.request.shows(tool) {
                let found = format!(
                    "{tool} is still shown: it was active in the last prompt, and nothing proves it"
                );
                findings.breach("reset.each-prompt", &self.place, Some(tool), found);
            }
        }
    }

    /// Evidence for what is not in the mode's deferred catalog restores nothing.
    fn only_catalog(&self, findings: &mut Findings) {
        let mut named: BTreeSet<&ToolName> = BTreeSet::new();
        for held in self.request.held.iter().filter(|held| held.result.is_some()) {
            if let Some(fact) = self.hearing.known.get(&held.id) {
                named.extend(fact.proves());
            }
        }
        for tool in named {
            let standing = self.prompt.registry.standing(tool, self.prompt.mode);
            if standing.is_some() || self.hearing.is_always_sent(self.prompt, tool) {
                continue;
            }
            findings.premise("restore.only-catalog");
            if self.request.shows(tool) {
                let found =
                    format!("{tool} is restored, though it is no deferred tool of this mode now");
                findings.breach("restore.only-catalog", &self.place, Some(tool), found);
            }
        }
    }
}
